//! How a plan is run: on which threads, by which kernel and route, who listens, and
//! what stops it.
//!
//! A run knows nothing about files or terminals. An [`Observer`] hears of every
//! finished block, a [`Cancel`] ends the run early. Threads may share a block ([`handout`]): it
//! is finished when all of its tasks are counted, and who counts the last ones says so.
//!
//! [`handout`]: super::handout

use std::{
    collections::HashMap,
    fmt,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::{
    handout::{Handout, Load, Piece},
    observer::{FinishedBlock, Observer},
    plan::{Block, Plan},
};
use crate::{
    engine::{Cpu, Engine, Route, Tally, Worker},
    error::Error,
    threads::{Cancel, Crew, check_threads},
};

/// How to run a plan. Everything has a default.
///
/// ```
/// use queens::{Count, Runner, plan::Plan};
///
/// let plan: Plan = Count::new(14)?.plan()?;
/// let runner = Runner::new().threads(2);
/// assert_eq!(plan.run(&runner)?.count, 365_596);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Clone)]
pub struct Runner<'a> {
    threads: Option<usize>,
    cpu: Option<Cpu>,
    route: Route,
    cancel: Cancel,
    on_each_thread: Arc<dyn Fn(usize) + Send + Sync>,
    observer: &'a dyn Observer,
}

impl fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("threads", &self.threads)
            .field("cpu", &self.cpu)
            .field("route", &self.route)
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}

impl Default for Runner<'_> {
    fn default() -> Self {
        Runner {
            threads: None,
            cpu: None,
            route: Route::Direct,
            cancel: Cancel::new(),
            on_each_thread: Arc::new(|_| ()),
            observer: &(),
        }
    }
}

impl<'a> Runner<'a> {
    /// All threads that this process may use, the fastest kernel, nobody listening.
    ///
    /// ```
    /// use queens::{Count, Runner};
    ///
    /// assert_eq!(Count::new(8)?.plan()?.run(&Runner::new())?.count, 92);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs on this many threads, from 1 to [`MAX_THREADS`](crate::MAX_THREADS).
    ///
    /// ```
    /// assert_eq!(queens::Runner::new().threads(3).thread_count(), 3);
    /// ```
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Uses this kernel instead of [`Cpu::detect`].
    ///
    /// ```
    /// use queens::{Count, Cpu, Engine, Runner};
    ///
    /// let plan = Count::new(10)?.engine(Engine::Colours).plan()?;
    /// for &cpu in Cpu::ALL.iter().filter(|cpu| cpu.is_available()) {
    ///     assert_eq!(plan.run(&Runner::new().cpu(cpu))?.count, 724);
    /// }
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn cpu(mut self, cpu: Cpu) -> Self {
        self.cpu = Some(cpu);
        self
    }

