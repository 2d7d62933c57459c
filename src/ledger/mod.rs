//! A ledger: what a run has counted, on disk, block by block. A checkpoint is a ledger
//! of a whole plan, a shard's file is a ledger of its blocks, and a double-check is
//! a second ledger of the same blocks by another route: one format, one reader, one
//! set of checks.
//!
//! ```text
//! {"format":3,"plan":"…","n":8,"engine":"rows","blocks":2,"version":"0.1.0","check":"…"}
//! {"block":1,"first":9,"tasks":7,"count":"40","seconds":0.002,"check":"…"}
//! {"block":0,"first":0,"tasks":9,"count":"52","seconds":0.003,"check":"…"}
//! {"total":"92","blocks":2,"check":"…"}
//! ```
//!
//! It is only ever appended to ([`Recorder`]), a line at a time. A process or a
//! machine that dies leaves whole lines and perhaps a torn last one, without its
//! line feed; that one is dropped. Anything else that is not as it was written is
//! refused with its line number, never repaired and never guessed.

mod block;
mod chain;
mod header;
mod merge;
mod read;
mod recorder;
mod shard_files;
mod shards;
mod sum;
#[cfg(test)]
mod tests;

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

pub use self::{
    block::RecordedBlock,
    header::Header,
    merge::{Merged, merge},
    recorder::Recorder,
    shards::{Claim, Shards, Survey},
};
use self::{chain::Chain, sum::Sum};
use crate::{
    count::plan::Plan,
    error::{Error, counted},
};

/// A ledger as it was read.
///
/// ```
/// use queens::{Count, Route, Runner, ledger::{Ledger, Recorder}, plan::Shard};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("run.jsonl");
/// let plan = Count::new(8)?.plan()?;
/// let recorder = Recorder::open(&path, &plan, Shard::WHOLE, Route::Direct)?;
/// plan.run(&Runner::new().observer(&recorder))?;
///
/// let ledger = Ledger::read(&path)?;
/// assert_eq!(ledger.total(), Some(92));
/// assert!(ledger.missing().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Ledger {
    path: PathBuf,
    header: Header,
    blocks: Vec<RecordedBlock>,
    sum: Sum,
    closed: bool,
    torn: usize,
    chain: Chain,
}

impl Ledger {
    /// One that has a header and no block yet, and this many bytes after it.
    fn new(path: &Path, header: Header, chain: Chain, torn: usize) -> Ledger {
        Ledger {
            path: path.to_owned(),
            sum: Sum::new(&header.problem),
            header,
            blocks: Vec::new(),
            closed: false,
            torn,
            chain,
        }
    }

