//! The outer list of a staged trie: what fits each prefix, in chunks of bits.

use std::ops::Range;

use super::{
    VECTORS,
    hits::WordColumns,
    squares::{MOST_SQUARES, Squares},
    tree::Trie,
    vectors::Vectors,
};
use crate::{
    engine::{
        alloc,
        colours::{
            half::HalfBoard,
            join::{
                kernel::{Bits, Kernel},
                prefixes::{Outer, OuterSlice, Prefixes},
            },
        },
    },
    error::Error,
};

/// The most outer placements in a chunk.
const CHUNK: usize = 256 * VECTORS;

/// The part of an outer list that fits every prefix on given rows, in chunks, for as
/// many prefixes as their room allows.
#[derive(Default)]
pub(crate) struct Chunks {
    pub(super) prefixes: Option<Prefixes>,
    /// Which of them are here.
    pub(super) here: Range<usize>,
    /// The chunks of each prefix that is here.
    pub(super) first: Vec<u32>,
    pub(super) chunks: Vec<Chunk>,
    /// The diagonals of each square that the last prefix leaves.
    squares: Vec<[u8; 2]>,
    /// The row of each square that its prefix leaves, chunk by chunk, and how much of that is in
    /// use.
    pub(super) bits: Vectors,
    used: usize,
    /// The columns of factors that belong to its placements, word by word, chunk by chunk.
    pub(super) words: Vec<WordColumns>,
}

/// Up to 1024 outer placements that fit a prefix.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk {
    /// How many placements.
    pub(super) size: usize,
    /// Where its rows of bits start.
    pub(super) bits: usize,
    /// Its first word.
    pub(super) word: usize,
}

impl Chunk {
    pub(super) fn vectors(&self) -> usize {
        self.size.div_ceil(256)
    }
}

impl Chunks {
    /// Sets out for lists like this one, with no prefix here yet.
    pub(crate) fn start(&mut self, trie: &Trie) {
        let has = |prefixes: &Prefixes| prefixes.are_of(&trie.half, &trie.prefix_rows);
        if !self.prefixes.as_ref().is_some_and(has) {
            self.prefixes = Some(Prefixes::new(&trie.half, &trie.prefix_rows));
        }
        self.here = 0..0;
    }

    /// Whether all that a list like this one needs is here.
    pub(crate) fn serve(&self, trie: &Trie) -> bool {
        let has = |prefixes: &Prefixes| prefixes.are_of(&trie.half, &trie.prefix_rows);
        self.prefixes.as_ref().is_some_and(has) && self.is_complete()
    }

    /// Whether every prefix is here.
    pub(crate) fn is_complete(&self) -> bool {
        let all = self.prefixes.as_ref().map_or(0, Prefixes::len);
        self.here == (0..all)
    }

    /// Gets ready for lists like this one: with everything here, if that fits into about
    /// `room` bytes, or else with the first prefixes. True if everything is here.
    pub(crate) fn set_out<K: Kernel>(
        &mut self,
        kernel: K,
        trie: &Trie,
        outer: &Outer,
        room: usize,
    ) -> Result<bool, Error> {
        if !self.serve(trie) {
            self.start(trie);
            self.advance(kernel, outer, room)?;
        }
        Ok(self.is_complete())
    }

    /// Forgets everything: the outer list has changed.
    pub(crate) fn clear(&mut self) {
        self.prefixes = None;
    }

    /// Replaces the prefixes by the next ones: as many as fit into about `room`
    /// bytes, at least one. False if there is none left.
    pub(crate) fn advance<K: Kernel>(
        &mut self,
        kernel: K,
        outer: &Outer,
        room: usize,
    ) -> Result<bool, Error> {
        let Some(mut prefixes) = self.prefixes.take() else {
            return Ok(false);
        };
        self.chunks.clear();
        self.used = 0;
        self.words.clear();
        self.first.clear();
        self.here = self.here.end..self.here.end;
        let half = *prefixes.half();
        while self.here.end < prefixes.len() && self.used * size_of::<Bits>() < room {
            self.first.push(self.chunks.len() as u32);
            // The levels of the prefix before it are still there, also from the batch before.
            let is_next = self.here.end > 0;
            let prefix = prefixes.as_slice()[self.here.end];
            let squares = Squares::new(&half, prefixes.rows(), prefix);
            self.squares.clear();
            self.squares.extend(squares.diagonals(&half));
            let fitting = prefixes.fitting(kernel, outer.all(), self.here.end, is_next)?;
            self.chunk(kernel, &half, fitting)?;
            self.here.end += 1;
        }
        self.first.push(self.chunks.len() as u32);
        self.prefixes = Some(prefixes);
        Ok(!self.here.is_empty())
    }

    /// Cuts what fits a prefix into chunks of bits.
    fn chunk<K: Kernel>(
        &mut self,
        kernel: K,
        half: &HalfBoard,
        fitting: OuterSlice,
    ) -> Result<(), Error> {
        let needed = half.every_diagonal();
        let mut masks = [[u64::MAX; 8]; 32];
        let mut rows = [[0; 4]; 64];
        let chunks = fitting
            .diagonals
            .chunks(CHUNK)
            .zip(fitting.keys.chunks(CHUNK));
        for (placements, keys) in chunks {
            let chunk = Chunk {
                size: placements.len(),
                bits: self.used,
                word: self.words.len(),
            };
            let vectors = chunk.vectors();
            self.used += self.squares.len() * vectors;
            // What is read of a chunk has a row for every number, so that none needs a check.
            self.bits.grow(self.used + MOST_SQUARES * VECTORS)?;
            alloc::reserve(&mut self.words, keys.len().div_ceil(64))?;
            self.words.extend(keys.chunks(64).map(|keys| {
                let mut columns = [0; 64];
                columns[..keys.len()].copy_from_slice(keys);
                columns
            }));
            let bits = &mut self.bits.as_mut_slice()[chunk.bits..];
            for (vector, placements) in placements.chunks(256).enumerate() {
                let (here, beyond) = masks.as_flattened_mut().split_at_mut(placements.len());
                here.copy_from_slice(placements);
                beyond.fill(u64::MAX);
                kernel.transpose(&masks, needed, &mut rows);
                let bits = bits[vector..].iter_mut().step_by(vectors);
                for (square, &[a, b]) in bits.zip(&self.squares) {
                    let [a, b] = [a, b].map(|diagonal| &rows[usize::from(diagonal)]);
                    *square = std::array::from_fn(|word| a[word] | b[word]);
                }
            }
            self.chunks.push(chunk);
        }
        Ok(())
    }

    /// The row of each square of a chunk; those behind the last one are something else.
    pub(super) fn squares<const VECTORS: usize>(
        &self,
        chunk: &Chunk,
    ) -> &[[Bits; VECTORS]; MOST_SQUARES] {
        let (rows, _) = self.bits.as_slice()[chunk.bits..].as_chunks();
        let (rows, _) = rows.split_first_chunk().expect("there is room for all");
        rows
    }
}
