//! Board sides on the command line: one number, or a range with both ends included.

use std::{ops::RangeInclusive, str::FromStr};

use queens::MAX_N;

/// The board sides that a user asks for.
///
/// A range of one is still a range, so that a script which writes `8..$top` reads
/// one format whatever the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sizes {
    One(u32),
    Range(RangeInclusive<u32>),
}

impl Sizes {
    /// Every side, smallest first.
    pub fn iter(&self) -> RangeInclusive<u32> {
        match self {
            Sizes::One(n) => *n..=*n,
            Sizes::Range(range) => range.clone(),
        }
    }
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |sentence| format!("{sentence}, or a range such as 8..16");
        let Some((first, last)) = text.split_once("..") else {
            return single(text).map(Sizes::One).map_err(wrong);
        };
        // `8..=16` says the same, to a Rust programmer.
        let last = last.strip_prefix('=').unwrap_or(last);
        match (side(first), side(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Sizes::Range(first..=last)),
            (Some(first), Some(last)) => Err(format!(
                "the range {text} runs backwards: write {last}..{first}, the smaller n first, within 0 to {MAX_N}"
            )),
            _ => Err(wrong(no_size(text))),
        }
    }
}

/// A single board side.
pub fn single(text: &str) -> Result<u32, String> {
    side(text).ok_or_else(|| no_size(text))
}

fn side(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&n| n <= MAX_N)
}

fn no_size(text: &str) -> String {
    format!("\"{text}\" is not a board size: n is a whole number from 0 to {MAX_N}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_are_read() {
        assert_eq!("8".parse(), Ok(Sizes::One(8)));
        assert_eq!("0..32".parse(), Ok(Sizes::Range(0..=32)));
        assert_eq!("8..8".parse(), Ok(Sizes::Range(8..=8)));
        assert_eq!("8..=16".parse(), Ok(Sizes::Range(8..=16)));
    }

    #[test]
    fn anything_else_is_named() {
        let sizes = ["", "33", "-1", "eight", "8.5", "99999999999999999999"];
        let ranges = [
            "8..", "..8", "..", "8...9", "8..==9", "8..=", "8..33", "x..9", "-1..5", "1..2..3",
        ];
        for text in sizes.into_iter().chain(ranges) {
            let message = text.parse::<Sizes>().unwrap_err();
            assert!(message.contains(&format!("\"{text}\"")), "{message}");
            assert!(message.contains("0 to 32"), "{message}");
        }
        let backwards = "16..8".parse::<Sizes>().unwrap_err();
        assert!(backwards.contains("16..8"), "{backwards}");
    }
}
