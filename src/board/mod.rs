//! A solution: n queens on an n×n board, none of which attacks another.
//!
//! A [`Board`] holds the column of the queen in each row. It can only be made of
//! queens that do not attack each other; who tries otherwise is told which two do.
//! The check is linear: every row, column and diagonal remembers its queen.

pub mod format;
pub(crate) mod mask;
mod problem;
pub(crate) mod square;
pub(crate) mod symmetry;

use std::{fmt, iter, slice, str::FromStr};

pub(crate) use self::problem::Masks;
use self::{
    format::Format,
    symmetry::{Images, invert},
};
pub use self::{
    problem::{Contradiction, Problem},
    square::Square,
    symmetry::Symmetry,
};
use crate::error::Error;

/// The largest board side: columns fit one 32-bit mask.
///
/// ```
/// use queens::{MAX_N, Problem};
///
/// assert!(Problem::new(MAX_N).is_ok());
/// assert!(Problem::new(MAX_N + 1).is_err());
/// ```
pub const MAX_N: u32 = 32;

/// A solution, by the column of the queen in each row, from 0 and from the top.
///
/// ```
/// use queens::Board;
///
/// let board: Board = "b4 d3 a2 c1".parse()?;
/// assert_eq!(board.columns(), [1, 3, 0, 2]);
/// assert_eq!(board.to_string(), "[1 3 0 2]");
/// assert_eq!(format!("{board:#}"), ".Q..\n...Q\nQ...\n..Q.\n");
///
/// let error = "a4 b3 d2 c1".parse::<Board>().unwrap_err();
/// assert_eq!(error.to_string(), "the queens on a4 and b3 attack each other");
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board(Vec<u32>);

impl Board {
    /// The board with a queen in each of these columns, one per row from the top, if
    /// that is a solution.
    ///
    /// ```
    /// use queens::Board;
    ///
    /// assert!(Board::new(vec![1, 3, 0, 2]).is_ok());
    /// assert!(Board::new(vec![0, 1, 2, 3]).is_err());
    /// assert!(Board::new(vec![]).is_ok()); // the one solution for n = 0
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn new(columns: Vec<u32>) -> Result<Self, Error> {
        let n = columns.len() as u32;
        let ranks = (0..n).rev();
        Self::of_queens(n, columns.into_iter().zip(ranks).map(from_pair))
    }

