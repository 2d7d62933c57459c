//! Solutions up to symmetry, counted without listing them.
//!
//! By Burnside's lemma the number of classes is the average, over the eight
//! symmetries, of the number of solutions that each leaves as they are: all Q(n) for
//! the identity, R180(n) for the half turn, R90(n) for each of the two quarter turns,
//! and none for a mirror when n ≥ 2 (a queen and its mirror image attack each other,
//! and only one queen fits the axis). So there are
//!
//! ```text
//! (Q(n) + R180(n) + 2·R90(n)) / 8
//! ```
//!
//! classes: R90/2 of two images, (R180 − R90)/4 of four, (Q − R180)/8 of eight.
//!
//! R180 and R90 are counted by placing whole orbits: a queen and what the turns make
//! of it, two or four at once. No orbit but the queen on the centre of an odd board
//! may touch a main diagonal, as its queens would attack each other there; within an
//! orbit there is no other attack. The lines in use are symmetric at every step, so
//! an orbit fits as soon as one of its queens does. A mirror maps these solutions onto
//! each other, so the first queen need only go through the left half.

use crate::{
    board::{
        MAX_N,
        mask::{columns, full},
    },
    error::Error,
    threads::Cancel,
};

/// R180(n): the solutions that a half turn leaves as they are, for n from 0 to
/// [`MAX_N`].
///
/// ```
/// assert_eq!(queens::half_turn(8)?, 4);
/// assert_eq!(queens::half_turn(12)?, 80);
/// # Ok::<(), queens::Error>(())
/// ```
pub fn half_turn(n: u32) -> Result<u128, Error> {
    fixed::<false>(n, &Cancel::new())
}

/// R90(n): the solutions that a quarter turn leaves as they are, for n from 0 to
/// [`MAX_N`].
///
/// ```
/// assert_eq!(queens::quarter_turn(8)?, 0);
/// assert_eq!(queens::quarter_turn(12)?, 8);
/// # Ok::<(), queens::Error>(())
/// ```
pub fn quarter_turn(n: u32) -> Result<u128, Error> {
    fixed::<true>(n, &Cancel::new())
}

/// How many classes of 8, 4, 2 and 1 solutions there are that differ only by turns
/// and mirrors.
///
/// ```
/// use queens::Classes;
///
/// let classes = Classes::new(8, queens::count(8)?)?;
/// assert_eq!((classes.of_eight, classes.of_four), (11, 1));
/// assert_eq!(classes.fundamental(), 12); // A002562
/// assert_eq!(classes.solutions(), 92);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Classes {
    /// Classes of solutions without symmetry.
    pub of_eight: u128,
    /// Classes of solutions that only a half turn leaves as they are.
    pub of_four: u128,
    /// Classes of solutions that a quarter turn leaves as they are.
    pub of_two: u128,
    /// Classes of solutions that nothing changes: one for n = 0 and 1.
    pub of_one: u128,
}

impl Classes {
    /// The classes of `all` solutions for a board of side `n`; this counts the
    /// symmetric ones. An `all` that leaves a fraction of a class is wrong, and an
    /// error.
    ///
    /// ```
    /// use queens::Classes;
    ///
    /// assert_eq!(Classes::new(4, 2)?.of_two, 1);
    /// assert!(Classes::new(8, 93).is_err());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn new(n: u32, all: u128) -> Result<Self, Error> {
        Classes::new_cancellable(n, all, &Cancel::new())
    }

    /// The classes as by [`Classes::new`], which takes long from n = 28 or so, unless
    /// this flag is raised meanwhile.
    ///
    /// ```
    /// use queens::{Cancel, Classes};
    ///
    /// let cancel = Cancel::new();
    /// assert_eq!(Classes::new_cancellable(12, 14_200, &cancel)?, Classes::new(12, 14_200)?);
    /// cancel.cancel();
    /// assert!(Classes::new_cancellable(12, 14_200, &cancel).is_err());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn new_cancellable(n: u32, all: u128, cancel: &Cancel) -> Result<Self, Error> {
        let (half, quarter) = (fixed::<false>(n, cancel)?, fixed::<true>(n, cancel)?);
        let whole = |solutions: Option<u128>, size: u128| {
            solutions
                .filter(|solutions| solutions % size == 0)
                .map(|solutions| solutions / size)
                .ok_or(Error::BrokenClasses {
                    n,
                    all,
                    half,
                    quarter,
                })
        };
        let single = n < 2;
        Ok(Classes {
            of_eight: whole(all.checked_sub(half), 8)?,
            of_four: whole(half.checked_sub(quarter), 4)?,
            of_two: if single { 0 } else { whole(Some(quarter), 2)? },
            of_one: u128::from(single),
        })
    }

    /// The sizes from 8 to 1, each with the number of classes of that size.
    ///
    /// ```
    /// let classes = queens::Classes::new(8, 92)?;
    /// assert_eq!(classes.by_size(), [(8, 11), (4, 1), (2, 0), (1, 0)]);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn by_size(&self) -> [(u32, u128); 4] {
        [
            (8, self.of_eight),
            (4, self.of_four),
            (2, self.of_two),
            (1, self.of_one),
        ]
    }

    /// The number of classes.
    ///
    /// ```
    /// assert_eq!(queens::Classes::new(10, 724)?.fundamental(), 92);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn fundamental(&self) -> u128 {
        self.of_eight + self.of_four + self.of_two + self.of_one
    }

    /// The number of solutions in all classes.
    ///
    /// ```
    /// let classes = queens::Classes::new(9, 352)?;
    /// assert_eq!((classes.of_eight, classes.of_four), (42, 4));
    /// assert_eq!(classes.solutions(), 42 * 8 + 4 * 4);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn solutions(&self) -> u128 {
        8 * self.of_eight + 4 * self.of_four + 2 * self.of_two + self.of_one
    }
}

