//! Numbers on the command line, with their ranges.

use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

/// A number in this range, or a sentence that names both.
pub fn within<T>(text: &str, what: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let (low, high) = (range.start(), range.end());
        format!("\"{text}\" is not {what}: use a number from {low} to {high}")
    })
}

/// A whole number, however large.
pub fn whole(text: &str) -> Result<u64, String> {
    within(text, "a whole number", 0..=u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_within_its_range_and_anything_else_is_named_with_it() {
        assert_eq!(within("1", "a number of repeats", 1..=10), Ok(1));
        assert_eq!(within("0.5", "a tolerance", 0.0..=10.0), Ok(0.5));
        for text in ["0", "11", "-1", "1.5", "", "x", "99999999999999999999"] {
            let sentence = within(text, "a number of repeats", 1..=10).unwrap_err();
            let said = format!("\"{text}\" is not a number of repeats: use a number from 1 to 10");
            assert_eq!(sentence, said);
        }
        assert!(within("NaN", "a tolerance", 0.0..=10.0).is_err());
    }
}
