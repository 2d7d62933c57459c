//! All placements on given rows of one half-board: one queen per row, on a square that may
//! hold one, no two on a column or a diagonal of the half-board.
//!
//! Rows are filled from the centre outwards. Central squares lie on the longest
//! diagonals, so the first queens exclude the most: a search that walks the list as
//! a tree meets its dead ends early.

use super::{column_sets::NEVER, half::HalfBoard};
use crate::{board::mask::columns as mask_columns, engine::alloc, error::Error, threads::Cancel};

/// With fewer rows to fill than this, a stop is not asked for: a few milliseconds.
const POLL: usize = 6;

/// The placements on some rows, in the order of the search. Empty columns of the
/// three parallel lists mean no placement, not the empty one.
#[derive(Debug, Default)]
pub(super) struct Placements {
    /// The rows, in the order in which they are filled.
    pub(super) rows: Vec<u8>,
    /// How many there are; the lists have room for more, which is kept for the next ones.
    len: usize,
    keys: Vec<u16>,
    diagonals: Vec<u64>,
    columns: Vec<u64>,
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
            failed: None,
        };
        search.list.len = 0;
        if (search.goes_on)(0, 0, 0) {
            search.place(&open, 0, 0, 0);
        }
        if let Some(error) = search.failed {
            self.len = 0;
            return Err(error);
        }
        self.rows = rows;
        if cancel.is_cancelled() {
            return Err(Error::Interrupted);
        }
        match u32::try_from(self.len) {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::Overflow(
                "places in a list of placements have 32 bits",
            )),
        }
    }

    /// Makes room for `more` placements at the end.
    fn make_room(&mut self, more: usize) -> Result<(), Error> {
        let len = self.len + more;
        if self.keys.len() < len {
            // All or none, and not twice as much: the longest lists take most of the memory
            // there is.
            let len = len + (self.len / 4).max(1024);
            alloc::reserve_exact(&mut self.columns, len)?;
            alloc::reserve_exact(&mut self.diagonals, len)?;
            alloc::reserve_exact(&mut self.keys, len)?;
            self.columns.resize(len, 0);
            self.diagonals.resize(len, 0);
            self.keys.resize(len, NEVER);
        }
        Ok(())
    }

    /// Lists every placement so many times.
    #[cfg(test)]
    pub(super) fn repeat(&mut self, times: usize) {
        self.keys = self.keys().repeat(times);
        self.diagonals = self.diagonals().repeat(times);
        self.columns = self.columns().repeat(times);
        self.len *= times;
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The key of each placement's column set.
    pub(super) fn keys(&self) -> &[u16] {
        &self.keys[..self.len]
    }

    /// The diagonals of each placement.
    pub(super) fn diagonals(&self) -> &[u64] {
        &self.diagonals[..self.len]
    }

    /// The columns of each placement, four bits a row, first row lowest.
    pub(super) fn columns(&self) -> &[u64] {
        &self.columns[..self.len]
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
    /// Why the rest is not listed.
    failed: Option<Error>,
}

impl<F: Fn(usize, u32, u64) -> bool> Search<'_, F> {
    fn place(&mut self, rows: &[Row], used: u32, diagonals: u64, columns: u64) {
        let Some((open, below)) = rows.split_first() else {
            // No queen at all: the empty placement.
            return self.list(1, |_| (used, diagonals, columns));
        };
        if rows.len() >= POLL && (self.cancel.is_cancelled() || self.failed.is_some()) {
            return;
        }
        let depth = self.depth - rows.len();
        let attacked = diagonals >> open.sum | diagonals >> open.difference;
        let free = open.columns & !used & !attacked as u32;
        let with = |column: u32| {
            let used = used | 1 << column;
            let diagonals = diagonals | open.diagonals << column;
            let columns = columns | u64::from(column) << (4 * depth);
            (used, diagonals, columns)
        };
        if below.is_empty() {
            return self.list(free, with);
        }
        for column in mask_columns(free) {
            let (used, diagonals, columns) = with(column);
            if (self.goes_on)(depth + 1, used, columns) {
                self.place(below, used, diagonals, columns);
            }
        }
    }

    /// Lists the placements with a last queen in each of these columns. Every one is written
    /// at the end of the list, which then moves past it if it counts: which do is not for the
    /// processor to guess.
    #[inline(always)]
    fn list(&mut self, last: u32, with: impl Fn(u32) -> (u32, u64, u64)) {
        /// The columns of the widest half-board.
        const WIDEST: usize = 16;
        if let Err(error) = self.list.make_room(WIDEST) {
            self.failed = Some(error);
            return;
        }
        let start = self.list.len;
        let room = "room has been made";
        let keys = self.list.keys[start..]
            .first_chunk_mut::<WIDEST>()
            .expect(room);
        let all_diagonals = self.list.diagonals[start..]
            .first_chunk_mut::<WIDEST>()
            .expect(room);
        let all_columns = self.list.columns[start..]
            .first_chunk_mut::<WIDEST>()
            .expect(room);
        let mut kept = 0;
        for column in mask_columns(last) {
            let (used, diagonals, columns) = with(column);
            let key = self.key_of[used as usize];
            keys[kept % WIDEST] = key;
            all_diagonals[kept % WIDEST] = diagonals;
            all_columns[kept % WIDEST] = columns;
            let goes_on = (self.goes_on)(self.depth, used, columns);
            kept += usize::from(key < self.bound && goes_on);
        }
        self.list.len += kept;
    }
}
