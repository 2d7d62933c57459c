//! `queens list`: the solutions themselves, in order, streamed.

use anyhow::Result;
use clap::Args;
use queens::{
    ParallelSolutions,
    format::{Format, Printer},
    known::{FUNDAMENTAL, QUEENS},
};

use crate::cli::{
    args::{
        board_size::single,
        notation,
        restrict::{Restrict, note_attack},
        threads::Threads,
    },
    exit::Exit,
    report::{
        humanize::{grouped, whole},
        output::Output,
    },
};

/// More solutions than this are not printed by accident.
const MANY: u64 = 10_000_000;

const EXAMPLES: &str = "\
Examples:
  queens list 8                                 all 92
  queens list 8 --fundamental --format unicode  the twelve, as boards
  queens list 10 --format columns | head -3     the first three
  queens list 8 --with a8,e7                    those with these two queens
  queens list 4 --format leetcode               for problem 51 of LeetCode";

/// List the solutions, in lexicographic order of their columns
///
/// A solution is the column of the queen in each row, both from 0; row 0 is the top
/// row of the printed board. More than ten million solutions need --limit or --all.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ListArgs {
    /// Board side from 0 to 32
    #[arg(value_parser = single)]
    n: u32,

    /// Notation of the solutions
    #[arg(long, default_value = "board", value_parser = notation::parser())]
    format: Format,

    /// Stop after this many
    #[arg(long, value_name = "K", value_parser = whole, conflicts_with = "all")]
    limit: Option<u64>,

    /// Leave out this many first
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole)]
    skip: u64,

    /// One solution of each class of rotations and reflections, with the class size
    #[arg(long, conflicts_with_all = ["with", "without"])]
    fundamental: bool,

    /// Print even more than ten million
    #[arg(long)]
    all: bool,

    /// Threads that search ahead: a number, "logical" or "physical" cores
    #[arg(long, value_name = "N|logical|physical")]
    threads: Option<Threads>,

    #[command(flatten)]
    restrict: Restrict,
}

impl ListArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        self.refuse_too_many()?;
        let threads = Threads::resolve(self.threads)?;
        let mut source = if self.fundamental {
            ParallelSolutions::fundamental(self.n, threads)?
        } else {
            let problem = self.restrict.problem(self.n)?;
            note_attack(&problem, out);
            ParallelSolutions::of(&problem, threads)?
        };
        let eager = out.is_human();
        let mut printer = Printer::new(self.format, self.n, out).index(self.skip);
        if self.fundamental {
            printer = printer.class_sizes();
        }
        let mut left_out = 0;
        while left_out < self.skip && source.advance().is_some() {
            left_out += 1;
        }
        let mut printed = 0;
        while self.limit.is_none_or(|limit| printed < limit) {
            let Some(columns) = source.advance() else {
                break;
            };
            if printed == MANY && self.limit.is_none() && !self.all {
                printer.finish()?;
                return Err(self.too_many("there are more"));
            }
            printer.print(columns)?;
            printed += 1;
            if eager {
                printer.flush()?;
            }
        }
        printer.finish()?;
        Ok(Exit::Done)
    }

    /// For a whole board it is known beforehand how many solutions would come.
    fn refuse_too_many(&self) -> Result<()> {
        if self.limit.is_some() || self.all || self.restrict.is_given() {
            return Ok(());
        }
        let (published, largest) = match self.fundamental {
            true => (FUNDAMENTAL.value(self.n), 27),
            false => (QUEENS.value(self.n), 27),
        };
        match published {
            Some(count) if count.saturating_sub(self.skip.into()) > MANY.into() => {
                Err(self.too_many(&format!("there are {}", grouped(count))))
            }
            None if self.n > largest => Err(self.too_many("nobody knows how many there are")),
            _ => Ok(()),
        }
    }

    fn too_many(&self, how_many: &str) -> anyhow::Error {
        let n = self.n;
        Exit::Usage.because(format!(
            "more than {} solutions for n = {n} need --limit K or --all: {how_many}",
            grouped(MANY.into())
        ))
    }
}
