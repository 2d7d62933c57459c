//! Times one count, and watches how long its threads waited for the last one.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

use queens::{Count, Counted, Error, FinishedBlock, Observer};

use super::{
    report::{ProcessorTime, Run},
    scaling::to_nanoseconds,
};

/// Hears when each thread was last at work.
#[derive(Default)]
struct Watch {
    last: Mutex<HashMap<ThreadId, Instant>>,
}

impl Watch {
    fn last(&self) -> MutexGuard<'_, HashMap<ThreadId, Instant>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn at_work(&self) {
        self.last().insert(thread::current().id(), Instant::now());
    }

    /// What the threads together waited for the last one, in seconds.
    fn idle(&self) -> f64 {
        let last = self.last();
        let end = last.values().max();
        let waits = last.values().zip(end.into_iter().cycle());
        waits
            .map(|(&at, &end)| end.duration_since(at).as_secs_f64())
            .sum()
    }
}

impl Observer for Watch {
    fn started(&self, _: usize) {
        self.at_work();
    }

    fn finished(&self, _: &FinishedBlock) -> Result<(), Error> {
        self.at_work();
        Ok(())
    }
}

/// Counts once, with the planning, by this clock.
pub fn time(count: Count, clock: impl Fn() -> Duration) -> Result<(Counted, Run), Error> {
    let watch = Watch::default();
    let before = ProcessorTime::now();
    let start = clock();
    let counted = count.observer(&watch).run()?;
    let seconds = clock().saturating_sub(start).as_secs_f64();
    let processor = ProcessorTime::now().since(before);
    // Threads for which there was no block were never started.
    let absent = counted.threads.saturating_sub(watch.last().len());
    let run = Run {
        seconds,
        idle_seconds: to_nanoseconds(watch.idle() + absent as f64 * seconds),
        processor,
    };
    Ok((counted, run))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_time_is_a_part_of_the_time_of_all_threads() {
        for threads in [1, 2, 50] {
            let count = Count::new(9).unwrap().threads(threads);
            let start = Instant::now();
            let (counted, run) = time(count, || start.elapsed()).unwrap();
            assert_eq!(counted.count, 352);
            assert!(run.seconds > 0.0);
            assert!((0.0..=threads as f64 * run.seconds).contains(&run.idle_seconds));
        }
    }
}
