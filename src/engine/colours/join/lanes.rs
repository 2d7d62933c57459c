//! The join of two lists by byte lanes: for sparse and balanced sides, where many
//! pairs fit, a pair costs a fraction of a bit operation.
//!
//! The *outer* list lies still, in cells; the *inner* list walks over it. Wanted is,
//! for each column set of the inner list (a *group*) and each of the outer list (a
//! *lane*), the number of placement pairs with no diagonal in common.
//!
//! Give each of 32 outer column sets one byte of a 256-bit vector, and so eight of its
//! placements; larger sets take further vectors, *slots*. Bit k of the row of
//! diagonal d says that placement k uses d. Then
//!
//! ```text
//! outer placements that fit x = AND over the queens of x of NOT (row of sum | row of difference)
//! ```
//!
//! and these conditions are tabled for every pair of squares on x's first two rows,
//! the next two, and so on: a walker of five queens needs three loads. Ones are
//! counted per byte, through carry-save adders, which take four vectors to one
//! count, unless the processor counts them itself; the sum over all walkers of a group is the wanted row of numbers, 32 lanes
//! at a time. Unused bits of a cell hold a mask of all diagonals, which fits no queen.
//!
//! Column sets are given lanes by falling size, so that neighbours fill the same
//! number of slots.
//!
//! Widths: a byte gathers at most 30 rounds of 8; counts are 16-bit sums that
//! saturate, so that a count of 32,768 or more cannot hide: whoever uses the counts
//! refuses it ([`TooMany`]).

use std::ops::Range;

use crate::engine::colours::{
    half::HalfBoard,
    join::kernel::{Bits, Kernel, Vector},
    placements::Placements,
};
use crate::{error::Error, threads::Cancel};

/// The number of outer column sets that are counted together.
pub(crate) const LANES: usize = 32;

/// The count of each lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Counts(pub(crate) [u16; LANES]);

impl Counts {
    pub(crate) const ZERO: Counts = Counts([0; LANES]);

    fn halves(&self) -> (&[u16; 16], &[u16; 16]) {
        let (low, high) = self.0.split_at(16);
        (low.try_into().expect("16"), high.try_into().expect("16"))
    }
}

/// 32 groups × 32 lanes.
pub(crate) type Tile = [Counts; LANES];

/// The walkers of one column set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Group {
    /// Their places in the list.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The row that their counts are added to.
    pub(crate) row: u32,
}

/// An outer list in cells: the bits of its placements, by diagonal.
#[derive(Debug)]
pub(crate) struct Cells {
    /// The key of each lane; 32 lanes are a panel.
    keys: Vec<u16>,
    /// The lane of each key.
    lanes: Vec<Option<u32>>,
    /// How many placements each lane has.
    sizes: Vec<u32>,
    /// The slots of each panel.
    slots: Vec<Range<usize>>,
    /// For each slot, the row of each diagonal.
    bits: Vec<[Bits; 64]>,
}

impl Cells {
    pub(crate) fn new<K: Kernel>(
        kernel: K,
        list: &Placements,
        half: &HalfBoard,
        keys: usize,
    ) -> Self {
        let sizes = sizes(list, keys);
        let mut lanes: Vec<u16> = (0..keys as u16)
            .filter(|&key| sizes[usize::from(key)] > 0)
            .collect();
        lanes.sort_by_key(|&key| std::cmp::Reverse(sizes[usize::from(key)]));
        let mut lane_of = vec![None; keys];
        for (lane, &key) in lanes.iter().enumerate() {
            lane_of[usize::from(key)] = Some(lane as u32);
        }
        // The placements by key.
        let first = starts(&sizes);
        let mut next = first.clone();
        let mut sorted = vec![0; list.len()];
        for (&key, &diagonals) in list.keys.iter().zip(&list.diagonals) {
            let place = &mut next[usize::from(key)];
            sorted[*place as usize] = diagonals;
            *place += 1;
        }
        let mut cells = Cells {
            sizes: lanes.iter().map(|&key| sizes[usize::from(key)]).collect(),
            slots: Vec::new(),
            bits: Vec::new(),
            lanes: lane_of,
            keys: lanes,
        };
        let needed = half.every_diagonal();
        for (lanes, sizes) in cells.keys.chunks(LANES).zip(cells.sizes.chunks(LANES)) {
            let slots = sizes[0].div_ceil(8) as usize;
            cells.slots.push(cells.bits.len()..cells.bits.len() + slots);
            for slot in 0..slots {
                let mut masks = [[u64::MAX; 8]; LANES];
                for ((cell, &key), &size) in masks.iter_mut().zip(lanes).zip(sizes) {
                    let placements = &sorted[first[usize::from(key)] as usize..][..size as usize];
                    let here = placements.chunks(8).nth(slot).unwrap_or(&[]);
                    cell[..here.len()].copy_from_slice(here);
                }
                let mut rows = [[0; 4]; 64];
                kernel.transpose(&masks.each_ref(), needed, &mut rows);
                cells.bits.push(rows);
            }
        }
        cells
    }

