//! The date and the time of day in Greenwich, as 2026-11-17T05:04:03Z.
//!
//! A year is counted from March on, so that the day that leap years add is its last one.
//! Every 400 years have the same 146 097 days.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 86_400;
/// From the first of March of the year 0 to the first of January 1970.
const DAYS_TO_1970: u64 = 719_468;

/// Now, by the clock of the system.
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date(since.unwrap_or_default().as_secs())
}

/// The date of this second since 1970.
fn date(seconds: u64) -> String {
    let days = seconds / DAY + DAYS_TO_1970;
    let (era, day) = (days / 146_097, days % 146_097);
    // The last day of four, of a hundred and of four hundred years is the odd one out.
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // From March on, five months have 153 days.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = 400 * era + year + u64::from(month >= 10);
    let month = if month < 10 { month + 3 } else { month - 9 };
    let time = seconds % DAY;
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_000_000_000, "2001-09-09T01:46:40Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }

    #[test]
    fn days_follow_each_other() {
        // Dates as text are in order, and no two are the same.
        let days = (0..200 * 366).map(|day| date(day * DAY));
        assert!(days.is_sorted_by(|a, b| a < b));
    }
}
