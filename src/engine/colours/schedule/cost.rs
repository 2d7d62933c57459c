//! What a span of tasks costs: a model in integers, so that it is the same on every
//! machine. It cuts a plan into blocks, and chooses the join of each class. Also how large
//! lists are, which bounds the shelves and slices the tasks.
//!
//! **Lists.** Two queens on rows δ apart, in different ones of h columns, share a
//! diagonal in 2(h - δ) of h(h - 1) cases. Taking all pairs of rows as independent,
//! a list of q queens has about
//!
//! ```text
//! h (h-1) … (h-q+1) · Π over pairs of rows of (1 - 2(h - δ) / (h (h - 1)))
//! ```
//!
//! placements. A task counts only the keys below its bounds, so of each list the part
//! that the bound is of all keys. Where squares are forbidden, a row with m of the h columns
//! left takes the part m / h, and a row with a given queen takes no part in any of this: what
//! it attacks is forbidden already.
//!
//! **Survival.** An inner and an outer queen on rows of the board δ apart share a diagonal
//! in about n - δ of h · h' cases. So what the first k inner queens leave of the outer list is
//!
//! ```text
//! s(k) = Π over the first k inner rows and all outer rows of (1 - (n - δ) / (h h'))
//! ```
//!
//! with the inner rows of a class on the average.
//!
//! **Joins.** Packed lanes of walkers with q queens take, for every outer placement that
//! fits a prefix of q - 4 of them, a little for each walker and more for the prefix itself:
//! packing, tables, unpacking. A trie takes next to nothing for each node and placement that
//! fits its prefix, in vectors that are rarely full, and far more for each hit. The longer its
//! prefixes, the fewer placements fit them, but the more prefixes there are: the model finds
//! the best length, too.
//!
//! The weights are those of AVX2 on Zen 4, fitted to whole tasks of every class from n = 15 to
//! 26 by each method (correlation of the logarithms 0.98), then rounded, and that of hits
//! lowered where the fit chose the slower join. Other machines differ by a factor, which does
//! not matter for a plan, and hardly for a choice. The test `times_by_class` shows costs next
//! to times.

use crate::board::mask::{columns, full};
use crate::engine::colours::{
    Keys, Method, Symmetry,
    half::{HalfBoard, HalfBoards},
    join::packed,
    orbits::{Class, Representative},
    placements::central_first,
};

/// Picoseconds for a task, whatever its size, and for a placement on an outer list.
const TASK: u128 = 1_500_000;
const LISTED: u128 = 5_000;
/// Picoseconds for packed lanes: for two pairs of a walker and an outer placement that fits
/// its prefix, for each placement and prefix that fit, and for each prefix.
const WALKED: u128 = 11;
const PACKED: u128 = 540;
const PACKED_PREFIX: u128 = 145_000;
/// Picoseconds for a trie: for eight pairs of a node and an outer placement that fits its
/// prefix, for each hit, for each placement and prefix that fit, and for each prefix.
const VISITED: u128 = 5;
const HIT: u128 = 1_000;
const CHUNKED: u128 = 180;
const TRIE_PREFIX: u128 = 145_000;
/// How many placements a vector lacks on the average: half of its bits.
const EMPTY: u128 = 128;

/// Probabilities are numbers of this: there are at most 32 of their bits.
const ONE: u64 = 1 << 32;

/// The expected sizes of the lists of a class: of the odd rows on the average.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InnerSizes {
    pub(crate) y: u64,
    pub(crate) v: u64,
}

impl InnerSizes {
    pub(crate) fn new(halves: &HalfBoards, odd_rows: &[u32]) -> Self {
        let (mut y, mut v) = (0, 0);
        for &rows in odd_rows {
            y += placements(&halves.oo, rows);
            v += placements(&halves.oe, full(halves.oe.rows) - rows);
        }
        let lists = odd_rows.len().max(1) as u64;
        InnerSizes {
            y: y / lists,
            v: v / lists,
        }
    }

    /// The memory that the inner lists of one choice of odd rows take: a leaf of ten bytes
    /// and about a fifth as many other nodes, or a path of two bytes and a part of a group.
    pub(crate) fn bytes(&self) -> u64 {
        12 * (self.y + self.v)
    }
}

