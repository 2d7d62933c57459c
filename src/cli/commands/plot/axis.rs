//! The axes of a chart: where a value is on the page, and which values are marked.

/// What is along one side of a chart.
pub struct Axis {
    pub label: &'static str,
    pub scale: Scale,
    values: Values,
}

impl Axis {
    pub fn new(label: &'static str, scale: Scale, values: Values) -> Axis {
        Axis {
            label,
            scale,
            values,
        }
    }
}

/// What the numbers along an axis are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Whole numbers: nothing in between means anything.
    Whole,
    Ratio,
    Seconds,
    /// A number per second.
    Rate,
}

/// What equal steps along an axis do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// They add the same.
    Linear,
    /// They multiply by this.
    Log(f64),
}

/// Where a value is on the page.
pub struct Ruler<'a> {
    axis: &'a Axis,
    /// The values at the ends, and their places.
    pub values: (f64, f64),
    places: (f64, f64),
}

impl Ruler<'_> {
    /// A ruler for these values, with round ends.
    pub fn new(axis: &Axis, values: impl Iterator<Item = f64>, places: (f64, f64)) -> Ruler<'_> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (1.0, 2.0);
        }
        let values = match axis.scale {
            Scale::Linear if axis.values == Values::Whole => (low - 0.5, high + 0.5),
            Scale::Linear => {
                let step = step(high / 6.0);
                (0.0, (high / step).ceil() * step)
            }
            Scale::Log(base) => {
                let low = low.max(1e-9).log(base).floor();
                let high = high.max(1e-9).log(base).ceil();
                (base.powf(low), base.powf(high.max(low + 1.0)))
            }
        };
        Ruler {
            axis,
            values,
            places,
        }
    }

    pub fn place(&self, value: f64) -> f64 {
        let scaled = |value: f64| match self.axis.scale {
            Scale::Linear => value,
            Scale::Log(_) => value.max(1e-9).ln(),
        };
        let (low, high) = (scaled(self.values.0), scaled(self.values.1));
        let (start, end) = self.places;
        start + (scaled(value) - low) / (high - low) * (end - start)
    }

    /// The marks along the axis: their places and what they say.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let (low, high) = self.values;
        let values: Vec<f64> = match self.axis.scale {
            Scale::Log(base) => {
                let powers = low.log(base).round() as i32..=high.log(base).round() as i32;
                powers.map(|power| base.powi(power)).collect()
            }
            Scale::Linear => {
                let step = match self.axis.values {
                    Values::Whole => step((high - low) / 16.0).max(1.0),
                    _ => step((high - low) / 6.0),
                };
                let range = (low / step).ceil() as i64..=(high / step).floor() as i64;
                range.map(|multiple| multiple as f64 * step).collect()
            }
        };
        let tick = |value| (self.place(value), self.axis.values.text(value));
        values.into_iter().map(tick).collect()
    }
}

/// The next round distance.
fn step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let mut round = [1.0, 2.0, 5.0].into_iter().map(|digit| digit * power);
    round.find(|&step| step >= rough).unwrap_or(10.0 * power)
}

impl Values {
    /// A value as it stands at the axis.
    fn text(self, value: f64) -> String {
        let (value, unit) = match self {
            Values::Whole | Values::Ratio => (value, ""),
            Values::Seconds if value < 0.9e-3 => (1e6 * value, " µs"),
            Values::Seconds if value < 0.9 => (1e3 * value, " ms"),
            Values::Seconds => (value, " s"),
            Values::Rate if value < 0.9e3 => (value, "/s"),
            Values::Rate if value < 0.9e6 => (value / 1e3, " k/s"),
            Values::Rate if value < 0.9e9 => (value / 1e6, " M/s"),
            Values::Rate if value < 0.9e12 => (value / 1e9, " G/s"),
            Values::Rate => (value / 1e12, " T/s"),
        };
        // Without the dust of arithmetic.
        let text = format!("{value:.6}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{text}{unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        let texts = |axis: &Axis, values: [f64; 2]| -> Vec<String> {
            let ruler = Ruler::new(axis, values.into_iter(), (0.0, 100.0));
            for (place, text) in ruler.ticks() {
                assert!((-1e-9..=100.0 + 1e-9).contains(&place), "{text}: {place}");
            }
            ruler.ticks().into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(
            texts(&Axis::new("", Scale::Linear, Values::Whole), [1.0, 4.0]),
            ["1", "2", "3", "4"]
        );
        let speed = texts(&Axis::new("", Scale::Linear, Values::Ratio), [1.0, 2.0]);
        assert_eq!(speed, ["0", "0.5", "1", "1.5", "2"]);
        let times = texts(
            &Axis::new("", Scale::Log(10.0), Values::Seconds),
            [0.0003, 20.0],
        );
        assert_eq!(
            times,
            ["100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s"]
        );
        let threads = texts(&Axis::new("", Scale::Log(2.0), Values::Whole), [1.0, 24.0]);
        assert_eq!(threads, ["1", "2", "4", "8", "16", "32"]);
    }

    #[test]
    fn the_ends_of_a_ruler_are_its_places_and_steps_of_a_log_are_equal() {
        let axis = Axis::new("", Scale::Log(10.0), Values::Seconds);
        let ruler = Ruler::new(&axis, [0.01, 1.0].into_iter(), (428.0, 78.0));
        assert_eq!(ruler.place(0.01), 428.0);
        assert_eq!(ruler.place(1.0), 78.0);
        assert!((ruler.place(0.1) - (428.0 + 78.0) / 2.0).abs() < 1e-9);
    }
}
