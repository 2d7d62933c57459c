//! Published values, compiled in from `data/`. They check a computed count; no
//! count is ever answered from them.

use std::sync::OnceLock;

/// A published integer sequence: what is known of Q(n), and who says so.
///
/// ```
/// use queens::known::{Verdict, QUEENS};
///
/// assert_eq!(QUEENS.value(8), Some(92));
/// assert_eq!(QUEENS.judge(8, 93), Verdict::Mismatch);
/// assert_eq!(QUEENS.judge(28, 1), Verdict::Unknown);
/// ```
#[derive(Debug)]
pub struct Sequence {
    /// Its number in the On-Line Encyclopedia of Integer Sequences.
    pub oeis: &'static str,
    /// What it counts.
    pub title: &'static str,
    /// Where the values were published.
    pub source: &'static str,
    text: &'static str,
    values: OnceLock<Vec<(u32, u128)>>,
}

/// All solutions, A000170.
///
/// ```
/// use queens::known::QUEENS;
///
/// assert_eq!(QUEENS.oeis, "A000170");
/// assert_eq!(QUEENS.value(27), Some(234_907_967_154_122_528));
/// ```
pub static QUEENS: Sequence = Sequence {
    oeis: "A000170",
    title: "placements of n non-attacking queens on an n×n board",
    source: "https://oeis.org/A000170; n = 27: the Q27 project, TU Dresden, 2016",
    text: include_str!("../../data/a000170.txt"),
    values: OnceLock::new(),
};

/// Solutions up to rotation and reflection, A002562.
///
/// ```
/// use queens::known::FUNDAMENTAL;
///
/// let classes = queens::fundamental(10)?.count();
/// assert_eq!(FUNDAMENTAL.value(10), Some(classes as u128));
/// # Ok::<(), queens::Error>(())
/// ```
pub static FUNDAMENTAL: Sequence = Sequence {
    oeis: "A002562",
    title: "placements of n non-attacking queens up to rotation and reflection",
    source: "https://oeis.org/A002562",
    text: include_str!("../../data/a002562.txt"),
    values: OnceLock::new(),
};

/// What the published values say of a computed count.
///
/// ```
/// use queens::known::{QUEENS, Verdict};
///
/// assert_eq!(QUEENS.judge(10, queens::count(10)?), Verdict::Match);
/// assert_eq!(QUEENS.judge(10, 725), Verdict::Mismatch);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is the published value.
    Match,
    /// It contradicts the published value: one of the two is wrong.
    Mismatch,
    /// Nothing is published for this n.
    Unknown,
}

impl Verdict {
    /// What they say in a word: `match`, `mismatch` or `unknown`.
    ///
    /// ```
    /// assert_eq!(queens::known::Verdict::Match.as_str(), "match");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Match => "match",
            Verdict::Mismatch => "mismatch",
            Verdict::Unknown => "unknown",
        }
    }
}

impl Sequence {
    /// Every published pair (n, value), in order of n.
    ///
    /// ```
    /// let values = queens::known::QUEENS.values();
    /// assert_eq!(values[..6], [(0, 1), (1, 1), (2, 0), (3, 0), (4, 2), (5, 10)]);
    /// ```
    pub fn values(&self) -> &[(u32, u128)] {
        self.values.get_or_init(|| {
            let pair = |line: &str| -> Option<(u32, u128)> {
                let (n, value) = line.split_once(' ')?;
                Some((n.parse().ok()?, value.parse().ok()?))
            };
            let lines = self.text.lines().filter(|line| !line.starts_with('#'));
            lines
                .map(|line| pair(line).expect("data files hold lines of \"n value\""))
                .collect()
        })
    }

    /// The published value for `n`, if there is one.
    ///
    /// ```
    /// use queens::known::QUEENS;
    ///
    /// assert_eq!(QUEENS.value(9), Some(352));
    /// assert_eq!(QUEENS.value(100), None);
    /// ```
    pub fn value(&self, n: u32) -> Option<u128> {
        let values = self.values();
        let place = values.binary_search_by_key(&n, |&(n, _)| n).ok()?;
        Some(values[place].1)
    }

    /// Compares a computed count with the published value.
    ///
    /// ```
    /// use queens::known::{FUNDAMENTAL, Verdict};
    ///
    /// let classes = queens::Classes::new(9, queens::count(9)?)?;
    /// assert_eq!(FUNDAMENTAL.judge(9, classes.fundamental()), Verdict::Match);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn judge(&self, n: u32, count: u128) -> Verdict {
        match self.value(n) {
            None => Verdict::Unknown,
            Some(value) if value == count => Verdict::Match,
            Some(_) => Verdict::Mismatch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_reach_27_without_a_gap() {
        assert!(QUEENS.values().iter().map(|&(n, _)| n).eq(0..=27));
        assert!(FUNDAMENTAL.values().iter().map(|&(n, _)| n).eq(1..=27));
    }

    #[test]
    fn the_two_tables_bound_each_other() {
        // A class has at most eight members, and for n > 1 at least two.
        for &(n, classes) in &FUNDAMENTAL.values()[1..] {
            let all = QUEENS.value(n).unwrap();
            assert!(classes * 2 <= all && all <= classes * 8, "n = {n}");
        }
    }
}
