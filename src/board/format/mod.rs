//! Solutions as text, one file per notation, and back.
//!
//! A listing should cost no more than its bytes. So a notation prepares, once for a
//! board side, whatever does not depend on the queens (a blank board, the digits of
//! each column) and then copies it into one large buffer; nothing is allocated per
//! board.

mod buffer;
mod columns;
mod grid;
mod heat_map;
mod jsonl;
mod label;
mod read;
mod squares;
pub mod svg;
mod unicode;

use std::{fmt, io, str::FromStr};

use crate::{
    board::{
        Board,
        symmetry::{Images, invert},
    },
    error::Error,
};
use buffer::Buffer;
pub use heat_map::heat_map;
pub(crate) use read::read;

/// A notation for solutions.
///
/// ```
/// use queens::{Board, format::Format};
///
/// let board: Board = "[1 3 0 2]".parse()?;
/// assert_eq!("squares".parse::<Format>()?.text(&board), "b4 d3 a2 c1\n");
/// for format in [Format::Board, Format::Leetcode, Format::Unicode] {
///     assert_eq!(format.text(&board).parse::<Board>()?, board);
/// }
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Rows of `.` and `Q`, a blank line between two boards.
    Board,
    /// `[1 3 0 2]`: the column of the queen in each row, from 0.
    Columns,
    /// `b4 d3 a2 c1`: the squares of the queens, from the top row down.
    Squares,
    /// One JSON array of boards, each an array of rows of `.` and `Q`.
    Leetcode,
    /// A JSON object a line: index, columns, squares and class size.
    Jsonl,
    /// A board with ♛ and coordinates, for the terminal.
    Unicode,
}

impl Format {
    /// Every notation.
    ///
    /// ```
    /// use queens::format::Format;
    ///
    /// let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    /// assert_eq!(names.join(" "), "board columns squares leetcode jsonl unicode");
    /// ```
    pub const ALL: &[Format] = &[
        Format::Board,
        Format::Columns,
        Format::Squares,
        Format::Leetcode,
        Format::Jsonl,
        Format::Unicode,
    ];

    /// Its name on the command line.
    ///
    /// ```
    /// use queens::format::Format;
    ///
    /// assert_eq!(Format::Squares.name(), "squares");
    /// assert_eq!("squares".parse::<Format>()?, Format::Squares);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Format::Board => "board",
            Format::Columns => "columns",
            Format::Squares => "squares",
            Format::Leetcode => "leetcode",
            Format::Jsonl => "jsonl",
            Format::Unicode => "unicode",
        }
    }

    /// One board in this notation.
    ///
    /// ```
    /// use queens::{Board, format::Format};
    ///
    /// let board: Board = "[1 3 0 2]".parse()?;
    /// assert_eq!(Format::Board.text(&board), ".Q..\n...Q\nQ...\n..Q.\n");
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn text(self, board: &Board) -> String {
        let mut text = Vec::new();
        let mut printer = Printer::new(self, board.n(), &mut text);
        let printed = printer
            .print(board.columns())
            .and_then(|()| printer.finish());
        printed.expect("memory takes every byte");
        String::from_utf8(text).expect("every notation is UTF-8")
    }

    fn notation(self, n: u32) -> Box<dyn Notation> {
        match self {
            Format::Board => Box::new(grid::Grid::board(n)),
            Format::Columns => Box::new(columns::Columns::new(n)),
            Format::Squares => Box::new(squares::Squares::new(n)),
            Format::Leetcode => Box::new(grid::Grid::leetcode(n)),
            Format::Jsonl => Box::new(jsonl::Jsonl::new(n)),
            Format::Unicode => Box::new(unicode::Unicode::new(n)),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Format::ALL
            .iter()
            .copied()
            .find(|format| format.name() == name);
        found.ok_or_else(|| Error::UnknownFormat(name.to_owned()))
    }
}

/// A solution to be written down.
struct Listed<'a> {
    /// Its place in the listing.
    index: u64,
    columns: &'a [u32],
    /// The size of its class, if the notation or the user wants it.
    class_size: Option<u32>,
}

/// How one notation writes.
trait Notation {
    /// Whether every board must come with its class size.
    fn wants_class_size(&self) -> bool {
        false
    }

