//! How many solutions there are, about, and what it would cost to count them: from a
//! random sample of the tasks.
//!
//! The tasks of an engine fall into strata of a kind: for `colours`, the classes with
//! the same numbers of queens. From each, tasks are drawn by their estimated cost
//! (`strata`) and counted. A pilot measures how much each stratum spreads and how long
//! a draw takes: 30 draws, or with a time limit 10 where next to nothing is
//! expected. The rest of the time, or of the samples, goes where it narrows the interval
//! most (`allocation`). A stratum with no more tasks than its share would look at is
//! counted completely. `interval` makes the numbers of it.
//!
//! **Choice.** To count a stratum or not because of what was drawn from it would favour
//! some samples over others. So without a time limit estimated costs and numbers of
//! tasks alone choose, before the first draw. With one, nobody knows before how long
//! draws take; there the pilot chooses.
//!
//! **Time.** A large task is looked at in part, so that there is time for many draws.
//! How large the parts are follows from the estimated cost of the task before it is
//! drawn, and how many draws there are from the time that others have taken. A draw that
//! was begun is finished and counts, however long it takes: to leave out the slow ones
//! would be to leave out large counts.
//!
//! **Cost.** A drawn run of tasks is looked at in a few neighbouring tasks, as a count
//! would meet them. The first pays for what the run's tasks share (lists of placements,
//! say); in the estimate it is paid once a run. The others show what each task costs
//! beyond. What is shared by many runs is left out: in a real run it is paid once for
//! hundreds of them. What a part tells about the cost of its task, the engine knows. All
//! is processor time, so that it does not matter how busy the machine is.

mod allocation;
mod clock;
mod interval;
mod strata;

use std::{
    fmt,
    ops::Range,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

pub use self::interval::Figure;
use self::{
    allocation::{Left, Shown, allocate},
    clock::thread_time,
    interval::{ENOUGH, Total, sum, variance},
    strata::{Draw, Stratum, draw, strata},
};
use crate::{
    count::{Count, Plan, Runner},
    engine::{Cpu, Engine, Route, Slice, Worker},
    error::Error,
    random::Random,
    threads::Cancel,
};

/// So many draws of each stratum come first, ...
const PILOT: usize = ENOUGH;
/// ... but with a time limit so many of one with less than this part of the cost.
const FEW: usize = 10;
const LITTLE: f64 = 0.01;
/// The part of the time that the pilot may take. Two draws of each stratum it has.
const PILOT_TIME: f64 = 0.25;
/// So many neighbouring tasks are counted for a draw, if none is too large.
const NEIGHBOURS: u64 = 3;
/// A task estimated to take longer than this is looked at in part; with a time limit one
/// that would take more than its stratum's part of that, shared out to so many draws.
/// Small parts of small tasks save nothing.
const DEAR: Range<f64> = 0.002..0.25;
const DRAWS_IN_TIME: f64 = 1000.0;
/// A time limit is looked at so often while the second sample is drawn, and that sample
/// is planned for this part of the time: about as long as draws can be told to take.
const LOOKS: usize = 16;
const PLANNED: f64 = 0.95;
/// If so much of the time is left in the end, it is planned again, so many times in all.
const MUCH_TIME: f64 = 0.15;
const PLANS: u64 = Estimate::MOST_SAMPLES / DRAWS_IN_PLAN;
/// Draws that are planned lie in memory, so there are not more than this in a plan.
const DRAWS_IN_PLAN: u64 = 1_000_000;
/// Tasks are counted in pieces like this where a stratum is counted completely.
const PIECE: u64 = 64;
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
    /// How many seconds of one core the count would take on this machine.
    pub core_seconds: Figure,
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
    /// How many of these looked at a part of a task only.
    pub parts: u64,
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
    /// More draws than this there are not, whatever is asked for: what they show is kept.
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

    /// From so many draws, or a few more: no stratum goes without. At most
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
        // The only route that knows slices of tasks.
        let runner = self.count.runner().clone().route(Route::Direct);
        let (cpu, threads) = (runner.kernel()?, runner.crew(&|_| ())?.threads);
        let strata = strata(plan.search());
        let mut study = Study {
            plan: &plan,
            runner: &runner,
            cpu,
            threads,
            results: strata.iter().map(|_| Found::default()).collect(),
            dear: self.dear(threads, strata.len()),
            cost: strata.iter().map(|stratum| stratum.cost).sum(),
            strata,
            start,
            drawing: Duration::ZERO,
            end: self.time.and_then(|time| start.checked_add(time)),
            random: Random::new(self.seed),
            observer: self.observer,
        };
        study.pilot(self.samples)?;
        study.second(self.samples)?;
        let figure = |values| study.figure(self.samples, values);
        let core_seconds = figure(|seen| seen.seconds);
        let results = &study.results;
        let seen = || results.iter().flat_map(Found::seen);
        Ok(Estimated {
            count: figure(|seen| seen.count),
            core_seconds,
            // No more shards than blocks, and the cast of a float saturates.
            shards: ((core_seconds.value / SHARD).ceil() as u64)
                .clamp(1, plan.blocks().len().max(1) as u64),
            blocks: plan.blocks().len(),
            tasks: plan.tasks(),
            strata: results.len(),
            complete: results
                .iter()
                .filter(|found| found.complete.is_some())
                .count(),
            samples: seen().count() as u64,
            parts: seen().filter(|seen| seen.in_part).count() as u64,
            engine: plan.engine(),
            cpu,
            threads,
            elapsed: start.elapsed(),
        })
    }

    /// From which estimated cost on a task is looked at in part.
    fn dear(&self, threads: usize, strata: usize) -> f64 {
        let draws = DRAWS_IN_TIME * strata as f64;
        let time = self
            .time
            .map_or(f64::MAX, |time| time.as_secs_f64() * threads as f64 / draws);
        time.clamp(DEAR.start, DEAR.end) * 1e9
    }
}

