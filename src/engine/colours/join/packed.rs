//! The join of two lists by packed lanes: where many pairs fit, they are counted in bulk,
//! a fraction of a bit operation each.
//!
//! The *outer* list lies still, as bits; the *inner* list walks over it. Wanted is, for
//! each column set of the inner list (a *row*) and each of the outer list (a *lane*), the
//! number of pairs of placements with no diagonal in common.
//!
//! **Packing.** All queens of a walker but its last four are its *prefix*. What fits the
//! prefix is left of the outer list, some lanes (a *strip*) at a time. Eight placements of a
//! lane make a byte, and each lane has as many bytes as it still needs:
//!
//! ```text
//!  lane     0 1 2 3 …           bytes, side by side
//!  layer 0  # # # #  …          0₀ 1₀ 2₀ 3₀ …   the first byte of every lane
//!  layer 1  # # . #  …          0₁ 1₁ 3₁ …      the second of those that have two
//!  layer 2  # . . .  …          0₂ …
//! ```
//!
//! Unused bits of a byte hold a mask of all diagonals, which fits no queen. The bytes are
//! turned into rows of bits, one for each diagonal. All of this is shared by neighbouring
//! tasks.
//!
//! **Walking.** For each square, NOT (row of its sum | row of its difference) are the outer
//! placements that a queen there leaves. This is tabled for every pair of squares on the
//! first two of the last four rows and on the other two, so that a walker is two loads and
//! an AND; its ones are counted per byte. The walkers with one prefix and one column set
//! are a *group*. Their last four queens stand on four given columns, so there are at most
//! 4! = 24 of them, and a byte counts at most 24 · 8 = 192.
//!
//! **Unpacking.** The byte counts of a group go back to their lanes, layer by layer, by one
//! shuffle each, and are added to the counts of the group's column set.

use std::{cmp::Reverse, ops::Range};

use super::{
    counts::{Counts, LANES, TooMany},
    kernel::{Kernel, Row, Vector, Wide},
    prefixes::{Outer, OuterSlice, Prefix, Prefixes, prefix},
};
use crate::{
    engine::{
        alloc,
        colours::{half::HalfBoard, placements::Placements},
    },
    error::Error,
    threads::Cancel,
};

/// How many panels are packed together, at most: the more, the fuller the last vector.
const MOST_PANELS: usize = 8;
/// How many queens of a walker are tabled.
const TABLED: usize = 4;

/// How many queens of an inner placement are its prefix.
pub(crate) fn depth(queens: usize) -> usize {
    queens.saturating_sub(TABLED)
}

/// How many panels are a strip, in a join that makes so many rows of counts: as many as have
/// theirs in `room` bytes.
fn strip_panels(rows: usize, room: usize) -> usize {
    (room / (size_of::<Counts>() * rows.max(1))).clamp(2, MOST_PANELS)
}

/// How many strips so many lanes make, in a join that makes so many rows of counts.
pub(crate) fn strips(lanes: usize, rows: usize, room: usize) -> usize {
    lanes.div_ceil(LANES * strip_panels(rows, room))
}

/// An outer list, by lanes: its column sets by falling number of placements, so that
/// neighbours fill as many bytes.
#[derive(Debug)]
pub(crate) struct LaneList {
    /// The key of each lane.
    keys: Vec<u16>,
    /// The lane of each key that has a placement, or [`NO_ROW`].
    lanes: Vec<u16>,
    /// The first placement of each lane, and the end.
    first: Vec<u32>,
    /// The placements, with their lanes in the strip.
    outer: Outer,
    /// How many panels are a strip.
    strip_panels: usize,
}

