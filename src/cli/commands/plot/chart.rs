//! A chart of lines as SVG. Colours follow the reader's light or dark theme; text is
//! plain, so any font will do.

use std::fmt::Write;

use super::axis::{Axis, Ruler};

const WIDTH: f64 = 760.0;
/// The area between the axes.
const LEFT: f64 = 94.0;
const RIGHT: f64 = 736.0;
const TOP: f64 = 78.0;
const BOTTOM: f64 = 428.0;
/// Where the legend begins, and the height of its lines.
const LEGEND: f64 = 504.0;
const LEGEND_LINE: f64 = 24.0;

/// Colours that differ in hue and in brightness, on white and on black.
const LIGHT: [&str; 8] = [
    "#1763b6", "#b8430a", "#1b7a43", "#7a3fb0", "#8a6100", "#a3195b", "#0b7d86", "#5b6470",
];
const DARK: [&str; 8] = [
    "#6cb2ff", "#ff9a5c", "#5fd08c", "#c79bff", "#e6bd4f", "#ff85b6", "#4fd0da", "#b3bcc6",
];

/// A picture to be drawn.
pub struct Chart {
    pub title: String,
    pub subtitle: String,
    pub x: Axis,
    pub y: Axis,
    pub lines: Vec<Line>,
}

pub struct Line {
    /// What the legend says; nothing of a line that goes without saying.
    pub name: String,
    pub stroke: Stroke,
    /// Points and the curve that was fitted to them have the same number.
    pub colour: usize,
    pub points: Vec<(f64, f64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// Measured: a dot each, and a line between them where no curve explains them.
    Points,
    /// Fitted.
    Curve,
    /// Computed from other measurements; nobody has seen it happen.
    Simulated,
    /// What could be at best: y = x. Its points only stretch the axes.
    Ideal,
}

impl Chart {
    /// The picture.
    pub fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let x = Ruler::new(&self.x, points().map(|point| point.0), (LEFT, RIGHT));
        let y = Ruler::new(&self.y, points().map(|point| point.1), (BOTTOM, TOP));
        let mut page = self.head();
        let mut put = |text: std::fmt::Arguments<'_>| {
            let _ = writeln!(page, "{text}");
        };
        for (at, text) in x.ticks() {
            put(format_args!(
                "<path class=\"grid\" d=\"M{at:.1} {TOP}V{BOTTOM}\"/><text class=\"x\" x=\"{at:.1}\" y=\"{}\">{text}</text>",
                BOTTOM + 22.0
            ));
        }
        for (at, text) in y.ticks() {
            put(format_args!(
                "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{RIGHT}\"/><text class=\"y\" x=\"{}\" y=\"{:.1}\">{text}</text>",
                LEFT - 9.0,
                at + 5.0
            ));
        }
        put(format_args!(
            "<path class=\"axis\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>"
        ));
        let (middle, height) = ((LEFT + RIGHT) / 2.0, (TOP + BOTTOM) / 2.0);
        put(format_args!(
            "<text class=\"x\" x=\"{middle}\" y=\"{}\">{}</text>",
            BOTTOM + 48.0,
            self.x.label
        ));
        put(format_args!(
            "<text class=\"x\" transform=\"translate(20 {height}) rotate(-90)\">{}</text>",
            self.y.label
        ));
        // The ideal, equal on both axes, goes as far as they do; otherwise it would hide behind
        // a curve that reaches it.
        let low = x.values.0.max(y.values.0);
        let ideal = [low, x.values.1.min(y.values.1)].map(|value| (value, value));
        for line in &self.lines {
            let points = match line.stroke {
                Stroke::Ideal => &ideal[..],
                _ => &line.points,
            };
            let places = points.iter().map(|&(a, b)| (x.place(a), y.place(b)));
            put(format_args!(
                "{}",
                self.mark(line, &places.collect::<Vec<_>>())
            ));
        }
        for (index, line) in self.legend().enumerate() {
            let y = LEGEND + index as f64 * LEGEND_LINE;
            let (left, middle, right) = ((LEFT, y), (LEFT + 18.0, y), (LEFT + 36.0, y));
            let mark = match line.stroke {
                Stroke::Points => self.through(line, &[left, right]) + &dots(line, &[middle]),
                _ => self.mark(line, &[left, right]),
            };
            put(format_args!(
                "{mark}{}",
                text(&line.name, "", 15.0, (LEFT + 48.0, y + 5.0))
            ));
        }
        page + "</svg>\n"
    }

    /// The lines with a name of their own.
    fn legend(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| !line.name.is_empty())
    }

    /// The curve that was fitted to these points.
    fn curve_of(&self, line: &Line) -> Option<&Line> {
        let same = |other: &&Line| other.colour == line.colour && other.stroke == Stroke::Curve;
        let fitted = line.stroke == Stroke::Points;
        self.lines.iter().find(same).filter(|_| fitted)
    }

    /// A line at these places on the page.
    fn mark(&self, line: &Line, places: &[(f64, f64)]) -> String {
        match line.stroke {
            Stroke::Points if self.curve_of(line).is_some() => dots(line, places),
            Stroke::Points => self.through(line, places) + &dots(line, places),
            _ => self.through(line, places),
        }
    }

    /// What leads from place to place: of points, the curve that was fitted to them.
    fn through(&self, line: &Line, places: &[(f64, f64)]) -> String {
        let mut path = String::new();
        for (index, (x, y)) in places.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { "M" } else { "L" });
        }
        let colour = colour(line);
        let class = match self.curve_of(line).unwrap_or(line).stroke {
            Stroke::Ideal => "ideal".to_owned(),
            Stroke::Curve => format!("curve {colour}"),
            Stroke::Simulated => format!("simulated {colour}"),
            Stroke::Points => format!("line {colour}"),
        };
        format!("<path class=\"{class}\" d=\"{path}\"/>")
    }

    fn head(&self) -> String {
        let height = LEGEND + self.legend().count() as f64 * LEGEND_LINE;
        let name = escaped(&self.title);
        let title = text(&self.title, "title", 21.0, (24.0, 34.0));
        let subtitle = text(&self.subtitle, "faint", 15.0, (24.0, 58.0));
        let colours = |colours: [&str; 8]| -> String {
            let colours = colours.iter().enumerate();
            colours
                .map(|(index, colour)| format!(".c{index} {{ stroke: {colour} }}\n"))
                .collect()
        };
        let (light, dark) = (colours(LIGHT), colours(DARK));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
width=\"{WIDTH}\" height=\"{height}\" role=\"img\">
<title>{name}</title>
<style>
text {{ font: 15px sans-serif; fill: #24292f }}
.title {{ font-weight: 600 }}
.faint {{ fill: #59636e }}
.x {{ text-anchor: middle }}
.y {{ text-anchor: end }}
.page {{ fill: #ffffff }}
.grid {{ stroke: #d8dee4 }}
.axis {{ stroke: #59636e; fill: none }}
.ideal {{ stroke: #59636e; fill: none; stroke-width: 1.5; stroke-dasharray: 3 5 }}
.curve {{ fill: none; stroke-width: 1.5; stroke-dasharray: 9 4 }}
.simulated {{ fill: none; stroke-width: 3; stroke-dasharray: 0.1 6; stroke-linecap: round }}
.line {{ fill: none; stroke-width: 2 }}
.dot {{ stroke-width: 3; fill: #ffffff }}
{light}@media (prefers-color-scheme: dark) {{
text {{ fill: #e6edf3 }}
.faint {{ fill: #9aa5b1 }}
.page, .dot {{ fill: #0d1117 }}
.grid {{ stroke: #30363d }}
.axis, .ideal {{ stroke: #9aa5b1 }}
{dark}}}
</style>
<rect class=\"page\" width=\"{WIDTH}\" height=\"{height}\"/>
{title}
{subtitle}
"
        )
    }
}

/// A line of text of this size, or as much smaller as it takes to fit the page.
fn text(text: &str, class: &str, size: f64, (x, y): (f64, f64)) -> String {
    // What a character takes of the size in a wide font, bold for a title.
    let wide = if class == "title" { 0.62 } else { 0.53 };
    let room = WIDTH - 12.0 - x;
    let size = size.min(room / (wide * text.chars().count().max(1) as f64));
    format!(
        "<text class=\"{class}\" style=\"font-size: {size:.1}px\" x=\"{x}\" y=\"{y}\">{}</text>",
        escaped(text)
    )
}

/// The class of a line that gives it its colour.
fn colour(line: &Line) -> String {
    format!("c{}", line.colour % LIGHT.len())
}

fn dots(line: &Line, places: &[(f64, f64)]) -> String {
    let colour = colour(line);
    let dots = places.iter().map(|(x, y)| {
        format!("<circle class=\"dot {colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>")
    });
    dots.collect()
}

/// Text that XML takes for text.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{
        super::axis::{Scale, Values},
        *,
    };

    #[test]
    fn every_measured_point_is_a_dot() {
        let line = |stroke| Line {
            name: "a < b".to_owned(),
            stroke,
            colour: 1,
            points: vec![(1.0, 1.0), (2.0, 1.9)],
        };
        let chart = Chart {
            title: "T & U".to_owned(),
            subtitle: String::new(),
            x: Axis::new("", Scale::Linear, Values::Whole),
            y: Axis::new("", Scale::Linear, Values::Ratio),
            lines: vec![line(Stroke::Curve), line(Stroke::Points)],
        };
        let picture = chart.svg();
        // Two measured, and one in the legend.
        assert_eq!(picture.matches("<circle").count(), 2 + 1);
        assert!(picture.contains("T &amp; U") && picture.contains("a &lt; b"));
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }

    #[test]
    fn long_text_is_smaller_and_no_text_is_larger() {
        let size = |words: &str| {
            let line = text(words, "", 15.0, (24.0, 58.0));
            let size = line.split("font-size: ").nth(1).unwrap();
            size.split("px").next().unwrap().parse::<f64>().unwrap()
        };
        assert_eq!(size(""), 15.0);
        assert_eq!(size("short"), 15.0);
        let long = "an abacus with a long name ".repeat(5);
        assert!(size(&long) * 0.5 * long.len() as f64 <= WIDTH - 24.0);
    }
}
