//! The join of two lists by a staged trie: for dense sides, where less than one pair
//! in a hundred fits, whole branches of pairs are ruled out at once.
//!
//! The *outer* list is turned into bits, the *inner* list is a tree that is walked
//! over them. Fix the first two to four queens of the inner placements (a
//! *prefix*): the outer placements that fit it are cut into chunks of at most 1024,
//! and each chunk is turned into one row of bits for each square that the prefix leaves, of
//! the placements that attack it. Below the prefix the tree descends two queens a stage:
//!
//! ```text
//! alive(node) = alive(parent) & !(row of its 1st square | row of its 2nd square)
//! ```
//!
//! A bit that is alive at a leaf is a pair that fits, a *hit*; it adds the other colour's
//! count for the two column sets, from a table. Chunks depend on the outer rows and the first
//! rows of the inner list alone, so that neighbouring tasks share them.
//!
//! Within a prefix every stage is sorted by the smallest key below the node. The
//! nodes that a task needs, those with a key below its bound, are therefore the first
//! ones of each stage: one tree serves every task.

mod chunks;
mod hits;
mod squares;
mod tree;
mod vectors;

use super::{
    kernel::{BitVector, Bits, Kernel},
    prefixes::Prefixes,
};
use crate::{error::Error, threads::Cancel};
use chunks::Chunk;
pub(crate) use chunks::Chunks;
pub(crate) use hits::Factors;
use hits::{Hits, Leaf};
use squares::MOST_SQUARES;
use tree::Node;
pub(crate) use tree::Trie;
use vectors::Vectors;

/// The most vectors of 256 bits in a chunk.
const VECTORS: usize = 4;
/// The most stages: two queens each, of at most 16 with a prefix of one or more.
const MOST_STAGES: usize = 8;

/// At the start of a cache line: a vector that lies across two costs two loads.
#[derive(Debug)]
#[repr(align(64))]
struct Aligned<T>(T);

/// Room for a join.
pub(crate) struct Walk {
    /// What is alive at each node, stage by stage.
    alive: Vec<Vectors>,
    hits: Hits,
}

impl Walk {
    pub(crate) fn new() -> Self {
        Walk {
            alive: Vec::new(),
            hits: Hits::new(),
        }
    }

    /// The sum of the factors of all pairs that fit: the inner placements with keys
    /// below `bound` against the chunks that are here.
    pub(crate) fn join<K: Kernel>(
        &mut self,
        kernel: K,
        trie: &Trie,
        bound: u16,
        chunks: &Chunks,
        factors: &Factors,
        cancel: &Cancel,
    ) -> Result<u64, Error> {
        self.alive.resize_with(trie.stages.len(), Vectors::default);
        let mut stages = [&[][..]; MOST_STAGES];
        let stages = &mut stages[..trie.stages.len()];
        let mut sum = 0;
        let all = chunks.prefixes.as_ref().map_or(&[][..], Prefixes::as_slice);
        let here = &all[chunks.here.clone()];
        let (Some(&least), Some(&greatest)) = (here.first(), here.last()) else {
            return Ok(0);
        };
        let start = trie.prefixes.partition_point(|&prefix| prefix < least);
        let end = trie.prefixes.partition_point(|&prefix| prefix <= greatest);
        let mut place = 0;
        for index in start..end {
            if cancel.is_cancelled() {
                self.hits.clear();
                return Err(Error::Interrupted);
            }
            // Both lists of prefixes rise, and every prefix of the tree is possible.
            while here[place] < trie.prefixes[index] {
                place += 1;
            }
            let (first, last) = (chunks.first[place], chunks.first[place + 1]);
            for (nodes, stage) in stages.iter_mut().zip(&trie.stages) {
                *nodes = stage.nodes(index);
            }
            if first == last || needed(stages[0], bound).next().is_none() {
                continue;
            }
            // What is alive at the leaves is kept nowhere.
            for (alive, nodes) in self.alive.iter_mut().zip(&stages[..stages.len() - 1]) {
                alive.grow(nodes.len() * VECTORS)?;
            }
            for chunk in &chunks.chunks[first as usize..last as usize] {
                let visit = Visit {
                    chunks,
                    chunk,
                    stages,
                    bound,
                    factors,
                };
                sum += match chunk.vectors() {
                    1 => kernel.visit_trie::<1>(&visit, self),
                    2 => kernel.visit_trie::<2>(&visit, self),
                    3 => kernel.visit_trie::<3>(&visit, self),
                    _ => kernel.visit_trie::<VECTORS>(&visit, self),
                };
            }
        }
        Ok(sum + self.hits.look_up(&chunks.words, factors))
    }
}

