//! What makes a count of a day bearable, besides what every [`Session`] has: a
//! checkpoint, and a second count to believe the first. The engine does not matter.

use std::{
    collections::BTreeMap,
    hash::{BuildHasher, RandomState},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use anyhow::Result;
use clap::Args;
use queens::{
    Cancel, Count, Counted, DoubleCheck, Error, FinishedBlock, Route, Runner,
    ledger::Recorder,
    plan::{Plan, Shard},
};

use crate::cli::{
    exit::Exit,
    report::output::Output,
    watch::{
        eta::Pace,
        session::{Limits, Session, command_line},
    },
};

/// How many tasks the reference recounts at least, and what part of the time of the
/// count it may take for more.
const LEAST_SAMPLE: u64 = 8;
const SAMPLE_TIME: f64 = 0.1;

/// The options of a command that may run long.
#[derive(Debug, Args)]
#[command(next_help_heading = "Long runs")]
pub struct LongRun {
    /// Record finished blocks in FILE; the same command again resumes
    ///
    /// Append-only, checked line by line, and locked while it is written. A kill or a
    /// power cut loses the blocks in flight. See `queens ledger --help`.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,

    /// Count again by a different route and compare block by block
    ///
    /// The image of every task under a symmetry of the board, and where the engine is
    /// not itself the reference a random sample of tasks by the rows engine. A
    /// mismatch is named, exit code 3. Takes about twice the time. With --checkpoint
    /// the second count is recorded in FILE.check.
    #[arg(long)]
    pub double_check: bool,

    #[command(flatten)]
    pub limits: Limits,
}

/// A count and what stands behind it.
pub struct Outcome {
    pub counted: Counted,
    /// With a checkpoint, how many blocks were not counted but read from it.
    pub recorded_blocks: Option<usize>,
    pub double_checked: bool,
}

/// A session with these wishes.
pub struct LongSession<'a> {
    wishes: &'a LongRun,
    session: Session<'a>,
}

impl LongRun {
    /// Begins; see [`Limits::start`].
    pub fn start(&self, out: &Output) -> Result<LongSession<'_>> {
        Ok(LongSession {
            wishes: self,
            session: self.limits.start(out)?,
        })
    }
}