impl LaneList {
    /// The list of a join that makes so many rows of counts, of which a strip should have no
    /// more than fit into `room` bytes.
    pub(crate) fn new(
        list: &Placements,
        keys: usize,
        (rows, room): (usize, usize),
    ) -> Result<Self, Error> {
        let strip_panels = strip_panels(rows, room);
        let mut sizes = vec![0u32; keys];
        for &key in &list.keys {
            sizes[usize::from(key)] += 1;
        }
        let size = |key: u16| sizes[usize::from(key)];
        let mut lane_keys: Vec<u16> = (0..keys as u16).filter(|&key| size(key) > 0).collect();
        lane_keys.sort_by_key(|&key| Reverse(size(key)));
        let mut lanes = vec![NO_ROW; keys];
        let mut first = vec![0];
        let mut end = 0;
        // Where the next placement of each key goes.
        let mut next = vec![0; keys];
        for (lane, &key) in lane_keys.iter().enumerate() {
            lanes[usize::from(key)] = lane as u16;
            next[usize::from(key)] = end;
            end += size(key);
            first.push(end);
        }
        let mut outer = Outer {
            diagonals: alloc::filled(0, list.len())?,
            keys: alloc::filled(0, list.len())?,
        };
        for (&key, &diagonals) in list.keys.iter().zip(&list.diagonals) {
            let place = &mut next[usize::from(key)];
            outer.diagonals[*place as usize] = diagonals;
            *place += 1;
        }
        for (lane, ends) in first.windows(2).enumerate() {
            outer.keys[ends[0] as usize..ends[1] as usize]
                .fill((lane % (LANES * strip_panels)) as u16);
        }
        Ok(LaneList {
            keys: lane_keys,
            lanes,
            first,
            outer,
            strip_panels,
        })
    }

    /// The key of each lane.
    pub(crate) fn keys(&self) -> &[u16] {
        &self.keys
    }

    /// The lane of each key that has one, or [`NO_ROW`].
    pub(crate) fn lanes(&self) -> &[u16] {
        &self.lanes
    }

    /// How many strips there are.
    pub(crate) fn strips(&self) -> usize {
        self.panels().div_ceil(self.strip_panels)
    }

    /// How many panels there are.
    pub(crate) fn panels(&self) -> usize {
        self.keys.len().div_ceil(LANES)
    }

    /// The panels of a strip.
    pub(crate) fn panels_of(&self, strip: usize) -> Range<usize> {
        strip * self.strip_panels..self.panels().min((strip + 1) * self.strip_panels)
    }

    /// The lanes of a strip.
    fn lanes_of(&self, strip: usize) -> Range<usize> {
        let Range { start, end } = self.panels_of(strip);
        LANES * start..self.keys.len().min(LANES * end)
    }

    /// The placements of a strip.
    fn strip(&self, strip: usize) -> OuterSlice<'_> {
        let Range { start, end } = self.lanes_of(strip);
        self.outer
            .slice(self.first[start] as usize..self.first[end] as usize)
    }

    /// How many placements a lane has.
    fn size(&self, lane: usize) -> u32 {
        self.first[lane + 1] - self.first[lane]
    }
}

/// The walkers of one prefix and column set.
#[derive(Debug, Clone, Copy)]
struct KeyGroup {
    /// Their first place in the list.
    start: u32,
    key: u16,
    /// How many, from 1 to 24.
    len: u8,
}

/// An inner list by prefix and column set.
#[derive(Debug)]
pub(crate) struct Walker {
    half: HalfBoard,
    /// The rows of the prefix.
    prefix_rows: Vec<u8>,
    /// The rows below it, at most four.
    rows: Vec<u8>,
    /// The prefixes, rising, each with the end of its groups.
    prefixes: Vec<(Prefix, u32)>,
    /// The groups, prefix by prefix, by falling length: a loop that runs as often as the
    /// last time is predicted well.
    groups: Vec<KeyGroup>,
    /// The columns of the queens below the prefix, four bits each, the first lowest.
    paths: Vec<u16>,
}

