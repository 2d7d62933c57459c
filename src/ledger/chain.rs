//! How the lines of a ledger hang together: each is a JSON object whose last field,
//! `check`, guards it and its place among the others.
//!
//! ```text
//! {"block":7,"first":84,"tasks":12,"count":"1832","seconds":0.031,"check":"8c3a…"}
//!  \______________________ the text ______________________/
//! ```
//!
//! The check is the FNV-1a sum of the check of the line before (nothing for the
//! first line) and the text up to the comma before `check`. So a changed byte shows
//! in its own line, and a line that is missing, doubled or taken from another ledger
//! shows in the next.

use serde::{Serialize, de::DeserializeOwned};

use crate::count::checksum::Checksum;

const BEFORE: &str = ",\"check\":\"";
const AFTER: &str = "\"}";

/// All that the next line needs of the lines so far: the check of the last one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Chain(String);

impl Chain {
    /// An object as a line with its check and its line feed.
    pub(super) fn seal(&mut self, object: &impl Serialize) -> serde_json::Result<String> {
        let object = serde_json::to_string(object)?;
        Ok(self.seal_text(object.strip_suffix('}').unwrap_or(&object)))
    }

    /// The text of a line, with its check and its line feed.
    pub(super) fn seal_text(&mut self, text: &str) -> String {
        self.0 = self.check(text);
        format!("{text}{BEFORE}{}{AFTER}\n", self.0)
    }

    /// The JSON object of a line (without its line feed) whose check is right, or
    /// what is wrong with it.
    pub(super) fn open(&mut self, line: &[u8]) -> Result<String, String> {
        let line = std::str::from_utf8(line).map_err(|_| "it is not text".to_owned())?;
        let ends = line.strip_suffix(AFTER).and_then(|rest| {
            let (rest, check) = rest.split_at_checked(rest.len().checked_sub(16)?)?;
            Some((rest.strip_suffix(BEFORE)?, check))
        });
        let (text, check) = ends.ok_or("it does not end with a check")?;
        let right = self.check(text);
        if check != right {
            return Err(format!("its check is {check}, and its text has {right}"));
        }
        self.0 = right;
        Ok(format!("{text}}}"))
    }

    fn check(&self, text: &str) -> String {
        let sum = Checksum::new().feed(self.0.as_bytes());
        format!("{:016x}", sum.feed(text.as_bytes()).value())
    }
}

/// Reads an object that [`Chain::open`] found sound.
pub(super) fn read<T: DeserializeOwned>(object: &str) -> Result<T, String> {
    serde_json::from_str(object).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_out_of_its_place_is_found() {
        let mut chain = Chain::default();
        let lines: Vec<String> = (0..3)
            .map(|line| chain.seal(&serde_json::json!({ "line": line })).unwrap())
            .collect();
        let open = |order: &[usize]| {
            let mut chain = Chain::default();
            let mut lines = order.iter().map(|&k| lines[k].trim_end().as_bytes());
            lines.all(|line| chain.open(line).is_ok())
        };
        assert!(open(&[0, 1, 2]));
        for order in [&[1, 2][..], &[0, 2], &[0, 0], &[0, 2, 1], &[0, 1, 1]] {
            assert!(!open(order), "{order:?}");
        }
    }
}
