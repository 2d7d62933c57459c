//! One task: the four lists of placements, joined by colour and multiplied.
//!
//! For a sample, a part of a task is counted, and of a task with long lists part after
//! part ([`cut`](super::schedule::slices)).

use super::{
    Colours,
    column_sets::Keys,
    half::HalfBoard,
    join::{
        kernel::Kernel,
        lanes::{Cells, Group, LANES, Lanes, Panels, TooMany, Walker},
        trie::{Chunks, Factors, Outer, Trie, Walk},
    },
    orbits::Representative,
    placements::Placements,
    schedule::slices::{Cut, of_part, takes},
};
use crate::{board::mask::full, engine::Slice, error::Error, threads::Cancel};

/// The lists of the odd rows, which walk: Y on OO and V on OE.
pub(super) struct Inner {
    y: Walking,
    v: Walking,
}

/// An inner list, in the form that its join takes.
enum Walking {
    Lanes(Walker),
    Trie(Trie),
}

/// An outer list, in the form that its join takes.
enum Lying {
    Lanes(Cells),
    Trie(Outer),
}

/// What belongs to the current even rows.
struct Setting {
    class: usize,
    representative: Representative,
    /// The lists of the even rows, which lie still: X on EE and U on EO.
    x: Lying,
    u: Lying,
    /// The weights of the even and odd column sets that are counted, by key.
    even_weights: Vec<u32>,
    odd_weights: Vec<u32>,
}

/// A thread's workbench: the current even rows, and room for joins.
pub(super) struct Bench<'a, K> {
    search: &'a Colours,
    kernel: K,
    setting: Option<Setting>,
    /// The part of the tasks that is counted.
    cut: Cut,
    list: Placements,
    groups: Vec<Group>,
    lanes: Lanes,
    white: Panels,
    black: Panels,
    chunks: Chunks,
    walk: Walk,
    factors: Factors,
}

/// The room for the chunks of a trie's prefixes.
const CHUNK_ROOM: usize = 64 << 20;

impl<'a, K: Kernel> Bench<'a, K> {
    pub(super) fn new(search: &'a Colours, kernel: K) -> Self {
        Bench {
            search,
            kernel,
            setting: None,
            cut: Cut::WHOLE,
            list: Placements::default(),
            groups: Vec::new(),
            lanes: Lanes::new(),
            white: Panels::default(),
            black: Panels::default(),
            chunks: Chunks::default(),
            walk: Walk::new(),
            factors: Factors::default(),
        }
    }

    /// Counts this part of the tasks from now on.
    pub(super) fn take(&mut self, cut: Cut) {
        if (self.cut.even, self.cut.odd) != (cut.even, cut.odd) {
            self.setting = None;
        }
        self.cut = cut;
    }

    /// Lays out the lists of a representative's even rows.
    pub(super) fn set_out(
        &mut self,
        class: usize,
        representative: &Representative,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let kappa = representative.kappa;
        if self.setting.as_ref().is_some_and(|setting| {
            (setting.class, setting.representative) == (class, *representative)
        }) {
            return Ok(());
        }
        self.setting = None;
        let search = self.search;
        let plan = &search.classes[class];
        let (even, odd) = (&plan.even_keys, &plan.odd_keys);
        let (even_bound, odd_bound) = (even.counted(kappa), odd.counted(kappa));
        let halves = &search.halves;
        let (white, black) = (
            representative.rows,
            full(search.symmetry.even) - representative.rows,
        );
        let (kernel, list) = (self.kernel, &mut self.list);
        let cut = self.cut;
        let of_set = (even.by_set(), cut.even);
        let ee = (&halves.ee, white);
        fill(list, ee, of_set, even_bound, None, cancel)?;
        let x = Lying::new(kernel, list, &halves.ee, even_bound, plan.method.trie(true));
        let of_complement = (odd.by_complement(), cut.odd);
        let eo = (&halves.eo, black);
        fill(list, eo, of_complement, odd_bound, None, cancel)?;
        let u = Lying::new(kernel, list, &halves.eo, odd_bound, plan.method.trie(false));
        self.chunks.clear();
        let symmetry = &search.symmetry;
        self.setting = Some(Setting {
            class,
            representative: *representative,
            x,
            u,
            even_weights: even
                .sets(kappa)
                .map(|set| symmetry.even_weight(kappa, set))
                .collect(),
            odd_weights: odd
                .sets(kappa)
                .map(|set| symmetry.odd_weight(kappa, set))
                .collect(),
        });
        Ok(())
    }

    /// The lists of these odd rows, for tasks with any κ.
    pub(super) fn inner(
        &mut self,
        class: usize,
        rows: u32,
        cancel: &Cancel,
    ) -> Result<Inner, Error> {
        self.inner_within(class, rows, Keys::len, cancel)
    }

    /// The lists of these odd rows, for tasks with this κ.
    pub(super) fn own_inner(
        &mut self,
        class: usize,
        rows: u32,
        kappa: u32,
        cancel: &Cancel,
    ) -> Result<Inner, Error> {
        self.inner_within(class, rows, |keys| keys.counted(kappa), cancel)
    }

