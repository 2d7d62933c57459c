//! A plan divides a problem's tasks into blocks: the unit that threads fetch, that a
//! checkpoint records and that shards divide among machines.
//!
//! A plan is a pure function of the format version, the engine and the problem. Two
//! machines that name the same [`PlanId`] mean the same blocks, whatever their
//! threads or shards. It holds the blocks, never the tasks: there are ten million of
//! them at n = 28.

use std::{
    cell::Cell,
    fmt,
    ops::Range,
    str::FromStr,
    time::{Duration, Instant},
};

pub use super::{
    shard::{Shard, ranges},
    simulation::speed_up,
};
pub use crate::engine::Memory;
use crate::{
    board::Problem,
    count::checksum::Checksum,
    engine::{Engine, Route, Search, TaskGroup},
    error::Error,
    threads::Cancel,
};

/// Changes whenever a plan or a count of the same name would mean something else.
///
/// ```
/// // A file of format 3 is read by every version that writes format 3.
/// assert_eq!(queens::plan::FORMAT_VERSION, 3);
/// ```
pub const FORMAT_VERSION: u32 = 3;

/// The least that a block should be worth on average, in cost units of about a
/// nanosecond.
const SMALLEST_BLOCK: u64 = 8_500_000;
/// The most that a block should be worth on average, where the other limits allow it;
/// the first ones are worth twice as much, and that is what a kill can lose.
const LARGEST_BLOCK: u64 = 60_000_000_000;
/// About how many blocks a plan has, if that keeps their size between these limits: the
/// square root of its cost in this unit, so that threads have enough of them early and
/// files do not grow as fast as the work.
const BLOCKS_UNIT: u128 = 10_000;
/// From this many on, larger plans have larger blocks instead of more of them.
const USUAL_BLOCKS: u64 = 5_000;
/// No block is worth more than a plan divided by this, where that is no less than the
/// smallest: 128 threads should have enough of them.
const LEAST_BLOCKS: u64 = 260;
/// Nor are there more blocks than tasks by this, unless blocks were too large: threads that have
/// run out of blocks help with the tasks of others.
const TASKS_OF_A_BLOCK: u64 = 4;
/// No plan has many more blocks than this.
const MOST_BLOCKS: u64 = 800_000;

/// Consecutive tasks that are counted together.
///
/// ```
/// let plan = queens::Count::new(18)?.plan()?;
/// let first = plan.blocks()[0];
/// assert_eq!(first.first, 0);
/// assert_eq!(plan.blocks()[1].first, first.tasks);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block {
    /// The number of its first task.
    pub first: u64,
    /// How many tasks it has.
    pub tasks: u64,
    /// Its estimated cost, in units of about a nanosecond of one core.
    pub cost: u64,
}

impl Block {
    /// The numbers of its tasks.
    ///
    /// ```
    /// let plan = queens::Count::new(18)?.plan()?;
    /// let block = plan.blocks()[1];
    /// assert_eq!(block.range(), block.first..block.first + block.tasks);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn range(&self) -> Range<u64> {
        self.first..self.first + self.tasks
    }
}

/// The name of a plan: a hash over the format version, the engine, the problem and
/// the blocks.
///
/// ```
/// use queens::{Count, Engine, plan::PlanId};
///
/// let id = |engine| Ok::<_, queens::Error>(Count::new(16)?.engine(engine).plan()?.id());
/// let rows = id(Engine::Rows)?;
/// assert_eq!(rows.to_string().parse::<PlanId>()?, rows);
/// assert_ne!(id(Engine::Colours)?, rows);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlanId(pub(crate) u64);

impl fmt::Display for PlanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for PlanId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match u64::from_str_radix(text, 16).map(PlanId) {
            Ok(id) if id.to_string() == text => Ok(id),
            _ => Err(Error::UnknownPlan(text.to_owned())),
        }
    }
}

/// A problem, an engine, and the blocks that cover every task exactly once.
///
/// ```
/// use queens::{Engine, Problem, Runner, plan::Plan};
///
/// let plan = Plan::new(&Problem::new(14)?, Engine::Rows)?;
/// let mut pairs = plan.blocks().windows(2);
/// assert!(pairs.all(|pair| pair[0].range().end == pair[1].first));
///
/// let mut sum = 0;
/// for block in 0..plan.blocks().len() {
///     sum += plan.run_blocks(&[block], &Runner::new())?.count;
/// }
/// assert_eq!(sum, 365_596);
/// # Ok::<(), queens::Error>(())
/// ```
pub struct Plan {
    problem: Problem,
    engine: Engine,
    search: Box<dyn Search>,
    blocks: Vec<Block>,
    id: PlanId,
    planning: Duration,
}

