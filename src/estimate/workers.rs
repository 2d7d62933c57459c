//! Hands out the items of a sample to threads and collects what comes of them.

use std::sync::{Mutex, PoisonError};

use crate::{
    count::{Plan, Runner},
    engine::{Cpu, Route, Search, Worker},
    error::Error,
    threads::Cancel,
};

/// The threads of an estimate, and what they count.
pub(super) struct Workers<'a> {
    plan: &'a Plan,
    runner: &'a Runner<'a>,
    pub(super) cpu: Cpu,
    pub(super) threads: usize,
}

impl<'a> Workers<'a> {
    pub(super) fn new(plan: &'a Plan, runner: &'a Runner<'a>) -> Result<Self, Error> {
        Ok(Workers {
            plan,
            runner,
            cpu: runner.kernel()?,
            threads: runner.crew(&|_| ())?.threads,
        })
    }

    pub(super) fn search(&self) -> &'a dyn Search {
        self.plan.search()
    }

    /// Does this to each of the items, on all threads, and returns what comes of it in
    /// their order.
    pub(super) fn each<I: Sync, T: Send>(
        &self,
        items: &[I],
        work: impl Fn(&mut dyn Worker, &I, &Cancel) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let done = Mutex::new(Vec::new());
        self.runner.crew(&|_| ())?.share(
            items.len(),
            |_, place| Some((place, items.get(place)?)),
            // The only route that knows slices of tasks.
            || self.search().worker(self.cpu, Route::Direct),
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
}
