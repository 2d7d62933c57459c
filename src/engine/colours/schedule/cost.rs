//! What a span of tasks costs: a model in integers, so that it is the same on every
//! machine. It cuts a plan into blocks, and chooses the join of each class.
//!
//! **Lists** have the [expected sizes](super::sizes). A task counts only the keys below its
//! bounds, so of each list the part that the bound is of all keys.
//!
//! **Survival.** An inner and an outer queen on rows of the board δ apart share a diagonal of
//! one direction in about (n - δ) / 2 of h · h' cases. The outer queens stand on different
//! diagonals, so the chances p that they share it with an inner queen add up, to S; and if j
//! inner queens before it share none, they take as many diagonals from those that are left for
//! the outer queens. So what k inner queens leave of the outer list is, for both directions,
//!
//! ```text
//! s(k) = Π over j < k of (1 - S / (1 - j p))²
//! ```
//!
//! with the inner rows of a class, and with p of an inner row, on average.
//!
//! **Joins.** Each join is some [work](Kind) of a few kinds: so many pairs that are walked over,
//! so many placements that are packed. What is made of the outer list is shared by the tasks of
//! a shelf whose odd rows begin alike. A trie's prefixes may be shorter or longer: the longer,
//! the fewer placements fit them, but the more prefixes there are.
//!
//! **Weights.** How long a piece of each kind takes was fitted to whole spans of every class that
//! matters from n = 15 to 26, by each method (AVX2 on Zen 5; correlation of the logarithms 0.99),
//! and then made 1.8 times as long, which is about right for Zen 4. A factor does not matter for
//! a plan, and hardly for a choice. The test `times_by_class` shows costs next to times, and the
//! work for another fit.

use crate::board::mask::{columns, full};
use crate::engine::colours::{
    column_sets::Keys,
    half::{HalfBoard, HalfBoards},
    join::packed,
    orbits::{Class, Representative, Symmetry},
    placements::central_first,
    schedule::{
        class::Method,
        sizes::{InnerSizes, placements},
    },
    task::Rooms,
};

/// Kinds of work, and the picoseconds that a piece of each takes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// A task, whatever its size, and a pair of column sets in its tables.
    Task,
    Cell,
    /// Of packed lanes, eight pairs of a walker and a bit that it walks over, ...
    Walked,
    /// ... eight pairs of a group of walkers and a bit whose counts go back to their lanes, ...
    Unpacked,
    /// ... a bit of what fits a prefix, for the tables of squares, ...
    Tabled,
    /// ... a prefix of a strip, ...
    Strip,
    /// ... and a placement that is packed.
    Packed,
    /// Of a trie, eight pairs of a node and a bit, ...
    Visited,
    /// ... a pair that fits, ...
    Hit,
    /// ... a bit of what fits a prefix, for the table of squares, ...
    Squares,
    /// ... a prefix, ...
    Prefix,
    /// ... and a placement in a chunk.
    Chunked,
    /// A placement that is looked at to find what fits a prefix.
    Filtered,
}

pub(crate) const KINDS: usize = 13;

const PICOSECONDS: [u128; KINDS] = [
    1_800_000, 2_000, 29, 38, 600, 180_000, 870, 48, 1_220, 120, 230_000, 360, 860,
];

/// Picoseconds for a placement on an outer list, and on an inner one: as a walker, and as a leaf
/// of a trie.
const LISTED: u128 = 9_000;
const WALKER: u128 = 28_000;
const LEAF: u128 = 54_000;
/// How many placements the last vector of a list lacks on average: half of its bits; and
/// the last byte of a lane.
const EMPTY: u128 = 128;
const EMPTY_LANE: u128 = 4;

/// Probabilities are numbers of this: there are at most 32 of their bits.
const ONE: u64 = 1 << 32;

/// Pieces of work of each kind.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Work([u128; KINDS]);

