//! How much memory a count takes: what the threads share, and what each has of its own. In
//! integers, from the plan alone, so that it is known before anything is counted.
//!
//! **Shared** are the shelves with the inner lists. Threads that go on to the next shelf hold
//! it beside the last one. Where a shelf is worth few blocks, many threads hold several: a class
//! with few of them has all at once, and any other one as many as there are threads for.
//!
//! **A thread** has the list that it makes, its outer lists with what each queen of a prefix
//! leaves of them, the strips and chunks that it makes of that, and the tables of a batch of
//! tasks. Strips and chunks have a limit, and batches are made only where one of them is met.
//!
//! Lists and what fits a prefix are estimated as for the [cost](super::cost). The test `memory_of_a_class` shows it next to what
//! the system says.

use crate::engine::{
    Memory,
    colours::{
        half::HalfBoards,
        join::{counts::LANES, packed},
        orbits::{Class, Symmetry},
        schedule::{
            class::{ClassPlan, Method},
            cost::Side,
            sizes::{InnerSizes, longest_list},
            slices::Slicing,
        },
        task::Rooms,
    },
};

/// The bytes of a placement: while it is listed, with a quarter more in advance; and on an
/// outer list.
const LISTED: u64 = 18 * 5 / 4;
const OUTER: u64 = 10;
/// The bytes of an inner placement: as a walker with its part of a group, as a leaf with its
/// part of the other nodes, and as what a task counts of a group.
const WALKER: u64 = 5;
const LEAF: u64 = 14;
const COUNTED: u64 = 2;

/// The memory that the tasks of a class take, in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Footprint {
    /// The inner lists of a shelf, which threads share.
    pub(crate) shelf: u64,
    /// The list that is being made: the only room that a thread keeps for other classes.
    pub(crate) listing: u64,
    /// Everything else that a thread has.
    pub(crate) own: u64,
}

impl Footprint {
    /// Of a class that is counted so, with so many odd rows on a shelf and so many even and
    /// odd column sets; `sides` are both colours of each of its representatives.
    pub(crate) fn new(
        (class, symmetry): (Class, &Symmetry),
        (method, slicing): (Method, Slicing),
        (shelf, sizes): (usize, InnerSizes),
        (even_sets, odd_sets): (usize, usize),
        sides: &[[Side; 2]],
    ) -> Self {
        let Symmetry { even, odd, .. } = *symmetry;
        // Restricted lists are no longer than those of the whole board.
        let halves = HalfBoards::new(even + odd);
        let shelf = shelf as u64;
        let is_sliced = slicing != Slicing::NONE;
        let part = |list: u64, slices: u32| list / u64::from(slices);
        let longest = |colour: usize| sides.iter().map(|sides| sides[colour].outer).max();
        let x = part(longest(0).unwrap_or(0), slicing.even);
        let u = part(longest(1).unwrap_or(0), slicing.odd);
        let y = |list| part(list, slicing.odd * slicing.white);
        let black = odd - class.odd;
        let v = |list| part(list, slicing.even * slicing.black);
        let longest_y = y(longest_list(&halves.oo, class.odd));
        let longest_v = v(longest_list(&halves.oe, black));
        let inner = |y: u64, v: u64| {
            let bytes = |is_white| method.trie(is_white).map_or(WALKER, |_| LEAF);
            bytes(true) * y + bytes(false) * v
        };
        // What a trie filters, and the longest list of walkers.
        let (filtered, walkers) = match method {
            Method::Packed => (0, longest_y.max(longest_v)),
            Method::Trie { white: true, .. } => (x, longest_v),
            Method::Trie { .. } => (u, longest_y),
        };
        let made = Made::new(symmetry, method, sides);
        let tables = if method == Method::Packed { 1 } else { 2 };
        let side = |sets: usize, slices: u32| {
            let sets = part(sets as u64, slices);
            sets.next_multiple_of(LANES as u64)
        };
        let pairs = side(even_sets, slicing.even) * side(odd_sets, slicing.odd);
        let tables = tables * size_of::<u16>() as u64 * pairs;
        let batch = if made.is_complete {
            1
        } else {
            let most = Rooms::default().batch as u64 / tables.max(1);
            most.clamp(1, shelf.min(alike(class, symmetry, method)))
        };
        Footprint {
            shelf: if is_sliced {
                0
            } else {
                shelf * inner(y(sizes.y), v(sizes.v))
            },
            listing: LISTED * x.max(u).max(longest_y).max(longest_v),
            // What the first queen leaves, the second, and so on, is not as much as there was.
            own: OUTER * (x + u + filtered)
                + if is_sliced {
                    inner(longest_y, longest_v)
                } else {
                    0
                }
                + made.bytes
                + batch * (tables + COUNTED * walkers),
        }
    }
}

