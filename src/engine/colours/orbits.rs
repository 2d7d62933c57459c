//! The eight symmetries of the board, as weights: which choices of rows are tasks,
//! which column sets a task counts, and for how many solutions each stands.
//!
//! A solution has white queens on rows R = (Rₑ, Rₒ) and columns C = (Cₑ, Cₒ), each a
//! set of even and a set of odd lines. With g(R, C) solutions for each pair, the count is
//! Σ g(R, C). The symmetries permute the pairs:
//!
//! | map | even n | odd n |
//! |---|---|---|
//! | half turn | R → ρR = (rev Rₒ, rev Rₑ), C likewise | R → ρR = (rev Rₑ, rev Rₒ), C likewise |
//! | mirrored columns | swaps the colours: R → Rᶜ, C → (rev Cₒ, rev Cₑ)ᶜ | C → (rev Cₑ, rev Cₒ) |
//! | transposition | g(R, C) = g(C, R) | the same |
//!
//! A whole board has all eight. Required and forbidden squares leave the subgroup H that
//! maps the allowed squares to themselves; V are the maps of H that take rows to rows, T
//! those that take rows to columns. There are none in T, or as many as in V.
//!
//! **Rows.** f(R) = Σ_C g(R, C) is the same along the orbit of R under V. One R per orbit,
//! the smallest, is a task; its weight is the size of the orbit.
//!
//! **Columns, by T.** Sets of even rows have an order ([`place`](Symmetry::place)), in which
//! κ(R) = min over v in V of (vR)ₑ is constant on orbits of R. A map in T takes (R, C) to
//! (R', C'), where R' is a function of C alone. So λ(C) = min over t in T of the even rows of
//! t(C) is κ(R') for whichever t was taken, and such a map exchanges κ(R) and λ(C): Σ g over
//! λ(C) < κ(R) equals Σ g over λ(C) > κ(R). Count the terms with λ(C) > κ(R) twice, those with
//! equality once, the others not at all. Each image of C has even rows that are made of Cₑ
//! alone or of Cₒ alone:
//!
//! | map in T | even n | odd n |
//! |---|---|---|
//! | transposition | Cₑ | Cₑ |
//! | quarter turn, clockwise | Cₑᶜ | Cₑ |
//! | three quarters of a turn | rev Cₒᶜ | rev Cₑ |
//! | mirror on the other diagonal | rev Cₒ | rev Cₑ |
//!
//! so that λ(C) ≥ κ is two separate conditions, on Cₑ and on Cₒ
//! ([`even_reach`](Symmetry::even_reach), [`odd_reach`](Symmetry::odd_reach)); the weight is 1
//! if *either* meets κ exactly, so it is the smaller of the two.
//!
//! **Columns, odd n.** Mirrored columns keep R: if they are in V, take Cₑ ≤ rev Cₑ, twice
//! where they differ.
//!
//! Since a task is the smallest of its orbit, its κ is its own first set of rows.
//!
//! **The order.** Any one will do. On an even board the turned odd rows of a task come no earlier
//! in it than its even rows, and so the order decides which odd rows go with the same even rows:
//! with central lines first, those that are alike in the centre, where inner lists begin. So
//! neighbouring tasks share up to three times as much as with sets in the order of numbers.

use crate::board::{
    Symmetry::{self as Map, *},
    mask::full,
};

/// The symmetry rules for boards of side n.
#[derive(Debug, Clone, Copy)]
pub(super) struct Symmetry {
    n: u32,
    /// ⌈n/2⌉, the even lines.
    pub(super) even: u32,
    /// ⌊n/2⌋, the odd lines.
    pub(super) odd: u32,
    /// V and T: the symmetries of the problem that take rows to rows, and to columns.
    rows: Maps,
    columns: Maps,
}

/// A set of symmetries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Maps(u8);

impl Maps {
    fn new(maps: impl Iterator<Item = Map>) -> Self {
        Maps(maps.fold(0, |set, map| set | 1 << map as u8))
    }

    fn has(self, map: Map) -> bool {
        self.0 >> map as u8 & 1 == 1
    }

    fn any(self, maps: &[Map]) -> bool {
        maps.iter().any(|&map| self.has(map))
    }

    fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The first of the places of these sets whose maps are in this set; without any, no bound.
    fn least<const N: usize>(self, images: [(Map, u32); N], place: impl Fn(u32) -> u32) -> u32 {
        images.into_iter().fold(u32::MAX, |least, (map, image)| {
            if self.has(map) {
                least.min(place(image))
            } else {
                least
            }
        })
    }
}

/// How many white queens stand on even and on odd rows (and so on columns).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) even: u32,
    pub(super) odd: u32,
}

/// The even rows of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Representative {
    /// κ(R), the threshold for the column sets, as a place in the order of such sets.
    pub(super) kappa: u32,
    /// The even rows of the white queens.
    pub(super) rows: u32,
}

/// The weight of a column set that puts no bound on that of its partner.
const NEUTRAL: u32 = 4;

impl Symmetry {
    /// Those of a whole board.
    #[cfg(test)]
    pub(super) fn new(n: u32) -> Self {
        Self::of(n, Map::ALL)
    }

    /// Those of a problem with these symmetries.
    pub(super) fn of(n: u32, maps: &[Map]) -> Self {
        let kept = |keeps| {
            Maps::new(
                maps.iter()
                    .copied()
                    .filter(move |map| map.keeps_rows() == keeps),
            )
        };
        Symmetry {
            n,
            even: n.div_ceil(2),
            odd: n / 2,
            rows: kept(true),
            columns: kept(false),
        }
    }

    /// Those of the same tasks on the board turned by half: a column set there is counted
    /// if its image is counted here.
    pub(super) fn on_turned_board(self) -> Self {
        let columns = Map::ALL.iter().filter(|&&map| self.columns.has(map));
        Symmetry {
            columns: Maps::new(columns.map(|map| map.then(HalfTurn))),
            ..self
        }
    }

    fn is_odd(&self) -> bool {
        self.n % 2 == 1
    }

    /// Whether a map swaps the colours and keeps the rows.
    fn swaps(&self) -> bool {
        !self.is_odd() && self.rows.has(LeftRight)
    }

    /// Whether a map swaps the colours, so that white may be the one with fewer queens.
    fn has_fewer_white(&self) -> bool {
        !self.is_odd() && self.rows.any(&[LeftRight, TopBottom])
    }

    /// Whether a map reverses the rows of an odd board.
    fn reverses(&self) -> bool {
        self.rows.any(&[HalfTurn, TopBottom])
    }

    /// Every class with a task. White has `even - odd` more even than odd columns
    /// of its own on an odd board, so one more queen on even rows.
    pub(super) fn classes(&self) -> impl Iterator<Item = Class> + use<> {
        let extra = self.even - self.odd;
        let last = if self.has_fewer_white() {
            self.even / 2
        } else {
            self.even
        };
        (extra..=last).map(move |even| Class {
            even,
            odd: even - extra,
        })
    }

    /// The place of a set of even lines in the order that κ is the least of: a number to compare.
    /// On an even board a set with fewer lines comes first, so that white is the colour with fewer
    /// queens, and of those with as many, the one that has the first of the central lines in
    /// which they differ. On an odd one any order serves equally well.
    fn place(&self, lines: u32) -> u32 {
        if self.is_odd() {
            return lines;
        }
        let others = full(self.even) - lines;
        lines.count_ones() << 16 | centre_first(reversed(others, self.even), self.even)
    }

    /// The even rows that tasks of a class can have, by rising κ.
    pub(super) fn representatives(self, class: Class) -> Vec<Representative> {
        let all = full(self.even);
        let sets = (0..=all).filter(|rows| rows.count_ones() == class.even);
        let representatives = sets.filter_map(|rows| {
            let kappa = self.place(rows);
            let image = if self.is_odd() {
                self.reverses().then(|| reversed(rows, self.even))
            } else {
                self.swaps().then_some(all - rows)
            };
            let is_smallest = image.is_none_or(|image| kappa <= self.place(image));
            is_smallest.then_some(Representative { kappa, rows })
        });
        let mut representatives: Vec<Representative> = representatives.collect();
        representatives.sort_unstable_by_key(|representative| representative.kappa);
        representatives
    }

