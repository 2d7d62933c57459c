//! Counts again by a different route and compares: block by block the image of
//! every task under a symmetry of the board, and, where the engine has one, task by
//! task a random sample by another engine.
//!
//! It finds a bit that flipped in a register or in memory, a kernel that is wrong on
//! some masks, and a ledger that does not hold what was counted. It does not find a mistake
//! that both routes share: a plan that leaves out a task, or a wrong weight. Against
//! those stand the known values and the other engine.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use super::{Counted, FinishedBlock, Observer, Plan, Runner};
use crate::{
    engine::{Cpu, Route, Worker},
    error::Error,
    random::Random,
    threads::Cancel,
};

/// Counts blocks a second time, by [`Route::Image`], and compares.
///
/// ```
/// use std::{collections::BTreeMap, sync::Mutex};
///
/// use queens::{Count, DoubleCheck, FinishedBlock, Runner};
///
/// let counts = Mutex::new(BTreeMap::new());
/// let collect = |block: &FinishedBlock| _ = counts.lock().unwrap().insert(block.index, block.count);
/// let plan = Count::new(14)?.plan()?;
/// plan.run(&Runner::new().observer(&collect))?;
///
/// let check = DoubleCheck::new(&plan, counts.into_inner().unwrap());
/// assert_eq!(check.run(&Runner::new())?.count, 365_596);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug)]
pub struct DoubleCheck<'a> {
    plan: &'a Plan,
    first: BTreeMap<usize, u128>,
}