impl Work {
    fn add(&mut self, kind: Kind, pieces: u128) {
        self.0[kind as usize] += pieces;
    }

    /// So many times as much.
    #[cfg(test)]
    fn times(mut self, times: u64) -> Self {
        for pieces in &mut self.0 {
            *pieces *= u128::from(times);
        }
        self
    }

    fn and(mut self, other: Work) -> Self {
        for (pieces, more) in self.0.iter_mut().zip(other.0) {
            *pieces += more;
        }
        self
    }

    fn picoseconds(&self) -> u128 {
        let pieces = self.0.iter().zip(PICOSECONDS);
        pieces.map(|(pieces, each)| pieces * each).sum()
    }

    #[cfg(test)]
    pub(crate) fn pieces(&self) -> [u128; KINDS] {
        self.0
    }
}

fn nanoseconds(picoseconds: u128) -> u64 {
    u64::try_from(picoseconds / 1000).unwrap_or(u64::MAX)
}

/// What the inner rows of a class do in their order, on average over its odd rows.
#[derive(Debug)]
struct Meetings {
    /// How likely a queen of each shares a diagonal of one direction with one on each even row.
    shared: Vec<Vec<u64>>,
    /// How many ways there are for none of its queens, for the first, the first two, …
    prefixes: Vec<u64>,
}

impl Meetings {
    /// Of these choices of inner rows.
    fn new(outer: &HalfBoard, inner: &HalfBoard, choices: &[u32]) -> Self {
        // As many are enough for a mean.
        const ENOUGH: usize = 64;
        let mut sums: Vec<Vec<u64>> = Vec::new();
        let mut prefixes = Vec::new();
        let n = outer.rows + inner.rows;
        let pairs = u64::from((outer.rows * inner.rows).max(1));
        let some = choices
            .iter()
            .step_by(choices.len().div_ceil(ENOUGH).max(1));
        let lists = some.len().max(1) as u64;
        for &rows in some {
            let rows = central_first(rows, inner.rows);
            sums.resize(rows.len(), vec![0; outer.rows as usize]);
            prefixes.resize(rows.len() + 1, 0);
            let mut first_rows = 0;
            prefixes[0] += 1;
            for ((row, sums), prefixes) in rows.into_iter().zip(&mut sums).zip(&mut prefixes[1..]) {
                let row = u32::from(row);
                first_rows |= 1 << row;
                *prefixes += placements(inner, first_rows);
                for (even, sum) in (0..outer.rows).zip(sums) {
                    let apart = (2 * row + 1).abs_diff(2 * even);
                    if (inner.given >> row | outer.given >> even) & 1 == 0 {
                        *sum += u64::from(n - apart);
                    }
                }
            }
        }
        for sum in sums.iter_mut().flatten() {
            // At most 32 · 64 cases, of at least one pair.
            *sum = (*sum * ONE / (2 * lists * pairs)).min(ONE);
        }
        for prefixes in &mut prefixes {
            *prefixes = prefixes.div_ceil(lists);
        }
        Meetings {
            shared: sums,
            prefixes,
        }
    }

    /// What the first queens, so many, leave of an outer list on these rows.
    fn survival(&self, queens: usize, outer: u32) -> u64 {
        let one = u128::from(ONE);
        let outer_queens = u128::from(outer.count_ones().max(1));
        let rows = self.shared.iter().take(queens).zip(0..);
        // What is left has at most 32 bits and a sum of sixteen chances 36, so that no product
        // has more than 68.
        let left = rows.fold(one, |left, (row, before)| {
            let even = columns(outer).map(|even| u128::from(row[even as usize]));
            let shared: u128 = even.sum();
            let taken = (before * shared / outer_queens).min(one - 1);
            let free = one.saturating_sub(shared * one / (one - taken));
            (((left * free) >> 32) * free) >> 32
        });
        left as u64
    }
}

