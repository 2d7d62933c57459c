//! Packed strips: what is left of the outer list by each prefix, as rows of bits. The
//! picture is in [the module above](super).

use std::ops::Range;

use super::{MOST_PANELS, lanes::LaneList, walker::Walker};
use crate::{
    engine::{
        alloc,
        colours::{
            half::HalfBoard,
            join::{
                counts::LANES,
                kernel::{Kernel, Row},
                prefixes::{OuterSlice, Prefixes},
            },
        },
    },
    error::Error,
};

/// Where the bytes of a layer are, for the 32 lanes of a panel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layer {
    /// The first byte of the lower and of the upper 16 lanes.
    pub(super) first: [u32; 2],
    /// The place of each lane's byte from there on, or [`ABSENT`].
    pub(super) places: [u8; LANES],
}

impl Layer {
    /// Moves where its lanes are loaded from, 16 bytes each, so that these end here at the latest.
    fn end_by(&mut self, end: u32) {
        for (first, places) in self.first.iter_mut().zip(self.places.chunks_mut(16)) {
            let ahead = (*first + 16).saturating_sub(end);
            *first -= ahead;
            for place in places.iter_mut().filter(|place| **place != ABSENT) {
                // Below 16 still: the byte is before the end.
                *place += ahead as u8;
            }
        }
    }
}

/// The place of a byte that a lane does not have: one that a shuffle answers with 0.
const ABSENT: u8 = 0x80;

/// The part of a strip that fits a prefix, packed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packed {
    /// Where its rows of bits start, vector by vector, and how many half vectors there are.
    pub(super) rows: usize,
    pub(super) halves: usize,
    /// Where the layers of its panels start, and the end.
    pub(super) layers: [u32; MOST_PANELS + 1],
}

/// An outer list packed for every prefix, strip by strip, as much of it as its room allows.
#[derive(Debug, Default)]
pub(crate) struct PackedStrips {
    pub(super) prefixes: Option<Prefixes>,
    /// Which pairs of a strip and a prefix are here, by strip × prefixes + prefix, and of
    /// how many.
    pub(super) here: Range<usize>,
    all: usize,
    /// What each of them is packed to.
    pub(super) packed: Vec<Packed>,
    /// The row of each diagonal, vector by vector, and how many are in use.
    pub(super) rows: Vec<Row>,
    used: usize,
    pub(super) layers: Vec<Layer>,
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
        // The last ones are loaded from a little further ahead, so as not to pass the end.
        for layer in &mut self.layers[layers[0] as usize..] {
            layer.end_by(64 * halves.div_ceil(2) as u32);
        }
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
