//! A JSON object a line: `{"index":0,"columns":[1,3,0,2],"squares":["b4",…],"class_size":2}`.

use std::io::{self, Write};

use super::{Listed, Notation, buffer::Buffer, columns::Columns, squares::Squares};

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

    fn write(&mut self, listed: &Listed<'_>, buffer: &mut Buffer<'_>) -> io::Result<()> {
        write!(buffer.bytes, "{{\"index\":{},\"columns\":", listed.index)?;
        self.columns.push(listed.columns, buffer);
        buffer.push(b",\"squares\":[");
        self.squares.push(listed.columns, buffer);
        buffer.push(b"]");
        if let Some(class_size) = listed.class_size {
            write!(buffer.bytes, ",\"class_size\":{class_size}")?;
        }
        buffer.push(b"}\n");
        Ok(())
    }
}
