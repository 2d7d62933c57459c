//! Hands the blocks of a plan to threads and adds up what they count.
//!
//! Each thread takes the next block by one atomic increment until none is left. It
//! knows nothing about engines, files or terminals: an [`Observer`] hears of every
//! finished block, a [`Cancel`] ends the run early.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use crate::{Cpu, Error, Plan, Tally, plan::Block};

/// A flag that ends a run early. Clones share the flag.
///
/// ```
/// use queens::{Cancel, Count, Error};
///
/// let cancel = Cancel::new();
/// cancel.cancel();
/// assert!(matches!(Count::new(8)?.cancel(&cancel).run(), Err(Error::Interrupted)));
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every run that holds this flag to stop; it does so within a second.
    pub fn cancel(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether the flag was raised.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// What a finished block has to report.
#[derive(Debug, Clone, Copy)]
pub struct FinishedBlock {
    /// Its place in [`Plan::blocks`].
    pub index: usize,
    /// The block itself: its tasks and estimated cost.
    pub block: Block,
    /// Its weighted count.
    pub count: u128,
    /// How long one thread took.
    pub elapsed: Duration,
}

/// Hears of every finished block, on the thread that finished it.
pub trait Observer: Sync {
    /// Called once per block, in any order, from several threads at once.
    fn finished(&self, block: &FinishedBlock);
}

/// The observer that does not listen.
impl Observer for () {
    fn finished(&self, _: &FinishedBlock) {}
}

/// How to run a plan.
pub(crate) struct Runner<'a> {
    pub(crate) threads: usize,
    pub(crate) cpu: Cpu,
    pub(crate) cancel: &'a Cancel,
    pub(crate) observer: &'a dyn Observer,
}

impl Runner<'_> {
    /// Counts the blocks with these indices and returns their weighted sum.
    pub(crate) fn run(&self, plan: &Plan, indices: &[usize]) -> Result<Tally, Error> {
        let next = AtomicUsize::new(0);
        let outcome = Mutex::new(Ok(Tally::default()));
        let failed = AtomicBool::new(false);
        self.pool()?.broadcast(|_| {
            let part = self.work(plan, indices, &next, &failed);
            // A poisoned lock means that another worker panicked, which broadcast
            // passes on; the sum it guards is still whole.
            let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
            let sum = match (&*outcome, part) {
                (Ok(sum), Ok(part)) => {
                    let mut sum: Tally = *sum;
                    sum.add(1, part.total()).map(|()| sum)
                }
                (Ok(_), Err(error)) => Err(error),
                (Err(_), _) => return,
            };
            *outcome = sum;
        });
        outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// One thread's share: block after block until none is left.
    fn work(
        &self,
        plan: &Plan,
        indices: &[usize],
        next: &AtomicUsize,
        failed: &AtomicBool,
    ) -> Result<Tally, Error> {
        let mut worker = plan.search().worker(self.cpu);
        let mut tally = Tally::default();
        while let Some(&index) = indices.get(next.fetch_add(1, Relaxed)) {
            if self.cancel.is_cancelled() || failed.load(Relaxed) {
                return Err(Error::Interrupted);
            }
            let block = plan.blocks()[index];
            let start = Instant::now();
            let count = worker
                .count(block.range(), self.cancel)
                .inspect_err(|_| failed.store(true, Relaxed))?;
            tally.add(1, count)?;
            self.observer.finished(&FinishedBlock {
                index,
                block,
                count,
                elapsed: start.elapsed(),
            });
        }
        Ok(tally)
    }

    fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        let threads = self.threads;
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| Error::Threads {
                threads,
                reason: error.to_string(),
            })
    }
}
