//! The join of two lists by a staged trie: for dense sides, where less than one pair
//! in a hundred fits, whole branches of pairs are ruled out at once.
//!
//! The *outer* list is turned into bits, the *inner* list is a tree that is walked
//! over them. Fix the first two to four queens of the inner placements (a
//! *prefix*): the outer placements that fit it are cut into chunks of at most 1024,
//! and each chunk is transposed to one row of bits per diagonal. Below the prefix the
//! tree descends two queens a stage:
//!
//! ```text
//! alive(node) = alive(parent) & !(row of its 1st square | row of its 2nd square)
//! ```
//!
//! where a square's row is the OR of the rows of its two diagonals. A bit that is
//! alive at a leaf is a pair that fits, a *hit*; it adds the other colour's count for
//! the two column sets, from a table. Chunks depend on the outer rows and the first
//! rows of the inner list alone, so that neighbouring tasks share them.
//!
//! Within a prefix every stage is sorted by the smallest key below the node. The
//! nodes that a task needs, those with a key below its bound, are therefore the first
//! ones of each stage: one tree serves every task.

use std::ops::Range;

use super::{
    kernel::{BitVector, Bits, Kernel},
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

/// The most vectors of 256 bits in a chunk.
const VECTORS: usize = 4;
/// The most stages: two queens each, of at most 16 with a prefix of one or more.
const MOST_STAGES: usize = 8;
/// The most outer placements in a chunk.
const CHUNK: usize = 256 * VECTORS;

/// A node of the tree: up to two queens below its parent.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The squares, as row below the prefix × columns + column; equal for one queen.
    squares: [u8; 2],
    /// The smallest key of a leaf below; the leaf's own.
    key: u16,
    /// The parent's place among the nodes of its stage and prefix.
    parent: u32,
}

/// The nodes of one stage, prefix by prefix.
#[derive(Debug, Default)]
struct Stage {
    /// The first node of each prefix, and the end.
    first: Vec<u32>,
    nodes: Vec<Node>,
    /// Their keys once more: what must be read to find a bound lies close together.
    keys: Vec<u16>,
}

/// An inner list as a tree.
#[derive(Debug)]
pub(crate) struct Trie {
    half: HalfBoard,
    /// The rows of the prefix.
    prefix_rows: Vec<u8>,
    /// The diagonals of each square on the rows below it, row by row.
    squares: Vec<[u8; 2]>,
    /// Each prefix, rising.
    prefixes: Vec<Prefix>,
    stages: Vec<Stage>,
}

impl Trie {
    /// A list in search order as a tree below prefixes of `depth` queens.
    pub(crate) fn new(
        list: &Placements,
        half: &HalfBoard,
        depth: usize,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        let queens = list.rows.len();
        assert!(
            depth >= 1 && depth < queens,
            "a prefix leaves queens to place"
        );
        // Where each stage ends; an odd queen goes first, where nodes are few.
        let ends: Vec<usize> = (depth + 1..=queens)
            .filter(|end| (queens - end).is_multiple_of(2))
            .collect();
        let mut trie = Trie {
            half: *half,
            prefix_rows: list.rows[..depth].to_vec(),
            squares: squares(half, &list.rows[depth..]),
            prefixes: Vec::new(),
            stages: ends.iter().map(|_| Stage::default()).collect(),
        };
        let square = |columns: u64, row: usize| {
            ((row - depth) * half.columns as usize + (columns >> (4 * row) & 15) as usize) as u8
        };
        let mut sorting = Sorting::default();
        let mut previous = None;
        for (&key, &columns) in list.keys.iter().zip(&list.columns) {
            // How many queens this placement shares with the one before it.
            let shared = previous.map_or(0, |previous: u64| {
                ((previous ^ columns).trailing_zeros() / 4) as usize
            });
            if previous.is_none() || shared < depth {
                if cancel.is_cancelled() {
                    return Err(Error::Interrupted);
                }
                trie.close_prefix(&mut sorting);
                trie.prefixes.push(prefix(columns, depth));
                for stage in &mut trie.stages {
                    stage.first.push(stage.nodes.len() as u32);
                }
            }
            previous = Some(columns);
            let mut parent = 0;
            let mut start = depth;
            for (stage, &end) in trie.stages.iter_mut().zip(&ends) {
                let first = *stage.first.last().expect("a prefix is open");
                if shared < end {
                    alloc::reserve(&mut stage.nodes, 1)?;
                    stage.nodes.push(Node {
                        squares: [square(columns, start), square(columns, end - 1)],
                        key,
                        parent,
                    });
                } else if let Some(node) = stage.nodes.last_mut() {
                    node.key = node.key.min(key);
                }
                parent = stage.nodes.len() as u32 - 1 - first;
                start = end;
            }
        }
        trie.close_prefix(&mut sorting);
        for stage in &mut trie.stages {
            stage.first.push(stage.nodes.len() as u32);
            stage.nodes.shrink_to_fit();
            stage.keys = alloc::collected(stage.nodes.iter().map(|node| node.key))?;
        }
        Ok(trie)
    }

