//! How many draws each stratum should have, once a pilot has shown how it spreads.
//!
//! The interval of a sum is narrowest if the draws of a stratum are in proportion to its
//! spread over the square root of what a draw costs (Neyman 1934). Besides, every stratum
//! that matters needs [`ENOUGH`] draws, the pilot's included, or there is no interval.
//! Without a limit of time, times have no influence: they differ from one machine to the
//! next.

use super::interval::{ENOUGH, MATTERS};

/// What a pilot has shown of a stratum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    /// Its count.
    pub(super) count: f64,
    /// How much the count by a single draw differs from that.
    pub(super) spread: f64,
    /// How long a draw takes.
    pub(super) elapsed: f64,
    /// How many draws there were.
    pub(super) draws: usize,
    /// How many more there can be.
    pub(super) most: u64,
}

/// What is left to spend; what is not limited is `None`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Left {
    pub(super) draws: Option<u64>,
    /// The time of all threads.
    pub(super) seconds: Option<f64>,
}

/// How many draws of these strata are worth what is left. Two of each at least, or none.
pub(super) fn allocate(strata: &[Shown], left: Left) -> Vec<usize> {
    let none = left.draws.is_none() && left.seconds.is_none();
    if none || left.draws == Some(0) || left.seconds.is_some_and(|seconds| seconds <= 0.0) {
        return vec![0; strata.len()];
    }
    let two: Vec<usize> = strata.iter().map(|_| 2).collect();
    let first = left.numbers(strata, &two);
    // After a pilot nothing is that sure: half of what matters is enough to matter here.
    let matters = |value: &dyn Fn(usize, &Shown) -> f64| -> Vec<bool> {
        let values = strata.iter().enumerate().map(|(i, shown)| value(i, shown));
        let values: Vec<f64> = values.collect();
        let limit = MATTERS / 2.0 * values.iter().sum::<f64>();
        values.iter().map(|&value| value > limit).collect()
    };
    let raised = |least: &[usize], matters: &[bool]| -> Vec<usize> {
        let all = least.iter().zip(matters).zip(strata);
        all.map(|((&least, &matters), shown)| {
            if matters {
                least.max(ENOUGH.saturating_sub(shown.draws))
            } else {
                least
            }
        })
        .collect()
    };
    let by_count = matters(&|_, shown| shown.count);
    let by_spread =
        matters(&|i, shown| shown.spread * shown.spread / (shown.draws + first[i]) as f64);
    let enough = raised(&raised(&two, &by_count), &by_spread);
    let least = if left.suffices(strata, &enough) {
        enough
    } else {
        two
    };
    left.numbers(strata, &least)
}

impl Left {
    /// Whether it is enough for these numbers of draws.
    fn suffices(&self, strata: &[Shown], numbers: &[usize]) -> bool {
        let draws: usize = numbers.iter().sum();
        let times = strata.iter().zip(numbers);
        let seconds: f64 = times.map(|(shown, &n)| shown.elapsed * n as f64).sum();
        self.draws.is_none_or(|left| draws as u64 <= left)
            && self.seconds.is_none_or(|left| seconds <= left)
    }

    /// The best numbers of draws that are no smaller than these: more than there is left
    /// only where these are.
    fn numbers(&self, strata: &[Shown], least: &[usize]) -> Vec<usize> {
        let use_of = |shown: &Shown| match self.seconds {
            Some(_) => shown.spread / shown.elapsed.max(1e-9).sqrt(),
            None => shown.spread,
        };
        let numbers = |factor: f64| -> Vec<usize> {
            let all = strata.iter().zip(least);
            all.map(|(shown, &least)| {
                // The cast of a float saturates.
                let number = (factor * use_of(shown)) as u64;
                number.min(shown.most).max(least as u64) as usize
            })
            .collect()
        };
        let unit = strata.iter().map(use_of).fold(0.0, f64::max);
        if unit <= 0.0 {
            return numbers(0.0);
        }
        // From far too few to far too many, by halves.
        let (mut low, mut high) = (0.0, 1e12 / unit);
        for _ in 0..80 {
            let middle = (low + high) / 2.0;
            if self.suffices(strata, &numbers(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        numbers(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(count: f64, spread: f64, elapsed: f64) -> Shown {
        Shown {
            count,
            spread,
            elapsed,
            draws: 10,
            most: u64::MAX,
        }
    }

    #[test]
    fn draws_go_where_they_narrow_the_interval_most() {
        let strata = [shown(1e6, 3e5, 1.0), shown(1e6, 1e5, 1.0)];
        let left = |draws, seconds| Left { draws, seconds };
        assert_eq!(allocate(&strata, left(Some(400), None)), [300, 100]);
        assert_eq!(allocate(&strata, left(None, Some(400.0))), [300, 100]);
        let slow = [shown(1e6, 3e5, 9.0), shown(1e6, 1e5, 1.0)];
        assert_eq!(allocate(&slow, left(Some(400), None)), [300, 100]);
        assert_eq!(allocate(&slow, left(None, Some(1000.0))), [100, 100]);
        assert_eq!(allocate(&strata, left(Some(0), None)), [0, 0]);
        assert_eq!(allocate(&strata, left(None, None)), [0, 0]);
    }

    #[test]
    fn what_matters_has_enough_draws_if_that_is_possible() {
        let left = |draws| Left {
            draws: Some(draws),
            seconds: None,
        };
        // A stratum that hardly spreads; one that does not matter.
        let strata = [
            shown(1e6, 1e5, 1.0),
            shown(1e6, 1.0, 1.0),
            shown(9.0, 1.0, 1.0),
        ];
        assert_eq!(allocate(&strata, left(1000)), [978, 20, 2]);
        assert_eq!(allocate(&strata, left(30)), [26, 2, 2]);
    }
}
