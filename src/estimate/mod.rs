//! How many solutions there are, about, and what it would cost to count them: from a
//! random sample of the tasks.
//!
//! The tasks of an engine fall into strata of a kind: for `colours`, the classes with
//! the same numbers of queens. From each, tasks are drawn with a probability that follows
//! their estimated cost, and counted; that makes an unbiased estimate of the count, with
//! an interval. Strata with few tasks are counted completely, and small boards as a whole.
//!
//! The cost is that of the plan, in its own units, times the seconds that a unit takes on
//! this machine. These are measured on whole groups of tasks, drawn at random and counted
//! as a count would come to them. Where even one such group would take too long, the
//! draws for the count have to do; what they say is too high, and has no interval.

mod allocation;
mod clock;
mod found;
mod interval;
mod rate;
mod strata;
mod study;
#[cfg(test)]
mod tests;
mod workers;

use std::{
    fmt,
    time::{Duration, Instant},
};

pub use self::interval::Figure;
use self::{
    found::Found,
    rate::Budget,
    study::{Limits, Study},
    workers::Workers,
};
use crate::{
    board::Problem,
    count::{Count, Plan},
    engine::{Cpu, Engine, Memory},
    error::Error,
    random::Random,
};

/// The part of the time that the cost may take; without a time limit, of what the samples
/// can take at most.
const COST_TIME: f64 = 0.25;
/// The most draws for the cost, where there is no time limit.
const COST_DRAWS: u64 = 20;
/// How long a shard should take, on one core.
const SHARD: f64 = 600.0;

/// An estimate to be made of a count.
///
/// ```
/// use queens::{Count, estimate::Estimate};
///
/// let estimated = Estimate::new(Count::new(14)?).samples(400).seed(1).run()?;
/// let (low, high) = estimated.count.bounds.expect("there are enough samples");
/// assert!(low <= estimated.count.value && estimated.count.value <= high);
/// # Ok::<(), queens::Error>(())
/// ```
pub struct Estimate<'a> {
    count: Count<'a>,
    samples: Option<u64>,
    time: Option<Duration>,
    seed: u64,
    observer: &'a (dyn Fn() + Sync),
}

impl fmt::Debug for Estimate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Estimate")
            .field("count", &self.count)
            .field("samples", &self.samples)
            .field("time", &self.time)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// An estimate and how it was made.
///
/// ```
/// use queens::{Count, estimate::Estimate};
///
/// let estimated = Estimate::new(Count::new(13)?).samples(200).run()?;
/// assert!(estimated.samples < estimated.tasks);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Estimated {
    /// How many solutions there are.
    pub count: Figure,
    /// How many seconds of one core the count would take on this machine. Without an
    /// interval it may be several times too high.
    pub core_seconds: Figure,
    /// How much memory the count would take.
    pub memory: Memory,
    /// How many shards are a good number for a cluster: each takes minutes.
    pub shards: u64,
    /// How many blocks the plan has.
    pub blocks: usize,
    /// How many tasks the plan has.
    pub tasks: u64,
    /// How many strata they were drawn from.
    pub strata: usize,
    /// How many of the strata were counted completely instead.
    pub complete: usize,
    /// How many draws there were.
    pub samples: u64,
    /// How many of these counted a slice of a task only.
    pub sliced: u64,
    /// The engine that counted.
    pub engine: Engine,
    /// The kernel it used.
    pub cpu: Cpu,
    /// How many threads it ran on.
    pub threads: usize,
    /// How long it took.
    pub elapsed: Duration,
}

impl<'a> Estimate<'a> {
    /// The largest number of draws, whatever is asked for: what they show is kept.
    ///
    /// ```
    /// assert_eq!(queens::estimate::Estimate::MOST_SAMPLES, 10_000_000);
    /// ```
    pub const MOST_SAMPLES: u64 = 10_000_000;

