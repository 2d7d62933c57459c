//! Prefixes: the first queens of inner placements, and the outer placements that fit them.
//!
//! Both joins fix the first queens of the inner placements and drop, once for all that
//! begin so, the outer placements that share a diagonal with them. Which prefixes there
//! are depends on the first rows alone, and what fits them on the outer list, so that
//! neighbouring tasks, with the same even rows and the same first odd rows, share all of
//! it.

use crate::{
    board::mask::columns,
    engine::{
        alloc,
        colours::{half::HalfBoard, join::kernel::Kernel},
    },
    error::Error,
};

/// The columns of the first queens, four bits each, the first one highest: prefixes
/// of a list rise in its order.
pub(crate) type Prefix = u32;

/// The prefix of this many queens of a placement, whose columns have four bits a row,
/// first row lowest.
pub(crate) fn prefix(columns: u64, queens: usize) -> Prefix {
    (0..queens).fold(0, |prefix, row| {
        prefix << 4 | (columns >> (4 * row) & 15) as u32
    })
}

/// The columns of a row that a prefix on some rows leaves: those where a queen neither stands on a
/// column nor on a diagonal of its queens.
pub(crate) fn free(half: &HalfBoard, rows: &[u8], prefix: Prefix) -> impl Fn(u8) -> u32 {
    let (mut used, mut taken) = (0, 0);
    for (queen, &row) in rows.iter().rev().enumerate() {
        let column = prefix >> (4 * queen) & 15;
        used |= 1 << column;
        taken |= half.diagonals(row.into(), column);
    }
    move |row| {
        let row = row.into();
        half.squares(row) & !used & !half.attacked(row, taken)
    }
}

/// Outer placements: the diagonals of each, and its key or lane.
#[derive(Debug, Default)]
pub(crate) struct Outer {
    pub(crate) diagonals: Vec<u64>,
    pub(crate) keys: Vec<u16>,
}

/// A filter writes so many placements at once, the last of which may be too many.
const SPARE: usize = 8;

/// Some of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OuterSlice<'a> {
    pub(crate) diagonals: &'a [u64],
    pub(crate) keys: &'a [u16],
}

impl Outer {
    /// Empties the list and makes room for so many placements.
    fn make_room(&mut self, len: usize) -> Result<(), Error> {
        self.diagonals.clear();
        self.keys.clear();
        alloc::reserve(&mut self.diagonals, len)?;
        alloc::reserve(&mut self.keys, len)
    }

    pub(crate) fn slice(&self, range: std::ops::Range<usize>) -> OuterSlice<'_> {
        OuterSlice {
            diagonals: &self.diagonals[range.clone()],
            keys: &self.keys[range],
        }
    }

    pub(crate) fn all(&self) -> OuterSlice<'_> {
        self.slice(0..self.diagonals.len())
    }
}

/// Every prefix on some rows, rising.
#[derive(Debug)]
pub(crate) struct Prefixes {
    half: HalfBoard,
    rows: Vec<u8>,
    prefixes: Vec<Prefix>,
    /// The outer placements that fit the first queen, the first two, …
    fitting: Vec<Outer>,
}

impl Prefixes {
    /// The prefixes of inner lists that begin with these rows.
    pub(crate) fn new(half: &HalfBoard, rows: &[u8]) -> Self {
        let mut partial = vec![(0, 0u32, 0u64)];
        for &row in rows {
            let row = u32::from(row);
            let longer = partial.iter().flat_map(|&(prefix, used, taken)| {
                let free = half.squares(row) & !used & !half.attacked(row, taken);
                columns(free).map(move |column| {
                    let taken = taken | half.diagonals(row, column);
                    (prefix << 4 | column, used | 1 << column, taken)
                })
            });
            partial = longer.collect();
        }
        Prefixes {
            half: *half,
            rows: rows.to_vec(),
            prefixes: partial.iter().map(|&(prefix, ..)| prefix).collect(),
            fitting: rows.iter().map(|_| Outer::default()).collect(),
        }
    }

    /// Whether these are the prefixes of inner lists that begin with these rows.
    pub(crate) fn are_of(&self, half: &HalfBoard, rows: &[u8]) -> bool {
        // A loop: short as they are, a call to compare them would take longer, and with none
        // at all much longer.
        let rows = self.rows.len() == rows.len() && self.rows.iter().zip(rows).all(|(a, b)| a == b);
        rows && self.half == *half
    }

    /// The rows of all of them.
    pub(crate) fn rows(&self) -> &[u8] {
        &self.rows
    }

    pub(crate) fn half(&self) -> &HalfBoard {
        &self.half
    }

    pub(crate) fn len(&self) -> usize {
        self.prefixes.len()
    }

    pub(crate) fn as_slice(&self) -> &[Prefix] {
        &self.prefixes
    }

    /// The outer placements that fit the prefix at a place. Prefixes that follow one
    /// another share the work for the queens that they have in common; `is_next` says that
    /// the one before was the last that was asked for, of the same outer placements.
    pub(crate) fn fitting<'a, K: Kernel>(
        &'a mut self,
        kernel: K,
        outer: OuterSlice<'a>,
        place: usize,
        is_next: bool,
    ) -> Result<OuterSlice<'a>, Error> {
        let prefix = self.prefixes[place];
        let levels = self.rows.len();
        let shared = if is_next && place > 0 {
            let differing = (prefix ^ self.prefixes[place - 1]).ilog2() as usize / 4;
            levels - 1 - differing
        } else {
            0
        };
        for level in shared..levels {
            let column = prefix >> (4 * (levels - 1 - level)) & 15;
            let taken = self.half.diagonals(self.rows[level].into(), column);
            let (above, below) = self.fitting.split_at_mut(level);
            let from = above.last().map_or(outer, Outer::all);
            below[0].make_room(from.keys.len() + SPARE)?;
            kernel.filter(from, taken, &mut below[0]);
        }
        Ok(self.fitting.last().map_or(outer, Outer::all))
    }
}

/// The outer placements that share no diagonal with `taken`.
#[inline(always)]
pub(crate) fn filter(from: OuterSlice, taken: u64, to: &mut Outer) {
    to.diagonals.resize(from.diagonals.len() + 1, 0);
    to.keys.resize(from.keys.len() + 1, 0);
    let mut kept = 0;
    for (&diagonals, &key) in from.diagonals.iter().zip(from.keys) {
        to.diagonals[kept] = diagonals;
        to.keys[kept] = key;
        kept += usize::from(diagonals & taken == 0);
    }
    to.diagonals.truncate(kept);
    to.keys.truncate(kept);
}
