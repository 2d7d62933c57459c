//! Solutions as pictures, in SVG.
//!
//! The queen is a path and the chequered squares are a pattern, so a picture looks
//! the same everywhere; only the coordinates around the board need a font, and any
//! will do. As on every chess board, the square in the bottom left corner is dark.

use std::fmt::Write;

use crate::board::{Board, square::letters};

/// The side of a square, in the units that the queen is drawn in.
pub(super) const SQUARE: u32 = 45;
/// The least room for the coordinates.
const MARGIN: u32 = 24;
/// Room for the line below a board of a sheet, at least so wide, and for the heading.
pub(super) const CAPTION: u32 = 44;
const CAPTION_WIDTH: u32 = 200;
const HEADING: u32 = 70;
const HEADING_WIDTH: u32 = 600;

/// A crown of five points with a ball on each, a body, and a foot.
const QUEEN: &str = "M9 14l5.2 11.2 1.3-15.2 5 14.6 2-16.6 2 16.6 5-14.6 1.3 15.2L36 14l-3.1 17.4\
q-10.4-3.4-20.8 0zM11.6 33.2q10.9-3.5 21.8 0l.6 2.6q-11.5-3.6-23 0z\
M9.6 37.8q12.9-4 25.8 0l.8 3.4q-13.7-3-27.4 0z\
M6.3 12.6a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0zM13 8.8a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0z\
M20 6.6a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0zM27 8.8a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0z\
M33.7 12.6a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0z";

/// One board with its coordinates.
///
/// ```
/// let board = "[1 3 0 2]".parse()?;
/// let picture = queens::format::svg::board(&board);
/// assert!(picture.starts_with("<svg "));
/// assert_eq!(picture.matches("<use href=\"#queen\"").count(), 4);
/// # Ok::<(), queens::Error>(())
/// ```
pub fn board(board: &Board) -> String {
    let side = side(board.n());
    let names: Vec<String> = board.squares().map(|queen| queen.to_string()).collect();
    let queens = match board.n() {
        1 => "1 queen".to_owned(),
        n => format!("{n} queens"),
    };
    let title = format!("{queens}: {}", names.join(" "));
    let mut picture = head_of_boards(board.n(), side, side, &title);
    draw(&mut picture, board, 0, 0);
    picture + "</svg>\n"
}

/// All these boards of side `n` on one sheet, numbered, with their class sizes.
///
/// ```
/// use queens::{Board, format::svg};
///
/// let twelve: Vec<Board> = queens::fundamental(8)?.collect();
/// let sheet = svg::sheet(8, &twelve);
/// assert_eq!(sheet.matches("<use href=\"#queen\"").count(), 12 * 8);
/// # Ok::<(), queens::Error>(())
/// ```
pub fn sheet(n: u32, boards: &[Board]) -> String {
    let (across, down) = grid(boards.len() as u32);
    let width = (side(n) + MARGIN).max(CAPTION_WIDTH);
    let height = side(n) + CAPTION;
    let title = match boards.len() {
        1 => format!("The one fundamental solution for n = {n}"),
        many => format!("The {many} fundamental solutions for n = {n}"),
    };
    let sheet_width = (across * width).max(HEADING_WIDTH);
    let sheet_height = HEADING + down * height + MARGIN;
    let mut sheet = head_of_boards(n, sheet_width, sheet_height, &title);
    let middle = sheet_width / 2;
    let start = middle - across * width / 2 + (width - side(n)) / 2;
    let _ = writeln!(
        sheet,
        "<text class=\"heading\" x=\"{middle}\" y=\"46\">{title}</text>"
    );
    for (number, one) in (0..).zip(boards) {
        let left = start + number % across * width;
        let top = HEADING + number / across * height;
        draw(&mut sheet, one, left, top);
        let (x, y) = (left + side(n) / 2, top + side(n) + 18);
        let images = match one.class_size() {
            1 => "1 image".to_owned(),
            more => format!("{more} images"),
        };
        let _ = writeln!(
            sheet,
            "<text class=\"caption\" x=\"{x}\" y=\"{y}\">{} · {one} · {images}</text>",
            number + 1
        );
    }
    sheet + "</svg>\n"
}

/// The side of a board with its coordinates.
pub(super) fn side(n: u32) -> u32 {
    n * SQUARE + 2 * margin(n)
}