impl Walker {
    /// A list in search order.
    pub(crate) fn new(list: &Placements, half: &HalfBoard, cancel: &Cancel) -> Result<Self, Error> {
        let depth = depth(list.rows.len());
        let (prefix_rows, rows) = list.rows.split_at(depth);
        let mut walker = Walker {
            half: *half,
            prefix_rows: prefix_rows.to_vec(),
            rows: rows.to_vec(),
            prefixes: Vec::new(),
            groups: Vec::new(),
            paths: Vec::new(),
        };
        alloc::reserve_exact(&mut walker.paths, list.len())?;
        let shared = (1u64 << (4 * depth)) - 1;
        let mut start = 0;
        let mut by_key: Vec<u32> = Vec::new();
        for columns in list.columns.chunk_by(|a, b| (a ^ b) & shared == 0) {
            if cancel.is_cancelled() {
                return Err(Error::Interrupted);
            }
            let keys = &list.keys[start..start + columns.len()];
            start += columns.len();
            let path = |columns: u64| columns >> (4 * depth) & 0xffff;
            let both = keys.iter().zip(columns);
            by_key.clear();
            by_key.extend(both.map(|(&key, &columns)| u32::from(key) << 16 | path(columns) as u32));
            by_key.sort_unstable();
            alloc::reserve(&mut walker.groups, by_key.len())?;
            walker.add_prefix(prefix(columns[0], depth), &by_key);
        }
        walker.groups.shrink_to_fit();
        Ok(walker)
    }

    /// Adds the placements of a prefix: the key and the path of each, sorted.
    fn add_prefix(&mut self, prefix: Prefix, placements: &[u32]) {
        let first = self.groups.len();
        for group in placements.chunk_by(|a, b| a >> 16 == b >> 16) {
            self.groups.push(KeyGroup {
                start: self.paths.len() as u32,
                key: (group[0] >> 16) as u16,
                len: u8::try_from(group.len()).expect("four queens on four columns"),
            });
            self.paths.extend(group.iter().map(|&path| path as u16));
        }
        self.groups[first..].sort_by_key(|group| Reverse(group.len));
        self.prefixes.push((prefix, self.groups.len() as u32));
    }

    /// The rows of its prefixes.
    pub(crate) fn prefix_rows(&self) -> &[u8] {
        &self.prefix_rows
    }

    /// The walkers whose key is given a row, for a join; keys beyond the rows have none.
    pub(crate) fn counted(&self, rows: &[u16], counted: &mut Counted) -> Result<(), Error> {
        let Counted { prefixes, groups } = counted;
        prefixes.clear();
        if groups.len() < self.groups.len() {
            alloc::resize(groups, self.groups.len(), Group::default())?;
        }
        let (mut start, mut len) = (0, 0);
        for &(prefix, end) in &self.prefixes {
            // Every group is written, and stays if it has a row: which do is not for the
            // processor to guess.
            for group in &self.groups[start..end as usize] {
                let row = rows.get(usize::from(group.key)).copied().unwrap_or(NO_ROW);
                groups[len] = Group {
                    start: group.start,
                    row,
                    len: group.len,
                };
                len += usize::from(row != NO_ROW);
            }
            start = end as usize;
            prefixes.push((prefix, len as u32));
        }
        Ok(())
    }
}

/// The row of a key that is not counted: there are at most 12,870 rows.
pub(crate) const NO_ROW: u16 = u16::MAX;

/// The walkers of one prefix and column set, and the row of counts that they add to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Group {
    start: u32,
    row: u16,
    len: u8,
}

/// The walkers that a task counts.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    /// The prefixes, rising, each with the end of its groups.
    prefixes: Vec<(Prefix, u32)>,
    /// The groups, and perhaps more, which belong to no prefix.
    groups: Vec<Group>,
}

/// Where the bytes of a layer are, for the 32 lanes of a panel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layer {
    /// The first byte of the lower and of the upper 16 lanes.
    first: [u32; 2],
    /// The place of each lane's byte from there on, or [`ABSENT`].
    places: [u8; LANES],
}

/// The place of a byte that a lane does not have: one that a shuffle answers with 0.
const ABSENT: u8 = 0x80;

/// The part of a strip that fits a prefix, packed.
#[derive(Debug, Clone, Copy)]
struct Packed {
    /// Where its rows of bits start, vector by vector, and how many half vectors there are.
    rows: usize,
    halves: usize,
    /// Where the layers of its panels start, and the end.
    layers: [u32; MOST_PANELS + 1],
}

