//! One solution of each symmetry class, in lexicographic order.
//!
//! The representative of a class is the first of its eight images. The first rows of
//! the images are the distances of the four border queens (top, bottom, left, right)
//! from either end of their border, so a representative whose top queen is in column
//! c has no border queen nearer than c to a corner. That narrows the search; what is
//! left is compared with its images.

use std::{iter::FusedIterator, ops::Range};

use crate::{
    board::{
        Board, MAX_N,
        mask::full,
        symmetry::{Images, invert},
    },
    error::Error,
    solutions::Solutions,
};

/// The canonical solutions for a board of side `n`, from 0 to [`MAX_N`]: one of each
/// class of solutions that differ only by a turn or a mirror.
///
/// ```
/// assert_eq!(queens::fundamental(8)?.count(), 12);
/// let sizes = queens::fundamental(8)?.map(|board| board.class_size());
/// assert_eq!(sizes.sum::<u32>(), 92);
/// # Ok::<(), queens::Error>(())
/// ```
pub fn fundamental(n: u32) -> Result<Fundamental, Error> {
    if n > MAX_N {
        return Err(Error::BoardSize(n));
    }
    let mut tops = tops(n);
    Ok(Fundamental {
        n,
        solutions: starting_in(n, tops.next().unwrap_or(0)),
        tops,
    })
}

/// The lazy iterator over the canonical solutions.
///
/// ```
/// let mut classes: queens::Fundamental = queens::fundamental(6)?;
/// assert_eq!(classes.next().unwrap().columns(), [1, 3, 5, 0, 2, 4]);
/// assert!(classes.next().is_none()); // the other three solutions are its images
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Fundamental {
    n: u32,
    solutions: Solutions,
    /// The columns of the top queen that are still to come.
    tops: Range<u32>,
}

impl Fundamental {
    /// The columns of the next solution, without making a board of them.
    ///
    /// ```
    /// let mut classes = queens::fundamental(4)?;
    /// assert_eq!(classes.advance(), Some(&[1, 3, 0, 2][..]));
    /// assert_eq!(classes.advance(), None);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn advance(&mut self) -> Option<&[u32]> {
        loop {
            while let Some(columns) = self.solutions.advance() {
                if is_canonical(columns) {
                    return Some(self.solutions.current());
                }
            }
            self.solutions = starting_in(self.n, self.tops.next()?);
        }
    }
}

/// Whether no image of this solution comes before it.
pub(crate) fn is_canonical(columns: &[u32]) -> bool {
    let mut rows = [0; MAX_N as usize];
    let rows = &mut rows[..columns.len()];
    invert(columns, rows);
    Images { columns, rows }.is_canonical()
}

/// The columns of the top queen: one beyond the middle has a mirror image that comes
/// first.
fn tops(n: u32) -> Range<u32> {
    0..n.div_ceil(2).max(1)
}

/// The searches that find every canonical solution, and others, in order.
pub(crate) fn searches(n: u32) -> impl Iterator<Item = Solutions> {
    tops(n).map(move |top| starting_in(n, top))
}

/// The solutions with the top queen in column `top` and no border queen nearer to a
/// corner.
fn starting_in(n: u32, top: u32) -> Solutions {
    let mut allowed = [full(n); MAX_N as usize];
    if n > 0 {
        let last = (n - 1) as usize;
        let middle = full(n - 2 * top) << top;
        let borders = 1 | 1 << last;
        for near in 0..top as usize {
            allowed[near] &= !borders;
            allowed[last - near] &= !borders;
        }
        allowed[last] &= middle;
        allowed[0] &= 1 << top;
    }
    Solutions::within(n, allowed)
}

impl Iterator for Fundamental {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        self.advance().map(Board::found)
    }
}

impl FusedIterator for Fundamental {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solutions::solutions;

    #[test]
    fn they_are_the_canonical_ones_of_all_solutions() {
        for n in 0..=10 {
            let all = solutions(n).unwrap();
            let canonical = all.filter(|board| board.canonical() == *board);
            assert!(fundamental(n).unwrap().eq(canonical), "n = {n}");
        }
    }
}
