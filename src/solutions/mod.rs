//! All solutions in lexicographic order of their columns, one at a time.
//!
//! The search is that of the `rows` engine, with its masks kept on a stack instead of
//! in a recursion, so that it can stop at a solution and go on from there: constant
//! memory, whatever the number of solutions. It goes through every solution, not
//! through half of them, as the second half is to come in order too.

mod classes;
mod construct;
mod fundamental;
mod parallel;
mod random;

use std::iter::{self, FusedIterator};

pub use self::{
    classes::{Classes, half_turn, quarter_turn},
    construct::{MAX_SOLVE_N, solve},
    fundamental::{Fundamental, fundamental},
    parallel::ParallelSolutions,
    random::solve_random,
};
use crate::{
    board::{Board, MAX_N, Problem, mask::full},
    error::Error,
};

const ROWS: usize = MAX_N as usize;

/// All solutions for a board of side `n`, from 0 to [`MAX_N`], in lexicographic order.
///
/// ```
/// let all: Vec<String> = queens::solutions(4)?.map(|board| board.to_string()).collect();
/// assert_eq!(all, ["[1 3 0 2]", "[2 0 3 1]"]);
/// assert_eq!(queens::solutions(8)?.count(), 92);
/// # Ok::<(), queens::Error>(())
/// ```
pub fn solutions(n: u32) -> Result<Solutions, Error> {
    Problem::new(n).map(|problem| Solutions::of(&problem))
}

/// The lazy iterator over the solutions of a problem.
///
/// ```
/// // The first of 314 666 222 712; no other is looked for.
/// let mut solutions: queens::Solutions = queens::solutions(21)?;
/// assert_eq!(solutions.next().unwrap().columns()[..5], [0, 2, 4, 1, 3]);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Solutions {
    /// How many rows there are to fill: all, or the upper ones that make branches.
    n: usize,
    allowed: [u32; ROWS],
    /// Where the search goes on.
    here: Level,
    /// The rows above that have squares left to try, `depth` of them.
    stack: [Level; ROWS],
    depth: usize,
    columns: [u32; ROWS],
    done: bool,
}

/// A row: its squares still to try, and the columns and diagonals of the queens above.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    row: usize,
    free: u32,
    columns: u32,
    left: u32,
    right: u32,
}

impl Level {
    /// The next row, of which these columns are allowed, below a queen in this one.
    fn below(&self, queen: u32, allowed: u32) -> Level {
        let columns = self.columns | queen;
        let left = (self.left | queen) << 1;
        let right = (self.right | queen) >> 1;
        Level {
            row: self.row + 1,
            free: allowed & !(columns | left | right),
            columns,
            left,
            right,
        }
    }
}

impl Solutions {
    /// The solutions with the required queens and without the forbidden ones.
    ///
    /// ```
    /// use queens::{Problem, Solutions};
    ///
    /// let problem = Problem::new(8)?.require("a8".parse()?)?;
    /// assert_eq!(Solutions::of(&problem).count(), 4);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn of(problem: &Problem) -> Self {
        let whole = [full(problem.n()); ROWS];
        Self::within(problem.n(), problem.allowed().unwrap_or(whole))
    }

    /// The solutions whose queen in each row is on one of these columns.
    pub(crate) fn within(n: u32, allowed: [u32; ROWS]) -> Self {
        Solutions {
            n: n as usize,
            allowed,
            here: Level {
                free: allowed[0],
                ..Level::default()
            },
            stack: [Level::default(); ROWS],
            depth: 0,
            columns: [0; ROWS],
            done: false,
        }
    }

    /// The columns of the next solution, without making a board of them: what a
    /// listing of millions wants.
    ///
    /// ```
    /// let mut solutions = queens::solutions(4)?;
    /// assert_eq!(solutions.advance(), Some(&[1, 3, 0, 2][..]));
    /// assert_eq!(solutions.advance(), Some(&[2, 0, 3, 1][..]));
    /// assert_eq!(solutions.advance(), None);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn advance(&mut self) -> Option<&[u32]> {
        if self.done {
            return None;
        }
        if self.n == 0 {
            self.done = true;
            return Some(&[]);
        }
        let last = self.n - 1;
        let mut here = self.here;
        loop {
            while here.free != 0 {
                let queen = here.free & here.free.wrapping_neg();
                here.free ^= queen;
                self.columns[here.row] = queen.trailing_zeros();
                if here.row == last {
                    self.here = here;
                    return Some(self.current());
                }
                let below = here.below(queen, self.allowed[here.row + 1]);
                if below.free == 0 {
                    continue;
                }
                // The search does not come back to a row with nothing left to try.
                self.stack[self.depth] = here;
                self.depth += usize::from(here.free != 0);
                here = below;
            }
            if self.depth == 0 {
                self.done = true;
                return None;
            }
            self.depth -= 1;
            here = self.stack[self.depth];
        }
    }

    /// The side of the board.
    ///
    /// ```
    /// assert_eq!(queens::solutions(8)?.n(), 8);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn n(&self) -> u32 {
        self.n as u32
    }

    /// The branches of a search that has not begun, in order: one for each way to fill the
    /// rows above the last `lower` ones.
    pub(crate) fn branches(self, lower: u32) -> impl Iterator<Item = Solutions> {
        let mut upper = Solutions {
            n: self.n.saturating_sub(lower as usize),
            ..self.clone()
        };
        iter::from_fn(move || {
            let queen = 1 << *upper.advance()?.last().unwrap_or(&0);
            let mut branch = self.clone();
            if upper.n > 0 {
                branch.here = upper.here.below(queen, self.allowed[upper.n]);
                branch.columns = upper.columns;
            }
            Some(branch)
        })
    }

    /// The columns of the solution where the search stands.
    pub(crate) fn current(&self) -> &[u32] {
        &self.columns[..self.n]
    }
}

impl Iterator for Solutions {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        self.advance().map(Board::found)
    }

    fn count(mut self) -> usize {
        iter::from_fn(|| self.advance().map(drop)).count()
    }

    fn nth(&mut self, skip: usize) -> Option<Board> {
        for _ in 0..skip {
            self.advance()?;
        }
        self.next()
    }
}

impl FusedIterator for Solutions {}
