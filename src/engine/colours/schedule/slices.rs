//! Parts of a task: for a sample, cheap ones, whose cost tells that of the whole; and
//! where its lists would be too long, tiles.
//!
//! A pair of column sets is a term of the task's sum. With lanes on both sides a part
//! takes some of the even and some of the odd column sets: both joins shrink with each.
//!
//! A trie on fewer inner placements has fewer that share its nodes, so that a part by
//! inner column sets would cost more than its share. It takes some of the outer column
//! sets instead, and some of the inner list's prefixes: the walk shrinks with both,
//! everything else with the outer column sets alone. Prefixes first: the fewer outer
//! placements, the worse they fill their chunks.
//!
//! Which part a key belongs to follows from the fractional part of its multiples of the
//! golden ratio. So every part has its share of all kinds, whatever the order of the
//! keys, and every term is in one part: the parts add up to the whole.
//!
//! **Tiles.** From n = 27 on, some classes have lists of so many placements that a few of
//! them fill the memory. Their tasks are counted part by part, and the lists of a part are
//! that much shorter: outer column sets cut the outer list, prefixes the inner one, and
//! with lanes either kind of column sets cuts one list of each colour.

use std::borrow::Cow;

use crate::engine::Slice;
use crate::engine::colours::{
    ClassPlan, Method,
    column_sets::NEVER,
    orbits::{Class, Symmetry},
    schedule::cost::longest_list,
};

/// A part has about so many column sets, where some are left out, and so many prefixes
/// at least: with fewer, it would spend its time on what does not shrink. Parts that are
/// nearly as small still tell too high a cost: 1.3 to 2.6 times, of four tasks at n = 28.
const LEAST_SETS: usize = 128;
const LEAST_PREFIXES: usize = 16;

/// A list should not have more placements than this, as estimated. Really there are fewer:
/// of twenty lists for n = 28 and 30, from nine tenths down to a seventh. Each takes about
/// thirty bytes, with what is made of it.
const LONGEST_LIST: u64 = 1 << 25;

/// Into how many parts the tasks of a class are cut so that no list is too long. Powers
/// of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tiling {
    pub(crate) even: u32,
    pub(crate) odd: u32,
    pub(crate) white: u32,
    pub(crate) black: u32,
}

impl Tiling {
    /// Tasks are counted whole.
    pub(crate) const NONE: Tiling = Tiling {
        even: 1,
        odd: 1,
        white: 1,
        black: 1,
    };

    pub(crate) fn new(class: Class, symmetry: &Symmetry, method: Method) -> Tiling {
        let (even, odd) = (symmetry.even, symmetry.odd);
        let x = longest_list(even, even, class.even);
        let y = longest_list(odd, odd, class.odd);
        let u = longest_list(odd, even, even - class.even);
        let v = longest_list(even, odd, odd - class.odd);
        // At most 16! / 2²⁵ < 2²⁰.
        let parts = |list: u64| list.div_ceil(LONGEST_LIST).next_power_of_two() as u32;
        match method {
            Method::Packed => Tiling {
                even: parts(x.max(v)),
                odd: parts(y.max(u)),
                ..Tiling::NONE
            },
            Method::Trie { white: true, .. } => Tiling {
                even: parts(x),
                white: parts(y),
                ..Tiling::NONE
            },
            Method::Trie { .. } => Tiling {
                odd: parts(u),
                black: parts(v),
                ..Tiling::NONE
            },
        }
    }
}

/// A part of a task, by what it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Of the even and of the odd column sets.
    pub(crate) even: Slice,
    pub(crate) odd: Slice,
    /// Of the white and of the black inner placements, by their first queens.
    pub(crate) white: Slice,
    pub(crate) black: Slice,
}

impl Cut {
    /// The task itself.
    pub(crate) const WHOLE: Cut = Cut {
        even: Slice::WHOLE,
        odd: Slice::WHOLE,
        white: Slice::WHOLE,
        black: Slice::WHOLE,
    };