/// What a draw says about its stratum.
#[derive(Debug, Clone, Copy)]
struct Seen {
    /// An estimate of its count ...
    count: f64,
    /// ... and of the seconds that counting it takes.
    seconds: f64,
    /// How long it took.
    elapsed: f64,
    in_part: bool,
}

/// What is known of a stratum so far.
#[derive(Debug, Default)]
struct Found {
    pilot: Vec<Seen>,
    second: Vec<Seen>,
    complete: Option<Complete>,
}

/// A stratum that was counted.
#[derive(Debug, Clone, Copy)]
struct Complete {
    count: f64,
    seconds: f64,
    /// As much work as so many draws.
    draws: u64,
}

impl Found {
    fn seen(&self) -> impl Iterator<Item = &Seen> {
        self.pilot.iter().chain(&self.second)
    }

    /// How many draws it has cost.
    fn draws(&self) -> u64 {
        self.seen().count() as u64 + self.complete.map_or(0, |complete| complete.draws)
    }

    /// The mean of something over the pilot.
    fn mean(&self, value: impl Fn(&Seen) -> f64) -> f64 {
        let values: Vec<f64> = self.pilot.iter().map(value).collect();
        interval::mean(&values)
    }

    /// How long a draw takes, on the mean, as far as the latest sample shows.
    fn elapsed(&self) -> f64 {
        let latest = if self.second.is_empty() {
            &self.pilot
        } else {
            &self.second
        };
        let times: Vec<f64> = latest.iter().map(|seen| seen.elapsed).collect();
        interval::mean(&times)
    }

    /// The standard deviation of the pilot's counts.
    fn spread(&self) -> f64 {
        let counts: Vec<f64> = self.pilot.iter().map(|seen| seen.count).collect();
        variance(&counts).sqrt()
    }

    fn total(&self, value: impl Fn(&Seen) -> f64, complete: Option<f64>) -> Total {
        match complete {
            Some(total) => Total::Complete(total),
            None => Total::Sampled {
                pilot: self.pilot.iter().map(&value).collect(),
                second: self.second.iter().map(&value).collect(),
            },
        }
    }
}

/// An estimate in the making.
struct Study<'a> {
    plan: &'a Plan,
    runner: &'a Runner<'a>,
    cpu: Cpu,
    threads: usize,
    strata: Vec<Stratum>,
    results: Vec<Found>,
    start: Instant,
    end: Option<Instant>,
    dear: f64,
    /// The estimated cost of all strata.
    cost: f64,
    /// How long it took to choose the last draws: on large boards the choice is large.
    drawing: Duration,
    random: Random,
    observer: &'a (dyn Fn() + Sync),
}

