//! What repeated times say: the arithmetic of a benchmark, and nothing else.
//!
//! A time is disturbed upwards only, so the best of several stands for the program and
//! the distance from it for the disturbance. With T(p) the best time on p threads,
//!
//! ```text
//! speed-up    S(p) = T(1) / T(p)
//! efficiency  E(p) = S(p) / p
//! Amdahl      1 / S(p) = f + (1 − f) / p        f: the part that stays serial
//! ```
//!
//! Amdahl's law is linear in f: with x = 1 − 1/p and y = 1/S(p) − 1/p it says y = f·x,
//! so the least squares are f = Σxy / Σx².

/// Seconds to the nanosecond: no clock tells more.
pub fn to_nanoseconds(seconds: f64) -> f64 {
    (seconds * 1e9).round() / 1e9
}

/// The times of one point, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    pub best: f64,
    pub median: f64,
    pub mean: f64,
    /// The standard deviation, as a sample tells it; one run tells nothing.
    pub deviation: Option<f64>,
    pub worst: f64,
}

impl Summary {
    /// Of these times; of none there is nothing to say.
    pub fn of(times: &[f64]) -> Option<Summary> {
        let mut times = times.to_vec();
        times.sort_by(f64::total_cmp);
        let (&best, &worst) = (times.first()?, times.last()?);
        let half = times.len() / 2;
        let median = match times.len() % 2 {
            0 => (times[half - 1] + times[half]) / 2.0,
            _ => times[half],
        };
        let runs = times.len() as f64;
        let mean = times.iter().sum::<f64>() / runs;
        let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
        Some(Summary {
            best,
            median,
            mean,
            deviation: (times.len() > 1).then(|| (squares / (runs - 1.0)).sqrt()),
            worst,
        })
    }

    /// From the best to the worst, relative to the best.
    pub fn spread(&self) -> f64 {
        (self.worst - self.best) / self.best
    }

    /// How far the best may be off: half of the runs were within this part of it.
    fn noise(&self) -> f64 {
        (self.median - self.best) / self.best
    }
}

/// How many times as fast as on one thread.
pub fn speed_up(one: f64, many: f64) -> f64 {
    one / many
}

/// The part of the threads that it makes good use of.
pub fn efficiency(speed_up: f64, threads: usize) -> f64 {
    speed_up / threads as f64
}

/// The serial fraction that fits these threads and speed-ups best, from 0 to 1. One
/// thread tells nothing about it.
pub fn serial_fraction(points: impl IntoIterator<Item = (usize, f64)>) -> Option<f64> {
    let (mut xy, mut xx) = (0.0, 0.0);
    for (threads, speed_up) in points {
        let parallel = 1.0 / threads as f64;
        let (x, y) = (1.0 - parallel, 1.0 / speed_up - parallel);
        xy += x * y;
        xx += x * x;
    }
    // Noise may look like more than perfect scaling.
    (xx > 0.0).then(|| (xy / xx).clamp(0.0, 1.0))
}

/// The speed-up on this many threads if this part is serial.
pub fn amdahl(serial: f64, threads: f64) -> f64 {
    1.0 / (serial + (1.0 - serial) / threads)
}

/// A point, now and in a baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// New time by old time: above 1 is slower.
    pub ratio: f64,
    /// How far the ratio may be off, by the noise of both.
    pub noise: f64,
}

impl Change {
    /// From the old times to the new ones.
    pub fn between(old: &[f64], new: &[f64]) -> Option<Change> {
        let (old, new) = (Summary::of(old)?, Summary::of(new)?);
        Some(Change {
            ratio: new.best / old.best,
            noise: old.noise().hypot(new.noise()),
        })
    }

    /// Whether it is slower by more than the tolerance, and by more than the noise can
    /// explain.
    pub fn is_regression(&self, tolerance: f64) -> bool {
        self.ratio - 1.0 > tolerance.max(self.noise)
    }
}

