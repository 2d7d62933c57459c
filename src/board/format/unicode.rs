//! A board with ♛ and coordinates, for the terminal:
//!
//! ```text
//! 4 · ♛ · ·
//! 3 · · · ♛
//! 2 ♛ · · ·
//! 1 · · ♛ ·
//!   a b c d
//! ```

use std::io;

use super::{Listed, Notation, buffer::Buffer};
use crate::board::square::letters;

pub(super) struct Unicode {
    /// The rank of each row, all equally wide.
    ranks: Vec<String>,
    /// A square with a queen: as wide as the longest file, and a space.
    queen: Vec<u8>,
    /// The bytes of an empty square, and a row of them.
    square: usize,
    empty: Vec<u8>,
    files: Vec<u8>,
    first: bool,
}

impl Unicode {
    pub(super) fn new(n: u32) -> Self {
        let margin = n.to_string().len();
        let width = letters(n.saturating_sub(1)).len() + 1;
        let square = format!("{:>width$}", '·');
        let names = (0..n).map(|column| format!("{:>width$}", letters(column)));
        let files = format!("{:margin$}{}\n", "", names.collect::<String>());
        Unicode {
            ranks: (0..n).map(|row| format!("{:margin$}", n - row)).collect(),
            queen: format!("{:>width$}", '♛').into_bytes(),
            square: square.len(),
            empty: square.repeat(n as usize).into_bytes(),
            files: files.into_bytes(),
            first: true,
        }
    }
}

impl Notation for Unicode {
    fn write(&mut self, listed: &Listed<'_>, buffer: &mut Buffer<'_>) -> io::Result<()> {
        buffer.start_board(&mut self.first, listed.class_size);
        for (rank, &column) in self.ranks.iter().zip(listed.columns) {
            buffer.spill_full()?;
            buffer.push(rank.as_bytes());
            let (before, rest) = self.empty.split_at(column as usize * self.square);
            buffer.push(before);
            buffer.push(&self.queen);
            buffer.push(&rest[self.square..]);
            buffer.push(b"\n");
        }
        if !listed.columns.is_empty() {
            buffer.push(&self.files);
        }
        Ok(())
    }
}