    /// Sorts the stages of the prefix that has just ended, and tells the children.
    fn close_prefix(&mut self, sorting: &mut Sorting) {
        let Sorting {
            order,
            sorted,
            moved,
        } = sorting;
        moved.clear();
        for stage in &mut self.stages {
            let Some(&first) = stage.first.last() else {
                return;
            };
            let nodes = &mut stage.nodes[first as usize..];
            if !moved.is_empty() {
                for node in nodes.iter_mut() {
                    node.parent = moved[node.parent as usize];
                }
            }
            // By their keys, and as they came: the key above the place.
            order.clear();
            let places = nodes.iter().zip(0..);
            order.extend(places.map(|(node, place): (_, u64)| u64::from(node.key) << 32 | place));
            order.sort_unstable();
            let old = |entry: &u64| *entry as u32 as usize;
            sorted.clear();
            sorted.extend(order.iter().map(|entry| nodes[old(entry)]));
            nodes.copy_from_slice(sorted);
            moved.resize(nodes.len(), 0);
            for (new, entry) in order.iter().enumerate() {
                moved[old(entry)] = new as u32;
            }
        }
    }

    /// The rows of its prefixes.
    pub(crate) fn prefix_rows(&self) -> &[u8] {
        &self.prefix_rows
    }

    /// The nodes of a prefix and stage with a key below `bound`.
    fn nodes(&self, prefix: usize, stage: usize, bound: u16) -> &[Node] {
        let Stage { first, nodes, keys } = &self.stages[stage];
        let range = first[prefix] as usize..first[prefix + 1] as usize;
        let keys = &keys[range.clone()];
        let below: u32 = keys.iter().map(|&key| u32::from(key < bound)).sum();
        &nodes[range][..below as usize]
    }
}

/// Room to sort the nodes of a prefix.
#[derive(Default)]
struct Sorting {
    order: Vec<u64>,
    sorted: Vec<Node>,
    /// Where each node of a stage has gone.
    moved: Vec<u32>,
}

/// The sum and the difference diagonal of each square on these rows.
fn squares(half: &HalfBoard, rows: &[u8]) -> Vec<[u8; 2]> {
    let squares = rows.iter().flat_map(|&row| {
        (0..half.columns).map(move |column| {
            let row = u32::from(row);
            [half.sum_bit(row, column), half.difference_bit(row, column)].map(|bit| bit as u8)
        })
    });
    squares.collect()
}

/// The part of an outer list that fits every prefix on given rows, in chunks, for as
/// many prefixes as their room allows.
#[derive(Default)]
pub(crate) struct Chunks {
    prefixes: Option<Prefixes>,
    /// Which of them are here.
    here: Range<usize>,
    /// The chunks of each prefix that is here.
    first: Vec<u32>,
    chunks: Vec<Chunk>,
    /// The row of each diagonal, chunk by chunk, and how much of that is in use.
    bits: Vec<Bits>,
    used: usize,
    /// The key of each placement, chunk by chunk.
    keys: Vec<u16>,
}

/// Makes room without clearing what will be overwritten. Not twice as much: this is a good
/// part of the memory of a thread.
fn grow(bits: &mut Vec<Bits>, len: usize) -> Result<(), Error> {
    if bits.len() < len {
        alloc::resize(bits, len + len / 4, [0; 4])?;
    }
    Ok(())
}

/// Up to 1024 outer placements that fit a prefix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunk {
    /// How many placements.
    size: usize,
    /// Where its rows of bits start.
    bits: usize,
    /// Where its keys start.
    keys: usize,
}

