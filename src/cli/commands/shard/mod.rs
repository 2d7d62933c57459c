//! `queens shard`: one count on many machines, through a folder that they share.

mod merge;
mod run;
mod status;
mod verify;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use queens::{
    Count,
    ledger::{Shards, Survey},
    plan::{Plan, ranges},
};

use crate::cli::{
    args::{board_size::single, engine_args::EngineChoice, restrict::Restrict},
    exit::Exit,
    report::{humanize::counted, output::Output},
};

const EXAMPLES: &str = "\
Examples:
  queens shard run 17 --shards 4 --task 0 --tasks 2 --dir run  shards 0, 2
  queens shard run 17 --shards 4 --task 1 --tasks 2 --dir run  shards 1, 3
  queens shard status 17 --shards 4 --dir run                  how far it is
  queens shard merge 17 --shards 4 --dir run                   the total
  queens shard verify 17 --shards 4 --dir run --sample 2       two again";

/// Count on many machines that share a folder
///
/// The blocks of a plan are dealt out to shards, the shards to the tasks of a job
/// array; shard i of K has the blocks i, i+K, i+2K and so on, array task t of T the shards
/// t, t+T, t+2T. The result of a shard is a file that appears whole or not at all and
/// is never replaced. An array task that is killed, or runs twice, does no harm: run it again.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ShardArgs {
    #[command(subcommand)]
    command: ShardCommand,
}

#[derive(Debug, Subcommand)]
enum ShardCommand {
    Run(run::RunArgs),
    Status(status::StatusArgs),
    Merge(merge::MergeArgs),
    Verify(verify::VerifyArgs),
}

impl ShardArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        match &self.command {
            ShardCommand::Run(args) => args.run(out),
            ShardCommand::Status(args) => args.run(out),
            ShardCommand::Merge(args) => args.run(out),
            ShardCommand::Verify(args) => args.run(out),
        }
    }
}

/// A question about a folder as it is.
#[derive(Debug, Args)]
struct Inquiry {
    #[command(flatten)]
    which: Which,

    /// Of how many array tasks to name those to run again, as in --array=3,7-9
    #[arg(long, value_name = "T", value_parser = at_least_one, help_heading = None::<&str>)]
    tasks: Option<u32>,

    /// Print one JSON object
    #[arg(long, help_heading = None::<&str>)]
    json: bool,

    #[command(flatten)]
    engine: EngineChoice,
}

impl Inquiry {
    fn plan(&self) -> Result<Plan> {
        Ok(self.engine.apply(self.which.count()?).plan()?)
    }

    fn tasks(&self) -> Result<Option<u32>> {
        self.tasks.map(|tasks| self.which.tasks(tasks)).transpose()
    }
}

/// Which shards are meant.
#[derive(Debug, Args)]
pub struct Which {
    /// Board side from 0 to 32
    #[arg(value_name = "N", value_parser = single)]
    n: u32,

    /// Into how many shards the count is divided, from 1 to the number of its blocks
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    shards: u32,

    /// The folder that all machines share
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,

    #[command(flatten)]
    restrict: Restrict,
}

impl Which {
    fn count(&self) -> Result<Count<'static>> {
        let problem = self.restrict.problem(self.n)?;
        match problem.contradiction() {
            None => Ok(Count::from(problem)),
            Some(why) => Err(Exit::No.because(format!(
                "{why}: there is no solution, and nothing to divide into shards"
            ))),
        }
    }

    fn folder<'p>(&self, plan: &'p Plan) -> Result<Shards<'p>> {
        Ok(Shards::new(&self.dir, plan, self.shards)?)
    }

    /// The number of tasks, if there is a shard for each of them.
    fn tasks(&self, tasks: u32) -> Result<u32> {
        if tasks <= self.shards {
            return Ok(tasks);
        }
        Err(Exit::Usage.because(format!(
            "{tasks} tasks are too many for {}: use 1 to {}",
            counted(self.shards, "shard"),
            self.shards
        )))
    }
}

fn at_least_one(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err(format!(
            "\"{text}\" is not a number of shards or tasks: use 1 to {}",
            u32::MAX
        )),
    }
}

/// The tasks that own these shards, as a value of `sbatch --array=`.
fn array(shards: impl IntoIterator<Item = usize>, tasks: u32) -> String {
    let tasks = shards.into_iter().map(|shard| shard % tasks as usize);
    let mut tasks: Vec<usize> = tasks.collect();
    tasks.sort_unstable();
    tasks.dedup();
    ranges(&tasks)
}

/// Shards that are bad, by kind, the worst first: what they are called, and the exit
/// code of a total that would need them.
fn bad_shards(survey: &Survey) -> [(&'static str, Exit, Vec<usize>); 3] {
    let kinds = [
        ("contradictory", Exit::Conflict),
        ("foreign", Exit::Foreign),
        ("damaged", Exit::Damaged),
    ];
    kinds.map(|(kind, exit)| {
        let bad = survey.bad.iter();
        let bad = bad.filter(|(_, error)| Exit::of_library(error) == exit);
        (kind, exit, bad.map(|&(index, _)| index).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_belong_to_tasks_in_a_form_that_sbatch_takes() {
        assert_eq!(array([0, 3, 4, 13], 10), "0,3-4");
        assert_eq!(array([], 10), "");
    }
}
