//! A table for a person: columns aligned at the right, as many as the terminal is wide
//! enough for.

use std::io::{self, Write};

use crate::cli::report::output::{Output, Paint};

/// The columns of a table.
pub struct Table {
    widths: Vec<usize>,
    /// Those for which there is room, from left to right.
    kept: Vec<usize>,
}

impl Table {
    /// A table of columns of these widths, two blanks apart, on lines of `room`
    /// characters. Columns are left out from the end of `important`.
    pub fn new(widths: Vec<usize>, important: &[usize], room: usize) -> Table {
        let (mut kept, mut used) = (Vec::new(), 0);
        for &column in important {
            used += widths[column] + if kept.is_empty() { 0 } else { 2 };
            if used > room {
                break;
            }
            kept.push(column);
        }
        kept.sort_unstable();
        Table { widths, kept }
    }

    /// A table with columns as wide as these lines need, the head among them.
    pub fn of(lines: &[Vec<String>], important: &[usize], room: usize) -> Table {
        let column = |place: usize| width(lines.iter().map(|cells| &*cells[place]));
        let columns = lines.first().map_or(0, Vec::len);
        Table::new((0..columns).map(column).collect(), important, room)
    }

    /// A line of the table, from a cell for each column.
    pub fn row(&self, cells: &[impl AsRef<str>]) -> String {
        let cells = self.kept.iter().map(|&column| {
            let (cell, width) = (cells[column].as_ref(), self.widths[column]);
            format!("{cell:>width$}")
        });
        cells.collect::<Vec<_>>().join("  ")
    }
}

/// Prints lines of cells, the first of them as the head. On a narrow terminal the last columns
/// give way.
pub fn print(lines: &[Vec<String>], out: &mut Output) -> io::Result<()> {
    let columns: Vec<usize> = (0..lines.first().map_or(0, Vec::len)).collect();
    print_by(lines, &columns, out)
}

/// Prints lines of cells, the first of them as the head. On a narrow terminal the columns give
/// way from the end of `important`, which names all of them.
pub fn print_by(lines: &[Vec<String>], important: &[usize], out: &mut Output) -> io::Result<()> {
    let table = Table::of(lines, important, out.width());
    for (number, cells) in lines.iter().enumerate() {
        let row = table.row(cells);
        let row = match number {
            0 => out.paint(Paint::Bold, row),
            _ => row,
        };
        writeln!(out, "{row}")?;
    }
    Ok(())
}

/// The width of a column with these cells.
pub fn width<'a>(cells: impl IntoIterator<Item = &'a str>) -> usize {
    let widths = cells.into_iter().map(|cell| cell.chars().count());
    widths.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_has_the_important_columns_in_their_order() {
        let row = |room| {
            let table = Table::new(vec![2, 5, 4, 3], &[0, 3, 1, 2], room);
            table.row(&["8", "92", "12", "1 s"])
        };
        assert_eq!(row(80), " 8     92    12  1 s");
        assert_eq!(row(19), " 8     92  1 s");
        assert_eq!(row(13), " 8  1 s");
        assert_eq!(row(1), "");
    }
}