impl Chunk {
    fn vectors(&self) -> usize {
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
        self.keys.clear();
        self.first.clear();
        self.here = self.here.end..self.here.end;
        let half = *prefixes.half();
        while self.here.end < prefixes.len() && self.used * size_of::<Bits>() < room {
            self.first.push(self.chunks.len() as u32);
            // The levels of the prefix before it are still there, also from the batch before.
            let is_next = self.here.end > 0;
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
        let diagonals = half.diagonals;
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
                keys: self.keys.len(),
            };
            let vectors = chunk.vectors();
            self.used += diagonals * vectors;
            grow(&mut self.bits, self.used)?;
            alloc::reserve(&mut self.keys, keys.len())?;
            self.keys.extend_from_slice(keys);
            for (vector, placements) in placements.chunks(256).enumerate() {
                let (here, beyond) = masks.as_flattened_mut().split_at_mut(placements.len());
                here.copy_from_slice(placements);
                beyond.fill(u64::MAX);
                kernel.transpose(&masks, needed, &mut rows);
                let bits = self.bits[chunk.bits + vector..].iter_mut().step_by(vectors);
                for (to, from) in bits.zip(&rows[..diagonals]) {
                    *to = *from;
                }
            }
            self.chunks.push(chunk);
        }
        Ok(())
    }
}

/// The other colour's counts, times their weights, by inner key and outer key.
#[derive(Debug, Default)]
pub(crate) struct Factors {
    pub(crate) counts: Vec<u16>,
    /// The number of outer keys, rounded up to whole tiles.
    pub(crate) stride: usize,
}

/// At the start of a cache line: a vector that lies across two costs two loads.
#[derive(Debug)]
#[repr(align(64))]
struct Aligned<T>(T);

/// Room for a join.
pub(crate) struct Walk {
    /// The row of each square below the prefix.
    squares: Box<Aligned<[[Bits; VECTORS]; 256]>>,
    /// What is alive at each node, stage by stage.
    alive: Vec<Vec<Bits>>,
    hits: Hits,
}

