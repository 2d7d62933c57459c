//! The pairs that fit, and what they add: each the other colour's count for its two column
//! sets.

use super::{Aligned, VECTORS};
use crate::engine::colours::join::kernel::Bits;

/// The other colour's counts, times their weights: a row for each inner key, which begins with
/// the 0 of no hit, and then has a column for each outer key.
#[derive(Debug, Default)]
pub(crate) struct Factors {
    pub(crate) counts: Vec<u16>,
    /// The length of a row.
    pub(crate) stride: usize,
}

/// The columns of a row of factors that belong to the placements of a word, and behind them
/// that of no placement: the number of trailing zeros of a word leads to it when no bit is
/// left, so that one may look up more than there are.
pub(super) type WordColumns = [u16; 65];

/// Leaves with hits, not yet looked up. They wait for those of many chunks, so that the
/// rounds below are long: where a round ends is what the processor cannot guess.
#[derive(Debug)]
pub(super) struct Hits {
    /// What is alive at each leaf, and how much of that is in use.
    pub(super) alive: Box<Aligned<[Bits; Hits::ROOM]>>,
    pub(super) used: usize,
    pub(super) leaves: Box<[Leaf; Hits::ROOM]>,
    pub(super) len: usize,
}

/// A leaf with hits, in one number. From the lowest bits on: which of its words have hits,
/// 16 bits; its first vector, 9; its key, 14; and the first word of its chunk, 25. All fit: a
/// leaf has at most 16 words, fewer than 512 vectors wait, there are at most 12,870 keys, and
/// chunks with 2²⁵ words of placements would take more than 2³³ bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf(u64);

impl Leaf {
    /// A leaf of this chunk, without words and key.
    #[inline(always)]
    pub(super) fn new(vector: usize, chunk: usize) -> Self {
        assert!(vector < 1 << 9 && chunk < 1 << 25);
        Leaf((vector as u64) << 16 | (chunk as u64) << 39)
    }

    #[inline(always)]
    pub(super) fn with(self, words: u32, key: u16) -> Self {
        Leaf(self.0 | u64::from(words) | u64::from(key) << 25)
    }

    /// The leaf so many vectors further on.
    #[inline(always)]
    pub(super) fn after(self, vectors: usize) -> Self {
        Leaf(self.0 + ((vectors as u64) << 16))
    }

    #[inline(always)]
    fn vector(self) -> usize {
        (self.0 >> 16) as usize % Hits::ROOM
    }

    #[inline(always)]
    fn key(self) -> usize {
        (self.0 >> 25) as usize % (1 << 14)
    }

    #[inline(always)]
    fn chunk(self) -> usize {
        (self.0 >> 39) as usize
    }
}

impl Hits {
    /// The vectors of all leaves that wait: a small part of the nearest cache. A power of two,
    /// so that a masked index needs no check.
    pub(super) const ROOM: usize = 128;
    /// How many hits of a word are looked up at once, as if there were so many: more are rare.
    const TOGETHER: usize = 3;

    pub(super) fn new() -> Self {
        const { assert!(4 * VECTORS <= 16 && Hits::ROOM <= 1 << 9) };
        Hits {
            alive: Box::new(Aligned([[0; 4]; Hits::ROOM])),
            used: 0,
            leaves: Box::new([Leaf(0); Hits::ROOM]),
            len: 0,
        }
    }

    /// Forgets what waits.
    pub(super) fn clear(&mut self) {
        (self.used, self.len) = (0, 0);
    }

    /// The sum of the factors of all hits. Each round takes one word of every leaf, so
    /// that no branch depends on how many words there are, and few on how many hits.
    ///
    /// A factor has 15 bits, and there are at most 2¹⁵ hits.
    #[inline(always)]
    pub(super) fn look_up(&mut self, words: &[WordColumns], factors: &Factors) -> u64 {
        let alive = self.alive.0.as_flattened();
        let (counts, stride) = (factors.counts.as_slice(), factors.stride);
        let mut sum = 0;
        let mut left = self.len;
        while left > 0 {
            let mut kept = 0;
            for index in 0..left.min(Hits::ROOM) {
                let leaf = self.leaves[index];
                let word = leaf.0.trailing_zeros() as usize;
                let columns = &words[leaf.chunk() + word];
                let row = leaf.key() * stride;
                let mut bits = alive[(4 * leaf.vector() + word) % alive.len()];
                loop {
                    for _ in 0..Hits::TOGETHER {
                        let column = columns[bits.trailing_zeros() as usize];
                        sum += u64::from(counts[row + usize::from(column)]);
                        bits &= bits.wrapping_sub(1);
                    }
                    if bits == 0 {
                        break;
                    }
                }
                let rest = leaf.0 & leaf.0.wrapping_sub(1);
                self.leaves[kept % Hits::ROOM] = Leaf(rest);
                kept += usize::from(rest as u16 != 0);
            }
            left = kept;
        }
        self.clear();
        sum
    }
}