impl Study<'_> {
    /// A first sample of every stratum, as large as time allows. Small strata are
    /// counted.
    fn pilot(&mut self, samples: Option<u64>) -> Result<(), Error> {
        let small = self.small(samples);
        self.complete(&small)?;
        let open = small.iter().filter(|&&small| !small).count();
        let most = samples.map_or(PILOT, |samples| {
            pilot_of(samples.saturating_sub(self.used()), open)
        });
        let few = |stratum: &Stratum| self.end.is_some() && stratum.cost < LITTLE * self.cost;
        let numbers = self.strata.iter().zip(small);
        let numbers: Vec<usize> = numbers
            .map(|(stratum, small)| match small {
                true => 0,
                false if few(stratum) => most.min(FEW),
                false => most,
            })
            .collect();
        let mut rest = self.draw(&numbers);
        // Two of each first; then as many as these show to be possible.
        let (mut done, mut round) = (0, 2);
        while done < most && round > 0 {
            let batch = rest.iter_mut().flat_map(|draws| {
                let rest = draws.split_off(round.min(draws.len()));
                std::mem::replace(draws, rest)
            });
            let batch = batch.collect();
            for (stratum, seen) in self.look(batch)? {
                self.results[stratum].pilot.push(seen);
            }
            done += round;
            round = done.min(most - done).min(self.rounds_in_time(&rest));
        }
        Ok(())
    }

    /// The strata to be counted before anything is drawn: those with next to no tasks,
    /// and without a time limit those whose share of the samples, by cost, would look at
    /// as many tasks as they have. What these do not need is shared by the others.
    fn small(&self, samples: Option<u64>) -> Vec<bool> {
        let most = samples.map_or(PILOT, |samples| pilot_of(samples, self.strata.len()));
        let small = |stratum: &Stratum| stratum.len() <= most as u64;
        let cheap = |stratum: &&Stratum| !stratum.is_dear(self.dear);
        let all = self.strata.iter();
        let mut chosen: Vec<bool> = all.map(|s| small(s) && cheap(&s)).collect();
        let Some(samples) = samples.filter(|_| self.end.is_none()) else {
            return chosen;
        };
        loop {
            let (mut left, mut cost) = (samples, 0.0);
            for (stratum, &chosen) in self.strata.iter().zip(&chosen) {
                match chosen {
                    true => left = left.saturating_sub(stratum.draws_to_count()),
                    false => cost += stratum.cost,
                }
            }
            let looked_at = (left * NEIGHBOURS) as f64;
            let all = self.strata.iter().zip(&chosen);
            let more: Vec<bool> = all
                .map(|(stratum, &chosen)| {
                    let share = looked_at * (stratum.cost / cost);
                    chosen || cheap(&stratum) && share >= stratum.len() as f64
                })
                .collect();
            if more == chosen {
                return chosen;
            }
            chosen = more;
        }
    }

    /// How many draws were made, or would have been as much work.
    fn used(&self) -> u64 {
        self.results.iter().map(Found::draws).sum()
    }

    /// How many times one of each of these draws fits into the pilot's time.
    fn rounds_in_time(&self, draws: &[Vec<Draw>]) -> usize {
        let Some(end) = self.end else {
            return usize::MAX;
        };
        let left = (end - self.start)
            .mul_f64(PILOT_TIME)
            .saturating_sub(self.start.elapsed());
        let open = self
            .results
            .iter()
            .zip(draws)
            .filter(|(_, draws)| !draws.is_empty());
        let round: f64 = open.map(|(found, _)| found.elapsed()).sum();
        // The cast of a float saturates.
        (left.as_secs_f64() * self.threads as f64 / round.max(1e-9)) as usize
    }

    /// A second sample, where it helps most. If draws were faster than the pilot's, as
    /// they are when others leave the machine, time is left: then there are more of them.
    fn second(&mut self, samples: Option<u64>) -> Result<(), Error> {
        for plan in 0..PLANS {
            let needed = match self.end {
                Some(end) => {
                    let left = end.saturating_duration_since(Instant::now());
                    plan == 0 || left > (end - self.start).mul_f64(MUCH_TIME)
                }
                None => plan < samples.unwrap_or(0).div_ceil(DRAWS_IN_PLAN),
            };
            if needed {
                self.planned(samples)?;
            }
        }
        Ok(())
    }

    /// As many draws as there seems to be time for, or as a plan may have.
    fn planned(&mut self, samples: Option<u64>) -> Result<(), Error> {
        // Strata that are counted leave what they did not need to the others.
        let numbers = loop {
            let numbers = self.allocate(samples);
            let few = |(stratum, &number): (&Stratum, &usize)| {
                let looked_at = number as u64 * NEIGHBOURS;
                number > 0 && looked_at >= stratum.len() && !stratum.is_dear(self.dear)
            };
            let few: Vec<bool> = self.strata.iter().zip(&numbers).map(few).collect();
            if self.end.is_none() || !few.contains(&true) {
                break numbers;
            }
            self.complete(&few)?;
        };
        // In the order in which every stratum gets its share at any time. The first
        // two of each come first: what is begun must be worth something.
        let mut draws: Vec<(f64, Draw)> = Vec::new();
        for (draws_of, &number) in self.draw(&numbers).into_iter().zip(&numbers) {
            let places = draws_of.into_iter().enumerate();
            draws.extend(places.map(|(place, draw)| match place {
                0 | 1 => (0.0, draw),
                _ => (place as f64 / number as f64, draw),
            }));
        }
        draws.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let looks = match self.end {
            Some(_) => LOOKS,
            None => 1,
        };
        let size = draws
            .len()
            .div_ceil(looks)
            .max(2 * self.strata.len())
            .max(1);
        for batch in draws.chunks(size) {
            if self.is_time_up() {
                break;
            }
            for (stratum, seen) in
                self.look(batch.iter().map(|(_, draw)| draw.clone()).collect())?
            {
                self.results[stratum].second.push(seen);
            }
        }
        Ok(())
    }

    /// How many draws of each stratum that is not counted the second sample should have.
    fn allocate(&self, samples: Option<u64>) -> Vec<usize> {
        let limited = self.end.map(|_| Estimate::MOST_SAMPLES);
        let left = Left {
            draws: samples
                .or(limited)
                .map(|samples| samples.saturating_sub(self.used()).min(DRAWS_IN_PLAN)),
            seconds: self.end.map(|end| {
                let left = end.saturating_duration_since(Instant::now());
                let left = left.saturating_sub(self.drawing).as_secs_f64();
                PLANNED * left * self.threads as f64
            }),
        };
        let open = |found: &Found| found.complete.is_none() && !found.pilot.is_empty();
        let shown = self.results.iter().zip(&self.strata);
        let shown = shown.filter(|(found, _)| open(found));
        let shown: Vec<Shown> = shown
            .map(|(found, stratum)| Shown {
                count: found.mean(|seen| seen.count),
                spread: found.spread(),
                seconds: found.mean(|seen| seen.seconds),
                elapsed: found.elapsed(),
                draws: found.seen().count(),
                // More than all tasks would be too many, unless they are looked at in part.
                most: match stratum.is_dear(self.dear) {
                    true => DRAWS_IN_PLAN,
                    false => stratum.len(),
                },
            })
            .collect();
        let mut numbers = allocate(&shown, left).into_iter();
        let all = self.results.iter();
        all.map(|found| match open(found) {
            true => numbers.next().unwrap_or(0),
            false => 0,
        })
        .collect()
    }

    fn draw(&mut self, numbers: &[usize]) -> Vec<Vec<Draw>> {
        let start = Instant::now();
        let search = self.plan.search();
        let draws = draw(search, &self.strata, numbers, self.dear, &mut self.random);
        self.drawing = start.elapsed();
        draws
    }

    fn is_time_up(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Counts these strata from the first task to the last.
    fn complete(&mut self, which: &[bool]) -> Result<(), Error> {
        let chosen = which.iter().enumerate().filter(|(_, chosen)| **chosen);
        let chosen: Vec<usize> = chosen.map(|(stratum, _)| stratum).collect();
        let mut pieces: Vec<(usize, Range<u64>)> = Vec::new();
        for &stratum in &chosen {
            let tasks = self.strata[stratum].tasks.clone();
            let starts = tasks.clone().step_by(PIECE as usize);
            pieces.extend(starts.map(|start| (stratum, start..tasks.end.min(start + PIECE))));
        }
        let counted = self.each(&pieces, |worker, (stratum, tasks), stop| {
            let start = thread_time();
            let count = worker.count(tasks.clone(), stop)?;
            Ok((*stratum, count, (thread_time() - start).as_secs_f64()))
        })?;
        for stratum in chosen {
            // Counts stay whole until they are added up: nothing is rounded twice.
            let here = || counted.iter().filter(|(other, ..)| *other == stratum);
            let count: u128 = here().map(|(_, count, _)| count).sum();
            let seconds = here().map(|(.., seconds)| seconds).sum();
            let draws = self.strata[stratum].draws_to_count();
            self.results[stratum].complete = Some(Complete {
                count: count as f64,
                seconds,
                draws,
            });
        }
        Ok(())
    }

    /// Looks at these draws.
    fn look(&self, mut draws: Vec<Draw>) -> Result<Vec<(usize, Seen)>, Error> {
        // Neighbours after each other find more of what they share.
        draws.sort_by_key(|draw| draw.task);
        self.each(&draws, |worker, draw, stop| {
            let seen = look(worker, draw, stop)?;
            (self.observer)();
            Ok((draw.stratum, seen))
        })
    }

    /// Does this to each of the items, on all threads, and returns what comes of it in
    /// their order.
    fn each<I: Sync, T: Send>(
        &self,
        items: &[I],
        work: impl Fn(&mut dyn Worker, &I, &Cancel) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let done = Mutex::new(Vec::new());
        self.runner.crew(&|_| ())?.share(
            items.len(),
            |place| Some((place, items.get(place)?)),
            || self.plan.search().worker(self.cpu, Route::Direct),
            |worker, (place, item), stop| {
                let result = work(&mut **worker, item, stop)?;
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                done.push((place, result));
                Ok(())
            },
        )?;
        let mut done: Vec<(usize, T)> = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(place, _)| *place);
        Ok(done.into_iter().map(|(_, item)| item).collect())
    }

    fn figure(&self, samples: Option<u64>, value: fn(&Seen) -> f64) -> Figure {
        let sampled = self.results.iter().filter(|found| found.complete.is_none());
        let (mut pilot, mut all) = (0, 0);
        for found in sampled {
            pilot += found.pilot.len();
            all += found.seen().count();
        }
        // How many draws there were in the end has to do with their values, how many there
        // should have been has not.
        if let (None, Some(samples)) = (self.end, samples) {
            let counted = self.results.iter().filter_map(|found| found.complete);
            let counted: u64 = counted.map(|complete| complete.draws).sum();
            all = pilot.max(samples.saturating_sub(counted) as usize);
        }
        let weight = pilot as f64 / all.max(1) as f64;
        let totals: Vec<Total> = self
            .results
            .iter()
            .map(|found| {
                let complete = found.complete.map(|Complete { count, seconds, .. }| {
                    value(&Seen {
                        count,
                        seconds,
                        elapsed: 0.0,
                        in_part: false,
                    })
                });
                found.total(value, complete)
            })
            .collect();
        sum(&totals, weight)
    }
}