    /// The key of each lane.
    pub(crate) fn keys(&self) -> &[u16] {
        &self.keys
    }

    /// The lane of each key that has one.
    pub(crate) fn lanes(&self) -> &[Option<u32>] {
        &self.lanes
    }
}

/// How many placements of each key there are.
fn sizes(list: &Placements, keys: usize) -> Vec<u32> {
    let mut sizes = vec![0; keys];
    for &key in &list.keys {
        sizes[usize::from(key)] += 1;
    }
    sizes
}

/// Running sums, from 0, with the total at the end.
fn starts(sizes: &[u32]) -> Vec<u32> {
    let mut starts = vec![0; sizes.len() + 1];
    for (i, &size) in sizes.iter().enumerate() {
        starts[i + 1] = starts[i] + size;
    }
    starts
}

/// A placement as a path through the table: 16 bits for each pair of rows, the first
/// lowest, with 64 times the number of its entry. One word, so that a path is one load.
pub(crate) type Path = u64;

/// The step of a path for a pair of rows.
#[inline(always)]
pub(crate) fn step(path: Path, pair: usize) -> u16 {
    (path >> (16 * pair)) as u16
}

/// An inner list by key, each placement as a path through the table.
#[derive(Debug)]
pub(crate) struct Walker {
    half: HalfBoard,
    /// The rows, in pairs.
    rows: Vec<u8>,
    /// The first placement of each key, and the end.
    first: Vec<u32>,
    /// The keys, by falling number of placements: a loop that runs as often as the last
    /// time is predicted well.
    by_size: Vec<u16>,
    /// The path of each placement.
    paths: Vec<Path>,
}

impl Walker {
    pub(crate) fn new(list: &Placements, half: &HalfBoard, keys: usize) -> Self {
        let sizes = sizes(list, keys);
        let first = starts(&sizes);
        let mut by_size: Vec<u16> = (0..keys as u16).collect();
        by_size.sort_by_key(|&key| std::cmp::Reverse(sizes[usize::from(key)]));
        let pairs = list.rows.len().div_ceil(2);
        assert!(pairs <= 4, "walkers have at most eight queens");
        let side = half.columns as usize;
        let entry = |pair: usize, squares: usize| {
            // A pair of rows is never wider than 16 × 16: entries stay below 1024.
            let second = if 2 * pair + 1 < list.rows.len() {
                squares >> 4
            } else {
                0
            };
            let entry = (pair * side + (squares & 15)) * side + second;
            (entry as u64) << (6 + 16 * pair)
        };
        let entries: Vec<[u64; 256]> = (0..pairs)
            .map(|pair| std::array::from_fn(|squares| entry(pair, squares)))
            .collect();
        let mut next = first.clone();
        let mut paths = vec![0; list.len()];
        for (&key, &columns) in list.keys.iter().zip(&list.columns) {
            let place = &mut next[usize::from(key)];
            paths[*place as usize] = (0..).zip(&entries).fold(0, |path, (pair, entries)| {
                path | entries[(columns >> (8 * pair) & 255) as usize]
            });
            *place += 1;
        }
        Walker {
            half: *half,
            rows: list.rows.clone(),
            first,
            by_size,
            paths,
        }
    }

