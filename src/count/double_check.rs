//! Counts again by a different route and compares: block by block the image of
//! every task under a symmetry of the board, and, where the engine has one, task by
//! task a random sample by another engine.
//!
//! It finds a bit that flipped in a register or in memory, a kernel that is wrong on
//! some masks, and a record that is not what was counted. It does not find a mistake
//! that both routes share: a plan that leaves out a task, or a wrong weight. Against
//! those stand the known values and the other engine.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use crate::{
    count::{Count, FinishedBlock, Observer, Plan},
    engine::{Cpu, Route, Worker},
    error::Error,
    ledger::Ledger,
    threads::Cancel,
};

/// Compares the blocks of a second run with the counts of the first.
///
/// ```
/// use queens::{Count, DoubleCheck, Route};
///
/// let count = Count::new(8)?;
/// let plan = count.plan()?;
/// let first = [(0, count.run()?.count)]; // a plan of one block
/// let check = DoubleCheck::new(&plan, first);
/// count.route(Route::Image).observer(&check).run()?;
///
/// let wrong = DoubleCheck::new(&plan, [(0, 93)]);
/// let error = Count::new(8)?.route(Route::Image).observer(&wrong).run().unwrap_err();
/// assert!(error.to_string().starts_with("block 0 (tasks 0 to"));
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug)]
pub struct DoubleCheck<'a> {
    plan: &'a Plan,
    first: BTreeMap<usize, u128>,
    cancel: Cancel,
}

impl<'a> DoubleCheck<'a> {
    /// Against these counts of the plan's blocks, by their index.
    ///
    /// ```
    /// use queens::{BlockCounts, Count, DoubleCheck, Route};
    ///
    /// let (count, counts) = (Count::new(10)?, BlockCounts::default());
    /// count.clone().observer(&counts).run()?;
    /// let plan = count.plan()?;
    /// let check = DoubleCheck::new(&plan, counts.into_inner());
    /// assert_eq!(count.route(Route::Image).observer(&check).run()?.count, 724);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn new(plan: &'a Plan, first: impl IntoIterator<Item = (usize, u128)>) -> Self {
        DoubleCheck {
            plan,
            first: first.into_iter().collect(),
            cancel: Cancel::new(),
        }
    }

    /// Gives up the search for the task that differs when this flag is raised.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use queens::{Cancel, Count, DoubleCheck, Error, FinishedBlock, Observer};
    ///
    /// let plan = Count::new(16)?.plan()?;
    /// let cancel = Cancel::new();
    /// let check = DoubleCheck::new(&plan, [(0, 1)]).cancel(&cancel);
    /// cancel.cancel();
    /// let block = plan.blocks()[0];
    /// let other = FinishedBlock { index: 0, block, count: 2, elapsed: Duration::ZERO };
    /// assert!(matches!(check.finished(&other), Err(Error::Interrupted)));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// The plan whose blocks are compared.
    ///
    /// ```
    /// let plan = queens::Count::new(8)?.plan()?;
    /// assert_eq!(queens::DoubleCheck::new(&plan, []).plan().id(), plan.id());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Compares what an earlier run of the check has recorded.
    ///
    /// ```
    /// use queens::{Count, DoubleCheck, Ledger, Recorder, Route, Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let count = Count::new(8)?;
    /// let plan = count.plan()?;
    /// Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Image)?.run(&count)?;
    /// let check = Ledger::read(file.path())?;
    /// assert!(DoubleCheck::new(&plan, [(0, 92)]).recorded(&check).is_ok());
    /// assert!(DoubleCheck::new(&plan, [(0, 93)]).recorded(&check).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recorded(&self, check: &Ledger) -> Result<(), Error> {
        for entry in &check.entries {
            self.finished(&FinishedBlock {
                index: entry.block,
                block: self.plan.blocks()[entry.block],
                count: entry.count,
                elapsed: Duration::ZERO,
            })?;
        }
        Ok(())
    }

    /// Which task is to blame for two counts of a block; if each has one count when
    /// it is counted now, the block.
    fn blame(&self, finished: &FinishedBlock, first: u128) -> Result<Error, Error> {
        let mut routes = TwoRoutes::new(self.plan, Route::Image, Cpu::detect());
        for task in finished.block.range() {
            routes.compare(task, &self.cancel)?;
        }
        let tasks = finished.block.range();
        Ok(Error::Mismatch {
            what: format!(
                "block {} (tasks {} to {}; each alone has one count by both)",
                finished.index,
                tasks.start,
                tasks.end - 1
            ),
            first,
            second: finished.count,
            route: Route::Image.name(),
        })
    }
}

impl Observer for DoubleCheck<'_> {
    fn finished(&self, finished: &FinishedBlock) -> Result<(), Error> {
        match self.first.get(&finished.index) {
            Some(&first) if first != finished.count => Err(self.blame(finished, first)?),
            _ => Ok(()),
        }
    }
}

/// Counts single tasks by the direct route and by another.
struct TwoRoutes<'a> {
    plan: &'a Plan,
    route: Route,
    workers: [Box<dyn Worker + 'a>; 2],
}

impl<'a> TwoRoutes<'a> {
    fn new(plan: &'a Plan, route: Route, cpu: Cpu) -> Self {
        let workers = [Route::Direct, route].map(|route| plan.search().worker(cpu, route));
        TwoRoutes {
            plan,
            route,
            workers,
        }
    }

