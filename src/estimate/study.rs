//! The sample of a count: small strata are counted, of the others tasks are drawn.
//!
//! A pilot measures how much each stratum spreads and how long a draw takes: [`PILOT`]
//! draws of each, or with a time limit [`FEW`] where next to nothing is expected. The
//! rest of the time, or of the samples, goes where it narrows the interval most
//! ([`allocation`](super::allocation)). A stratum with no more tasks than its share would
//! look at is counted completely.
//!
//! **Choice.** To count a stratum or not because of what was drawn from it would favour
//! some samples over others. So without a time limit estimated costs and numbers of
//! tasks alone choose, before the first draw. With one, nobody knows before how long
//! draws take; there the pilot chooses.
//!
//! **Time.** Of a large task a slice is counted, so that there is time for many draws.
//! How small the slices are follows from the estimated cost of the task before it is
//! drawn, and how many draws there are from the time that others have taken. A draw that
//! was begun is finished and counts, however long it takes: to leave out the slow ones
//! would be to leave out large counts.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use super::{
    Estimate,
    allocation::{Left, Shown, allocate},
    clock::thread_time,
    found::{Complete, Found, Seen, look},
    interval::{ENOUGH, Figure, Total, mean, sum, variance},
    strata::{Draw, NEIGHBOURS, Stratum, draw, strata},
    workers::Workers,
};
use crate::{error::Error, random::Random};

/// How many draws of each stratum come first.
pub(super) const PILOT: usize = ENOUGH;
/// How many come first with a time limit, of a stratum with less than [`LITTLE`] of the
/// cost.
const FEW: usize = 10;
const LITTLE: f64 = 0.01;
/// The part of the time that the pilot may take. It has two draws of each stratum in any
/// case.
const PILOT_TIME: f64 = 0.25;
/// A task estimated to take more seconds than the upper limit is sliced. A time limit
/// lowers that to the stratum's part of the time, shared out to [`DRAWS_IN_TIME`] draws,
/// but not below the lower one: small slices of small tasks save nothing.
pub(super) const SLICED_ABOVE: Range<f64> = 0.002..0.25;
const DRAWS_IN_TIME: f64 = 1000.0;
/// How often the clock is looked at while a round is drawn.
const LOOKS: usize = 16;
/// The part of the time that a round is planned for: nobody can tell more exactly how
/// long draws take.
const PLANNED: f64 = 0.95;
/// If this part of the time is left in the end, there is another round.
const MUCH_TIME: f64 = 0.15;
const ROUNDS: u64 = Estimate::MOST_SAMPLES / DRAWS_IN_ROUND;
/// The draws of a round lie in memory, so there are not more than this.
const DRAWS_IN_ROUND: u64 = 1_000_000;
/// How many tasks a thread takes at once where a stratum is counted completely.
const PIECE: u64 = 64;

/// An estimate of a count in the making.
pub(super) struct Study<'a> {
    workers: &'a Workers<'a>,
    limits: Limits,
    strata: Vec<Stratum>,
    pub(super) results: Vec<Found>,
    /// Tasks that are estimated to cost more are sliced.
    sliced_above: f64,
    /// The estimated cost of all strata.
    pub(super) cost: f64,
    /// How long it took to choose the last draws: on large boards the choice is large.
    drawing: Duration,
    random: Random,
    observer: &'a (dyn Fn() + Sync),
}

/// What a study may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) samples: Option<u64>,
    pub(super) start: Instant,
    pub(super) end: Option<Instant>,
}

impl<'a> Study<'a> {
    pub(super) fn new(
        workers: &'a Workers<'a>,
        limits: Limits,
        random: Random,
        observer: &'a (dyn Fn() + Sync),
    ) -> Self {
        let strata = strata(workers.search());
        let draws = DRAWS_IN_TIME * strata.len() as f64;
        let time = limits.end.map_or(f64::MAX, |end| {
            (end - limits.start).as_secs_f64() * workers.threads as f64 / draws
        });
        Study {
            workers,
            limits,
            results: strata.iter().map(|_| Found::default()).collect(),
            sliced_above: time.clamp(SLICED_ABOVE.start, SLICED_ABOVE.end) * 1e9,
            cost: strata.iter().map(|stratum| stratum.cost).sum(),
            strata,
            drawing: Duration::ZERO,
            random,
            observer,
        }
    }