    /// The groups of the keys that are given a row, even those without a placement.
    pub(crate) fn groups(&self, rows: &[Option<u32>], groups: &mut Vec<Group>) {
        groups.clear();
        groups.extend(self.by_size.iter().filter_map(|&key| {
            let key = usize::from(key);
            let row = (*rows.get(key)?)?;
            Some(Group {
                start: self.first[key],
                end: self.first[key + 1],
                row,
            })
        }));
    }
}

/// For each pair of squares on a pair of rows, which placements of two slots fit.
///
/// It has one entry more than a step of 16 bits can name, so that a kernel may load
/// from any step without a check.
#[derive(Debug, Clone)]
pub(crate) struct Table(pub(crate) Box<[Entry; 1025]>);

/// Which placements fit, in each of two slots.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Entry(pub(crate) [Bits; 2]);

impl Table {
    /// Its size.
    pub(crate) const BYTES: usize = size_of::<[Entry; 1025]>();
}

/// The counts of a join: panel by panel, a row of 32 lanes for each group.
#[derive(Debug, Default)]
pub(crate) struct Panels {
    counts: Vec<Counts>,
    /// The number of groups, rounded up to whole tiles.
    height: usize,
}

impl Panels {
    /// Makes room for so many groups, and clears what no group will overwrite.
    fn start(&mut self, panels: usize, groups: usize) {
        self.height = groups.next_multiple_of(LANES);
        self.counts.resize(panels * self.height, Counts::ZERO);
        if self.height > 0 {
            for panel in self.counts.chunks_exact_mut(self.height) {
                panel[groups..].fill(Counts::ZERO);
            }
        }
    }

    /// The count of a group and a lane.
    pub(crate) fn count(&self, group: usize, lane: usize) -> u16 {
        self.counts[lane / LANES * self.height + group].0[lane % LANES]
    }

    /// The groups from 32·tile on, of one panel.
    pub(crate) fn tile(&self, panel: usize, tile: usize) -> &Tile {
        let start = panel * self.height + tile * LANES;
        let counts = &self.counts[start..start + LANES];
        counts.try_into().expect("a tile is 32 groups high")
    }
}

/// All walkers, on their way over one or two slots of a panel.
pub(crate) struct Pass<'a> {
    pub(crate) table: &'a Table,
    pub(crate) paths: &'a [Path],
    pub(crate) groups: &'a [Group],
    /// Whether the counts start here: there is nothing yet to add to.
    pub(crate) first: bool,
    /// Whether there is only one slot.
    pub(crate) single: bool,
}

/// Room for a join.
pub(crate) struct Lanes {
    table: Table,
}

impl Lanes {
    pub(crate) fn new() -> Self {
        let entries = vec![Entry([[0; 4]; 2]); 1025].into_boxed_slice();
        Lanes {
            table: Table(entries.try_into().expect("1025 entries")),
        }
    }

    /// Counts, for each group of the walker and each lane of the cells, the pairs that
    /// fit: the groups, and the number of rows that their counts take. Each of these rows
    /// belongs to one group, or it would keep what was there before.
    pub(crate) fn join<K: Kernel>(
        &mut self,
        kernel: K,
        walker: &Walker,
        groups: (&[Group], usize),
        cells: &Cells,
        panels: &mut Panels,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let (groups, rows) = groups;
        debug_assert_eq!(groups.len(), rows, "a group for every row");
        panels.start(cells.slots.len(), rows);
        if panels.height == 0 {
            return Ok(());
        }
        let pairs = walker.rows.len().div_ceil(2);
        for (panel, counts) in panels.counts.chunks_exact_mut(panels.height).enumerate() {
            if pairs == 0 {
                // The empty placement fits everything, even the masks that pad a cell.
                let sizes = cells.sizes.chunks(LANES).nth(panel).unwrap_or(&[]);
                for group in groups {
                    let counts = &mut counts[group.row as usize];
                    *counts = Counts::ZERO;
                    for (count, &size) in counts.0.iter_mut().zip(sizes) {
                        let size = size * (group.end - group.start);
                        *count = u16::try_from(size).map_err(|_| TooMany)?;
                    }
                }
                continue;
            }
            let slots = &cells.bits[cells.slots[panel].clone()];
            for (round, slots) in slots.chunks(2).enumerate() {
                if cancel.is_cancelled() {
                    return Err(Error::Interrupted);
                }
                kernel.fill(&mut self.table, &walker.half, &walker.rows, slots);
                let pass = Pass {
                    table: &self.table,
                    paths: &walker.paths,
                    groups,
                    first: round == 0,
                    single: slots.len() == 1,
                };
                match pairs {
                    1 => kernel.walk::<1>(&pass, counts),
                    2 => kernel.walk::<2>(&pass, counts),
                    3 => kernel.walk::<3>(&pass, counts),
                    _ => kernel.walk::<4>(&pass, counts),
                }
            }
        }
        Ok(())
    }
}