/// The expected number of placements on these rows of a half-board.
pub(crate) fn placements(half: &HalfBoard, rows: u32) -> u64 {
    // At most 16! < 2⁴⁵ placements, with 16 bits after the binary point.
    let width = u128::from(half.columns);
    let open = rows & !half.given;
    let shared = columns(open).fold(0, |shared, row| shared | half.squares(row));
    let shared = shared.count_ones();
    let mut size = 1 << 16;
    for (queen, row) in (0..).zip(columns(open)) {
        size *= u128::from(shared.saturating_sub(queen));
        let left = half.squares(row).count_ones();
        if left < shared {
            size = size * u128::from(left) / u128::from(shared);
        }
    }
    for a in columns(open) {
        for b in columns(open).filter(|&b| b > a) {
            let all = (width * width.saturating_sub(1)).max(1);
            let attacked = 2 * width.saturating_sub(u128::from(b - a));
            size -= (size * attacked / all).min(size);
        }
    }
    (size >> 16) as u64
}

/// The expected number of placements of so many queens on the rows of a half-board that
/// have the most: those at both ends, far apart.
pub(crate) fn longest_list(half: &HalfBoard, queens: u32) -> u64 {
    let upper = queens / 2;
    let middle = full(half.rows - queens) << (queens - upper);
    placements(half, full(half.rows) - middle)
}

/// What the inner rows of a class do in their order, on the average over its odd rows.
#[derive(Debug)]
struct Meetings {
    /// How likely a queen of each leaves one on each even row alone.
    alone: Vec<Vec<u64>>,
    /// How many squares each has.
    squares: Vec<u64>,
}

impl Meetings {
    /// Of these choices of inner rows.
    fn new(outer: &HalfBoard, inner: &HalfBoard, choices: impl Iterator<Item = u32>) -> Self {
        let mut sums: Vec<Vec<u64>> = Vec::new();
        let mut squares = Vec::new();
        let mut lists = 0;
        let n = outer.rows + inner.rows;
        let pairs = u64::from((outer.rows * inner.rows).max(1));
        for rows in choices {
            lists += 1;
            let rows = central_first(rows, inner.rows);
            sums.resize(rows.len(), vec![0; outer.rows as usize]);
            squares.resize(rows.len(), 0);
            for ((row, sums), squares) in rows.into_iter().zip(&mut sums).zip(&mut squares) {
                let row = u32::from(row);
                *squares += u64::from(inner.squares(row).count_ones());
                for (even, sum) in (0..outer.rows).zip(sums) {
                    let apart = (2 * row + 1).abs_diff(2 * even);
                    if (inner.given >> row | outer.given >> even) & 1 == 0 {
                        *sum += u64::from(n - apart);
                    }
                }
            }
        }
        for sum in sums.iter_mut().flatten() {
            // At most 32 · 12,870 cases, of at least one pair.
            *sum = ONE - (*sum * ONE / (lists * pairs)).min(ONE);
        }
        for squares in &mut squares {
            *squares /= lists;
        }
        Meetings {
            alone: sums,
            squares,
        }
    }

    /// What the first queens, so many, leave of an outer list on these rows.
    fn survival(&self, queens: usize, outer: u32) -> u64 {
        let rows = self.alone.iter().take(queens);
        let alone = rows.flat_map(|row| columns(outer).map(move |even| row[even as usize]));
        // At most 2³², so that a product has at most 64 bits.
        alone.fold(ONE, |left, alone| {
            ((u128::from(left) * u128::from(alone)) >> 32) as u64
        })
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
        let rows = odd_rows.iter().copied();
        let all = full(halves.oe.rows);
        let HalfBoards { ee, oo, eo, oe } = halves;
        Prices {
            class,
            halves: *halves,
            sizes: InnerSizes::new(halves, odd_rows),
            white: Meetings::new(ee, oo, rows.clone()),
            black: Meetings::new(eo, oe, rows.map(|rows| all - rows)),
        }
    }

    /// The expected sizes of the inner lists.
    pub(crate) fn sizes(&self) -> InnerSizes {
        self.sizes
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
                queens: self.class.odd as usize,
                outer_rows: representative.rows,
                meetings: &self.white,
            },
            Side {
                listed: u,
                outer: odd.share(u, kappa),
                inner: even.share(self.sizes.v, kappa),
                queens: (symmetry.even - self.class.even) as usize,
                outer_rows: others,
                meetings: &self.black,
            },
        ]
    }
}

