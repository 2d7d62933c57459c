//! The eight symmetries of the board, as weights: which choices of rows are tasks,
//! which column sets a task counts, and for how many solutions each stands.
//!
//! A solution has white queens on rows R = (Rₑ, Rₒ) and columns C = (Cₑ, Cₒ), each a
//! set of even and a set of odd lines. With g(R, C) solutions for each pair,
//! Q(n) = Σ g(R, C). The symmetries permute the pairs:
//!
//! | map | even n | odd n |
//! |---|---|---|
//! | half turn | R → ρR = (rev Rₒ, rev Rₑ), C likewise | R → ρR = (rev Rₑ, rev Rₒ), C likewise |
//! | mirrored columns | swaps the colours: R → Rᶜ, C → (rev Cₒ, rev Cₑ)ᶜ | C → (rev Cₑ, rev Cₒ) |
//! | transposition | g(R, C) = g(C, R) | the same |
//!
//! **Rows.** f(R) = Σ_C g(R, C) is the same along the orbit of R under ρ (and, for
//! even n, the complement). One R per orbit, the smallest, is a task; its weight is
//! the size of the orbit.
//!
//! **Columns, even n.** κ(R) = min(Rₑ, Rₑᶜ, rev Rₒ, rev Rₒᶜ) is constant on orbits of
//! R, and the same maps generate the orbits of C. By transposition
//! Σ g over κ(C) < κ(R) equals Σ g over κ(C) > κ(R): count the terms with
//! κ(C) > κ(R) twice, those with equality once, the others not at all. κ(C) ≥ κ is
//! two separate conditions, on Cₑ and on Cₒ ([`even_reach`](Symmetry::even_reach),
//! [`odd_reach`](Symmetry::odd_reach)); the weight is 1 if *either* meets κ exactly,
//! so it is the smaller of the two.
//!
//! **Columns, odd n.** Mirrored columns keep R: take Cₑ ≤ rev Cₑ, twice where they
//! differ. Transposition, with κ(R) = min(Rₑ, rev Rₑ): Cₑ ≥ κ, twice where greater.
//! Only the even columns are restricted.
//!
//! Since a task is the smallest of its orbit, its κ is its own first set of rows.

use crate::board::mask::full;

/// The symmetry rules for boards of side n.
#[derive(Debug, Clone, Copy)]
pub(super) struct Symmetry {
    n: u32,
    /// ⌈n/2⌉, the even lines.
    pub(super) even: u32,
    /// ⌊n/2⌋, the odd lines.
    pub(super) odd: u32,
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
    /// κ(R), the threshold for the column sets.
    pub(super) kappa: u32,
    /// The even rows of the white queens.
    pub(super) rows: u32,
    /// Whether the complement of the smallest R is counted in its place (they have
    /// the same f), so that white is always the colour with fewer queens.
    flipped: bool,
}

/// The weight of a column set that puts no bound on that of its partner.
const NEUTRAL: u32 = 4;

impl Symmetry {
    pub(super) fn new(n: u32) -> Self {
        Symmetry {
            n,
            even: n.div_ceil(2),
            odd: n / 2,
        }
    }

    fn is_odd(&self) -> bool {
        self.n % 2 == 1
    }

    /// Every class with a task. White has `even - odd` more even than odd columns
    /// of its own on an odd board, so one more queen on even rows.
    pub(super) fn classes(&self) -> impl Iterator<Item = Class> + use<> {
        let (extra, last) = if self.is_odd() {
            (1, self.even)
        } else {
            (0, self.even / 2)
        };
        (extra..=last).map(move |even| Class {
            even,
            odd: even - extra,
        })
    }

    /// The even rows that tasks of a class can have, by rising κ.
    pub(super) fn representatives(
        self,
        class: Class,
    ) -> impl Iterator<Item = Representative> + Clone + use<> {
        let all = full(self.even);
        (0..=all).filter_map(move |kappa| {
            let queens = kappa.count_ones();
            if self.is_odd() {
                let smallest = queens == class.even && kappa <= reversed(kappa, self.even);
                return smallest.then_some(Representative {
                    kappa,
                    rows: kappa,
                    flipped: false,
                });
            }
            let flipped = queens != class.even;
            let smallest = kappa <= all - kappa && (!flipped || queens == self.even - class.even);
            smallest.then_some(Representative {
                kappa,
                rows: if flipped { all - kappa } else { kappa },
                flipped,
            })
        })
    }

