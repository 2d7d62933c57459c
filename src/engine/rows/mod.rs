//! The `rows` engine: one queen per row, from the top, with bit masks.
//!
//! A task is a placement of the first two rows, or of three where two would leave many threads
//! waiting for the last of them; the [`kernel`] counts its completions.
//!
//! In a mirror, left to right, a solution is another solution. So two tasks that mirror
//! each other have as many completions, and the one whose first queen off the middle
//! stands to the left of it counts for both, with weight 2:
//!
//! ```text
//!    n = 7    1 1 1 m . . .    row 0: the left half, with all of row 1 ...
//!             1 1 . . . . .    ... or the middle, with the left half of row 1
//! ```
//!
//! A board with required or forbidden squares need not look the same in a mirror. All
//! its tasks are counted, with weight 1. A row with a required queen leaves no choice, so
//! a task goes on to the next: there are tasks for many threads in any case.

mod cost;
mod kernel;
#[cfg(test)]
mod tests;

use std::{
    borrow::Cow,
    cmp::{Ordering, Reverse},
    ops::Range,
};

pub(crate) use self::kernel::Lists;
use self::kernel::Node;
use super::{Route, Search, TaskGroup, Worker};
use crate::{
    board::{MAX_N, Masks, Problem, mask::columns},
    engine::{Cpu, Tally},
    error::Error,
    threads::Cancel,
};

/// A task places the queens of so many rows that leave a choice, if there are as many.
fn placed(n: u32) -> usize {
    if n < 15 { 2 } else { 3 }
}

/// The rows search set to one problem.
#[derive(Clone)]
pub(crate) struct Rows {
    n: u32,
    allowed: Option<Masks>,
    tasks: Vec<Task>,
}

/// A placement of the first rows.
#[derive(Clone)]
struct Task {
    /// The column of the queen in each row.
    queens: Vec<u32>,
    /// How many solutions a completion stands for.
    weight: u128,
    cost: u64,
}

impl Rows {
    pub(crate) fn new(problem: &Problem) -> Self {
        let (n, allowed) = (problem.n(), problem.allowed());
        let placements = match problem.contradiction() {
            None => placements(n, allowed.as_ref()),
            // It may be met far below, after a long search.
            Some(_) => Vec::new(),
        };
        let tasks = placements.into_iter();
        let tasks = tasks.filter_map(|queens| {
            let weight = match allowed {
                None => weight(n, &queens)?,
                Some(_) => 1,
            };
            let cost = cost::cost(n, &queens, allowed.as_ref());
            Some(Task {
                queens,
                weight,
                cost,
            })
        });
        let mut tasks: Vec<Task> = tasks.collect();
        tasks.sort_by_key(|task| Reverse(task.cost));
        Rows { n, allowed, tasks }
    }

    /// What the search for a restricted problem costs, as estimated before it is planned.
    pub(super) fn price(problem: &Problem) -> u128 {
        let allowed = problem
            .allowed()
            .filter(|_| problem.contradiction().is_none());
        allowed.map_or(0, |allowed| cost::whole(problem.n(), &allowed))
    }

    /// The same tasks seen in a mirror: other squares, the same counts.
    fn mirrored(&self) -> Rows {
        let mut rows = self.clone();
        for task in &mut rows.tasks {
            task.queens = image(self.n, &task.queens);
        }
        for mask in rows.allowed.iter_mut().flatten() {
            *mask = mask.reverse_bits() >> (MAX_N - self.n);
        }
        rows
    }
}

/// The ways to place the queens of the first rows.
fn placements(n: u32, allowed: Option<&Masks>) -> Vec<Vec<u32>> {
    let allowed = |row: usize| allowed.map_or(u32::MAX, |masks| masks[row]);
    let mut choices = (0..n).filter(|&row| allowed(row as usize).count_ones() > 1);
    let placed = choices.nth(placed(n) - 1).map_or(n, |row| row + 1);
    (0..placed).fold(vec![vec![]], |placements, _| {
        let longer = placements.iter().flat_map(|queens| {
            let free = Node::below(n, queens, &allowed).free;
            columns(free).map(move |column| [&queens[..], &[column]].concat())
        });
        longer.collect()
    })
}

/// How many solutions a completion of these queens stands for on a whole board; `None`
/// if their image stands for them.
fn weight(n: u32, queens: &[u32]) -> Option<u128> {
    match queens.cmp(&image(n, queens)) {
        Ordering::Less => Some(2),
        Ordering::Equal => Some(1),
        Ordering::Greater => None,
    }
}

/// The columns of the same queens in a mirror.
fn image(n: u32, queens: &[u32]) -> Vec<u32> {
    queens.iter().map(|column| n - 1 - column).collect()
}

impl Search for Rows {
    fn groups(&self) -> Box<dyn Iterator<Item = TaskGroup> + '_> {
        let costs = self.tasks.iter().map(|task| task.cost);
        Box::new(costs.map(|cost| TaskGroup { tasks: 1, cost }))
    }

    fn worker(&self, _: Cpu, route: Route) -> Box<dyn Worker + '_> {
        Box::new(RowsWorker {
            search: match route {
                Route::Image => Cow::Owned(self.mirrored()),
                _ => Cow::Borrowed(self),
            },
            lists: Lists::default(),
        })
    }

    fn routes(&self) -> &'static [Route] {
        &[Route::Direct, Route::Image]
    }

    fn describe(&self, task: u64) -> String {
        let queens = self.tasks[task as usize].queens.iter().enumerate();
        let words: Vec<String> = queens
            .map(|(row, column)| format!("row {row} in column {column}"))
            .collect();
        words.join(", ")
    }
}

/// One thread's part of the search.
struct RowsWorker<'a> {
    search: Cow<'a, Rows>,
    lists: Lists,
}

impl Worker for RowsWorker<'_> {
    fn count(&mut self, tasks: Range<u64>, cancel: &Cancel) -> Result<u128, Error> {
        let Rows {
            n,
            allowed,
            tasks: all,
        } = &*self.search;
        let lists = &mut self.lists;
        let mut tally = Tally::default();
        for task in &all[tasks.start as usize..tasks.end as usize] {
            let count = match allowed {
                None => lists.completions(*n, &task.queens, &|_| u32::MAX, cancel),
                Some(masks) => lists.completions(*n, &task.queens, &|row| masks[row], cancel),
            };
            tally.add(task.weight, count?)?;
        }
        Ok(tally.total())
    }
}

/// The number of solutions on a board of side `n` with queens on the allowed squares
/// only, by this thread alone: a recount of what another engine calls a task.
pub(crate) fn completions_within(
    n: u32,
    allowed: &Masks,
    lists: &mut Lists,
    cancel: &Cancel,
) -> Result<u128, Error> {
    lists.completions(n, &[], &|row| allowed[row], cancel)
}
