//! The same solutions in the same order, searched ahead on several threads.
//!
//! The placements of the first rows divide the search into branches, in lexicographic order.
//! A thread in the background has a round of branches searched in parallel while the last
//! round is being read, and waits when that takes longer: memory stays bounded, and
//! the order is kept. Rounds start with a single branch and grow, so the first
//! solution is there as soon as it is found.

use std::{
    iter::FusedIterator,
    panic,
    sync::mpsc::{Receiver, sync_channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
    vec,
};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::{
    board::{Board, Problem},
    error::Error,
    solutions::{
        Solutions,
        fundamental::{is_canonical, searches},
    },
    threads::{check_threads, pool},
};

/// A branch leaves this many rows to be searched, or half of the board if that is more.
/// Most branches take some ten microseconds.
const LOWER_ROWS: u32 = 11;
/// A round grows until it takes this long: long enough that starting it does not
/// count, short enough that its solutions do not wait.
const ROUND: Duration = Duration::from_millis(20);
/// It never has more branches than this, which are some ten megabytes.
const MOST_BRANCHES: usize = 1 << 13;

/// An iterator over solutions that several threads search ahead.
///
/// ```
/// use queens::{ParallelSolutions, Problem};
///
/// let boards = ParallelSolutions::of(&Problem::new(12)?, 2)?;
/// assert!(boards.eq(queens::solutions(12)?));
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug)]
pub struct ParallelSolutions {
    n: usize,
    search: Option<(Receiver<Vec<Found>>, JoinHandle<()>)>,
    /// The rest of a round, and the branch that is being read.
    round: vec::IntoIter<Found>,
    branch: Found,
    read: usize,
}

/// Solutions, their columns one after the other. They are counted, as the solution
/// for n = 0 has no columns.
#[derive(Debug, Default)]
struct Found {
    boards: usize,
    columns: Vec<u32>,
}

impl ParallelSolutions {
    /// The solutions of a problem, as [`Solutions`] lists them.
    ///
    /// ```
    /// use queens::{ParallelSolutions, Problem};
    ///
    /// assert_eq!(ParallelSolutions::of(&Problem::new(10)?, 2)?.count(), 724);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn of(problem: &Problem, threads: usize) -> Result<Self, Error> {
        Self::search(
            problem.n(),
            threads,
            branches(Solutions::of(problem)),
            |_| true,
        )
    }

    /// The canonical solutions, as [`fundamental`](crate::fundamental()) lists them.
    ///
    /// ```
    /// let boards = queens::ParallelSolutions::fundamental(12, 2)?;
    /// assert!(boards.eq(queens::fundamental(12)?));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn fundamental(n: u32, threads: usize) -> Result<Self, Error> {
        Problem::new(n)?;
        let branches = searches(n).flat_map(branches);
        Self::search(n, threads, branches, is_canonical)
    }

    fn search(
        n: u32,
        threads: usize,
        mut branches: impl Iterator<Item = Solutions> + Send + 'static,
        keep: fn(&[u32]) -> bool,
    ) -> Result<Self, Error> {
        check_threads(threads)?;
        let pool = pool(threads)?;
        let (sender, receiver) = sync_channel(1);
        let search = move || {
            let mut width = 1;
            loop {
                let round: Vec<Solutions> = branches.by_ref().take(width).collect();
                if round.is_empty() {
                    return;
                }
                let start = Instant::now();
                let found: Vec<Found> = pool.install(|| {
                    let branches = round.into_par_iter();
                    branches.map(|branch| boards(branch, keep)).collect()
                });
                if start.elapsed() < ROUND {
                    width = (2 * width).min(MOST_BRANCHES);
                }
                // If nobody listens any more, the iterator was dropped.
                if sender.send(found).is_err() {
                    return;
                }
            }
        };
        let search = thread::Builder::new().spawn(search);
        let search = search.map_err(|reason| Error::Threads {
            threads: 1,
            reason: reason.to_string(),
        })?;
        Ok(ParallelSolutions {
            n: n as usize,
            search: Some((receiver, search)),
            round: Vec::new().into_iter(),
            branch: Found::default(),
            read: 0,
        })
    }

    /// The columns of the next solution, without making a board of them.
    ///
    /// ```
    /// use queens::{ParallelSolutions, Problem};
    ///
    /// let mut boards = ParallelSolutions::of(&Problem::new(4)?, 2)?;
    /// assert_eq!(boards.advance(), Some(&[1, 3, 0, 2][..]));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn advance(&mut self) -> Option<&[u32]> {
        while self.read == self.branch.boards {
            if let Some(branch) = self.round.next() {
                (self.branch, self.read) = (branch, 0);
                continue;
            }
            let (rounds, _) = self.search.as_ref()?;
            match rounds.recv() {
                Ok(round) => self.round = round.into_iter(),
                Err(_) => self.end(),
            }
        }
        let board = self.read * self.n;
        self.read += 1;
        Some(&self.branch.columns[board..board + self.n])
    }

    /// Ends the search. If it has panicked, so does the reader, who would otherwise take
    /// what was found for all there is.
    fn end(&mut self) {
        if let Some((_, search)) = self.search.take()
            && let Err(failure) = search.join()
        {
            panic::resume_unwind(failure);
        }
    }
}

fn branches(search: Solutions) -> impl Iterator<Item = Solutions> {
    let lower = LOWER_ROWS.max(search.n() / 2);
    search.branches(lower)
}

fn boards(mut branch: Solutions, keep: fn(&[u32]) -> bool) -> Found {
    let mut found = Found::default();
    while let Some(columns) = branch.advance() {
        if keep(columns) {
            found.boards += 1;
            found.columns.extend_from_slice(columns);
        }
    }
    found
}

impl Iterator for ParallelSolutions {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        self.advance().map(Board::found)
    }
}

impl FusedIterator for ParallelSolutions {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        board::Square,
        solutions::{fundamental, solutions},
    };

    #[test]
    fn several_threads_find_what_one_finds_in_the_same_order() {
        // From 12 rows on there is more than one branch.
        let most = if cfg!(debug_assertions) { 12 } else { 13 };
        for n in 0..=most {
            let problem = Problem::new(n).unwrap();
            for threads in [1, 3] {
                let parallel = ParallelSolutions::of(&problem, threads).unwrap();
                assert!(parallel.eq(solutions(n).unwrap()), "n = {n}");
            }
            let parallel = ParallelSolutions::fundamental(n, 2).unwrap();
            assert!(parallel.eq(fundamental(n).unwrap()), "n = {n}");
        }
        let problem = Problem::new(13)
            .unwrap()
            .require(Square::new(0, 0))
            .unwrap();
        let parallel = ParallelSolutions::of(&problem, 2).unwrap();
        assert!(parallel.eq(Solutions::of(&problem)));
    }

    #[test]
    fn a_list_can_be_left_early_and_ends_for_good() {
        let mut long = ParallelSolutions::of(&Problem::new(20).unwrap(), 2).unwrap();
        assert!(
            long.by_ref()
                .take(1000)
                .eq(solutions(20).unwrap().take(1000))
        );
        drop(long);
        let mut short = ParallelSolutions::of(&Problem::new(6).unwrap(), 2).unwrap();
        assert_eq!(short.by_ref().count(), 4);
        assert!(short.next().is_none() && short.next().is_none());
    }

    #[test]
    fn impossible_requests_are_refused() {
        assert!(matches!(
            ParallelSolutions::fundamental(33, 1),
            Err(Error::BoardSize(33))
        ));
        assert!(matches!(
            ParallelSolutions::fundamental(8, 0),
            Err(Error::ThreadCount(0))
        ));
    }
}
