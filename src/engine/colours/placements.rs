//! All placements on given rows of one half-board: one queen per row, on a square that may
//! hold one, no two on a column or a diagonal of the half-board.
//!
//! Rows are filled from the centre outwards. Central squares lie on the longest
//! diagonals, so the first queens exclude the most: a search that walks the list as
//! a tree meets its dead ends early.

use super::{column_sets::NEVER, half::HalfBoard};
use crate::{engine::alloc, error::Error, threads::Cancel};

/// With fewer rows to fill than this, a stop is not asked for: a few milliseconds.
const POLL: usize = 6;

/// The placements on some rows, in the order of the search. Empty columns of the
/// three parallel lists mean no placement, not the empty one.
#[derive(Debug, Default)]
pub(super) struct Placements {
    /// The rows, in the order in which they are filled.
    pub(super) rows: Vec<u8>,
    /// The key of each placement's column set.
    pub(super) keys: Vec<u16>,
    /// The diagonals of each placement.
    pub(super) diagonals: Vec<u64>,
    /// The columns of each placement, four bits a row, first row lowest.
    pub(super) columns: Vec<u64>,
}

impl Placements {
    /// Lists the placements on `rows` whose key is below `bound`.
    pub(super) fn fill(
        &mut self,
        half: &HalfBoard,
        rows: u32,
        key_of: &[u16],
        bound: usize,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        self.search(half, rows, (key_of, bound), |_, _, _| true, cancel)
    }

    /// Lists those of them whose first queens, so many, are in certain columns: four bits
    /// a row. Fast where only few sets have a key below `bound`.
    pub(super) fn fill_few(
        &mut self,
        half: &HalfBoard,
        rows: u32,
        (key_of, bound): (&[u16], usize),
        (queens, takes): (usize, impl Fn(u32) -> bool),
        cancel: &Cancel,
    ) -> Result<(), Error> {
        // Worth going on with is a set that is part of one that is wanted.
        let mut hopeful: Vec<bool> = key_of.iter().map(|&key| usize::from(key) < bound).collect();
        for column in 0..half.columns {
            for set in (0..hopeful.len()).filter(|set| set >> column & 1 == 0) {
                hopeful[set] |= hopeful[set | 1 << column];
            }
        }
        let goes_on = |placed, used: u32, columns: u64| {
            hopeful[used as usize] && (placed != queens || takes(columns as u32))
        };
        self.search(half, rows, (key_of, bound), goes_on, cancel)
    }

    fn search(
        &mut self,
        half: &HalfBoard,
        rows: u32,
        (key_of, bound): (&[u16], usize),
        goes_on: impl Fn(usize, u32, u64) -> bool,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let rows = central_first(rows, half.rows);
        let open: Vec<Row> = rows.iter().map(|&row| Row::new(half, row.into())).collect();
        let mut search = Search {
            depth: rows.len(),
            key_of,
            bound: u16::try_from(bound).unwrap_or(NEVER),
            goes_on,
            cancel,
            list: self,
            len: 0,
            failed: None,
        };
        if (search.goes_on)(0, 0, 0) {
            search.place(&open, 0, 0, 0);
        }
        let (len, failed) = (search.len, search.failed);
        if let Some(error) = failed {
            return Err(error);
        }
        self.resize(len)?;
        self.rows = rows;
        if cancel.is_cancelled() {
            return Err(Error::Interrupted);
        }
        match u32::try_from(len) {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::Overflow(
                "places in a list of placements have 32 bits",
            )),
        }
    }

    fn resize(&mut self, len: usize) -> Result<(), Error> {
        // All or none, and no more than that: the longest lists take most of the memory
        // there is.
        alloc::reserve_exact(&mut self.columns, len)?;
        alloc::reserve_exact(&mut self.diagonals, len)?;
        alloc::reserve_exact(&mut self.keys, len)?;
        self.columns.resize(len, 0);
        self.diagonals.resize(len, 0);
        self.keys.resize(len, NEVER);
        Ok(())
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }
}

/// The members of a set of rows, from the middle outwards.
pub(super) fn central_first(rows: u32, height: u32) -> Vec<u8> {
    let mut members: Vec<u8> = (0..height as u8)
        .filter(|&row| rows >> row & 1 == 1)
        .collect();
    // Twice the distance from the centre; a tie goes to the upper row.
    members.sort_by_key(|&row| (2 * u32::from(row) + 1).abs_diff(height));
    members
}

/// A row to fill.
struct Row {
    /// The columns that may hold a queen.
    columns: u32,
    /// The bits of the two diagonals through its first square, and both as a mask. Those of
    /// the other squares follow.
    sum: u32,
    difference: u32,
    diagonals: u64,
}

impl Row {
    fn new(half: &HalfBoard, row: u32) -> Self {
        Row {
            columns: half.squares(row),
            sum: half.sum_bit(row, 0),
            difference: half.difference_bit(row, 0),
            diagonals: half.diagonals(row, 0),
        }
    }
}

struct Search<'a, F> {
    /// How many queens a placement has.
    depth: usize,
    key_of: &'a [u16],
    bound: u16,
    /// Whether to go on with so many queens in this set of columns, which are these.
    goes_on: F,
    cancel: &'a Cancel,
    list: &'a mut Placements,
    /// How many are listed so far.
    len: usize,
    /// Why the rest is not listed.
    failed: Option<Error>,
}

impl<F: Fn(usize, u32, u64) -> bool> Search<'_, F> {
    fn place(&mut self, rows: &[Row], used: u32, diagonals: u64, columns: u64) {
        let Some((open, below)) = rows.split_first() else {
            return self.list(used, diagonals, columns);
        };
        if rows.len() >= POLL && (self.cancel.is_cancelled() || self.failed.is_some()) {
            return;
        }
        let depth = self.depth - rows.len();
        let attacked = diagonals >> open.sum | diagonals >> open.difference;
        let mut free = open.columns & !used & !attacked as u32;
        while free != 0 {
            let column = free.trailing_zeros();
            free &= free - 1;
            let used = used | 1 << column;
            let diagonals = diagonals | open.diagonals << column;
            let columns = columns | u64::from(column) << (4 * depth);
            if !(self.goes_on)(depth + 1, used, columns) {
                continue;
            }
            if below.is_empty() {
                self.list(used, diagonals, columns);
            } else {
                self.place(below, used, diagonals, columns);
            }
        }
    }

    /// Writes every placement at the end of the list, and then moves the end past it if
    /// the key counts: which do is not for the processor to guess.
    #[inline(always)]
    fn list(&mut self, used: u32, diagonals: u64, columns: u64) {
        let key = self.key_of[used as usize];
        if self.len == self.list.len()
            && let Err(error) = self.list.resize(self.len + (self.len / 4).max(1024))
        {
            self.failed = Some(error);
            return;
        }
        self.list.keys[self.len] = key;
        self.list.diagonals[self.len] = diagonals;
        self.list.columns[self.len] = columns;
        self.len += usize::from(key < self.bound);
    }
}
