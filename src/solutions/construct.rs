//! One solution for any n but 2 and 3, without a search.
//!
//! The construction is Pauls' of 1874, as proved again by Hoffman, Loessi and Moore
//! (Mathematics Magazine 42, 1969). For even n, with rows and columns from 0:
//!
//! - unless n leaves 2 when divided by 6: two staircases of knight's moves, columns
//!   1, 3, 5, … in the upper half and 0, 2, 4, … in the lower half;
//! - unless n leaves 0 when divided by 6: the column n/2 − 1 + 2r, modulo n, in row r
//!   of the upper half, and the half turn of that in the lower half.
//!
//! Neither uses the diagonal through the top left corner, so an odd board gets the
//! solution of the next smaller one and a queen in its bottom right corner.
//!
//! What is returned has been checked, like every [`Board`].

use crate::{board::Board, error::Error};

/// The largest board that [`solve`] and [`solve_random`](crate::solutions::solve_random) take.
///
/// ```
/// assert!(queens::solve(queens::MAX_SOLVE_N + 1).is_err());
/// ```
pub const MAX_SOLVE_N: u32 = 1_000_000;

/// One solution for a board of side `n`, from 0 to [`MAX_SOLVE_N`]; `None` for 2 and
/// 3, which have none.
///
/// ```
/// let board = queens::solve(1_000)?.expect("all n from 4 on have a solution");
/// assert_eq!(board.n(), 1_000);
/// assert!(queens::solve(3)?.is_none());
/// # Ok::<(), queens::Error>(())
/// ```
pub fn solve(n: u32) -> Result<Option<Board>, Error> {
    if n > MAX_SOLVE_N {
        return Err(Error::SolveSize(n));
    }
    if has_none(n) {
        return Ok(None);
    }
    let even = n - n % 2;
    let half = even / 2;
    let staircases = |row| {
        if row < half {
            2 * row + 1
        } else {
            2 * (row - half)
        }
    };
    let upper = |row| (half - 1 + 2 * row) % even;
    let turned = |row| {
        if row < half {
            upper(row)
        } else {
            even - 1 - upper(even - 1 - row)
        }
    };
    let mut columns: Vec<u32> = if even % 6 == 2 {
        (0..even).map(turned).collect()
    } else {
        (0..even).map(staircases).collect()
    };
    if n % 2 == 1 {
        columns.push(even);
    }
    Board::new(columns).map(Some)
}

/// Whether a board of this side has no solution.
pub(crate) fn has_none(n: u32) -> bool {
    n == 2 || n == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_construction_holds_for_every_side() {
        let large = MAX_SOLVE_N - 5..=MAX_SOLVE_N;
        for n in (0..=600).chain(large) {
            match solve(n).unwrap() {
                Some(board) => assert_eq!(board.n(), n),
                None => assert!(n == 2 || n == 3, "n = {n}"),
            }
        }
        assert!(matches!(
            solve(MAX_SOLVE_N + 1),
            Err(Error::SolveSize(1_000_001))
        ));
    }
}
