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
pub static QUEENS: Sequence = Sequence {
    oeis: "A000170",
    title: "placements of n non-attacking queens on an n×n board",
    source: "https://oeis.org/A000170; n = 27: the Q27 project, TU Dresden, 2016",
    text: include_str!("../data/a000170.txt"),
    values: OnceLock::new(),
};

/// Solutions up to rotation and reflection, A002562.
pub static FUNDAMENTAL: Sequence = Sequence {
    oeis: "A002562",
    title: "placements of n non-attacking queens up to rotation and reflection",
    source: "https://oeis.org/A002562",
    text: include_str!("../data/a002562.txt"),
    values: OnceLock::new(),
};

/// What the published values say of a computed count.
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
    /// The word used in JSON: `match`, `mismatch` or `unknown`.
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
    pub fn value(&self, n: u32) -> Option<u128> {
        let values = self.values();
        let place = values.binary_search_by_key(&n, |&(n, _)| n).ok()?;
        Some(values[place].1)
    }

    /// Compares a computed count with the published value.
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