    fn compare(&mut self, task: u64, cancel: &Cancel) -> Result<(), Error> {
        let [direct, other] = &mut self.workers;
        let first = direct.count(task..task + 1, cancel)?;
        let second = other.count(task..task + 1, cancel)?;
        if first == second {
            return Ok(());
        }
        Err(Error::Mismatch {
            what: format!("task {task} ({})", self.plan.search().describe(task)),
            first,
            second,
            route: self.route.name(),
        })
    }
}

/// How large a random sample of tasks the other engine counts again.
///
/// ```
/// use std::time::Duration;
///
/// use queens::{Count, Engine, Sample};
///
/// let count = Count::new(10)?.engine(Engine::Colours);
/// let sample = Sample { least: 5, time: Duration::ZERO, seed: 1 };
/// assert_eq!(sample.recount(&count, &count.plan()?)?, 5);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// At least this many tasks, if there are as many, ...
    pub least: u64,
    /// ... and further ones until this time has passed.
    pub time: Duration,
    /// Which ones: equal seeds draw equal samples.
    pub seed: u64,
}

impl Sample {
    /// Counts a sample of tasks again by [`Route::Reference`] and says how many: none
    /// if the engine is itself the reference.
    ///
    /// ```
    /// use std::time::Duration;
    /// use queens::{Count, Engine, Sample};
    ///
    /// let count = Count::new(8)?.engine(Engine::Rows);
    /// let sample = Sample { least: 5, time: Duration::ZERO, seed: 1 };
    /// assert_eq!(sample.recount(&count, &count.plan()?)?, 0);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn recount(&self, count: &Count, plan: &Plan) -> Result<u64, Error> {
        let runner = count.runner(plan)?;
        if !plan.routes().contains(&Route::Reference) || plan.tasks() == 0 {
            return Ok(0);
        }
        let start = Instant::now();
        let drawn = AtomicU64::new(0);
        let enough =
            |drawn| drawn >= plan.tasks() || drawn >= self.least && start.elapsed() >= self.time;
        let counted = runner.on_threads(runner.threads, |stop| {
            let mut routes = TwoRoutes::new(plan, Route::Reference, runner.cpu);
            let mut counted = 0;
            loop {
                let draw = drawn.fetch_add(1, Relaxed);
                if enough(draw) {
                    return Ok(counted);
                }
                let task = scramble(self.seed ^ scramble(draw)) % plan.tasks();
                routes.compare(task, stop)?;
                counted += 1;
            }
        })?;
        Ok(counted.into_iter().sum())
    }
}

/// SplitMix64's output function: neighbouring numbers become unrelated ones.
fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::{
        board::Problem,
        engine::{Engine, Run, Search},
    };

    /// Ten tasks of one solution each; one route sees two in task 7.
    struct Wrong(Route);

    impl Search for Wrong {
        fn runs(&self) -> Box<dyn Iterator<Item = Run> + '_> {
            Box::new((0..10).map(|_| Run { tasks: 1, cost: 1 }))
        }
        fn worker(&self, _: Cpu, route: Route) -> Box<dyn Worker + '_> {
            Box::new(Ones(self.0 == route))
        }
        fn routes(&self) -> &'static [Route] {
            &[Route::Direct, Route::Image, Route::Reference]
        }
        fn describe(&self, task: u64) -> String {
            format!("number {task}")
        }
    }

    struct Ones(bool);

    impl Worker for Ones {
        fn count(&mut self, tasks: Range<u64>, _: &Cancel) -> Result<u128, Error> {
            let wrong = self.0 && tasks.contains(&7);
            Ok(u128::from(tasks.end - tasks.start) + u128::from(wrong))
        }
    }

    fn mismatch(wrong: Route) -> [Result<(), String>; 2] {
        let problem = Problem::new(4).unwrap();
        let wrong = Box::new(Wrong(wrong));
        let plan = Plan::of(&Cancel::new(), &problem, Engine::Rows, wrong).unwrap();
        let count = Count::of(problem).threads(2);
        let all: Vec<usize> = (0..plan.blocks().len()).collect();
        let first = count.run_blocks(&plan, &all).unwrap().count;
        let check = DoubleCheck::new(&plan, [(0, first)]);
        let second = count.clone().route(Route::Image).observer(&check);
        let blocks = second.run_blocks(&plan, &all).map(drop);
        let sample = Sample {
            least: 1,
            time: Duration::from_millis(20),
            seed: 1,
        };
        let sample = sample.recount(&count, &plan).map(drop);
        [blocks, sample].map(|result| result.map_err(|error| error.to_string()))
    }

    #[test]
    fn a_task_with_two_counts_is_named_whichever_route_is_wrong() {
        let named = |result: &Result<(), String>, counts: &str| {
            let message = result.as_ref().unwrap_err();
            let start = format!("task 7 (number 7) has {counts}");
            assert!(message.starts_with(&start), "{message}");
        };
        let [blocks, sample] = mismatch(Route::Direct);
        named(&blocks, "2 solutions by one route and 1 by image");
        named(&sample, "2 solutions by one route and 1 by reference");
        let [blocks, sample] = mismatch(Route::Image);
        named(&blocks, "1 solutions by one route and 2 by image");
        assert_eq!(sample, Ok(()));
        let [blocks, sample] = mismatch(Route::Reference);
        assert_eq!(blocks, Ok(()));
        named(&sample, "1 solutions by one route and 2 by reference");
    }
}
