//! `[1 3 0 2]`: the column of the queen in each row.

use std::io;

use super::{Listed, Notation, buffer::Buffer, label::Label};

/// The digits of each column, and what comes before the next one.
pub(super) struct Columns {
    labels: Vec<Label>,
    separator: &'static str,
}

impl Columns {
    pub(super) fn new(n: u32) -> Self {
        Self::separated(n, " ")
    }

    pub(super) fn separated(n: u32, separator: &'static str) -> Self {
        let label = |column| Label::new(&format!("{column}{separator}"));
        Columns {
            labels: (0..n).map(label).collect(),
            separator,
        }
    }

    /// The brackets and what is between them.
    pub(super) fn push(&self, columns: &[u32], buffer: &mut Buffer<'_>) {
        buffer.push(b"[");
        let labels = columns.iter().map(|&column| &self.labels[column as usize]);
        Label::push_all(labels, columns.len(), self.separator, buffer);
        buffer.push(b"]");
    }
}

impl Notation for Columns {
    fn write(&mut self, listed: &Listed<'_>, buffer: &mut Buffer<'_>) -> io::Result<()> {
        self.push(listed.columns, buffer);
        buffer.end_line(listed.class_size);
        Ok(())
    }
}