/// An outer list packed for every prefix, strip by strip, as much of it as its room allows.
#[derive(Debug, Default)]
pub(crate) struct PackedStrips {
    prefixes: Option<Prefixes>,
    /// Which pairs of a strip and a prefix are here, by strip × prefixes + prefix, and of
    /// how many.
    here: Range<usize>,
    all: usize,
    /// What each of them is packed to.
    packed: Vec<Packed>,
    /// The row of each diagonal, vector by vector, and how many are in use.
    rows: Vec<Row>,
    used: usize,
    layers: Vec<Layer>,
    /// The bytes of what is being packed, as the masks of eight placements each.
    bytes: Vec<[u64; 8]>,
}

impl PackedStrips {
    /// Forgets everything: the outer list has changed.
    pub(crate) fn clear(&mut self) {
        self.prefixes = None;
    }

    /// Whether all that a walker needs is here.
    pub(crate) fn serve(&self, walker: &Walker) -> bool {
        let prefixes = self.prefixes.as_ref();
        prefixes.is_some_and(|prefixes| prefixes.are_of(&walker.half, &walker.prefix_rows))
            && self.is_complete()
    }

    /// Whether every strip and prefix is here.
    pub(crate) fn is_complete(&self) -> bool {
        self.here == (0..self.all)
    }

    /// Gets ready for walkers like this one: with everything here, if it fits into about
    /// `room` bytes, or else with the first part. True if everything is here.
    pub(crate) fn set_out<K: Kernel>(
        &mut self,
        kernel: K,
        walker: &Walker,
        outer: &LaneList,
        room: usize,
    ) -> Result<bool, Error> {
        if !self.serve(walker) {
            self.start(walker, outer);
            self.advance(kernel, outer, room)?;
        }
        Ok(self.is_complete())
    }

    /// The strips that are here, each with the places of the prefixes that are.
    pub(crate) fn here(&self) -> impl Iterator<Item = (usize, Range<usize>)> + use<> {
        let per_strip = self.prefixes.as_ref().map_or(1, Prefixes::len).max(1);
        let Range { start, end } = self.here;
        (start / per_strip..end.div_ceil(per_strip)).map(move |strip| {
            let first = strip * per_strip;
            (
                strip,
                start.max(first) - first..(end - first).min(per_strip),
            )
        })
    }

    /// Begins anew, for walkers like this one, with nothing here yet.
    pub(crate) fn start(&mut self, walker: &Walker, outer: &LaneList) {
        let has = |prefixes: &Prefixes| prefixes.are_of(&walker.half, &walker.prefix_rows);
        if !self.prefixes.as_ref().is_some_and(has) {
            self.prefixes = Some(Prefixes::new(&walker.half, &walker.prefix_rows));
        }
        self.all = outer.strips() * self.prefixes.as_ref().map_or(0, Prefixes::len);
        self.here = 0..0;
    }

    /// Replaces what is here by the next part: as much as fits into about `room` bytes, at
    /// least one prefix. False if there is none left.
    pub(crate) fn advance<K: Kernel>(
        &mut self,
        kernel: K,
        outer: &LaneList,
        room: usize,
    ) -> Result<bool, Error> {
        let Some(mut prefixes) = self.prefixes.take() else {
            return Ok(false);
        };
        self.packed.clear();
        self.layers.clear();
        self.used = 0;
        self.here = self.here.end..self.here.end;
        let half = *prefixes.half();
        while self.here.end < self.all && self.used * size_of::<Row>() < room {
            let (strip, place) = (
                self.here.end / prefixes.len(),
                self.here.end % prefixes.len(),
            );
            // The levels of the prefix before it are still there, also from the part before.
            let is_next = self.here.end > 0;
            let fitting = prefixes.fitting(kernel, outer.strip(strip), place, is_next)?;
            let packed = self.pack(kernel, &half, outer.panels_of(strip).len(), fitting)?;
            self.packed.push(packed);
            self.here.end += 1;
        }
        self.prefixes = Some(prefixes);
        Ok(!self.here.is_empty())
    }