    /// How many choices of rows a task stands for, or `None` if these odd rows and
    /// the representative's even rows are not the smallest of their orbit.
    pub(super) fn weight(&self, representative: &Representative, odd_rows: u32) -> Option<u32> {
        if self.rank(odd_rows) < self.asked_rank(representative) {
            return None;
        }
        let (all_even, all_odd) = (full(self.even), full(self.odd));
        let this = (representative.rows, odd_rows);
        let turned = (reversed(this.0, self.even), reversed(this.1, self.odd));
        if self.is_odd() {
            return Some(orbit_size(this, self.reverses().then_some(turned)));
        }
        // The turn of an even board maps even rows to odd ones.
        let turned = (turned.1, turned.0);
        let complement = |(even, odd)| (all_even - even, all_odd - odd);
        let images = [
            (HalfTurn, turned),
            (LeftRight, complement(this)),
            (TopBottom, complement(turned)),
        ];
        let images = images.into_iter().filter(|&(map, _)| self.rows.has(map));
        Some(orbit_size(this, images.map(|(_, image)| image)))
    }

    /// How high odd rows rank: they are a task's with every representative that
    /// [asks](Symmetry::asked_rank) for no more. This is all that makes a choice of rows the
    /// smallest of its orbit: the complement of the smallest R is never smaller, and a turned one
    /// that starts alike is the same.
    pub(super) fn rank(&self, odd_rows: u32) -> u32 {
        let turned = reversed(odd_rows, self.odd);
        if self.is_odd() {
            return u32::from(odd_rows <= turned || !self.reverses());
        }
        let others = full(self.odd) - turned;
        self.rows
            .least([(HalfTurn, turned), (TopBottom, others)], |rows| {
                self.place(rows)
            })
    }

    /// The least rank of the odd rows in the tasks of a representative.
    pub(super) fn asked_rank(&self, representative: &Representative) -> u32 {
        if self.is_odd() {
            u32::from(representative.rows == reversed(representative.rows, self.even))
        } else {
            representative.kappa
        }
    }

    /// Whether the odd rows of a representative's tasks are neighbours in the order of
    /// [`centre_first`]: if the turned ones are compared with the even rows.
    pub(super) fn tasks_are_neighbours(&self) -> bool {
        !self.is_odd()
    }

    /// The same task turned by half: other rows, the same count.
    pub(super) fn turned(
        &self,
        representative: &Representative,
        odd_rows: u32,
    ) -> (Representative, u32) {
        let even = reversed(representative.rows, self.even);
        let odd = reversed(odd_rows, self.odd);
        // The turn of an even board maps even rows to odd ones.
        let (rows, odd_rows) = if self.is_odd() {
            (even, odd)
        } else {
            (odd, even)
        };
        let turned = Representative {
            rows,
            ..*representative
        };
        (turned, odd_rows)
    }

    /// Whether mirrored columns keep the rows, so that one of two column sets is enough.
    fn halves_columns(&self) -> bool {
        self.is_odd() && self.rows.has(LeftRight)
    }

    /// The largest κ for which these even columns are counted, if they ever are.
    pub(super) fn even_reach(&self, columns: u32) -> Option<u32> {
        let turned = reversed(columns, self.even);
        if self.halves_columns() && columns > turned {
            return None;
        }
        let place = |lines| self.place(lines);
        Some(if self.is_odd() {
            let images = [
                (Diagonal, columns),
                (QuarterTurn, columns),
                (ThreeQuarterTurn, turned),
                (Antidiagonal, turned),
            ];
            self.columns.least(images, place)
        } else {
            let others = full(self.even) - columns;
            let images = [(Diagonal, columns), (QuarterTurn, others)];
            self.columns.least(images, place)
        })
    }

    /// The largest κ for which these odd columns are counted.
    pub(super) fn odd_reach(&self, columns: u32) -> u32 {
        if self.is_odd() {
            return u32::MAX;
        }
        let turned = reversed(columns, self.odd);
        let others = full(self.odd) - turned;
        let images = [(Antidiagonal, turned), (ThreeQuarterTurn, others)];
        self.columns.least(images, |lines| self.place(lines))
    }