    pub(crate) fn new(part: Slice, class: &ClassPlan) -> Cut {
        let bits = part.of.ilog2();
        let [most, most_others] = limits(class);
        let taken = match class.method {
            Method::Packed => bits.div_ceil(2),
            Method::Trie { .. } => bits,
        };
        let of = 1 << taken.min(most).max(bits.saturating_sub(most_others));
        let first = Slice {
            index: part.index % of,
            of,
        };
        let second = Slice {
            index: part.index / of,
            of: part.of / of,
        };
        let mut cut = Cut::WHOLE;
        match class.method {
            Method::Packed => (cut.odd, cut.even) = (first, second),
            Method::Trie { white: true, .. } => (cut.white, cut.even) = (first, second),
            Method::Trie { .. } => (cut.black, cut.odd) = (first, second),
        }
        cut
    }

    /// The parts of this part that are as small as a tiling wants them. Those with the same
    /// column sets come one after the other: they have the same outer lists.
    pub(crate) fn tiles(self, tiling: Tiling) -> impl Iterator<Item = Cut> {
        let evens = finer(self.even, tiling.even);
        evens.flat_map(move |even| {
            finer(self.odd, tiling.odd).flat_map(move |odd| {
                finer(self.white, tiling.white).flat_map(move |white| {
                    finer(self.black, tiling.black).map(move |black| Cut {
                        even,
                        odd,
                        white,
                        black,
                    })
                })
            })
        })
    }

    /// The four parts with half of the inner placements of each colour, in which a pair of
    /// column sets has half as many placements, about. None if they were halved often
    /// enough to hold every count there is.
    pub(crate) fn quarters(self) -> Option<impl Iterator<Item = Cut>> {
        const MOST: u32 = 64;
        let (white, black) = (2 * self.white.of, 2 * self.black.of);
        let tiling = Tiling {
            white,
            black,
            ..Tiling::NONE
        };
        (white.max(black) <= MOST).then(|| self.tiles(tiling))
    }
}

/// The parts that this part is made of if there are so many parts in all, or itself.
fn finer(part: Slice, of: u32) -> impl Iterator<Item = Slice> {
    let times = (of / part.of).max(1);
    (0..times).map(move |index| Slice {
        index: part.index * times + index,
        of: part.of * times,
    })
}

/// Into how many parts a task of the class can be cut.
pub(crate) fn most_slices(class: &ClassPlan) -> u32 {
    1 << limits(class).iter().sum::<u32>()
}

/// The logarithms of the numbers of parts in each way to cut.
fn limits(class: &ClassPlan) -> [u32; 2] {
    let (even, odd) = (class.even_keys.len(), class.odd_keys.len());
    // At most 12,870 column sets and 16³ prefixes.
    let parts = |of: usize, least: usize| (of / least).checked_ilog2().unwrap_or(0);
    match class.method {
        Method::Packed => [parts(odd, LEAST_SETS), parts(even, LEAST_SETS)],
        Method::Trie { white, .. } => {
            let outer = if white { even } else { odd };
            let prefixes = class.prefixes() as usize;
            [parts(prefixes, LEAST_PREFIXES), parts(outer, LEAST_SETS)]
        }
    }
}

/// A table of keys with those of a part only: the others are [`NEVER`].
pub(crate) fn of_part(table: &[u16], part: Slice) -> Cow<'_, [u16]> {
    if part == Slice::WHOLE {
        return table.into();
    }
    let taken = |key: &u16| *key != NEVER && takes(part, (*key).into());
    let keys = table.iter().copied();
    keys.map(|key| Some(key).filter(taken).unwrap_or(NEVER))
        .collect()
}

/// Whether this number is in the part.
pub(crate) fn takes(part: Slice, number: u32) -> bool {
    // 2³² over the golden ratio.
    let turns = u64::from(number.wrapping_mul(0x9e37_79b9));
    (turns * u64::from(part.of)) >> 32 == u64::from(part.index)
}