impl<'a> DoubleCheck<'a> {
    /// Against these counts of the plan's blocks, by their index.
    ///
    /// ```
    /// use queens::{Count, DoubleCheck, Runner};
    ///
    /// let plan = Count::new(8)?.plan()?; // a plan of one block
    /// let wrong = DoubleCheck::new(&plan, [(0, 93)]).run(&Runner::new()).unwrap_err();
    /// assert!(wrong.to_string().starts_with("block 0 (tasks 0 to"));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn new(plan: &'a Plan, first: impl IntoIterator<Item = (usize, u128)>) -> Self {
        let first = first.into_iter().collect();
        DoubleCheck { plan, first }
    }

    /// Counts all these blocks again. The runner's route does not matter; its observer
    /// hears of the blocks that agree. A mismatch names the task that differs.
    ///
    /// ```
    /// use queens::{Count, DoubleCheck, Runner};
    ///
    /// let plan = Count::new(8)?.plan()?;
    /// assert_eq!(DoubleCheck::new(&plan, [(0, 92)]).run(&Runner::new())?.count, 92);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn run(&self, runner: &Runner) -> Result<Counted, Error> {
        let all: Vec<usize> = self.first.keys().copied().collect();
        self.run_blocks(&all, runner)
    }

    /// Counts these blocks again: what an earlier check has not come to.
    ///
    /// ```
    /// use queens::{Count, DoubleCheck, Runner};
    ///
    /// let plan = Count::new(8)?.plan()?;
    /// let check = DoubleCheck::new(&plan, [(0, 92)]);
    /// assert_eq!(check.run_blocks(&[], &Runner::new())?.count, 0);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn run_blocks(&self, indices: &[usize], runner: &Runner) -> Result<Counted, Error> {
        self.run_while(&|_| true, indices, runner)
    }

    /// Counts these blocks again, in their order: the first, and then more until the time
    /// has passed. Those under way at that time are still finished.
    ///
    /// ```
    /// use std::{sync::Mutex, time::Duration};
    ///
    /// use queens::{Count, DoubleCheck, Engine, FinishedBlock, Runner};
    ///
    /// let plan = Count::new(14)?.engine(Engine::Rows).plan()?;
    /// let counts = Mutex::new(Vec::new());
    /// let note = |block: &FinishedBlock| counts.lock().unwrap().push((block.index, block.count));
    /// plan.run(&Runner::new().observer(&note))?;
    ///
    /// let check = DoubleCheck::new(&plan, counts.into_inner().unwrap());
    /// let agreed = Mutex::new(Vec::new());
    /// let collect = |block: &FinishedBlock| agreed.lock().unwrap().push(block.index);
    /// let runner = Runner::new().threads(1).observer(&collect);
    /// check.run_for(Duration::ZERO, &[2, 0, 1], &runner)?;
    /// assert_eq!(agreed.into_inner().unwrap(), [2]);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn run_for(
        &self,
        time: Duration,
        indices: &[usize],
        runner: &Runner,
    ) -> Result<Counted, Error> {
        let start = Instant::now();
        self.run_while(
            &|place| place == 0 || start.elapsed() < time,
            indices,
            runner,
        )
    }

    /// Counts these blocks again, as long as the next of them may begin, and compares.
    fn run_while(
        &self,
        may_begin: &(dyn Fn(usize) -> bool + Sync),
        indices: &[usize],
        runner: &Runner,
    ) -> Result<Counted, Error> {
        let comparison = Comparison {
            check: self,
            different: OnceLock::new(),
        };
        let observer = (&comparison as &dyn Observer, runner.observed());
        let again = runner.clone().route(Route::Image).observer(&observer);
        let counted = self.plan.run_while(may_begin, indices, &again);
        match comparison.different.into_inner() {
            Some((index, second)) => Err(self.blame(index, second, runner)),
            None => counted,
        }
    }

    /// Compares counts that an earlier check has recorded.
    ///
    /// ```
    /// use queens::{Count, DoubleCheck, Runner};
    ///
    /// let plan = Count::new(8)?.plan()?;
    /// let check = DoubleCheck::new(&plan, [(0, 92)]);
    /// assert!(check.compare([(0, 92)], &Runner::new()).is_ok());
    /// assert!(check.compare([(0, 93)], &Runner::new()).is_err());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn compare(
        &self,
        second: impl IntoIterator<Item = (usize, u128)>,
        runner: &Runner,
    ) -> Result<(), Error> {
        let mut second = second.into_iter();
        match second.find(|&(index, count)| self.differs(index, count)) {
            Some((index, count)) => Err(self.blame(index, count, runner)),
            None => Ok(()),
        }
    }

    /// Counts a random sample of all tasks again by [`Route::Reference`], at least this
    /// many and then more until the time has passed. Equal seeds draw equal samples.
    /// Returns how many: none if the engine is itself the reference.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use queens::{Count, DoubleCheck, Engine, Runner};
    ///
    /// let sampled = |engine| {
    ///     let plan = Count::new(10)?.engine(engine).plan()?;
    ///     DoubleCheck::new(&plan, []).sample(5, Duration::ZERO, 1, &Runner::new())
    /// };
    /// assert_eq!(sampled(Engine::Colours)?, 5);
    /// assert_eq!(sampled(Engine::Rows)?, 0);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn sample(
        &self,
        least: u64,
        time: Duration,
        seed: u64,
        runner: &Runner,
    ) -> Result<u64, Error> {
        let (plan, tasks) = (self.plan, self.plan.tasks());
        if !plan.routes().contains(&Route::Reference) || tasks == 0 {
            return Ok(0);
        }
        let (cpu, start) = (runner.kernel()?, Instant::now());
        let draw = |_: &TwoRoutes, number: usize| {
            let number = number as u64;
            let goes_on = number < tasks && (number < least || start.elapsed() < time);
            goes_on.then(|| Random::at(seed, number).below(tasks))
        };
        let counted = AtomicU64::new(0);
        runner.crew(&|_| ())?.share(
            usize::try_from(tasks).unwrap_or(usize::MAX),
            draw,
            || TwoRoutes::new(plan, Route::Reference, cpu),
            |routes, task, stop| {
                counted.fetch_add(1, Relaxed);
                routes.compare(task, stop)
            },
        )?;
        Ok(counted.into_inner())
    }

    /// Whether a second count of a block is not the first.
    fn differs(&self, index: usize, second: u128) -> bool {
        self.first.get(&index).is_some_and(|&first| first != second)
    }

    /// Which task is to blame for two counts of a block; if each has one count when
    /// it is counted now, or there is no time to look, the block.
    fn blame(&self, index: usize, second: u128, runner: &Runner) -> Error {
        let tasks = self.plan.blocks()[index].range();
        let alone = match self.differing_task(tasks.clone(), runner) {
            Err(mismatch @ Error::Mismatch { .. }) => return mismatch,
            Err(_) => "",
            Ok(()) => "; each alone has one count by both",
        };
        Error::Mismatch {
            what: format!(
                "block {index} (tasks {} to {}{alone})",
                tasks.start,
                tasks.end - 1
            ),
            first: self.first[&index],
            second,
            route: Route::Image.name(),
        }
    }

    /// Counts single tasks by both routes, with the kernel of the run: it may be at fault.
    fn differing_task(&self, mut tasks: Range<u64>, runner: &Runner) -> Result<(), Error> {
        let mut routes = TwoRoutes::new(self.plan, Route::Image, runner.kernel()?);
        tasks.try_for_each(|task| routes.compare(task, runner.cancel_flag()))
    }
}

