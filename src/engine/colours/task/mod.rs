//! Tasks: the four lists of placements, joined by colour and multiplied.
//!
//! Neighbouring tasks have the same even rows, and so the same outer lists; and where their
//! first odd rows agree, all that is made of these lists for the prefixes of the inner
//! ones. Where this fits its room it is kept from task to task. Where it does not, a batch
//! of tasks is counted together: of each part of what they share, as it is made, every one
//! takes what it needs.
//!
//! The first colour of a task leaves a table of counts, by even and odd column set. The
//! second colour needs none: its counts are multiplied by those of the first as they come,
//! group by group or hit by hit, which is right because the product is linear in them.

mod lists;
mod products;

use super::{
    Colours,
    join::{
        counts::{LANES, Panels, TooMany},
        kernel::Kernel,
        packed::{Counted, PackedStrips, Room},
        trie::{Chunks, Factors, Walk},
    },
    orbits::Representative,
    placements::Placements,
    schedule::{class::Method, slices::TaskSlice},
};
use crate::{error::Error, threads::Cancel};
pub(super) use lists::Inner;
use lists::{ColumnSets, InnerForm, OuterForm, Setting};
use products::Stopped;

/// A thread's workspace: the current even rows, and room for joins.
pub(super) struct Workspace<'a, K> {
    search: &'a Colours,
    kernel: K,
    /// The class of the tasks that were counted last.
    class: usize,
    setting: Option<Setting>,
    /// The slice of the tasks that is counted.
    slice: TaskSlice,
    list: Placements,
    /// What neighbouring tasks share: of white, of black, and of the one that is a trie.
    white: PackedStrips,
    black: PackedStrips,
    chunks: Chunks,
    /// What belongs to each task of a batch.
    batch: Vec<TaskRoom>,
    room: Room,
    strip: Panels,
    walk: Walk,
}

/// What belongs to one task of a batch.
#[derive(Default)]
struct TaskRoom {
    counted: Counted,
    /// The counts of its first colour.
    first: Panels,
    factors: Factors,
    /// Its count.
    count: u128,
}

/// How much memory a thread may use for what it keeps, in bytes; it may be a little more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rooms {
    /// The packed strips of a colour, which neighbouring tasks share: part of the second
    /// cache of a core, since every task walks over all of it.
    pub(super) strips: usize,
    /// The counts of a strip, which are added to from all over: part of the same cache. A
    /// strip has two panels at least.
    pub(super) strip_counts: usize,
    /// The chunks of a trie's prefixes, which they share as well: part of the second cache of a
    /// core, since a batch of tasks walks over all of it, one after the other.
    pub(super) chunks: usize,
    /// What belongs to each of the tasks that are counted together.
    pub(super) batch: usize,
}

impl Default for Rooms {
    fn default() -> Self {
        Rooms {
            strips: 1 << 20,
            strip_counts: 256 << 10,
            chunks: 256 << 10,
            batch: 64 << 20,
        }
    }
}

impl<'a, K: Kernel> Workspace<'a, K> {
    pub(super) fn new(search: &'a Colours, kernel: K) -> Self {
        Workspace {
            search,
            kernel,
            class: 0,
            setting: None,
            slice: TaskSlice::WHOLE,
            list: Placements::default(),
            white: PackedStrips::default(),
            black: PackedStrips::default(),
            chunks: Chunks::default(),
            batch: Vec::new(),
            room: Room::new(),
            strip: Panels::default(),
            walk: Walk::new(),
        }
    }

    /// Counts this slice of the tasks from now on.
    pub(super) fn take(&mut self, slice: TaskSlice) {
        if (self.slice.even, self.slice.odd) != (slice.even, slice.odd) {
            self.setting = None;
        }
        self.slice = slice;
    }

