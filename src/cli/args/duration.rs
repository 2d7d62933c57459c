//! A span of time on the command line: `90`, `90s`, `55m`, `1h30m`, `2d`.

use std::{fmt, str::FromStr, time::Duration};

/// The units, the largest first, in seconds.
const UNITS: [(char, f64); 4] = [('d', 86_400.0), ('h', 3600.0), ('m', 60.0), ('s', 1.0)];

/// A span of time as the user wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeSpan {
    text: String,
    pub time: Duration,
}

impl FromStr for TimeSpan {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match seconds(text) {
            Some(seconds) if seconds > 0.0 => Ok(TimeSpan {
                text: text.to_owned(),
                time: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
            }),
            _ => Err(format!(
                "\"{text}\" is not a time: use a number of seconds above 0, or units from large to small as in 90s, 55m, 1h30m or 2d"
            )),
        }
    }
}

/// The sum of numbers with units, each smaller than the one before; the unit of a bare
/// number is the second.
fn seconds(text: &str) -> Option<f64> {
    let number = |digits: &str| {
        let plain = digits.chars().all(|c| c.is_ascii_digit() || c == '.');
        digits.parse::<f64>().ok().filter(|_| plain)
    };
    if let Some(seconds) = number(text) {
        return Some(seconds);
    }
    let (mut sum, mut smaller) = (0.0, &UNITS[..]);
    for piece in text.split_inclusive(|c: char| c.is_ascii_alphabetic()) {
        let place = smaller
            .iter()
            .position(|&(unit, _)| piece.ends_with(unit))?;
        sum += number(&piece[..piece.len() - 1])? * smaller[place].1;
        smaller = &smaller[place + 1..];
    }
    Some(sum)
}

impl fmt::Display for TimeSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_add_up() {
        let seconds = |text: &str| text.parse::<TimeSpan>().unwrap().time.as_secs_f64();
        assert_eq!(seconds("90"), 90.0);
        assert_eq!(seconds("0.5s"), 0.5);
        assert_eq!(seconds("55m"), 3300.0);
        assert_eq!(seconds("1h30m"), 5400.0);
        assert_eq!(seconds("2d1h1m1s"), 176_461.0);
    }

    #[test]
    fn anything_else_is_named() {
        for text in [
            "", "0", "0s", "-5", "m", "5x", "h5", "5m5", "1m1h", "1h1h", "1e3", "inf", "NaN",
            "5 m", "5µ", ".", "1.2.3s",
        ] {
            let sentence = text.parse::<TimeSpan>().unwrap_err();
            assert!(sentence.contains(&format!("\"{text}\"")), "{sentence}");
        }
    }
}
