//! The pairs that fit, and what they add: each the other colour's count for its two column
//! sets.

use super::{Aligned, VECTORS};
use crate::engine::colours::join::kernel::Bits;

/// The other colour's counts, times their weights, by inner key and outer key.
#[derive(Debug, Default)]
pub(crate) struct Factors {
    pub(crate) counts: Vec<u16>,
    /// The number of outer keys, rounded up to whole tiles.
    pub(crate) stride: usize,
}

/// Leaves with hits, not yet looked up. They wait for those of many chunks, so that the
/// rounds below are long: where a round ends is what the processor cannot guess.
#[derive(Debug)]
pub(super) struct Hits {
    /// What is alive at each leaf, ...
    pub(super) alive: Box<Aligned<[Bits; Hits::ROOM]>>,
    /// ... and how much of that is in use.
    pub(super) used: usize,
    /// The leaves with hits: from the lowest bits on, 16 bits each, which of its words
    /// have hits, its first vector, its key, and the number of the chunk. All fit: a leaf
    /// has at most 16 words; there are at most 12,870 keys; and a chunk that waits has at
    /// least one of the vectors.
    pub(super) leaves: Box<[u64; Hits::ROOM]>,
    pub(super) len: usize,
    /// Where the keys of each chunk start.
    pub(super) chunks: Vec<u32>,
    /// Where the key of a hit is (the lower half) and the factors of its leaf start. Both
    /// are below 2³²: a list of chunks is looked up as a whole, and holds far fewer than
    /// 2³² placements; the factors are at most 12,870².
    places: Box<[u64; Hits::PLACES]>,
}

impl Hits {
    /// The vectors of all leaves that wait: half of the nearest cache. A power of two,
    /// so that a masked index needs no check.
    pub(super) const ROOM: usize = 512;
    /// The hits that are looked up together, ...
    const PLACES: usize = 1024;
    /// ... as soon as those of one more word, in fours, might not fit.
    const FULL: usize = Hits::PLACES - 64;

    pub(super) fn new() -> Self {
        const { assert!(4 * VECTORS <= 16 && Hits::ROOM < 1 << 16) };
        Hits {
            alive: Box::new(Aligned([[0; 4]; Hits::ROOM])),
            used: 0,
            leaves: Box::new([0; Hits::ROOM]),
            len: 0,
            chunks: Vec::new(),
            places: Box::new([0; Hits::PLACES]),
        }
    }

    /// Forgets what waits.
    pub(super) fn clear(&mut self) {
        (self.used, self.len) = (0, 0);
        self.chunks.clear();
    }

    /// The sum of the factors of all hits. Each round takes one word of every leaf, so
    /// that no branch depends on how many words there are, and few on how many hits.
    #[inline(always)]
    pub(super) fn look_up(&mut self, keys: &[u16], factors: &Factors) -> u64 {
        let alive = self.alive.0.as_flattened();
        let (mut sum, mut found) = (0, 0);
        let mut left = self.len;
        while left > 0 {
            let mut kept = 0;
            for index in 0..left.min(Hits::ROOM) {
                let leaf = self.leaves[index];
                let word = leaf.trailing_zeros();
                let [_, vector, key, chunk] = [0, 16, 32, 48].map(|bit| (leaf >> bit) as u16);
                let first = self.chunks[usize::from(chunk)] + 64 * word;
                let row = usize::from(key) * factors.stride;
                let start = (row as u64) << 32 | u64::from(first);
                let mut bits = alive[(4 * usize::from(vector) + word as usize) % alive.len()];
                let mut next = found;
                found += bits.count_ones() as usize;
                // Four places at once, as if there were so many hits: more are rare.
                loop {
                    let (places, _) = self.places[next..]
                        .split_first_chunk_mut::<4>()
                        .expect("room");
                    for place in places {
                        *place = start + u64::from(bits.trailing_zeros());
                        bits &= bits.wrapping_sub(1);
                    }
                    if bits == 0 {
                        break;
                    }
                    next += 4;
                }
                if found > Hits::FULL {
                    sum += total(&self.places[..found], keys, factors);
                    found = 0;
                }
                let rest = leaf & leaf.wrapping_sub(1);
                self.leaves[kept % Hits::ROOM] = rest;
                kept += usize::from(rest as u16 != 0);
            }
            left = kept;
        }
        sum += total(&self.places[..found], keys, factors);
        self.clear();
        sum
    }
}

/// The sum of the factors of these hits.
#[inline(always)]
fn total(places: &[u64], keys: &[u16], factors: &Factors) -> u64 {
    let factor = |&place: &u64| {
        let key = keys[place as u32 as usize];
        u64::from(factors.counts[(place >> 32) as usize + usize::from(key)])
    };
    places.iter().map(factor).sum()
}
