//! Counts the ways to complete a board whose first rows are filled, row by row.
//!
//! A row is a mask with one bit for each column, the lowest for column 0. Before a row
//! is filled, three masks say all that matters of the rows above: the columns still
//! open, and the squares of this row attacked along falling and rising diagonals. From
//! one row to the next these move by one column.
//!
//! ```text
//!    row 0    . . . Q . . . .
//!    row 1    . . r . f . . .     before row 2:    open       1 1 1 0 1 1 1 1
//!    row 2    . r . . . f . .                      falling    0 0 0 0 0 1 0 0   << 1
//!                                                  rising     0 1 0 0 0 0 0 0   >> 1
//! ```
//!
//! With the free squares not yet tried, that is a [`Node`]. A plain recursion takes
//! the lowest free square, goes down, comes back and takes the next. It spends most of
//! its time on wrong guesses of the processor: is there another free square, does this
//! one lead anywhere? Here neither question is a branch, because whole lists of nodes
//! go down a row together. A node is always written at the end of a list, and the end
//! then moves past it if the node is worth keeping.
//!
//! * A round takes the lowest free square of every node in the list and keeps the
//!   nodes that have another. Those are written at or before the place they were read
//!   from, so the list shrinks where it is.
//! * A round makes at most one child of each node. When the children might not fit
//!   into their list, those there are searched first: depth first, so there is one
//!   short list for each row and no more.
//! * A child is kept if its next row and the row after still have a square for a queen
//!   ([`Node::lives`]). Later queens only take squares away and every row needs one,
//!   so nothing is lost.
//! * The last two rows are counted, not searched ([`Node::pairs`]).

use crate::{Cancel, Error, problem::full};

/// The length of a list: long enough that the ends of the rounds, which the processor
/// does guess wrongly, are rare; short enough for the cache.
const LIST: usize = 256;

/// With fewer rows to fill than this, a stop is not asked for. A list with this many
/// has at most `LIST` × 8!/2 descendants in any row: tens of milliseconds.
const POLL: usize = 8;

/// Counts the ways to complete a board of side `n` whose first rows hold queens in
/// these columns, with the others on the squares `allowed` in their rows.
///
/// `allowed` is asked once for a list, not for a node; one that allows everything
/// costs nothing.
pub(super) fn completions(
    n: u32,
    queens: &[u32],
    allowed: &impl Fn(usize) -> u32,
    cancel: &Cancel,
) -> Result<u128, Error> {
    let row = queens.len();
    if row == n as usize {
        return Ok(1);
    }
    let root = Node::below(n, queens, allowed);
    match n as usize - row {
        1 => Ok(u128::from(root.free != 0)),
        _ if !root.lives(allowed(row + 1)) => Ok(0),
        rows => {
            let mut lists = vec![[Node::default(); LIST]; rows - 2];
            Sweep { allowed, cancel }
                .count(row, &mut [root], &mut lists)
                .ok_or(Error::Interrupted)
        }
    }
}

/// The way down through the rows.
struct Sweep<'a, A> {
    allowed: &'a A,
    cancel: &'a Cancel,
}

impl<A: Fn(usize) -> u32> Sweep<'_, A> {
    /// The completions of these nodes, all of which live, from `row` on; `None` if
    /// cancelled. There is one list for each row between `row` and the last.
    ///
    /// Each completion is another permutation of the columns, so the count fits: it
    /// is at most 32! < 2¹¹⁸. In the hot loops there are only the sums of single lists,
    /// at most 2 × `LIST`.
    fn count(&self, row: usize, nodes: &mut [Node], lists: &mut [[Node; LIST]]) -> Option<u128> {
        let next = (self.allowed)(row + 1);
        let Some((children, lists)) = lists.split_first_mut() else {
            let pairs: u32 = nodes.iter().map(|node| node.pairs(next)).sum();
            return Some(pairs.into());
        };
        let rows = lists.len() + 3;
        if rows >= POLL && self.cancel.is_cancelled() {
            return None;
        }
        let after = (self.allowed)(row + 2);
        let (mut total, mut born, mut live) = (0, 0, nodes.len());
        while live > 0 {
            if born + live > LIST {
                total += self.count(row + 1, &mut children[..born], lists)?;
                born = 0;
            }
            // Below, live <= i, and born < LIST since a round adds one for each node at
            // most: the checks of both writes hold always. They cost 1 % of the time; a
            // masked or narrow index, which needs none, costs ten times that.
            let nodes = &mut nodes[..live];
            live = 0;
            for i in 0..nodes.len() {
                let node = nodes[i];
                let queen = node.free & node.free.wrapping_neg();
                let free = node.free & (node.free - 1);
                nodes[live] = Node { free, ..node };
                live += usize::from(free != 0);
                let child = node.child(queen, next);
                children[born] = child;
                born += usize::from(child.lives(after));
            }
        }
        Some(total + self.count(row + 1, &mut children[..born], lists)?)
    }
}

/// A board with some rows filled: its columns without a queen, as many as rows to
/// fill; the squares of the next row attacked along the diagonals; and the free
/// squares of that row, without those already tried.
#[derive(Clone, Copy, Default)]
pub(super) struct Node {
    open: u32,
    falling: u32,
    rising: u32,
    pub(super) free: u32,
}

impl Node {
    /// The board of side `n` whose first rows hold queens in these columns.
    pub(super) fn below(n: u32, queens: &[u32], allowed: &impl Fn(usize) -> u32) -> Node {
        let top = Node::new(full(n), 0, 0, allowed(0));
        (1..).zip(queens).fold(top, |node, (row, column)| {
            debug_assert_ne!(node.free & 1 << column, 0, "a free square");
            node.child(1 << column, allowed(row))
        })
    }

    #[inline(always)]
    fn new(open: u32, falling: u32, rising: u32, allowed: u32) -> Node {
        let free = open & !(falling | rising) & allowed;
        Node {
            open,
            falling,
            rising,
            free,
        }
    }

    /// The board with one more queen, and the squares `allowed` in the row after it.
    #[inline(always)]
    fn child(&self, queen: u32, allowed: u32) -> Node {
        let (falling, rising) = ((self.falling | queen) << 1, (self.rising | queen) >> 1);
        Node::new(self.open ^ queen, falling, rising, allowed)
    }

    /// The squares of the row after the next that no queen attacks so far.
    #[inline(always)]
    fn after(&self, allowed: u32) -> u32 {
        self.open & !(self.falling << 1 | self.rising >> 1) & allowed
    }

    /// Whether the next row and the one after have a square for a queen each.
    #[inline(always)]
    fn lives(&self, allowed: u32) -> bool {
        (self.free != 0) & (self.after(allowed) != 0)
    }

    /// The ways to fill the last two rows of a node that lives. Queens on neighbouring
    /// columns would attack each other. On any other two columns there is a way when
    /// both rows (it lives) and both columns have a square, and a second when all four
    /// squares are there: when the rows have the same squares.
    #[inline(always)]
    fn pairs(&self, allowed: u32) -> u32 {
        let last = self.after(allowed);
        let fits = (self.open & self.open >> 1 == 0) & (self.free | last == self.open);
        u32::from(fits) + u32::from(fits & (self.free == last))
    }
}