/// How many times as long one thing takes as another, by their means, and how far that may
/// be off: relative deviations add up like the sides of a right angle.
pub fn ratio(slow: &Summary, fast: &Summary) -> (f64, Option<f64>) {
    let ratio = slow.mean / fast.mean;
    let relative = |time: &Summary| Some(time.deviation? / time.mean);
    let both = relative(slow).zip(relative(fast));
    (ratio, both.map(|(slow, fast)| ratio * slow.hypot(fast)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn best_median_and_spread() {
        assert_eq!(Summary::of(&[]), None);
        let odd = Summary::of(&[3.0, 2.0, 2.5]).unwrap();
        assert_eq!((odd.best, odd.median, odd.spread()), (2.0, 2.5, 0.5));
        let even = Summary::of(&[4.0, 1.0, 2.0, 3.0]).unwrap();
        assert_eq!((even.best, even.median, even.spread()), (1.0, 2.5, 3.0));
        let one = Summary::of(&[7.0]).unwrap();
        assert_eq!((one.best, one.median, one.spread()), (7.0, 7.0, 0.0));
        assert_eq!((one.mean, one.deviation), (7.0, None));
    }

    #[test]
    fn means_are_compared_with_the_deviation_of_both() {
        let slow = Summary::of(&[9.0, 10.0, 11.0]).unwrap();
        assert_eq!((slow.mean, slow.deviation), (10.0, Some(1.0)));
        let fast = Summary::of(&[2.0, 2.0]).unwrap();
        let (times, error) = ratio(&slow, &fast);
        assert!(near(times, 5.0) && near(error.unwrap(), 0.5));
        let (times, error) = ratio(&slow, &slow);
        assert!(near(times, 1.0) && near(error.unwrap(), 0.02f64.sqrt()));
        assert_eq!(ratio(&slow, &Summary::of(&[5.0]).unwrap()), (2.0, None));
    }

    #[test]
    fn speed_up_and_efficiency() {
        assert_eq!(speed_up(6.0, 1.5), 4.0);
        assert_eq!(efficiency(3.0, 4), 0.75);
        assert_eq!(efficiency(1.0, 1), 1.0);
    }

    #[test]
    fn points_on_a_curve_of_amdahl_give_back_its_serial_fraction() {
        for serial in [0.0, 0.01, 0.1, 0.5, 1.0] {
            let points = [1, 2, 4, 8, 64].map(|p| (p, amdahl(serial, p as f64)));
            assert!(near(serial_fraction(points).unwrap(), serial), "{serial}");
        }
        assert!(near(amdahl(0.1, f64::INFINITY), 10.0));
        assert_eq!(amdahl(0.3, 1.0), 1.0);
    }

    #[test]
    fn the_fit_is_that_of_least_squares() {
        // x = 1/2, 3/4 and y = 1/1.6 − 1/2, 1/2 − 1/4: f = (1/16 + 3/16) / (13/16).
        let fitted = serial_fraction([(1, 1.0), (2, 1.6), (4, 2.0)]).unwrap();
        assert!(near(fitted, 0.25 / 0.8125), "{fitted}");
    }

    #[test]
    fn no_fit_leaves_the_bounds_and_one_thread_gives_none() {
        assert_eq!(serial_fraction([(1, 1.0)]), None);
        assert_eq!(serial_fraction([]), None);
        assert_eq!(serial_fraction([(2, 2.1)]), Some(0.0));
        assert_eq!(serial_fraction([(2, 0.7)]), Some(1.0));
    }

    #[test]
    fn slower_counts_beyond_the_tolerance_and_the_noise() {
        let slower = Change::between(&[1.0, 1.0, 1.0], &[1.1, 1.1, 1.2]).unwrap();
        assert!(near(slower.ratio, 1.1));
        assert!(near(slower.noise, 0.0));
        assert!(slower.is_regression(0.05));
        assert!(!slower.is_regression(0.15));
        let noisy = Change::between(&[1.0, 1.3, 1.4], &[1.1, 1.1, 1.1]).unwrap();
        assert!(near(noisy.noise, 0.3));
        assert!(!noisy.is_regression(0.05));
        let faster = Change::between(&[1.0], &[0.5]).unwrap();
        assert!(!faster.is_regression(0.0));
        assert_eq!(Change::between(&[], &[1.0]), None);
    }
}
