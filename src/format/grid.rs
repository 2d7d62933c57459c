//! Rows of `.` and `Q`: plain boards, and the JSON of LeetCode's problem 51.
//!
//! The blank rows are copied as they are, many at once, and then the queens put on
//! them.

use std::io;

use super::{Entry, Notation, page::Page};

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

    fn rows(&self, columns: &[u32], page: &mut Page<'_>) -> io::Result<()> {
        for part in columns.chunks(self.blank.len() / self.row) {
            // A board of side a million has 10¹² squares: it never is in memory.
            page.spill_full()?;
            let start = page.bytes.len();
            page.push(&self.blank[..part.len() * self.row]);
            let rows = page.bytes[start..].chunks_exact_mut(self.row);
            for (row, &column) in rows.zip(part) {
                row[self.margin + column as usize] = b'Q';
            }
        }
        Ok(())
    }
}

impl Notation for Grid {
    fn open(&self, page: &mut Page<'_>) {
        if let Style::Leetcode = self.style {
            page.push(b"[");
        }
    }

    fn write(&mut self, entry: &Entry<'_>, page: &mut Page<'_>) -> io::Result<()> {
        match self.style {
            Style::Board => {
                page.start_board(&mut self.first, entry.class_size);
                self.rows(entry.columns, page)
            }
            Style::Leetcode => {
                let first = std::mem::replace(&mut self.first, false);
                page.push(if first { b"[" } else { b",[" });
                self.rows(entry.columns, page)?;
                if page.bytes.last() == Some(&b',') {
                    page.bytes.pop();
                }
                page.push(b"]");
                Ok(())
            }
        }
    }

    fn close(&self, page: &mut Page<'_>) {
        if let Style::Leetcode = self.style {
            page.push(b"]\n");
        }
    }
}
