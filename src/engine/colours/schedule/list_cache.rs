//! The inner lists of neighbouring odd rows, built when first needed and shared by all
//! threads.
//!
//! Lists of the odd rows are used with every choice of even rows, so they are worth
//! keeping; all of a class at once would be too many from n = 24 on. So the odd rows
//! are divided into shelves of bounded size, and all tasks of a shelf come before
//! those of the next. A shelf is freed when no thread holds it any more.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use crate::engine::colours::task::Inner;
use crate::error::Error;

/// The inner lists of some odd rows of a class.
pub(crate) struct Shelf(Vec<Place>);

/// The odd rows and their lists.
struct Place {
    rows: u32,
    lists: OnceLock<Inner>,
    /// Held by whoever builds them.
    building: Mutex<()>,
}

impl Shelf {
    fn new(rows: &[u32]) -> Self {
        let place = |&rows: &u32| Place {
            rows,
            lists: OnceLock::new(),
            building: Mutex::default(),
        };
        Shelf(rows.iter().map(place).collect())
    }

    /// The lists at a place, built by whoever comes first and is not interrupted.
    pub(crate) fn list(
        &self,
        place: usize,
        build: impl FnOnce(u32) -> Result<Inner, Error>,
    ) -> Result<&Inner, Error> {
        let place = &self.0[place];
        if let Some(lists) = place.lists.get() {
            return Ok(lists);
        }
        let _building = place
            .building
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(lists) = place.lists.get() {
            return Ok(lists);
        }
        let lists = build(place.rows)?;
        Ok(place.lists.get_or_init(|| lists))
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