/// How many draws of each of these strata the pilot has, out of so many in all.
fn pilot_of(samples: u64, strata: usize) -> usize {
    let share = samples / strata.max(1) as u64;
    share.clamp(2, PILOT as u64) as usize
}

/// Counts a drawn task and its neighbours, or a part of it.
fn look(worker: &mut dyn Worker, draw: &Draw, stop: &Cancel) -> Result<Seen, Error> {
    let start = Instant::now();
    let tasks = draw.run.end - draw.run.start;
    let in_part = draw.part != Slice::WHOLE;
    let neighbours = if in_part { 1 } else { NEIGHBOURS.min(tasks) };
    let (mut count, mut times) = (0.0, Vec::new());
    for next in 0..neighbours {
        let task = draw.run.start + (draw.task - draw.run.start + next) % tasks;
        let start = thread_time();
        count += worker.count_slice(task, draw.part, stop)? as f64;
        times.push((thread_time() - start).as_secs_f64() * f64::from(draw.part.of));
    }
    // The first may have had to prepare what a count would find prepared. What a part
    // tells is of the whole.
    let times = match &times[..] {
        [_, others @ ..] if !others.is_empty() => others,
        all => all,
    };
    let tasks = tasks as f64;
    let seconds = tasks * interval::mean(times);
    let count = count * f64::from(draw.part.of) / neighbours as f64;
    Ok(Seen {
        count: tasks * count / draw.probability,
        seconds: seconds / draw.probability,
        elapsed: start.elapsed().as_secs_f64(),
        in_part,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::known::QUEENS;

    /// How many of so many seeds give an interval that holds the published value.
    fn covered(n: u32, samples: u64, seeds: u64) -> u64 {
        let count = Count::new(n).unwrap().engine(Engine::Colours).threads(1);
        let truth = QUEENS.value(n).unwrap() as f64;
        let hits = (0..seeds).filter(|&seed| {
            let estimate = Estimate::new(count.clone()).samples(samples).seed(seed);
            let estimated = estimate.run().unwrap();
            assert!(estimated.complete < estimated.strata, "nothing was sampled");
            estimated.count.contains(truth).expect("an interval")
        });
        hits.count() as u64
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_claim() {
        // Without optimisation only a glimpse.
        let seeds = if cfg!(debug_assertions) { 10 } else { 400 };
        for (n, samples) in [(13, 220), (14, 200), (15, 300)] {
            let hits = covered(n, samples, seeds) as f64;
            // Four standard deviations of the binomial distribution, and a hundredth
            // for a distribution that is not quite normal.
            let claimed = 0.95 * seeds as f64;
            let tolerance = 4.0 * (claimed * 0.05).sqrt() + 0.01 * seeds as f64;
            assert!(
                (hits - claimed).abs() <= tolerance,
                "n = {n}: {hits} of {seeds}"
            );
        }
    }

    #[test]
    fn the_mean_over_many_seeds_is_the_truth() {
        let seeds = if cfg!(debug_assertions) { 10 } else { 400 };
        for (engine, samples) in [(Engine::Colours, 60), (Engine::Rows, 15)] {
            let count = Count::new(12).unwrap().engine(engine).threads(1);
            let values = (0..seeds).map(|seed| {
                let estimate = Estimate::new(count.clone()).samples(samples).seed(seed);
                let estimated = estimate.run().unwrap();
                assert!(estimated.complete < estimated.strata, "nothing was sampled");
                estimated.count.value
            });
            let values: Vec<f64> = values.collect();
            let error = (interval::mean(&values) - 14_200.0).abs();
            let deviation = (variance(&values) / seeds as f64).sqrt();
            assert!(
                error <= 4.5 * deviation,
                "{engine}: {error} with deviation {deviation}"
            );
        }
    }

    #[test]
    fn parts_of_tasks_estimate_the_same() {
        let count = Count::new(12).unwrap().engine(Engine::Colours).threads(1);
        let plan = count.plan().unwrap();
        let strata = strata(plan.search());
        let mut worker = plan.search().worker(Cpu::detect(), Route::Direct);
        let mut random = Random::new(1);
        let numbers = vec![2_000; strata.len()];
        let draws = draw(plan.search(), &strata, &numbers, f64::MAX, &mut random);
        let (mut value, mut square) = (0.0, 0.0);
        for mut draws in draws {
            let seen = draws.iter_mut().map(|draw| {
                let index = random.below(16) as u32;
                draw.part = Slice { index, of: 16 };
                look(&mut *worker, draw, &Cancel::new()).unwrap().count
            });
            let seen: Vec<f64> = seen.collect();
            value += interval::mean(&seen);
            square += variance(&seen) / seen.len() as f64;
        }
        let error = (value - 14_200.0).abs();
        assert!(
            error <= 4.0 * square.sqrt(),
            "{value} with deviation {}",
            square.sqrt()
        );
    }

    #[test]
    fn a_seed_has_one_estimate_on_any_number_of_threads() {
        let estimate = |threads| {
            let count = Count::new(13).unwrap().threads(threads);
            let estimate = Estimate::new(count).samples(200).seed(5);
            estimate.run().unwrap().count
        };
        assert_eq!(estimate(1), estimate(3));
    }

    #[test]
    fn as_many_samples_as_tasks_count_them_all() {
        for engine in [Engine::Rows, Engine::Colours] {
            let count = Count::new(12).unwrap().engine(engine);
            let tasks = count.plan().unwrap().tasks();
            let estimated = Estimate::new(count).samples(tasks).run().unwrap();
            let exact = Some((14_200.0, 14_200.0));
            assert_eq!(estimated.count.bounds, exact, "{engine}");
        }
    }

    #[test]
    fn small_boards_are_counted() {
        for n in 0..=8 {
            let count = Count::new(n).unwrap();
            let estimated = Estimate::new(count).run().unwrap();
            let truth = QUEENS.value(n).unwrap() as f64;
            assert_eq!(estimated.count.bounds, Some((truth, truth)), "n = {n}");
        }
    }
}
