//! Threads that share work, and the flag that stops them.
//!
//! There is one way to run on threads: each of a [`Crew`] asks for the next item until none is
//! left for it, and the first error stops the others. Counting, double-checking and estimating
//! all go through [`Crew::share`].

mod cancel;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub use cancel::Cancel;

use crate::error::Error;

/// The largest number of threads: what any machine has and the thread pool can run.
///
/// ```
/// use queens::{Count, Error, MAX_THREADS};
///
/// let run = Count::new(8)?.threads(MAX_THREADS + 1).run();
/// assert_eq!(run.unwrap_err(), Error::ThreadCount(MAX_THREADS + 1));
/// # Ok::<(), queens::Error>(())
/// ```
pub const MAX_THREADS: usize = 4096;

/// Threads that share items of work.
pub(crate) struct Crew<'a> {
    /// How many there are at most.
    pub(crate) threads: usize,
    /// Stops them all.
    pub(crate) cancel: &'a Cancel,
    /// Hear the number of each thread, from 0, on that thread, before its first item.
    pub(crate) begin: &'a (dyn Fn(usize) + Sync),
    pub(crate) started: &'a (dyn Fn(usize) + Sync),
}

impl Crew<'_> {
    /// Does the work of the items 0, 1, 2, …, each on the thread that is free first, which
    /// ends when an item is `None`. Every thread has a worker of its own, which may say what
    /// item it gets; `items` is how many there are at most, so that no thread is started in
    /// vain.
    pub(crate) fn share<I, W>(
        &self,
        items: usize,
        item: impl Fn(&W, usize) -> Option<I> + Sync,
        worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, I, &Cancel) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let (next, stop) = (AtomicUsize::new(0), self.cancel.child());
        let share_of = |thread| {
            (self.begin)(thread);
            (self.started)(thread);
            let mut worker = worker();
            while let Some(item) = item(&worker, next.fetch_add(1, Relaxed)) {
                if stop.is_cancelled() {
                    return Err(Error::Interrupted);
                }
                work(&mut worker, item, &stop)?;
            }
            Ok(())
        };
        // A single thread is the caller's own.
        let results = match self.threads.min(items) {
            0 | 1 => vec![share_of(0)],
            threads => pool(threads)?
                .broadcast(|context| share_of(context.index()).inspect_err(|_| stop.cancel())),
        };
        // An error interrupts the other threads; it is the one to report.
        let errors = results.into_iter().filter_map(Result::err);
        match errors.min_by_key(|error| matches!(error, Error::Interrupted)) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// Whether there can be this many threads.
pub(crate) fn check_threads(threads: usize) -> Result<(), Error> {
    if (1..=MAX_THREADS).contains(&threads) {
        Ok(())
    } else {
        Err(Error::ThreadCount(threads))
    }
}

/// This many threads, waiting for work.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Threads {
        threads,
        reason: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashSet,
        sync::Mutex,
        thread::{self, ThreadId},
    };

    use super::*;

    fn crew<'a>(threads: usize, cancel: &'a Cancel) -> Crew<'a> {
        Crew {
            threads,
            cancel,
            begin: &|_| (),
            started: &|_| (),
        }
    }

    #[test]
    fn every_item_is_done_once_on_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let done = Mutex::new(Vec::new());
            let shared = crew(threads, &Cancel::new()).share(
                100,
                |(), number| (number < 100).then_some(number),
                || (),
                |(), number, _| {
                    done.lock().unwrap().push(number);
                    Ok(())
                },
            );
            assert_eq!(shared, Ok(()));
            let mut done = done.into_inner().unwrap();
            done.sort_unstable();
            assert!(done.into_iter().eq(0..100), "{threads} threads");
        }
    }

    #[test]
    fn one_thread_is_the_callers_and_no_more_are_started_than_there_are_items() {
        let here = thread::current().id();
        for (threads, items) in [(1, 9), (9, 1), (9, 0), (3, 2)] {
            let seen: Mutex<HashSet<ThreadId>> = Mutex::default();
            let started = |_| _ = seen.lock().unwrap().insert(thread::current().id());
            let cancel = Cancel::new();
            let crew = Crew {
                started: &started,
                ..crew(threads, &cancel)
            };
            let item = |(): &(), number| (number < items).then_some(());
            crew.share(items, item, || (), |(), (), _| Ok(())).unwrap();
            let seen = seen.into_inner().unwrap();
            let used = threads.min(items).max(1);
            assert_eq!(seen.len(), used);
            assert_eq!(seen.contains(&here), used == 1);
        }
    }

    #[test]
    fn an_error_stops_the_others_and_is_the_one_reported() {
        for threads in [1, 3] {
            let cancel = Cancel::new();
            let failed = crew(threads, &cancel).share(
                usize::MAX,
                |(), number| Some(number),
                || (),
                |(), number, _| match number {
                    500 => Err(Error::ThreadCount(500)),
                    _ => Ok(()),
                },
            );
            assert_eq!(failed, Err(Error::ThreadCount(500)));
            assert!(!cancel.is_cancelled(), "only this work was stopped");
        }
    }
}
