//! The numbers that a join makes: for each pair of column sets, how many pairs of
//! placements fit, and what becomes of them.
//!
//! A *panel* has 32 lanes, one for each of 32 outer column sets, and a row for each inner
//! one. The lanes of one colour are the rows of the other, so that their products meet
//! tile by tile, 32 × 32, one of the two turned.
//!
//! Widths: counts are 16-bit sums that saturate, so that a count of 32,768 or more cannot
//! hide; whoever uses the counts refuses it ([`TooMany`]), and the task is counted again
//! in slices that are small enough.

use crate::engine::{alloc, colours::join::kernel::Vector};
use crate::error::Error;

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

    pub(crate) fn halves_mut(&mut self) -> (&mut [u16; 16], &mut [u16; 16]) {
        let (low, high) = self.0.split_at_mut(16);
        (low.try_into().expect("16"), high.try_into().expect("16"))
    }
}

/// 32 rows × 32 lanes.
pub(crate) type Tile = [Counts; LANES];

/// The counts of a join: panel by panel, a row of 32 lanes for each inner column set.
#[derive(Debug, Default)]
pub(crate) struct Panels {
    counts: Vec<Counts>,
    /// The number of rows, rounded up to whole tiles.
    height: usize,
}

impl Panels {
    /// Makes room for these panels and rows, all zero.
    pub(crate) fn start(&mut self, panels: usize, rows: usize) -> Result<(), Error> {
        self.height = rows.next_multiple_of(LANES);
        self.counts.clear();
        alloc::resize(&mut self.counts, panels * self.height, Counts::ZERO)
    }

    /// The rows of some neighbouring panels, panel by panel.
    pub(crate) fn rows(&mut self, panels: std::ops::Range<usize>) -> &mut [Counts] {
        &mut self.counts[panels.start * self.height..panels.end * self.height]
    }

    /// The number of rows of each panel.
    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// The count of a row and a lane.
    pub(crate) fn count(&self, row: usize, lane: usize) -> u16 {
        self.counts[lane / LANES * self.height + row].0[lane % LANES]
    }

    /// The rows from 32·tile on, of one panel.
    pub(crate) fn tile(&self, panel: usize, tile: usize) -> &Tile {
        let start = panel * self.height + tile * LANES;
        let counts = &self.counts[start..start + LANES];
        counts.try_into().expect("a tile is 32 rows high")
    }
}

/// A count has more bits than may be multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMany;

impl From<TooMany> for Error {
    fn from(_: TooMany) -> Self {
        Error::Overflow("a pair of column sets has too many placements, however they are divided")
    }
}

/// How many bits a count may have where two are multiplied; where it is multiplied by a
/// weight of at most 4, one less.
pub(crate) const COUNT_BITS: u32 = 15;

/// Σ over rows of weight × Σ over lanes of a × b, and the bits that occur in the counts.
/// The sum is right if there are no more than [`COUNT_BITS`].
///
/// Products of 15-bit numbers are below 2³⁰, 32 of them below 2³⁵; with 32 rows and
/// weights of at most 4 the sum is below 2⁴². A strip has at most 2 × 403 tiles, so that
/// their sum is below 2⁵².
#[inline(always)]
pub(crate) fn dot<V: Vector>(
    proof: V::Proof,
    a: &Tile,
    b: &Tile,
    weights: &[u32; LANES],
) -> (u64, u16) {
    let mut sum = 0;
    let mut seen = V::zero(proof);
    for ((a, b), &weight) in a.iter().zip(b).zip(weights) {
        let (a, b) = (a.halves(), b.halves());
        let (a0, a1) = (V::load_counts(proof, a.0), V::load_counts(proof, a.1));
        let (b0, b1) = (V::load_counts(proof, b.0), V::load_counts(proof, b.1));
        seen = seen.or(a0.or(a1)).or(b0.or(b1));
        sum += u64::from(weight) * V::dot((a0, a1), (b0, b1));
    }
    let mut all = [0; 16];
    seen.store_counts(&mut all);
    (sum, all.into_iter().fold(0, |all, seen| all | seen))
}

/// Multiplies each count by the smaller of the weights of its row and its lane, and
/// returns the bits that occur in the counts: below 2¹⁴ no product, with a weight of
/// at most 4, was cut.
#[inline(always)]
pub(crate) fn weigh(tile: &mut Tile, rows: &[u16; LANES], lanes: &[u16; LANES]) -> u16 {
    let mut seen = [0; LANES];
    for (counts, &row) in tile.iter_mut().zip(rows) {
        for ((count, &lane), seen) in counts.0.iter_mut().zip(lanes).zip(&mut seen) {
            *seen |= *count;
            *count = count.wrapping_mul(row.min(lane));
        }
    }
    seen.iter().fold(0, |all, seen| all | seen)
}