    /// Counts the strata that are to be counted before anything is drawn.
    pub(super) fn count_small(&mut self) -> Result<(), Error> {
        let small = self.small();
        self.complete(&small)
    }

    /// Whether every stratum was counted.
    pub(super) fn is_complete(&self) -> bool {
        self.results.iter().all(|found| found.complete.is_some())
    }

    /// A pilot, and what it shows to be worth while.
    pub(super) fn sample(&mut self) -> Result<(), Error> {
        // Others may have taken some of the time.
        self.limits.start = Instant::now();
        self.pilot()?;
        self.second()
    }

    /// A first sample of every stratum that was not counted, as large as time allows.
    fn pilot(&mut self) -> Result<(), Error> {
        let is_open = |found: &Found| found.complete.is_none();
        let open = self.results.iter().filter(|found| is_open(found)).count();
        let most = self.limits.samples.map_or(PILOT, |samples| {
            pilot_of(samples.saturating_sub(self.used()), open)
        });
        let limited = self.limits.end.is_some();
        let numbers = self.strata.iter().zip(&self.results);
        let numbers: Vec<usize> = numbers
            .map(|(stratum, found)| {
                if !is_open(found) {
                    0
                } else if limited && stratum.cost < LITTLE * self.cost {
                    most.min(FEW)
                } else {
                    most
                }
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
    fn small(&self) -> Vec<bool> {
        let samples = self.limits.samples;
        let most = samples.map_or(PILOT, |samples| pilot_of(samples, self.strata.len()));
        let small = |stratum: &Stratum| stratum.len() <= most as u64;
        let cheap = |stratum: &&Stratum| !stratum.is_sliced(self.sliced_above);
        let all = self.strata.iter();
        let mut chosen: Vec<bool> = all.map(|s| small(s) && cheap(&s)).collect();
        let Some(samples) = samples.filter(|_| self.limits.end.is_none()) else {
            return chosen;
        };
        loop {
            let (mut left, mut cost) = (samples, 0.0);
            for (stratum, &chosen) in self.strata.iter().zip(&chosen) {
                if chosen {
                    left = left.saturating_sub(stratum.draws_to_count());
                } else {
                    cost += stratum.cost;
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
        let Limits { start, end, .. } = self.limits;
        let Some(end) = end else {
            return usize::MAX;
        };
        let all = end.saturating_duration_since(start);
        let left = all.mul_f64(PILOT_TIME).saturating_sub(start.elapsed());
        let open = self
            .results
            .iter()
            .zip(draws)
            .filter(|(_, draws)| !draws.is_empty());
        let round: f64 = open.map(|(found, _)| found.elapsed()).sum();
        // The cast of a float saturates.
        (left.as_secs_f64() * self.workers.threads as f64 / round.max(1e-9)) as usize
    }

    /// A second sample, where it helps most. If draws were faster than the pilot's, as
    /// they are when others leave the machine, time is left: then there are more of them.
    fn second(&mut self) -> Result<(), Error> {
        let Limits {
            samples,
            start,
            end,
        } = self.limits;
        for round in 0..ROUNDS {
            let needed = match end {
                Some(end) => {
                    let left = end.saturating_duration_since(Instant::now());
                    let all = end.saturating_duration_since(start);
                    round == 0 || left > all.mul_f64(MUCH_TIME)
                }
                None => round < samples.unwrap_or(0).div_ceil(DRAWS_IN_ROUND),
            };
            if needed {
                self.round()?;
            }
        }
        Ok(())
    }

    /// As many draws as there seems to be time for, or as a round may have.
    fn round(&mut self) -> Result<(), Error> {
        // Strata that are counted leave what they did not need to the others.
        let numbers = loop {
            let numbers = self.allocate();
            let few = |(stratum, &number): (&Stratum, &usize)| {
                let looked_at = number as u64 * NEIGHBOURS;
                number > 0 && looked_at >= stratum.len() && !stratum.is_sliced(self.sliced_above)
            };
            let few: Vec<bool> = self.strata.iter().zip(&numbers).map(few).collect();
            if self.limits.end.is_none() || !few.contains(&true) {
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
        let looks = if self.limits.end.is_some() { LOOKS } else { 1 };
        let size = draws
            .len()
            .div_ceil(looks)
            .max(2 * self.strata.len())
            .max(1);
        for batch in draws.chunks(size) {
            if self.is_time_up() {
                break;
            }
            let batch = batch.iter().map(|(_, draw)| draw.clone()).collect();
            for (stratum, seen) in self.look(batch)? {
                self.results[stratum].second.push(seen);
            }
        }
        Ok(())
    }

    /// How many draws of each stratum that is not counted the second sample should have.
    fn allocate(&self) -> Vec<usize> {
        let Limits { samples, end, .. } = self.limits;
        let limited = end.map(|_| Estimate::MOST_SAMPLES);
        let left = Left {
            draws: samples
                .or(limited)
                .map(|samples| samples.saturating_sub(self.used()).min(DRAWS_IN_ROUND)),
            seconds: end.map(|end| {
                let left = end.saturating_duration_since(Instant::now());
                let left = left.saturating_sub(self.drawing).as_secs_f64();
                PLANNED * left * self.workers.threads as f64
            }),
        };
        let open = |found: &Found| found.complete.is_none() && !found.pilot.is_empty();
        let shown = self.results.iter().zip(&self.strata);
        let shown = shown.filter(|(found, _)| open(found));
        let shown: Vec<Shown> = shown
            .map(|(found, stratum)| Shown {
                count: mean(&found.pilot_counts()),
                spread: variance(&found.pilot_counts()).sqrt(),
                elapsed: found.elapsed(),
                draws: found.seen().count(),
                // More than all tasks would be too many, unless they are sliced.
                most: if stratum.is_sliced(self.sliced_above) {
                    DRAWS_IN_ROUND
                } else {
                    stratum.len()
                },
            })
            .collect();
        let mut numbers = allocate(&shown, left).into_iter();
        let all = self.results.iter();
        all.map(|found| {
            let number = open(found).then(|| numbers.next());
            number.flatten().unwrap_or(0)
        })
        .collect()
    }

    fn draw(&mut self, numbers: &[usize]) -> Vec<Vec<Draw>> {
        let start = Instant::now();
        let draws = draw(
            self.workers.search(),
            &self.strata,
            numbers,
            self.sliced_above,
            &mut self.random,
        );
        self.drawing = start.elapsed();
        draws
    }

    fn is_time_up(&self) -> bool {
        self.limits.end.is_some_and(|end| Instant::now() >= end)
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
        let counted = self
            .workers
            .each(&pieces, |worker, (stratum, tasks), stop| {
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
        self.workers.each(&draws, |worker, draw, stop| {
            let seen = look(worker, draw, stop)?;
            (self.observer)();
            Ok((draw.stratum, seen))
        })
    }

    /// The estimate.
    pub(super) fn count(&self) -> Figure {
        let sampled = self.results.iter().filter(|found| found.complete.is_none());
        let (mut pilot, mut all) = (0, 0);
        for found in sampled {
            pilot += found.pilot.len();
            all += found.seen().count();
        }
        // How many draws there were in the end has to do with their values, how many there
        // should have been has not.
        if let (None, Some(samples)) = (self.limits.end, self.limits.samples) {
            let counted = self.results.iter().filter_map(|found| found.complete);
            let counted: u64 = counted.map(|complete| complete.draws).sum();
            all = pilot.max(samples.saturating_sub(counted) as usize);
        }
        let weight = pilot as f64 / all.max(1) as f64;
        let totals: Vec<Total> = self.results.iter().map(Found::total).collect();
        sum(&totals, weight)
    }
}

/// How many draws the pilot has of each of these strata, out of this number in all.
fn pilot_of(samples: u64, strata: usize) -> usize {
    let share = samples / strata.max(1) as u64;
    share.clamp(2, PILOT as u64) as usize
}
