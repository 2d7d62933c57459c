//! The plan of a class: its tasks, the join of each colour, and the shelves.
//!
//! A class is all choices of rows with as many white queens on even and on odd rows. Its tasks
//! have lists of about the same lengths, so that one [`Method`] suits all of them: the one that
//! costs least by the [cost model](super::cost), all tasks together. What its odd rows need is
//! kept on shelves, as many neighbouring ones together as there is memory for.

use std::{cmp::Reverse, ops::Range};

use super::{
    cost::{Price, Prices},
    memory::Footprint,
    slices::Slicing,
};
use crate::{
    board::mask::full,
    engine::colours::{
        column_sets::Keys,
        half::HalfBoards,
        orbits::{Class, Representative, Symmetry, centre_first},
    },
};

/// The memory for the lists of a shelf, as estimated; but it should have so many odd rows, for
/// as much memory as that may take at most: what tasks share is made anew for every shelf.
const SHELF_ROOM: u64 = 64 << 20;
const SHELF_ROWS: u64 = 32;
const MOST_SHELF_ROOM: u64 = 1 << 30;

/// Everything that the tasks of a class share.
pub(crate) struct ClassPlan {
    pub(crate) class: Class,
    pub(crate) even_keys: Keys,
    pub(crate) odd_keys: Keys,
    pub(crate) method: Method,
    pub(crate) slicing: Slicing,
    pub(crate) footprint: Footprint,
    pub(crate) representatives: Vec<Representative>,
    /// What the whole class costs.
    pub(crate) cost: u64,
    /// What their tasks cost, and what it costs to build the inner lists of each of the odd
    /// rows.
    pub(crate) prices: Vec<Price>,
    pub(crate) inner_lists: u64,
    /// The odd rows, ordered so that neighbours share what fits their prefixes.
    pub(crate) odd_rows: Vec<u32>,
    /// How high they [rank](Symmetry::rank), falling on each shelf.
    pub(crate) ranks: Vec<u32>,
    /// How many of them share a shelf.
    pub(crate) shelf: usize,
}

/// Which colour is joined by a trie; the other one, or both, by packed lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Packed,
    /// The trie for one colour, below prefixes of so many queens.
    Trie {
        white: bool,
        depth: usize,
    },
}

impl Method {
    /// The methods that a class can be counted by: packed lanes for both colours, or a trie
    /// for the one with more queens, below shorter or longer prefixes.
    pub(crate) fn all(class: Class, symmetry: &Symmetry) -> impl Iterator<Item = Method> {
        let black = symmetry.even - class.even;
        let white = class.even + class.odd > 2 * black;
        let queens = if white { class.odd } else { black } as usize;
        let depths = (2..=4).filter(move |&depth| depth < queens);
        let tries = depths.map(move |depth| Method::Trie { white, depth });
        // There are too many prefixes of more than four queens to pack for each.
        let packed = (queens <= 8).then_some(Method::Packed);
        packed.into_iter().chain(tries)
    }

    /// The depth of the trie's prefixes, if this colour is joined by one.
    pub(crate) fn trie(self, is_white: bool) -> Option<usize> {
        match self {
            Method::Trie { white, depth } if white == is_white => Some(depth),
            _ => None,
        }
    }
}

