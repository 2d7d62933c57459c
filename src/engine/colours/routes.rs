//! Three ways to count a task: as the engine does, by its image under a symmetry, and
//! by the `rows` engine.
//!
//! A task's count is Σ over the column sets C that it counts of weight(C) · g(R, C).
//! The half turn maps the problem to another with as many solutions (a whole board to itself),
//! and the task to another choice of rows, with the same count there: for it counts the
//! turned column sets, weights included. And g(R, C) is
//! the number of solutions with white queens on exactly those rows and columns: so
//! many squares are left that the `rows` engine counts them in no time.

use std::sync::Arc;

use super::{
    Colours,
    join::{counts::TooMany, kernel::Kernel},
    orbits::Representative,
    schedule::{
        list_cache::Shelf,
        numbering::Task,
        slices::{Slicing, TaskSlice},
    },
    task::Workspace,
};
use crate::{
    board::MAX_N,
    engine::{Slice, Tally, rows},
    error::Error,
    threads::Cancel,
};

/// A way to count a task.
pub(super) trait TaskCounter {
    /// Adds the counts of neighbouring tasks, which have the same even rows and shelf.
    fn count(&mut self, tasks: &[Task], tally: &mut Tally, cancel: &Cancel) -> Result<(), Error>;

    /// Adds the count of a slice. Only the direct way has slices.
    fn count_slice(
        &mut self,
        task: &Task,
        slice: Slice,
        tally: &mut Tally,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        debug_assert_eq!(slice, Slice::WHOLE);
        self.count(std::slice::from_ref(task), tally, cancel)
    }
}

/// With the lists of the odd rows from a shelf.
pub(super) struct Direct<'a, K> {
    search: &'a Colours,
    workspace: Workspace<'a, K>,
    /// The shelf in use: held from block to block, so that its lists stay.
    shelf: Option<(usize, usize, Arc<Shelf>)>,
}

impl<'a, K: Kernel> Direct<'a, K> {
    pub(super) fn new(search: &'a Colours, kernel: K) -> Self {
        Direct {
            search,
            workspace: Workspace::new(search, kernel),
            shelf: None,
        }
    }

    fn shelf(&mut self, class: usize, number: usize) -> Arc<Shelf> {
        match &self.shelf {
            Some((c, s, shelf)) if (*c, *s) == (class, number) => shelf.clone(),
            _ => {
                // Let go of the old one first: this may be the last reference to it.
                self.shelf = None;
                let rows = self.search.classes[class].shelf(number);
                let shelf = self.search.shelves.get((class, number), rows);
                self.shelf = Some((class, number, shelf.clone()));
                shelf
            }
        }
    }
}

impl<K: Kernel> Direct<'_, K> {
    /// Adds the count of a slice of a task, with lists of its own.
    fn count_alone(
        &mut self,
        task: &Task,
        slice: TaskSlice,
        tally: &mut Tally,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let rows = (&task.representative, task.odd_rows);
        let count = self
            .workspace
            .count_slice_of(slice, task.class, rows, cancel)?;
        tally.add(task.weight.into(), count)
    }
}

impl<K: Kernel> TaskCounter for Direct<'_, K> {
    fn count(&mut self, tasks: &[Task], tally: &mut Tally, cancel: &Cancel) -> Result<(), Error> {
        let Some(head) = tasks.first() else {
            return Ok(());
        };
        if self.search.classes[head.class].slicing != Slicing::NONE {
            self.shelf = None;
            return tasks
                .iter()
                .try_for_each(|task| self.count_alone(task, TaskSlice::WHOLE, tally, cancel));
        }
        self.workspace.take(TaskSlice::WHOLE);
        self.workspace
            .set_out(head.class, &head.representative, cancel)?;
        let shelf = self.shelf(head.class, head.shelf);
        let inners = shelf.lists(tasks.iter().map(|task| task.place), |rows| {
            self.workspace.inner(head.class, rows, cancel)
        })?;
        let mut too_large = Vec::new();
        self.workspace.count(&inners, cancel, |place, count| {
            match count {
                Ok(count) => tally.add(tasks[place].weight.into(), count)?,
                Err(TooMany) => too_large.push(place),
            }
            Ok(())
        })?;
        for task in too_large.into_iter().map(|place| &tasks[place]) {
            self.count_alone(task, TaskSlice::WHOLE, tally, cancel)?;
        }
        Ok(())
    }

    fn count_slice(
        &mut self,
        task: &Task,
        slice: Slice,
        tally: &mut Tally,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        if slice == Slice::WHOLE {
            return self.count(std::slice::from_ref(task), tally, cancel);
        }
        let slice = TaskSlice::new(slice, &self.search.classes[task.class]);
        self.count_alone(task, slice, tally, cancel)
    }
}