impl Walk {
    pub(crate) fn new() -> Self {
        Walk {
            squares: Box::new(Aligned([[[0; 4]; VECTORS]; 256])),
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
        self.alive.resize_with(trie.stages.len(), Vec::new);
        let diagonals = trie.half.diagonals;
        let mut stages = [&[][..]; MOST_STAGES];
        let stages = &mut stages[..trie.stages.len()];
        let mut sum = 0;
        let all = chunks.prefixes.as_ref().map_or(&[][..], Prefixes::as_slice);
        let mut place = chunks.here.start;
        for (index, &prefix) in trie.prefixes.iter().enumerate() {
            if cancel.is_cancelled() {
                self.hits.clear();
                return Err(Error::Interrupted);
            }
            // Both lists of prefixes rise, and every prefix of the tree is possible.
            while place < chunks.here.end && all[place] < prefix {
                place += 1;
            }
            if place == chunks.here.end {
                break;
            }
            if all[place] > prefix {
                continue;
            }
            let first = chunks.first[place - chunks.here.start] as usize;
            let end = chunks.first[place - chunks.here.start + 1] as usize;
            if first == end {
                continue;
            }
            for (stage, nodes) in stages.iter_mut().enumerate() {
                *nodes = trie.nodes(index, stage, bound);
            }
            if stages[0].is_empty() {
                continue;
            }
            // What is alive at the leaves is kept nowhere.
            for (alive, nodes) in self.alive.iter_mut().zip(&stages[..stages.len() - 1]) {
                grow(alive, nodes.len() * VECTORS)?;
            }
            for chunk in &chunks.chunks[first..end] {
                let visit = Visit {
                    bits: &chunks.bits[chunk.bits..][..diagonals * chunk.vectors()],
                    size: chunk.size,
                    first_key: chunk.keys,
                    keys: &chunks.keys,
                    squares: &trie.squares,
                    stages,
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
        Ok(sum + self.hits.look_up(&chunks.keys, factors))
    }
}

/// A chunk and the part of the tree that is to be walked over it.
pub(crate) struct Visit<'a> {
    bits: &'a [Bits],
    size: usize,
    first_key: usize,
    keys: &'a [u16],
    squares: &'a [[u8; 2]],
    stages: &'a [&'a [Node]],
    factors: &'a Factors,
}

/// Leaves with hits, not yet looked up. They wait for those of many chunks, so that the
/// rounds below are long: where a round ends is what the processor cannot guess.
#[derive(Debug)]
struct Hits {
    /// What is alive at each leaf, ...
    alive: Box<Aligned<[Bits; Hits::ROOM]>>,
    /// ... and how much of that is in use.
    used: usize,
    /// The leaves with hits: from the lowest bits on, 16 bits each, which of its words
    /// have hits, its first vector, its key, and the number of the chunk. All fit: a leaf
    /// has at most 16 words; there are at most 12,870 keys; and a chunk that waits has at
    /// least one of the vectors.
    leaves: Box<[u64; Hits::ROOM]>,
    len: usize,
    /// Where the keys of each chunk start.
    chunks: Vec<u32>,
    /// Where the key of a hit is (the lower half) and the factors of its leaf start. Both
    /// are below 2³²: a list of chunks is looked up as a whole, and holds far fewer than
    /// 2³² placements; the factors are at most 12,870².
    places: Box<[u64; Hits::PLACES]>,
}

impl Hits {
    /// The vectors of all leaves that wait: half of the nearest cache. A power of two,
    /// so that a masked index needs no check.
    const ROOM: usize = 512;
    /// The hits that are looked up together, ...
    const PLACES: usize = 1024;
    /// ... as soon as those of one more word, in fours, might not fit.
    const FULL: usize = Hits::PLACES - 64;

    fn new() -> Self {
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
    fn clear(&mut self) {
        (self.used, self.len) = (0, 0);
        self.chunks.clear();
    }

    /// The sum of the factors of all hits. Each round takes one word of every leaf, so
    /// that no branch depends on how many words there are, and few on how many hits.
    #[inline(always)]
    fn look_up(&mut self, keys: &[u16], factors: &Factors) -> u64 {
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

/// What is alive at a node: writes it, and returns a bit for each word that is not
/// empty.
#[inline(always)]
fn survive<V: BitVector, const VECTORS: usize>(
    proof: V::Proof,
    node: Node,
    squares: &[[Bits; 4]; 256],
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
    let (rows, _) = visit.bits.as_chunks::<VECTORS>();
    for (square, &[sum, difference]) in walk.squares.0.iter_mut().zip(visit.squares) {
        let (a, b) = (&rows[usize::from(sum)], &rows[usize::from(difference)]);
        for i in 0..VECTORS {
            V::load(proof, &a[i])
                .or(V::load(proof, &b[i]))
                .store(&mut square[i]);
        }
    }
    let squares = &walk.squares.0;
    let everyone: [Bits; VECTORS] = std::array::from_fn(|vector| {
        std::array::from_fn(|word| {
            let left = visit.size.saturating_sub(256 * vector + 64 * word);
            u64::MAX.checked_shr(64 - left.min(64) as u32).unwrap_or(0)
        })
    });
    let (&leaves, inner) = visit.stages.split_last().expect("a tree has a stage");
    for (stage, nodes) in inner.iter().enumerate() {
        let (above, below) = walk.alive.split_at_mut(stage);
        let parents = match above.last() {
            None => std::slice::from_ref(&everyone),
            Some(above) => above.as_chunks::<VECTORS>().0,
        };
        for (node, out) in nodes.iter().zip(below[0].as_chunks_mut::<VECTORS>().0) {
            survive::<V, VECTORS>(proof, *node, squares, parents, out);
        }
    }
    let parents = match inner.len() {
        0 => std::slice::from_ref(&everyone),
        stages => walk.alive[stages - 1].as_chunks::<VECTORS>().0,
    };
    let mut sum = 0;
    let mut leaves = leaves;
    while !leaves.is_empty() {
        if walk.hits.used + VECTORS > Hits::ROOM {
            sum += walk.hits.look_up(visit.keys, visit.factors);
        }
        let hits = &mut walk.hits;
        let room = (Hits::ROOM - hits.used) / VECTORS;
        let (now, later) = leaves.split_at(leaves.len().min(room));
        leaves = later;
        let chunk = (hits.chunks.len() as u64) << 48;
        hits.chunks.push(visit.first_key as u32);
        let alive = hits.alive.0[hits.used..].as_chunks_mut::<VECTORS>().0;
        let mut entry = chunk | (hits.used as u64) << 16;
        let mut len = hits.len;
        for (leaf, alive) in now.iter().zip(alive) {
            let words = survive::<V, VECTORS>(proof, *leaf, squares, parents, alive);
            hits.leaves[len % Hits::ROOM] = entry | u64::from(leaf.key) << 32 | u64::from(words);
            len += usize::from(words != 0);
            entry += (VECTORS as u64) << 16;
        }
        hits.len = len;
        hits.used += now.len() * VECTORS;
    }
    sum
}