/// Room for the longest rank.
pub(super) fn margin(n: u32) -> u32 {
    MARGIN.max(10 * n.to_string().len() as u32)
}

/// Boards across and down a sheet that is a little wider than high.
fn grid(boards: u32) -> (u32, u32) {
    let across = (1..=boards.max(1)).find(|across| across * across * 3 >= boards * 4);
    let across = across.unwrap_or(1).min(boards.max(1));
    (across, boards.div_ceil(across))
}

/// The beginning of a picture with this title, up to its background.
pub(super) fn head(width: u32, height: u32, title: &str, styles: &str, defs: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
width=\"{width}\" height=\"{height}\" role=\"img\">
<title>{title}</title>
<style>
text {{ font: 15px sans-serif; fill: #4a4034; text-anchor: middle }}
{styles}</style>
{defs}<rect width=\"{width}\" height=\"{height}\" fill=\"#fffdf8\"/>
"
    )
}

fn head_of_boards(n: u32, width: u32, height: u32, title: &str) -> String {
    // The dark squares of the pattern's two rows: the bottom left one is dark.
    let (first, second) = if n.is_multiple_of(2) {
        (SQUARE, 0)
    } else {
        (0, SQUARE)
    };
    let two = 2 * SQUARE;
    let outline = n * SQUARE;
    let styles = ".heading { font-size: 28px }\n.caption { font-size: 17px }\n";
    let defs = format!(
        "<defs>
<pattern id=\"squares\" width=\"{two}\" height=\"{two}\" patternUnits=\"userSpaceOnUse\">
<rect width=\"{two}\" height=\"{two}\" fill=\"#f0dfc0\"/>
<path fill=\"#b98b5e\" d=\"M{first} 0h{SQUARE}v{SQUARE}h-{SQUARE}zM{second} {SQUARE}h{SQUARE}v{SQUARE}h-{SQUARE}z\"/>
</pattern>
<rect id=\"board\" width=\"{outline}\" height=\"{outline}\" fill=\"url(#squares)\" stroke=\"#6b4f34\" stroke-width=\"2\"/>
<path id=\"queen\" fill=\"#1f1a17\" d=\"{QUEEN}\"/>
</defs>
"
    );
    head(width, height, title, styles, &defs)
}

/// Draws the board and its coordinates with the corner of its margin at this point.
fn draw(picture: &mut String, board: &Board, left: u32, top: u32) {
    let n = board.n();
    let (left, top) = (left + margin(n), top + margin(n));
    let _ = writeln!(
        picture,
        "<g transform=\"translate({left} {top})\">\n<use href=\"#board\"/>"
    );
    coordinates(picture, n);
    for (column, row) in board.into_iter().zip(0..) {
        let (x, y) = (column * SQUARE, row * SQUARE);
        let _ = writeln!(picture, "<use href=\"#queen\" x=\"{x}\" y=\"{y}\"/>");
    }
    picture.push_str("</g>\n");
}

/// The ranks and files around a board whose corner is at the origin.
pub(super) fn coordinates(picture: &mut String, n: u32) {
    let (before, after) = (-i64::from(margin(n)) / 2, n * SQUARE + 18);
    for index in 0..n {
        let middle = index * SQUARE + SQUARE / 2;
        let (rank, file, baseline) = (n - index, letters(index), middle + 5);
        let _ = writeln!(
            picture,
            "<text x=\"{before}\" y=\"{baseline}\">{rank}</text>\
<text x=\"{middle}\" y=\"{after}\">{file}</text>"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solutions::fundamental;

    #[test]
    fn a_page_has_room_for_every_board_and_no_empty_row() {
        assert_eq!(grid(12), (4, 3));
        for boards in 0..200 {
            let (across, down) = grid(boards);
            assert!(across * down >= boards);
            assert!(down == 0 || across * (down - 1) < boards);
        }
    }

    #[test]
    fn each_queen_is_drawn_on_its_square() {
        for n in [0, 1, 5, 8] {
            for one in fundamental(n).unwrap() {
                let picture = board(&one);
                assert_eq!(picture.matches("href=\"#queen\"").count(), n as usize);
                for (column, row) in one.into_iter().zip(0..) {
                    let (x, y) = (column * SQUARE, row * SQUARE);
                    assert!(picture.contains(&format!("x=\"{x}\" y=\"{y}\"/>")));
                }
            }
        }
    }
}
