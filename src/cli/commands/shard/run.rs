//! `queens shard run`: one task of a job array counts its shards.

use std::env;

use anyhow::Result;
use clap::Args;
use queens::{
    Count, Counted, Error,
    ledger::{Claim, Recorder},
    plan::{Plan, Shard},
};

use super::Which;
use crate::cli::{
    args::engine_args::Settings,
    exit::Exit,
    platform::shell::command_line,
    report::{
        humanize::{counted, of_threads},
        output::{Output, one_line, to_stderr},
    },
    watch::{
        checkpoint::note_resumed,
        eta::Pace,
        memory,
        session::{Limits, Session},
    },
};

/// The variable in which Slurm tells an array task its number.
const VARIABLE: &str = "SLURM_ARRAY_TASK_ID";

const EXAMPLES: &str = "\
Examples:
  queens shard run 17 --shards 4 --dir run                     all of them
  queens shard run 17 --shards 4 --task 0 --tasks 2 --dir run  shards 0, 2";

/// Count the shards of one array task, those that have no result yet
///
/// What a killed array task has recorded is taken up by the next one that comes to the same
/// shard. A result that is damaged, foreign or contradicted is left as it is and named
/// (exit codes 13, 12 and 11) after the other shards are counted.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArgs {
    #[command(flatten)]
    which: Which,

    /// Which array task this is, from 0; without it SLURM_ARRAY_TASK_ID
    #[arg(long, value_name = "t", value_parser = number, help_heading = None::<&str>)]
    task: Option<u32>,

    /// How many array tasks share the shards; never taken from the environment
    #[arg(long, value_name = "T", default_value = "1", value_parser = super::at_least_one, help_heading = None::<&str>)]
    tasks: u32,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    limits: Limits,
}

impl RunArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let task = self.task()?;
        let session = self.limits.start(out)?;
        let count = self.settings.apply(self.which.count()?)?;
        let count = count.cancel(&session.cancel);
        let plan = session.plan(&count)?;
        let shards = self.which.folder(&plan)?;
        shards.prepare()?;
        let threads = count.runner().thread_count();
        memory::warn(&plan, threads, out);

        // A task is to shards what a shard is to blocks.
        let mine = task.blocks(shards.of() as usize);
        let (all, mut found, mut used) = (mine.len(), 0, 0);
        let mut refused: Option<anyhow::Error> = None;
        for index in mine {
            let shard = Shard::new(index as u32, shards.of())?;
            match shards.claim(shard) {
                Ok(Claim::Done(_)) => found += 1,
                Ok(Claim::Open(part)) => {
                    let counted = self.fill(&session, &count, &plan, &part, out)?;
                    used = used.max(counted.used);
                    shards.publish(part)?;
                    out.detail(format_args!("{shard}: published"));
                }
                // Its task would go on if this were another's shard.
                Err(
                    bad @ (Error::Damaged { .. } | Error::Foreign { .. } | Error::Conflict { .. }),
                ) => {
                    if let Some(earlier) = refused.replace(bad.into()) {
                        to_stderr(one_line(format_args!("{earlier:#}")));
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        if let Some(error) = refused {
            return Err(error);
        }
        let (task, tasks) = (task.index(), task.of());
        let few = if (1..threads).contains(&used) {
            format!("; {} had work", of_threads(used, threads))
        } else {
            String::new()
        };
        out.note(format_args!(
            "array task {task} of {tasks}: {all} of {} done, {found} of them before{few}",
            counted(all, "shard")
        ));
        Ok(Exit::Done)
    }

    /// Which array task of how many this is, from the flag and the environment, which must
    /// not contradict each other.
    fn task(&self) -> Result<Shard> {
        let variable = env::var(VARIABLE).ok().filter(|value| !value.is_empty());
        let tasks = self.which.tasks(self.tasks)?;
        let wrong = |sentence: String| Exit::Usage.because(sentence);
        let from_slurm = match &variable {
            None => None,
            Some(value) => Some(value.parse::<u32>().map_err(|_| {
                wrong(format!(
                    "the environment variable {VARIABLE}: \"{value}\" is not the number of an array task, from 0 to {}",
                    tasks - 1
                ))
            })?),
        };
        let index = match (self.task, from_slurm) {
            (Some(flag), Some(slurm)) if flag != slurm => {
                return Err(wrong(format!(
                    "--task {flag} contradicts the environment variable {VARIABLE}, which is {slurm}: use one of them"
                )));
            }
            (Some(index), _) | (None, Some(index)) => index,
            (None, None) if tasks == 1 => 0,
            (None, None) => {
                return Err(wrong(format!(
                    "which of the {tasks} array tasks is this? Use --task with 0 to {}, or run it in a job array, which sets {VARIABLE}",
                    tasks - 1
                )));
            }
        };
        Shard::new(index, tasks).map_err(|_| {
            wrong(format!(
                "there is no array task {index} of {tasks}: --task goes from 0 to {}, and --tasks says how many there are",
                tasks - 1
            ))
        })
    }

    /// Counts the blocks that a shard lacks.
    fn fill(
        &self,
        session: &Session,
        count: &Count,
        plan: &Plan,
        part: &Recorder,
        out: &Output,
    ) -> Result<Counted> {
        let found = part.found();
        let (shard, n) = (found.header().shard, self.which.n);
        note_resumed(found, out);
        let pace = Pace::new(plan, count.runner().thread_count(), Some(found));
        let label = format!("n = {n}, {shard}");
        let ran = session.watch(&label, pace, |progress| {
            let observer = (progress, part);
            let runner = count.runner().clone().observer(&observer);
            plan.run_blocks(&part.missing(), &runner)
        });
        ran.map_err(|error| {
            session.explain(error, |why| {
                let (done, path) = (part.counts().len(), found.path().display());
                let blocks = counted(shard.blocks(found.header().blocks).len(), "block");
                let again = command_line();
                format!("{why} in {shard} with {done} of its {blocks} recorded in {path}; resume with: {again}")
            })
        })
    }
}

/// The number of an array task, of however many.
fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| {
        format!("\"{text}\" is not the number of an array task: use 0 to one less than --tasks")
    })
}
