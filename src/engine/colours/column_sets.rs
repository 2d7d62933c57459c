//! Column sets of one size, numbered so that a task counts a prefix of them.
//!
//! A task counts only column sets whose reach (see [`symmetry`](super::orbits)) is
//! at least its κ. Numbered by falling reach, those are the keys below a bound. A set with a
//! column on which its colour has no square has no key.

use super::{half::Lines, orbits::Symmetry};
use crate::board::mask::full;

/// The key of a column set that no task counts.
pub(super) const NEVER: u16 = u16::MAX;

/// The numbering of the column sets of one size.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    /// How many column sets have placements, counted by a task or not.
    all: usize,
    /// The column set of each key.
    sets: Vec<u32>,
    /// The reach of each key, falling.
    reaches: Vec<u32>,
    /// The key of each column set of the right size.
    of_set: Vec<u16>,
    /// The key of the complement of each set: the columns that the other colour uses.
    of_complement: Vec<u16>,
}

impl Keys {
    /// Sets of `size` even columns.
    pub(super) fn even(symmetry: &Symmetry, lines: Lines, size: u32) -> Self {
        let reach = |set| symmetry.even_reach(set);
        Self::new(symmetry.even, lines, size, reach)
    }

    /// Sets of `size` odd columns.
    pub(super) fn odd(symmetry: &Symmetry, lines: Lines, size: u32) -> Self {
        let reach = |set| Some(symmetry.odd_reach(set));
        Self::new(symmetry.odd, lines, size, reach)
    }

    fn new(width: u32, lines: Lines, size: u32, reach: impl Fn(u32) -> Option<u32>) -> Self {
        let all = full(width);
        let sets = (0..=all).filter(|&set| set.count_ones() == size && lines.allow(set));
        let mut counted: Vec<(u32, u32)> = sets
            .clone()
            .filter_map(|set| Some((reach(set)?, set)))
            .collect();
        let all_sets = sets.count();
        counted.sort_by_key(|&(reach, set)| (std::cmp::Reverse(reach), set));
        let mut of_set = vec![NEVER; all as usize + 1];
        let mut of_complement = of_set.clone();
        for (key, &(_, set)) in counted.iter().enumerate() {
            // At most C(16, 8) = 12,870 keys.
            of_set[set as usize] = key as u16;
            of_complement[(all - set) as usize] = key as u16;
        }
        let (reaches, sets) = counted.into_iter().unzip();
        Keys {
            all: all_sets,
            sets,
            reaches,
            of_set,
            of_complement,
        }
    }

    /// How many keys there are.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Only these keys, numbered anew in the same order.
    pub(super) fn only(&self, takes: impl Fn(u32) -> bool) -> Keys {
        let mut numbers = vec![NEVER; self.len()];
        let taken = (0..self.len()).filter(|&key| takes(key as u32));
        let (mut sets, mut reaches) = (Vec::new(), Vec::new());
        for key in taken {
            numbers[key] = sets.len() as u16;
            sets.push(self.sets[key]);
            reaches.push(self.reaches[key]);
        }
        let anew = |keys: &[u16]| {
            let keys = keys.iter();
            keys.map(|&key| numbers.get(usize::from(key)).copied().unwrap_or(NEVER))
                .collect()
        };
        Keys {
            of_set: anew(&self.of_set),
            of_complement: anew(&self.of_complement),
            sets,
            reaches,
            all: self.all,
        }
    }

    /// The part of a list of this length whose keys a task with this κ counts, if all
    /// column sets have equally many placements.
    pub(super) fn share(&self, list: u64, kappa: u32) -> u64 {
        // Lists are shorter than 2⁴⁵ and keys fewer than 2¹⁴.
        list * self.counted(kappa) as u64 / self.all.max(1) as u64
    }

    /// How many keys a task with this κ counts: exactly those below this number.
    pub(super) fn counted(&self, kappa: u32) -> usize {
        self.reaches.partition_point(|&reach| reach >= kappa)
    }

    /// The column sets that a task with this κ counts.
    pub(super) fn sets(&self, kappa: u32) -> impl Iterator<Item = u32> {
        self.sets[..self.counted(kappa)].iter().copied()
    }

    /// The key of each column set, by the set; [`NEVER`] where there is none.
    pub(super) fn by_set(&self) -> &[u16] {
        &self.of_set
    }

    /// The key of each column set, by its complement.
    pub(super) fn by_complement(&self) -> &[u16] {
        &self.of_complement
    }
}