/// Hears the second counts, and stops the run at the first that differs.
struct Comparison<'a> {
    check: &'a DoubleCheck<'a>,
    different: OnceLock<(usize, u128)>,
}

impl Observer for Comparison<'_> {
    fn finished(&self, finished: &FinishedBlock) -> Result<(), Error> {
        let (index, count) = (finished.index, finished.count);
        if !self.check.differs(index, count) {
            return Ok(());
        }
        self.different.get_or_init(|| (index, count));
        Err(Error::Interrupted)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        board::Problem,
        engine::{Engine, Search, TaskGroup},
    };

    /// Ten tasks of one solution each; one route sees two in task 7, perhaps with one kernel
    /// alone.
    struct Wrong(Route, Option<Cpu>);

    impl Search for Wrong {
        fn groups(&self) -> Box<dyn Iterator<Item = TaskGroup> + '_> {
            Box::new((0..10).map(|_| TaskGroup { tasks: 1, cost: 1 }))
        }
        fn worker(&self, cpu: Cpu, route: Route) -> Box<dyn Worker + '_> {
            let Wrong(wrong, kernel) = *self;
            Box::new(Ones(
                wrong == route && kernel.is_none_or(|wrong| wrong == cpu),
            ))
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

    fn mismatch(wrong: Wrong, runner: &Runner) -> [Result<(), String>; 2] {
        let problem = Problem::new(4).unwrap();
        let wrong = Box::new(wrong);
        let plan = Plan::of_search(&problem, Engine::Rows, wrong, &Cancel::new()).unwrap();
        let first = plan.run(runner).unwrap().count;
        let check = DoubleCheck::new(&plan, [(0, first)]);
        let blocks = check.run(runner).map(drop);
        // Enough draws to meet every task.
        let sample = check.sample(1000, Duration::ZERO, 1, runner).map(drop);
        [blocks, sample].map(|result| result.map_err(|error| error.to_string()))
    }

    #[test]
    fn a_task_with_two_counts_is_named_whichever_route_is_wrong() {
        let named = |result: &Result<(), String>, counts: &str| {
            let message = result.as_ref().unwrap_err();
            let start = format!("task 7 (number 7) has {counts}");
            assert!(message.starts_with(&start), "{message}");
        };
        let runner = Runner::new().threads(2);
        let mismatch = |wrong: Route| mismatch(Wrong(wrong, None), &runner);
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

    /// A machine has better kernels than the run may use, and these may be sound.
    #[test]
    fn a_wrong_kernel_is_found_out_by_itself() {
        for &cpu in Cpu::ALL.iter().filter(|cpu| cpu.is_available()) {
            let runner = Runner::new().threads(1).cpu(cpu);
            for outcome in mismatch(Wrong(Route::Direct, Some(cpu)), &runner) {
                let message = outcome.unwrap_err();
                assert!(message.starts_with("task 7 "), "{cpu}: {message}");
            }
        }
    }
}