/// What the tasks of one choice of even rows cost, in units of about a nanosecond of
/// one core.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Price {
    /// Each task.
    task: u64,
    /// The outer lists, which they share.
    lists: u64,
    /// What is made of them for tasks that begin alike, in each colour.
    shared: [u64; 2],
    sharing: Sharing,
}

/// How much the tasks of a choice of even rows share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sharing {
    /// In how many ways the odd rows of a shelf begin, in each colour and on average.
    beginnings: [u64; 2],
    /// How many odd rows a shelf has.
    shelf: u64,
    /// Whether the odd rows of tasks are neighbours, so that half of them have half of the
    /// beginnings. If not, about all.
    are_neighbours: bool,
}

impl Sharing {
    /// How often what is shared is made for so many tasks.
    fn times(&self, tasks: u64) -> [u64; 2] {
        self.beginnings.map(|all| {
            if self.are_neighbours {
                (all * tasks).div_ceil(self.shelf)
            } else {
                all.min(tasks)
            }
        })
    }
}

/// What a class knows about the costs of its tasks.
#[derive(Debug)]
pub(crate) struct Prices {
    class: Class,
    halves: HalfBoards,
    sizes: InnerSizes,
    white: Meetings,
    black: Meetings,
}

impl Prices {
    pub(crate) fn new(class: Class, halves: &HalfBoards, odd_rows: &[u32]) -> Self {
        let all = full(halves.oe.rows);
        let others: Vec<u32> = odd_rows.iter().map(|rows| all - rows).collect();
        let HalfBoards { ee, oo, eo, oe } = halves;
        Prices {
            class,
            halves: *halves,
            sizes: InnerSizes::new(halves, odd_rows),
            white: Meetings::new(ee, oo, odd_rows),
            black: Meetings::new(eo, oe, &others),
        }
    }

    /// The expected sizes of the inner lists.
    pub(crate) fn sizes(&self) -> InnerSizes {
        self.sizes
    }

    /// What it costs to build the inner lists of one choice of odd rows.
    pub(crate) fn inner_lists(&self, method: Method) -> u64 {
        let each = |is_white| method.trie(is_white).map_or(WALKER, |_| LEAF);
        let InnerSizes { y, v } = self.sizes;
        nanoseconds(each(true) * u128::from(y) + each(false) * u128::from(v))
    }

    /// How much the tasks with these odd rows share, so many of them on a shelf.
    pub(crate) fn sharing(
        &self,
        method: Method,
        symmetry: &Symmetry,
        odd_rows: &[u32],
        shelf: usize,
    ) -> Sharing {
        let height = self.halves.oe.rows;
        let centre = central_first(full(height), height);
        let beginnings = [true, false].map(|is_white| {
            let queens = if is_white {
                self.class.odd
            } else {
                height - self.class.odd
            };
            let depth = method.trie(is_white);
            let depth = depth.unwrap_or(packed::depth(queens as usize));
            // Which rows come first says in which order.
            let head = |rows: &u32| {
                let rows = if is_white { *rows } else { full(height) - rows };
                let order = centre.iter().filter(|&&row| rows >> row & 1 == 1);
                order.take(depth).fold(0u32, |head, row| head | 1 << row)
            };
            let shelves = odd_rows.chunks(shelf);
            let all = shelves.len().max(1) as u64;
            let heads = shelves.map(|rows| rows.chunk_by(|a, b| head(a) == head(b)).count() as u64);
            heads.sum::<u64>().div_ceil(all)
        });
        Sharing {
            beginnings,
            shelf: shelf as u64,
            are_neighbours: symmetry.tasks_are_neighbours(),
        }
    }

