//! The sum of recorded counts. Queens of a solution share no row and no column, so there
//! are never more solutions than permutations: a sum above n! is no sum of counts,
//! whatever checks its lines carry.

use crate::board::Problem;

/// The counts of some blocks of one problem, added up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sum {
    n: u32,
    most: u128,
    total: u128,
}

impl Sum {
    pub(super) fn new(problem: &Problem) -> Self {
        let n = problem.n();
        Sum {
            n,
            // 32! is less than 2^118.
            most: (1..=u128::from(n)).product(),
            total: 0,
        }
    }

    /// Adds the count of one more block, unless that is more than there can be.
    pub(super) fn add(&mut self, count: u128) -> Result<(), String> {
        match self.total.checked_add(count) {
            Some(total) if total <= self.most => {
                self.total = total;
                Ok(())
            }
            _ => Err(format!(
                "a count of {count} makes more than {n}! = {} solutions, and a board of side {n} cannot have as many",
                self.most,
                n = self.n
            )),
        }
    }

    pub(super) fn total(&self) -> u128 {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_ends_at_the_number_of_permutations_and_stays_as_it_was() {
        for n in 0..=32 {
            let mut sum = Sum::new(&Problem::new(n).unwrap());
            let most = sum.most;
            assert!(sum.add(most).is_ok());
            for more in [1, most, u128::MAX] {
                assert!(sum.add(more).is_err(), "{n}");
                assert_eq!(sum.total(), most);
            }
        }
        assert_eq!(Sum::new(&Problem::new(5).unwrap()).most, 120);
    }
}