impl ClassPlan {
    /// The plan of a class, unless it has no task.
    pub(crate) fn new(class: Class, symmetry: &Symmetry, halves: &HalfBoards) -> Option<Self> {
        let all = full(symmetry.odd);
        let (even_lines, odd_lines) = (halves.even_rows(), halves.odd_rows());
        let mut odd_rows: Vec<u32> = (0..=all)
            .filter(|&rows| rows.count_ones() == class.odd && odd_lines.allow(rows))
            .collect();
        let mut representatives = symmetry.representatives(class);
        representatives.retain(|representative| even_lines.allow(representative.rows));
        let (even_keys, odd_keys) = keys(class, symmetry, halves);
        if odd_rows.is_empty()
            || representatives.is_empty()
            || even_keys.len() == 0
            || odd_keys.len() == 0
        {
            return None;
        }
        // By their pattern read from the centre outwards: neighbours begin with the same
        // rows in both colours.
        odd_rows.sort_by_cached_key(|&rows| Reverse(centre_first(rows, symmetry.odd)));
        let model = Prices::new(class, halves, &odd_rows);
        let bytes = model.sizes().bytes().max(1);
        let shelf = (MOST_SHELF_ROOM / bytes)
            .min(SHELF_ROWS)
            .max(SHELF_ROOM / bytes)
            .clamp(1, odd_rows.len() as u64) as usize;
        let mut ranks: Vec<u32> = odd_rows.iter().map(|&rows| symmetry.rank(rows)).collect();
        for shelf in ranks.chunks_mut(shelf) {
            shelf.sort_unstable_by_key(|&rank| Reverse(rank));
        }
        let keys = (&even_keys, &odd_keys);
        let sides = representatives.iter();
        let sides: Vec<_> = sides.map(|it| model.sides(symmetry, keys, it)).collect();
        // The method that costs least, all tasks together.
        let tasks = tasks_of_each(&representatives, &ranks, symmetry);
        let prices = Method::all(class, symmetry).map(|method| {
            let sharing = model.sharing(method, symmetry, &odd_rows, shelf);
            let prices = sides.iter().map(|sides| Price::new(sides, method, sharing));
            let prices: Vec<Price> = prices.collect();
            (total(&prices, &tasks, shelf), method, prices)
        });
        let (cost, method, prices) = prices
            .min_by_key(|(cost, ..)| *cost)
            .expect("few queens are packed, many are a trie");
        let slicing = Slicing::new(class, symmetry, method);
        let footprint = Footprint::new(
            (class, symmetry),
            (method, slicing),
            (shelf, model.sizes()),
            (even_keys.len(), odd_keys.len()),
            &sides,
        );
        Some(ClassPlan {
            class,
            cost: cost.try_into().unwrap_or(u64::MAX),
            prices,
            inner_lists: model.inner_lists(method),
            even_keys,
            odd_keys,
            method,
            slicing,
            footprint,
            representatives,
            ranks,
            shelf,
            odd_rows,
        })
    }

    /// The same class on the board turned by half, without tasks of its own.
    pub(crate) fn turned(&self, symmetry: &Symmetry, halves: &HalfBoards) -> Self {
        let (even_keys, odd_keys) = keys(self.class, symmetry, halves);
        ClassPlan {
            class: self.class,
            even_keys,
            odd_keys,
            method: self.method,
            slicing: self.slicing,
            footprint: self.footprint,
            representatives: Vec::new(),
            cost: 0,
            prices: Vec::new(),
            inner_lists: 0,
            odd_rows: Vec::new(),
            ranks: Vec::new(),
            shelf: self.shelf,
        }
    }

    /// How many prefixes its trie has, about: every other choice of columns is one.
    pub(crate) fn prefixes(&self) -> u64 {
        let columns = u64::from(self.even_keys.by_set().len().ilog2());
        match self.method {
            Method::Packed => 0,
            Method::Trie { depth, .. } => columns.pow(depth as u32) / 2,
        }
    }

    /// The places of the odd rows on a shelf.
    pub(crate) fn places(&self, shelf: usize) -> Range<usize> {
        let start = shelf * self.shelf;
        start..(start + self.shelf).min(self.odd_rows.len())
    }

    /// The odd rows on a shelf.
    pub(crate) fn shelf(&self, shelf: usize) -> &[u32] {
        &self.odd_rows[self.places(shelf)]
    }

    /// How many of them are of a task with a representative that asks for this rank.
    pub(crate) fn tasks(&self, shelf: usize, asked: u32) -> u64 {
        let ranks = &self.ranks[self.places(shelf)];
        ranks.partition_point(|&rank| rank >= asked) as u64
    }

    pub(crate) fn shelves(&self) -> usize {
        self.odd_rows.len().div_ceil(self.shelf)
    }
}

/// The even and odd column sets of a class.
pub(crate) fn keys(class: Class, symmetry: &Symmetry, halves: &HalfBoards) -> (Keys, Keys) {
    (
        Keys::even(symmetry, halves.even_columns(), class.even),
        Keys::odd(symmetry, halves.odd_columns(), class.odd),
    )
}

/// How many tasks each choice of even rows has.
fn tasks_of_each(
    representatives: &[Representative],
    ranks: &[u32],
    symmetry: &Symmetry,
) -> Vec<u64> {
    let mut ranks = ranks.to_vec();
    ranks.sort_unstable();
    let asked = representatives.iter().map(|it| symmetry.asked_rank(it));
    asked
        .map(|asked| (ranks.len() - ranks.partition_point(|&rank| rank < asked)) as u64)
        .collect()
}

/// The price of all tasks, so many for each choice of even rows, shelf by shelf. Wider than a
/// price: at n = 32 it has more than 64 bits.
fn total(prices: &[Price], tasks: &[u64], shelf: usize) -> u128 {
    let shelf = shelf as u64;
    let prices = prices.iter().zip(tasks).map(|(price, tasks)| {
        let whole = u128::from(price.of(shelf)) * u128::from(tasks / shelf);
        whole + u128::from(price.of(tasks % shelf))
    });
    prices.sum()
}
