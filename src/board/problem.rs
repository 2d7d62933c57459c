//! The question: how many ways are there to place n non-attacking queens on an n×n
//! board, when some squares must hold a queen and others must not?

use super::{MAX_N, Square, mask::full};
use crate::error::Error;

/// A board and the squares that must or must not hold a queen.
///
/// ```
/// use queens::{Count, Problem};
///
/// // In how many of the 92 solutions does a queen stand in the top left corner?
/// let problem = Problem::new(8)?.require("a8".parse()?)?;
/// assert_eq!(Count::from(problem).run()?.count, 4);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    n: u32,
    required: Vec<Square>,
    forbidden: Vec<Square>,
}

impl Problem {
    /// The whole board of side `n`, from 0 to [`MAX_N`].
    ///
    /// ```
    /// use queens::{Error, Problem};
    ///
    /// assert!(Problem::new(0).is_ok());
    /// assert!(matches!(Problem::new(33), Err(Error::BoardSize(33))));
    /// ```
    pub fn new(n: u32) -> Result<Self, Error> {
        if n > MAX_N {
            return Err(Error::BoardSize(n));
        }
        Ok(Problem {
            n,
            required: Vec::new(),
            forbidden: Vec::new(),
        })
    }

    /// Counts only solutions with a queen on `square`.
    ///
    /// ```
    /// use queens::{Count, Problem};
    ///
    /// let problem = Problem::new(8)?.require("a8".parse()?)?.require("b7".parse()?)?;
    /// assert_eq!(Count::from(problem).run()?.count, 0); // they attack each other
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn require(mut self, square: Square) -> Result<Self, Error> {
        self.refuse_contradiction(square, &self.forbidden)?;
        self.required.push(square);
        Ok(self)
    }

    /// Counts only solutions without a queen on `square`.
    ///
    /// ```
    /// use queens::{Count, Error, Problem, Square};
    ///
    /// let corner: Square = "a8".parse()?;
    /// let problem = Problem::new(8)?.forbid(corner)?;
    /// assert_eq!(Count::from(problem.clone()).run()?.count, 88);
    /// assert_eq!(problem.require(corner), Err(Error::Contradiction(corner)));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn forbid(mut self, square: Square) -> Result<Self, Error> {
        self.refuse_contradiction(square, &self.required)?;
        self.forbidden.push(square);
        Ok(self)
    }

    fn refuse_contradiction(&self, square: Square, opposite: &[Square]) -> Result<(), Error> {
        square.on_board(self.n)?;
        if opposite.contains(&square) {
            return Err(Error::Contradiction(square));
        }
        Ok(())
    }

    /// The side of the board.
    ///
    /// ```
    /// assert_eq!(queens::Problem::new(8)?.n(), 8);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The squares that must hold a queen.
    ///
    /// ```
    /// use queens::{Problem, Square};
    ///
    /// let queen: Square = "d8".parse()?;
    /// assert_eq!(Problem::new(8)?.require(queen)?.required(), [queen]);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn required(&self) -> &[Square] {
        &self.required
    }

    /// The squares that must not hold a queen.
    ///
    /// ```
    /// use queens::{Problem, Square};
    ///
    /// let hole: Square = "d8".parse()?;
    /// assert_eq!(Problem::new(8)?.forbid(hole)?.forbidden(), [hole]);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn forbidden(&self) -> &[Square] {
        &self.forbidden
    }

    /// Whether any square is required or forbidden.
    ///
    /// ```
    /// assert!(!queens::Problem::new(8)?.is_restricted());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn is_restricted(&self) -> bool {
        !(self.required.is_empty() && self.forbidden.is_empty())
    }

    /// The allowed columns of each row as a bit mask, or `None` for the whole board.
    ///
    /// A required queen leaves only its own column in its row, and in the other rows
    /// what it does not attack, so that no search looks for what it rules out. Two
    /// required queens that attack each other leave nothing, and the count is 0 as it
    /// should be.
    pub(crate) fn allowed(&self) -> Option<[u32; MAX_N as usize]> {
        if !self.is_restricted() {
            return None;
        }
        let mut allowed = [full(self.n); MAX_N as usize];
        // From the last rank down to the first, as rows go.
        for queen in &self.required {
            for (rank, columns) in (0..self.n).rev().zip(&mut allowed) {
                *columns &= if rank == queen.rank() {
                    1 << queen.file()
                } else {
                    !attacked(*queen, rank)
                };
            }
        }
        for square in &self.forbidden {
            let row = self.n - 1 - square.rank();
            allowed[row as usize] &= !(1 << square.file());
        }
        Some(allowed)
    }
}

/// The columns that a queen attacks on another rank; those beyond the board fall out
/// of the mask or are cleared by it.
fn attacked(queen: Square, rank: u32) -> u32 {
    let column: u32 = 1 << queen.file();
    let distance = queen.rank().abs_diff(rank);
    column | column << distance | column >> distance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_off_the_board_and_contradictions_are_refused() {
        let board = || Problem::new(4).unwrap();
        for name in ["e1", "a5"] {
            let square: Square = name.parse().unwrap();
            let refused = Error::NoSquare {
                n: 4,
                name: name.to_owned(),
            };
            assert_eq!(board().require(square), Err(refused.clone()));
            assert_eq!(board().forbid(square), Err(refused));
        }
        let square: Square = "b3".parse().unwrap();
        let contradiction = Err(Error::Contradiction(square));
        assert_eq!(
            board().require(square).unwrap().forbid(square),
            contradiction
        );
        assert_eq!(
            board().forbid(square).unwrap().require(square),
            contradiction
        );
        assert!(Problem::new(33).is_err());
    }
}
