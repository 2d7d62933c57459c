//! The inner list of a staged trie: a tree below each prefix.

use super::squares::Squares;
use crate::{
    engine::{
        alloc,
        colours::{
            half::HalfBoard,
            join::prefixes::{Prefix, prefix},
            placements::Placements,
        },
    },
    error::Error,
    threads::Cancel,
};

/// A node of the tree: up to two queens below its parent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// The [numbers](Squares) of its squares; equal for one queen.
    pub(super) squares: [u8; 2],
    /// The smallest key of a leaf below; the leaf's own.
    pub(super) key: u16,
    /// The parent's place among the nodes of its stage and prefix.
    pub(super) parent: u32,
}

/// The nodes of one stage, prefix by prefix.
#[derive(Debug, Default)]
pub(super) struct Stage {
    /// The first node of each prefix, and the end.
    first: Vec<u32>,
    nodes: Vec<Node>,
}

impl Stage {
    /// The nodes of a prefix.
    pub(super) fn nodes(&self, prefix: usize) -> &[Node] {
        &self.nodes[self.first[prefix] as usize..self.first[prefix + 1] as usize]
    }
}

/// An inner list as a tree.
#[derive(Debug)]
pub(crate) struct Trie {
    pub(super) half: HalfBoard,
    /// The rows of the prefix.
    pub(super) prefix_rows: Vec<u8>,
    /// Each prefix, rising.
    pub(super) prefixes: Vec<Prefix>,
    pub(super) stages: Vec<Stage>,
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
            prefixes: Vec::new(),
            stages: ends.iter().map(|_| Stage::default()).collect(),
        };
        let square = |squares: &Squares, columns: u64, queen: usize| {
            squares.number(list.rows[queen], (columns >> (4 * queen) & 15) as u32)
        };
        let mut squares = Squares::default();
        let mut sorting = Sorting::default();
        let mut previous = None;
        for (&key, &columns) in list.keys().iter().zip(list.columns()) {
            // How many queens this placement shares with the one before it.
            let shared = previous.map_or(0, |previous: u64| {
                ((previous ^ columns).trailing_zeros() / 4) as usize
            });
            if previous.is_none() || shared < depth {
                if cancel.is_cancelled() {
                    return Err(Error::Interrupted);
                }
                trie.close_prefix(&mut sorting);
                let prefix = prefix(columns, depth);
                trie.prefixes.push(prefix);
                squares = Squares::new(half, &trie.prefix_rows, prefix);
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
                        squares: [start, end - 1].map(|queen| square(&squares, columns, queen)),
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
}

/// Room to sort the nodes of a prefix.
#[derive(Default)]
struct Sorting {
    order: Vec<u64>,
    sorted: Vec<Node>,
    /// Where each node of a stage has gone.
    moved: Vec<u32>,
}