    /// Packs what is left of a strip.
    fn pack<K: Kernel>(
        &mut self,
        kernel: K,
        half: &HalfBoard,
        panels: usize,
        fitting: OuterSlice,
    ) -> Result<Packed, Error> {
        const STRIP: usize = LANES * MOST_PANELS;
        // Placements lie lane by lane: the last one of each says where it ends.
        let mut ends = [0; STRIP];
        for (end, &lane) in (1..).zip(fitting.keys) {
            ends[usize::from(lane) % STRIP] = end;
        }
        let mut starts = [0; STRIP];
        for lane in 1..LANES * panels {
            starts[lane] = ends[lane - 1];
            ends[lane] = ends[lane].max(starts[lane]);
        }
        // A lane fills all its bytes but one, and the last vector may need as many again.
        let most = fitting.keys.len() / 8 + LANES * panels + LANES;
        if self.bytes.len() < most {
            alloc::resize(&mut self.bytes, most.next_power_of_two(), NOBODY)?;
        }
        let mut used = 0;
        let mut layers = [self.layers.len() as u32; MOST_PANELS + 1];
        for panel in 0..panels {
            let lanes = LANES * panel..LANES * (panel + 1);
            let ends = &ends[lanes.clone()];
            let starts = &mut starts[lanes];
            let sizes = starts.iter().zip(ends).map(|(start, end)| end - start);
            let most: u32 = sizes.max().unwrap_or(0);
            for _ in 0..most.div_ceil(8) {
                let mut layer = Layer {
                    first: [0; 2],
                    places: [ABSENT; LANES],
                };
                for half in 0..2 {
                    let first = used;
                    layer.first[half] = first as u32;
                    for lane in 16 * half..16 * half + 16 {
                        // Every lane writes a byte, and it stays if the lane has one: which do
                        // is not for the processor to guess.
                        let left = ends[lane].saturating_sub(starts[lane]);
                        write_byte(&mut self.bytes[used], fitting.diagonals, starts[lane], left);
                        // At most 16 bytes for 16 lanes.
                        layer.places[lane] = if left > 0 {
                            (used - first) as u8
                        } else {
                            ABSENT
                        };
                        starts[lane] += 8;
                        used += usize::from(left > 0);
                    }
                }
                self.layers.push(layer);
            }
            layers[panel + 1..].fill(self.layers.len() as u32);
        }
        let halves = used.div_ceil(32);
        self.bytes[used..32 * halves].fill(NOBODY);
        let rows = self.used;
        self.used += halves.div_ceil(2) * half.diagonals;
        if self.rows.len() < self.used {
            alloc::resize(&mut self.rows, self.used.next_power_of_two(), Row::ZERO)?;
        }
        let needed = half.every_diagonal();
        let mut turned = [[0; 4]; 64];
        let bytes = self.bytes[..32 * halves].as_chunks::<32>().0;
        for (number, masks) in bytes.iter().enumerate() {
            kernel.transpose(masks, needed, &mut turned);
            let start = rows + number / 2 * half.diagonals;
            let to = &mut self.rows[start..start + half.diagonals];
            for (row, bits) in to.iter_mut().zip(&turned) {
                row.0[number % 2] = *bits;
            }
        }
        Ok(Packed {
            rows,
            halves,
            layers,
        })
    }
}

/// Eight masks that fit no queen.
const NOBODY: [u64; 8] = [u64::MAX; 8];

