//! What a count of a day needs besides what every [`Session`] has: a checkpoint to resume
//! from, and a second count by another route to check the first. The engine does not
//! matter.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use anyhow::Result;
use clap::Args;
use queens::{
    Count, Counted, DoubleCheck, Error, FinishedBlock, Observer, Route, Runner,
    ledger::{Ledger, Recorder},
    plan::{Plan, Shard},
    random::any_seed,
};
use serde::Serialize;

use crate::cli::{
    platform::shell::command_line,
    report::{humanize::counted, output::Output},
    watch::{
        eta::Pace,
        memory,
        session::{Limits, Session},
    },
};

/// How many tasks the reference recounts at least, and what share of the time of the
/// count it may take for more.
const LEAST_SAMPLE: u64 = 8;
const SAMPLE_TIME: f64 = 0.1;

/// The options of a command that may run long.
#[derive(Debug, Args)]
#[command(next_help_heading = "Long runs")]
pub struct LongRun {
    /// Record finished blocks in FILE; the same command again resumes
    ///
    /// Lines are only ever added to the file; each carries a check, and no other process
    /// can write to it meanwhile. A kill or a power cut loses only the blocks in flight.
    /// See `queens ledger --help`.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,

    /// Count again by a different route and compare block by block
    ///
    /// Every task is counted again as its image under a symmetry of the board, and a
    /// random sample of them by the rows engine as well. A mismatch is named (exit code
    /// 3). It takes about twice the time. With --checkpoint the second count is recorded
    /// in FILE.check.
    #[arg(long)]
    pub double_check: bool,

    #[command(flatten)]
    pub limits: Limits,
}

/// A plan that is being counted, with its ledgers open.
pub struct LongCount<'a> {
    session: &'a Session<'a>,
    is_double_checked: bool,
    plan: &'a Plan,
    runner: Runner<'a>,
    first: Option<Recorder>,
    second: Option<Recorder>,
}

/// One pass over a plan, by this run and those before it.
pub struct Pass {
    pub counted: Counted,
    /// The count of every block.
    counts: BTreeMap<usize, u128>,
    /// With a checkpoint, what is recorded in the end.
    pub recorded: Option<Recorded>,
}

/// How a complete ledger came about.
#[derive(Debug, Clone, Serialize)]
pub struct Recorded {
    pub plan: String,
    /// How many blocks it has, and how many of them were there before this run.
    pub blocks: usize,
    #[serde(rename = "recorded_blocks")]
    pub before: usize,
    /// What all of them took, as time of one thread.
    pub core_seconds: f64,
}

impl Pass {
    #[cfg(test)]
    pub fn new(counted: Counted, recorded: Option<Recorded>) -> Pass {
        let counts = BTreeMap::new();
        Pass {
            counted,
            counts,
            recorded,
        }
    }
}

impl LongRun {
    /// Opens all files that a count by this plan will need: what can fail should fail
    /// before any work is done.
    pub fn open<'a>(
        &self,
        session: &'a Session,
        count: &Count<'a>,
        plan: &'a Plan,
        out: &Output,
    ) -> Result<LongCount<'a>> {
        memory::warn(plan, count.runner().thread_count(), out);
        let first = self.ledger(plan, Route::Direct, out)?;
        let second = if self.double_check {
            self.ledger(plan, Route::Image, out)?
        } else {
            None
        };
        Ok(LongCount {
            session,
            is_double_checked: self.double_check,
            plan,
            runner: count.runner().clone().cancel(&session.cancel),
            first,
            second,
        })
    }

    /// Opens the ledger of this route, if there is to be one, and tells what is in it.
    fn ledger(&self, plan: &Plan, route: Route, out: &Output) -> Result<Option<Recorder>> {
        let Some(path) = &self.checkpoint else {
            return Ok(None);
        };
        let path = match route {
            Route::Direct => path.clone(),
            _ => check_path(path),
        };
        let recorder = Recorder::open(&path, plan, Shard::WHOLE, route)?;
        let (found, path) = (recorder.found(), path.display());
        if !recorder.is_lasting() {
            out.note(format_args!(
                "{path}: its folder cannot be synced here, so that a power cut may lose the file"
            ));
        }
        if found.torn() > 0 {
            let torn = counted(found.torn(), "byte");
            out.note(format_args!("{path}: dropped a torn last line of {torn}"));
        }
        if found.total().is_some() {
            out.note(format_args!(
                "{path}: complete, the count is from this ledger"
            ));
        } else {
            note_resumed(found, out);
        }
        Ok(Some(recorder))
    }
}

