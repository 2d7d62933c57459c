//! Board sides on the command line: one number, a range with both ends included, or a
//! list of both.

use std::{ops::RangeInclusive, str::FromStr};

use queens::MAX_N;

/// The board sides that a user asks for.
///
/// A range of one is still several, so that a script which writes `8..$top` reads one
/// format whatever the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sizes {
    One(u32),
    Several(Vec<u32>),
}

impl Sizes {
    /// Every side, in the order in which they were named.
    pub fn all(&self) -> &[u32] {
        match self {
            Sizes::One(n) => std::slice::from_ref(n),
            Sizes::Several(sizes) => sizes,
        }
    }
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.contains("..") && !text.contains(',') {
            let wrong = |sentence| match meant(text) {
                Some(range) => format!("{sentence}: write {range}"),
                None => format!("{sentence}, or a range such as 8..16"),
            };
            return single(text).map(Sizes::One).map_err(wrong);
        }
        let mut sizes = Vec::new();
        for piece in text.split(',') {
            for n in range(piece)? {
                if !sizes.contains(&n) {
                    sizes.push(n);
                }
            }
        }
        Ok(Sizes::Several(sizes))
    }
}

/// The range that somebody may have meant who wrote `8-16`, `16..8` or `8..`.
pub fn meant(text: &str) -> Option<String> {
    let (first, last) = text.split_once("..").or_else(|| text.split_once('-'))?;
    let first = side(first)?;
    let last = match last {
        "" => (first + 8).min(MAX_N),
        last => side(last)?,
    };
    Some(format!("{}..{}", first.min(last), first.max(last)))
}

/// A range, or a number alone.
fn range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let Some((first, last)) = text.split_once("..") else {
        return single(text).map(|n| n..=n);
    };
    // `8..=16` says the same, to a Rust programmer.
    let last = last.strip_prefix('=').unwrap_or(last);
    match (side(first), side(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        (Some(first), Some(last)) => Err(format!(
            "the range {text} runs backwards: write {last}..{first}, the smaller n first, within 0 to {MAX_N}"
        )),
        (Some(first), None) if last.is_empty() => Err(format!(
            "the range \"{text}\" has no end: write {first}..{}, or another end within 0 to {MAX_N}",
            (first + 8).min(MAX_N)
        )),
        _ => Err(format!("{}, or a range such as 8..16", no_size(text))),
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
        assert_eq!("0..32".parse(), Ok(Sizes::Several((0..=32).collect())));
        assert_eq!("8..8".parse(), Ok(Sizes::Several(vec![8])));
        assert_eq!("8..=10".parse(), Ok(Sizes::Several(vec![8, 9, 10])));
        assert_eq!("8,12".parse(), Ok(Sizes::Several(vec![8, 12])));
        assert_eq!("12,4..6,5".parse(), Ok(Sizes::Several(vec![12, 4, 5, 6])));
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
        for text in ["8,", ",8", "8,,9", "8,x", "4..6,33"] {
            let message = text.parse::<Sizes>().unwrap_err();
            assert!(message.contains("0 to 32"), "{message}");
        }
        assert!("8-16".parse::<Sizes>().unwrap_err().contains("write 8..16"));
        assert!("8..".parse::<Sizes>().unwrap_err().contains("write 8..16"));
        let backwards = "16..8".parse::<Sizes>().unwrap_err();
        assert!(backwards.contains("16..8"), "{backwards}");
    }
}
