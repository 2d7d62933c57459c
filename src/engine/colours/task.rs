//! Tasks: the four lists of placements, joined by colour and multiplied.
//!
//! Neighbouring tasks have the same even rows, and so the same outer lists; and where their
//! first odd rows agree, all that is made of these lists for the prefixes of the inner
//! ones. Where this fits its room it is kept from task to task. Where it does not, a batch
//! of tasks is counted together: of each part of what they share, as it is made, every one
//! takes what it needs.
//!
//! The first colour of a task leaves a table of counts, by even and odd column set. The
//! second colour needs none: its counts are multiplied by those of the first as they come,
//! strip by strip or hit by hit, which is right because the product is linear in them.

use super::{
    Colours, Method,
    column_sets::Keys,
    half::HalfBoard,
    join::{
        counts::{LANES, Panels, TooMany},
        kernel::Kernel,
        packed::{self, Counted, LaneList, NO_ROW, PackedStrips, Room, Walker},
        prefixes::Outer,
        trie::{Chunks, Factors, Trie, Walk},
    },
    orbits::Representative,
    placements::Placements,
    schedule::slices::{TaskSlice, of_slice, takes},
};
use crate::{
    board::mask::full,
    engine::{Slice, alloc},
    error::Error,
    threads::Cancel,
};

/// The lists of the odd rows, which walk: Y on OO and V on OE.
pub(super) struct Inner {
    y: InnerForm,
    v: InnerForm,
}

/// An inner list, in the form that its join takes.
enum InnerForm {
    Packed(Walker),
    Trie(Trie),
}

/// An outer list, in the form that its join takes.
enum OuterForm {
    Packed(LaneList),
    Trie(Outer),
}

/// What belongs to the current even rows.
struct Setting {
    class: usize,
    representative: Representative,
    /// The lists of the even rows, which lie still: X on EE and U on EO.
    x: OuterForm,
    u: OuterForm,
    /// The weights of the even and odd column sets that are counted, by key.
    even_weights: Vec<u32>,
    odd_weights: Vec<u32>,
}

/// A thread's workspace: the current even rows, and room for joins.
pub(super) struct Workspace<'a, K> {
    search: &'a Colours,
    kernel: K,
    /// The class of the tasks that were counted last.
    class: usize,
    setting: Option<Setting>,
    /// The slice of the tasks that is counted.
    slice: TaskSlice,
    list: Placements,
    /// What neighbouring tasks share: of white, of black, and of the one that is a trie.
    white: PackedStrips,
    black: PackedStrips,
    chunks: Chunks,
    /// What belongs to each task of a batch.
    batch: Vec<TaskRoom>,
    room: Room,
    strip: Panels,
    walk: Walk,
}

/// Why a join has no counts.
enum Stopped {
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

/// What belongs to one task of a batch.
#[derive(Default)]
struct TaskRoom {
    counted: Counted,
    /// The counts of its first colour.
    first: Panels,
    factors: Factors,
    /// Its count.
    count: u128,
}

/// How much memory a thread may use for what it keeps, in bytes; it may be a little more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rooms {
    /// The packed strips of a colour, which neighbouring tasks share: part of the second
    /// cache of a core, since every task walks over all of it.
    pub(super) strips: usize,
    /// The counts of a strip, which are added to from all over: part of the same cache. A
    /// strip has two panels at least.
    pub(super) strip_counts: usize,
    /// The chunks of a trie's prefixes, which they share as well.
    pub(super) chunks: usize,
    /// What belongs to each of the tasks that are counted together.
    pub(super) batch: usize,
}

impl Default for Rooms {
    fn default() -> Self {
        Rooms {
            strips: 1 << 20,
            strip_counts: 256 << 10,
            chunks: 64 << 20,
            batch: 64 << 20,
        }
    }
}

impl<'a, K: Kernel> Workspace<'a, K> {
    pub(super) fn new(search: &'a Colours, kernel: K) -> Self {
        Workspace {
            search,
            kernel,
            class: 0,
            setting: None,
            slice: TaskSlice::WHOLE,
            list: Placements::default(),
            white: PackedStrips::default(),
            black: PackedStrips::default(),
            chunks: Chunks::default(),
            batch: Vec::new(),
            room: Room::new(),
            strip: Panels::default(),
            walk: Walk::new(),
        }
    }

