//! How counts, times and sizes are written for a person.

use std::time::Duration;

/// A count with a comma between every three digits.
pub fn grouped(count: u128) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: "1 thread", "2 threads".
pub fn counted(number: impl TryInto<u128>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u128::MAX);
    format!("{} {}", grouped(number), plural(number, noun))
}

/// The noun alone, for this number of things.
pub fn plural(number: u128, noun: &str) -> String {
    format!("{noun}{}", if number == 1 { "" } else { "s" })
}

/// How many threads had work, of those that there were: "2 threads", "1 of 2 threads".
pub fn of_threads(used: usize, threads: usize) -> String {
    let all = counted(threads, "thread");
    if used < threads {
        format!("{used} of {all}")
    } else {
        all
    }
}

/// A number with three significant digits and the prefix of its thousands: "34.3 G".
pub fn short(number: f64) -> String {
    let mut scaled = number;
    for prefix in ["", " k", " M", " G", " T", " P", " E", " Z", " Y", " R"] {
        match scaled {
            // From there on three digits would round to 1000.
            999.5.. => scaled /= 1e3,
            _ if prefix.is_empty() => return format!("{number:.0}"),
            _ => return format!("{}{prefix}", significant(scaled)),
        }
    }
    format!("{number:.2e}")
}

/// Three digits of a number from 1 to 999, or two decimals of a smaller one.
fn significant(value: f64) -> String {
    // The width of what rounding may make of it: 9.999 is 10.0, not 10.00.
    let digits = [9.995, 99.95].iter().filter(|&&next| value < next).count();
    format!("{value:.digits$}")
}

/// A measured number for a program: four significant digits, which is more than any
/// measurement repeats, and no exponent.
pub fn rounded(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    // The place of the first digit of what rounding makes of it: 0.99996 is 1.
    let text = format!("{number:.3e}");
    let place: i32 = text
        .rsplit('e')
        .next()
        .and_then(|place| place.parse().ok())
        .unwrap_or(0);
    let number: f64 = text.parse().unwrap_or(number);
    let decimals = usize::try_from(3 - place).unwrap_or(0);
    let text = format!("{number:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A time with three significant digits below a minute, and its two largest units
/// above.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    // Limits at which three digits would round to 1000 ms or 60.0 s.
    if seconds < 0.9995 {
        return format!("{} ms", significant(seconds * 1e3));
    }
    if seconds < 59.95 {
        return format!("{} s", significant(seconds));
    }
    let whole = seconds.round() as u64;
    let (days, hours, minutes) = (whole / 86_400, whole / 3600 % 24, whole / 60 % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes} min {:02} s", whole % 60),
        (0, _) => format!("{hours} h {minutes:02} min"),
        _ => format!("{days} d {hours:02} h"),
    }
}

/// A time in seconds, which may be more than any clock can show.
pub fn seconds(seconds: f64) -> String {
    duration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// A size of memory in the largest binary unit that leaves a whole part.
pub fn bytes(size: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    match units.into_iter().find(|&(_, shift)| size >> shift > 0) {
        Some((unit, shift)) => format!("{:.1} {unit}", size as f64 / (1u64 << shift) as f64),
        None => format!("{size} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(724), "724");
        assert_eq!(grouped(2680), "2,680");
        assert_eq!(grouped(14_772_512), "14,772,512");
        assert_eq!(
            grouped(u128::MAX),
            "340,282,366,920,938,463,463,374,607,431,768,211,455"
        );
    }

    #[test]
    fn one_thing_has_no_plural() {
        assert_eq!(counted(0_u64, "block"), "0 blocks");
        assert_eq!(counted(1_usize, "block"), "1 block");
        assert_eq!(counted(1_234_u32, "block"), "1,234 blocks");
    }

    #[test]
    fn a_short_number_has_three_digits_and_a_prefix() {
        for (number, text) in [
            (0.0, "0"),
            (999.4, "999"),
            (999.6, "1.00 k"),
            (18_993.0, "19.0 k"),
            (34_300_000_000.0, "34.3 G"),
            (2.34e17, "234 P"),
            (3.4e38, "3.40e38"),
        ] {
            assert_eq!(short(number), text);
        }
    }

    #[test]
    fn a_rounded_number_has_four_digits_and_no_exponent() {
        for (number, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (2.5, "2.5"),
            (0.000_012_345_678, "0.00001235"),
            (0.999_96, "1"),
            (12.345_6, "12.35"),
            (10_654_321.0, "10650000"),
            (-0.123_45, "-0.1235"),
            (1000.0, "1000"),
        ] {
            assert_eq!(rounded(number), text);
        }
    }

    #[test]
    fn memory_has_one_decimal_in_a_binary_unit() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1 << 20), "1.0 MiB");
        assert_eq!(bytes(24_682_416 * 1024), "23.5 GiB");
    }

    #[test]
    fn times_read_naturally_at_every_scale() {
        let text = |seconds| duration(Duration::from_secs_f64(seconds));
        assert_eq!(text(0.0), "0.00 ms");
        assert_eq!(text(0.000_123_4), "0.12 ms");
        assert_eq!(text(0.045_67), "45.7 ms");
        assert_eq!(text(0.9994), "999 ms");
        assert_eq!(text(0.9996), "1.00 s");
        assert_eq!(text(9.999), "10.0 s");
        assert_eq!(text(59.94), "59.9 s");
        assert_eq!(text(59.96), "1 min 00 s");
        assert_eq!(text(119.7), "2 min 00 s");
        assert_eq!(text(3599.9), "1 h 00 min");
        assert_eq!(text(90_061.0), "1 d 01 h");
    }
}
