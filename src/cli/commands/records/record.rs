//! A record: a count that this program has made in full, and what stands behind it.
//!
//! It is a line of data/records/records.jsonl, put together by `scripts/record` from what the
//! program said itself: `count` is the answer of `queens count --fundamental --checkpoint
//! --json`, `check` that of `queens count --double-check --json` or of `queens records verify
//! --json`, and `machine` that of `queens info --json`. The commit is that of the sources,
//! and `ledger` names the kept file and the SHA-256 sum of its text.

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::cli::report::decimal::Decimal;

/// Every record, in order of n.
pub const LINES: &str = include_str!("../../../../data/records/records.jsonl");

/// A record, as far as it is shown.
#[derive(Debug, Deserialize)]
pub struct Record {
    pub count: Count,
    check: Check,
    pub commit: String,
    /// When the check was done.
    pub date: String,
}

/// What the count has given, and what it took.
#[derive(Debug, Deserialize)]
pub struct Count {
    pub n: u32,
    pub count: Decimal,
    pub fundamental: Decimal,
    pub core_seconds: f64,
}

/// How it was checked: all of it, or a sample.
#[derive(Debug, Deserialize)]
struct Check {
    #[serde(default)]
    double_checked: bool,
    #[serde(default)]
    cost_percent: f64,
}

impl Record {
    /// The records in these lines.
    pub fn all(lines: &str) -> Result<Vec<Record>> {
        let read = |line| serde_json::from_str(line).context("cannot read a record");
        lines.lines().map(read).collect()
    }

    /// How much of the cost of the count was counted again, in per cent.
    pub fn checked_percent(&self) -> f64 {
        if self.check.double_checked {
            100.0
        } else {
            self.check.cost_percent
        }
    }
}

#[cfg(test)]
pub mod tests {
    use queens::known::{FUNDAMENTAL, QUEENS};

    use super::*;

    /// Two records, one checked in full and one by a sample.
    pub fn lines() -> String {
        let line = |n: u32, check: &str| {
            let (count, fundamental) = (QUEENS.value(n).unwrap(), FUNDAMENTAL.value(n).unwrap());
            format!(
                r#"{{"count":{{"n":{n},"count":"{count}","fundamental":"{fundamental}","core_seconds":2.0}},"check":{check},"commit":"0123456789ab","date":"2026-11-18T01:02:03Z"}}"#
            ) + "\n"
        };
        line(8, r#"{"double_checked":true}"#) + &line(24, r#"{"cost_percent":5.25}"#)
    }

    #[test]
    fn a_record_says_how_much_of_it_was_checked() {
        let records = Record::all(&lines()).unwrap();
        let percents = records.iter().map(Record::checked_percent);
        assert!(percents.eq([100.0, 5.25]));
        assert!(Record::all("{}").is_err());
    }

    #[test]
    fn the_records_of_the_program_are_in_order_and_agree_with_what_is_published() {
        let records = Record::all(LINES).unwrap();
        assert!(records.is_sorted_by(|a, b| a.count.n < b.count.n));
        for Record { count, .. } in &records {
            assert_eq!(QUEENS.value(count.n), Some(count.count.0));
            assert_eq!(FUNDAMENTAL.value(count.n), Some(count.fundamental.0));
        }
    }
}
