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
//! shuffle each. There they are added to the counts of the group's column set or, if the other
//! colour's are known, multiplied by these.

mod lanes;
mod strips;
mod unpack;
mod visit;
mod walker;

use std::ops::Range;

use super::{
    counts::{LANES, TooMany},
    kernel::{Kernel, Row},
};
use crate::{engine::alloc, error::Error, threads::Cancel};
pub(crate) use lanes::{LaneList, strips};
use strips::Layer;
pub(crate) use strips::PackedStrips;
use visit::Table;
pub(crate) use visit::{Target, Visit, visit};
pub(crate) use walker::{Counted, Walker};

/// How many panels are packed together, at most: the more, the fuller the last vector.
const MOST_PANELS: usize = 8;
/// How many queens of a walker are tabled.
const TABLED: usize = 4;

/// How many queens of an inner placement are its prefix.
pub(crate) fn depth(queens: usize) -> usize {
    queens.saturating_sub(TABLED)
}

/// The row of a key that is not counted: there are at most 12,870 rows.
pub(crate) const NO_ROW: u16 = u16::MAX;

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

    /// Counts, for each row that has walkers and each lane of a strip, the pairs that fit,
    /// of the prefixes at these places, which are here. The target is that of the strip's
    /// panels, with so many rows each.
    pub(crate) fn join<K: Kernel>(
        &mut self,
        kernel: K,
        (walker, counted): (&Walker, &Counted),
        (outer, strips): (&LaneList, &PackedStrips),
        (strip, places): (usize, Range<usize>),
        (mut target, height): (Target, usize),
        cancel: &Cancel,
    ) -> Result<(), Error> {
        if walker.rows.is_empty() {
            return one_for_each(counted, outer, strip, target, height);
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
                free: walker.free(prefix),
                bits: &strips.rows[packed.rows..][..vectors * walker.half.diagonals],
                vectors,
                has_half: packed.halves % 2 == 1,
                layers: &panels[..outer.panels_of(strip).len()],
                paths: &walker.paths,
                groups,
                height,
            };
            let bytes = groups.len() * vectors;
            if self.bytes.len() < bytes {
                alloc::resize(&mut self.bytes, bytes.next_power_of_two(), [0; 64])?;
            }
            kernel.visit_packed(&visit, self, target.again());
        }
        Ok(())
    }
}

/// The empty placement fits everything, even the masks that pad a byte: each group has one
/// walker, and each outer placement counts. There is at most one outer queen then, so that a
/// lane has one placement.
fn one_for_each(
    counted: &Counted,
    outer: &LaneList,
    strip: usize,
    mut target: Target,
    height: usize,
) -> Result<(), Error> {
    let lanes = outer.lanes_of(strip);
    let end = counted.prefixes.last().map_or(0, |&(_, end)| end as usize);
    for group in &counted.groups[..end] {
        for lane in lanes.clone() {
            let row = (lane - lanes.start) / LANES * height + usize::from(group.row);
            let size = u16::try_from(outer.size(lane)).map_err(|_| TooMany)?;
            match &mut target {
                Target::Counts(counts) => counts[row].0[lane % LANES] = size,
                Target::Factors(factors, sum) => {
                    **sum += u128::from(size) * u128::from(factors[row].0[lane % LANES]);
                }
            }
        }
    }
    Ok(())
}