impl Price {
    pub(crate) fn new(sides: &[Side; 2], method: Method) -> Self {
        let joins = sides.iter().zip([true, false]);
        let joins = joins.map(|(side, is_white)| match method.trie(is_white) {
            Some(depth) => side.by_trie(depth),
            None => side.by_packed_lanes(),
        });
        let listed: u128 = sides.iter().map(|side| u128::from(side.listed)).sum();
        let nanoseconds = |ps: u128| u64::try_from(ps / 1000).unwrap_or(u64::MAX);
        Price {
            task: nanoseconds(TASK + joins.sum::<u128>()),
            lists: nanoseconds(LISTED * listed),
        }
    }

    /// The price of so many tasks.
    pub(crate) fn of(&self, tasks: u64) -> u64 {
        if tasks == 0 {
            return 0;
        }
        self.lists.saturating_add(self.task.saturating_mul(tasks))
    }
}

/// One colour of a task.
pub(crate) struct Side<'a> {
    /// The outer placements that are listed, and of those and of the inner ones how many
    /// are counted.
    listed: u64,
    outer: u64,
    inner: u64,
    /// The queens of an inner placement.
    queens: usize,
    outer_rows: u32,
    meetings: &'a Meetings,
}

impl Side<'_> {
    /// The outer placements that fit the first inner queens, in 2⁻³² of one.
    fn fitting(&self, queens: usize) -> u128 {
        u128::from(self.outer) * u128::from(self.meetings.survival(queens, self.outer_rows))
    }

    /// How many ways there are for the first inner queens, about: each takes a column and
    /// attacks another.
    fn prefixes(&self, queens: usize) -> u128 {
        let squares = self.meetings.squares.iter().take(queens);
        squares.zip(0..).fold(1, |prefixes, (squares, queen)| {
            prefixes * u128::from(squares.saturating_sub(2 * queen).max(1))
        })
    }

    /// The outer placements that fit a prefix, all prefixes together, with room for a vector
    /// that is not full for each: of this depth for a trie, else of packed lanes. As with hits,
    /// of four that the product promises, three are there for each inner queen.
    pub(crate) fn fitting_in_all(&self, trie: Option<usize>) -> u64 {
        let depth = trie.unwrap_or(packed::depth(self.queens));
        let prefixes = self.prefixes(depth);
        let fitting = (self.fitting(depth) * prefixes) >> 32;
        let fitting = (fitting * 3u128.pow(depth as u32)) >> (2 * depth);
        u64::try_from(fitting + 256 * prefixes).unwrap_or(u64::MAX)
    }

    // Lists have fewer than 2⁴⁵ placements and there are fewer than 2¹⁶ prefixes for four
    // queens, 2⁴⁵ for all and for the nodes above the leaves, so that no product passes
    // 2⁴⁵ · 2⁴⁶ · 2³² = 2¹²³; without the fraction of 32 bits, 2⁹⁰ · 3¹⁶ < 2¹¹⁶, and the
    // weights add at most ten bits.

    /// Picoseconds for a task.
    fn by_packed_lanes(&self) -> u128 {
        let depth = packed::depth(self.queens);
        let (fitting, prefixes) = (self.fitting(depth), self.prefixes(depth));
        let walked = (fitting * u128::from(self.inner)) >> 32;
        let packed = (fitting * prefixes) >> 32;
        WALKED * walked / 2 + PACKED * packed + PACKED_PREFIX * prefixes
    }

    /// Picoseconds for a task.
    fn by_trie(&self, depth: usize) -> u128 {
        let (fitting, prefixes) = (self.fitting(depth), self.prefixes(depth));
        // The leaves, and the nodes two queens above them, four above, …
        let stages = (depth + 1..self.queens).filter(|end| (self.queens - end).is_multiple_of(2));
        let inner_nodes: u128 = stages.map(|queens| self.prefixes(queens)).sum();
        let nodes = u128::from(self.inner) + inner_nodes;
        let visited = ((fitting * nodes) >> 32) + EMPTY * nodes;
        let chunked = (fitting * prefixes) >> 32;
        // The more queens, the less independent their pairs are: of four hits that the
        // product promises, three are there for each inner queen.
        let promised = (self.fitting(self.queens) * u128::from(self.inner)) >> 32;
        let hits = (promised * 3u128.pow(self.queens as u32)) >> (2 * self.queens);
        VISITED * visited / 8 + HIT * hits + CHUNKED * chunked + TRIE_PREFIX * prefixes
    }
}
