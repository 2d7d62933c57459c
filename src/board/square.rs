//! A square, by row and column or by its chess name.
//!
//! Row 0 is the top row of the printed board. A chess player reads that board from
//! the bottom left: files a, b, … z, aa, ab, … from the left, rank 1 at the bottom,
//! so row r is rank n − r. A name therefore needs the side of its board.

use crate::error::Error;

/// A square by its row and column, both from 0; row 0 is the top row.
///
/// ```
/// let corner = queens::Square { row: 0, column: 0 };
/// assert!(corner.attacks(queens::Square { row: 5, column: 5 }));
/// assert!(!corner.attacks(queens::Square { row: 1, column: 2 }));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square {
    /// The row, from 0 at the top.
    pub row: u32,
    /// The column, from 0 at the left.
    pub column: u32,
}

impl Square {
    /// Whether queens on these two squares attack each other. A queen does not
    /// attack itself.
    ///
    /// ```
    /// use queens::Square;
    ///
    /// let queen = Square { row: 3, column: 3 };
    /// assert!(queen.attacks(Square { row: 3, column: 0 }));
    /// assert!(queen.attacks(Square { row: 0, column: 6 }));
    /// assert!(!queen.attacks(queen));
    /// ```
    pub fn attacks(self, other: Square) -> bool {
        let rows = self.row.abs_diff(other.row);
        let columns = self.column.abs_diff(other.column);
        self != other && (rows == 0 || columns == 0 || rows == columns)
    }

    /// Its chess name on a board of side `n`.
    ///
    /// ```
    /// let square = queens::Square { row: 0, column: 1 };
    /// assert_eq!(square.name(4), "b4");
    /// assert_eq!(square.name(8), "b8");
    /// ```
    pub fn name(self, n: u32) -> String {
        format!(
            "{}{}",
            file(self.column),
            i64::from(n) - i64::from(self.row)
        )
    }

    /// The square of this name on a board of side `n`.
    ///
    /// ```
    /// use queens::Square;
    ///
    /// assert_eq!(Square::named("b4", 4)?, Square { row: 0, column: 1 });
    /// assert_eq!(Square::named("aa1", 30)?, Square { row: 29, column: 26 });
    /// assert!(Square::named("e4", 4).is_err());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn named(name: &str, n: u32) -> Result<Self, Error> {
        let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let letters = &name[..name.len() - digits.len()];
        let rank = digits
            .parse()
            .ok()
            .filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()));
        match (column(letters), rank) {
            (Some(column), Some(rank)) if column < n && (1..=n).contains(&rank) => Ok(Square {
                row: n - rank,
                column,
            }),
            _ => Err(Error::NoSquare {
                name: name.to_owned(),
                n,
            }),
        }
    }
}

/// The letters of a column: a, b, … z, aa, ab, … (a number system of base 26 whose
/// digits go from 1 to 26).
pub(crate) fn file(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// The column of these letters; `None` if there are none, or too many for a `u32`.
fn column(letters: &str) -> Option<u32> {
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
        for (number, letters) in cases {
            assert_eq!(file(number), letters);
        }
        for number in (0..1_000_000).step_by(37) {
            assert_eq!(column(&file(number)), Some(number));
        }
    }

    #[test]
    fn only_squares_of_the_board_have_a_name() {
        for row in 0..30 {
            for column in 0..30 {
                let square = Square { row, column };
                assert_eq!(Square::named(&square.name(30), 30).unwrap(), square);
            }
        }
        let bad = ["", "a", "4", "a0", "e1", "a5", "a+1", "A1", "a1b", "1a"];
        for name in bad.into_iter().chain(["zzzzzzzzz1", "a99999999999"]) {
            assert!(Square::named(name, 4).is_err(), "{name}");
        }
        assert!(Square::named("a1", 0).is_err());
    }
}
