//! Slices of a task: for a sample, cheap ones, whose cost tells that of the whole; where its
//! lists would be too long, shorter ones; and where its counts would be too large, smaller ones.
//!
//! A pair of column sets is a term of the task's sum. With packed lanes on both sides a slice
//! takes some of the even and some of the odd column sets: both joins shrink with each.
//!
//! A trie on fewer inner placements has fewer that share its nodes, so that a slice by inner
//! column sets would cost more than its share. It takes some of the outer column sets instead,
//! and some of the inner list's prefixes: the walk shrinks with both, everything else with the
//! outer column sets alone. Prefixes first: the fewer outer placements, the worse they fill
//! their chunks.
//!
//! Which slice a key or a prefix belongs to follows from the fractional part of its multiples
//! of the golden ratio. So every slice has its share of all kinds, whatever their order, and
//! every term is in one slice: the slices add up to the whole.
//!
//! **Long lists.** From n = 27 on, some classes have lists of so many placements that a few of
//! them fill the memory. Their tasks are counted slice by slice, with lists that are that much
//! shorter: outer column sets divide the outer list, prefixes the inner one, and with packed
//! lanes either kind of column sets divides one list of each colour.
//!
//! **Large counts.** With half of the inner placements, a pair of column sets has half as many
//! placements, about; with half of those of both colours there are four slices.

use std::borrow::Cow;

use crate::engine::Slice;
use crate::engine::colours::{
    column_sets::Keys,
    half::HalfBoards,
    orbits::{Class, Symmetry},
    schedule::{
        class::{ClassPlan, Method},
        sizes::longest_list,
    },
};

/// A slice has about so many column sets, where some are left out, and so many prefixes
/// at least: with fewer, it would spend its time on what does not shrink. Slices that are
/// nearly as small still tell too high a cost: 1.3 to 2.6 times, of four tasks at n = 28.
const LEAST_SETS: usize = 128;
const LEAST_PREFIXES: usize = 16;

/// A list should not have more placements than this, as estimated. Each takes about thirty
/// bytes, with what is made of it. On the largest boards, whose tables of counts take half of
/// a gigabyte and where nearly every task is counted in slices anyway, two thirds of that.
fn longest_listed(n: u32) -> u64 {
    if n <= 28 { 3 << 23 } else { 2 << 23 }
}

/// Into how many slices the tasks of a class are divided so that no list is too long. Powers
/// of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slicing {
    pub(crate) even: u32,
    pub(crate) odd: u32,
    pub(crate) white: u32,
    pub(crate) black: u32,
}

impl Slicing {
    /// Tasks are counted whole.
    pub(crate) const NONE: Slicing = Slicing {
        even: 1,
        odd: 1,
        white: 1,
        black: 1,
    };

    pub(crate) fn new(class: Class, symmetry: &Symmetry, method: Method) -> Slicing {
        let (even, odd) = (symmetry.even, symmetry.odd);
        // Restricted lists are no longer than those of the whole board.
        let halves = HalfBoards::new(even + odd);
        let x = longest_list(&halves.ee, class.even);
        let y = longest_list(&halves.oo, class.odd);
        let u = longest_list(&halves.eo, even - class.even);
        let v = longest_list(&halves.oe, odd - class.odd);
        let longest = longest_listed(even + odd);
        // At most 16! / 2²⁴ < 2²¹.
        let slices = |list: u64| list.div_ceil(longest).next_power_of_two() as u32;
        match method {
            Method::Packed => Slicing {
                even: slices(x.max(v)),
                odd: slices(y.max(u)),
                ..Slicing::NONE
            },
            Method::Trie { white: true, .. } => Slicing {
                even: slices(x),
                odd: slices(u),
                white: slices(y),
                ..Slicing::NONE
            },
            Method::Trie { .. } => Slicing {
                even: slices(x),
                odd: slices(u),
                black: slices(v),
                ..Slicing::NONE
            },
        }
    }
}

/// A slice of a task, by what it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TaskSlice {
    /// Of the even and of the odd column sets.
    pub(crate) even: Slice,
    pub(crate) odd: Slice,
    /// Of the white and of the black inner placements, by their first queens.
    pub(crate) white: Slice,
    pub(crate) black: Slice,
}