impl Plan {
    /// Divides the tasks of the problem into blocks for this engine.
    ///
    /// ```
    /// use queens::{Engine, Problem, plan::Plan};
    ///
    /// let problem = Problem::new(8)?.forbid("a8".parse()?)?;
    /// let (rows, colours) = (Plan::new(&problem, Engine::Rows)?, Plan::new(&problem, Engine::Colours)?);
    /// assert_ne!(rows.id(), colours.id());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn new(problem: &Problem, engine: Engine) -> Result<Self, Error> {
        Plan::new_cancellable(problem, engine, &Cancel::new())
    }

    /// The plan as by [`Plan::new`], unless it is cancelled: the largest boards take seconds.
    pub(crate) fn new_cancellable(
        problem: &Problem,
        engine: Engine,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        let start = Instant::now();
        let mut plan = Plan::of_search(problem, engine, engine.search(problem), cancel)?;
        plan.planning = start.elapsed();
        Ok(plan)
    }

    /// The plan of an engine that is already set to the problem.
    pub(crate) fn of_search(
        problem: &Problem,
        engine: Engine,
        search: Box<dyn Search>,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        let stopped = Cell::new(cancel.is_cancelled());
        let blocks = divide(|| until(cancel, &stopped, search.groups()));
        if stopped.get() {
            return Err(Error::Interrupted);
        }
        Ok(Plan {
            id: name(problem, engine, &blocks),
            problem: problem.clone(),
            engine,
            search,
            blocks,
            planning: Duration::ZERO,
        })
    }

    /// How long it took to make.
    pub(super) fn planning(&self) -> Duration {
        self.planning
    }

    /// The problem that the plan solves.
    ///
    /// ```
    /// assert_eq!(queens::Count::new(8)?.plan()?.problem().n(), 8);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The engine that counts it.
    ///
    /// ```
    /// use queens::{Count, Engine};
    ///
    /// assert_eq!(Count::new(20)?.plan()?.engine(), Engine::Colours);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// The blocks, in the order in which they are handed out.
    ///
    /// ```
    /// let plan = queens::Count::new(18)?.plan()?;
    /// assert!(plan.blocks().is_sorted_by_key(|block| block.first));
    /// assert!(plan.blocks().iter().all(|block| block.tasks > 0));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The plan's name.
    ///
    /// ```
    /// use queens::Count;
    ///
    /// let id = |n| Ok::<_, queens::Error>(Count::new(n)?.plan()?.id());
    /// assert_eq!(id(18)?, id(18)?);
    /// assert_ne!(id(18)?, id(19)?);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn id(&self) -> PlanId {
        self.id
    }

    /// How many tasks there are.
    ///
    /// ```
    /// use queens::{Engine, Problem, plan::Plan};
    ///
    /// // One for each way to place queens in the two top rows, mirror images aside.
    /// let plan = Plan::new(&Problem::new(8)?, Engine::Rows)?;
    /// assert_eq!(plan.tasks(), 7 * 6 / 2);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn tasks(&self) -> u64 {
        self.blocks.last().map_or(0, |block| block.range().end)
    }

    /// The estimated cost of all blocks.
    ///
    /// ```
    /// use queens::Count;
    ///
    /// let cost = |n| Ok::<_, queens::Error>(Count::new(n)?.plan()?.cost());
    /// assert!(cost(20)? > cost(18)?);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn cost(&self) -> u64 {
        let costs = self.blocks.iter().map(|block| block.cost);
        costs.fold(0, u64::saturating_add)
    }

    /// How much memory a count takes.
    ///
    /// ```
    /// use queens::Count;
    ///
    /// let memory = |n| Ok::<_, queens::Error>(Count::new(n)?.plan()?.memory());
    /// assert!(memory(20)?.shared > memory(16)?.shared);
    /// assert!(memory(20)?.per_thread > memory(16)?.per_thread);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn memory(&self) -> Memory {
        let costs = self.blocks.iter().map(|block| block.cost);
        self.search.memory(costs.max().unwrap_or(0))
    }

    /// The ways in which the engine can count a task, the usual one first.
    ///
    /// ```
    /// use queens::{Engine, Problem, Route, plan::Plan};
    ///
    /// let plan = Plan::new(&Problem::new(8)?, Engine::Rows)?;
    /// assert_eq!(plan.routes(), [Route::Direct, Route::Image]);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn routes(&self) -> &'static [Route] {
        self.search.routes()
    }

    pub(crate) fn search(&self) -> &dyn Search {
        &*self.search
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("problem", &self.problem)
            .field("engine", &self.engine)
            .field("blocks", &self.blocks.len())
            .field("id", &self.id)
            .finish()
    }
}

/// These groups, or only the first of them if it is cancelled, which is noted.
fn until(
    cancel: &Cancel,
    stopped: &Cell<bool>,
    groups: impl Iterator<Item = TaskGroup>,
) -> impl Iterator<Item = TaskGroup> {
    // So rarely asked that it costs nothing.
    const POLL: usize = 1 << 16;
    let goes_on = move |(number, _): &(usize, TaskGroup)| {
        if number % POLL == 0 && cancel.is_cancelled() {
            stopped.set(true);
        }
        !stopped.get()
    };
    let groups = groups.enumerate().take_while(goes_on);
    groups.map(|(_, group)| group)
}

