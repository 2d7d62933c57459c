//! What a span of tasks costs: a model in integers, so that it is the same on every
//! machine. Also how large lists are, which bounds the shelves and tiles the tasks.
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
//! that the bound is of all keys.
//!
//! **Joins.** Lanes take every pair of placements, at the same price for every two
//! queens of the walker. A trie prunes, the more the denser the side is: measured from
//! n = 18 to 24, a pair costs about 2^(16 - 44 q/h) ns, with q queens on h columns in both
//! lists together. Both prices are those of AVX-512 on Zen 4; other machines differ by a
//! factor, which does not matter for a cut. The test `costs_next_to_times` shows how well
//! costs fit times.

use crate::board::mask::{columns, full};
use crate::engine::colours::{ClassPlan, Keys, Method, Symmetry, orbits::Representative};

/// Nanoseconds for listing a placement, on an outer list.
const LISTED: u64 = 25;
/// Nanoseconds for sharing out an outer placement to the chunks of all prefixes.
const CHUNKED: u64 = 15;
/// Nanoseconds for a task, whatever its size, ...
const TASK: u64 = 2_000;
/// ... and for each prefix of its trie.
const VISITED: u64 = 40;

/// The expected sizes of the lists of a class: of the odd rows on the mean.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InnerSizes {
    y: u64,
    v: u64,
}

impl InnerSizes {
    pub(crate) fn new(symmetry: &Symmetry, odd_rows: &[u32]) -> Self {
        let (mut y, mut v) = (0, 0);
        for &rows in odd_rows {
            y += placements(symmetry.odd, rows);
            v += placements(symmetry.even, full(symmetry.odd) - rows);
        }
        let lists = odd_rows.len().max(1) as u64;
        InnerSizes {
            y: y / lists,
            v: v / lists,
        }
    }

    /// The memory that the inner lists of one choice of odd rows take: a path of eight
    /// bytes, or a leaf of ten and about a fifth as many other nodes.
    pub(crate) fn bytes(&self) -> u64 {
        12 * (self.y + self.v)
    }
}

/// The expected number of placements on these rows of a half-board.
fn placements(width: u32, rows: u32) -> u64 {
    // At most 16! < 2⁴⁵ placements, with 16 bits behind the point.
    let width = u128::from(width);
    let queens = u128::from(rows.count_ones());
    let mut size = (0..queens).fold(1 << 16, |size, queen| size * width.saturating_sub(queen));
    for a in columns(rows) {
        for b in columns(rows).filter(|&b| b > a) {
            let all = (width * width.saturating_sub(1)).max(1);
            let attacked = 2 * width.saturating_sub(u128::from(b - a));
            size -= (size * attacked / all).min(size);
        }
    }
    (size >> 16) as u64
}

/// The expected number of placements of so many queens on the rows of a half-board that
/// have the most: those at both ends, far apart.
pub(crate) fn longest_list(width: u32, height: u32, queens: u32) -> u64 {
    let upper = queens / 2;
    let middle = full(height - queens) << (queens - upper);
    placements(width, full(height) - middle)
}

/// What the tasks of one choice of even rows cost, in units of about a nanosecond of
/// one core.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Price {
    /// Each task.
    task: u64,
    /// What they share: the outer lists ...
    lists: u64,
    /// ... and their chunks, for every prefix of the inner list.
    prefix: u64,
}

impl Price {
    pub(crate) fn new(
        plan: &ClassPlan,
        symmetry: &Symmetry,
        representative: &Representative,
    ) -> Self {
        let part = |list: u64, keys: &Keys| keys.part(list, representative.kappa);
        let x = placements(symmetry.even, representative.rows);
        let u = placements(symmetry.odd, full(symmetry.even) - representative.rows);
        let (even, odd) = (&plan.even_keys, &plan.odd_keys);
        let white = Side {
            walking: plan.class.odd,
            queens: plan.class.even + plan.class.odd,
            columns: symmetry.even + symmetry.odd,
            pairs: u128::from(part(x, even)) * u128::from(part(plan.sizes.y, odd)),
        };
        let black = Side {
            walking: symmetry.even - plan.class.even,
            queens: 2 * (symmetry.even - plan.class.even),
            columns: symmetry.even + symmetry.odd,
            pairs: u128::from(part(u, odd)) * u128::from(part(plan.sizes.v, even)),
        };
        let (joins, chunked) = match plan.method {
            Method::Lanes => (white.by_lanes() + black.by_lanes(), 0),
            Method::Trie { white: true, .. } => (white.by_trie() + black.by_lanes(), part(x, even)),
            Method::Trie { .. } => (white.by_lanes() + black.by_trie(), part(u, odd)),
        };
        let joins = u64::try_from(joins).unwrap_or(u64::MAX);
        Price {
            task: joins.saturating_add(TASK + plan.prefixes() * VISITED),
            lists: (x + u) * LISTED,
            prefix: chunked * CHUNKED,
        }
    }

    /// The price of so many tasks.
    pub(crate) fn of(&self, tasks: u64) -> u64 {
        // Odd rows with the same prefix share their chunks: about 50 prefixes at most.
        let prefixes = tasks.min(50);
        let shared = self
            .lists
            .saturating_add(self.prefix.saturating_mul(prefixes));
        let each = self.task.saturating_mul(tasks);
        if tasks == 0 {
            0
        } else {
            shared.saturating_add(each)
        }
    }
}

/// One colour of a task: the queens of its inner list, the queens and columns of both
/// lists, and the pairs of placements.
struct Side {
    walking: u32,
    queens: u32,
    columns: u32,
    pairs: u128,
}

impl Side {
    fn by_lanes(&self) -> u128 {
        self.pairs * u128::from(self.walking.div_ceil(2)) / 800
    }

    fn by_trie(&self) -> u128 {
        // The exponent in sixteenths; 2^-x is about 1 - x/2 between whole numbers.
        let sixteenths = (704 * self.queens / self.columns.max(1)).saturating_sub(256);
        let (whole, rest) = (sixteenths / 16, u128::from(sixteenths % 16));
        (self.pairs >> whole) * (32 - rest) / 32
    }
}
