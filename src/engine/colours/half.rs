//! The four half-boards: the squares of one colour on rows of one parity.
//!
//! Square (r, c) is white if r + c is even, so white squares have row and column
//! parities even-even or odd-odd, black ones even-odd or odd-even. Each of the four
//! is a board of half the side with coordinates i = r / 2, j = c / 2:
//!
//! ```text
//!   . EO EE EO      EE: r = 2i,   c = 2j      r + c = 2(i+j)     c - r = 2(j-i)
//!  OE OO OE OO      OO: r = 2i+1, c = 2j+1    r + c = 2(i+j+1)   c - r = 2(j-i)
//!  EE EO EE EO      EO: r = 2i,   c = 2j+1    r + c = 2(i+j)+1   c - r = 2(j-i)+1
//!  OE OO OE OO      OE: r = 2i+1, c = 2j      r + c = 2(i+j)+1   c - r = 2(j-i)-1
//! ```
//!
//! EE and OO share the white diagonals, EO and OE the black ones. Halving r + c and
//! c - r (rounding so that partners agree) numbers them by
//!
//! ```text
//!  EE: i+j, j-i     OO: i+j+1, j-i     EO: i+j, j-i+1     OE: i+j, j-i
//! ```
//!
//! With h = ⌈n/2⌉ lines at most, the first number is in 0..2h; the second, raised by
//! h-1, is too. So a set of diagonals is one mask of 4h ≤ 64 bits for n ≤ 32, and
//! "no diagonal in common" is one AND.
//!
//! Where squares are required or forbidden, a half-board has fewer squares. Every line needs
//! one for its queen, white or black: so some lines are never white's, some are always, and
//! this alone rules out most choices of rows and columns ([`Lines`]).

use crate::board::{MAX_N, mask::full};

/// The most lines that a half-board has.
const MOST: usize = MAX_N as usize / 2;

/// One of the four half-boards of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HalfBoard {
    /// How many rows it has.
    pub(super) rows: u32,
    /// How many columns it has.
    pub(super) columns: u32,
    /// The number of the sum diagonal through (0, 0).
    sum: u32,
    /// The bit of the difference diagonal through (0, 0).
    difference: u32,
    /// How many bits a mask of diagonals has.
    pub(super) diagonals: usize,
    /// The columns of each row that may hold a queen.
    squares: [u16; MOST],
    /// The rows with one square. For estimates they are taken as those of given queens, which
    /// attack no allowed square.
    pub(super) given: u32,
}

/// The half-boards of a board of side n.
#[derive(Debug, Clone, Copy)]
pub(super) struct HalfBoards {
    pub(super) ee: HalfBoard,
    pub(super) oo: HalfBoard,
    pub(super) eo: HalfBoard,
    pub(super) oe: HalfBoard,
}

impl HalfBoards {
    pub(super) fn new(n: u32) -> Self {
        let (even, odd) = (n.div_ceil(2), n / 2);
        let half = |rows, columns, sum, raise: u32| HalfBoard {
            rows,
            columns,
            sum,
            difference: (3 * even + raise).saturating_sub(1),
            diagonals: 4 * even as usize,
            squares: [full(columns) as u16; MOST],
            given: 0,
        };
        HalfBoards {
            ee: half(even, even, 0, 0),
            oo: half(odd, odd, 1, 0),
            eo: half(even, odd, 0, 1),
            oe: half(odd, even, 0, 0),
        }
    }

    /// The same with queens on some squares only: the allowed columns of each row.
    pub(super) fn within(n: u32, allowed: &[u32; MAX_N as usize]) -> Self {
        let mut halves = HalfBoards::new(n);
        for (row, &columns) in allowed[..n as usize].iter().enumerate() {
            let [first, second] = if row % 2 == 0 {
                [&mut halves.ee, &mut halves.eo]
            } else {
                [&mut halves.oe, &mut halves.oo]
            };
            for (half, columns) in [(first, columns), (second, columns >> 1)] {
                let squares = every_other(columns);
                half.squares[row / 2] = squares;
                half.given |= u32::from(squares.is_power_of_two()) << (row / 2);
            }
        }
        halves
    }

    /// The even rows that white can have, while black has the others.
    pub(super) fn even_rows(&self) -> Lines {
        Lines::new(self.ee.rows, self.ee.used_rows(), self.eo.used_rows())
    }

    /// The odd rows that white can have.
    pub(super) fn odd_rows(&self) -> Lines {
        Lines::new(self.oo.rows, self.oo.used_rows(), self.oe.used_rows())
    }

    /// The even columns that white can have.
    pub(super) fn even_columns(&self) -> Lines {
        Lines::new(
            self.ee.columns,
            self.ee.used_columns(),
            self.oe.used_columns(),
        )
    }

    /// The odd columns that white can have.
    pub(super) fn odd_columns(&self) -> Lines {
        Lines::new(
            self.oo.columns,
            self.oo.used_columns(),
            self.eo.used_columns(),
        )
    }
}

/// Columns 0, 2, 4, … of a row.
fn every_other(columns: u32) -> u16 {
    (0..MOST).fold(0, |set, j| set | ((columns >> (2 * j) & 1) as u16) << j)
}

