//! The pairs that fit, and what they add: each the other colour's count for its two column
//! sets.

use super::{Aligned, VECTORS};
use crate::engine::colours::join::kernel::Bits;

/// The other colour's counts, times their weights: a row for each inner key, with a column for
/// each outer key.
#[derive(Debug, Default)]
pub(crate) struct Factors {
    pub(crate) counts: Vec<u16>,
    /// The length of a row.
    pub(crate) stride: usize,
}

/// The columns of a row of factors that belong to the placements of a word.
pub(super) type WordColumns = [u16; 64];

/// Leaves with hits, not yet looked up. They wait for those of many chunks, so that the
/// rounds below are long: where a round ends is what the processor cannot guess.
#[derive(Debug)]
pub(super) struct Hits {
    /// What is alive at each leaf, and how much of that is in use.
    pub(super) alive: Box<Aligned<[Bits; Hits::ROOM]>>,
    pub(super) used: usize,
    pub(super) leaves: Box<[Leaf; Hits::ROOM]>,
    pub(super) len: usize,
    /// Words with further hits.
    words: Box<[Word; Hits::WORDS]>,
    /// Where the factor of each hit is.
    places: Box<[u32; Hits::PLACES]>,
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

/// A word of a leaf with hits: those that have not been looked at, where the row of factors of
/// its key begins, and which word of all chunks it is.
#[derive(Debug, Clone, Copy, Default)]
struct Word {
    hits: u64,
    row: u32,
    columns: u32,
}

impl Hits {
    /// The vectors of all leaves that wait: a part of the nearest cache. Powers of two, these
    /// three, so that a masked index needs no check.
    pub(super) const ROOM: usize = 512;
    /// Their words, and as many hits as there could be.
    const WORDS: usize = 4 * Hits::ROOM;
    const PLACES: usize = 64 * Hits::WORDS;

    pub(super) fn new() -> Self {
        const { assert!(4 * VECTORS <= 16 && Hits::ROOM <= 1 << 9) };
        Hits {
            alive: Box::new(Aligned([[0; 4]; Hits::ROOM])),
            used: 0,
            leaves: Box::new([Leaf(0); Hits::ROOM]),
            len: 0,
            words: Box::new([Word::default(); Hits::WORDS]),
            // Written to from the start, so that the system gives memory for what is needed.
            places: vec![0; Hits::PLACES].try_into().expect("as many"),
        }
    }

    /// Forgets what waits.
    pub(super) fn clear(&mut self) {
        (self.used, self.len) = (0, 0);
    }

    /// The sum of the factors of all hits. Each round takes one hit of every word that has
    /// one left, so that no branch depends on how many words a leaf has, or hits a word, but the
    /// end of a round. Where factors are is found before any is read: many are far away,
    /// and a processor waits for all of them together.
    ///
    /// A factor has 15 bits, and there are at most 2¹⁷ hits.
    #[inline(always)]
    pub(super) fn look_up(&mut self, columns: &[WordColumns], factors: &Factors) -> u64 {
        let alive = self.alive.0.as_flattened();
        let (mut found, mut further) = (0, 0);
        let mut left = self.len;
        while left > 0 {
            let mut kept = 0;
            for index in 0..left.min(Hits::ROOM) {
                let leaf = self.leaves[index];
                let place = leaf.0.trailing_zeros() as usize;
                let word = Word {
                    hits: alive[(4 * leaf.vector() + place) % alive.len()],
                    row: (leaf.key() * factors.stride) as u32,
                    columns: (leaf.chunk() + place) as u32,
                };
                self.places[found % Hits::PLACES] = word.place(columns);
                found += 1;
                self.words[further % Hits::WORDS] = word.rest();
                further += usize::from(word.rest().hits != 0);
                let rest = leaf.0 & leaf.0.wrapping_sub(1);
                self.leaves[kept % Hits::ROOM] = Leaf(rest);
                kept += usize::from(rest as u16 != 0);
            }
            left = kept;
        }
        while further > 0 {
            let mut kept = 0;
            for index in 0..further.min(Hits::WORDS) {
                let word = self.words[index];
                self.places[found % Hits::PLACES] = word.place(columns);
                found += 1;
                self.words[kept % Hits::WORDS] = word.rest();
                kept += usize::from(word.rest().hits != 0);
            }
            further = kept;
        }
        self.clear();
        let places = &self.places[..found];
        let factor = |&place: &u32| u64::from(factors.counts[place as usize]);
        places.iter().map(factor).sum()
    }
}

impl Word {
    /// Where the factor of its first hit is. That fits: there are fewer than 2³² factors, by at
    /// most 12,870 keys of either kind.
    #[inline(always)]
    fn place(self, columns: &[WordColumns]) -> u32 {
        let hit = self.hits.trailing_zeros() as usize % 64;
        self.row + u32::from(columns[self.columns as usize][hit])
    }

    /// The same without its first hit.
    #[inline(always)]
    fn rest(self) -> Self {
        let hits = self.hits & self.hits.wrapping_sub(1);
        Word { hits, ..self }
    }
}
