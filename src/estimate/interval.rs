//! What a sample says about a sum, and how sure that is.
//!
//! A stratum's total has an unbiased estimate from each draw. Two samples are drawn: a
//! pilot, whose spread decides how large the second one is in each stratum, and that
//! second one. Where the sizes of a sample follow from its own values, its mean is not
//! unbiased; here it is, because the two means are combined with weights w and 1 - w
//! that are the same in all strata and have nothing to do with the values:
//!
//! ```text
//! estimate  Σ over strata of  w · mean(pilot) + (1 - w) · mean(second)
//! variance  Σ over strata of  s² · (w² / pilot draws + (1 - w)² / second draws)
//! ```
//!
//! s² is the variance of a stratum's draws. The interval is Student's, with the degrees
//! of freedom of Welch and Satterthwaite. A stratum that was counted completely has no
//! variance. A variance from few draws is a guess, so there is no interval if a stratum
//! that matters has fewer than [`ENOUGH`].

/// Fewer draws of a stratum make no variance: counts differ by orders of magnitude.
pub(super) const ENOUGH: usize = 30;
/// Fewer draws of values that differ little make no variance.
const ENOUGH_OF_ONE_KIND: usize = 6;
/// A stratum with less than this part of the total and of the variance does not matter.
pub(super) const MATTERS: f64 = 0.01;

/// An estimated number.
///
/// ```
/// use queens::{Count, estimate::Estimate};
///
/// // A board this small is counted instead, and that leaves no doubt.
/// let estimated = Estimate::new(Count::new(8)?).samples(100).run()?;
/// assert_eq!(estimated.count.value, 92.0);
/// assert_eq!(estimated.count.bounds, Some((92.0, 92.0)));
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Figure {
    /// The estimate.
    pub value: f64,
    /// The ends of its 95 % interval; `None` if the sample is too small to tell.
    pub bounds: Option<(f64, f64)>,
}

impl Figure {
    /// A number that is not estimated.
    pub(super) fn exact(value: f64) -> Self {
        Figure {
            value,
            bounds: Some((value, value)),
        }
    }

    /// Whether a number is in the interval, ends included. Without an interval: unknown.
    ///
    /// ```
    /// use queens::{Count, estimate::Estimate};
    ///
    /// let estimated = Estimate::new(Count::new(8)?).run()?;
    /// assert_eq!(estimated.count.contains(92.0), Some(true));
    /// assert_eq!(estimated.count.contains(91.0), Some(false));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn contains(&self, number: f64) -> Option<bool> {
        self.bounds
            .map(|(low, high)| low <= number && number <= high)
    }
}

/// What is known of a stratum's total.
#[derive(Debug, Clone)]
pub(super) enum Total {
    /// All of it.
    Complete(f64),
    /// The estimates of single draws: of the pilot, and of the second sample.
    Sampled { pilot: Vec<f64>, second: Vec<f64> },
}

/// The sum over all strata, with this weight of the pilot.
pub(super) fn sum(strata: &[Total], weight: f64) -> Figure {
    let shares: Vec<Share> = strata.iter().map(|total| total.share(weight)).collect();
    // An empty sum of floats would be -0.
    let value = shares.iter().fold(0.0, |sum, share| sum + share.value);
    let variance: f64 = shares.iter().map(|share| share.variance).sum();
    let enough = |share: &Share| {
        let matters = share.value > MATTERS * value || share.variance > MATTERS * variance;
        share
            .draws
            .is_none_or(|draws| draws >= ENOUGH || draws > 1 && !matters)
    };
    let freedom = variance * variance / shares.iter().map(Share::freedom_term).sum::<f64>();
    if shares.iter().all(|share| share.draws.is_none()) {
        return Figure::exact(value);
    }
    // Draws that are all alike say nothing about how others differ.
    let enough = variance > 0.0 && shares.iter().all(enough);
    Figure {
        value,
        bounds: enough.then(|| around(value, variance, freedom)),
    }
}

/// What draws of one kind say about the number that is the mean of each. There is no
/// interval if there are few, or if none differs from another.
pub(super) fn of_mean(sample: &[f64]) -> Figure {
    let (value, draws) = (mean(sample), sample.len());
    let variance = variance(sample) / draws as f64;
    let enough = draws >= ENOUGH_OF_ONE_KIND && variance > 0.0;
    Figure {
        value,
        bounds: enough.then(|| around(value, variance, (draws - 1) as f64)),
    }
}

