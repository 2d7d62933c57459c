//! The two colours of a task: the counts of the first, and the second, whose counts are
//! multiplied by those as they come.

use super::{ColumnSets, InnerForm, OuterForm, Setting, TaskRoom, Workspace};
use crate::{
    engine::{
        alloc,
        colours::{
            Colours,
            join::{
                counts::{Counts, LANES, TooMany},
                kernel::Kernel,
                packed::{LaneList, NO_ROW, Target, Walker},
                prefixes::Outer,
                trie::Trie,
            },
            task::Inner,
        },
    },
    error::Error,
    threads::Cancel,
};

/// Why a join has no counts.
pub(super) enum Stopped {
    TooMany,
    Failed(Error),
}

impl From<TooMany> for Stopped {
    fn from(_: TooMany) -> Self {
        Stopped::TooMany
    }
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Stopped::Failed(error)
    }
}

impl<K: Kernel> Workspace<'_, K> {
    /// Counts these tasks, which have the current even rows, into the rooms of the batch.
    pub(super) fn join(
        &mut self,
        setting: &Setting,
        inners: &[&Inner],
        cancel: &Cancel,
    ) -> Result<(), Stopped> {
        if self.batch.len() < inners.len() {
            self.batch.resize_with(inners.len(), TaskRoom::default);
        }
        for task in &mut self.batch[..inners.len()] {
            task.count = 0;
        }
        let white = inners.iter().map(|inner| &inner.y);
        let black = inners.iter().map(|inner| &inner.v);
        let (even, odd) = (&setting.even, &setting.odd);
        match (&setting.x, &setting.u) {
            (OuterForm::Packed(x), OuterForm::Packed(u)) => {
                let white = white.filter_map(InnerForm::walker);
                let black = black.filter_map(InnerForm::walker);
                self.first(true, (x, white), u.lanes(), u.keys().len(), cancel)?;
                self.second(x, (u, black), setting, cancel)
            }
            (OuterForm::Packed(x), OuterForm::Trie(u)) => {
                let white = white.filter_map(InnerForm::walker);
                let black = black.filter_map(InnerForm::trie);
                self.factors(true, (x, white), (even, odd), cancel)?;
                self.by_trie((u, black), even.keys, cancel)
            }
            (OuterForm::Trie(x), OuterForm::Packed(u)) => {
                let white = white.filter_map(InnerForm::trie);
                let black = black.filter_map(InnerForm::walker);
                self.factors(false, (u, black), (odd, even), cancel)?;
                self.by_trie((x, white), odd.keys, cancel)
            }
            (OuterForm::Trie(_), OuterForm::Trie(_)) => {
                unreachable!("one colour makes the factors of the other's trie")
            }
        }
    }

    /// The counts of the first colour of each task, with the rows that the keys of its inner
    /// list are given.
    fn first<'i>(
        &mut self,
        is_white: bool,
        (outer, walkers): (&LaneList, impl Iterator<Item = &'i Walker> + Clone),
        rows: &[u16],
        height: usize,
        cancel: &Cancel,
    ) -> Result<(), Stopped> {
        let (kernel, room) = (self.kernel, self.search.rooms.strips);
        let strips = if is_white {
            &mut self.white
        } else {
            &mut self.black
        };
        for (walker, task) in walkers.clone().zip(&mut self.batch) {
            walker.counted(rows, &mut task.counted)?;
            task.first.start(outer.panels(), height)?;
        }
        loop {
            for (strip, places) in strips.here() {
                for (walker, task) in walkers.clone().zip(&mut self.batch) {
                    let height = task.first.height();
                    let counts = Target::Counts(task.first.rows(outer.panels_of(strip)));
                    self.room.join(
                        kernel,
                        (walker, &task.counted),
                        (outer, strips),
                        (strip, places.clone()),
                        (counts, height),
                        cancel,
                    )?;
                }
            }
            if strips.is_complete() || !strips.advance(kernel, outer, room)? {
                return Ok(());
            }
        }
    }

    /// Black as the second colour by packed lanes: the sum of the products.
    fn second<'i>(
        &mut self,
        x: &LaneList,
        (u, walkers): (&LaneList, impl Iterator<Item = &'i Walker> + Clone),
        setting: &Setting,
        cancel: &Cancel,
    ) -> Result<(), Stopped> {
        let (kernel, room) = (self.kernel, self.search.rooms.strips);
        for (walker, task) in walkers.clone().zip(&mut self.batch) {
            walker.counted(x.lanes(), &mut task.counted)?;
        }
        let mut seen = 0;
        loop {
            for (strip, places) in self.black.here() {
                let panels = u.panels_of(strip);
                for (walker, task) in walkers.clone().zip(&mut self.batch) {
                    let factors = &mut self.strip;
                    factors.shape(panels.len(), x.keys().len())?;
                    for (tile, rows) in setting.even.weights.iter().enumerate() {
                        for panel in panels.clone() {
                            let lanes = &setting.odd.weights[panel];
                            let factors = factors.tile_mut(panel - panels.start, tile);
                            kernel.turn(task.first.tile(tile, panel), factors);
                            seen |= kernel.weigh(factors, rows, lanes);
                        }
                    }
                    self.search.check_factors(seen)?;
                    let height = factors.height();
                    let rows = factors.rows(0..panels.len());
                    let factors = Target::Factors(rows, &mut task.count);
                    self.room.join(
                        kernel,
                        (walker, &task.counted),
                        (u, &self.black),
                        (strip, places.clone()),
                        (factors, height),
                        cancel,
                    )?;
                }
            }
            if self.black.is_complete() || !self.black.advance(kernel, u, room)? {
                return Ok(());
            }
        }
    }

    /// The counts of the first colour of each task, as factors for the other's trie: a row
    /// for each key of the outer list, which is an inner key there, a column for each of
    /// the walkers.
    fn factors<'i>(
        &mut self,
        is_white: bool,
        (outer, walkers): (&LaneList, impl Iterator<Item = &'i Walker> + Clone),
        (rows, columns): (&ColumnSets, &ColumnSets),
        cancel: &Cancel,
    ) -> Result<(), Stopped> {
        let (row_weights, column_weights) = (&rows.weights, &columns.weights);
        let columns: Vec<u16> = (0..columns.keys as u16).collect();
        let colour = (outer, walkers.clone());
        self.first(is_white, colour, &columns, columns.len(), cancel)?;
        let mut seen = 0;
        let mut turned = [Counts::ZERO; LANES];
        for (_, task) in walkers.zip(&mut self.batch) {
            let factors = &mut task.factors;
            factors.stride = columns.len().max(1).next_multiple_of(LANES);
            let counts = rows.keys * factors.stride;
            alloc::resize(&mut factors.counts, counts, 0)?;
            let by_key = factors.counts.chunks_exact_mut(factors.stride);
            for (row, &lane) in by_key.zip(outer.lanes()) {
                if lane == NO_ROW {
                    row.fill(0);
                }
            }
            for (tile, columns) in column_weights.iter().enumerate() {
                let keys = outer.keys().chunks(LANES);
                for (panel, (keys, rows)) in keys.zip(row_weights).enumerate() {
                    self.kernel.turn(task.first.tile(panel, tile), &mut turned);
                    seen |= self.kernel.weigh(&mut turned, rows, columns);
                    for (&key, counts) in keys.iter().zip(&turned) {
                        let start = usize::from(key) * factors.stride + tile * LANES;
                        factors.counts[start..start + LANES].copy_from_slice(&counts.0);
                    }
                }
            }
        }
        Ok(self.search.check_factors(seen)?)
    }

    /// The second colour by tries.
    fn by_trie<'i>(
        &mut self,
        (outer, tries): (&Outer, impl Iterator<Item = &'i Trie> + Clone),
        bound: usize,
        cancel: &Cancel,
    ) -> Result<(), Stopped> {
        let (kernel, bound) = (self.kernel, bound as u16);
        loop {
            for (trie, task) in tries.clone().zip(&mut self.batch) {
                let (chunks, factors) = (&self.chunks, &task.factors);
                let walk = &mut self.walk;
                let found = walk.join(kernel, trie, bound, chunks, factors, cancel)?;
                task.count += u128::from(found);
            }
            let room = self.search.rooms.chunks;
            if self.chunks.is_complete() || !self.chunks.advance(kernel, outer, room)? {
                return Ok(());
            }
        }
    }
}

impl Colours {
    /// Whether tiles that were [weighed](Kernel::weigh), and had these bits, are factors.
    fn check_factors(&self, seen: u16) -> Result<(), TooMany> {
        if u32::from(seen) >> self.factor_bits == 0 {
            Ok(())
        } else {
            Err(TooMany)
        }
    }
}