    /// The count of a slice of a task, in slices whose lists are short enough. Where a pair of
    /// column sets has too many placements for the bits that a count has, a slice is counted
    /// in quarters.
    pub(super) fn count_slice_of(
        &mut self,
        slice: TaskSlice,
        class: usize,
        (representative, odd_rows): (&Representative, u32),
        cancel: &Cancel,
    ) -> Result<u128, Error> {
        let mut sum = 0;
        for piece in slice.slices(self.search.classes[class].slicing) {
            self.take(piece);
            self.set_out(class, representative, cancel)?;
            let inner = self.own_inner(class, odd_rows, representative.kappa, cancel)?;
            let mut whole = Err(TooMany);
            self.count(&[&inner], cancel, |_, count| {
                whole = count;
                Ok(())
            })?;
            sum += match whole {
                Ok(count) => count,
                Err(TooMany) => {
                    let rows = (representative, odd_rows);
                    let mut quarters = piece.quarters().ok_or(TooMany)?;
                    quarters.try_fold(0, |sum, quarter| {
                        self.count_slice_of(quarter, class, rows, cancel)
                            .map(|count| sum + count)
                    })?
                }
            };
        }
        Ok(sum)
    }

    /// The counts of the tasks with the current even rows and these odd rows, in order,
    /// each unless it has too many placements for a pair of column sets.
    pub(super) fn count(
        &mut self,
        inners: &[&Inner],
        cancel: &Cancel,
        mut counted: impl FnMut(usize, Result<u128, TooMany>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let setting = self.setting.take().expect("even rows are set out");
        // Up to where tasks are counted one by one.
        let (mut first, mut single) = (0, 0);
        while first < inners.len() {
            let batch = self.batch_size(&setting, &inners[first..])?;
            let len = if first < single { 1 } else { batch };
            match self.join(&setting, &inners[first..first + len], cancel) {
                Ok(()) => {
                    for task in &self.batch[..len] {
                        counted(first, Ok(task.count))?;
                        first += 1;
                    }
                }
                // Which one of them is too large is seen when they are counted one by one.
                Err(Stopped::TooMany) if len > 1 => single = first + len,
                Err(Stopped::TooMany) => {
                    counted(first, Err(TooMany))?;
                    first += 1;
                }
                Err(Stopped::Failed(error)) => return Err(error),
            }
        }
        self.setting = Some(setting);
        Ok(())
    }

    /// How many of these tasks to count together: those whose odd rows begin alike, if what
    /// they share does not fit its room and would otherwise be made for each.
    fn batch_size(&mut self, setting: &Setting, inners: &[&Inner]) -> Result<usize, Error> {
        let (kernel, rooms) = (self.kernel, self.search.rooms);
        let head = inners[0];
        let mut complete = true;
        for (outer, inner, strips) in [
            (&setting.x, &head.y, &mut self.white),
            (&setting.u, &head.v, &mut self.black),
        ] {
            complete &= match (outer, inner) {
                (OuterForm::Packed(outer), InnerForm::Packed(walker)) => {
                    strips.set_out(kernel, walker, outer, rooms.strips)?
                }
                (OuterForm::Trie(outer), InnerForm::Trie(trie)) => {
                    self.chunks.set_out(kernel, trie, outer, rooms.chunks)?
                }
                _ => unreachable!("the lists of a class are made for one method"),
            };
        }
        if complete {
            return Ok(1);
        }
        // A table of counts and, for a trie, one of factors.
        let tables = if self.search.classes[setting.class].method == Method::Packed {
            1
        } else {
            2
        };
        let (even, odd) = (setting.even.keys, setting.odd.keys);
        let bytes = tables * size_of::<u16>() * (even + LANES) * (odd + LANES);
        let most = (rooms.batch / bytes).max(1);
        let alike = |inner: &&&Inner| {
            inner.y.prefix_rows() == head.y.prefix_rows()
                && inner.v.prefix_rows() == head.v.prefix_rows()
        };
        Ok(inners.iter().take(most).take_while(alike).count())
    }
}
