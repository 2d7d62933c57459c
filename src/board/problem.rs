//! The question: how many ways are there to place n non-attacking queens on an n×n
//! board, when some squares must hold a queen and others must not?

use std::fmt;

use super::{MAX_N, Square, Symmetry, mask::full, square::letters};
use crate::error::Error;

/// The columns of each row that may hold a queen, as bit masks.
pub(crate) type Masks = [u32; MAX_N as usize];

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
        square.on_board(self.n)?;
        self.required.push(square);
        Ok(self)
    }

    /// Counts only solutions without a queen on `square`.
    ///
    /// ```
    /// use queens::{Count, Problem, Square};
    ///
    /// let corner: Square = "a8".parse()?;
    /// let problem = Problem::new(8)?.forbid(corner)?;
    /// assert_eq!(Count::from(problem.clone()).run()?.count, 88);
    /// assert_eq!(Count::from(problem.require(corner)?).run()?.count, 0);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn forbid(mut self, square: Square) -> Result<Self, Error> {
        square.on_board(self.n)?;
        self.forbidden.push(square);
        Ok(self)
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
    pub(crate) fn allowed(&self) -> Option<Masks> {
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

    /// Why there is no solution, where a look at the squares tells.
    ///
    /// ```
    /// use queens::Problem;
    ///
    /// let board = Problem::new(8)?.require("a8".parse()?)?;
    /// assert_eq!(board.contradiction(), None);
    /// let why = board.require("b7".parse()?)?.contradiction().unwrap();
    /// assert_eq!(why.to_string(), "the given queens on a8 and b7 attack each other");
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn contradiction(&self) -> Option<Contradiction> {
        let mut queens = self.required.iter();
        if let Some(&queen) = queens.find(|queen| self.forbidden.contains(queen)) {
            return Some(Contradiction::Forbidden(queen));
        }
        for (end, &queen) in self.required.iter().enumerate() {
            let mut before = self.required[..end].iter();
            if let Some(&other) = before.find(|other| other.attacks(queen)) {
                return Some(Contradiction::Attack(other, queen));
            }
        }
        let allowed = self.allowed()?;
        let rows = &allowed[..self.n as usize];
        if let Some(row) = rows.iter().position(|&columns| columns == 0) {
            return Some(Contradiction::Rank(self.n - 1 - row as u32));
        }
        let used = rows.iter().fold(0, |used, columns| used | columns);
        let file = (!used).trailing_zeros();
        (file < self.n).then_some(Contradiction::File(file))
    }

    /// The symmetries of the board that map the allowed squares to themselves, the identity
    /// first: they map solutions to solutions.
    pub(crate) fn symmetries(&self) -> Vec<Symmetry> {
        let maps = Symmetry::ALL.iter().copied();
        let Some(allowed) = self.allowed() else {
            return maps.collect();
        };
        let is_allowed = |square: Square| {
            let place = square.on_board(self.n);
            place.is_ok_and(|(row, column)| allowed[row as usize] >> column & 1 == 1)
        };
        let kept = maps.filter(|map| {
            self.squares()
                .filter(|&square| is_allowed(square))
                .all(|square| {
                    let image = map.square(square, self.n);
                    image.is_ok_and(is_allowed)
                })
        });
        kept.collect()
    }

    /// These squares, those together that a symmetry of the problem maps to each other: as
    /// many solutions have a queen on one as on the other.
    ///
    /// ```
    /// use queens::{Problem, Square};
    ///
    /// let rank: Vec<Square> = (0..8).map(|file| Square::new(file, 0)).collect();
    /// let orbits = Problem::new(8)?.orbits(&rank);
    /// assert_eq!(orbits.len(), 4); // in a mirror, a1 is h1
    /// assert_eq!(orbits[0], [rank[0], rank[7]]);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn orbits(&self, squares: &[Square]) -> Vec<Vec<Square>> {
        let maps = self.symmetries();
        let mut orbits: Vec<Vec<Square>> = Vec::new();
        for &square in squares {
            let is_image = |first: Square| {
                maps.iter()
                    .any(|map| map.square(first, self.n) == Ok(square))
            };
            match orbits.iter_mut().find(|orbit| is_image(orbit[0])) {
                Some(orbit) => orbit.push(square),
                None => orbits.push(vec![square]),
            }
        }
        orbits
    }

    /// Every square of the board, row by row from the top.
    fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let n = self.n;
        let ranks = (0..n).rev();
        ranks.flat_map(move |rank| (0..n).map(move |file| Square::new(file, rank)))
    }
}

