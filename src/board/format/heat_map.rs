//! A heat map: how many solutions have a queen on each square, as a picture in SVG.
//!
//! The fewest are the lightest square, the most the darkest one; between them the shade goes
//! by the number. Squares that were not counted stay white. On each square that was stands its
//! share of all solutions in percent, where their number is known.

use std::fmt::Write;

use super::svg::{CAPTION, SQUARE, coordinates, head, margin, side};
use crate::board::Square;

/// The lightest and the darkest shade: red, green, blue.
const LIGHTEST: [u32; 3] = [0xff, 0xf4, 0xe0];
const DARKEST: [u32; 3] = [0x7a, 0x1f, 0x0f];
/// Shades, as parts of the way from the lightest to the darkest.
const SHADES: u128 = 255;
/// From here on the text on a square is light.
const DARK: u128 = 110;
/// A picture has room for its caption.
const LEAST_WIDTH: u32 = 420;

/// The board of side `n` with these counts: solutions with a queen on each square, of `total`
/// in all if that is known.
///
/// ```
/// use queens::{Square, format::heat_map};
///
/// // The 92 solutions for n = 8 by their queens on the first rank.
/// let counts = [4, 8, 16, 18, 18, 16, 8, 4];
/// let rank: Vec<(Square, u128)> = (0..8).map(|file| Square::new(file, 0)).zip(counts).collect();
/// let picture = heat_map(8, &rank, Some(92));
/// assert!(picture.starts_with("<svg "));
/// assert_eq!(picture.matches("<title>d1: 18").count(), 1);
/// ```
pub fn heat_map(n: u32, counts: &[(Square, u128)], total: Option<u128>) -> String {
    let width = side(n).max(LEAST_WIDTH);
    let height = side(n) + CAPTION;
    let of_all = total.map_or(String::new(), |total| format!("of {total} "));
    let title = format!("Solutions {of_all}for n = {n} with a queen on each square");
    let styles = ".share { font-size: 13px }\n.light { fill: #fffdf8 }\n";
    let mut picture = head(width, height, &title, styles, "");
    let (left, top) = ((width - side(n)) / 2 + margin(n), margin(n));
    let outline = n * SQUARE;
    let mut line = |text: std::fmt::Arguments<'_>| {
        let _ = writeln!(picture, "{text}");
    };
    line(format_args!("<g transform=\"translate({left} {top})\">"));
    line(format_args!(
        "<rect width=\"{outline}\" height=\"{outline}\" fill=\"#ffffff\"/>"
    ));
    let numbers = || counts.iter().map(|&(_, count)| count);
    let (least, most) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
    for &(square, count) in counts {
        let Some(row) = square.row(n) else { continue };
        let (x, y) = (square.file() * SQUARE, row * SQUARE);
        let shade = shade(count, least, most);
        line(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{}\">\
<title>{square}: {count}</title></rect>",
            colour(shade)
        ));
        if let Some(share) = total.and_then(|total| percent(count, total)) {
            let (x, y) = (x + SQUARE / 2, y + SQUARE / 2 + 5);
            let light = if shade >= DARK { " light" } else { "" };
            line(format_args!(
                "<text class=\"share{light}\" x=\"{x}\" y=\"{y}\">{share}</text>"
            ));
        }
    }
    line(format_args!(
        "<rect width=\"{outline}\" height=\"{outline}\" fill=\"none\" stroke=\"#6b4f34\" stroke-width=\"2\"/>"
    ));
    coordinates(&mut picture, n);
    picture += "</g>\n";
    let (middle, below) = (width / 2, side(n) + CAPTION / 2);
    let unit = if total.is_some() { ", in percent" } else { "" };
    let _ = writeln!(
        picture,
        "<text x=\"{middle}\" y=\"{below}\">from {least} to {most} solutions{unit}</text>"
    );
    picture + "</svg>\n"
}

/// How far between the fewest and the most a count is, in [`SHADES`].
fn shade(count: u128, least: u128, most: u128) -> u128 {
    // Counts of solutions are far below 2¹²⁰.
    (SHADES * (count - least))
        .checked_div(most - least)
        .unwrap_or(0)
}

fn colour(shade: u128) -> String {
    let mixed = |light: u32, dark: u32| {
        let way = (light - dark) * shade as u32 / SHADES as u32;
        light - way
    };
    let [red, green, blue] = std::array::from_fn(|i| mixed(LIGHTEST[i], DARKEST[i]));
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A share in percent, with one digit after the point.
fn percent(count: u128, total: u128) -> Option<String> {
    let thousandths = (2000 * count + total).checked_div(2 * total)?;
    Some(format!("{}.{}", thousandths / 10, thousandths % 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_are_darkest_and_the_fewest_lightest() {
        assert_eq!(colour(shade(4, 4, 18)), "#fff4e0");
        assert_eq!(colour(shade(18, 4, 18)), "#7a1f0f");
        assert_eq!(colour(shade(7, 7, 7)), "#fff4e0");
        let shades: Vec<u128> = (4..=18).map(|count| shade(count, 4, 18)).collect();
        assert!(shades.is_sorted() && shades.iter().all(|&shade| shade <= SHADES));
    }

    #[test]
    fn shares_are_rounded() {
        assert_eq!(percent(4, 92).as_deref(), Some("4.3"));
        assert_eq!(percent(1, 1).as_deref(), Some("100.0"));
        assert_eq!(percent(0, 0), None);
    }

    #[test]
    fn every_counted_square_is_drawn_on_its_place() {
        let counts = [(Square::new(0, 0), 3), (Square::new(2, 3), 5)];
        let picture = heat_map(4, &counts, None);
        for (x, y, name) in [(0, 3 * SQUARE, "a1: 3"), (2 * SQUARE, 0, "c4: 5")] {
            let rect = format!("<rect x=\"{x}\" y=\"{y}\"");
            let line = picture.lines().find(|line| line.contains(&rect));
            assert!(line.is_some_and(|line| line.contains(name)), "{picture}");
        }
        assert_eq!(picture.matches("class=\"share").count(), 0);
        assert!(heat_map(0, &[], Some(1)).ends_with("</svg>\n"));
    }
}