/// The interval around a value that cannot be negative.
fn around(value: f64, variance: f64, freedom: f64) -> (f64, f64) {
    let half = student(freedom) * variance.sqrt();
    ((value - half).max(0.0), value + half)
}

/// A stratum's part of the sum.
struct Share {
    value: f64,
    variance: f64,
    /// How many draws it rests on; `None` if it is no guess.
    draws: Option<usize>,
}

impl Total {
    fn share(&self, weight: f64) -> Share {
        let (pilot, second) = match self {
            &Total::Complete(value) => {
                return Share {
                    value,
                    variance: 0.0,
                    draws: None,
                };
            }
            Total::Sampled { pilot, second } => (pilot, second),
        };
        let draws = pilot.len() + second.len();
        let weights = if second.is_empty() {
            [1.0, 0.0]
        } else {
            [weight, 1.0 - weight]
        };
        let samples = [pilot, second].into_iter().zip(weights);
        let samples = samples.filter(|(sample, _)| !sample.is_empty());
        let (mut value, mut factor) = (0.0, 0.0);
        for (sample, weight) in samples {
            value += weight * mean(sample);
            factor += weight * weight / sample.len() as f64;
        }
        Share {
            value,
            variance: factor * variance(&[&pilot[..], second].concat()),
            draws: Some(draws),
        }
    }
}

impl Share {
    fn freedom_term(&self) -> f64 {
        match self.draws {
            Some(draws) if draws > 1 => self.variance * self.variance / (draws - 1) as f64,
            _ => 0.0,
        }
    }
}

pub(super) fn mean(sample: &[f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len() as f64
}

/// The unbiased variance of a sample; 0 for fewer than two values.
pub(super) fn variance(sample: &[f64]) -> f64 {
    if sample.len() < 2 {
        return 0.0;
    }
    let mean = mean(sample);
    let squares = sample.iter().map(|value| (value - mean).powi(2));
    squares.sum::<f64>() / (sample.len() - 1) as f64
}

/// The 97.5 % quantile of Student's distribution, by its expansion in one over the
/// degrees of freedom (Fisher 1926): good to 1 % from 2 on, to 0.01 % from 10 on.
fn student(freedom: f64) -> f64 {
    let z: f64 = 1.959_963_984_540_054;
    let v = freedom.max(1.0);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    let fourth = (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5)
        - 1920.0 * z.powi(3)
        - 945.0 * z)
        / 92_160.0;
    z + first / v + second / v.powi(2) + third / v.powi(3) + fourth / v.powi(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        let table = [
            (5.0, 2.5706),
            (10.0, 2.2281),
            (29.0, 2.0452),
            (100.0, 1.9840),
        ];
        for (freedom, quantile) in table {
            assert!((student(freedom) - quantile).abs() < 3e-3, "{freedom}");
        }
    }

    #[test]
    fn what_was_counted_has_no_spread_and_few_draws_no_interval() {
        let complete = Total::Complete(92.0);
        let exact = sum(&[complete.clone(), complete.clone()], 0.3);
        assert_eq!(exact.bounds, Some((184.0, 184.0)));
        let sampled = |draws: usize| Total::Sampled {
            pilot: (0..draws).map(|draw| 10.0 + (draw % 2) as f64).collect(),
            second: vec![],
        };
        assert_eq!(sum(&[complete.clone(), sampled(10)], 0.3).bounds, None);
        assert!(sum(&[complete, sampled(30)], 0.3).bounds.is_some());
        assert_eq!(sum(&[], 0.0).value, 0.0);
    }

    #[test]
    fn only_what_was_counted_leaves_no_doubt() {
        for draws in [2, 30, 1_000] {
            let nothing = Total::Sampled {
                pilot: vec![0.0; draws],
                second: vec![],
            };
            assert_eq!(sum(&[nothing], 0.3).bounds, None);
            assert_eq!(of_mean(&vec![1.0; draws]).bounds, None);
        }
    }

    #[test]
    fn the_interval_of_a_mean_is_students() {
        // Ten values with variance 10/9: the quantile for 9 degrees is 2.262.
        let sample: Vec<f64> = (0..10).map(|i| 4.0 + 2.0 * f64::from(i % 2)).collect();
        let (low, high) = of_mean(&sample).bounds.unwrap();
        let half = 2.262 * (10.0f64 / 9.0 / 10.0).sqrt();
        assert!((high - 5.0 - half).abs() < 1e-2 && (5.0 - low - half).abs() < 1e-2);
        assert_eq!(of_mean(&sample[..5]).bounds, None);
    }
}