/// Divides the tasks into blocks: large ones first, and then ever smaller ones,
/// so that threads which run out of blocks do not wait long for the others, and there are not
/// many blocks all the same. A group that is worth more than a block becomes several.
fn divide<I: Iterator<Item = TaskGroup>>(groups: impl Fn() -> I) -> Vec<Block> {
    // A sum of u64s in a u128 does not overflow; a millionth of it fits a u64 for any
    // plan of less than 10²⁵ ns; a larger one has more blocks.
    let (tasks, total) = groups().fold((0, 0), |(tasks, total): (u64, u128), group| {
        (tasks + group.tasks, total + u128::from(group.cost))
    });
    let share = |blocks: u64| u64::try_from(total / u128::from(blocks)).unwrap_or(u64::MAX);
    let number = u64::try_from((total / BLOCKS_UNIT).isqrt()).unwrap_or(USUAL_BLOCKS);
    let number = number
        .min(USUAL_BLOCKS)
        .min(tasks / TASKS_OF_A_BLOCK)
        .max(1);
    let usual = share(number)
        .clamp(SMALLEST_BLOCK, LARGEST_BLOCK)
        .max(share(MOST_BLOCKS));
    let most = share(LEAST_BLOCKS).max(SMALLEST_BLOCK);
    // What is worth one block is one.
    let least = if share(1) <= SMALLEST_BLOCK { most } else { 1 };
    let mut blocks: Vec<Block> = Vec::new();
    let (mut first, mut done) = (0, 0);
    for group in groups().filter(|group| group.tasks > 0) {
        let worth = worth(usual, total - done, total).clamp(least, most);
        done += u128::from(group.cost);
        let pieces = group.cost.div_ceil(worth).clamp(1, group.tasks);
        // As even as whole numbers can be: the first ones are one larger.
        let even = |of: u64, piece: u64| of / pieces + u64::from(piece < of % pieces);
        for piece in 0..pieces {
            let (tasks, cost) = (even(group.tasks, piece), even(group.cost, piece));
            match blocks.last_mut() {
                Some(block) if block.cost.saturating_add(cost) <= worth => {
                    block.tasks += tasks;
                    block.cost += cost;
                }
                _ => blocks.push(Block { first, tasks, cost }),
            }
            first += tasks;
        }
    }
    blocks
}

/// What a block should be worth with so much left of all: twice the usual, from four tenths on
/// less and less, and in the end a tenth.
fn worth(usual: u64, left: u128, total: u128) -> u64 {
    let tenths = 1 + (left.saturating_mul(50) / total.max(1)).min(19) as u64;
    (usual / 10).saturating_mul(tenths)
}

fn name(problem: &Problem, engine: Engine, blocks: &[Block]) -> PlanId {
    let head = format!("{FORMAT_VERSION} {engine} {}", problem.n());
    let sum = Checksum::new().feed(head.as_bytes());
    // Only restricted boards have these masks, so a whole board is named by its n.
    let allowed = problem.allowed().into_iter().flatten();
    let sum = allowed.fold(sum, |sum, row| sum.feed(&row.to_le_bytes()));
    let sum = blocks
        .iter()
        .fold(sum, |sum, block| sum.feed(&block.tasks.to_le_bytes()));
    PlanId(sum.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hold_every_task_and_are_worth_what_they_should() {
        let costs: Vec<u64> = (0..60_000).map(|k| SMALLEST_BLOCK / 7 * (k % 23)).collect();
        let blocks = divide(|| costs.iter().map(|&cost| TaskGroup { tasks: 3, cost }));
        let all: u64 = costs.iter().sum();
        let usual = all / USUAL_BLOCKS;

        assert_eq!(blocks.iter().map(|block| block.cost).sum::<u64>(), all);
        let tasks = blocks.iter().flat_map(Block::range);
        assert!(tasks.eq(0..3 * costs.len() as u64));
        assert!(blocks.iter().all(|block| block.cost <= 2 * usual));
        // Two neighbours are worth more than one block, or they would be one.
        let worth = |pair: &[Block]| pair[0].cost + pair[1].cost;
        let early = blocks.partition_point(|block| block.first < 3 * 36_000);
        let mut pairs = blocks[..early].windows(2);
        assert!(pairs.all(|pair| worth(pair) > usual / 10 * 20));
        let late = blocks.partition_point(|block| block.first < 3 * 55_000);
        assert!(blocks[late..].iter().all(|block| 2 * block.cost <= usual));
        assert!(blocks.len() < USUAL_BLOCKS as usize * 3 / 2);
    }

    #[test]
    fn a_group_is_divided_no_finer_than_its_tasks() {
        let group = |tasks, cost| divide(|| std::iter::once(TaskGroup { tasks, cost }));
        assert_eq!(group(5, 1_000 * SMALLEST_BLOCK).len(), 5);
        assert_eq!(group(0, 0).len(), 0);
        let one = group(u64::MAX, u64::MAX);
        assert!(one.iter().map(|block| block.tasks).sum::<u64>() == u64::MAX);
    }
}
