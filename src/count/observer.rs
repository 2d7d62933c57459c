//! Who hears of a count while it runs: an observer, told of every finished block.

use std::time::Duration;

use super::plan::{Block, PlanId};
use crate::{engine::Route, error::Error};

/// What a finished block has to report.
///
/// ```
/// use queens::{Count, FinishedBlock};
///
/// let show = |block: &FinishedBlock| {
///     println!("{:.0} % done: {} solutions more", 100.0 * block.progress, block.count);
/// };
/// assert_eq!(Count::new(12)?.observer(&show).run()?.count, 14_200);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FinishedBlock {
    /// Its place in [`Plan::blocks`](crate::plan::Plan::blocks).
    pub index: usize,
    /// The block itself: its tasks and estimated cost.
    pub block: Block,
    /// The plan that it belongs to.
    pub plan: PlanId,
    /// The route by which it was counted.
    pub route: Route,
    /// Its weighted count.
    pub count: u128,
    /// How long one thread took.
    pub elapsed: Duration,
    /// How much of the estimated cost of this run is finished with it: above 0, and 1 for
    /// the last block.
    pub progress: f64,
}

/// Hears of every finished block, on the thread that finished it.
///
/// A closure that takes a [`FinishedBlock`] is an observer that never objects, and a pair
/// of references to observers is one. This one objects:
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
    /// use std::sync::Mutex;
    ///
    /// use queens::{Count, FinishedBlock};
    ///
    /// let counts = Mutex::new(Vec::new());
    /// let collect = |block: &FinishedBlock| counts.lock().unwrap().push(block.count);
    /// Count::new(14)?.observer(&collect).run()?;
    /// assert_eq!(counts.into_inner().unwrap().iter().sum::<u128>(), 365_596);
    /// # Ok::<(), queens::Error>(())
    /// ```
    fn finished(&self, block: &FinishedBlock) -> Result<(), Error>;

    /// Called once when the run has ended, with or without an error, on the thread that
    /// began it. An error is what a run returns that would have succeeded.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    ///
    /// use queens::{Cancel, Count, Error, FinishedBlock, Observer};
    ///
    /// struct Ended(AtomicBool);
    /// impl Observer for Ended {
    ///     fn finished(&self, _: &FinishedBlock) -> Result<(), Error> {
    ///         Ok(())
    ///     }
    ///
    ///     fn ended(&self) -> Result<(), Error> {
    ///         self.0.store(true, Relaxed);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let (ended, cancel) = (Ended(AtomicBool::new(false)), Cancel::new());
    /// let plan = Count::new(8)?.plan()?;
    /// cancel.cancel();
    /// assert!(plan.run(&queens::Runner::new().cancel(&cancel).observer(&ended)).is_err());
    /// assert!(ended.0.into_inner());
    /// # Ok::<(), queens::Error>(())
    /// ```
    fn ended(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// The observer that does not listen.
impl Observer for () {
    fn finished(&self, _: &FinishedBlock) -> Result<(), Error> {
        Ok(())
    }
}

impl<F: Fn(&FinishedBlock) + Sync> Observer for F {
    fn finished(&self, block: &FinishedBlock) -> Result<(), Error> {
        self(block);
        Ok(())
    }
}

/// Two observers, told one after the other: the second hears only of blocks that
/// the first does not object to.
impl<A: Observer + ?Sized, B: Observer + ?Sized> Observer for (&A, &B) {
    fn started(&self, thread: usize) {
        self.0.started(thread);
        self.1.started(thread);
    }

    fn finished(&self, block: &FinishedBlock) -> Result<(), Error> {
        self.0.finished(block)?;
        self.1.finished(block)
    }

    fn ended(&self) -> Result<(), Error> {
        self.0.ended().and(self.1.ended())
    }
}
