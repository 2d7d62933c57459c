//! `queens solve`: one solution, at once, for boards of any size.

use anyhow::Result;
use clap::Args;
use queens::{
    Board, MAX_SOLVE_N,
    format::{Format, Printer},
    random::any_seed,
    solve, solve_random,
};
use serde::Serialize;

use crate::cli::{
    args::number::{whole, within},
    commands::list::notation,
    exit::Exit,
    report::output::Output,
};

/// Beyond this side a board is wider than any screen, and its columns are printed.
const WIDEST: u32 = 100;

const EXAMPLES: &str = "\
Examples:
  queens solve 8                         a solution
  queens solve 20 --random --seed 7      a random one; the seed gives it again
  queens solve 1000000 --format columns  constructed, and checked";

/// Find one solution
///
/// The solution is constructed, and checked before it is printed. With --random it is
/// drawn by chance: for n up to 12 all solutions are equally likely, for larger n only
/// roughly. There is none for n = 2 and n = 3 (exit code 4).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SolveArgs {
    /// Board side from 0 to 1000000
    #[arg(value_parser = side)]
    n: u32,

    /// Notation of the solution [default: board, for n > 100 columns]
    #[arg(long, value_parser = notation())]
    format: Option<Format>,

    /// Print one JSON object
    #[arg(long, conflicts_with = "format")]
    json: bool,

    #[command(flatten)]
    which: OneSolution,
}

/// A solution by construction or by chance.
#[derive(Debug, Args)]
pub struct OneSolution {
    /// A random solution
    #[arg(long, group = "which")]
    random: bool,

    /// Seed of the random solution; chosen by chance, and noted, if left out
    #[arg(long, value_name = "S", value_parser = whole, requires = "random")]
    seed: Option<u64>,
}

impl OneSolution {
    /// The solution of this side, or that there is none.
    pub fn find(&self, n: u32, out: &Output) -> Result<Board> {
        let board = if self.random {
            let seed = self.seed.unwrap_or_else(|| {
                let seed = any_seed();
                out.note(format_args!("seed {seed}"));
                seed
            });
            solve_random(n, seed)?
        } else {
            solve(n)?
        };
        board.ok_or_else(|| none(n))
    }
}

/// A solution as a JSON object.
#[derive(Serialize)]
struct Json<'a> {
    n: u32,
    columns: &'a [u32],
}

impl SolveArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let board = self.which.find(self.n, out)?;
        if self.json {
            out.json(&Json {
                n: self.n,
                columns: board.columns(),
            })?;
            return Ok(Exit::Done);
        }
        if self.n == 0 && out.is_human() {
            out.note("the board of n = 0 has one solution, without any queen");
        }
        let format = self.format.unwrap_or(match self.n {
            ..=WIDEST => Format::Board,
            _ => Format::Columns,
        });
        print(&board, format, out)?;
        Ok(Exit::Done)
    }
}

fn print(board: &Board, format: Format, out: &mut Output) -> Result<()> {
    let mut printer = Printer::new(format, board.n(), out);
    printer.print(board.columns())?;
    printer.finish()?;
    Ok(())
}

/// The answer "no".
pub fn none(n: u32) -> anyhow::Error {
    Exit::No.because(format!("there is no solution for n = {n}"))
}

fn side(text: &str) -> Result<u32, String> {
    within(text, "the side of a board to solve", 0..=MAX_SOLVE_N)
}