impl TaskSlice {
    /// The task itself.
    pub(crate) const WHOLE: TaskSlice = TaskSlice {
        even: Slice::WHOLE,
        odd: Slice::WHOLE,
        white: Slice::WHOLE,
        black: Slice::WHOLE,
    };

    pub(crate) fn new(slice: Slice, class: &ClassPlan) -> TaskSlice {
        let bits = slice.of.ilog2();
        let [most, most_others] = limits(class);
        let halvings = match class.method {
            Method::Packed => bits.div_ceil(2),
            Method::Trie { .. } => bits,
        };
        let of = 1 << halvings.min(most).max(bits.saturating_sub(most_others));
        let first = Slice {
            index: slice.index % of,
            of,
        };
        let second = Slice {
            index: slice.index / of,
            of: slice.of / of,
        };
        let mut taken = TaskSlice::WHOLE;
        match class.method {
            Method::Packed => (taken.odd, taken.even) = (first, second),
            Method::Trie { white: true, .. } => (taken.white, taken.even) = (first, second),
            Method::Trie { .. } => (taken.black, taken.odd) = (first, second),
        }
        taken
    }

    /// The slices of this slice that are as small as a slicing wants them. Those with the same
    /// column sets come one after the other: they have the same outer lists.
    pub(crate) fn slices(self, slicing: Slicing) -> impl Iterator<Item = TaskSlice> {
        let evens = finer(self.even, slicing.even);
        evens.flat_map(move |even| {
            finer(self.odd, slicing.odd).flat_map(move |odd| {
                finer(self.white, slicing.white).flat_map(move |white| {
                    finer(self.black, slicing.black).map(move |black| TaskSlice {
                        even,
                        odd,
                        white,
                        black,
                    })
                })
            })
        })
    }

    /// The four slices with half of the inner placements of each colour, in which a pair of
    /// column sets has half as many placements, about. None once both were halved so often
    /// that this cannot be the cause.
    pub(crate) fn quarters(self) -> Option<impl Iterator<Item = TaskSlice>> {
        const MOST: u32 = 64;
        let (white, black) = (2 * self.white.of, 2 * self.black.of);
        let slicing = Slicing {
            white,
            black,
            ..Slicing::NONE
        };
        (white.min(black) <= MOST).then(|| self.slices(slicing))
    }
}

/// The slices that this slice is made of if there are so many slices in all, or itself.
fn finer(slice: Slice, of: u32) -> impl Iterator<Item = Slice> {
    let times = (of / slice.of).max(1);
    (0..times).map(move |index| Slice {
        index: slice.index * times + index,
        of: slice.of * times,
    })
}

/// Into how many slices a task of the class can be divided.
pub(crate) fn most_slices(class: &ClassPlan) -> u32 {
    1 << limits(class).iter().sum::<u32>()
}

/// The logarithms of the numbers of slices in each way to divide.
fn limits(class: &ClassPlan) -> [u32; 2] {
    let (even, odd) = (class.even_keys.len(), class.odd_keys.len());
    // At most 12,870 column sets and 16⁴ prefixes.
    let slices = |of: usize, least: usize| (of / least).checked_ilog2().unwrap_or(0);
    match class.method {
        Method::Packed => [slices(odd, LEAST_SETS), slices(even, LEAST_SETS)],
        Method::Trie { white, .. } => {
            let outer = if white { even } else { odd };
            let prefixes = class.prefixes() as usize;
            [slices(prefixes, LEAST_PREFIXES), slices(outer, LEAST_SETS)]
        }
    }
}

/// The column sets of a slice. They are numbered anew, so that all that is made for each pair of
/// them is smaller, too.
pub(crate) fn of_slice(keys: &Keys, slice: Slice) -> Cow<'_, Keys> {
    if slice == Slice::WHOLE {
        return Cow::Borrowed(keys);
    }
    Cow::Owned(keys.only(|key| takes(slice, key)))
}

/// Whether this number is in the slice.
pub(crate) fn takes(slice: Slice, number: u32) -> bool {
    // 2³² over the golden ratio.
    let turns = u64::from(number.wrapping_mul(0x9e37_79b9));
    (turns * u64::from(slice.of)) >> 32 == u64::from(slice.index)
}