    /// Counts each task by this route: a second one checks the first.
    ///
    /// ```
    /// use queens::{Count, Route, Runner};
    ///
    /// let plan = Count::new(9)?.plan()?;
    /// assert_eq!(plan.run(&Runner::new().route(Route::Image))?.count, 352);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn route(mut self, route: Route) -> Self {
        self.route = route;
        self
    }

    /// Calls this on each thread, with its number from 0, before its first block: to bind
    /// it to a core, say.
    ///
    /// ```
    /// use queens::{Count, Runner};
    ///
    /// let runner = Runner::new().threads(2).on_each_thread(|thread| assert!(thread < 2));
    /// assert_eq!(Count::new(14)?.plan()?.run(&runner)?.count, 365_596);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn on_each_thread(mut self, call: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.on_each_thread = Arc::new(call);
        self
    }

    /// Stops when this flag is raised.
    ///
    /// ```
    /// use queens::{Cancel, Count, Error, Runner};
    ///
    /// let (plan, cancel) = (Count::new(9)?.plan()?, Cancel::new());
    /// cancel.cancel();
    /// let run = plan.run(&Runner::new().cancel(&cancel));
    /// assert_eq!(run.unwrap_err(), Error::Interrupted);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Tells this observer of every finished block, and nobody else.
    ///
    /// ```
    /// use queens::{Count, FinishedBlock, Runner};
    ///
    /// let show = |block: &FinishedBlock| println!("{:.0} %", 100.0 * block.progress);
    /// Count::new(10)?.plan()?.run(&Runner::new().observer(&show))?;
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn observer<'b>(self, observer: &'b dyn Observer) -> Runner<'b> {
        Runner { observer, ..self }
    }

    /// How many threads it runs on.
    ///
    /// ```
    /// assert!(queens::Runner::new().thread_count() >= 1);
    /// ```
    pub fn thread_count(&self) -> usize {
        self.threads.unwrap_or_else(num_cpus::get)
    }

    pub(crate) fn cancel_flag(&self) -> &Cancel {
        &self.cancel
    }

    pub(super) fn observed(&self) -> &'a dyn Observer {
        self.observer
    }

    /// The kernel, if this processor has it.
    pub(crate) fn kernel(&self) -> Result<Cpu, Error> {
        let cpu = self.cpu.unwrap_or_else(Cpu::detect);
        if cpu.is_available() {
            Ok(cpu)
        } else {
            Err(Error::CpuUnavailable(cpu.name()))
        }
    }

    /// The threads, if there can be as many.
    pub(crate) fn crew<'c>(
        &'c self,
        started: &'c (dyn Fn(usize) + Sync),
    ) -> Result<Crew<'c>, Error> {
        let threads = self.thread_count();
        check_threads(threads)?;
        Ok(Crew {
            threads,
            cancel: &self.cancel,
            begin: &*self.on_each_thread,
            started,
        })
    }
}

/// A finished count and how it was made.
///
/// ```
/// use queens::{Count, Engine};
///
/// let counted = Count::new(9)?.threads(1).run()?;
/// assert_eq!((counted.count, counted.engine, counted.threads), (352, Engine::Rows, 1));
///
/// // There is one short block, and so no second thread.
/// assert_eq!(Count::new(9)?.threads(8).run()?.used, 1);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Counted {
    /// The number of solutions.
    pub count: u128,
    /// The engine that counted them.
    pub engine: Engine,
    /// The kernel it used.
    pub cpu: Cpu,
    /// How many threads it could run on.
    pub threads: usize,
    /// How many of them there was work for: no more were started.
    pub used: usize,
    /// How long it took, the making of the plan included.
    pub elapsed: Duration,
}

