//! The front door: a problem in, a count out, everything else with a default.

pub(crate) mod checksum;
mod double_check;
mod handout;
pub mod known;
mod observer;
pub mod plan;
pub(crate) mod run;
mod shard;
mod simulation;

pub(crate) use self::plan::Plan;
pub use self::{
    double_check::DoubleCheck,
    observer::{FinishedBlock, Observer},
    run::{Counted, Runner},
};
use crate::{
    board::Problem,
    engine::{Cpu, Engine},
    error::Error,
    threads::Cancel,
};

/// The number of solutions for a board of side `n`, on all threads that this process
/// may use.
///
/// ```
/// assert_eq!(queens::count(10)?, 724);
/// # Ok::<(), queens::Error>(())
/// ```
pub fn count(n: u32) -> Result<u128, Error> {
    Count::new(n)?.run().map(|counted| counted.count)
}

/// A count to be made.
///
/// ```
/// use queens::{Count, Engine};
///
/// let counted = Count::new(10)?.engine(Engine::Rows).threads(2).run()?;
/// assert_eq!(counted.count, 724);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Count<'a> {
    problem: Problem,
    engine: Option<Engine>,
    runner: Runner<'a>,
}

/// The count of a problem with required or forbidden squares.
///
/// ```
/// use queens::{Count, Problem};
///
/// let problem = Problem::new(8)?.require("d8".parse()?)?;
/// assert_eq!(Count::from(problem).run()?.count, 18);
/// # Ok::<(), queens::Error>(())
/// ```
impl From<Problem> for Count<'_> {
    fn from(problem: Problem) -> Self {
        Count {
            problem,
            engine: None,
            runner: Runner::new(),
        }
    }
}

impl<'a> Count<'a> {
    /// All placements of `n` queens, from 0 to [`MAX_N`](crate::MAX_N).
    ///
    /// ```
    /// use queens::Count;
    ///
    /// assert_eq!(Count::new(0)?.run()?.count, 1); // no queens, placed in the one way there is
    /// assert!(Count::new(33).is_err());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn new(n: u32) -> Result<Self, Error> {
        Problem::new(n).map(Self::from)
    }

    /// Counts with this engine instead of [`Engine::auto`].
    ///
    /// ```
    /// use queens::{Count, Engine};
    ///
    /// let counted = Count::new(9)?.engine(Engine::Colours).run()?;
    /// assert_eq!((counted.count, counted.engine), (352, Engine::Colours));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = Some(engine);
        self
    }

    /// Uses this kernel instead of [`Cpu::detect`].
    ///
    /// ```
    /// use queens::{Count, Cpu, Engine};
    ///
    /// let count = Count::new(10)?.engine(Engine::Colours);
    /// for cpu in Cpu::ALL.iter().copied().filter(|cpu| cpu.is_available()) {
    ///     assert_eq!(count.clone().cpu(cpu).run()?.count, 724);
    /// }
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn cpu(mut self, cpu: Cpu) -> Self {
        self.runner = self.runner.cpu(cpu);
        self
    }

    /// Runs on this many threads instead of as many as the process may use.
    ///
    /// ```
    /// use queens::Count;
    ///
    /// assert_eq!(Count::new(10)?.threads(2).run()?.count, 724);
    /// assert!(Count::new(10)?.threads(0).run().is_err());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn threads(mut self, threads: usize) -> Self {
        self.runner = self.runner.threads(threads);
        self
    }

    /// Calls this on each thread, with its number from 0, before its first block.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// let started = Arc::new(Mutex::new(Vec::new()));
    /// let threads = started.clone();
    /// let count = queens::Count::new(8)?.on_each_thread(move |it| threads.lock().unwrap().push(it));
    /// assert_eq!(count.run()?.count, 92);
    /// assert_eq!(*started.lock().unwrap(), [0]); // there is one block
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn on_each_thread(mut self, call: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.runner = self.runner.on_each_thread(call);
        self
    }

    /// Stops when this flag is raised.
    ///
    /// ```
    /// use std::thread;
    ///
    /// use queens::{Cancel, Count, Error};
    ///
    /// let cancel = Cancel::new();
    /// let count = Count::new(20)?.cancel(&cancel);
    /// let run = thread::scope(|scope| {
    ///     scope.spawn(|| cancel.cancel());
    ///     count.run()
    /// });
    /// assert_eq!(run.unwrap_err(), Error::Interrupted);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.runner = self.runner.cancel(cancel);
        self
    }

    /// Tells this observer of every finished block, and nobody else.
    ///
    /// ```
    /// use queens::{Count, FinishedBlock};
    ///
    /// let show = |block: &FinishedBlock| println!("{:.0} %", 100.0 * block.progress);
    /// assert_eq!(Count::new(8)?.observer(&show).run()?.count, 92);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn observer<'b>(self, observer: &'b dyn Observer) -> Count<'b> {
        Count {
            problem: self.problem,
            engine: self.engine,
            runner: self.runner.observer(observer),
        }
    }

    /// What is counted.
    ///
    /// ```
    /// assert_eq!(queens::Count::new(8)?.problem().n(), 8);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// How it is run: its threads, kernel, cancel flag and observer.
    ///
    /// ```
    /// use queens::{Count, Route};
    ///
    /// let count = Count::new(9)?.threads(2);
    /// let again = count.runner().clone().route(Route::Image);
    /// assert_eq!(count.plan()?.run(&again)?.count, 352);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn runner(&self) -> &Runner<'a> {
        &self.runner
    }

    /// The plan of this count: its blocks and their costs.
    ///
    /// ```
    /// use queens::Count;
    ///
    /// // The threads share the blocks of a plan; they do not change it.
    /// let plan = |threads| Count::new(16)?.threads(threads).plan();
    /// assert_eq!(plan(1)?.id(), plan(64)?.id());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn plan(&self) -> Result<Plan, Error> {
        let engine = self.engine.unwrap_or_else(|| Engine::auto(&self.problem));
        Plan::new_cancellable(&self.problem, engine, self.runner.cancel_flag())
    }

    /// Counts.
    ///
    /// ```
    /// assert_eq!(queens::Count::new(10)?.run()?.count, 724);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn run(&self) -> Result<Counted, Error> {
        self.plan()?.run(&self.runner)
    }
}