    /// The weight of even columns whose reach is at least κ. A term g(R, C) has the
    /// smaller of the weights of Cₑ and Cₒ.
    pub(super) fn even_weight(&self, kappa: u32, columns: u32) -> u32 {
        let is_above = self.even_reach(columns) > Some(kappa);
        let transposed = if is_above && self.columns.len() > 0 {
            2
        } else {
            1
        };
        let palindrome = columns == reversed(columns, self.even);
        let mirrored = if self.halves_columns() && !palindrome {
            2
        } else {
            1
        };
        transposed * mirrored
    }

    /// The weight of odd columns whose reach is at least κ.
    pub(super) fn odd_weight(&self, kappa: u32, columns: u32) -> u32 {
        if self.odd_reach(columns) > kappa {
            NEUTRAL
        } else {
            1
        }
    }
}

/// How many different images a choice of rows has, itself among them.
fn orbit_size(this: (u32, u32), images: impl IntoIterator<Item = (u32, u32)>) -> u32 {
    // What does not move it is one part of the group, the orbit the other.
    let (mut maps, mut fixed) = (1, 1);
    for image in images {
        maps += 1;
        fixed += u32::from(image == this);
    }
    maps / fixed
}

/// A set of lines as a number to compare, in which those in the centre come first: lines from the
/// middle outwards, as [inner placements](super::placements) are filled.
pub(super) fn centre_first(lines: u32, width: u32) -> u32 {
    let nearest = (0..width).map(|place| {
        let step = place.div_ceil(2);
        // Above the middle and below it in turns.
        if (place + width).is_multiple_of(2) {
            (width - 1) / 2 - step
        } else {
            (width - 1) / 2 + step
        }
    });
    nearest.fold(0, |number, line| number << 1 | lines >> line & 1)
}

/// The lines of a set counted from the other end.
pub(super) fn reversed(set: u32, width: u32) -> u32 {
    if width == 0 {
        return 0;
    }
    set.reverse_bits() >> (32 - width)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use crate::engine::colours::placements;

    fn binomial(n: u32, k: u32) -> u64 {
        (0..k).fold(1, |c, i| c * u64::from(n - i) / u64::from(i + 1))
    }

    #[test]
    fn sets_are_ordered_by_the_lines_that_placements_fill_first() {
        for width in 1..=16 {
            let lines = placements::central_first(full(width), width);
            let places = lines.iter().map(|&line| centre_first(1 << line, width));
            assert!(places.eq((0..width).rev().map(|place| 1 << place)));
        }
    }

    #[test]
    fn tasks_of_a_representative_are_neighbours() {
        for n in [6, 12, 16, 18] {
            let symmetry = Symmetry::new(n);
            for class in symmetry.classes() {
                let mut odd_rows: Vec<u32> = (0..=full(symmetry.odd)).collect();
                odd_rows.retain(|rows| rows.count_ones() == class.odd);
                odd_rows.sort_by_key(|&rows| Reverse(centre_first(rows, symmetry.odd)));
                for representative in symmetry.representatives(class) {
                    let is_task = |rows: &u32| symmetry.weight(&representative, *rows).is_some();
                    let runs = odd_rows.chunk_by(|a, b| is_task(a) == is_task(b));
                    // Above half of the queens every choice has a smaller complement.
                    let runs = runs.filter(|run| is_task(&run[0])).count();
                    assert!(runs <= 1, "n = {n}, {class:?}, {representative:?}");
                }
            }
        }
    }

    #[test]
    fn weights_sum_to_every_choice_of_rows() {
        for n in 0..=18 {
            let symmetry = Symmetry::new(n);
            let mut sum = 0u64;
            for class in symmetry.classes() {
                for representative in symmetry.representatives(class) {
                    assert_eq!(representative.rows.count_ones(), class.even);
                    for odd_rows in 0..=full(symmetry.odd) {
                        if odd_rows.count_ones() == class.odd {
                            let weight = symmetry.weight(&representative, odd_rows);
                            let asked = symmetry.asked_rank(&representative);
                            let is_task = symmetry.rank(odd_rows) >= asked;
                            assert_eq!(weight.is_some(), is_task, "n = {n}");
                            sum += u64::from(weight.unwrap_or(0));
                        }
                    }
                }
            }
            // Σ over a of C(⌈n/2⌉, a) · C(⌊n/2⌋, a - extra) = C(n, ⌊n/2⌋), Vandermonde.
            assert_eq!(sum, binomial(n, n / 2), "n = {n}");
        }
    }
}