    /// Counts this slice of the tasks from now on.
    pub(super) fn take(&mut self, slice: TaskSlice) {
        if (self.slice.even, self.slice.odd) != (slice.even, slice.odd) {
            self.setting = None;
        }
        self.slice = slice;
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
        if self.class != class {
            // Classes differ in what they need most room for.
            (self.chunks, self.batch) = (Chunks::default(), Vec::new());
            self.class = class;
        }
        let search = self.search;
        let plan = &search.classes[class];
        let (even, odd) = (&plan.even_keys, &plan.odd_keys);
        let (even_bound, odd_bound) = (even.counted(kappa), odd.counted(kappa));
        let halves = &search.halves;
        let (white, black) = (
            representative.rows,
            full(search.symmetry.even) - representative.rows,
        );
        let list = &mut self.list;
        let slice = self.slice;
        let room = search.rooms.strip_counts;
        let of_set = (even.by_set(), slice.even);
        fill(list, (&halves.ee, white), of_set, even_bound, ALL, cancel)?;
        let x = OuterForm::new(list, even_bound, (odd_bound, room), plan.method.trie(true))?;
        let of_complement = (odd.by_complement(), slice.odd);
        fill(
            list,
            (&halves.eo, black),
            of_complement,
            odd_bound,
            ALL,
            cancel,
        )?;
        let u = OuterForm::new(list, odd_bound, (even_bound, room), plan.method.trie(false))?;
        self.white.clear();
        self.black.clear();
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
        let slice = self.slice;
        let trie = plan.method.trie(true);
        let of_set = (odd.by_set(), slice.odd);
        let some = (first_queens(rows, trie), slice.white);
        fill(list, (oo, rows), of_set, bound(odd), some, cancel)?;
        let y = InnerForm::new(list, oo, trie, cancel)?;
        let trie = plan.method.trie(false);
        let of_complement = (even.by_complement(), slice.even);
        let some = (first_queens(others, trie), slice.black);
        fill(list, (oe, others), of_complement, bound(even), some, cancel)?;
        let v = InnerForm::new(list, oe, trie, cancel)?;
        Ok(Inner { y, v })
    }

    /// The count of a slice of a task, in slices whose lists are short enough. Where a pair of
    /// column sets has too many placements for the bits that a count has, a slice is counted
    /// in quarters.
    pub(super) fn count_slice_of(
        &mut self,
        slice: TaskSlice,
        class: usize,
        (representative, odd_rows): (&Representative, u32),
        cancel: &Cancel,
    ) -> Result<u128, Error> {
        let mut sum = 0;
        for piece in slice.slices(self.search.classes[class].slicing) {
            self.take(piece);
            self.set_out(class, representative, cancel)?;
            let inner = self.own_inner(class, odd_rows, representative.kappa, cancel)?;
            let mut whole = Err(TooMany);
            self.count(&[&inner], cancel, |_, count| {
                whole = count;
                Ok(())
            })?;
            sum += match whole {
                Ok(count) => count,
                Err(TooMany) => {
                    let rows = (representative, odd_rows);
                    let mut quarters = piece.quarters().ok_or(TooMany)?;
                    quarters.try_fold(0, |sum, quarter| {
                        self.count_slice_of(quarter, class, rows, cancel)
                            .map(|count| sum + count)
                    })?
                }
            };
        }
        Ok(sum)
    }

