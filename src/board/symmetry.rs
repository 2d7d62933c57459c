//! The eight symmetries of the square board: four turns and four mirrors.
//!
//! Each is a transposition or none, then a mirroring of the rows or none, then of the
//! columns or none: three bits. A solution is a permutation p, its transpose the
//! inverse permutation q, so the eight images of p are, with x' = n − 1 − x,
//!
//! ```text
//! p(r)   p(r)'   p(r')   p(r')'   q(r)   q(r)'   q(r')   q(r')'
//! ```
//!
//! and an image can be read off p and q, row by row, without being built.

use crate::{board::Square, error::Error};

/// A turn or a mirroring of the board.
///
/// ```
/// use queens::{Square, Symmetry};
///
/// // A clockwise quarter turn takes the top left corner to the top right one.
/// let corner: Square = "a8".parse()?;
/// assert_eq!(Symmetry::QuarterTurn.square(corner, 8)?.to_string(), "h8");
/// assert_eq!(Symmetry::QuarterTurn.then(Symmetry::QuarterTurn), Symmetry::HalfTurn);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Symmetry {
    /// Every queen stays.
    Identity = 0,
    /// Left and right change places.
    LeftRight = COLUMNS,
    /// Top and bottom change places.
    TopBottom = ROWS,
    /// A turn by 180°.
    HalfTurn = ROWS | COLUMNS,
    /// The mirror on the diagonal through the top left corner.
    Diagonal = TRANSPOSE,
    /// A clockwise turn by 90°.
    QuarterTurn = TRANSPOSE | COLUMNS,
    /// A clockwise turn by 270°.
    ThreeQuarterTurn = TRANSPOSE | ROWS,
    /// The mirror on the diagonal through the top right corner.
    Antidiagonal = TRANSPOSE | ROWS | COLUMNS,
}

const COLUMNS: u8 = 1;
const ROWS: u8 = 2;
const TRANSPOSE: u8 = 4;

impl Symmetry {
    /// All eight, the identity first.
    ///
    /// ```
    /// use queens::Symmetry;
    ///
    /// // All but the two quarter turns undo themselves.
    /// let undone = Symmetry::ALL.iter().filter(|s| s.then(**s) == Symmetry::Identity);
    /// assert_eq!(undone.count(), 6);
    /// ```
    pub const ALL: &[Symmetry] = &Symmetry::EIGHT;

    pub(crate) const EIGHT: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::LeftRight,
        Symmetry::TopBottom,
        Symmetry::HalfTurn,
        Symmetry::Diagonal,
        Symmetry::QuarterTurn,
        Symmetry::ThreeQuarterTurn,
        Symmetry::Antidiagonal,
    ];

    fn has(self, bit: u8) -> bool {
        self as u8 & bit != 0
    }

    /// Whether it takes rows to rows, and not to columns.
    pub(crate) fn keeps_rows(self) -> bool {
        !self.has(TRANSPOSE)
    }

    /// Where this square of a board of side `n` goes.
    ///
    /// ```
    /// use queens::{Square, Symmetry};
    ///
    /// let centre: Square = "e5".parse()?;
    /// assert!(Symmetry::ALL.iter().all(|symmetry| symmetry.square(centre, 9) == Ok(centre)));
    /// assert!(Symmetry::Diagonal.square(centre, 4).is_err());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn square(self, square: Square, n: u32) -> Result<Square, Error> {
        let (row, column) = square.on_board(n)?;
        let (row, column) = if self.has(TRANSPOSE) {
            (column, row)
        } else {
            (row, column)
        };
        let mirror = |line, bit| if self.has(bit) { n - 1 - line } else { line };
        // The last rank is row 0.
        let rank = n - 1 - mirror(row, ROWS);
        Ok(Square::new(mirror(column, COLUMNS), rank))
    }

    /// First this one, then the other.
    ///
    /// ```
    /// use queens::Symmetry::*;
    ///
    /// assert_eq!(LeftRight.then(TopBottom), HalfTurn);
    /// assert_eq!(Diagonal.then(LeftRight), QuarterTurn);
    /// assert_eq!(LeftRight.then(Diagonal), ThreeQuarterTurn);
    /// ```
    pub fn then(self, other: Symmetry) -> Symmetry {
        let own = self as u8;
        let turned = if other.has(TRANSPOSE) {
            // A transposition turns the mirror of the rows into that of the columns.
            (own & TRANSPOSE) | ((own & ROWS) >> 1) | ((own & COLUMNS) << 1)
        } else {
            own
        };
        Self::EIGHT[usize::from(turned ^ other as u8)]
    }
}