/// What is made of the outer lists, strips or chunks: of the representative with the most.
struct Made {
    bytes: u64,
    /// Whether all of it finds room at once.
    is_complete: bool,
}

impl Made {
    fn new(symmetry: &Symmetry, method: Method, sides: &[[Side; 2]]) -> Self {
        let rooms = Rooms::default();
        let n = symmetry.even + symmetry.odd;
        // A row of bits for each diagonal; of chunks, about as many for squares, and the keys.
        let diagonals = HalfBoards::new(n).ee.diagonals.max(1) as u64;
        let mut made = Made {
            bytes: 0,
            is_complete: true,
        };
        for sides in sides {
            let mut bytes = 0;
            for (side, is_white) in sides.iter().zip([true, false]) {
                let depth = method.trie(is_white);
                let placements = side.fitting_in_all(depth);
                let (room, bits, growth) = match depth {
                    Some(_) => (rooms.chunks as u64, diagonals + 16, 5),
                    None => (rooms.strips as u64, diagonals, 8),
                };
                let needed = placements.saturating_mul(bits) / 8;
                made.is_complete &= needed < room;
                bytes += needed.min(room * bits / diagonals) * growth / 4;
            }
            made.bytes = made.bytes.max(bytes);
        }
        made
    }
}

/// How many tasks with the same even rows begin with the same odd rows, at most: with those
/// of the prefixes of both colours.
fn alike(class: Class, symmetry: &Symmetry, method: Method) -> u64 {
    let (white, black) = (class.odd, symmetry.odd - class.odd);
    let depth = |is_white, queens: u32| {
        let depth = method
            .trie(is_white)
            .unwrap_or(packed::depth(queens as usize));
        (depth as u32).min(queens)
    };
    let (white, black) = (white - depth(true, white), black - depth(false, black));
    // Rows are at most 16.
    (1..=u64::from(white)).fold(1, |ways, row| ways * (u64::from(black) + row) / row)
}

/// What a count takes whose blocks cost so much at most.
pub(crate) fn memory(classes: &[ClassPlan], block: u64) -> Memory {
    /// As few threads as these are soon on all shelves of a class, or its shelves are freed
    /// while it is counted.
    const FEW: u128 = 16;
    let most = |part: &dyn Fn(&ClassPlan) -> u64| classes.iter().map(part).max().unwrap_or(0);
    let shelf_cost = |class: &ClassPlan| {
        let cost = class.cost / class.shelves().max(1) as u64;
        u128::from(cost.max(1))
    };
    let are_all_held = |class: &ClassPlan| {
        let blocks = FEW * u128::from(block) / shelf_cost(class);
        blocks + 1 >= class.shelves() as u128
    };
    // The last shelf of a class stands beside the first one of the next.
    let neighbours = classes.windows(2).map(|pair| {
        let [a, b] = [&pair[0], &pair[1]];
        a.footprint.shelf + b.footprint.shelf
    });
    let held = |class: &ClassPlan| {
        let shelves = if are_all_held(class) {
            class.shelves() as u64
        } else {
            2
        };
        class.footprint.shelf * shelves
    };
    // The part of a shelf that one thread more keeps from being freed.
    let part_of_shelf = |class: &ClassPlan| {
        let (bytes, cost) = (u128::from(class.footprint.shelf), shelf_cost(class));
        if are_all_held(class) {
            0
        } else {
            (bytes * u128::from(block).min(cost) / cost) as u64
        }
    };
    Memory::new(
        most(&held).max(neighbours.max().unwrap_or(0)),
        most(&|class| class.footprint.listing)
            + most(&|class| class.footprint.own)
            + most(&part_of_shelf),
    )
}
