//! A random solution, the same for the same seed.
//!
//! Up to n = 12 all solutions are equally likely: one of them is drawn by its number.
//! Beyond, it is found in about linear time (Sosič and Gu, IEEE Transactions on
//! Knowledge and Data Engineering 6, 1994): a random permutation is dealt out row by
//! row, each queen from the columns that are left, trying again while it is attacked;
//! the few that no try could place are put anywhere, and then exchange columns with
//! random others until neither of the two is attacked. Every solution can come out,
//! but not all with the same probability.

use crate::{
    board::Board,
    error::Error,
    random::Random,
    solutions::{MAX_SOLVE_N, construct::has_none, solutions},
};

/// Up to here a solution is drawn from the list of all.
const LISTED: u32 = 12;
/// How many tries per queen there are to deal out the permutation (the authors' value is
/// 3.08).
const DEALS: usize = 3;
/// After this many failed exchanges of one queen the permutation is given up, and on a
/// small board when it must have met every other queen: a failed one changes nothing.
const EXCHANGES: usize = 10_000;

/// A random solution for a board of side `n`, from 0 to [`MAX_SOLVE_N`], the same for
/// the same seed; `None` for 2 and 3, which have none. Up to n = 12 all solutions are
/// equally likely.
///
/// ```
/// let board = queens::solve_random(100, 7)?.expect("there are solutions");
/// assert_eq!(queens::solve_random(100, 7)?, Some(board.clone()));
/// assert_ne!(queens::solve_random(100, 8)?, Some(board));
/// # Ok::<(), queens::Error>(())
/// ```
pub fn solve_random(n: u32, seed: u64) -> Result<Option<Board>, Error> {
    if n > MAX_SOLVE_N {
        return Err(Error::SolveSize(n));
    }
    if has_none(n) {
        return Ok(None);
    }
    let mut random = Random::new(seed);
    if n <= LISTED {
        let all = solutions(n)?.count();
        return Ok(solutions(n)?.nth(random.below(all as u64) as usize));
    }
    loop {
        let mut deal = Deal::new(n as usize);
        let placed = deal.deal(&mut random);
        if deal.mend(placed, &mut random) {
            return Board::new(deal.columns).map(Some);
        }
    }
}

/// A permutation, and how many queens are on each diagonal.
struct Deal {
    columns: Vec<u32>,
    rising: Vec<u32>,
    falling: Vec<u32>,
}

impl Deal {
    fn new(n: usize) -> Self {
        Deal {
            columns: (0..n as u32).collect(),
            rising: vec![0; 2 * n],
            falling: vec![0; 2 * n],
        }
    }

    fn diagonals(&mut self, row: usize) -> [&mut u32; 2] {
        let column = self.columns[row] as usize;
        let n = self.columns.len();
        [
            &mut self.rising[row + column],
            &mut self.falling[row + n - column],
        ]
    }

    fn put(&mut self, row: usize) {
        self.diagonals(row)
            .into_iter()
            .for_each(|queens| *queens += 1);
    }

    fn take(&mut self, row: usize) {
        self.diagonals(row)
            .into_iter()
            .for_each(|queens| *queens -= 1);
    }

    /// Whether at most `own` queens stand on each diagonal of this row's column.
    fn is_quiet(&mut self, row: usize, own: u32) -> bool {
        self.diagonals(row).into_iter().all(|queens| *queens <= own)
    }

    /// Deals out the permutation and says how many queens, from the top, do not
    /// attack each other.
    fn deal(&mut self, random: &mut Random) -> usize {
        let n = self.columns.len();
        let mut placed = 0;
        for _ in 0..DEALS * n {
            if placed == n {
                break;
            }
            self.columns
                .swap(placed, placed + random.below((n - placed) as u64) as usize);
            if self.is_quiet(placed, 0) {
                self.put(placed);
                placed += 1;
            }
        }
        random.shuffle(&mut self.columns[placed..]);
        (placed..n).for_each(|row| self.put(row));
        placed
    }

    /// Frees the queens after the first `placed` ones from attack; false if it gives
    /// up.
    fn mend(&mut self, placed: usize, random: &mut Random) -> bool {
        let n = self.columns.len();
        let exchanges = EXCHANGES.min(3 * n);
        (placed..n).all(|row| {
            self.is_quiet(row, 1)
                || (0..exchanges).any(|_| {
                    let other = random.below(n as u64) as usize;
                    other != row && self.exchange(row, other)
                })
        })
    }

    /// Exchanges the columns of two rows, and back if one is attacked then.
    fn exchange(&mut self, row: usize, other: usize) -> bool {
        self.swap(row, other);
        let quiet = self.is_quiet(row, 1) && self.is_quiet(other, 1);
        if !quiet {
            self.swap(row, other);
        }
        quiet
    }

    fn swap(&mut self, row: usize, other: usize) {
        self.take(row);
        self.take(other);
        self.columns.swap(row, other);
        self.put(row);
        self.put(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn there_is_one_for_every_side_and_seed() {
        for n in (0..=100).chain([1_000, 100_000]) {
            for seed in 0..3 {
                match solve_random(n, seed).unwrap() {
                    Some(board) => assert_eq!(board.n(), n),
                    None => assert!(n == 2 || n == 3, "n = {n}"),
                }
            }
        }
        assert!(solve_random(MAX_SOLVE_N + 1, 0).is_err());
    }

    #[test]
    fn every_solution_of_a_small_board_comes_up_about_as_often() {
        let draws = 40 * 50;
        let mut seen: HashMap<Board, u32> = HashMap::new();
        for seed in 0..draws {
            *seen
                .entry(solve_random(7, seed).unwrap().unwrap())
                .or_default() += 1;
        }
        assert_eq!(seen.len(), 40);
        // Fifty expected, with a standard deviation of seven.
        assert!(seen.values().all(|&times| (15..=85).contains(&times)));
    }
}