    fn inner_within(
        &mut self,
        class: usize,
        rows: u32,
        bound: impl Fn(&Keys) -> usize,
        cancel: &Cancel,
    ) -> Result<Inner, Error> {
        let search = self.search;
        let (plan, list) = (&search.classes[class], &mut self.list);
        let (oo, oe) = (&search.halves.oo, &search.halves.oe);
        let (even, odd) = (&plan.even_keys, &plan.odd_keys);
        let others = full(search.symmetry.odd) - rows;
        let cut = self.cut;
        let prefixes = |trie: Option<usize>| trie.map(|depth| (depth, cut.prefixes));
        let trie = plan.method.trie(true);
        let of_set = (odd.by_set(), cut.odd);
        let first = prefixes(trie);
        fill(list, (oo, rows), of_set, bound(odd), first, cancel)?;
        let y = Walking::new(list, oo, odd.len(), trie, cancel)?;
        let trie = plan.method.trie(false);
        let of_complement = (even.by_complement(), cut.even);
        let first = prefixes(trie);
        fill(
            list,
            (oe, others),
            of_complement,
            bound(even),
            first,
            cancel,
        )?;
        let v = Walking::new(list, oe, even.len(), trie, cancel)?;
        Ok(Inner { y, v })
    }

    /// The count of a task by tiles, with lists of its own.
    pub(super) fn count_by_tiles(
        &mut self,
        class: usize,
        rows: (&Representative, u32),
        cancel: &Cancel,
    ) -> Result<u128, Error> {
        self.count_cut(Cut::WHOLE, class, rows, cancel)
    }

    /// The count of a part of a task, by tiles, with lists of its own.
    pub(super) fn count_cut(
        &mut self,
        cut: Cut,
        class: usize,
        (representative, odd_rows): (&Representative, u32),
        cancel: &Cancel,
    ) -> Result<u128, Error> {
        let mut sum = 0;
        for tile in cut.tiles(self.search.classes[class].tiling) {
            self.take(tile);
            self.set_out(class, representative, cancel)?;
            let inner = self.own_inner(class, odd_rows, representative.kappa, cancel)?;
            sum += u128::from(self.count(&inner, cancel)?);
        }
        Ok(sum)
    }

    /// The count of the task with the current even rows and these odd rows.
    pub(super) fn count(&mut self, inner: &Inner, cancel: &Cancel) -> Result<u64, Error> {
        let setting = self.setting.take().expect("even rows are set out");
        let count = self.join(&setting, inner, cancel);
        self.setting = Some(setting);
        count
    }

    fn join(&mut self, setting: &Setting, inner: &Inner, cancel: &Cancel) -> Result<u64, Error> {
        match (&setting.x, &inner.y, &setting.u, &inner.v) {
            (Lying::Lanes(x), Walking::Lanes(y), Lying::Lanes(u), Walking::Lanes(v)) => {
                self.by_lanes((x, y), (u, v), setting, cancel)
            }
            (Lying::Lanes(x), Walking::Lanes(y), Lying::Trie(u), Walking::Trie(v)) => {
                let weights = (&*setting.even_weights, &*setting.odd_weights);
                self.factors((x, y), weights, cancel)?;
                self.by_trie((u, v), setting.even_weights.len(), cancel)
            }
            (Lying::Trie(x), Walking::Trie(y), Lying::Lanes(u), Walking::Lanes(v)) => {
                let weights = (&*setting.odd_weights, &*setting.even_weights);
                self.factors((u, v), weights, cancel)?;
                self.by_trie((x, y), setting.odd_weights.len(), cancel)
            }
            _ => unreachable!("the lists of a class are made for one method"),
        }
    }

    /// Both colours by lanes. The groups of each are the lanes of the other, so that
    /// the products meet tile by tile, one of them turned.
    fn by_lanes(
        &mut self,
        (x, y): (&Cells, &Walker),
        (u, v): (&Cells, &Walker),
        setting: &Setting,
        cancel: &Cancel,
    ) -> Result<u64, Error> {
        let kernel = self.kernel;
        let (even, odd) = (x.keys(), u.keys());
        let (white, black) = (&mut self.white, &mut self.black);
        let groups = &mut self.groups;
        y.groups(u.lanes(), groups);
        self.lanes
            .join(kernel, y, (groups, odd.len()), x, white, cancel)?;
        v.groups(x.lanes(), groups);
        self.lanes
            .join(kernel, v, (groups, even.len()), u, black, cancel)?;
        let mut sum = 0;
        for (e, even) in even.chunks(LANES).enumerate() {
            let mut weights = [0; LANES];
            for (weight, &key) in weights.iter_mut().zip(even) {
                *weight = setting.even_weights[usize::from(key)];
            }
            for o in 0..odd.len().div_ceil(LANES) {
                let white = kernel.turn(white.tile(e, o));
                sum += kernel.dot(&white, black.tile(o, e), &weights)?;
            }
        }
        // The weight of a term is the smaller one: take back what is too much.
        for (o, &key) in odd.iter().enumerate() {
            let limit = setting.odd_weights[usize::from(key)];
            if limit > 1 {
                continue;
            }
            for (e, &key) in even.iter().enumerate() {
                let surplus = setting.even_weights[usize::from(key)].saturating_sub(limit);
                let product = u64::from(white.count(o, e)) * u64::from(black.count(e, o));
                sum -= u64::from(surplus) * product;
            }
        }
        Ok(sum)
    }