/// The lines of one kind that white must have, since black has no square on them, and those
/// that it may have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    must: u32,
    may: u32,
}

impl Lines {
    fn new(height: u32, white: u32, black: u32) -> Self {
        Lines {
            must: full(height) & !black,
            may: white,
        }
    }

    /// Whether white can have exactly these lines.
    pub(super) fn allow(self, lines: u32) -> bool {
        self.must & !lines == 0 && lines & !self.may == 0
    }
}

impl HalfBoard {
    /// The columns of a row that may hold a queen.
    pub(super) fn squares(&self, row: u32) -> u32 {
        self.squares[row as usize].into()
    }

    /// The rows with a square.
    fn used_rows(&self) -> u32 {
        let rows = (0..self.rows).filter(|&row| self.squares(row) != 0);
        rows.fold(0, |set, row| set | 1 << row)
    }

    /// The columns with a square.
    fn used_columns(&self) -> u32 {
        (0..self.rows).fold(0, |set, row| set | self.squares(row))
    }

    /// The bit of the sum diagonal through a square.
    pub(super) fn sum_bit(&self, row: u32, column: u32) -> u32 {
        row + column + self.sum
    }

    /// The bit of the difference diagonal through a square.
    pub(super) fn difference_bit(&self, row: u32, column: u32) -> u32 {
        column + self.difference - row
    }

    /// Both diagonals of a square as a mask.
    pub(super) fn diagonals(&self, row: u32, column: u32) -> u64 {
        1 << self.sum_bit(row, column) | 1 << self.difference_bit(row, column)
    }

    /// The mask of all diagonals.
    pub(super) fn every_diagonal(&self) -> u64 {
        u64::MAX
            .checked_shr(64 - self.diagonals as u32)
            .unwrap_or(0)
    }

    /// The columns of `row` that the diagonals in `taken` reach.
    pub(super) fn attacked(&self, row: u32, taken: u64) -> u32 {
        // The bits of a row's squares are consecutive in both families; what lies
        // beyond them is cut off by the caller's mask of columns.
        (taken >> self.sum_bit(row, 0) | taken >> self.difference_bit(row, 0)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares of the whole board, with their half-board and its coordinates.
    fn squares(n: u32) -> impl Iterator<Item = (u32, u32, HalfBoard, u64)> {
        let halves = HalfBoards::new(n);
        (0..n).flat_map(move |r| {
            (0..n).map(move |c| {
                let half = match (r % 2, c % 2) {
                    (0, 0) => halves.ee,
                    (1, 1) => halves.oo,
                    (0, _) => halves.eo,
                    _ => halves.oe,
                };
                (r, c, half, half.diagonals(r / 2, c / 2))
            })
        })
    }

    #[test]
    fn masks_meet_exactly_where_squares_of_one_colour_share_a_diagonal() {
        for n in 1..=32 {
            for (r, c, _, mask) in squares(n) {
                assert_eq!(mask.count_ones(), 2, "n = {n}");
                for (r2, c2, _, mask2) in squares(n) {
                    if (r + c) % 2 == (r2 + c2) % 2 {
                        let shared = r + c == r2 + c2 || r + c2 == r2 + c;
                        assert_eq!(mask & mask2 != 0, shared, "n = {n} ({r},{c}) ({r2},{c2})");
                    }
                }
            }
        }
    }

    #[test]
    fn every_square_of_the_board_is_in_one_half_and_can_be_taken_from_it() {
        for n in [1, 2, 7, 8, 31, 32] {
            for (r, c, ..) in squares(n).step_by(5) {
                let mut allowed = [full(n); MAX_N as usize];
                allowed[r as usize] &= !(1 << c);
                let (whole, within) = (HalfBoards::new(n), HalfBoards::within(n, &allowed));
                let halves = |halves: &HalfBoards| [halves.ee, halves.oo, halves.eo, halves.oe];
                for (whole, within) in halves(&whole).into_iter().zip(halves(&within)) {
                    for row in 0..whole.rows {
                        let missing = whole.squares(row) & !within.squares(row);
                        let is_here = whole.columns == within.columns && missing != 0;
                        assert!(!is_here || (row, missing) == (r / 2, 1 << (c / 2)));
                    }
                }
                let count = |halves: &HalfBoards| -> u32 {
                    let each = [halves.ee, halves.oo, halves.eo, halves.oe];
                    let rows = each.map(|half| (0..half.rows).map(move |row| half.squares(row)));
                    rows.into_iter().flatten().map(u32::count_ones).sum()
                };
                assert_eq!((count(&whole), count(&within)), (n * n, n * n - 1));
            }
        }
    }

    #[test]
    fn attacked_columns_are_those_on_a_taken_diagonal() {
        for n in [1, 2, 7, 8, 31, 32] {
            for (_, _, half, taken) in squares(n).step_by(3) {
                for row in 0..half.rows {
                    let attacked = half.attacked(row, taken);
                    for column in 0..half.columns {
                        let hit = half.diagonals(row, column) & taken != 0;
                        assert_eq!(attacked >> column & 1 == 1, hit);
                    }
                }
            }
        }
    }
}
