//! The inner lists of neighbouring odd rows, built when first needed and shared by all
//! threads.
//!
//! Lists of the odd rows are used with every choice of even rows, so they are worth
//! keeping; all of a class at once would be too many from n = 24 on. So the odd rows
//! are divided into shelves of bounded size, and all tasks of a shelf come before
//! those of the next. A shelf is freed when no thread holds it any more.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError, Weak};

use crate::engine::colours::task::Inner;
use crate::error::Error;

/// The inner lists of some odd rows of a class.
pub(crate) struct Shelf<L = Inner>(Vec<Place<L>>);

/// The odd rows and their lists.
struct Place<L> {
    rows: u32,
    lists: OnceLock<L>,
    /// Held by whoever builds them.
    building: Mutex<()>,
}

impl<L> Place<L> {
    /// The lists, which nobody else is building.
    fn built(
        &self,
        _building: MutexGuard<()>,
        build: impl FnOnce(u32) -> Result<L, Error>,
    ) -> Result<&L, Error> {
        if let Some(lists) = self.lists.get() {
            return Ok(lists);
        }
        let lists = build(self.rows)?;
        Ok(self.lists.get_or_init(|| lists))
    }
}

impl<L> Shelf<L> {
    fn new(rows: &[u32]) -> Self {
        let place = |&rows: &u32| Place {
            rows,
            lists: OnceLock::new(),
            building: Mutex::default(),
        };
        Shelf(rows.iter().map(place).collect())
    }

    /// The lists at these places, each built by whoever comes first and is not interrupted.
    /// Threads that need the same lists share the work: each builds those that no other is
    /// building, before it waits for any.
    pub(crate) fn lists(
        &self,
        places: impl Iterator<Item = usize> + Clone,
        mut build: impl FnMut(u32) -> Result<L, Error>,
    ) -> Result<Vec<&L>, Error> {
        for place in places.clone().map(|place| &self.0[place]) {
            let building = match place.building.try_lock() {
                Ok(building) => building,
                Err(TryLockError::Poisoned(building)) => building.into_inner(),
                Err(TryLockError::WouldBlock) => continue,
            };
            place.built(building, &mut build)?;
        }
        let lists = places.map(|place| {
            let place = &self.0[place];
            if let Some(lists) = place.lists.get() {
                return Ok(lists);
            }
            let building = place.building.lock();
            place.built(building.unwrap_or_else(PoisonError::into_inner), &mut build)
        });
        lists.collect()
    }
}

/// A shelf's class and number.
type Label = (usize, usize);

/// The shelves that some thread holds.
#[derive(Default)]
pub(crate) struct Shelves(Mutex<Vec<(Label, Weak<Shelf>)>>);

impl Shelves {
    /// The shelf with this label, for these odd rows.
    pub(crate) fn get(&self, label: Label, rows: &[u32]) -> Arc<Shelf> {
        // Nothing is ever half done under this lock.
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(_, shelf)| shelf.strong_count() > 0);
        let found = held.iter().find(|(other, _)| *other == label);
        if let Some(shelf) = found.and_then(|(_, shelf)| shelf.upgrade()) {
            return shelf;
        }
        let shelf = Arc::new(Shelf::new(rows));
        held.push((label, Arc::downgrade(&shelf)));
        shelf
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            atomic::{AtomicU32, Ordering::Relaxed},
            mpsc,
        },
        thread,
        time::Duration,
    };

    use super::*;

    #[test]
    fn every_list_is_built_once_whoever_needs_it() {
        let rows: Vec<u32> = (0..200).map(|row| 3 * row).collect();
        let (shelf, built) = (Shelf::new(&rows), AtomicU32::new(0));
        thread::scope(|scope| {
            for first in 0..8 {
                let (shelf, built) = (&shelf, &built);
                scope.spawn(move || {
                    let lists = shelf.lists(first..200, |rows| {
                        built.fetch_add(1, Relaxed);
                        Ok(u64::from(rows))
                    });
                    let expected = (first as u64..200).map(|place| 3 * place);
                    assert!(lists.unwrap().into_iter().copied().eq(expected));
                });
            }
        });
        assert_eq!(built.into_inner(), 200);
    }

    #[test]
    fn threads_build_different_lists_at_once() {
        let shelf = Shelf::new(&[0, 1]);
        let meet = |from: mpsc::Receiver<()>, to: mpsc::Sender<()>| {
            move |rows: u32| {
                to.send(()).unwrap();
                let other = from.recv_timeout(Duration::from_secs(20));
                other.expect("the other list is built at the same time");
                Ok(rows)
            }
        };
        let ((to_a, from_b), (to_b, from_a)) = (mpsc::channel(), mpsc::channel());
        thread::scope(|scope| {
            let other = scope.spawn(|| shelf.lists(0..2, meet(from_a, to_a)).map(|_| ()));
            shelf.lists(0..2, meet(from_b, to_b)).unwrap();
            other.join().unwrap().unwrap();
        });
    }

    #[test]
    fn who_is_interrupted_leaves_the_list_to_the_next() {
        let shelf = Shelf::new(&[7]);
        let failed = shelf.lists(0..1, |_| Err(Error::Interrupted));
        assert_eq!(failed, Err(Error::Interrupted));
        assert_eq!(shelf.lists(0..1, Ok), Ok(vec![&7]));
    }
}