    /// One colour by lanes, as factors for the other's trie: a row for each key of the
    /// cells, which is an inner key there, a column for each of the walker. `weights`
    /// are those of the rows and of the columns.
    fn factors(
        &mut self,
        (cells, walker): (&Cells, &Walker),
        weights: (&[u32], &[u32]),
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let columns: Vec<Option<u32>> = (0..weights.1.len() as u32).map(Some).collect();
        let groups = &mut self.groups;
        walker.groups(&columns, groups);
        let panels = &mut self.white;
        self.lanes.join(
            self.kernel,
            walker,
            (groups, columns.len()),
            cells,
            panels,
            cancel,
        )?;
        let factors = &mut self.factors;
        factors.stride = columns.len().next_multiple_of(LANES);
        factors.counts.resize(weights.0.len() * factors.stride, 0);
        let rows = factors.counts.chunks_exact_mut(factors.stride.max(1));
        for (row, lane) in rows.zip(cells.lanes()) {
            if lane.is_none() {
                row.fill(0);
            }
        }
        let mut seen = 0;
        for tile in 0..columns.len().div_ceil(LANES) {
            let limits = tile_weights(weights.1[tile * LANES..].iter().copied());
            for (panel, keys) in cells.keys().chunks(LANES).enumerate() {
                let mut turned = self.kernel.turn(panels.tile(panel, tile));
                let row_weights = tile_weights(keys.iter().map(|&key| weights.0[usize::from(key)]));
                seen |= self.kernel.weigh(&mut turned, &row_weights, &limits);
                for (&key, counts) in keys.iter().zip(&turned) {
                    let start = usize::from(key) * factors.stride + tile * LANES;
                    factors.counts[start..start + LANES].copy_from_slice(&counts.0);
                }
            }
        }
        if seen < 1 << 14 {
            Ok(())
        } else {
            Err(TooMany.into())
        }
    }

    /// The dense colour by a trie.
    fn by_trie(
        &mut self,
        (outer, inner): (&Outer, &Trie),
        bound: usize,
        cancel: &Cancel,
    ) -> Result<u64, Error> {
        let (kernel, bound) = (self.kernel, bound as u16);
        if !self.chunks.serve(inner) {
            self.chunks.start(inner);
            self.chunks.advance(kernel, outer, CHUNK_ROOM);
        }
        let mut sum = 0;
        loop {
            let (chunks, factors) = (&self.chunks, &self.factors);
            sum += self
                .walk
                .join(kernel, inner, bound, chunks, factors, cancel)?;
            if self.chunks.is_complete() || !self.chunks.advance(kernel, outer, CHUNK_ROOM) {
                return Ok(sum);
            }
        }
    }
}

/// Lists the placements whose key is below `bound` and in a part, and whose first queens
/// are, too.
fn fill(
    list: &mut Placements,
    (half, rows): (&HalfBoard, u32),
    (keys, part): (&[u16], Slice),
    bound: usize,
    prefixes: Option<(usize, Slice)>,
    cancel: &Cancel,
) -> Result<(), Error> {
    let (queens, first) = prefixes.unwrap_or((0, Slice::WHOLE));
    if part == Slice::WHOLE && first == Slice::WHOLE {
        return list.fill(half, rows, keys, bound, cancel);
    }
    let keys = of_part(keys, part);
    let takes = |columns| takes(first, columns);
    list.fill_few(half, rows, (&keys, bound), (queens, takes), cancel)
}

/// The first 32 weights; no more than 4 each.
fn tile_weights(weights: impl Iterator<Item = u32>) -> [u16; LANES] {
    let mut tile = [0; LANES];
    for (to, weight) in tile.iter_mut().zip(weights) {
        *to = weight as u16;
    }
    tile
}

impl Lying {
    fn new<K: Kernel>(
        kernel: K,
        list: &Placements,
        half: &HalfBoard,
        keys: usize,
        trie: Option<usize>,
    ) -> Self {
        match trie {
            Some(_) => Lying::Trie(Outer::new(list)),
            None => Lying::Lanes(Cells::new(kernel, list, half, keys)),
        }
    }
}

impl Walking {
    fn new(
        list: &Placements,
        half: &HalfBoard,
        keys: usize,
        trie: Option<usize>,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        Ok(match trie {
            Some(depth) => Walking::Trie(Trie::new(list, half, depth, cancel)?),
            None => Walking::Lanes(Walker::new(list, half, keys)),
        })
    }
}