/// A node with fewer rows than this above it takes too little time to ask for the flag.
const POLL: u32 = 4;

fn fixed<const QUARTER: bool>(n: u32, cancel: &Cancel) -> Result<u128, Error> {
    if n > MAX_N {
        return Err(Error::BoardSize(n));
    }
    if n < 2 {
        return Ok(1);
    }
    let diagonal = 1 << (n - 1);
    let centre = if n % 2 == 1 { 1 << (n / 2) } else { 0 };
    let start = Lines {
        n,
        rows: centre,
        columns: centre,
        rising: diagonal,
        falling: diagonal,
    };
    let row = n / 2 - 1;
    let one_side: Option<u64> = columns(start.free(row) & full(n / 2))
        .map(|column| {
            let placed = start.place::<QUARTER>(row, column);
            placed.completions::<QUARTER>(cancel)
        })
        .sum();
    one_side
        .map(|one_side| 2 * u128::from(one_side))
        .ok_or(Error::Interrupted)
}

/// The rows, columns and diagonals in use. Square (r, c) is on the rising diagonal
/// r + c and on the falling one c − r + n − 1.
#[derive(Clone, Copy)]
struct Lines {
    n: u32,
    rows: u32,
    columns: u32,
    rising: u64,
    falling: u64,
}

impl Lines {
    /// The free columns of a row.
    fn free(&self, row: u32) -> u32 {
        let rising = (self.rising >> row) as u32;
        let falling = (self.falling >> (self.n - 1 - row)) as u32;
        full(self.n) & !(self.columns | rising | falling)
    }

    /// Places the queen on this square and all its images under the turn.
    fn place<const QUARTER: bool>(mut self, row: u32, column: u32) -> Lines {
        let last = self.n - 1;
        self.queen(row, column);
        self.queen(last - row, last - column);
        if QUARTER {
            self.queen(column, last - row);
            self.queen(last - column, row);
        }
        self
    }

    fn queen(&mut self, row: u32, column: u32) {
        self.rows |= 1 << row;
        self.columns |= 1 << column;
        self.rising |= 1 << (row + column);
        self.falling |= 1 << (column + self.n - 1 - row);
    }

    /// How many ways there are to fill the rest, from the middle outwards: there a
    /// queen attacks most, and the search has a third of the nodes. None if cancelled.
    ///
    /// A half turn leaves n/2 pairs, of 32, 30, 28, … columns at most for n = 32:
    /// 2¹⁶ · 16! < 2⁶¹ solutions, which fit.
    fn completions<const QUARTER: bool>(self, cancel: &Cancel) -> Option<u64> {
        let empty = full(self.n / 2) & !self.rows;
        let Some(row) = empty.checked_ilog2() else {
            return Some(1);
        };
        if row >= POLL && cancel.is_cancelled() {
            return None;
        }
        columns(self.free(row))
            .map(|column| {
                let placed = self.place::<QUARTER>(row, column);
                placed.completions::<QUARTER>(cancel)
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        board::Symmetry,
        count::known,
        solutions::{fundamental, solutions},
    };

    #[test]
    fn the_published_symmetric_counts() {
        let published = [(8, 4, 0), (12, 80, 8), (16, 3_000, 64), (20, 144_620, 480)];
        for (n, half, quarter) in published {
            assert_eq!(half_turn(n).unwrap(), half, "n = {n}");
            assert_eq!(quarter_turn(n).unwrap(), quarter, "n = {n}");
        }
        assert_eq!(quarter_turn(24).unwrap(), 3_328);
        assert!(half_turn(33).is_err());
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "takes long without optimisation")]
    fn the_published_half_turns_of_24() {
        assert_eq!(half_turn(24).unwrap(), 11_675_080);
    }

    #[test]
    fn the_searches_agree_with_a_look_at_every_solution() {
        for n in 0..=11 {
            let fixed_by = |symmetry| {
                let all = solutions(n).unwrap();
                all.filter(|board| board.image(symmetry) == *board).count() as u128
            };
            assert_eq!(half_turn(n).unwrap(), fixed_by(Symmetry::HalfTurn));
            assert_eq!(quarter_turn(n).unwrap(), fixed_by(Symmetry::QuarterTurn));
        }
    }

    #[test]
    fn burnside_agrees_with_listing_up_to_12() {
        for n in 0..=12 {
            let mut listed = [0u128; 9];
            for board in fundamental(n).unwrap() {
                listed[board.class_size() as usize] += 1;
            }
            let classes = Classes::new(n, crate::count::count(n).unwrap()).unwrap();
            let [_, one, two, _, four, .., eight] = listed;
            let counted = (classes.of_one, classes.of_two, classes.of_four);
            assert_eq!(counted, (one, two, four), "n = {n}");
            assert_eq!(classes.of_eight, eight, "n = {n}");
            assert_eq!(classes.solutions(), crate::count::count(n).unwrap());
        }
    }

    #[test]
    fn burnside_leads_from_one_published_sequence_to_the_other() {
        let most = if cfg!(debug_assertions) { 17 } else { 22 };
        for n in 1..=most {
            let classes = Classes::new(n, known::QUEENS.value(n).unwrap()).unwrap();
            let published = known::FUNDAMENTAL.value(n).unwrap();
            assert_eq!(classes.fundamental(), published, "n = {n}");
        }
    }

    #[test]
    fn a_wrong_total_does_not_divide_into_classes() {
        assert!(matches!(
            Classes::new(8, 91),
            Err(Error::BrokenClasses { all: 91, .. })
        ));
        assert!(Classes::new(8, 3).is_err());
    }
}
