//! The `colours` engine: counting queens as a dot product.
//!
//! Colour the squares like a chessboard. A diagonal has one colour, so a white queen
//! never attacks a black queen along a diagonal: the two colours meet only in rows
//! and columns, and each row and column holds one queen. With w(R, C) the number of
//! ways to place non-attacking queens on white squares of exactly the rows R and
//! columns C, and b the same for black,
//!
//! ```text
//! Q(n) = Σ over R, C of  w(R, C) · b(Rᶜ, Cᶜ)
//! ```
//!
//! White squares split once more, into even rows and columns (EE) and odd ones (OO),
//! black squares into EO and OE ([`half`]). A **task** is one choice of
//! R = (Rₑ, Rₒ). Its count f(R) needs four lists of placements ([`placements`]):
//!
//! ```text
//!             even rows Rₑ        odd rows Rₒ           the other even    the other odd
//!  white      X on EE             Y on OO
//!  black                                                U on EO           V on OE
//! ```
//!
//! w[Cₑ][Cₒ] counts the pairs (x, y) with those columns and no common diagonal, b
//! the pairs (v, u) with the remaining ones, and f(R) is the sum of the products. A
//! join of two lists works by packed lanes or by a trie ([`join`]); [`orbits`] says which
//! tasks there are and which columns they count. [`task`] puts them together.
//!
//! X and U belong to the even rows (*outer* lists, built once per representative and
//! thread), Y and V to the odd rows (*inner* lists, on a shelf that all threads share,
//! see [`schedule`]). Tasks are numbered so that those on the same shelf, and there those with
//! the same even rows, are neighbours.
//!
//! **Required and forbidden squares** take squares from the half-boards, and so placements from
//! the lists; a choice of rows that leaves a line without a square is no task. Nothing else
//! changes, but that a restricted board may have fewer symmetries.

mod column_sets;
mod half;
mod join;
mod orbits;
mod placements;
mod routes;
mod schedule;
mod task;
#[cfg(test)]
mod tests;

use std::{cmp::Reverse, ops::Range, sync::OnceLock};

#[cfg(target_arch = "aarch64")]
use self::join::kernel::neon::Neon;
#[cfg(target_arch = "x86_64")]
use self::join::kernel::{avx2::Avx2, avx512::Avx512};
use self::{
    half::HalfBoards,
    join::kernel::{Kernel, portable::Portable},
    orbits::Symmetry,
    routes::{Direct, Image, Reference, TaskCounter},
    schedule::{
        class::ClassPlan,
        list_cache::Shelves,
        numbering::{Landmark, Spans},
        slices::Slicing,
    },
    task::Rooms,
};
use super::{Memory, Route, Search, Slice, TaskGroup, Worker};
use crate::{
    board::{MAX_N, Masks, Problem, mask::columns},
    engine::{Cpu, Tally},
    error::Error,
    threads::Cancel,
};

/// The colour split set to one board.
pub(crate) struct Colours {
    n: u32,
    /// The allowed columns of each row, if not all are.
    allowed: Option<Masks>,
    symmetry: Symmetry,
    halves: HalfBoards,
    classes: Vec<ClassPlan>,
    shelves: Shelves,
    /// Where the shelves begin, in the order of the tasks.
    landmarks: Vec<Landmark>,
    tasks: u64,
    /// How many bits a factor may have, and how much memory a thread: less in tests.
    factor_bits: u32,
    rooms: Rooms,
    /// The same on the board turned by half, made when it is first needed.
    turned: OnceLock<Box<Colours>>,
}

impl Colours {
    /// Sets the engine to a problem.
    pub(crate) fn new(problem: &Problem) -> Self {
        let (n, allowed) = (problem.n(), problem.allowed());
        let symmetry = Symmetry::of(n, &problem.symmetries());
        let halves = half_boards(n, allowed.as_ref());
        let mut classes: Vec<ClassPlan> = symmetry
            .classes()
            .filter_map(|class| ClassPlan::new(class, &symmetry, &halves))
            .collect();
        classes.sort_by_key(|class| Reverse(class.cost));
        let (landmarks, tasks) = schedule::numbering::landmarks(&classes, &symmetry);
        Colours {
            n,
            allowed,
            symmetry,
            halves,
            classes,
            shelves: Shelves::default(),
            landmarks,
            tasks,
            factor_bits: join::counts::FACTOR_BITS,
            rooms: Rooms::default(),
            turned: OnceLock::new(),
        }
    }

    /// What all tasks cost, about.
    pub(super) fn cost(&self) -> u64 {
        let classes = self.classes.iter().map(|class| class.cost);
        classes.fold(0, u64::saturating_add)
    }

    /// The problem turned by half, with the tasks of this one: every task counts the images
    /// of its columns there.
    fn turned(&self) -> &Colours {
        let Some(allowed) = &self.allowed else {
            return self;
        };
        self.turned.get_or_init(|| {
            let allowed = turned(self.n, allowed);
            let symmetry = self.symmetry.on_turned_board();
            let halves = HalfBoards::within(self.n, &allowed);
            let classes = self.classes.iter();
            Box::new(Colours {
                n: self.n,
                allowed: Some(allowed),
                classes: classes
                    .map(|class| class.turned(&symmetry, &halves))
                    .collect(),
                symmetry,
                halves,
                shelves: Shelves::default(),
                landmarks: Vec::new(),
                tasks: 0,
                factor_bits: self.factor_bits,
                rooms: self.rooms,
                turned: OnceLock::new(),
            })
        })
    }
}

