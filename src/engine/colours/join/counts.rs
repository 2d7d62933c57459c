//! The numbers that a join makes: for each pair of column sets, how many pairs of
//! placements fit, and what becomes of them.
//!
//! A *panel* has 32 lanes, one for each of 32 outer column sets, and a row for each inner
//! one. The lanes of one colour are the rows of the other, so that their products meet
//! tile by tile, 32 × 32, one of the two turned.
//!
//! The counts of the first colour become factors of the second colour's ([`weigh`]), which are
//! kept nowhere.
//!
//! Widths: counts are 16-bit sums that saturate, so that one that is too large to be a factor
//! cannot hide; it is refused ([`TooMany`]), and the task is counted again in slices that are
//! small enough.

use crate::{engine::alloc, error::Error};

/// The number of outer column sets that are counted together.
pub(crate) const LANES: usize = 32;

/// The count of each lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Counts(pub(crate) [u16; LANES]);

impl Counts {
    pub(crate) const ZERO: Counts = Counts([0; LANES]);

    pub(crate) fn halves(&self) -> (&[u16; 16], &[u16; 16]) {
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
        self.counts.clear();
        self.shape(panels, rows)
    }

    /// Makes room for these panels and rows, which hold whatever they held before.
    pub(crate) fn shape(&mut self, panels: usize, rows: usize) -> Result<(), Error> {
        self.height = rows.next_multiple_of(LANES);
        let len = panels * self.height;
        if self.counts.len() < len {
            alloc::resize(&mut self.counts, len, Counts::ZERO)?;
        }
        Ok(())
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
    #[cfg(test)]
    pub(crate) fn count(&self, row: usize, lane: usize) -> u16 {
        self.counts[lane / LANES * self.height + row].0[lane % LANES]
    }

    /// The rows from 32·tile on, of one panel.
    pub(crate) fn tile(&self, panel: usize, tile: usize) -> &Tile {
        let start = panel * self.height + tile * LANES;
        let counts = &self.counts[start..start + LANES];
        counts.try_into().expect("a tile is 32 rows high")
    }

    /// The same, to be written.
    pub(crate) fn tile_mut(&mut self, panel: usize, tile: usize) -> &mut Tile {
        let start = panel * self.height + tile * LANES;
        let counts = &mut self.counts[start..start + LANES];
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

/// How many bits a factor may have: it is multiplied by a byte as a signed number of 16 bits.
pub(crate) const FACTOR_BITS: u32 = 15;

/// Makes counts factors: multiplies each by the smaller of the weights of its row and its lane,
/// which are at most 4. Returns the bits that occur in the products and in the doubled counts:
/// if there are no more than [`FACTOR_BITS`], no count has more than 14, and no product was cut.
#[inline(always)]
pub(crate) fn weigh(tile: &mut Tile, rows: &[u16; LANES], lanes: &[u16; LANES]) -> u16 {
    let mut seen = [0; LANES];
    for (counts, &row) in tile.iter_mut().zip(rows) {
        for ((count, &lane), seen) in counts.0.iter_mut().zip(lanes).zip(&mut seen) {
            let product = count.wrapping_mul(row.min(lane));
            // With the count itself, whose highest bit is lost when it is doubled.
            *seen |= product | *count | *count << 1;
            *count = product;
        }
    }
    seen.iter().fold(0, |all, seen| all | seen)
}
