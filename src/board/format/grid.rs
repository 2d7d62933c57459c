//! Rows of `.` and `Q`: plain boards, and the JSON of LeetCode's problem 51.
//!
//! The blank rows are copied as they are, many at once, and then the queens put on
//! them.

use std::io;

use super::{Listed, Notation, buffer::Buffer};

/// Blank rows are prepared for about this many bytes, and at least for one row.
const BLANK: usize = 1 << 12;

/// Boards drawn square by square, each square one byte.
pub(super) struct Grid {
    style: Style,
    /// One blank row: what is before its squares, the squares, and what is after.
    row: usize,
    /// Where the squares start.
    margin: usize,
    blank: Vec<u8>,
    first: bool,
}

enum Style {
    Board,
    Leetcode,
}

impl Grid {
    pub(super) fn board(n: u32) -> Self {
        Self::new(Style::Board, "", n, "\n")
    }

    pub(super) fn leetcode(n: u32) -> Self {
        Self::new(Style::Leetcode, "\"", n, "\",")
    }

    fn new(style: Style, before: &str, n: u32, after: &str) -> Self {
        let n = n as usize;
        let row = [before, &".".repeat(n), after].concat();
        let rows = (BLANK / row.len()).clamp(1, n.max(1));
        Grid {
            style,
            row: row.len(),
            margin: before.len(),
            blank: row.repeat(rows).into_bytes(),
            first: true,
        }
    }

    fn rows(&self, columns: &[u32], buffer: &mut Buffer<'_>) -> io::Result<()> {
        for some in columns.chunks(self.blank.len() / self.row) {
            // A board of side a million has 10¹² squares: it never is in memory.
            buffer.spill_full()?;
            let start = buffer.bytes.len();
            buffer.push(&self.blank[..some.len() * self.row]);
            let rows = buffer.bytes[start..].chunks_exact_mut(self.row);
            for (row, &column) in rows.zip(some) {
                row[self.margin + column as usize] = b'Q';
            }
        }
        Ok(())
    }
}

impl Notation for Grid {
    fn open(&self, buffer: &mut Buffer<'_>) {
        if let Style::Leetcode = self.style {
            buffer.push(b"[");
        }
    }

    fn write(&mut self, listed: &Listed<'_>, buffer: &mut Buffer<'_>) -> io::Result<()> {
        match self.style {
            Style::Board => {
                buffer.start_board(&mut self.first, listed.class_size);
                self.rows(listed.columns, buffer)
            }
            Style::Leetcode => {
                let first = std::mem::replace(&mut self.first, false);
                buffer.push(if first { b"[" } else { b",[" });
                self.rows(listed.columns, buffer)?;
                if buffer.bytes.last() == Some(&b',') {
                    buffer.bytes.pop();
                }
                buffer.push(b"]");
                Ok(())
            }
        }
    }

    fn close(&self, buffer: &mut Buffer<'_>) {
        if let Style::Leetcode = self.style {
            buffer.push(b"]\n");
        }
    }
}