/// A chunk and the part of the tree that is to be walked over it.
pub(crate) struct Visit<'a> {
    chunks: &'a Chunks,
    chunk: &'a Chunk,
    stages: &'a [&'a [Node]],
    bound: u16,
    factors: &'a Factors,
}

/// The first nodes of a stage, which have a key below a bound. They are not searched for: that
/// would wait for what the walk reads anyway.
#[inline(always)]
fn needed(nodes: &[Node], bound: u16) -> impl Iterator<Item = &Node> {
    nodes.iter().take_while(move |node| node.key < bound)
}

/// What is alive at a node: writes it, and returns a bit for each word that is not
/// empty.
#[inline(always)]
fn survive<V: BitVector, const VECTORS: usize>(
    proof: V::Proof,
    node: &Node,
    squares: &[[Bits; VECTORS]; MOST_SQUARES],
    parents: &[[Bits; VECTORS]],
    alive: &mut [Bits; VECTORS],
) -> u32 {
    let [a, b] = [0, 1].map(|i| &squares[usize::from(node.squares[i])]);
    V::survive(proof, &parents[node.parent as usize], a, b, alive)
}

/// Walks the tree over one chunk, and leaves its hits in `walk.hits`. Returns the sum of
/// the factors of those that had to be looked up for want of room.
#[inline(always)]
pub(crate) fn visit<V: BitVector, const VECTORS: usize>(
    proof: V::Proof,
    visit: &Visit,
    walk: &mut Walk,
) -> u64 {
    let squares = visit.chunks.squares::<VECTORS>(visit.chunk);
    let everyone: [Bits; VECTORS] = std::array::from_fn(|vector| {
        std::array::from_fn(|word| {
            let left = visit.chunk.size.saturating_sub(256 * vector + 64 * word);
            u64::MAX.checked_shr(64 - left.min(64) as u32).unwrap_or(0)
        })
    });
    let (&leaves, inner) = visit.stages.split_last().expect("a tree has a stage");
    for (stage, nodes) in inner.iter().enumerate() {
        let (above, below) = walk.alive.split_at_mut(stage);
        let parents = match above.last() {
            None => std::slice::from_ref(&everyone),
            Some(above) => above.as_slice().as_chunks().0,
        };
        let alive = below[0].as_mut_slice().as_chunks_mut::<VECTORS>().0;
        for (node, out) in needed(nodes, visit.bound).zip(alive) {
            survive::<V, VECTORS>(proof, node, squares, parents, out);
        }
    }
    let parents = match inner.len() {
        0 => std::slice::from_ref(&everyone),
        stages => walk.alive[stages - 1].as_slice().as_chunks().0,
    };
    let mut sum = 0;
    let mut leaves = leaves;
    while needed(leaves, visit.bound).next().is_some() {
        if walk.hits.used + VECTORS > Hits::ROOM {
            sum += walk.hits.look_up(&visit.chunks.words, visit.factors);
        }
        let hits = &mut walk.hits;
        let alive = hits.alive.0[hits.used..].as_chunks_mut::<VECTORS>().0;
        let mut entry = Leaf::new(hits.used, visit.chunk.word);
        let (mut len, mut walked) = (hits.len, 0);
        for (leaf, alive) in needed(leaves, visit.bound).zip(alive) {
            let words = survive::<V, VECTORS>(proof, leaf, squares, parents, alive);
            hits.leaves[len % Hits::ROOM] = entry.with(words, leaf.key);
            len += usize::from(words != 0);
            entry = entry.after(VECTORS);
            walked += 1;
        }
        hits.len = len;
        hits.used += walked * VECTORS;
        leaves = &leaves[walked..];
    }
    sum
}