/// Writes the masks of a byte: eight from this place on, if so many are left, and else those
/// of [`NOBODY`] instead of the missing ones.
#[inline(always)]
fn write_byte(byte: &mut [u64; 8], diagonals: &[u64], start: u32, left: u32) {
    const MISSING: [[u64; 8]; 9] = {
        let mut missing = [NOBODY; 9];
        let mut left = 0;
        while left <= 8 {
            let mut place = 0;
            while place < left {
                missing[left][place] = 0;
                place += 1;
            }
            left += 1;
        }
        missing
    };
    let (start, left) = (start as usize, left.min(8) as usize);
    match diagonals.get(start..).and_then(<[u64]>::first_chunk::<8>) {
        Some(eight) => {
            for (place, missing) in MISSING[left].iter().enumerate() {
                byte[place] = eight[place] | missing;
            }
        }
        None => {
            *byte = NOBODY;
            let last = diagonals.get(start..start + left).unwrap_or_default();
            byte[..last.len()].copy_from_slice(last);
        }
    }
}

/// For each pair of squares on a pair of rows, which outer placements both leave: the
/// columns of the pair, four bits each, are the place.
pub(crate) type Table = [Row; 256];

/// Room for a join.
pub(crate) struct Room {
    tables: Box<[Table; 2]>,
    /// What each square of the second row of a pair leaves.
    seconds: Box<[Row; 16]>,
    /// The byte counts of each group, vector by vector.
    bytes: Vec<[u8; 64]>,
}

impl Room {
    pub(crate) fn new() -> Self {
        let tables = vec![[Row::ZERO; 256]; 2].into_boxed_slice();
        Room {
            tables: tables.try_into().expect("two tables"),
            seconds: Box::new([Row::ZERO; 16]),
            bytes: Vec::new(),
        }
    }

    /// Adds, for each row that has walkers and each lane of a strip, the pairs that fit,
    /// of the prefixes at these places, which are here. The counts are those of the strip's
    /// panels.
    pub(crate) fn join<K: Kernel>(
        &mut self,
        kernel: K,
        (walker, counted): (&Walker, &Counted),
        (outer, strips): (&LaneList, &PackedStrips),
        (strip, places): (usize, Range<usize>),
        (counts, height): (&mut [Counts], usize),
        cancel: &Cancel,
    ) -> Result<(), Error> {
        if walker.rows.is_empty() {
            return one_for_each(counted, outer, strip, counts, height);
        }
        let Some(prefixes) = &strips.prefixes else {
            return Ok(());
        };
        let all = prefixes.as_slice();
        let first = strip * all.len();
        let mut place = places.start;
        let mut start = 0;
        for &(prefix, end) in &counted.prefixes {
            let groups = &counted.groups[start as usize..end as usize];
            start = end;
            // Both lists of prefixes rise, and every prefix of the walker is possible.
            while place < places.end && all[place] < prefix {
                place += 1;
            }
            if place == places.end {
                break;
            }
            if all[place] > prefix {
                continue;
            }
            let packed = &strips.packed[first + place - strips.here.start];
            if groups.is_empty() || packed.halves == 0 {
                continue;
            }
            if cancel.is_cancelled() {
                return Err(Error::Interrupted);
            }
            let vectors = packed.halves.div_ceil(2);
            let layers = packed.layers.map(|layer| layer as usize);
            let panels: [&[Layer]; MOST_PANELS] =
                std::array::from_fn(|panel| &strips.layers[layers[panel]..layers[panel + 1]]);
            let visit = Visit {
                half: &walker.half,
                rows: &walker.rows,
                free: free(walker, prefix),
                bits: &strips.rows[packed.rows..][..vectors * walker.half.diagonals],
                vectors,
                has_half: packed.halves % 2 == 1,
                layers: &panels[..outer.panels_of(strip).len()],
                paths: &walker.paths,
                groups,
                height,
            };
            // One more, so that the last bytes can be loaded by a shuffle.
            let bytes = groups.len() * vectors + 1;
            if self.bytes.len() < bytes {
                alloc::resize(&mut self.bytes, bytes.next_power_of_two(), [0; 64])?;
            }
            kernel.visit_packed(&visit, self, counts);
        }
        Ok(())
    }
}

