//! Hands the blocks of a plan to threads and adds up what they count.
//!
//! Each thread takes the next block by one atomic increment until none is left. It
//! knows nothing about engines, files or terminals: an [`Observer`] hears of every
//! finished block, a [`Cancel`] ends the run early.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use crate::{
    count::{Plan, plan::Block},
    engine::{Cpu, Route, Tally},
    error::Error,
    threads::{Cancel, pool},
};

/// What a finished block has to report.
///
/// ```
/// use std::time::Duration;
///
/// use queens::{FinishedBlock, plan::Block};
///
/// let block = Block { first: 0, tasks: 21, cost: 80_000 };
/// let finished = FinishedBlock { index: 0, block, count: 92, elapsed: Duration::from_micros(20) };
/// assert_eq!(finished.block.range(), 0..21);
/// ```
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
///
/// ```
/// use queens::{Count, Error, FinishedBlock, Observer};
///
/// struct Limit(u128);
/// impl Observer for Limit {
///     fn finished(&self, block: &FinishedBlock) -> Result<(), Error> {
///         if block.count > self.0 { Err(Error::Interrupted) } else { Ok(()) }
///     }
/// }
///
/// assert_eq!(Count::new(8)?.observer(&Limit(100)).run()?.count, 92);
/// assert!(Count::new(9)?.observer(&Limit(100)).run().is_err());
/// # Ok::<(), queens::Error>(())
/// ```
pub trait Observer: Sync {
    /// Called once on each thread before its first block; threads are numbered from 0.
    ///
    /// ```
    /// use std::sync::Mutex;
    ///
    /// use queens::{Count, Error, FinishedBlock, Observer};
    ///
    /// #[derive(Default)]
    /// struct Threads(Mutex<Vec<usize>>);
    /// impl Observer for Threads {
    ///     fn started(&self, thread: usize) {
    ///         self.0.lock().unwrap().push(thread);
    ///     }
    ///
    ///     fn finished(&self, _: &FinishedBlock) -> Result<(), Error> {
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let threads = Threads::default();
    /// Count::new(8)?.threads(1).observer(&threads).run()?;
    /// assert_eq!(threads.0.into_inner().unwrap(), [0]);
    /// # Ok::<(), queens::Error>(())
    /// ```
    fn started(&self, _thread: usize) {}

    /// Called once per block, in any order, from several threads at once. An error
    /// ends the run, and is what the run returns.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use queens::{BlockCounts, Count, FinishedBlock, Observer};
    ///
    /// let counts = BlockCounts::default();
    /// let block = Count::new(8)?.plan()?.blocks()[0];
    /// counts.finished(&FinishedBlock { index: 0, block, count: 92, elapsed: Duration::ZERO })?;
    /// assert_eq!(counts.into_inner()[&0], 92);
    /// # Ok::<(), queens::Error>(())
    /// ```
    fn finished(&self, block: &FinishedBlock) -> Result<(), Error>;
}

/// The observer that does not listen.
impl Observer for () {
    fn finished(&self, _: &FinishedBlock) -> Result<(), Error> {
        Ok(())
    }
}

/// Two observers, told one after the other: the second hears only of blocks that
/// the first was content with.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn started(&self, thread: usize) {
        self.0.started(thread);
        self.1.started(thread);
    }

    fn finished(&self, block: &FinishedBlock) -> Result<(), Error> {
        self.0.finished(block)?;
        self.1.finished(block)
    }
}

impl<T: Observer + ?Sized> Observer for &T {
    fn started(&self, thread: usize) {
        (**self).started(thread);
    }

    fn finished(&self, block: &FinishedBlock) -> Result<(), Error> {
        (**self).finished(block)
    }
}

/// The counts of finished blocks by their index, for a check later on.
///
/// ```
/// use queens::{BlockCounts, Count};
///
/// let counts = BlockCounts::default();
/// Count::new(8)?.observer(&counts).run()?;
/// assert_eq!(counts.into_inner().values().sum::<u128>(), 92);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct BlockCounts(Mutex<BTreeMap<usize, u128>>);

impl BlockCounts {
    /// What has been collected.
    ///
    /// ```
    /// use queens::{BlockCounts, Count};
    ///
    /// let counts = BlockCounts::default();
    /// let count = Count::new(10)?.observer(&counts);
    /// let blocks = count.plan()?.blocks().len();
    /// count.run()?;
    /// assert!(counts.into_inner().into_keys().eq(0..blocks));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn into_inner(self) -> BTreeMap<usize, u128> {
        let counts = self.0.into_inner();
        counts.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for BlockCounts {
    fn finished(&self, block: &FinishedBlock) -> Result<(), Error> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.insert(block.index, block.count);
        Ok(())
    }
}

/// How to run a plan.
pub(crate) struct Runner<'a> {
    pub(crate) threads: usize,
    pub(crate) cpu: Cpu,
    pub(crate) route: Route,
    pub(crate) cancel: &'a Cancel,
    pub(crate) observer: &'a dyn Observer,
}

impl Runner<'_> {
    /// Counts the blocks with these indices and returns their weighted sum.
    pub(crate) fn run(&self, plan: &Plan, indices: &[usize]) -> Result<Tally, Error> {
        let next = AtomicUsize::new(0);
        let mut sum = Tally::default();
        // A thread without a block would only be in the way of the others.
        let threads = self.threads.min(indices.len()).max(1);
        for part in self.on_threads(threads, |stop| self.work(plan, indices, &next, stop))? {
            sum.add(1, part.total())?;
        }
        Ok(sum)
    }

    /// Does this work on each of so many threads. The first error stops the others too.
    pub(crate) fn on_threads<T: Send>(
        &self,
        threads: usize,
        work: impl Fn(&Cancel) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let stop = self.cancel.child();
        let parts = pool(threads)?.broadcast(|context| {
            self.observer.started(context.index());
            work(&stop).inspect_err(|_| stop.cancel())
        });
        let (done, errors): (Vec<_>, Vec<_>) = parts.into_iter().partition(Result::is_ok);
        // An error interrupts the other threads; it is the one to report.
        let errors = errors.into_iter().filter_map(Result::err);
        match errors.min_by_key(|error| matches!(error, Error::Interrupted)) {
            Some(error) => Err(error),
            None => done.into_iter().collect(),
        }
    }

    /// One thread's share: block after block until none is left.
    fn work(
        &self,
        plan: &Plan,
        indices: &[usize],
        next: &AtomicUsize,
        stop: &Cancel,
    ) -> Result<Tally, Error> {
        let mut worker = plan.search().worker(self.cpu, self.route);
        let mut tally = Tally::default();
        while let Some(&index) = indices.get(next.fetch_add(1, Relaxed)) {
            if stop.is_cancelled() {
                return Err(Error::Interrupted);
            }
            let block = plan.blocks()[index];
            let start = Instant::now();
            let count = worker.count(block.range(), stop)?;
            tally.add(1, count)?;
            self.observer.finished(&FinishedBlock {
                index,
                block,
                count,
                elapsed: start.elapsed(),
            })?;
        }
        Ok(tally)
    }
}