impl Table {
    /// Tables, for each pair of rows of the walker and each pair of squares on them,
    /// which placements fit, in one or two slots.
    #[inline(always)]
    pub(crate) fn fill<V: Vector>(
        &mut self,
        half: &HalfBoard,
        walker_rows: &[u8],
        slots: &[[Bits; 64]],
    ) {
        let side = half.columns as usize;
        for (pair, rows) in walker_rows.chunks(2).enumerate() {
            for (slot, bits) in slots.iter().enumerate().take(2) {
                let everyone = V::load(&[u64::MAX; 4]);
                let mut seconds = [everyone; 16];
                let used = match rows.get(1) {
                    None => 1,
                    Some(&row) => {
                        for (column, second) in seconds[..side].iter_mut().enumerate() {
                            *second = everyone.without(blocked(half, bits, row, column));
                        }
                        side
                    }
                };
                for column in 0..side {
                    let first = blocked::<V>(half, bits, rows[0], column);
                    let entries = &mut self.0[(pair * side + column) * side..][..used];
                    for (entry, second) in entries.iter_mut().zip(seconds) {
                        second.without(first).store(&mut entry.0[slot]);
                    }
                }
            }
        }
    }
}

/// The placements that share a diagonal with a square.
#[inline(always)]
fn blocked<V: Vector>(half: &HalfBoard, bits: &[Bits; 64], row: u8, column: usize) -> V {
    let (row, column) = (u32::from(row), column as u32);
    let sum = &bits[half.sum_bit(row, column) as usize];
    let difference = &bits[half.difference_bit(row, column) as usize];
    V::load(sum).or(V::load(difference))
}

/// A count that does not fit the 15 bits it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMany;

impl From<TooMany> for Error {
    fn from(_: TooMany) -> Self {
        Error::Overflow("a pair of column sets has more placements than 15 bits can count")
    }
}

/// The largest count that may be multiplied.
pub(crate) const MOST: u16 = 32_767;

