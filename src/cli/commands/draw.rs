//! `queens draw`: a solution, or all fundamental ones, as a picture.

use std::path::PathBuf;

use anyhow::Result;
use clap::{ArgGroup, Args};
use queens::{Board, format, fundamental};

use crate::cli::{
    args::{
        number::{whole, within},
        restrict::Restrict,
    },
    commands::{
        list::boards,
        solve::{OneSolution, none},
    },
    exit::Exit,
    report::{
        atomic_file::{save_or_print, svg},
        output::Output,
    },
};

/// A larger board is no picture any more.
const LARGEST: u32 = 1_000;
/// More boards than this do not fit a page.
const MOST: usize = 10_000;

const EXAMPLES: &str = "\
Examples:
  queens draw 8 -o queens.svg                     a solution
  queens draw 8 --index 91 -o last.svg            by its place in `queens list`
  queens draw 8 --with a8 --index 2 -o third.svg  … with a queen on that square
  queens draw 4 --columns \"1 3 0 2\" -o four.svg   a given one, in any notation
  queens draw 8 --sheet -o twelve.svg             all fundamental ones";

/// Draw a solution as an SVG picture
///
/// --index counts as `queens list` does with the same --fundamental, --with and --without;
/// with these alone it is the first of the list.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("list").multiple(true)
    .args(["fundamental", "with", "without"])
    .conflicts_with_all(["columns", "sheet", "random"]))]
pub struct DrawArgs {
    /// Board side from 0 to 1000; to 32 from a list, to 13 with --sheet
    #[arg(value_parser = side)]
    n: u32,

    /// The file to write ("-" is standard output)
    #[arg(short, long, value_name = "FILE.svg", value_parser = svg)]
    output: PathBuf,

    /// The solution with this index in the list, from 0
    #[arg(long, value_name = "K", value_parser = whole, group = "which")]
    index: Option<u64>,

    /// This solution, in any notation that `queens check` reads
    #[arg(
        long,
        value_name = "SOLUTION",
        group = "which",
        allow_hyphen_values = true
    )]
    columns: Option<String>,

    /// All fundamental solutions on one page
    #[arg(long, group = "which")]
    sheet: bool,

    /// From the list of one solution of each class of rotations and reflections
    #[arg(long, conflicts_with_all = ["with", "without"])]
    fundamental: bool,

    #[command(flatten)]
    restrict: Restrict,

    #[command(flatten)]
    which: OneSolution,
}

impl DrawArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let picture = if self.sheet {
            format::svg::sheet(self.n, &self.sheet()?)
        } else {
            format::svg::board(&self.board(out)?)
        };
        save_or_print(&self.output, &picture, out)?;
        Ok(Exit::Done)
    }

    fn board(&self, out: &Output) -> Result<Board> {
        let n = self.n;
        if let Some(text) = &self.columns {
            let board: Board = text.parse()?;
            let side = board.n();
            return if side == n {
                Ok(board)
            } else {
                Err(Exit::Usage.because(format!(
                    "the given solution is for n = {side}, not for n = {n}"
                )))
            };
        }
        let index = match self.index {
            None if !self.fundamental && !self.restrict.is_given() => {
                return self.which.find(n, out);
            }
            index => index.unwrap_or(0),
        };
        let mut boards = boards(n, self.fundamental, &self.restrict, 1)?;
        let mut number = 0;
        // To advance makes no board of what is passed over.
        while number < index && boards.advance().is_some() {
            number += 1;
        }
        boards.next().ok_or_else(|| {
            Exit::No.because(format!(
                "there is no solution with index {index} in the list for n = {n}: it has {number}, numbered from 0"
            ))
        })
    }

    fn sheet(&self) -> Result<Vec<Board>> {
        let n = self.n;
        let boards: Vec<Board> = fundamental(n)?.take(MOST + 1).collect();
        match boards.len() {
            0 => Err(none(n)),
            1..=MOST => Ok(boards),
            _ => Err(Exit::Usage.because(format!(
                "a sheet has room for {MOST} boards, and there are more fundamental solutions for n = {n}: use n up to 13"
            ))),
        }
    }
}

fn side(text: &str) -> Result<u32, String> {
    within(text, "the side of a board to draw", 0..=LARGEST)
}