fn half_boards(n: u32, allowed: Option<&Masks>) -> HalfBoards {
    allowed.map_or_else(
        || HalfBoards::new(n),
        |allowed| HalfBoards::within(n, allowed),
    )
}

/// The allowed columns of each row on the board turned by half.
fn turned(n: u32, allowed: &Masks) -> Masks {
    let mut turned = [0; MAX_N as usize];
    let rows = allowed[..n as usize].iter().rev();
    for (turned, &columns) in turned.iter_mut().zip(rows) {
        *turned = orbits::reversed(columns, n);
    }
    turned
}

impl Search for Colours {
    fn groups(&self) -> Box<dyn Iterator<Item = TaskGroup> + '_> {
        Box::new(Spans::new(self).map(|span| {
            let class = &self.classes[span.class];
            let price = &class.prices[span.representative];
            // The first tasks of a shelf build its lists, and where tasks are sliced, each
            // builds its own.
            let builds = span.representative == 0 || class.slicing != Slicing::NONE;
            let lists = if builds { class.inner_lists } else { 0 };
            let lists = lists.saturating_mul(span.tasks);
            TaskGroup {
                tasks: span.tasks,
                cost: price.of(span.tasks).saturating_add(lists),
            }
        }))
    }

    fn worker(&self, cpu: Cpu, route: Route) -> Box<dyn Worker + '_> {
        #[cfg(target_arch = "x86_64")]
        if cpu == Cpu::Avx512
            && let Some(kernel) = Avx512::new()
        {
            return by_route(self, kernel, route);
        }
        #[cfg(target_arch = "x86_64")]
        if cpu == Cpu::Avx2
            && let Some(kernel) = Avx2::new()
        {
            return by_route(self, kernel, route);
        }
        #[cfg(target_arch = "aarch64")]
        if cpu == Cpu::Neon
            && let Some(kernel) = Neon::new()
        {
            return by_route(self, kernel, route);
        }
        by_route(self, Portable, route)
    }

    fn routes(&self) -> &'static [Route] {
        &[Route::Direct, Route::Image, Route::Reference]
    }

    fn describe(&self, task: u64) -> String {
        let mut spans = Spans::new(self);
        let tasks = spans.tasks(task..task + 1);
        let rows = tasks.flat_map(|task| {
            let even = columns(task.representative.rows).map(|row| 2 * row);
            even.chain(columns(task.odd_rows).map(|row| 2 * row + 1))
        });
        let mut rows: Vec<u32> = rows.collect();
        rows.sort_unstable();
        format!("white queens in rows {rows:?}")
    }

    fn memory(&self, block: u64) -> Memory {
        schedule::memory::memory(&self.classes, block)
    }

    /// The classes.
    fn strata(&self) -> Vec<Range<u64>> {
        let classes = self.landmarks.chunk_by(|a, b| a.class == b.class);
        let starts: Vec<u64> = classes.map(|shelves| shelves[0].first).collect();
        let ends = starts.iter().skip(1).chain([&self.tasks]);
        starts.iter().zip(ends).map(|(&s, &e)| s..e).collect()
    }

    fn most_slices(&self, stratum: usize) -> u32 {
        schedule::slices::most_slices(&self.classes[stratum])
    }
}

fn by_route<'a, K: Kernel + 'a>(
    search: &'a Colours,
    kernel: K,
    route: Route,
) -> Box<dyn Worker + 'a> {
    let spans = Spans::new(search);
    match route {
        Route::Direct => Box::new(ColoursWorker {
            spans,
            way: Direct::new(search, kernel),
        }),
        Route::Image => Box::new(ColoursWorker {
            spans,
            way: Image::new(search, kernel),
        }),
        Route::Reference => Box::new(ColoursWorker {
            spans,
            way: Reference::new(search),
        }),
    }
}

/// One thread's part of the search, by one way to count a task.
struct ColoursWorker<'a, W> {
    spans: Spans<'a>,
    way: W,
}

impl<W: TaskCounter> Worker for ColoursWorker<'_, W> {
    fn count(&mut self, tasks: Range<u64>, cancel: &Cancel) -> Result<u128, Error> {
        let mut tally = Tally::default();
        for neighbours in self.spans.neighbours(tasks) {
            self.way.count(&neighbours, &mut tally, cancel)?;
        }
        Ok(tally.total())
    }

    fn count_slice(&mut self, task: u64, slice: Slice, cancel: &Cancel) -> Result<u128, Error> {
        let mut tally = Tally::default();
        for task in self.spans.tasks(task..task + 1) {
            self.way.count_slice(&task, slice, &mut tally, cancel)?;
        }
        Ok(tally.total())
    }
}
