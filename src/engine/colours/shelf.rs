//! The inner lists of neighbouring odd rows, built when first needed and shared by all
//! threads.
//!
//! Lists of the odd rows are used with every choice of even rows, so they are worth
//! keeping; all of a class at once would be too many from n = 24 on. So the odd rows
//! are divided into shelves of bounded size, and all tasks of a shelf come before
//! those of the next. A shelf is freed when no thread holds it any more.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::task::Inner;

/// The inner lists of some odd rows of a class.
pub(super) struct Shelf {
    /// The odd rows and their lists.
    lists: Vec<(u32, OnceLock<Inner>)>,
}

impl Shelf {
    /// The lists at a place, built by whoever comes first.
    pub(super) fn list(&self, place: usize, build: impl FnOnce(u32) -> Inner) -> &Inner {
        let (rows, list) = &self.lists[place];
        list.get_or_init(|| build(*rows))
    }
}

/// A shelf's class and number.
type Label = (usize, usize);

/// The shelves that some thread holds.
#[derive(Default)]
pub(super) struct Shelves(Mutex<Vec<(Label, Weak<Shelf>)>>);

impl Shelves {
    /// The shelf with this label, for these odd rows.
    pub(super) fn get(&self, label: Label, rows: &[u32]) -> Arc<Shelf> {
        // Nothing is ever half done under this lock.
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(_, shelf)| shelf.strong_count() > 0);
        let found = held.iter().find(|(other, _)| *other == label);
        if let Some(shelf) = found.and_then(|(_, shelf)| shelf.upgrade()) {
            return shelf;
        }
        let shelf = Arc::new(Shelf {
            lists: rows.iter().map(|&rows| (rows, OnceLock::new())).collect(),
        });
        held.push((label, Arc::downgrade(&shelf)));
        shelf
    }
}
