//! A sample of several things on the command line: `3`, or `5%` of them.

use std::str::FromStr;

use queens::random::Random;

/// How many of all there are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Share {
    Number(usize),
    Percent(f64),
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let percent = text.strip_suffix('%').map(str::parse::<f64>);
        match (percent, text.parse()) {
            (Some(Ok(percent)), _) if percent > 0.0 && percent <= 100.0 => {
                Ok(Share::Percent(percent))
            }
            (None, Ok(number @ 1..)) => Ok(Share::Number(number)),
            _ => Err(format!(
                "\"{text}\" is not a sample: use a number from 1, or a part of all such as 5%, up to 100%"
            )),
        }
    }
}

impl Share {
    /// At least one, unless there is none.
    fn of(self, all: usize) -> usize {
        match self {
            Share::Number(number) => number.min(all),
            Share::Percent(percent) => ((percent / 100.0 * all as f64).ceil() as usize).min(all),
        }
    }
}

/// The items in a random order, each as likely as any other; only a sample, if one is given.
pub fn draw<T>(mut items: Vec<T>, sample: Option<Share>, seed: u64) -> Vec<T> {
    Random::new(seed).shuffle(&mut items);
    if let Some(sample) = sample {
        items.truncate(sample.of(items.len()));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_number_or_a_percentage_and_at_least_one() {
        let of = |text: &str, all| text.parse::<Share>().unwrap().of(all);
        assert_eq!(of("3", 10), 3);
        assert_eq!(of("30", 10), 10);
        assert_eq!(of("5%", 10), 1);
        assert_eq!(of("100%", 10), 10);
        for text in ["0", "0%", "101%", "-1", "", "%", "x", "nan%"] {
            let sentence = text.parse::<Share>().unwrap_err();
            assert!(sentence.contains(&format!("\"{text}\"")), "{sentence}");
        }
    }
}
