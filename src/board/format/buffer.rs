//! The buffer between a notation and the output.
//!
//! A notation appends bytes and says now and then that it may be emptied. It is
//! emptied when it holds [`FULL`] bytes, but at first much sooner: the limit starts
//! at one byte and doubles each time, so the first board is out as soon as it is
//! found, and whoever reads the k-th need not wait for the 2k-th.

use std::io::{self, Write};

/// Large enough that the system call does not count.
const FULL: usize = 1 << 18;

pub(super) struct Buffer<'a> {
    /// What is not yet written.
    pub(super) bytes: Vec<u8>,
    limit: usize,
    out: Box<dyn Write + 'a>,
}

impl<'a> Buffer<'a> {
    pub(super) fn new(out: impl Write + 'a) -> Self {
        Buffer {
            bytes: Vec::new(),
            limit: 1,
            out: Box::new(out),
        }
    }

    /// Appends these bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Ends a line, with the class size, if it is wanted, as a comment.
    pub(super) fn end_line(&mut self, class_size: Option<u32>) {
        if let Some(class_size) = class_size {
            if !matches!(self.bytes.last(), None | Some(b'\n')) {
                self.push(b" ");
            }
            self.push(b"# class of ");
            self.push(class_size.to_string().as_bytes());
        }
        self.push(b"\n");
    }

    /// A blank line before any board but the first, and a line with the class size, if
    /// it is wanted.
    pub(super) fn start_board(&mut self, first: &mut bool, class_size: Option<u32>) {
        if !std::mem::replace(first, false) {
            self.push(b"\n");
        }
        if class_size.is_some() {
            self.end_line(class_size);
        }
    }

    /// Empties the buffer if it is time to.
    pub(super) fn spill(&mut self) -> io::Result<()> {
        if self.bytes.len() < self.limit {
            return Ok(());
        }
        self.limit = (2 * self.bytes.len()).min(FULL);
        self.flush()
    }

    /// Empties the buffer in the middle of a board, if that board is so large.
    pub(super) fn spill_full(&mut self) -> io::Result<()> {
        if self.bytes.len() < FULL {
            return Ok(());
        }
        self.flush()
    }

    /// Empties the buffer.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        self.out.flush()
    }
}