/// The squares below a prefix that it neither attacks nor shares a column with: a set of
/// columns for each row.
fn free(walker: &Walker, prefix: Prefix) -> [u32; TABLED] {
    let half = &walker.half;
    let depth = walker.prefix_rows.len();
    let (mut used, mut taken) = (0, 0);
    for (queen, &row) in walker.prefix_rows.iter().enumerate() {
        let column = prefix >> (4 * (depth - 1 - queen)) & 15;
        used |= 1 << column;
        taken |= half.diagonals(row.into(), column);
    }
    let mut free = [0; TABLED];
    for (free, &row) in free.iter_mut().zip(&walker.rows) {
        *free = half.squares(row.into()) & !used & !half.attacked(row.into(), taken);
    }
    free
}

/// The empty placement fits everything, even the masks that pad a byte: each group has one
/// walker, and each outer placement counts. There is at most one outer queen then, so that a
/// lane has one placement.
fn one_for_each(
    counted: &Counted,
    outer: &LaneList,
    strip: usize,
    counts: &mut [Counts],
    height: usize,
) -> Result<(), Error> {
    let lanes = outer.lanes_of(strip);
    let end = counted.prefixes.last().map_or(0, |&(_, end)| end as usize);
    for group in &counted.groups[..end] {
        for lane in lanes.clone() {
            let row = (lane - lanes.start) / LANES * height + usize::from(group.row);
            let size = u16::try_from(outer.size(lane)).map_err(|_| TooMany)?;
            counts[row].0[lane % LANES] = size;
        }
    }
    Ok(())
}

/// All walkers of a prefix, on their way over what fits it.
pub(crate) struct Visit<'a> {
    half: &'a HalfBoard,
    /// The rows below the prefix, and the columns that are free on each.
    rows: &'a [u8],
    free: [u32; TABLED],
    /// The row of each diagonal, vector by vector.
    bits: &'a [Row],
    vectors: usize,
    /// Whether only the lower half of the last vector is in use.
    has_half: bool,
    /// The layers of each panel.
    layers: &'a [&'a [Layer]],
    paths: &'a [u16],
    groups: &'a [Group],
    /// How many rows of counts each panel has.
    height: usize,
}

/// Adds what fits the walkers of a prefix to the counts.
#[inline(always)]
pub(crate) fn visit<V: Vector, W: Wide<Proof = V::Proof>>(
    proof: V::Proof,
    visit: &Visit,
    room: &mut Room,
    counts: &mut [Counts],
) {
    for vector in 0..visit.vectors {
        if visit.has_half && vector + 1 == visit.vectors {
            pass::<[V; 1]>(proof, visit, vector, room);
        } else {
            pass::<W>(proof, visit, vector, room);
        }
    }
    unpack::<V>(proof, visit, &room.bytes, counts);
}

/// Counts what fits the walkers in each byte of a vector.
#[inline(always)]
fn pass<W: Wide>(proof: W::Proof, visit: &Visit, vector: usize, room: &mut Room) {
    let Room {
        tables,
        seconds,
        bytes,
    } = room;
    let diagonals = visit.half.diagonals;
    let bits = &visit.bits[vector * diagonals..][..diagonals];
    let rows = visit.rows.chunks(2).chain([&[][..]]);
    for (pair, (table, rows)) in tables.iter_mut().zip(rows).enumerate() {
        let free = [visit.free[2 * pair], visit.free[2 * pair + 1]];
        fill::<W>(proof, table, seconds, visit.half, (rows, free), bits);
    }
    let to = bytes[vector..].iter_mut().step_by(visit.vectors);
    walk::<W>(proof, tables, visit, to);
}

