//! `queens list`: the solutions themselves, in order, streamed.

use anyhow::Result;
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use queens::{
    ParallelSolutions,
    format::{Format, Printer},
};

use crate::cli::{
    args::{
        board_size::single,
        number::whole,
        restrict::{Restrict, note_contradiction},
        target::published,
        threads::Threads,
    },
    exit::Exit,
    report::{humanize::grouped, output::Output},
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
/// A solution is the list of the columns of its queens, row by row. Both are counted from
/// 0, and row 0 is the top row of the printed board. On a terminal or in a file, more than
/// ten million solutions need --limit or --all.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ListArgs {
    /// Board side from 0 to 32
    #[arg(value_parser = single)]
    n: u32,

    /// Notation of the solutions
    #[arg(long, default_value = "board", value_parser = notation())]
    format: Format,

    /// Stop after this many
    #[arg(long, value_name = "K", value_parser = whole, conflicts_with = "all")]
    limit: Option<u64>,

    /// Skip this many first
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole)]
    skip: u64,

    /// One solution of each class of rotations and reflections, with the class size
    #[arg(long, conflicts_with_all = ["with", "without"])]
    fundamental: bool,

    /// Print all of them, even if there are more than ten million
    #[arg(long)]
    all: bool,

    /// Number of threads, or all "logical" or "physical" cores
    #[arg(short, short_alias = 'j', long, value_name = "N|logical|physical")]
    threads: Option<Threads>,

    #[command(flatten)]
    restrict: Restrict,
}

/// Reads the name of a notation.
pub fn notation() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.name()))
        .try_map(|name| name.parse())
}

/// The boards that these options list, in their order.
pub fn boards(
    n: u32,
    fundamental: bool,
    restrict: &Restrict,
    threads: usize,
) -> Result<ParallelSolutions> {
    Ok(if fundamental {
        ParallelSolutions::fundamental(n, threads)?
    } else {
        ParallelSolutions::of(&restrict.problem(n)?, threads)?
    })
}

impl ListArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        // Who reads along through a pipe says when it is enough.
        let guarded = self.limit.is_none() && !self.all && !out.is_pipe();
        if guarded {
            self.refuse_too_many()?;
        }
        let threads = Threads::resolve(self.threads)?;
        note_contradiction(&self.restrict.problem(self.n)?, out);
        let mut source = boards(self.n, self.fundamental, &self.restrict, threads)?;
        let eager = out.is_human();
        let mut printer = Printer::new(self.format, self.n, &mut *out).index(self.skip);
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
            if printed == MANY && guarded {
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
        if printed == 0 && out.is_human() && self.limit != Some(0) {
            let n = self.n;
            match left_out {
                0 => out.note(format_args!("there is no solution to list for n = {n}")),
                left_out => out.note(format_args!(
                    "there is no solution left to list for n = {n} after the first {left_out}"
                )),
            }
        }
        Ok(Exit::Done)
    }

    /// For a whole board it is known beforehand how many solutions would come.
    fn refuse_too_many(&self) -> Result<()> {
        if self.restrict.is_given() {
            return Ok(());
        }
        match published(self.fundamental).value(self.n) {
            Some(count) if count.saturating_sub(self.skip.into()) <= MANY.into() => Ok(()),
            Some(count) => Err(self.too_many(&format!("there are {}", grouped(count)))),
            None => Err(self.too_many("nobody knows how many there are")),
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