/// Adds to each group's counts, in the first pass to 0, how many placements of the table
/// fit its walkers.
#[inline(always)]
pub(crate) fn walk<V: Vector, const PAIRS: usize, const SLOTS: usize>(
    pass: &Pass,
    counts: &mut [Counts],
) {
    /// What a byte can gather before it is widened: 30 rounds of 8.
    const ROUNDS: usize = 30;
    let fits = |(path, slot)| fitting::<V, PAIRS>(pass.table, path, slot);
    for group in pass.groups {
        let counts = &mut counts[group.row as usize];
        if pass.first {
            *counts = Counts::ZERO;
        }
        let walkers = &pass.paths[group.start as usize..group.end as usize];
        let (mut ones, mut twos) = (V::zero(), V::zero());
        let (mut fours_low, mut fours_high) = (V::zero(), V::zero());
        let per_round = 4 / SLOTS;
        let whole = walkers.len() / per_round * per_round;
        for walkers in walkers[..whole].chunks(ROUNDS * per_round) {
            let mut fours = V::zero();
            for round in walkers.chunks_exact(per_round) {
                let [a, b, c, d] = [0, 1, 2, 3].map(|i| (round[i / SLOTS], i % SLOTS));
                let (carry_a, sum) = add_three(ones, fits(a), fits(b));
                let (carry_b, sum) = add_three(sum, fits(c), fits(d));
                ones = sum;
                let (carry, sum) = add_three(twos, carry_a, carry_b);
                twos = sum;
                fours = fours.add_bytes(carry.ones_per_byte());
            }
            let (low, high) = fours.widen();
            fours_low = fours_low.add_saturating(low);
            fours_high = fours_high.add_saturating(high);
        }
        // At most three vectors are left over: 8 + 2·8 + 3·8 fits a byte.
        let twice = twos.ones_per_byte();
        let mut rest = ones.ones_per_byte().add_bytes(twice).add_bytes(twice);
        for &path in &walkers[whole..] {
            for slot in 0..SLOTS {
                rest = rest.add_bytes(fits((path, slot)).ones_per_byte());
            }
        }
        let (rest_low, rest_high) = rest.widen();
        let (low, high) = counts.0.split_at_mut(16);
        add_to(fours_low, rest_low, low.try_into().expect("16"));
        add_to(fours_high, rest_high, high.try_into().expect("16"));
    }
}

/// Adds 4 × fours + rest.
#[inline(always)]
fn add_to<V: Vector>(fours: V, rest: V, counts: &mut [u16; 16]) {
    let twos = fours.add_saturating(fours);
    let sum = twos.add_saturating(twos).add_saturating(rest);
    V::load_counts(counts)
        .add_saturating(sum)
        .store_counts(counts);
}

/// The placements of a slot that fit a walker.
#[inline(always)]
fn fitting<V: Vector, const PAIRS: usize>(table: &Table, path: Path, slot: usize) -> V {
    let mut bits = V::load_entry(table, step(path, 0), slot);
    for pair in 1..PAIRS {
        bits = bits.and(V::load_entry(table, step(path, pair), slot));
    }
    bits
}

/// Adds three bits in each place: the carries and the sums.
#[inline(always)]
fn add_three<V: Vector>(a: V, b: V, c: V) -> (V, V) {
    let half = a.xor(b);
    (a.and(b).or(half.and(c)), half.xor(c))
}

/// Σ over rows of weight × Σ over columns of a × b.
///
/// Products of 15-bit numbers are below 2³⁰, 32 of them below 2³⁵; with 32 rows and
/// weights of at most 4 the sum is below 2⁴².
#[inline(always)]
pub(crate) fn dot<V: Vector>(a: &Tile, b: &Tile, weights: &[u32; LANES]) -> Result<u64, TooMany> {
    let mut sum = 0;
    let mut seen = V::zero();
    for ((a, b), &weight) in a.iter().zip(b).zip(weights) {
        let (a, b) = (a.halves(), b.halves());
        let (a0, a1) = (V::load_counts(a.0), V::load_counts(a.1));
        let (b0, b1) = (V::load_counts(b.0), V::load_counts(b.1));
        seen = seen.or(a0.or(a1)).or(b0.or(b1));
        sum += u64::from(weight) * V::dot((a0, a1), (b0, b1));
    }
    let mut all = [0; 16];
    seen.store_counts(&mut all);
    if all.iter().any(|&count| count > MOST) {
        return Err(TooMany);
    }
    Ok(sum)
}

/// Multiplies each count by the smaller of the weights of its row and its column, and
/// returns the bits that occur in the counts: below 2¹⁴ no product, with a weight of
/// at most 4, was cut.
#[inline(always)]
pub(crate) fn weigh(tile: &mut Tile, rows: &[u16; LANES], columns: &[u16; LANES]) -> u16 {
    let mut seen = [0; LANES];
    for (counts, &row) in tile.iter_mut().zip(rows) {
        for ((count, &column), seen) in counts.0.iter_mut().zip(columns).zip(&mut seen) {
            *seen |= *count;
            *count = count.wrapping_mul(row.min(column));
        }
    }
    seen.iter().fold(0, |all, seen| all | seen)
}