/// The task turned by half.
pub(super) struct Image<'a, K> {
    search: &'a Colours,
    workspace: Workspace<'a, K>,
}

impl<'a, K: Kernel> Image<'a, K> {
    pub(super) fn new(search: &'a Colours, kernel: K) -> Self {
        Image {
            search,
            workspace: Workspace::new(search.turned(), kernel),
        }
    }
}

/// The even and odd rows of the task turned by half.
pub(super) fn image(search: &Colours, task: &Task) -> (Representative, u32) {
    search.symmetry.turned(&task.representative, task.odd_rows)
}

impl<K: Kernel> TaskCounter for Image<'_, K> {
    fn count(&mut self, tasks: &[Task], tally: &mut Tally, cancel: &Cancel) -> Result<(), Error> {
        for task in tasks {
            let (turned, odd_rows) = image(self.search, task);
            let rows = (&turned, odd_rows);
            let count =
                self.workspace
                    .count_slice_of(TaskSlice::WHOLE, task.class, rows, cancel)?;
            tally.add(task.weight.into(), count)?;
        }
        Ok(())
    }
}

/// The solutions with given white rows and columns, by the `rows` engine.
pub(super) struct Reference<'a> {
    search: &'a Colours,
    lists: rows::Lists,
}

impl<'a> Reference<'a> {
    pub(super) fn new(search: &'a Colours) -> Self {
        Reference {
            search,
            lists: rows::Lists::default(),
        }
    }
}

impl TaskCounter for Reference<'_> {
    fn count(&mut self, tasks: &[Task], tally: &mut Tally, cancel: &Cancel) -> Result<(), Error> {
        for task in tasks {
            tally.add(task.weight.into(), self.count_task(task, cancel)?)?;
        }
        Ok(())
    }
}

impl Reference<'_> {
    fn count_task(&mut self, task: &Task, cancel: &Cancel) -> Result<u128, Error> {
        let Reference { search, lists } = self;
        let class = &search.classes[task.class];
        let (n, symmetry) = (search.n, &search.symmetry);
        let kappa = task.representative.kappa;
        let rows = spread(task.representative.rows, task.odd_rows);
        let mut tally = Tally::default();
        for even in class.even_keys.sets(kappa) {
            for odd in class.odd_keys.sets(kappa) {
                let columns = spread(even, odd);
                let mut allowed = [0; MAX_N as usize];
                for (row, allowed) in allowed[..n as usize].iter_mut().enumerate() {
                    let white = WHITE_OF_EVEN_ROWS << (row % 2);
                    *allowed = if rows >> row & 1 == 1 {
                        white & columns
                    } else {
                        !white & !columns & crate::board::mask::full(n)
                    };
                    if let Some(masks) = &search.allowed {
                        *allowed &= masks[row];
                    }
                }
                let weight = symmetry
                    .even_weight(kappa, even)
                    .min(symmetry.odd_weight(kappa, odd));
                let count = rows::completions_within(n, &allowed, lists, cancel)?;
                tally.add(weight.into(), count)?;
            }
        }
        Ok(tally.total())
    }
}

/// The white squares of row 0.
const WHITE_OF_EVEN_ROWS: u32 = 0x5555_5555;

/// Sets of even and of odd lines as one set of lines.
fn spread(even: u32, odd: u32) -> u32 {
    let lines = |set: u32, first: u32| {
        crate::board::mask::columns(set).fold(0, |lines, line| lines | 1 << (2 * line + first))
    };
    lines(even, 0) | lines(odd, 1)
}
