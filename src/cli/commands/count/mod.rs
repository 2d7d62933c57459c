//! `queens count`: the number of solutions, for one n or for a range.

mod by_square;
mod look;

use std::{io::Write, path::PathBuf};

use anyhow::Result;
use clap::Args;
use queens::Count;

use self::look::{Look, Outcome};
use crate::cli::{
    args::{
        board_size::Sizes,
        engine_args::Settings,
        region::Region,
        restrict::{Restrict, note_contradiction},
        target::Kind,
    },
    exit::Exit,
    report::{atomic_file::svg, output::Output},
    watch::checkpoint::LongRun,
};

const EXAMPLES: &str = "\
Examples:
  queens count 8                        the 92 solutions of the chess board
  queens count 8..16                    a range, both ends included
  queens count 16 --threads 2           on two threads
  queens count 16 --json                one JSON object, for scripts
  queens count 8 --fundamental          rotations and mirror images once: 12
  queens count 8 --with a8,e7           only solutions with queens there
  queens count 8 --by-square a1..h1     those with a queen on each square
  queens count 17 --checkpoint a.jsonl  recorded; the same again resumes";

/// Count the solutions
///
/// The count is always computed and never looked up; a published value only checks it
/// (exit code 3 if they differ). On a terminal the output says how it was counted;
/// through a pipe or with -q it is the bare number, or for several n a line
/// "n<TAB>count" for each.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CountArgs {
    /// Board side from 0 to 32, a range such as 8..16, or a list such as 8,12
    #[arg(value_name = "N|FIRST..LAST")]
    sizes: Sizes,

    /// Print one JSON object per n, the count as a decimal string
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    kind: Kind,

    #[command(flatten)]
    restrict: Restrict,

    /// Count the solutions with a queen on each of these squares
    ///
    /// Two corners such as a1..h1 name a row, a column or a rectangle; "all" is the whole
    /// board. With --with and --without, only those solutions count.
    #[arg(
        long,
        value_name = "SQUARES",
        help_heading = "What to count",
        conflicts_with_all = ["fundamental", "classes"]
    )]
    by_square: Option<Region>,

    /// Draw the counts by square as a heat map ("-" is standard output)
    #[arg(
        short,
        long,
        value_name = "FILE.svg",
        value_parser = svg,
        help_heading = "What to count",
        requires = "by_square"
    )]
    output: Option<PathBuf>,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    long_run: LongRun,
}

impl CountArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        if let Some(region) = self.by_square {
            return by_square::run(self, region, out);
        }
        let look = match &self.sizes {
            _ if self.json => Look::Json,
            Sizes::One(_) if out.is_human() => Look::Sentence,
            Sizes::One(_) => Look::Bare,
            Sizes::Several(all) if out.is_human() => {
                Look::table(all, &self.kind, &self.restrict, out.width())
            }
            Sizes::Several(_) => Look::Pair,
        };
        if let (Sizes::Several(_), Some(file)) = (&self.sizes, &self.long_run.checkpoint) {
            return Err(Exit::Usage.because(format!(
                "a checkpoint such as {} is the ledger of one n: give a single n",
                file.display()
            )));
        }
        let session = &self.long_run.limits.start(out)?;
        // What cannot be counted for some n is refused before the first is counted.
        let counts: Result<Vec<Count>> = self.sizes.all().iter().map(|&n| self.count(n)).collect();
        let mut noted = None;
        for (place, count) in counts?.into_iter().enumerate() {
            let begun = session.elapsed();
            let plan = session.plan(&count)?;
            let n = plan.problem().n();
            // The first plan tells whether the engine can count this at all.
            let why = plan.problem().contradiction().map(|why| why.to_string());
            if why != noted {
                note_contradiction(plan.problem(), out);
                noted = why;
            }
            if place == 0 {
                self.settings.note_kernel(out);
                look.head(out)?;
                out.flush()?;
            }
            let (tasks, blocks) = (plan.tasks(), plan.blocks().len());
            out.detail(format_args!(
                "n = {n}: engine {}, plan {}, tasks {tasks}, blocks {blocks}",
                plan.engine(),
                plan.id()
            ));
            let run = self.long_run.open(session, &count, &plan, out)?;
            let pass = run.count()?;
            let all = pass.counted.count;
            let answer = || self.kind.answer(&self.restrict, n, all, &session.cancel);
            let answer = if self.kind.by_class() {
                session.in_time(answer)
            } else {
                answer()
            };
            let answer = answer.map_err(|error| match Exit::of(&error) {
                // A number that may have taken days is not to be lost with its classes.
                Exit::Interrupted => error.context(format!(
                    "all {all} solutions for n = {n} are counted, their classes are not"
                )),
                _ => error,
            })?;
            let elapsed = session.elapsed().saturating_sub(begun);
            let outcome = Outcome {
                elapsed,
                double_checked: run.double_check(&pass, out)?,
                pass,
            };
            look.line(out, &answer, &outcome)?;
            out.flush()?;
            answer.agree(plan.engine())?;
        }
        Ok(Exit::Done)
    }

    fn count(&self, n: u32) -> Result<Count<'static>> {
        self.settings.apply(Count::from(self.restrict.problem(n)?))
    }
}