/// Why a problem has no solution.
///
/// ```
/// use queens::{Contradiction, Problem, Square};
///
/// let square: Square = "e4".parse()?;
/// let problem = Problem::new(8)?.require(square)?.forbid(square)?;
/// assert_eq!(problem.contradiction(), Some(Contradiction::Forbidden(square)));
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Contradiction {
    /// This square is both required and forbidden.
    Forbidden(Square),
    /// Queens are required on these two squares, and attack each other.
    Attack(Square, Square),
    /// No square of this rank, from 0 at the bottom, is left for its queen.
    Rank(u32),
    /// No square of this file, from 0 at the left, is left for its queen.
    File(u32),
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contradiction::Forbidden(square) => {
                write!(f, "square {square} is both required and forbidden")
            }
            Contradiction::Attack(one, other) => {
                write!(f, "the given queens on {one} and {other} attack each other")
            }
            Contradiction::Rank(rank) => {
                write!(f, "no square of rank {} is left for a queen", rank + 1)
            }
            Contradiction::File(file) => {
                write!(
                    f,
                    "no square of file {} is left for a queen",
                    letters(*file)
                )
            }
        }
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

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    /// The board of side `n` with and without queens on these squares.
    fn problem(n: u32, with: &[&str], without: &[&str]) -> Problem {
        let board = Problem::new(n).unwrap();
        let with = with.iter().map(|name| square(name));
        let board = with.fold(board, |board, square| board.require(square).unwrap());
        let without = without.iter().map(|name| square(name));
        without.fold(board, |board, square| board.forbid(square).unwrap())
    }

    #[test]
    fn squares_off_the_board_are_refused() {
        let board = || Problem::new(4).unwrap();
        for name in ["e1", "a5"] {
            let refused = Error::NoSquare {
                n: 4,
                name: name.to_owned(),
            };
            assert_eq!(board().require(square(name)), Err(refused.clone()));
            assert_eq!(board().forbid(square(name)), Err(refused));
        }
        assert!(Problem::new(33).is_err());
    }

    #[test]
    fn a_contradiction_is_named() {
        let why = |n, with: &[&str], without: &[&str]| problem(n, with, without).contradiction();
        assert_eq!(why(8, &["b3"], &["a1"]), None);
        assert_eq!(why(0, &[], &[]), None);
        let forbidden = Contradiction::Forbidden(square("b3"));
        assert_eq!(why(4, &["b3"], &["b3"]), Some(forbidden));
        let attack = Contradiction::Attack(square("a1"), square("c3"));
        assert_eq!(why(4, &["a1", "c3"], &[]), Some(attack));
        // Asked for twice is asked for once.
        assert_eq!(why(4, &["b3", "b3"], &[]), None);
        let rank = why(4, &[], &["a2", "b2", "c2", "d2"]);
        assert_eq!(rank, Some(Contradiction::Rank(1)));
        let file = why(4, &[], &["c1", "c2", "c3", "c4"]);
        assert_eq!(file, Some(Contradiction::File(2)));
        // What a queen attacks is not left either.
        assert_eq!(why(3, &["b2"], &[]), Some(Contradiction::Rank(2)));
    }

    #[test]
    fn the_symmetries_of_a_restriction_are_a_group() {
        use Symmetry::*;
        let maps = |with: &[&str], without: &[&str]| problem(8, with, without).symmetries();
        assert_eq!(maps(&[], &[]), Symmetry::ALL);
        assert_eq!(maps(&[], &["a1", "a8", "h1", "h8"]), Symmetry::ALL);
        assert_eq!(maps(&["a8"], &[]), [Identity, Diagonal]);
        assert_eq!(maps(&["a1"], &[]), [Identity, Antidiagonal]);
        assert_eq!(maps(&[], &["b1", "g1"]), [Identity, LeftRight]);
        assert_eq!(maps(&[], &["b1", "b8"]), [Identity, TopBottom]);
        assert_eq!(maps(&["b2"], &["d1"]), [Identity]);
        assert_eq!(maps(&[], &["b1", "g8"]), [Identity, HalfTurn]);
        let turns = [Identity, HalfTurn, QuarterTurn, ThreeQuarterTurn];
        assert_eq!(maps(&[], &["b1", "g8", "a7", "h2"]), turns);
    }
}
