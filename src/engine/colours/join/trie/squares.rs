//! The squares that a prefix leaves: all that a node below it can have. They are numbered, row
//! by row, and so are the rows of bits of a chunk, whichever of its rows a list has.

use crate::{
    board::{MAX_N, mask::columns},
    engine::colours::{
        half::HalfBoard,
        join::prefixes::{self, Prefix},
    },
};

/// The most rows of a half-board.
const MOST_ROWS: usize = MAX_N as usize / 2;

/// More than there are squares below a prefix, and as many as a byte can number.
pub(super) const MOST_SQUARES: usize = 256;

/// The squares below a prefix, on every row that it does not have. There are fewer than 256:
/// at most 15 on each of at most 15 rows.
#[derive(Debug, Default)]
pub(super) struct Squares {
    /// The free columns of each row.
    free: [u32; MOST_ROWS],
    /// The number of its first square.
    first: [u8; MOST_ROWS],
}

impl Squares {
    /// The squares that a prefix of one queen or more on these rows leaves.
    pub(super) fn new(half: &HalfBoard, rows: &[u8], prefix: Prefix) -> Self {
        let columns = prefixes::free(half, rows, prefix);
        let (mut free, mut first) = ([0; MOST_ROWS], [0; MOST_ROWS]);
        let mut number = 0;
        for row in (0..half.rows as u8).filter(|row| !rows.contains(row)) {
            let place = usize::from(row);
            (free[place], first[place]) = (columns(row), number);
            number += free[place].count_ones() as u8;
        }
        Squares { free, first }
    }

    /// The number of a square.
    pub(super) fn number(&self, row: u8, column: u32) -> u8 {
        let row = usize::from(row);
        let before = self.free[row] & ((1 << column) - 1);
        self.first[row] + before.count_ones() as u8
    }

    /// The bits of the diagonals of each, by number.
    pub(super) fn diagonals(&self, half: &HalfBoard) -> impl Iterator<Item = [u8; 2]> {
        (0..).zip(self.free).flat_map(move |(row, free)| {
            let bits = move |column| [half.sum_bit(row, column), half.difference_bit(row, column)];
            columns(free).map(move |column| bits(column).map(|bit| bit as u8))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::colours::half::HalfBoards;

    #[test]
    fn squares_are_those_that_no_queen_attacks_in_order() {
        for n in [9, 16, 31, 32] {
            let half = HalfBoards::new(n).oe;
            let rows = [half.rows as u8 / 2, half.rows as u8 / 2 + 1];
            // Queens in the columns 3 and 0.
            let taken = half.diagonals(rows[0].into(), 3) | half.diagonals(rows[1].into(), 0);
            let squares = Squares::new(&half, &rows, 0x30);
            let mut diagonals = squares.diagonals(&half);
            let mut number = 0;
            for row in (0..half.rows as u8).filter(|row| !rows.contains(row)) {
                for column in (0..half.columns).filter(|column| ![0, 3].contains(column)) {
                    let reached = half.diagonals(row.into(), column);
                    if reached & taken == 0 {
                        assert_eq!(squares.number(row, column), number);
                        let [a, b] = diagonals.next().unwrap();
                        assert_eq!(1 << a | 1 << b, reached);
                        number += 1;
                    }
                }
            }
            assert_eq!(diagonals.next(), None);
        }
    }
}