    /// Both colours of the tasks of a representative.
    pub(crate) fn sides(
        &self,
        symmetry: &Symmetry,
        (even, odd): (&Keys, &Keys),
        representative: &Representative,
    ) -> [Side<'_>; 2] {
        let kappa = representative.kappa;
        let others = full(symmetry.even) - representative.rows;
        let x = placements(&self.halves.ee, representative.rows);
        let u = placements(&self.halves.eo, others);
        [
            Side {
                listed: x,
                outer: even.share(x, kappa),
                inner: odd.share(self.sizes.y, kappa),
                lanes: even.counted(kappa) as u64,
                rows: odd.counted(kappa) as u64,
                columns: self.halves.oo.columns,
                queens: self.class.odd as usize,
                outer_rows: representative.rows,
                meetings: &self.white,
            },
            Side {
                listed: u,
                outer: odd.share(u, kappa),
                inner: even.share(self.sizes.v, kappa),
                lanes: odd.counted(kappa) as u64,
                rows: even.counted(kappa) as u64,
                columns: self.halves.oe.columns,
                queens: (symmetry.even - self.class.even) as usize,
                outer_rows: others,
                meetings: &self.black,
            },
        ]
    }
}

impl Price {
    /// The price with these sides, joined so, of tasks that share so much.
    pub(crate) fn new(sides: &[Side; 2], method: Method, sharing: Sharing) -> Self {
        let [own, white, black] = works(sides, method);
        let listed: u128 = sides.iter().map(|side| u128::from(side.listed)).sum();
        Price {
            task: nanoseconds(own.picoseconds()),
            lists: nanoseconds(LISTED * listed),
            shared: [white, black].map(|work| nanoseconds(work.picoseconds())),
            sharing,
        }
    }

    /// The price of so many tasks.
    pub(crate) fn of(&self, tasks: u64) -> u64 {
        if tasks == 0 {
            return 0;
        }
        let shared = self.shared.iter().zip(self.sharing.times(tasks));
        let shared = shared.map(|(cost, times)| cost.saturating_mul(times));
        let all = [self.lists, self.task.saturating_mul(tasks)];
        all.into_iter().chain(shared).fold(0, u64::saturating_add)
    }
}

/// The work of a task, and of what tasks share in white and in black.
fn works(sides: &[Side; 2], method: Method) -> [Work; 3] {
    let [(white, shared_white), (black, shared_black)] =
        [(0, true), (1, false)].map(|(side, is_white)| match method.trie(is_white) {
            Some(depth) => sides[side].by_trie(depth),
            None => sides[side].by_packed_lanes(),
        });
    let mut own = white.and(black);
    own.add(Kind::Task, 1);
    own.add(Kind::Cell, u128::from(sides[0].lanes * sides[0].rows));
    [own, shared_white, shared_black]
}

/// The work of so many tasks on a shelf, as for their [price](Price::new), without lists.
#[cfg(test)]
pub(crate) fn work(sides: &[Side; 2], method: Method, sharing: Sharing, tasks: u64) -> Work {
    let [own, white, black] = works(sides, method);
    let times = sharing.times(tasks);
    let shared = white.times(times[0]).and(black.times(times[1]));
    own.times(tasks).and(shared)
}

/// One colour of a task.
pub(crate) struct Side<'a> {
    /// The outer placements that are listed, and of those and of the inner ones how many
    /// are counted.
    listed: u64,
    pub(crate) outer: u64,
    inner: u64,
    /// The column sets of both that are counted.
    lanes: u64,
    rows: u64,
    /// The queens of an inner placement, and the columns for them.
    queens: usize,
    columns: u32,
    outer_rows: u32,
    meetings: &'a Meetings,
}