    /// The file that it was read from.
    ///
    /// ```
    /// use queens::{Count, Route, ledger::Recorder, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// assert_eq!(recorder.found().path(), file.path());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is about.
    ///
    /// ```
    /// use queens::{Count, Route, ledger::Recorder, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// assert_eq!(recorder.found().header().problem.n(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The recorded blocks, in the order in which they were finished.
    ///
    /// ```
    /// use queens::{Count, Engine, Route, Runner, ledger::{Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(14)?.engine(Engine::Rows).plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// plan.run_blocks(&[2, 0], &Runner::new().threads(1).observer(&recorder))?;
    /// let ledger = Ledger::read(file.path())?;
    /// assert!(ledger.blocks().iter().map(|block| block.index).eq([2, 0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn blocks(&self) -> &[RecordedBlock] {
        &self.blocks
    }

    /// The sum of the recorded counts, whether or not that is all of them.
    ///
    /// ```
    /// use queens::{Count, Route, Runner, ledger::{Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(10)?.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// plan.run(&Runner::new().observer(&recorder))?;
    /// assert_eq!(Ledger::read(file.path())?.sum(), 724);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sum(&self) -> u128 {
        self.sum.total()
    }

    /// The sum of all counts, if the ledger is complete and closed.
    ///
    /// ```
    /// use queens::{Count, Route, ledger::Recorder, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// assert_eq!(recorder.found().total(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn total(&self) -> Option<u128> {
        self.closed.then(|| self.sum())
    }

    /// How many bytes of a torn last line were left out.
    ///
    /// ```
    /// use queens::{Count, Route, ledger::{Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// let torn = [std::fs::read(file.path())?, b"{\"block\"".to_vec()].concat();
    /// assert_eq!(Ledger::parse(file.path(), &torn)?.torn(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn torn(&self) -> usize {
        self.torn
    }

    /// The time that threads have spent on the recorded blocks.
    ///
    /// ```
    /// use queens::{Count, Route, ledger::Recorder, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// assert_eq!(recorder.found().seconds(), 0.0); // nothing is recorded yet
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn seconds(&self) -> f64 {
        // An empty sum of floats would be -0.
        let seconds = self.blocks.iter().map(|block| block.seconds);
        seconds.fold(0.0, |sum, one| sum + one)
    }

    /// The blocks that should be recorded here and are not yet.
    ///
    /// ```
    /// use queens::{Count, Engine, Route, ledger::Recorder, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(14)?.engine(Engine::Rows).plan()?;
    /// assert_eq!(plan.blocks().len(), 6);
    /// let recorder = Recorder::open(file.path(), &plan, Shard::new(0, 2)?, Route::Direct)?;
    /// assert_eq!(recorder.found().missing(), [0, 2, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn missing(&self) -> Vec<usize> {
        let found: HashSet<usize> = self.blocks.iter().map(|block| block.index).collect();
        let blocks = self.header.shard.blocks(self.header.blocks);
        blocks.filter(|block| !found.contains(block)).collect()
    }

    /// The plan that it is about, made again.
    ///
    /// ```
    /// use queens::{Count, Route, ledger::{Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// assert_eq!(Ledger::read(file.path())?.plan()?.id(), plan.id());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan(&self) -> Result<Plan, Error> {
        let plan = Plan::new(&self.header.problem, self.header.engine)?;
        self.check(&plan)?;
        Ok(plan)
    }

    /// Refuses a ledger of another plan, and one that contradicts this plan in its header
    /// or in any of its blocks.
    ///
    /// ```
    /// use queens::{Count, Error, Route, ledger::{Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let (plan, other) = (Count::new(8)?.plan()?, Count::new(9)?.plan()?);
    /// Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// let ledger = Ledger::read(file.path())?;
    /// assert!(ledger.check(&plan).is_ok());
    /// assert!(matches!(ledger.check(&other), Err(Error::Foreign { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, plan: &Plan) -> Result<(), Error> {
        let here = Header::new(plan, self.header.shard, self.header.route);
        if self.header.plan != here.plan {
            return Err(self.foreign_to(&here));
        }
        if !self.header.is_same_plan(&here) {
            let reason = format!(
                "it is not the header of {here} with {}",
                counted(here.blocks, "block")
            );
            return Err(self.damaged(1, reason));
        }
        for (block, line) in self.blocks.iter().zip(2..) {
            let planned = plan.blocks()[block.index];
            if (block.first, block.tasks) != (planned.first, planned.tasks) {
                return Err(self.damaged(
                    line,
                    format!(
                        "block {} has {} tasks from {}, and the plan says {} from {}",
                        block.index, block.tasks, block.first, planned.tasks, planned.first
                    ),
                ));
            }
        }
        Ok(())
    }

    /// This ledger, if it is one of this run of the plan.
    fn of_run(self, plan: &Plan, run: &Header) -> Result<Ledger, Error> {
        if !self.header.is_same_run(run) {
            return Err(self.foreign_to(run));
        }
        self.check(plan)?;
        Ok(self)
    }

    fn damaged(&self, line: usize, reason: impl Into<String>) -> Error {
        Error::Damaged {
            path: self.path.clone(),
            line,
            reason: reason.into(),
        }
    }

    /// The refusal of a file that is not of this run.
    fn foreign_to(&self, run: &Header) -> Error {
        let (header, version) = (&self.header, &self.header.version);
        Error::Foreign {
            path: self.path.clone(),
            reason: format!(
                "it is the ledger of {header}, begun by queens {version}, and this is {run} in queens {}; name another file for this run, or repeat the command that began that one",
                run.version
            ),
        }
    }
}