impl LongSession<'_> {
    /// Raised when it is to stop.
    pub fn cancel(&self) -> &Cancel {
        &self.session.cancel
    }

    /// The plan of a count.
    pub fn plan(&self, count: &Count) -> Result<Plan> {
        self.session.plan(count)
    }

    /// Counts by this plan of the count, with all that the user wishes.
    pub fn count(&self, count: Count, plan: &Plan, out: &Output) -> Result<Outcome> {
        let runner = count.runner().clone().cancel(&self.session.cancel);
        // Both files before any work: what can fail early should.
        let first = self.open(plan, Route::Direct, out)?;
        let second = match self.wishes.double_check {
            true => self.open(plan, Route::Image, out)?,
            false => None,
        };
        let label = format!("n = {}", plan.problem().n());
        let run = |blocks: &[usize], runner: &Runner| plan.run_blocks(blocks, runner);
        let (counted, counts) = self.pass(&runner, plan, first.as_ref(), run, &label)?;
        if self.wishes.double_check {
            let found = first.as_ref().map_or(0.0, |first| first.found().seconds());
            let time = counted.elapsed.as_secs_f64() + found / counted.threads as f64;
            let check = DoubleCheck::new(plan, counts);
            self.double_check(&runner, plan, &check, second.as_ref())?;
            let time = Duration::from_secs_f64(time * SAMPLE_TIME);
            let seed = RandomState::new().hash_one(plan.id());
            let sample = || check.sample(LEAST_SAMPLE, time, seed, &runner);
            let sampled = self.session.in_time(sample);
            let sampled = sampled.map_err(|error| self.explain(error, None))?;
            if sampled > 0 {
                out.detail(format_args!(
                    "double-check: {sampled} tasks also counted by rows"
                ));
            }
        }
        Ok(Outcome {
            counted,
            recorded_blocks: first.map(|first| first.found().blocks().len()),
            double_checked: self.wishes.double_check,
        })
    }

    /// Opens the ledger of this route, if there is to be one, and tells what is in it.
    fn open(&self, plan: &Plan, route: Route, out: &Output) -> Result<Option<Recorder>> {
        let Some(path) = &self.wishes.checkpoint else {
            return Ok(None);
        };
        let path = match route {
            Route::Direct => path.clone(),
            _ => check_path(path),
        };
        let recorder = Recorder::open(&path, plan, Shard::WHOLE, route)?;
        let (found, path) = (recorder.found(), path.display());
        let torn = found.torn();
        if torn > 0 {
            out.note(format_args!(
                "{path}: dropped a torn last line of {torn} bytes"
            ));
        }
        match (found.total(), found.blocks().len(), plan.blocks().len()) {
            (Some(_), ..) => out.note(format_args!(
                "{path}: complete, the count is from its own record"
            )),
            (None, 0, _) => {}
            (None, done, blocks) => out.note(format_args!(
                "{path}: resuming with {done} of {blocks} blocks recorded"
            )),
        }
        Ok(Some(recorder))
    }

    /// One pass over the plan, recorded or not, with its progress shown: the count of all
    /// blocks, and of each.
    fn pass(
        &self,
        runner: &Runner,
        plan: &Plan,
        recorder: Option<&Recorder>,
        run: impl FnOnce(&[usize], &Runner) -> Result<Counted, Error>,
        label: &str,
    ) -> Result<(Counted, BTreeMap<usize, u128>)> {
        let found = recorder.map(Recorder::found);
        let pace = Pace::new(plan, runner.thread_count(), found);
        let outcome = self.session.watch(label, pace, |progress| {
            if let Some(recorder) = recorder {
                let observer = (progress, recorder);
                let mut counted = run(&recorder.missing(), &runner.clone().observer(&observer))?;
                counted.count = recorder.total().expect("a complete run closes its ledger");
                return Ok((counted, recorder.counts()));
            }
            let counts = Mutex::new(BTreeMap::new());
            let collect = |block: &FinishedBlock| {
                let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
                counts.insert(block.index, block.count);
            };
            let all: Vec<usize> = (0..plan.blocks().len()).collect();
            let observer = (progress, &collect);
            let counted = run(&all, &runner.clone().observer(&observer))?;
            let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
            Ok((counted, counts))
        });
        outcome.map_err(|error| self.explain(error, recorder))
    }

    fn double_check(
        &self,
        runner: &Runner,
        plan: &Plan,
        check: &DoubleCheck,
        recorder: Option<&Recorder>,
    ) -> Result<()> {
        if let Some(recorder) = recorder {
            let blocks = recorder.found().blocks().iter();
            let recorded = blocks.map(|block| (block.index, block.count));
            let compared = check.compare(recorded, runner);
            compared.map_err(|error| self.explain(error, Some(recorder)))?;
        }
        let label = format!("n = {} again", plan.problem().n());
        let run = |blocks: &[usize], runner: &Runner| check.run_blocks(blocks, runner);
        self.pass(runner, plan, recorder, run, &label)?;
        Ok(())
    }

    /// An interruption in the user's terms: why, what is kept, how to go on.
    fn explain(&self, error: Error, recorder: Option<&Recorder>) -> anyhow::Error {
        if !matches!(error, Error::Interrupted) {
            return error.into();
        }
        let why = self.session.why();
        let kept = match (recorder, &self.wishes.checkpoint) {
            (Some(recorder), _) => {
                let header = recorder.found().header();
                let (done, path) = (recorder.counts().len(), recorder.found().path().display());
                format!("with {done} of {} blocks recorded in {path}", header.blocks)
            }
            (None, Some(_)) => "during the double-check, with every block recorded".to_owned(),
            (None, None) => {
                return Exit::Interrupted.because(format!(
                    "{why}, before the count was complete; nothing is kept without --checkpoint FILE"
                ));
            }
        };
        Exit::Interrupted.because(format!("{why} {kept}; resume with: {}", command_line()))
    }
}

/// Where the second count is recorded.
fn check_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".check");
    name.into()
}
