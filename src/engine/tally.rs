//! The running total: a checked sum of weight × count.
//!
//! A solution counted once by a task stands for `weight` solutions of the whole
//! board. Queens that share no row and no column are a permutation, so no total
//! passes 32! < 2¹¹⁸ and `u128` has room to spare; a sum that overflows all the same
//! is an [`Error::Overflow`], never a wrapped number.

use crate::error::Error;

/// A checked sum of weighted counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally(u128);

impl Tally {
    /// Adds `count` solutions that each stand for `weight`.
    pub(crate) fn add(&mut self, weight: u128, count: u128) -> Result<(), Error> {
        self.0 = weight
            .checked_mul(count)
            .and_then(|product| self.0.checked_add(product))
            .ok_or(Error::Overflow("the total passes 2^128"))?;
        Ok(())
    }

    /// The sum so far.
    pub(crate) fn total(self) -> u128 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_how_often_a_solution_counts() {
        let mut tally = Tally::default();
        tally.add(8, 11).unwrap(); // eleven classes of eight solutions
        tally.add(4, 1).unwrap(); // and one of four
        assert_eq!(tally.total(), 92);
    }

    #[test]
    fn a_sum_that_does_not_fit_is_an_error_and_changes_nothing() {
        let mut tally = Tally::default();
        tally.add(1, u128::MAX).unwrap();
        assert!(tally.add(1, 1).is_err());
        assert!(tally.add(u128::MAX, 2).is_err());
        assert_eq!(tally.total(), u128::MAX);
    }
}