    /// Of this count: its problem, engine, kernel and threads. Its cancel flag ends the
    /// estimate, too; its observer hears nothing, and its route does not matter.
    ///
    /// ```
    /// use queens::{Count, Engine, estimate::Estimate};
    ///
    /// let count = Count::new(12)?.engine(Engine::Colours);
    /// assert_eq!(Estimate::new(count).run()?.engine, Engine::Colours);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn new(count: Count<'a>) -> Self {
        Estimate {
            count,
            samples: None,
            time: None,
            seed: 0,
            observer: &|| (),
        }
    }

    /// From this number of draws, or a few more: no stratum goes without. At most
    /// [`Estimate::MOST_SAMPLES`].
    ///
    /// ```
    /// use queens::{Count, estimate::Estimate};
    ///
    /// // A sample of everything is a count.
    /// let count = Count::new(10)?;
    /// let tasks = count.plan()?.tasks();
    /// let estimated = Estimate::new(count).samples(tasks).run()?;
    /// assert_eq!(estimated.count.value, 724.0);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn samples(mut self, samples: u64) -> Self {
        self.samples = Some(samples.min(Self::MOST_SAMPLES));
        self
    }

    /// In about this time: draws that were begun are finished, and there are two of
    /// each stratum.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use queens::{Count, estimate::Estimate};
    ///
    /// let estimate = Estimate::new(Count::new(16)?).time(Duration::from_millis(10));
    /// let estimated = estimate.run()?;
    /// let sampled = estimated.strata - estimated.complete;
    /// assert!(estimated.samples >= 2 * sampled as u64);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Equal seeds draw equal samples. With a number of samples and no time limit the
    /// estimate of the count is the same on every machine and any number of threads.
    ///
    /// ```
    /// use queens::{Count, estimate::Estimate};
    ///
    /// let estimate = |seed| Estimate::new(Count::new(13)?).samples(200).seed(seed).run();
    /// assert_eq!(estimate(7)?.count, estimate(7)?.count);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Calls this after every draw, from several threads at once.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    ///
    /// use queens::{Count, estimate::Estimate};
    ///
    /// let draws = AtomicU64::new(0);
    /// let drawn = || _ = draws.fetch_add(1, Relaxed);
    /// let estimated = Estimate::new(Count::new(13)?).samples(200).observer(&drawn).run()?;
    /// assert_eq!(estimated.samples, draws.into_inner());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn observer(mut self, observer: &'a (dyn Fn() + Sync)) -> Self {
        self.observer = observer;
        self
    }

    /// Estimates. With neither a number of samples nor a time, from the pilot alone.
    ///
    /// ```
    /// use queens::{Count, estimate::Estimate};
    ///
    /// let estimated = Estimate::new(Count::new(12)?).run()?;
    /// assert!((10_000.0..20_000.0).contains(&estimated.count.value)); // there are 14 200
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn run(&self) -> Result<Estimated, Error> {
        let start = Instant::now();
        let plan = self.count.plan()?;
        let workers = Workers::new(&plan, self.count.runner())?;
        let mut study = self.study(&workers, start);
        study.count_small()?;
        let rates = if study.is_complete() {
            Vec::new()
        } else {
            // Far from the numbers that the study draws.
            let mut random = Random::at(self.seed, u64::MAX / 2);
            rate::measure(&workers, self.budget(start), &mut random)?
        };
        study.sample()?;
        let (results, blocks) = (&study.results, plan.blocks().len());
        let complete = || results.iter().filter_map(|found| found.complete);
        let seen = || results.iter().flat_map(Found::seen);
        let core_seconds = if study.is_complete() {
            Figure::exact(complete().fold(0.0, |sum, complete| sum + complete.seconds))
        } else if rates.is_empty() {
            rate::seconds(&[self.rate_of_smaller_board(plan.engine())?], study.cost)
        } else {
            rate::seconds(&rates, study.cost)
        };
        Ok(Estimated {
            count: study.count(),
            core_seconds,
            memory: plan.memory(),
            // No more shards than blocks, and the cast of a float saturates.
            shards: ((core_seconds.value / SHARD).ceil() as u64).clamp(1, blocks.max(1) as u64),
            blocks,
            tasks: plan.tasks(),
            strata: results.len(),
            complete: complete().count(),
            samples: seen().count() as u64,
            sliced: seen().filter(|seen| seen.sliced).count() as u64,
            engine: plan.engine(),
            cpu: plan.engine().kernel(workers.cpu),
            threads: workers.threads,
            elapsed: start.elapsed(),
        })
    }

    /// How many seconds a unit of cost takes on the largest board that is small enough to
    /// measure it in about a second: the unit is fitted to be the same on every board.
    fn rate_of_smaller_board(&self, engine: Engine) -> Result<f64, Error> {
        for n in (1..self.count.problem().n()).rev() {
            let plan = Plan::new(&Problem::new(n)?, engine)?;
            let workers = Workers::new(&plan, self.count.runner())?;
            let budget = Budget::Until(Instant::now() + Duration::from_secs(1));
            let rates = rate::measure(&workers, budget, &mut Random::new(self.seed))?;
            if !rates.is_empty() {
                return Ok(interval::mean(&rates));
            }
        }
        Ok(rate::UNIT)
    }

    /// The sample that it is made of, not yet drawn.
    fn study<'s>(&'s self, workers: &'s Workers<'s>, start: Instant) -> Study<'s> {
        let limits = Limits {
            samples: self.samples,
            start,
            end: self.end(start),
        };
        Study::new(workers, limits, Random::new(self.seed), self.observer)
    }

    fn end(&self, start: Instant) -> Option<Instant> {
        self.time.and_then(|time| start.checked_add(time))
    }

    /// What may be spent on the cost.
    fn budget(&self, start: Instant) -> Budget {
        match self.end(start) {
            Some(end) => {
                let left = end.saturating_duration_since(Instant::now());
                Budget::Until(Instant::now() + left.mul_f64(COST_TIME))
            }
            None => {
                let samples = self.samples.unwrap_or(study::PILOT as u64);
                Budget::Work {
                    draws: samples.clamp(2, COST_DRAWS) as usize,
                    seconds: COST_TIME * study::SLICED_ABOVE.end * samples as f64,
                }
            }
        }
    }
}