impl Plan {
    /// Counts every block.
    ///
    /// ```
    /// use queens::{Count, Engine, Runner};
    ///
    /// let plan = Count::new(12)?.engine(Engine::Rows).plan()?;
    /// assert_eq!(plan.run(&Runner::new())?.count, 14_200);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn run(&self, runner: &Runner) -> Result<Counted, Error> {
        let all: Vec<usize> = (0..self.blocks().len()).collect();
        self.run_blocks(&all, runner)
    }

    /// Counts only these blocks: what is left of a run that was cut short, or one shard
    /// of a larger one.
    ///
    /// ```
    /// use queens::{Count, Engine, Runner};
    ///
    /// let plan = Count::new(14)?.engine(Engine::Rows).plan()?;
    /// let blocks: Vec<usize> = (0..plan.blocks().len()).collect();
    /// let (some, others) = blocks.split_at(1);
    /// let count = |blocks| plan.run_blocks(blocks, &Runner::new()).map(|counted| counted.count);
    /// assert_eq!(count(some)? + count(others)?, 365_596);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn run_blocks(&self, indices: &[usize], runner: &Runner) -> Result<Counted, Error> {
        self.run_while(&|_| true, indices, runner)
    }

    /// Counts these blocks in their order, as long as the next of them, which is told its
    /// place, may begin.
    pub(super) fn run_while(
        &self,
        may_begin: &(dyn Fn(usize) -> bool + Sync),
        indices: &[usize],
        runner: &Runner,
    ) -> Result<Counted, Error> {
        let blocks = self.blocks().len();
        if let Some(&index) = indices.iter().find(|&&index| index >= blocks) {
            return Err(Error::NoBlock { index, blocks });
        }
        if !self.routes().contains(&runner.route) {
            return Err(Error::NoRoute(self.engine().name()));
        }
        let (start, observer) = (Instant::now(), runner.observer);
        let started = |thread| observer.started(thread);
        let (cpu, crew) = (runner.kernel()?, runner.crew(&started)?);
        let blocks: Vec<Block> = indices.iter().map(|&index| self.blocks()[index]).collect();
        let open = Mutex::new(Open::new(&blocks, crew.threads));
        let used = locked(&open).handout.busy();
        let counted = crew.share(
            used,
            |thread: &Thread, _| locked(&open).handout.next(thread.last, may_begin),
            || Thread {
                worker: self.search().worker(cpu, runner.route),
                last: None,
            },
            |thread, piece, stop| {
                let block = blocks[piece.place];
                let start = Instant::now();
                let count = thread.worker.count(range(&block, &piece), stop)?;
                thread.last = Some(piece.place);
                let finished = locked(&open).add(&block, &piece, count, start.elapsed())?;
                let Some(finished) = finished else {
                    return Ok(());
                };
                observer.finished(&FinishedBlock {
                    index: indices[piece.place],
                    block,
                    plan: self.id(),
                    route: runner.route,
                    count: finished.tally.total(),
                    elapsed: finished.elapsed,
                    progress: finished.progress,
                })
            },
        );
        let ended = observer.ended();
        counted?;
        ended?;
        Ok(Counted {
            count: locked(&open).total.total(),
            engine: self.engine(),
            cpu: self.engine().kernel(cpu),
            threads: crew.threads,
            used,
            elapsed: self.planning() + start.elapsed(),
        })
    }
}

/// One thread of a run.
struct Thread<'a> {
    worker: Box<dyn Worker + 'a>,
    /// The place of the block that it has had last.
    last: Option<usize>,
}

/// The numbers of the tasks of a piece.
fn range(block: &Block, piece: &Piece) -> Range<u64> {
    block.first + piece.tasks.start..block.first + piece.tasks.end
}

/// A panic of another thread ends the run anyway.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is left of a run, and what has been counted of it.
struct Open {
    handout: Handout,
    /// The blocks of which some tasks are counted.
    parts: HashMap<usize, Part>,
    /// The count of the finished ones, and their cost of that of all.
    total: Tally,
    cost: u128,
    all: u128,
}

/// What is counted of a block.
#[derive(Default)]
struct Part {
    tasks: u64,
    tally: Tally,
    elapsed: Duration,
}

/// A block with all of its tasks.
struct Finished {
    tally: Tally,
    elapsed: Duration,
    progress: f64,
}

impl Open {
    fn new(blocks: &[Block], threads: usize) -> Self {
        let load = |&Block { tasks, cost, .. }: &Block| Load { tasks, cost };
        Open {
            handout: Handout::new(blocks.iter().map(load).collect(), threads),
            parts: HashMap::new(),
            total: Tally::default(),
            cost: 0,
            all: blocks.iter().map(|block| u128::from(block.cost)).sum(),
        }
    }

    /// Adds what a thread has counted: the block, if that was all that it lacked.
    fn add(
        &mut self,
        block: &Block,
        piece: &Piece,
        count: u128,
        elapsed: Duration,
    ) -> Result<Option<Finished>, Error> {
        let part = self.parts.entry(piece.place).or_default();
        part.tasks += piece.tasks.end - piece.tasks.start;
        part.tally.add(1, count)?;
        part.elapsed += elapsed;
        if part.tasks < block.tasks {
            return Ok(None);
        }
        let (tally, elapsed) = (part.tally, part.elapsed);
        self.parts.remove(&piece.place);
        self.total.add(1, tally.total())?;
        self.cost += u128::from(block.cost);
        Ok(Some(Finished {
            tally,
            elapsed,
            progress: self.cost as f64 / self.all.max(1) as f64,
        }))
    }
}
