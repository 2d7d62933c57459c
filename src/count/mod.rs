//! The front door: a problem in, a count out, everything else with a default.

pub(crate) mod checksum;
mod double_check;
pub mod known;
pub mod plan;
pub(crate) mod run;
mod shard;

use std::time::{Duration, Instant};

pub use self::{
    double_check::{DoubleCheck, Sample},
    plan::{Block, Plan, PlanId},
    run::{BlockCounts, FinishedBlock, Observer},
    shard::Shard,
};
use crate::{
    board::Problem,
    count::run::Runner,
    engine::{Cpu, Engine, Route},
    error::Error,
    threads::{Cancel, check_threads},
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
#[derive(Clone)]
pub struct Count<'a> {
    problem: Problem,
    engine: Option<Engine>,
    cpu: Option<Cpu>,
    route: Route,
    threads: Option<usize>,
    cancel: Cancel,
    observer: &'a dyn Observer,
}

/// A finished count and how it was made.
///
/// ```
/// use queens::{Count, Engine};
///
/// let counted = Count::new(9)?.threads(1).run()?;
/// assert_eq!((counted.count, counted.engine, counted.threads), (352, Engine::Rows, 1));
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Counted {
    /// The number of solutions.
    pub count: u128,
    /// The engine that counted them.
    pub engine: Engine,
    /// The kernel it used.
    pub cpu: Cpu,
    /// How many threads it ran on; fewer had something to do if there were fewer blocks.
    pub threads: usize,
    /// How long it took; a whole [`run`](Count::run) with the making of its plan.
    pub elapsed: Duration,
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
        Problem::new(n).map(Self::of)
    }

    /// The solutions of a problem with required or forbidden squares.
    ///
    /// ```
    /// use queens::{Count, Problem, Square};
    ///
    /// let problem = Problem::new(8)?.require(Square::named("d8", 8)?)?;
    /// assert_eq!(Count::of(problem).run()?.count, 18);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn of(problem: Problem) -> Self {
        Count {
            problem,
            engine: None,
            cpu: None,
            route: Route::Direct,
            threads: None,
            cancel: Cancel::new(),
            observer: &(),
        }
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
    /// for cpu in Cpu::ALL.into_iter().filter(|cpu| cpu.is_available()) {
    ///     assert_eq!(count.clone().cpu(cpu).run()?.count, 724);
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
    /// use queens::{Count, Route};
    ///
    /// let check = Count::new(9)?.route(Route::Image).run()?;
    /// assert_eq!(check.count, 352);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn route(mut self, route: Route) -> Self {
        self.route = route;
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
        self.threads = Some(threads);
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
    /// assert!(matches!(run, Err(Error::Interrupted)));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Tells this observer of every finished block.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    /// use queens::{Count, FinishedBlock, Observer};
    ///
    /// #[derive(Default)]
    /// struct Tasks(AtomicU64);
    /// impl Observer for Tasks {
    ///     fn finished(&self, finished: &FinishedBlock) -> Result<(), queens::Error> {
    ///         self.0.fetch_add(finished.block.tasks, Relaxed);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let tasks = Tasks::default();
    /// let count = Count::new(8)?.observer(&tasks);
    /// let expected = count.plan()?.tasks();
    /// count.run()?;
    /// assert_eq!(tasks.0.into_inner(), expected);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn observer(mut self, observer: &'a dyn Observer) -> Self {
        self.observer = observer;
        self
    }

    /// How many threads it runs on.
    ///
    /// ```
    /// assert_eq!(queens::Count::new(8)?.threads(3).thread_count(), 3);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn thread_count(&self) -> usize {
        self.threads.unwrap_or_else(num_cpus::get)
    }

    pub(crate) fn observer_ref(&self) -> &'a dyn Observer {
        self.observer
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
        Plan::unless(&self.cancel, &self.problem, engine)
    }

    /// Counts.
    ///
    /// ```
    /// assert_eq!(queens::Count::new(10)?.run()?.count, 724);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn run(&self) -> Result<Counted, Error> {
        let start = Instant::now();
        let plan = self.plan()?;
        let all: Vec<usize> = (0..plan.blocks().len()).collect();
        let mut counted = self.run_blocks(&plan, &all)?;
        counted.elapsed = start.elapsed();
        Ok(counted)
    }

    /// Counts only these blocks of the plan: what is left of a run that was cut short,
    /// or one shard of a larger one.
    ///
    /// ```
    /// use queens::{Count, Engine};
    ///
    /// let count = Count::new(14)?.engine(Engine::Rows);
    /// let plan = count.plan()?;
    /// let blocks: Vec<usize> = (0..plan.blocks().len()).collect();
    /// let (some, others) = blocks.split_at(1);
    /// let (some, others) = (count.run_blocks(&plan, some)?, count.run_blocks(&plan, others)?);
    /// assert_eq!(some.count + others.count, 365_596);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn run_blocks(&self, plan: &Plan, indices: &[usize]) -> Result<Counted, Error> {
        let blocks = plan.blocks().len();
        if let Some(&index) = indices.iter().find(|&&index| index >= blocks) {
            return Err(Error::NoBlock { index, blocks });
        }
        let start = Instant::now();
        let runner = self.runner(plan)?;
        Ok(Counted {
            count: runner.run(plan, indices)?.total(),
            engine: plan.engine(),
            cpu: plan.engine().kernel(runner.cpu),
            threads: runner.threads,
            elapsed: start.elapsed(),
        })
    }

    /// Every choice made and found possible for this plan.
    pub(crate) fn runner(&self, plan: &Plan) -> Result<Runner<'_>, Error> {
        let squares = |problem: &Problem| (problem.n(), problem.allowed());
        if squares(plan.problem()) != squares(&self.problem)
            || self.engine.is_some_and(|engine| engine != plan.engine())
        {
            return Err(Error::OtherPlan(plan.id()));
        }
        let threads = self.thread_count();
        check_threads(threads)?;
        let cpu = self.cpu.unwrap_or_else(Cpu::detect);
        if !cpu.is_available() {
            return Err(Error::CpuUnavailable(cpu.name()));
        }
        if !plan.routes().contains(&self.route) {
            return Err(Error::NoRoute(plan.engine().name()));
        }
        Ok(Runner {
            threads,
            cpu,
            route: self.route,
            cancel: &self.cancel,
            observer: self.observer,
        })
    }
}