    /// How many choices of rows a task stands for, or `None` if these odd rows and
    /// the representative's even rows are not the smallest of their orbit.
    pub(super) fn weight(&self, representative: &Representative, odd_rows: u32) -> Option<u32> {
        let (all_even, all_odd) = (full(self.even), full(self.odd));
        let even = representative.kappa;
        if self.is_odd() {
            let odd = odd_rows;
            let image = (reversed(even, self.even), reversed(odd, self.odd));
            return match image.cmp(&(even, odd)) {
                std::cmp::Ordering::Less => None,
                std::cmp::Ordering::Equal => Some(1),
                std::cmp::Ordering::Greater => Some(2),
            };
        }
        let odd = if representative.flipped {
            all_odd - odd_rows
        } else {
            odd_rows
        };
        let this = (even, odd);
        let turned = (reversed(odd, self.odd), reversed(even, self.even));
        let complement = (all_even - even, all_odd - odd);
        let both = (all_even - turned.0, all_odd - turned.1);
        let others = [turned, complement, both];
        if others.iter().any(|other| *other < this) {
            return None;
        }
        // The maps are commuting involutions: what does not move the task halves its
        // orbit.
        let fixed = others.iter().filter(|other| **other == this).count();
        Some(4 / (1 + fixed as u32))
    }

    /// How high odd rows rank: they are a task's with every representative that
    /// [asks](Symmetry::asked_rank) for no more. This is what [`weight`](Symmetry::weight)
    /// comes to: the complement of the smallest R is never smaller, and a turned one that
    /// starts alike is the same.
    pub(super) fn rank(&self, odd_rows: u32) -> u32 {
        if self.is_odd() {
            u32::from(odd_rows <= reversed(odd_rows, self.odd))
        } else {
            self.odd_reach(odd_rows)
        }
    }

    /// The least rank of the odd rows in the tasks of a representative.
    pub(super) fn asked_rank(&self, representative: &Representative) -> u32 {
        let kappa = representative.kappa;
        if self.is_odd() {
            u32::from(kappa == reversed(kappa, self.even))
        } else {
            kappa
        }
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

    /// The largest κ for which these even columns are counted, if they ever are.
    pub(super) fn even_reach(&self, columns: u32) -> Option<u32> {
        if self.is_odd() {
            (columns <= reversed(columns, self.even)).then_some(columns)
        } else {
            Some(columns.min(full(self.even) - columns))
        }
    }

    /// The largest κ for which these odd columns are counted.
    pub(super) fn odd_reach(&self, columns: u32) -> u32 {
        if self.is_odd() {
            return u32::MAX;
        }
        let columns = reversed(columns, self.odd);
        columns.min(full(self.odd) - columns)
    }

    /// The weight of even columns whose reach is at least κ. A term g(R, C) has the
    /// smaller of the weights of Cₑ and Cₒ.
    pub(super) fn even_weight(&self, kappa: u32, columns: u32) -> u32 {
        let transposed = if self.even_reach(columns) > Some(kappa) {
            2
        } else {
            1
        };
        let palindrome = columns == reversed(columns, self.even);
        let mirrored = if self.is_odd() && !palindrome { 2 } else { 1 };
        transposed * mirrored
    }

    /// The weight of odd columns whose reach is at least κ.
    pub(super) fn odd_weight(&self, kappa: u32, columns: u32) -> u32 {
        match self.odd_reach(columns) {
            _ if self.is_odd() => NEUTRAL,
            reach if reach > kappa => 2,
            _ => 1,
        }
    }
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
    use super::*;

    fn binomial(n: u32, k: u32) -> u64 {
        (0..k).fold(1, |c, i| c * u64::from(n - i) / u64::from(i + 1))
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
