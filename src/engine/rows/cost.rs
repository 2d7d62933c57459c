//! What a task costs: a model in integers, so that it is the same on every machine.
//!
//! Measured on whole boards from n = 11 to 16, a task of side n takes about 9 (n − 3) / 20
//! times as long as one of side n − 1. On one board tasks differ by a factor of two;
//! those with queens far from the sides take longest. With the queens of rows 0 and 1
//! in columns a and b,
//!
//! ```text
//!    n² + 2 a (n − 1 − a) + b (n − 1 − b)        on average 3 n² / 2
//! ```
//!
//! follows the measured times with correlation 0.88 at n = 15 and 0.92 at n = 16, and is
//! nowhere off by more than a fifth.
//!
//! The whole search of a restricted board is a sum over its rows: how many ways there are to
//! place the queens of the first k rows. As in the model of `colours`, rows with m of h
//! columns left and pairs of queens are taken as independent, and a given queen takes no part.
//! That is ever too many, the more the larger the board; a factor for n makes up for it.
//! Between n = 12 and 18 the instructions of whole searches follow this within a factor of two.
//!
//! A third queen has about n − 5 squares to choose from, and takes its share. A mask thins out
//! the tree from its row on. Only the upper half of the rows counts: lower down, most of the
//! work is done already.

use crate::board::{Masks, mask::columns};

/// The tasks whose times were measured have queens in so many rows.
const MEASURED: u32 = 2;
/// A task of side 11 takes so many nanoseconds of one core.
const SIDE_11: u128 = 4_400;

/// The cost of a task with queens in these columns of its first rows, in units of about
/// a nanosecond. From n = 31 on it is the largest number: 580 years.
pub(super) fn cost(n: u32, queens: &[u32], allowed: Option<&Masks>) -> u64 {
    let growth = (12..=n).fold(SIDE_11, |cost, n| cost * 9 * u128::from(n - 3) / 20);
    let square = n * n;
    let shape = queens
        .iter()
        .zip([2, 1])
        .fold(square, |sum, (column, factor)| {
            sum + factor * column * (n - 1 - column)
        });
    // The growth is less than 2⁷⁶, the fraction less than 2.
    let whole = growth * 2 * u128::from(shape) / u128::from(3 * square).max(1);
    let upper = (MEASURED..n / 2).map(|row| row as usize);
    let unmasked = || {
        let more = (queens.len() as u32).saturating_sub(MEASURED);
        whole / u128::from(n.saturating_sub(5).max(1)).pow(more.min(1))
    };
    let thinned = allowed.map_or_else(unmasked, |masks| {
        upper.fold(whole, |cost, row| {
            let placed = row < queens.len();
            let squares = if placed { 1 } else { masks[row].count_ones() };
            cost * u128::from(squares) / u128::from(n)
        })
    });
    thinned.clamp(1, u64::MAX.into()) as u64
}

/// Picoseconds for a node of a board of side 12, and what is left of them with every column
/// more, in percent.
const NODE_OF_SIDE_12: u128 = 900;
const WITH_EACH_COLUMN: u128 = 82;

/// The cost of the search on these squares, in units of about a nanosecond.
pub(super) fn whole(n: u32, allowed: &Masks) -> u128 {
    let rows = &allowed[..n as usize];
    let is_open = |columns: &u32| columns.count_ones() != 1;
    let shared = rows.iter().filter(|columns| is_open(columns));
    let shared = shared.fold(0, |shared, columns| shared | columns);
    let shared = u128::from(shared.count_ones().max(1));
    let pairs = u128::from((n * n.saturating_sub(1)).max(1));
    // Fewer than 2⁹⁰ nodes on any board, with 16 bits after the binary point.
    let (mut nodes, mut sum) = (1 << 16, 0u128);
    let mut above = 0u32;
    for (row, squares) in (0..).zip(rows) {
        if is_open(squares) {
            let queens = u128::from(above.count_ones());
            nodes = nodes * u128::from(squares.count_ones()) / shared;
            nodes *= shared.saturating_sub(queens);
            for other in columns(above) {
                nodes -= nodes * u128::from(2 * (n - (row - other))) / pairs;
            }
            above |= 1 << row;
        }
        sum += nodes;
    }
    let node = (12..n).fold(NODE_OF_SIDE_12 << 16, |node, _| {
        node * WITH_EACH_COLUMN / 100
    });
    let node = (n..12).fold(node, |node, _| node * 100 / WITH_EACH_COLUMN);
    (sum >> 16) * (node >> 8) / (1000 << 8)
}
