//! The two colours of a task: the counts of the first, and the second, whose counts are
//! multiplied by those as they come.

use super::{InnerForm, OuterForm, Setting, TaskRoom, Workspace};
use crate::{
    engine::{
        alloc,
        colours::{
            join::{
                counts::{LANES, TooMany},
                kernel::Kernel,
                packed::{LaneList, NO_ROW, Walker},
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
        let (even, odd) = (&*setting.even_weights, &*setting.odd_weights);
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
                self.by_trie((u, black), even.len(), cancel)
            }
            (OuterForm::Trie(x), OuterForm::Packed(u)) => {
                let white = white.filter_map(InnerForm::trie);
                let black = black.filter_map(InnerForm::walker);
                self.factors(false, (u, black), (odd, even), cancel)?;
                self.by_trie((x, white), odd.len(), cancel)
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
                    let counts = task.first.rows(outer.panels_of(strip));
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
        let kernel = self.kernel;
        let (even, odd) = (x.keys(), u.keys());
        for (walker, task) in walkers.clone().zip(&mut self.batch) {
            walker.counted(x.lanes(), &mut task.counted)?;
        }
        loop {
            for (strip, places) in self.black.here() {
                let panels = u.panels_of(strip);
                for (walker, task) in walkers.clone().zip(&mut self.batch) {
                    self.strip.start(panels.len(), even.len())?;
                    let height = self.strip.height();
                    let counts = self.strip.rows(0..panels.len());
                    self.room.join(
                        kernel,
                        (walker, &task.counted),
                        (u, &self.black),
                        (strip, places.clone()),
                        (counts, height),
                        cancel,
                    )?;
                    let (mut products, mut surplus, mut seen) = (0, 0, 0u32);
                    for (e, even) in even.chunks(LANES).enumerate() {
                        let mut weights = [0; LANES];
                        for (weight, &key) in weights.iter_mut().zip(even) {
                            *weight = setting.even_weights[usize::from(key)];
                        }
                        for panel in panels.clone() {
                            let white = kernel.turn(task.first.tile(e, panel));
                            let black = self.strip.tile(panel - panels.start, e);
                            let (product, bits) = kernel.dot(&white, black, &weights);
                            products += product;
                            seen |= u32::from(bits);
                        }
                    }
                    if seen >> self.search.count_bits != 0 {
                        return Err(Stopped::TooMany);
                    }
                    // The weight of a term is the smaller one: take back what is too much.
                    let lanes = panels.start * LANES..odd.len().min(panels.end * LANES);
                    for (lane, o) in lanes.enumerate() {
                        let limit = setting.odd_weights[usize::from(odd[o])];
                        if limit > 1 {
                            continue;
                        }
                        for (e, &key) in even.iter().enumerate() {
                            let weight = setting.even_weights[usize::from(key)];
                            let white = u64::from(task.first.count(o, e));
                            let black = u64::from(self.strip.count(e, lane));
                            surplus += u64::from(weight.saturating_sub(limit)) * white * black;
                        }
                    }
                    // Each term of the surplus is part of a product.
                    task.count += u128::from(products - surplus);
                }
            }
            let room = self.search.rooms.strips;
            if self.black.is_complete() || !self.black.advance(kernel, u, room)? {
                return Ok(());
            }
        }
    }

    /// The counts of the first colour of each task, as factors for the other's trie: a row
    /// for each key of the outer list, which is an inner key there, a column for each of
    /// the walkers. `weights` are those of the rows and of the columns.
    fn factors<'i>(
        &mut self,
        is_white: bool,
        (outer, walkers): (&LaneList, impl Iterator<Item = &'i Walker> + Clone),
        weights: (&[u32], &[u32]),
        cancel: &Cancel,
    ) -> Result<(), Stopped> {
        let columns: Vec<u16> = (0..weights.1.len() as u16).collect();
        let colour = (outer, walkers.clone());
        self.first(is_white, colour, &columns, columns.len(), cancel)?;
        let mut seen = 0;
        for (_, task) in walkers.zip(&mut self.batch) {
            let factors = &mut task.factors;
            factors.stride = columns.len().next_multiple_of(LANES);
            let counts = weights.0.len() * factors.stride;
            alloc::resize(&mut factors.counts, counts, 0)?;
            let rows = factors.counts.chunks_exact_mut(factors.stride.max(1));
            for (row, &lane) in rows.zip(outer.lanes()) {
                if lane == NO_ROW {
                    row.fill(0);
                }
            }
            for tile in 0..columns.len().div_ceil(LANES) {
                let limits = tile_weights(weights.1[tile * LANES..].iter().copied());
                for (panel, keys) in outer.keys().chunks(LANES).enumerate() {
                    let mut turned = self.kernel.turn(task.first.tile(panel, tile));
                    let row_weights =
                        tile_weights(keys.iter().map(|&key| weights.0[usize::from(key)]));
                    seen |= self.kernel.weigh(&mut turned, &row_weights, &limits);
                    for (&key, counts) in keys.iter().zip(&turned) {
                        let start = usize::from(key) * factors.stride + tile * LANES;
                        factors.counts[start..start + LANES].copy_from_slice(&counts.0);
                    }
                }
            }
        }
        // One bit less: a factor is a count times a weight of at most 4.
        if u32::from(seen) >> self.search.count_bits.saturating_sub(1) != 0 {
            return Err(Stopped::TooMany);
        }
        Ok(())
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

/// The first 32 weights; no more than 4 each.
fn tile_weights(weights: impl Iterator<Item = u32>) -> [u16; LANES] {
    let mut tile = [0; LANES];
    for (to, weight) in tile.iter_mut().zip(weights) {
        *to = weight as u16;
    }
    tile
}
