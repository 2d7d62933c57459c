//! The engines: two independent ways to count, and the little that the rest of the
//! program knows about them.
//!
//! A [`Search`] is one engine set to one problem. It numbers its tasks from 0, each
//! an independent part of the board's solutions with its own weight, and says which
//! of them belong together ([`TaskGroup`]). A [`Worker`] counts a range of tasks; every
//! thread has its own, so it may keep whatever is worth keeping from one block to
//! the next. Threads, progress, checkpoints and shards see nothing else.

mod alloc;
pub(crate) mod colours;
pub(crate) mod cpu;
mod memory;
pub(crate) mod rows;
mod tally;

use std::{fmt, ops::Range, str::FromStr};

pub(crate) use self::tally::Tally;
pub use self::{cpu::Cpu, memory::Memory};
use crate::{board::Problem, error::Error, threads::Cancel};

/// Nanoseconds of `rows` for each of 2^(n/2) choices of rows, below which it does not pay to
/// ask what `colours` would take: to plan it takes about a fifteenth of that.
const WORTH_A_LOOK: u128 = 40_000;
/// By how much the estimate for `rows` must be above the one for `colours`: the one may be
/// twice too high, the other half again too low.
const ADVANTAGE: u128 = 2;

/// A way to count.
///
/// ```
/// use queens::Engine;
///
/// assert_eq!("rows".parse::<Engine>()?, Engine::Rows);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Row by row with bit masks, halved by the mirror: the reference.
    Rows,
    /// White and black queens apart, as a dot product: the fast one.
    Colours,
}

impl Engine {
    /// Every engine.
    ///
    /// ```
    /// use queens::{Count, Engine};
    ///
    /// for &engine in Engine::ALL {
    ///     assert_eq!(Count::new(10)?.engine(engine).run()?.count, 724);
    /// }
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub const ALL: &[Engine] = &[Engine::Rows, Engine::Colours];

    /// The engine for this problem unless the user names one. It depends on the
    /// problem alone, so that a run means the same on every machine.
    ///
    /// ```
    /// use queens::{Engine, Problem};
    ///
    /// assert_eq!(Engine::auto(&Problem::new(8)?), Engine::Rows);
    /// assert_eq!(Engine::auto(&Problem::new(20)?), Engine::Colours);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn auto(problem: &Problem) -> Engine {
        // Both take about a millisecond at n = 12; from there on `colours` wins, by a
        // factor that doubles with every two columns.
        let colours_wins = if problem.is_restricted() {
            let rows = rows::Rows::price(problem);
            rows > WORTH_A_LOOK << (problem.n() / 2)
                && rows / ADVANTAGE > colours::Colours::new(problem).cost().into()
        } else {
            problem.n() > 12
        };
        if colours_wins {
            Engine::Colours
        } else {
            Engine::Rows
        }
    }

    /// Its name on the command line and in files.
    ///
    /// ```
    /// use queens::Engine;
    ///
    /// assert_eq!(Engine::Colours.name(), "colours");
    /// assert_eq!("colours".parse::<Engine>()?, Engine::Colours);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Engine::Rows => "rows",
            Engine::Colours => "colours",
        }
    }

    /// The kernel that the engine runs where the processor has this one.
    ///
    /// ```
    /// use queens::{Cpu, Engine};
    ///
    /// assert_eq!(Engine::Rows.kernel(Cpu::Avx2), Cpu::Portable);
    /// assert_eq!(Engine::Colours.kernel(Cpu::Avx2), Cpu::Avx2);
    /// ```
    pub fn kernel(self, cpu: Cpu) -> Cpu {
        match self {
            Engine::Rows => Cpu::Portable,
            Engine::Colours => cpu,
        }
    }

    pub(crate) fn search(self, problem: &Problem) -> Box<dyn Search> {
        match self {
            Engine::Rows => Box::new(rows::Rows::new(problem)),
            Engine::Colours => Box::new(colours::Colours::new(problem)),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Engine {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Engine::ALL
            .iter()
            .copied()
            .find(|engine| engine.name() == name);
        found.ok_or_else(|| Error::UnknownEngine(name.to_owned()))
    }
}

/// By which way an engine counts a task. All ways give the same count, or one of
/// them is wrong.
///
/// ```
/// use queens::{Count, Engine, Runner};
///
/// let plan = Count::new(9)?.engine(Engine::Colours).plan()?;
/// for &route in plan.routes() {
///     assert_eq!(plan.run(&Runner::new().route(route))?.count, 352);
/// }
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Route {
    /// The engine's own, fastest way.
    Direct,
    /// The image of the task under a symmetry of the board: other squares, the same
    /// count. The price is about that of the direct way.
    Image,
    /// Another engine, on the squares of the task alone. Slow: for a sample.
    Reference,
}

impl FromStr for Route {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Route::ALL
            .iter()
            .copied()
            .find(|route| route.name() == name);
        found.ok_or_else(|| Error::UnknownRoute(name.to_owned()))
    }
}