impl Side<'_> {
    /// The outer placements that fit the first inner queens, in 2⁻³² of one.
    fn fitting(&self, queens: usize) -> u128 {
        u128::from(self.outer) * u128::from(self.meetings.survival(queens, self.outer_rows))
    }

    /// How many ways there are for the first inner queens, about.
    fn prefixes(&self, queens: usize) -> u128 {
        let prefixes = self.meetings.prefixes.get(queens);
        prefixes.copied().unwrap_or(0).max(1).into()
    }

    /// The outer placements that fit a prefix, all prefixes together, with room for a vector
    /// that is not full for each: of this depth for a trie, else of packed lanes.
    pub(crate) fn fitting_in_all(&self, trie: Option<usize>) -> u64 {
        let depth = trie.unwrap_or(packed::depth(self.queens));
        let prefixes = self.prefixes(depth);
        let fitting = (self.fitting(depth) * prefixes) >> 32;
        u64::try_from(fitting + 256 * prefixes).unwrap_or(u64::MAX)
    }

    #[cfg(test)]
    pub(crate) fn listed(&self) -> u64 {
        self.listed
    }

    /// How many placements are looked at to find those that fit each prefix of so many queens.
    fn filtered(&self, depth: usize) -> u128 {
        let levels = (0..depth).map(|level| (self.fitting(level) * self.prefixes(level + 1)) >> 32);
        levels.sum()
    }

    // Lists have fewer than 2⁴⁵ placements, and there are as few prefixes, and nodes above the
    // leaves all together. What fits a prefix is less than 2⁷⁷ in 2⁻³², with the empty bits of
    // lanes and vectors less than 2⁸⁰. So no product here passes 2⁸⁰ · 2⁴⁶ = 2¹²⁶; without the
    // fraction, and in eights, it is below 2⁹², to which weights and sums add at most 22 bits.

    /// The work of a task, and of what tasks share.
    fn by_packed_lanes(&self) -> (Work, Work) {
        let depth = packed::depth(self.queens);
        let (fitting, prefixes) = (self.fitting(depth), self.prefixes(depth));
        let inner = u128::from(self.inner);
        let room = Rooms::default().strip_counts;
        let strips = packed::strips(self.lanes as usize, self.rows as usize, room) as u128;
        let bits = fitting
            + EMPTY_LANE * fitting.min(u128::from(self.lanes) << 32)
            + EMPTY * fitting.min(strips << 32);
        // Walkers are thrown into as many groups as there are column sets below a prefix.
        let below = (self.queens - depth) as u128;
        let free = u128::from(self.columns) - depth as u128;
        let sets = (0..below).fold(1, |sets, queen| sets * (free - queen) / (queen + 1));
        let cells = (sets * prefixes).max(1);
        let groups = inner * cells / (inner + cells);
        let (mut own, mut shared) = (Work::default(), Work::default());
        own.add(Kind::Walked, (bits * inner) >> 35);
        own.add(Kind::Unpacked, (bits * groups) >> 35);
        own.add(Kind::Tabled, (bits * prefixes) >> 32);
        own.add(Kind::Strip, prefixes * strips);
        shared.add(Kind::Packed, (fitting * prefixes) >> 32);
        shared.add(Kind::Filtered, self.filtered(depth));
        (own, shared)
    }

    /// The work of a task, and of what tasks share.
    fn by_trie(&self, depth: usize) -> (Work, Work) {
        let (fitting, prefixes) = (self.fitting(depth), self.prefixes(depth));
        // The leaves, and the nodes two queens above them, four above, …
        let stages = (depth + 1..self.queens).filter(|end| (self.queens - end).is_multiple_of(2));
        let inner_nodes: u128 = stages.map(|queens| self.prefixes(queens)).sum();
        let nodes = u128::from(self.inner) + inner_nodes;
        let bits = fitting + EMPTY * fitting.min(ONE.into());
        let hits = (self.fitting(self.queens) * u128::from(self.inner)) >> 32;
        let (mut own, mut shared) = (Work::default(), Work::default());
        own.add(Kind::Visited, (bits * nodes) >> 35);
        own.add(Kind::Hit, hits);
        own.add(Kind::Squares, (bits * prefixes) >> 32);
        own.add(Kind::Prefix, prefixes);
        shared.add(Kind::Chunked, (fitting * prefixes) >> 32);
        shared.add(Kind::Filtered, self.filtered(depth));
        (own, shared)
    }
}