    /// Before the first board.
    fn open(&self, _buffer: &mut Buffer<'_>) {}

    /// One board.
    fn write(&mut self, listed: &Listed<'_>, buffer: &mut Buffer<'_>) -> io::Result<()>;

    /// After the last board.
    fn close(&self, _buffer: &mut Buffer<'_>) {}
}

/// Writes solutions in one notation, streaming.
///
/// ```
/// use queens::format::{Format, Printer};
///
/// let mut text = Vec::new();
/// let mut printer = Printer::new(Format::Columns, 6, &mut text);
/// for board in queens::solutions(6)? {
///     printer.print(board.columns())?;
/// }
/// printer.finish()?;
/// assert_eq!(text, b"[1 3 5 0 2 4]\n[2 5 1 4 0 3]\n[3 0 4 1 5 2]\n[4 2 0 5 3 1]\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Printer<'a> {
    notation: Box<dyn Notation + 'a>,
    buffer: Buffer<'a>,
    index: u64,
    class_sizes: bool,
    rows: Vec<u32>,
}

impl fmt::Debug for Printer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Printer")
            .field("index", &self.index)
            .field("class_sizes", &self.class_sizes)
            .finish_non_exhaustive()
    }
}

impl<'a> Printer<'a> {
    /// A printer of boards of side `n`.
    ///
    /// ```
    /// use queens::format::{Format, Printer};
    ///
    /// let mut text = Vec::new();
    /// Printer::new(Format::Leetcode, 3, &mut text).finish()?;
    /// assert_eq!(text, b"[]\n"); // n = 3 has no solution
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(format: Format, n: u32, out: impl io::Write + 'a) -> Self {
        let notation = format.notation(n);
        let mut buffer = Buffer::new(out);
        notation.open(&mut buffer);
        Printer {
            class_sizes: notation.wants_class_size(),
            notation,
            buffer,
            index: 0,
            rows: vec![0; n as usize],
        }
    }

    /// Adds the class size to every board, as a comment where the notation has no
    /// place of its own for it. LeetCode's has none at all.
    ///
    /// ```
    /// use queens::format::{Format, Printer};
    ///
    /// let mut text = Vec::new();
    /// let mut printer = Printer::new(Format::Columns, 4, &mut text).class_sizes();
    /// printer.print(&[1, 3, 0, 2])?;
    /// printer.finish()?;
    /// assert_eq!(text, b"[1 3 0 2] # class of 2\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn class_sizes(mut self) -> Self {
        self.class_sizes = true;
        self
    }

    /// Numbers the boards from `index` instead of 0.
    ///
    /// ```
    /// use queens::format::{Format, Printer};
    ///
    /// let mut text = Vec::new();
    /// let mut printer = Printer::new(Format::Jsonl, 4, &mut text).index(1);
    /// printer.print(&[2, 0, 3, 1])?;
    /// printer.finish()?;
    /// assert!(text.starts_with(br#"{"index":1,"columns":[2,0,3,1],"#));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn index(mut self, index: u64) -> Self {
        self.index = index;
        self
    }

    /// Writes the solution with these columns, one for each of the n rows.
    ///
    /// ```
    /// use queens::format::{Format, Printer};
    ///
    /// let mut text = Vec::new();
    /// let mut printer = Printer::new(Format::Squares, 4, &mut text);
    /// printer.print(&[1, 3, 0, 2])?;
    /// printer.print(&[2, 0, 3, 1])?;
    /// printer.finish()?;
    /// assert_eq!(text, b"b4 d3 a2 c1\nc4 a3 d2 b1\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn print(&mut self, columns: &[u32]) -> io::Result<()> {
        let class_size = self.class_sizes.then(|| {
            invert(columns, &mut self.rows);
            let rows = &self.rows;
            Images { columns, rows }.class_size()
        });
        let listed = Listed {
            index: self.index,
            columns,
            class_size,
        };
        self.index += 1;
        self.notation.write(&listed, &mut self.buffer)?;
        self.buffer.spill()
    }

    /// Hands everything written so far to the output.
    ///
    /// ```
    /// use std::io::{BufRead, BufReader, pipe};
    ///
    /// use queens::format::{Format, Printer};
    ///
    /// let (reader, writer) = pipe()?;
    /// let mut printer = Printer::new(Format::Squares, 4, writer);
    /// printer.print(&[1, 3, 0, 2])?;
    /// printer.flush()?;
    /// let first = BufReader::new(reader).lines().next();
    /// assert_eq!(first.transpose()?.as_deref(), Some("b4 d3 a2 c1"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn flush(&mut self) -> io::Result<()> {
        self.buffer.flush()
    }

    /// Ends the listing and flushes it.
    ///
    /// ```
    /// use queens::format::{Format, Printer};
    ///
    /// let mut text = Vec::new();
    /// let mut printer = Printer::new(Format::Leetcode, 1, &mut text);
    /// printer.print(&[0])?;
    /// printer.finish()?;
    /// assert_eq!(text, b"[[\"Q\"]]\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(mut self) -> io::Result<()> {
        self.notation.close(&mut self.buffer);
        self.buffer.flush()
    }
}