impl LongCount<'_> {
    /// Counts the blocks that no ledger has yet.
    pub fn count(&self) -> Result<Pass> {
        let run = |blocks: &[usize], runner: &Runner| self.plan.run_blocks(blocks, runner);
        let label = format!("n = {}", self.plan.problem().n());
        self.pass(self.first.as_ref(), run, &label)
    }

    /// Counts all of it again by another route, if that is wanted, and compares.
    pub fn double_check(&self, first: &Pass, out: &Output) -> Result<bool> {
        if !self.is_double_checked {
            return Ok(false);
        }
        let check = DoubleCheck::new(self.plan, first.counts.clone());
        let recorder = self.second.as_ref();
        if let Some(recorder) = recorder {
            let blocks = recorder.found().blocks().iter();
            let recorded = blocks.map(|block| (block.index, block.count));
            let compared = check.compare(recorded, &self.runner);
            compared.map_err(|error| self.explain(error, Some(recorder)))?;
        }
        let label = format!("n = {} again", self.plan.problem().n());
        let run = |blocks: &[usize], runner: &Runner| check.run_blocks(blocks, runner);
        self.pass(recorder, run, &label)?;

        let threads = first.counted.threads as f64;
        let before = self
            .first
            .as_ref()
            .map_or(0.0, |first| first.found().seconds());
        let time = first.counted.elapsed.as_secs_f64() + before / threads;
        let time = Duration::from_secs_f64(time * SAMPLE_TIME);
        let sample = || check.sample(LEAST_SAMPLE, time, any_seed(), &self.runner);
        let sampled = self.session.in_time(sample);
        let sampled = sampled.map_err(|error| self.explain(error, None))?;
        if sampled > 0 {
            let tasks = counted(sampled, "task");
            out.detail(format_args!("double-check: {tasks} also counted by rows"));
        }
        Ok(true)
    }

    /// One pass over the plan, recorded or not, with its progress shown.
    fn pass(
        &self,
        recorder: Option<&Recorder>,
        run: impl FnOnce(&[usize], &Runner) -> Result<Counted, Error>,
        label: &str,
    ) -> Result<Pass> {
        let found = recorder.map(Recorder::found);
        let before = found.map_or(&[][..], |found| found.blocks());
        let missing = match recorder {
            Some(recorder) => recorder.missing(),
            None => (0..self.plan.blocks().len()).collect(),
        };
        let counts = before.iter().map(|block| (block.index, block.count));
        let all = Mutex::new((counts.collect::<BTreeMap<_, _>>(), Duration::ZERO));
        let collect = |block: &FinishedBlock| {
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all.0.insert(block.index, block.count);
            all.1 += block.elapsed;
        };
        let pace = Pace::new(self.plan, self.runner.thread_count(), found);
        let counted = self.session.watch(label, pace, |progress| {
            let record: &dyn Observer = recorder.map_or(&(), |recorder| recorder);
            let observer = (&(progress, record), &collect);
            run(&missing, &self.runner.clone().observer(&observer))
        });
        let mut counted = counted.map_err(|error| self.explain(error, recorder))?;
        let (counts, time) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(recorder) = recorder {
            counted.count = recorder.total().expect("a complete run closes its ledger");
        }
        Ok(Pass {
            counted,
            recorded: found.map(|found| Recorded {
                plan: self.plan.id().to_string(),
                blocks: counts.len(),
                before: before.len(),
                core_seconds: found.seconds() + time.as_secs_f64(),
            }),
            counts,
        })
    }

    /// An interruption in the user's terms: why, what is kept, how to go on.
    fn explain(&self, error: Error, recorder: Option<&Recorder>) -> anyhow::Error {
        self.session.explain(error, |why| {
            let kept = match (recorder, &self.first) {
                (Some(recorder), _) => {
                    let blocks = counted(recorder.found().header().blocks, "block");
                    let (done, path) = (recorder.counts().len(), recorder.found().path().display());
                    format!("with {done} of {blocks} recorded in {path}")
                }
                (None, Some(_)) => "during the double-check, with every block recorded".to_owned(),
                (None, None) => {
                    return format!(
                        "{why}, before the count was complete; nothing is kept without --checkpoint FILE"
                    );
                }
            };
            format!("{why} {kept}; resume with: {}", command_line())
        })
    }
}

/// Tells how much of an unfinished ledger earlier runs have recorded, if anything.
pub fn note_resumed(found: &Ledger, out: &Output) {
    let (path, done) = (found.path().display(), found.blocks().len());
    if done > 0 {
        let blocks = counted(done + found.missing().len(), "block");
        out.note(format_args!(
            "{path}: resuming with {done} of {blocks} recorded"
        ));
    }
}

/// Where the second count is recorded.
fn check_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".check");
    name.into()
}