    /// The counts of the tasks with the current even rows and these odd rows, in order,
    /// each unless it has too many placements for a pair of column sets.
    pub(super) fn count(
        &mut self,
        inners: &[&Inner],
        cancel: &Cancel,
        mut counted: impl FnMut(usize, Result<u128, TooMany>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let setting = self.setting.take().expect("even rows are set out");
        // Up to where tasks are counted one by one.
        let (mut first, mut single) = (0, 0);
        while first < inners.len() {
            let batch = self.batch_size(&setting, &inners[first..])?;
            let len = if first < single { 1 } else { batch };
            match self.join(&setting, &inners[first..first + len], cancel) {
                Ok(()) => {
                    for task in &self.batch[..len] {
                        counted(first, Ok(task.count))?;
                        first += 1;
                    }
                }
                // Which one of them is too large is seen when they are counted one by one.
                Err(Stopped::TooMany) if len > 1 => single = first + len,
                Err(Stopped::TooMany) => {
                    counted(first, Err(TooMany))?;
                    first += 1;
                }
                Err(Stopped::Failed(error)) => return Err(error),
            }
        }
        self.setting = Some(setting);
        Ok(())
    }

    /// How many of these tasks to count together: those whose odd rows begin alike, if what
    /// they share does not fit its room and would otherwise be made for each.
    fn batch_size(&mut self, setting: &Setting, inners: &[&Inner]) -> Result<usize, Error> {
        let (kernel, rooms) = (self.kernel, self.search.rooms);
        let head = inners[0];
        let mut complete = true;
        for (outer, inner, strips) in [
            (&setting.x, &head.y, &mut self.white),
            (&setting.u, &head.v, &mut self.black),
        ] {
            complete &= match (outer, inner) {
                (OuterForm::Packed(outer), InnerForm::Packed(walker)) => {
                    strips.set_out(kernel, walker, outer, rooms.strips)?
                }
                (OuterForm::Trie(outer), InnerForm::Trie(trie)) => {
                    self.chunks.set_out(kernel, trie, outer, rooms.chunks)?
                }
                _ => unreachable!("the lists of a class are made for one method"),
            };
        }
        if complete {
            return Ok(1);
        }
        // A table of counts and, for a trie, one of factors.
        let tables = if self.search.classes[setting.class].method == Method::Packed {
            1
        } else {
            2
        };
        let (even, odd) = (setting.even_weights.len(), setting.odd_weights.len());
        let bytes = tables * size_of::<u16>() * (even + LANES) * (odd + LANES);
        let most = (rooms.batch / bytes).max(1);
        let alike = |inner: &&&Inner| {
            inner.y.prefix_rows() == head.y.prefix_rows()
                && inner.v.prefix_rows() == head.v.prefix_rows()
        };
        Ok(inners.iter().take(most).take_while(alike).count())
    }

    /// Counts these tasks, which have the current even rows, into the rooms of the batch.
    fn join(
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

/// By how many first queens the inner placements on these rows are divided: those of a
/// prefix stay together.
fn first_queens(rows: u32, trie: Option<usize>) -> usize {
    let queens = rows.count_ones() as usize;
    match trie.unwrap_or(packed::depth(queens)) {
        0 => queens,
        depth => depth,
    }
}

/// Every placement, whatever its first queens.
const ALL: (usize, Slice) = (0, Slice::WHOLE);

/// Lists the placements whose key is below `bound` and in a slice, and whose first queens
/// are, too.
fn fill(
    list: &mut Placements,
    (half, rows): (&HalfBoard, u32),
    (keys, slice): (&[u16], Slice),
    bound: usize,
    (queens, first): (usize, Slice),
    cancel: &Cancel,
) -> Result<(), Error> {
    if slice == Slice::WHOLE && first == Slice::WHOLE {
        return list.fill(half, rows, keys, bound, cancel);
    }
    let keys = of_slice(keys, slice);
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

impl OuterForm {
    /// A list with so many keys, for inner lists with so many, whose counts have this room.
    fn new(
        list: &Placements,
        keys: usize,
        (inner, room): (usize, usize),
        trie: Option<usize>,
    ) -> Result<Self, Error> {
        Ok(match trie {
            Some(_) => OuterForm::Trie(Outer {
                diagonals: alloc::collected(list.diagonals.iter().copied())?,
                keys: alloc::collected(list.keys.iter().copied())?,
            }),
            None => OuterForm::Packed(LaneList::new(list, keys, (inner, room))?),
        })
    }
}

impl InnerForm {
    fn new(
        list: &Placements,
        half: &HalfBoard,
        trie: Option<usize>,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        Ok(match trie {
            Some(depth) => InnerForm::Trie(Trie::new(list, half, depth, cancel)?),
            None => InnerForm::Packed(Walker::new(list, half, cancel)?),
        })
    }

    fn walker(&self) -> Option<&Walker> {
        match self {
            InnerForm::Packed(walker) => Some(walker),
            InnerForm::Trie(_) => None,
        }
    }

    fn trie(&self) -> Option<&Trie> {
        match self {
            InnerForm::Packed(_) => None,
            InnerForm::Trie(trie) => Some(trie),
        }
    }

    /// The rows of its prefixes: tasks that agree in them share what fits.
    fn prefix_rows(&self) -> &[u8] {
        match self {
            InnerForm::Packed(walker) => walker.prefix_rows(),
            InnerForm::Trie(trie) => trie.prefix_rows(),
        }
    }
}