/// A permutation and its inverse: all that the eight images are made of.
#[derive(Clone, Copy)]
pub(crate) struct Images<'a> {
    pub(crate) columns: &'a [u32],
    pub(crate) rows: &'a [u32],
}

/// Writes the inverse of a permutation: the row of the queen in each column.
pub(crate) fn invert(columns: &[u32], rows: &mut [u32]) {
    for (row, &column) in (0..).zip(columns) {
        rows[column as usize] = row;
    }
}

impl<'a> Images<'a> {
    /// The column of the queen in each row of the image.
    pub(crate) fn image(self, symmetry: Symmetry) -> impl Iterator<Item = u32> + 'a {
        let last = self.columns.len().wrapping_sub(1);
        let lines = if symmetry.has(TRANSPOSE) {
            self.rows
        } else {
            self.columns
        };
        (0..lines.len()).map(move |row| {
            let line = lines[if symmetry.has(ROWS) { last - row } else { row }];
            if symmetry.has(COLUMNS) {
                last as u32 - line
            } else {
                line
            }
        })
    }

    /// Whether no image comes before the board itself.
    pub(crate) fn is_canonical(self) -> bool {
        let own = || self.columns.iter().copied();
        Symmetry::EIGHT
            .into_iter()
            .all(|symmetry| own().le(self.image(symmetry)))
    }

    /// How many of the eight images are different: 8 over the number of symmetries
    /// that leave the board as it is.
    pub(crate) fn class_size(self) -> u32 {
        let own = || self.columns.iter().copied();
        let fixed = Symmetry::EIGHT
            .into_iter()
            .filter(|&symmetry| own().eq(self.image(symmetry)))
            .count();
        8 / fixed as u32
    }

    /// The symmetry whose image comes first.
    pub(crate) fn first(self) -> Symmetry {
        let mut first = Symmetry::Identity;
        for symmetry in Symmetry::EIGHT {
            if self.image(symmetry).lt(self.image(first)) {
                first = symmetry;
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Symmetry::*;

    #[test]
    fn the_symmetries_form_the_group_of_the_square() {
        for a in Symmetry::EIGHT {
            assert_eq!((a.then(Identity), Identity.then(a)), (a, a));
            assert!(Symmetry::ALL.iter().any(|&b| a.then(b) == Identity));
            for b in Symmetry::EIGHT {
                for c in Symmetry::EIGHT {
                    assert_eq!(a.then(b).then(c), a.then(b.then(c)));
                }
            }
        }
        // The presentation of the dihedral group: a turn of order 4, a mirror of
        // order 2, and mirror · turn · mirror is the turn back.
        assert_eq!(HalfTurn.then(HalfTurn), Identity);
        assert_eq!(QuarterTurn.then(HalfTurn), ThreeQuarterTurn);
        assert_eq!(LeftRight.then(LeftRight), Identity);
        assert_eq!(
            LeftRight.then(QuarterTurn).then(LeftRight),
            ThreeQuarterTurn
        );
    }

    #[test]
    fn composition_means_one_after_the_other_on_every_square() {
        for (file, rank) in (0..5).flat_map(|file| (0..5).map(move |rank| (file, rank))) {
            let square = Square::new(file, rank);
            for a in Symmetry::EIGHT {
                for b in Symmetry::EIGHT {
                    let twice = a.square(square, 5).and_then(|once| b.square(once, 5));
                    assert_eq!(a.then(b).square(square, 5), twice, "{a:?} {b:?}");
                }
            }
        }
    }
}
