//! All placements on given rows of one half-board: one queen per row, on a square that may
//! hold one, no two on a column or a diagonal of the half-board.
//!
//! Rows are filled from the centre outwards. Central squares lie on the longest
//! diagonals, so the first queens exclude the most: a search that walks the list as
//! a tree meets its dead ends early.

use std::hint::select_unpredictable;

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
    /// Room for the search.
    levels: [Vec<Partial>; 2],
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
            search.all(&open);
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

    /// How many queens can stand here.
    fn width(&self) -> usize {
        self.columns.count_ones() as usize
    }
}

/// Queens on the first rows, and the columns of the next one that they leave.
#[derive(Debug, Clone, Copy, Default)]
struct Partial {
    used: u32,
    free: u32,
    diagonals: u64,
    columns: u64,
}

impl Partial {
    /// The same with one more queen, the one after `queens`, on a row and a column.
    #[inline(always)]
    fn with(&self, row: &Row, column: u32, queens: usize) -> Self {
        Partial {
            used: self.used | 1 << column,
            free: 0,
            diagonals: self.diagonals | row.diagonals << column,
            columns: self.columns | u64::from(column) << (4 * queens),
        }
    }

    /// The same before this row.
    #[inline(always)]
    fn before(self, row: &Row) -> Self {
        let attacked = self.diagonals >> row.sum | self.diagonals >> row.difference;
        Partial {
            free: row.columns & !self.used & !attacked as u32,
            ..self
        }
    }
}

/// How many rows at the end are filled one after the other, each for all that came before: a
/// level has at most 16 · 15 · 14 partial placements.
const LEVELS: usize = 4;

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
    /// Lists the placements on these rows.
    fn all(&mut self, rows: &[Row]) {
        let nothing = Partial::default();
        match rows.first() {
            Some(row) => {
                let partial = nothing.before(row);
                if partial.free != 0 {
                    self.place(rows, partial);
                }
            }
            None => self.empty(),
        }
    }

    /// Lists the empty placement.
    fn empty(&mut self) {
        match self.list.make_room(1) {
            Ok(()) if self.key_of[0] < self.bound => {
                self.list.keys[0] = self.key_of[0];
                (self.list.diagonals[0], self.list.columns[0]) = (0, 0);
                self.list.len = 1;
            }
            Ok(()) => {}
            Err(error) => self.failed = Some(error),
        }
    }

    /// Lists what can be made of a partial placement that leaves a column of the first of
    /// these rows.
    fn place(&mut self, rows: &[Row], partial: Partial) {
        if rows.len() >= POLL && (self.cancel.is_cancelled() || self.failed.is_some()) {
            return;
        }
        let queens = self.depth - rows.len();
        match rows {
            [open, below @ ..] if rows.len() > LEVELS => {
                for column in mask_columns(partial.free) {
                    let longer = partial.with(open, column, queens).before(&below[0]);
                    let goes_on = (self.goes_on)(queens + 1, longer.used, longer.columns);
                    if longer.free != 0 && goes_on {
                        self.place(below, longer);
                    }
                }
            }
            _ => {
                if let Err(error) = self.finish(rows, partial) {
                    self.failed = Some(error);
                }
            }
        }
    }

    /// The same for a few rows, one after the other. Whatever may follow is written at the end of
    /// a list, which then moves past it if it counts: which do is not for the processor to guess.
    fn finish(&mut self, rows: &[Row], partial: Partial) -> Result<(), Error> {
        let [mut level, mut next] = std::mem::take(&mut self.list.levels);
        level.resize(level.len().max(2), partial);
        level[0] = partial;
        let mut len = 1;
        let first = self.depth - rows.len();
        for (queens, pair) in (first..).zip(rows.windows(2)) {
            let most = len * pair[0].width() + 1;
            if next.len() < most {
                next.resize(most, partial);
            }
            let mut kept = 0;
            for_each_queen(&level[..=len], |parent, column| {
                let longer = parent.with(&pair[0], column, queens).before(&pair[1]);
                let goes_on = (self.goes_on)(queens + 1, longer.used, longer.columns);
                next[kept] = longer;
                kept += usize::from(longer.free != 0 && goes_on);
            });
            len = kept;
            (level, next) = (next, level);
        }
        self.list(&rows[rows.len() - 1], &level[..=len])?;
        self.list.levels = [level, next];
        Ok(())
    }

    /// Lists the placements with a last queen on a row.
    fn list(&mut self, row: &Row, level: &[Partial]) -> Result<(), Error> {
        let most = (level.len() - 1) * row.width();
        self.list.make_room(most)?;
        let room = self.list.len..self.list.len + most;
        let keys = &mut self.list.keys[room.clone()];
        let diagonals = &mut self.list.diagonals[room.clone()];
        let columns = &mut self.list.columns[room];
        let mut kept = 0;
        for_each_queen(level, |parent, column| {
            let whole = parent.with(row, column, self.depth - 1);
            let key = self.key_of[whole.used as usize];
            keys[kept] = key;
            diagonals[kept] = whole.diagonals;
            columns[kept] = whole.columns;
            let goes_on = (self.goes_on)(self.depth, whole.used, whole.columns);
            kept += usize::from(key < self.bound && goes_on);
        });
        self.list.len += kept;
        Ok(())
    }
}

/// Each column of each partial placement but the last, which ends the list. None of them is
/// without a column. When to go on to the next one is not for the processor to guess either.
#[inline(always)]
fn for_each_queen(level: &[Partial], mut with: impl FnMut(&Partial, u32)) {
    let mut free = level[0].free;
    let mut index = 0;
    while index + 1 < level.len() {
        with(&level[index], free.trailing_zeros() % 32);
        let rest = free & free.wrapping_sub(1);
        let is_last = rest == 0;
        free = select_unpredictable(is_last, level[index + 1].free, rest);
        index += usize::from(is_last);
    }
}