    /// The board of side `n` with queens on these squares, if that is a solution.
    ///
    /// ```
    /// use queens::{Board, Error, Square};
    ///
    /// let queen = |name: &str| name.parse::<Square>().unwrap();
    /// let board = Board::of_queens(4, ["c1", "b4", "a2", "d3"].map(queen))?;
    /// assert_eq!(board.columns(), [1, 3, 0, 2]);
    ///
    /// let missing = Board::of_queens(4, ["b4", "a2"].map(queen));
    /// assert!(matches!(missing, Err(Error::MissingQueen { row: 1, .. })));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn of_queens(n: u32, queens: impl IntoIterator<Item = Square>) -> Result<Self, Error> {
        let lines = n as usize;
        let mut rows = vec![None; lines];
        let mut columns = vec![None; lines];
        let mut falling = vec![None; 2 * lines];
        let mut rising = vec![None; 2 * lines];
        for queen in queens {
            let (row, column) = queen.on_board(n)?;
            let (r, c) = (row as usize, column as usize);
            let lines_of_sight = [
                &mut rows[r],
                &mut columns[c],
                &mut falling[r + lines - c],
                &mut rising[r + c],
            ];
            for line in lines_of_sight {
                if let Some(first) = line.replace(queen) {
                    return Err(Error::Attack {
                        n,
                        first,
                        second: queen,
                    });
                }
            }
        }
        let column = |(row, queen): (u32, Option<Square>)| match queen {
            Some(queen) => Ok(queen.file()),
            None => Err(Error::MissingQueen { n, row }),
        };
        (0..)
            .zip(rows)
            .map(column)
            .collect::<Result<_, _>>()
            .map(Board)
    }

    /// A board that a search has already found to be a solution.
    pub(crate) fn found(columns: &[u32]) -> Self {
        debug_assert!(Board::new(columns.to_vec()).is_ok());
        Board(columns.to_vec())
    }

    /// The side of the board.
    ///
    /// ```
    /// assert_eq!("[1 3 0 2]".parse::<queens::Board>()?.n(), 4);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn n(&self) -> u32 {
        self.0.len() as u32
    }

    /// The column of the queen in each row.
    ///
    /// ```
    /// let board = queens::solve(100)?.expect("all n from 4 on have a solution");
    /// let mut columns = board.columns().to_vec();
    /// columns.sort();
    /// assert!(columns.into_iter().eq(0..100)); // one queen in each
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn columns(&self) -> &[u32] {
        &self.0
    }

    /// The squares of the queens, from the top row down.
    ///
    /// ```
    /// let board: queens::Board = "[1 3 0 2]".parse()?;
    /// let names: Vec<String> = board.squares().map(|square| square.to_string()).collect();
    /// assert_eq!(names, ["b4", "d3", "a2", "c1"]);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        let ranks = (0..self.n()).rev();
        self.0.iter().copied().zip(ranks).map(from_pair)
    }

    /// The board, turned or mirrored.
    ///
    /// ```
    /// use queens::{Board, Symmetry};
    ///
    /// let board: Board = "[1 3 0 2]".parse()?;
    /// assert_eq!(board.image(Symmetry::LeftRight).columns(), [2, 0, 3, 1]);
    /// assert_eq!(board.image(Symmetry::QuarterTurn), board);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn image(&self, symmetry: Symmetry) -> Board {
        self.with_images(|images| Board(images.image(symmetry).collect()))
    }

    /// All eight images, in the order of [`Symmetry::ALL`]: the board itself first,
    /// and equal ones as often as they occur.
    ///
    /// ```
    /// use std::collections::HashSet;
    ///
    /// let board: queens::Board = "[1 3 0 2]".parse()?;
    /// let different: HashSet<_> = board.images().into_iter().collect();
    /// assert_eq!(different.len(), 2);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn images(&self) -> [Board; 8] {
        self.with_images(|images| {
            Symmetry::EIGHT.map(|symmetry| Board(images.image(symmetry).collect()))
        })
    }

    /// The first of the eight images in the order of their columns: the same board
    /// for all of a class.
    ///
    /// ```
    /// let board: queens::Board = "[2 0 3 1]".parse()?;
    /// assert_eq!(board.canonical().columns(), [1, 3, 0, 2]);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn canonical(&self) -> Board {
        self.with_images(|images| Board(images.image(images.first()).collect()))
    }

    /// Whether the board is the canonical one of its class.
    ///
    /// ```
    /// assert!("[1 3 0 2]".parse::<queens::Board>()?.is_canonical());
    /// assert!(!"[2 0 3 1]".parse::<queens::Board>()?.is_canonical());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn is_canonical(&self) -> bool {
        self.with_images(|images| images.is_canonical())
    }

    /// How many of the eight images are different: 8, 4 or 2; and 1 for the boards of
    /// side 0 and 1.
    ///
    /// ```
    /// assert_eq!("[1 3 0 2]".parse::<queens::Board>()?.class_size(), 2);
    /// assert_eq!("[0 4 7 5 2 6 1 3]".parse::<queens::Board>()?.class_size(), 8);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn class_size(&self) -> u32 {
        self.with_images(|images| images.class_size())
    }

    fn with_images<T>(&self, look: impl FnOnce(Images<'_>) -> T) -> T {
        let mut rows = vec![0; self.0.len()];
        invert(&self.0, &mut rows);
        look(Images {
            columns: &self.0,
            rows: &rows,
        })
    }
}

/// The square of a queen, by its file and rank.
fn from_pair((file, rank): (u32, u32)) -> Square {
    Square::new(file, rank)
}

/// A board of the column of the queen in each row, as by [`Board::new`].
///
/// ```
/// let board = queens::Board::try_from(vec![1, 3, 0, 2])?;
/// assert_eq!(board.n(), 4);
/// # Ok::<(), queens::Error>(())
/// ```
impl TryFrom<Vec<u32>> for Board {
    type Error = Error;

    fn try_from(columns: Vec<u32>) -> Result<Self, Error> {
        Board::new(columns)
    }
}

/// The column of the queen in each row, from the top row down.
///
/// ```
/// let board: queens::Board = "[1 3 0 2]".parse()?;
/// for column in &board {
///     println!("{}", "· ".repeat(column as usize) + "♛");
/// }
/// # Ok::<(), queens::Error>(())
/// ```
impl<'a> IntoIterator for &'a Board {
    type Item = u32;
    type IntoIter = iter::Copied<slice::Iter<'a, u32>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().copied()
    }
}

/// The columns; with `{:#}` the board, a line per row.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            f.write_str(&Format::Board.text(self))
        } else {
            f.pad(Format::Columns.text(self).trim_end())
        }
    }
}

/// Reads any notation that [`Format`] writes, and columns from 1.
impl FromStr for Board {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        format::read(text)
    }
}
