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
//! A mask thins out the tree from its row on, and so does a third queen in a task. Only
//! the upper half of the rows counts: lower down, most of the work is done already.

use super::{Masks, PLACED};

/// A task of side 11 takes so many nanoseconds of one core.
const SIDE_11: u128 = 4_400;

/// The cost of a task with queens in these columns of its first rows, in units of about
/// a nanosecond. From n = 29 on it is the largest number: 580 years.
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
    let upper = (PLACED..n / 2).map(|row| row as usize);
    let thinned = allowed.map_or(whole, |masks| {
        upper.fold(whole, |cost, row| {
            let placed = row < queens.len();
            let squares = if placed { 1 } else { masks[row].count_ones() };
            cost * u128::from(squares) / u128::from(n)
        })
    });
    thinned.clamp(1, u64::MAX.into()) as u64
}
