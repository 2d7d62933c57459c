//! `b4 d3 a2 c1`: the squares of the queens, from the top row down.

use std::io;

use super::{Listed, Notation, buffer::Buffer, label::Label};
use crate::board::square::letters;

/// The letters of each column and the digits of each row.
pub(super) struct Squares {
    files: Vec<Label>,
    ranks: Vec<Label>,
    separator: &'static str,
}

impl Squares {
    pub(super) fn new(n: u32) -> Self {
        Self::quoted(n, "", " ")
    }

    pub(super) fn quoted(n: u32, quote: &str, separator: &'static str) -> Self {
        let letters = |column| Label::new(&format!("{quote}{}", letters(column)));
        let digits = |row| Label::new(&format!("{}{quote}{separator}", n - row));
        Squares {
            files: (0..n).map(letters).collect(),
            ranks: (0..n).map(digits).collect(),
            separator,
        }
    }

    pub(super) fn push(&self, columns: &[u32], buffer: &mut Buffer<'_>) {
        let queens = columns.iter().zip(&self.ranks);
        let labels = queens.flat_map(|(&column, rank)| [&self.files[column as usize], rank]);
        Label::push_all(labels, 2 * columns.len(), self.separator, buffer);
    }
}

impl Notation for Squares {
    fn write(&mut self, listed: &Listed<'_>, buffer: &mut Buffer<'_>) -> io::Result<()> {
        self.push(listed.columns, buffer);
        buffer.end_line(listed.class_size);
        Ok(())
    }
}
