//! The four lists of a task, in the form that their joins take: X on EE and U on EO belong to
//! the even rows and lie still, Y on OO and V on OE belong to the odd rows and walk.

use super::Workspace;
use crate::{
    board::mask::full,
    engine::{
        Slice, alloc,
        colours::{
            column_sets::Keys,
            half::HalfBoard,
            join::{
                counts::LANES,
                kernel::Kernel,
                packed::{self, LaneList, Walker},
                prefixes::Outer,
                trie::{Chunks, Trie},
            },
            orbits::Representative,
            placements::Placements,
            schedule::slices::{of_slice, takes},
        },
    },
    error::Error,
    threads::Cancel,
};

/// The lists of the odd rows, which walk: Y on OO and V on OE.
pub(crate) struct Inner {
    pub(super) y: InnerForm,
    pub(super) v: InnerForm,
}

/// An inner list, in the form that its join takes.
pub(super) enum InnerForm {
    Packed(Walker),
    Trie(Trie),
}

/// An outer list, in the form that its join takes.
pub(super) enum OuterForm {
    Packed(LaneList),
    Trie(Outer),
}

/// What belongs to the current even rows.
pub(super) struct Setting {
    pub(super) class: usize,
    pub(super) representative: Representative,
    /// The lists of the even rows, which lie still: X on EE and U on EO.
    pub(super) x: OuterForm,
    pub(super) u: OuterForm,
    /// The even and odd column sets that are counted.
    pub(super) even: ColumnSets,
    pub(super) odd: ColumnSets,
}

/// The even or odd column sets that the tasks with the current even rows count.
pub(super) struct ColumnSets {
    /// How many there are; their keys are the first ones.
    pub(super) keys: usize,
    /// Their weights, 32 at a time: as they lie in the lanes of the outer list, or by key if that
    /// is not packed.
    pub(super) weights: Vec<[u16; LANES]>,
}

impl ColumnSets {
    /// The sets with these weights, none of which is more than 4, by key.
    fn new(outer: &OuterForm, by_key: impl Iterator<Item = u32>) -> Self {
        let by_key: Vec<u16> = by_key.map(|weight| weight as u16).collect();
        let tiles = |weights: &mut dyn Iterator<Item = u16>, len: usize| {
            let mut tile = || std::array::from_fn(|_| weights.next().unwrap_or(0));
            (0..len.div_ceil(LANES)).map(|_| tile()).collect()
        };
        let weights = match outer {
            OuterForm::Packed(outer) => {
                let lanes = outer.keys().iter();
                tiles(
                    &mut lanes.map(|&key| by_key[usize::from(key)]),
                    outer.keys().len(),
                )
            }
            OuterForm::Trie(_) => tiles(&mut by_key.iter().copied(), by_key.len()),
        };
        ColumnSets {
            keys: by_key.len(),
            weights,
        }
    }
}

impl<K: Kernel> Workspace<'_, K> {
    /// Lays out the lists of a representative's even rows.
    pub(crate) fn set_out(
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
        let slice = self.slice;
        let even = &*of_slice(&plan.even_keys, slice.even);
        let odd = &*of_slice(&plan.odd_keys, slice.odd);
        let (even_bound, odd_bound) = (even.counted(kappa), odd.counted(kappa));
        let halves = &search.halves;
        let (white, black) = (
            representative.rows,
            full(search.symmetry.even) - representative.rows,
        );
        let list = &mut self.list;
        let room = search.rooms.strip_counts;
        let sets = (even.by_set(), even_bound);
        let part = (slice.even, ALL);
        fill(list, (&halves.ee, white), sets, part, cancel)?;
        let x = OuterForm::new(list, even.len(), (odd_bound, room), plan.method.trie(true))?;
        let complements = (odd.by_complement(), odd_bound);
        let part = (slice.odd, ALL);
        fill(list, (&halves.eo, black), complements, part, cancel)?;
        let u = OuterForm::new(list, odd.len(), (even_bound, room), plan.method.trie(false))?;
        self.white.clear();
        self.black.clear();
        self.chunks.clear();
        let symmetry = &search.symmetry;
        let even_weights = even.sets(kappa).map(|set| symmetry.even_weight(kappa, set));
        let odd_weights = odd.sets(kappa).map(|set| symmetry.odd_weight(kappa, set));
        self.setting = Some(Setting {
            class,
            representative: *representative,
            even: ColumnSets::new(&x, even_weights),
            odd: ColumnSets::new(&u, odd_weights),
            x,
            u,
        });
        Ok(())
    }

    /// The lists of these odd rows, for tasks with any κ.
    pub(crate) fn inner(
        &mut self,
        class: usize,
        rows: u32,
        cancel: &Cancel,
    ) -> Result<Inner, Error> {
        self.inner_within(class, rows, Keys::len, cancel)
    }

    /// The lists of these odd rows, for tasks with this κ.
    pub(crate) fn own_inner(
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
        let slice = self.slice;
        let even = &*of_slice(&plan.even_keys, slice.even);
        let odd = &*of_slice(&plan.odd_keys, slice.odd);
        let others = full(search.symmetry.odd) - rows;
        let trie = plan.method.trie(true);
        let sets = (odd.by_set(), bound(odd));
        let part = (slice.odd, (first_queens(rows, trie), slice.white));
        fill(list, (oo, rows), sets, part, cancel)?;
        let y = InnerForm::new(list, oo, trie, cancel)?;
        let trie = plan.method.trie(false);
        let complements = (even.by_complement(), bound(even));
        let part = (slice.even, (first_queens(others, trie), slice.black));
        fill(list, (oe, others), complements, part, cancel)?;
        let v = InnerForm::new(list, oe, trie, cancel)?;
        Ok(Inner { y, v })
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

/// Lists the placements whose key is below a bound, and whose first queens are in a slice. The
/// keys are those of a slice already: with fewer of them, dead ends are worth looking for.
fn fill(
    list: &mut Placements,
    (half, rows): (&HalfBoard, u32),
    (keys, bound): (&[u16], usize),
    (sets, (queens, first)): (Slice, (usize, Slice)),
    cancel: &Cancel,
) -> Result<(), Error> {
    if sets == Slice::WHOLE && first == Slice::WHOLE {
        return list.fill(half, rows, keys, bound, cancel);
    }
    let takes = |columns| takes(first, columns);
    list.fill_few(half, rows, (keys, bound), (queens, takes), cancel)
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
                diagonals: alloc::collected(list.diagonals().iter().copied())?,
                keys: alloc::collected(list.keys().iter().copied())?,
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

    pub(super) fn walker(&self) -> Option<&Walker> {
        match self {
            InnerForm::Packed(walker) => Some(walker),
            InnerForm::Trie(_) => None,
        }
    }

    pub(super) fn trie(&self) -> Option<&Trie> {
        match self {
            InnerForm::Packed(_) => None,
            InnerForm::Trie(trie) => Some(trie),
        }
    }

    /// The rows of its prefixes: tasks that agree in them share what fits.
    pub(super) fn prefix_rows(&self) -> &[u8] {
        match self {
            InnerForm::Packed(walker) => walker.prefix_rows(),
            InnerForm::Trie(trie) => trie.prefix_rows(),
        }
    }
}