/// Tables what a pair of queens on these rows, none, one or two, leaves of a vector.
#[inline(always)]
fn fill<W: Wide>(
    proof: W::Proof,
    table: &mut Table,
    seconds: &mut [Row; 16],
    half: &HalfBoard,
    (rows, free): (&[u8], [u32; 2]),
    bits: &[Row],
) {
    let everyone = W::ones(proof);
    let Some(&row) = rows.first() else {
        return everyone.store(&mut table[0]);
    };
    let second_free = match rows.get(1) {
        None => {
            everyone.store(&mut seconds[0]);
            1
        }
        Some(&row) => {
            for column in Columns(free[1]) {
                let left = everyone.without(blocked(proof, half, (row, column), bits));
                left.store(&mut seconds[column as usize % 16]);
            }
            free[1]
        }
    };
    for column in Columns(free[0]) {
        let first = blocked::<W>(proof, half, (row, column), bits);
        // Also the pairs that attack each other: as often for every first column, which the
        // processor can guess.
        for second in Columns(second_free) {
            let left = W::load(proof, &seconds[second as usize % 16]).without(first);
            left.store(&mut table[(column | second << 4) as usize % 256]);
        }
    }
}

/// What a queen on a square rules out of a vector.
#[inline(always)]
fn blocked<W: Wide>(
    proof: W::Proof,
    half: &HalfBoard,
    (row, column): (u8, u32),
    bits: &[Row],
) -> W {
    let sum = &bits[half.sum_bit(row.into(), column) as usize];
    let difference = &bits[half.difference_bit(row.into(), column) as usize];
    W::load(proof, sum).or(W::load(proof, difference))
}

/// The members of a set, lowest first.
#[derive(Clone, Copy)]
struct Columns(u32);

impl Iterator for Columns {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        let column = self.0.trailing_zeros();
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            column
        })
    }
}

/// Counts, for each group and each byte of a vector, what fits its walkers.
#[inline(always)]
fn walk<'b, W: Wide>(
    proof: W::Proof,
    [first, second]: &[Table; 2],
    visit: &Visit,
    bytes: impl Iterator<Item = &'b mut [u8; 64]>,
) {
    for (group, bytes) in visit.groups.iter().zip(bytes) {
        let walkers = &visit.paths[group.start as usize..][..usize::from(group.len)];
        // At most 24 walkers of 8.
        let mut sum = W::zero(proof);
        for &path in walkers {
            let [low, high] = path.to_le_bytes();
            let a = W::load(proof, &first[usize::from(low)]);
            let b = W::load(proof, &second[usize::from(high)]);
            sum = sum.add_bytes(a.and(b).ones_per_byte());
        }
        sum.store_bytes(bytes);
    }
}

/// Adds the byte counts of each group to the counts of its row, lane by lane.
#[inline(always)]
fn unpack<V: Vector>(proof: V::Proof, visit: &Visit, bytes: &[[u8; 64]], counts: &mut [Counts]) {
    let bytes = bytes.as_flattened();
    let most = visit.layers.iter().map(|layers| layers.len()).max();
    let most = most.unwrap_or(0);
    for (number, group) in visit.groups.iter().enumerate() {
        let bytes = &bytes[64 * visit.vectors * number..][..64 * visit.vectors + 16];
        let layer = |layer: &Layer| {
            let load =
                |first: u32| -> &[u8; 16] { bytes[first as usize..][..16].try_into().expect("16") };
            let [low, high] = layer.first.map(load);
            V::spread(proof, low, high, &layer.places)
        };
        // Whether the layers can be added up as bytes.
        let is_small = usize::from(group.len) * 8 * most <= 255;
        for (panel, layers) in visit.layers.iter().enumerate() {
            let Some((lowest, others)) = layers.split_first() else {
                continue;
            };
            let counts = &mut counts[panel * visit.height + usize::from(group.row)];
            let (low, high) = counts.halves_mut();
            let (mut low_sum, mut high_sum) =
                (V::load_counts(proof, low), V::load_counts(proof, high));
            let mut bytes = layer(lowest);
            for other in others {
                if is_small {
                    bytes = bytes.add_bytes(layer(other));
                } else {
                    let (low, high) = bytes.widen();
                    low_sum = low_sum.add_saturating(low);
                    high_sum = high_sum.add_saturating(high);
                    bytes = layer(other);
                }
            }
            let (low_bytes, high_bytes) = bytes.widen();
            low_sum.add_saturating(low_bytes).store_counts(low);
            high_sum.add_saturating(high_bytes).store_counts(high);
        }
    }
}
