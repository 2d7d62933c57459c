//! A JSON object a line: `{"index":0,"columns":[1,3,0,2],"squares":["b4",…],"class_size":2}`.

use std::io::{self, Write};

use super::{Entry, Notation, columns::Columns, page::Page, squares::Squares};

pub(super) struct Jsonl {
    columns: Columns,
    squares: Squares,
}

impl Jsonl {
    pub(super) fn new(n: u32) -> Self {
        Jsonl {
            columns: Columns::separated(n, ","),
            squares: Squares::quoted(n, "\"", ","),
        }
    }
}

impl Notation for Jsonl {
    fn wants_class_size(&self) -> bool {
        true
    }

    fn write(&mut self, entry: &Entry<'_>, page: &mut Page<'_>) -> io::Result<()> {
        write!(page.bytes, "{{\"index\":{},\"columns\":", entry.index)?;
        self.columns.push(entry.columns, page);
        page.push(b",\"squares\":[");
        self.squares.push(entry.columns, page);
        page.push(b"]");
        if let Some(class_size) = entry.class_size {
            write!(page.bytes, ",\"class_size\":{class_size}")?;
        }
        page.push(b"}\n");
        Ok(())
    }
}
