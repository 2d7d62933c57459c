//! A square, by file and rank or by its chess name.
//!
//! A chess player reads the board from the bottom left: files a, b, … z, aa, ab, …
//! from the left, ranks 1, 2, … from the bottom. So a name means the same square on
//! every board that has it. Searches and listings go from the top row down instead;
//! on a board of side n, row r is the rank n − r of a chess player.

use std::{fmt, str::FromStr};

use crate::error::Error;

/// A square by its file and rank, both from 0: a1 is file 0 on rank 0.
///
/// ```
/// use queens::Square;
///
/// let square: Square = "e4".parse()?;
/// assert_eq!(square, Square::new(4, 3));
/// assert_eq!(square.to_string(), "e4");
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Square {
    file: u32,
    rank: u32,
}

impl Square {
    /// The square on this file and rank, both from 0.
    ///
    /// ```
    /// assert_eq!(queens::Square::new(0, 0).to_string(), "a1");
    /// assert_eq!(queens::Square::new(26, 9).to_string(), "aa10");
    /// ```
    pub const fn new(file: u32, rank: u32) -> Self {
        Square { file, rank }
    }

    /// The square in this row, from 0 at the top, and column, from 0 at the left, of a
    /// board of side `n`; `None` if that board has no such row.
    ///
    /// ```
    /// use queens::Square;
    ///
    /// assert_eq!(Square::in_row(0, 4, 8), Some("e8".parse()?));
    /// assert_eq!(Square::in_row(8, 4, 8), None);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn in_row(row: u32, column: u32, n: u32) -> Option<Self> {
        let rank = n.checked_sub(row)?.checked_sub(1)?;
        Some(Square { file: column, rank })
    }

    /// Its file, from 0 at the left: the column of a [`Board`](crate::Board).
    ///
    /// ```
    /// assert_eq!("e4".parse::<queens::Square>()?.file(), 4);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub const fn file(self) -> u32 {
        self.file
    }

    /// Its rank, from 0 at the bottom.
    ///
    /// ```
    /// assert_eq!("e4".parse::<queens::Square>()?.rank(), 3);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub const fn rank(self) -> u32 {
        self.rank
    }

    /// Its row on a board of side `n`, from 0 at the top; `None` if it is above that
    /// board.
    ///
    /// ```
    /// let square: queens::Square = "e4".parse()?;
    /// assert_eq!(square.row(8), Some(4));
    /// assert_eq!(square.row(4), Some(0));
    /// assert_eq!(square.row(3), None);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn row(self, n: u32) -> Option<u32> {
        n.checked_sub(self.rank)?.checked_sub(1)
    }

    /// Its row and column on a board of side `n`.
    pub(crate) fn on_board(self, n: u32) -> Result<(u32, u32), Error> {
        match self.row(n) {
            Some(row) if self.file < n => Ok((row, self.file)),
            _ => Err(Error::NoSquare {
                n,
                name: self.to_string(),
            }),
        }
    }

    /// Whether queens on these two squares attack each other. A queen does not
    /// attack itself.
    ///
    /// ```
    /// use queens::Square;
    ///
    /// let queen: Square = "d5".parse()?;
    /// assert!(queen.attacks("a5".parse()?));
    /// assert!(queen.attacks("g8".parse()?));
    /// assert!(!queen.attacks("e7".parse()?));
    /// assert!(!queen.attacks(queen));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn attacks(self, other: Square) -> bool {
        let files = self.file.abs_diff(other.file);
        let ranks = self.rank.abs_diff(other.rank);
        self != other && (files == 0 || ranks == 0 || files == ranks)
    }
}

/// The chess name.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = u64::from(self.rank) + 1;
        f.pad(&format!("{}{rank}", letters(self.file)))
    }
}

/// Reads a chess name.
impl FromStr for Square {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let file = file(&name[..name.len() - digits.len()]);
        let number = digits.starts_with(|c: char| c.is_ascii_digit());
        let rank: Option<u32> = digits.parse().ok().filter(|_| number);
        match (file, rank.and_then(|rank| rank.checked_sub(1))) {
            (Some(file), Some(rank)) => Ok(Square { file, rank }),
            _ => Err(Error::UnknownSquare(name.to_owned())),
        }
    }
}

/// The letters of a file: a, b, … z, aa, ab, … (a number system of base 26 whose
/// digits go from 1 to 26).
pub(crate) fn letters(file: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(file) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// The file of these letters; `None` if there are none, or too many for a `u32`.
fn file(letters: &str) -> Option<u32> {
    let number = letters.bytes().try_fold(0u32, |number, letter| {
        number
            .checked_mul(26)?
            .checked_add(u32::from(letter - b'a') + 1)
    });
    number?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_count_like_a_spreadsheet_and_back() {
        let cases = [(0, "a"), (25, "z"), (26, "aa"), (701, "zz"), (702, "aaa")];
        for (number, name) in cases {
            assert_eq!(letters(number), name);
        }
        for number in (0..1_000_000).step_by(37) {
            assert_eq!(file(&letters(number)), Some(number));
        }
    }

    #[test]
    fn a_name_is_read_back_and_nothing_else_is() {
        for (file, rank) in (0..30).flat_map(|file| (0..30).map(move |rank| (file, rank))) {
            let square = Square::new(file, rank);
            assert_eq!(square.to_string().parse(), Ok(square));
            let row = square.row(30).unwrap();
            assert_eq!(Square::in_row(row, file, 30), Some(square));
        }
        let bad = ["", "a", "4", "a0", "a+1", "a-1", "A1", "a1b", "1a", "é1"];
        for name in bad.into_iter().chain(["zzzzzzzzz1", "a99999999999"]) {
            let unknown = Error::UnknownSquare(name.to_owned());
            assert_eq!(name.parse::<Square>(), Err(unknown));
        }
        let last = Square::new(u32::MAX - 1, u32::MAX - 1);
        assert_eq!(last.to_string().parse(), Ok(last));
    }

    #[test]
    fn a_board_has_the_squares_up_to_its_last_file_and_rank() {
        let on_board = |name: &str, n| name.parse::<Square>().unwrap().on_board(n);
        assert_eq!(on_board("a1", 4), Ok((3, 0)));
        assert_eq!(on_board("d4", 4), Ok((0, 3)));
        for (name, n) in [("e1", 4), ("a5", 4), ("a1", 0)] {
            assert!(matches!(on_board(name, n), Err(Error::NoSquare { .. })));
        }
    }
}
