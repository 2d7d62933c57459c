//! Squares that lie together: one, a row, a column, a rectangle or the whole board.

use std::str::FromStr;

use anyhow::Result;
use queens::{Problem, Square};

/// The squares that a user asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    Board,
    /// All between these corners.
    Between(Square, Square),
}

impl FromStr for Region {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.to_ascii_lowercase();
        if text == "all" {
            return Ok(Region::Board);
        }
        let (first, last) = text.split_once("..").unwrap_or((&text, &text));
        let last = last.strip_prefix('=').unwrap_or(last);
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) => Ok(Region::Between(first, last)),
            _ => Err(format!(
                "\"{text}\" names no squares: write two corners such as a1..h1, one square, or \"all\""
            )),
        }
    }
}

impl Region {
    /// Its squares on a board of side `n`, from the first corner to the last.
    pub fn squares(self, n: u32) -> Result<Vec<Square>> {
        let (first, last) = match self {
            Region::Board if n == 0 => return Ok(Vec::new()),
            Region::Board => (Square::new(0, 0), Square::new(n - 1, n - 1)),
            Region::Between(first, last) => (first, last),
        };
        // Only squares of the board can be forbidden.
        Problem::new(n)?.forbid(first)?.forbid(last)?;
        let ranks = between(first.rank(), last.rank());
        let squares = ranks.into_iter().flat_map(|rank| {
            let files = between(first.file(), last.file());
            files.into_iter().map(move |file| Square::new(file, rank))
        });
        Ok(squares.collect())
    }
}

/// All numbers from the first to the last, up or down.
fn between(first: u32, last: u32) -> Vec<u32> {
    if first <= last {
        (first..=last).collect()
    } else {
        (last..=first).rev().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str, n: u32) -> String {
        let squares = text.parse::<Region>().unwrap().squares(n).unwrap();
        let names: Vec<String> = squares.iter().map(Square::to_string).collect();
        names.join(" ")
    }

    #[test]
    fn squares_come_from_the_first_corner_to_the_last() {
        assert_eq!(named("a1..d1", 4), "a1 b1 c1 d1");
        assert_eq!(named("b3..b1", 4), "b3 b2 b1");
        assert_eq!(named("A1..=B2", 4), "a1 b1 a2 b2");
        assert_eq!(named("c2", 4), "c2");
        assert_eq!(named("all", 2), "a1 b1 a2 b2");
        assert_eq!(named("all", 0), "");
    }

    #[test]
    fn what_names_no_squares_is_refused() {
        for text in ["", "a", "a1..", "..a1", "a1-h1", "every"] {
            let error = text.parse::<Region>().unwrap_err();
            assert!(error.contains("a1..h1"), "{error}");
        }
        assert!("a1..j1".parse::<Region>().unwrap().squares(8).is_err());
    }
}
