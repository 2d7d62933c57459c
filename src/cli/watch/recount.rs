//! Recorded blocks, counted again by another route and compared: how `queens shard verify`
//! and `queens records verify` check what was counted earlier.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use anyhow::Result;
use queens::{Count, DoubleCheck, Error, FinishedBlock, Runner, ledger::Ledger, plan::Plan};

use crate::cli::{
    exit::Exit,
    platform::shell::command_line,
    report::humanize::counted,
    watch::{eta::Pace, progress::View, session::Session},
};

/// A second count of some blocks of a plan.
pub struct Recount<'a> {
    session: &'a Session<'a>,
    plan: &'a Plan,
    runner: Runner<'a>,
    /// The blocks that have the recorded count, as they were finished.
    agreed: Mutex<Vec<usize>>,
}

impl<'a> Recount<'a> {
    pub fn new(session: &'a Session, count: &Count<'a>, plan: &'a Plan) -> Recount<'a> {
        Recount {
            session,
            plan,
            runner: count.runner().clone().cancel(&session.cancel),
            agreed: Mutex::default(),
        }
    }

    /// Counts these blocks of a ledger again, or, in their order, as many as can be begun in
    /// the time that there is. A count that is not the recorded one is an error.
    pub fn run(
        &self,
        ledger: &Ledger,
        blocks: &[usize],
        time: Option<Duration>,
        label: &str,
    ) -> Result<()> {
        let counts = ledger.blocks().iter();
        let counts = counts.map(|block| (block.index, block.count));
        let check = DoubleCheck::new(self.plan, counts);
        let collect = |block: &FinishedBlock| self.so_far().push(block.index);
        let ran = if let Some(time) = time {
            let runner = self.runner.clone().observer(&collect);
            let all = blocks.len();
            let view = |elapsed| {
                let done = self.so_far().len();
                let words = [format!("{done} of {}", counted(all, "block"))];
                View::limited(elapsed, Some(time), done as u64, Some(all as u64), words)
            };
            let again = || check.run_for(time, blocks, &runner);
            self.session.follow(label, view, again)
        } else {
            let threads = self.runner.thread_count();
            let pace = Pace::over(self.plan, blocks.iter().copied(), threads);
            self.session.watch(label, pace, |progress| {
                let observer = (progress, &collect);
                check.run_blocks(blocks, &self.runner.clone().observer(&observer))
            })
        };
        match ran {
            Ok(_) => Ok(()),
            Err(Error::Interrupted) => Err(Exit::Interrupted.because(format!(
                "{} with {} verified; begin again with: {}",
                self.session.why(),
                counted(self.so_far().len(), "block"),
                command_line()
            ))),
            Err(error) => Err(anyhow::Error::new(error)
                .context(format!("{} is not verified", ledger.path().display()))),
        }
    }

    /// The blocks that have the recorded count, in order.
    pub fn agreed(&self) -> Vec<usize> {
        let mut agreed = self.so_far().clone();
        agreed.sort_unstable();
        agreed
    }

    fn so_far(&self) -> MutexGuard<'_, Vec<usize>> {
        self.agreed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