impl Route {
    /// Every route.
    ///
    /// ```
    /// use queens::{Count, Engine, Route, Runner};
    ///
    /// let plan = Count::new(8)?.engine(Engine::Colours).plan()?;
    /// for &route in Route::ALL {
    ///     assert_eq!(plan.run(&Runner::new().route(route))?.count, 92);
    /// }
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub const ALL: &[Route] = &[Route::Direct, Route::Image, Route::Reference];

    /// Its name in messages and files.
    ///
    /// ```
    /// assert_eq!(queens::Route::Image.name(), "image");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Route::Direct => "direct",
            Route::Image => "image",
            Route::Reference => "reference",
        }
    }
}

/// Neighbouring tasks that share work and are best counted by one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TaskGroup {
    /// How many tasks.
    pub(crate) tasks: u64,
    /// What they cost together: about a nanosecond of one core each unit, from
    /// integer arithmetic alone, so that every machine cuts a plan the same way.
    pub(crate) cost: u64,
}

/// An engine set to one problem.
pub(crate) trait Search: Send + Sync {
    /// All tasks in order, as groups. Costly ones come first, so that a thread that
    /// finds nothing left to do does not wait long for the others.
    fn groups(&self) -> Box<dyn Iterator<Item = TaskGroup> + '_>;

    /// What one thread needs to count blocks by this route. The engine may ignore
    /// `cpu` if it has one kernel only. Whatever the route, a task has one count.
    fn worker(&self, cpu: Cpu, route: Route) -> Box<dyn Worker + '_>;

    /// The routes that [`worker`](Search::worker) knows, the direct one first.
    fn routes(&self) -> &'static [Route];

    /// What a task is, in words for a message: "row 0 in column 3".
    fn describe(&self, task: u64) -> String;

    /// How much memory the direct route takes, if no block costs more than this. Next to
    /// nothing, if the engine does not say.
    fn memory(&self, _block: u64) -> Memory {
        Memory::new(0, 0)
    }

    /// Tasks of a kind, which cost and count about alike. In order, and every task is in
    /// one.
    fn strata(&self) -> Vec<Range<u64>> {
        let tasks = self.groups().map(|group| group.tasks).sum();
        std::iter::once(0..tasks).collect()
    }

    /// Into how many slices a task of this stratum can be divided.
    fn most_slices(&self, _stratum: usize) -> u32 {
        1
    }
}

/// One of several slices of a task, which have about the same size and whose counts add
/// up to the task's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slice {
    /// Which one, from 0.
    pub(crate) index: u32,
    /// How many there are: a power of two.
    pub(crate) of: u32,
}

impl Slice {
    /// The task itself.
    pub(crate) const WHOLE: Slice = Slice { index: 0, of: 1 };
}

/// One thread's part of a search.
pub(crate) trait Worker {
    /// The weighted count of these tasks. Polls `cancel` often enough to stop within a
    /// second, and then gives up with [`Error::Interrupted`].
    fn count(&mut self, tasks: Range<u64>, cancel: &Cancel) -> Result<u128, Error>;

    /// The weighted count of a slice of a task. There are no more slices than
    /// [`Search::most_slices`].
    fn count_slice(&mut self, task: u64, slice: Slice, cancel: &Cancel) -> Result<u128, Error> {
        debug_assert_eq!(slice, Slice::WHOLE);
        self.count(task..task + 1, cancel)
    }
}
