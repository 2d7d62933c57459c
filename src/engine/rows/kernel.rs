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
//! * A place in a [`List`] is a byte and every byte is a place, so that nothing has to
//!   be checked.

use crate::{board::mask::full, error::Error, threads::Cancel};

/// The places in a list, one for each byte: long enough that the ends of the rounds,
/// which the processor does guess wrongly, are rare; short enough for the cache.
const PLACES: usize = 1 << u8::BITS;

/// With fewer rows to fill than this, a stop is not asked for. A list with this many
/// has at most `PLACES` × 8!/2 descendants in any row: tens of milliseconds.
const POLL: usize = 8;

/// Room for the lists of a search, kept from task to task.
#[derive(Default)]
pub(crate) struct Lists(Vec<List>);

impl Lists {
    /// Counts the ways to complete a board of side `n` whose first rows hold queens in
    /// these columns, with the others on the squares `allowed` in their rows.
    ///
    /// `allowed` is asked once for a list, not for a node; one that allows everything
    /// costs nothing.
    pub(super) fn completions(
        &mut self,
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
                self.0.resize_with(rows - 1, List::default);
                self.0[0].put(0, root);
                Sweep { allowed, cancel }
                    .count(row, 1, &mut self.0)
                    .ok_or(Error::Interrupted)
            }
        }
    }
}

/// The way down through the rows.
struct Sweep<'a, A> {
    allowed: &'a A,
    cancel: &'a Cancel,
}

impl<A: Fn(usize) -> u32> Sweep<'_, A> {
    /// The completions, from `row` on, of the first `live` nodes in the first list; `None`
    /// if cancelled. They do live. There is one list for each row but the last.
    ///
    /// Each completion is another permutation of the columns, so the count fits: it
    /// is at most 32! < 2¹¹⁸. In the hot loops there are only the sums of single lists,
    /// less than 2 × `PLACES`.
    fn count(&self, row: usize, mut live: u8, lists: &mut [List]) -> Option<u128> {
        let next = (self.allowed)(row + 1);
        let (nodes, below) = lists.split_first_mut().expect("a list for this row");
        if below.is_empty() {
            let pairs: u32 = (0..live).map(|i| nodes.get(i).pairs(next)).sum();
            return Some(pairs.into());
        }
        let rows = below.len() + 2;
        if rows >= POLL && self.cancel.is_cancelled() {
            return None;
        }
        let after = (self.allowed)(row + 2);
        let (mut total, mut born) = (0, 0_u8);
        while live > 0 {
            if born.checked_add(live).is_none() {
                total += self.count(row + 1, born, below)?;
                born = 0;
            }
            let children = &mut below[0];
            // A round adds at most one to each for every node, so neither overflows.
            let round = 0..live;
            live = 0;
            for i in round {
                let node = nodes.get(i);
                let queen = node.free & node.free.wrapping_neg();
                let free = node.free & (node.free - 1);
                nodes.put(live, Node { free, ..node });
                live += u8::from(free != 0);
                let child = node.child(queen, next);
                children.put(born, child);
                born += u8::from(child.lives(after));
            }
        }
        Some(total + self.count(row + 1, born, below)?)
    }
}

/// Nodes, each mask in an array of its own: so a place needs no address of its own, and
/// the last two rows of several nodes are counted at once.
#[derive(Clone)]
struct List {
    open: [u32; PLACES],
    falling: [u32; PLACES],
    rising: [u32; PLACES],
    free: [u32; PLACES],
}

impl List {
    #[inline(always)]
    fn get(&self, place: u8) -> Node {
        let place = usize::from(place);
        Node {
            open: self.open[place],
            falling: self.falling[place],
            rising: self.rising[place],
            free: self.free[place],
        }
    }

    #[inline(always)]
    fn put(&mut self, place: u8, node: Node) {
        let place = usize::from(place);
        self.open[place] = node.open;
        self.falling[place] = node.falling;
        self.rising[place] = node.rising;
        self.free[place] = node.free;
    }
}

impl Default for List {
    fn default() -> List {
        let [open, falling, rising, free] = [[0; PLACES]; 4];
        List {
            open,
            falling,
            rising,
            free,
        }
    }
}

/// A board with some rows filled: its columns without a queen, as many as rows to
/// fill; the squares of the next row attacked along the diagonals; and the free
/// squares of that row, without those already tried.
#[derive(Clone, Copy)]
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
