//! Which tasks a free thread gets.
//!
//! A thread takes block after block, as a whole as long as that is no more than about half of its
//! share of all that is left: neighbouring tasks share work. Otherwise it takes as much as that
//! of the block and comes back for more, so that those who find no block left can help:
//!
//! ```text
//! four blocks on three threads:   AAAAAAAAAAAA DDDD DD D
//!                                 BBBBBBBBBBBBBBB D D D
//!                                 CCCCCCCCC DDDDDDD D D
//! ```
//!
//! The pieces of a block are ranges of its tasks: each task is in one of them, whoever gets it.

use std::ops::Range;

/// No piece is worth less, in units of about a nanosecond: to begin one in the middle of a block
/// means to make lists that its first thread has.
const SMALLEST_PIECE: u64 = 200_000;
/// And no thread is started for less.
const WORTH_A_THREAD: u64 = 1_400_000;

/// How many tasks a block has, and what they cost together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub(super) tasks: u64,
    pub(super) cost: u64,
}

impl Load {
    /// How many threads it is worth.
    fn threads(self) -> u64 {
        (self.cost / WORTH_A_THREAD).min(self.tasks).max(1)
    }
}

/// Some tasks of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// Which block, in the order in which they are handed out.
    pub(super) place: usize,
    /// Which of its tasks, from 0.
    pub(super) tasks: Range<u64>,
}

/// Blocks that are handed out to so many threads.
pub(super) struct Handout {
    loads: Vec<Load>,
    threads: usize,
    /// How many blocks have begun.
    begun: usize,
    /// What is left of them.
    open: Vec<Piece>,
    /// What all that nobody has yet costs, about.
    left: u128,
}

impl Handout {
    pub(super) fn new(loads: Vec<Load>, threads: usize) -> Self {
        Handout {
            left: loads.iter().map(|load| u128::from(load.cost)).sum(),
            loads,
            threads,
            begun: 0,
            open: Vec::new(),
        }
    }

    /// How many threads there is work for at most.
    pub(super) fn busy(&self) -> usize {
        let worth = self.loads.iter().map(|load| load.threads());
        let worth = worth.fold(0, u64::saturating_add);
        let worth = usize::try_from(worth).unwrap_or(usize::MAX);
        self.threads.min(worth)
    }

    /// What a thread does next: more of the block that it has had last, or the next block if
    /// that may begin, or a part of what others have begun. `None` if there is nothing left
    /// but what others are at.
    pub(super) fn next(
        &mut self,
        last: Option<usize>,
        may_begin: impl FnOnce(usize) -> bool,
    ) -> Option<Piece> {
        let own = self.open.iter().position(|left| Some(left.place) == last);
        let place = self.begun;
        let from = if own.is_some() {
            own
        } else if place < self.loads.len() && may_begin(place) {
            let tasks = 0..self.loads[place].tasks;
            self.begun += 1;
            self.open.push(Piece { place, tasks });
            Some(self.open.len() - 1)
        } else {
            (0..self.open.len()).max_by_key(|&other| self.worth(&self.open[other]))
        };
        from.map(|from| self.piece_of(from))
    }

    /// What a piece costs, about.
    fn worth(&self, piece: &Piece) -> u128 {
        let Load { tasks, cost } = self.loads[piece.place];
        let some = piece.tasks.end - piece.tasks.start;
        u128::from(cost) * u128::from(some) / u128::from(tasks.max(1))
    }

    /// The first tasks of what is left of a block.
    fn piece_of(&mut self, from: usize) -> Piece {
        let mut piece = self.open[from].clone();
        let worth = self.worth(&piece);
        // About half of a thread's share; all of it, if there is one thread.
        let share = self.left / (2 * self.threads as u128 - 1);
        let share = share.max(SMALLEST_PIECE.into());
        let (start, end) = (piece.tasks.start, piece.tasks.end);
        if worth < share + u128::from(SMALLEST_PIECE) || end - start <= 1 {
            self.open.swap_remove(from);
        } else {
            // Less than there are, because the share is less than they are worth.
            let tasks = (u128::from(end - start) * share / worth) as u64;
            piece.tasks.end = start + tasks.max(1);
            self.open[from].tasks.start = piece.tasks.end;
        }
        self.left = self.left.saturating_sub(self.worth(&piece));
        piece
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Blocks of so many pieces' worth.
    fn loads(worth: &[u64]) -> Vec<Load> {
        let load = |&worth: &u64| Load {
            tasks: 64,
            cost: worth * SMALLEST_PIECE,
        };
        worth.iter().map(load).collect()
    }

    #[test]
    fn one_thread_gets_every_block_whole_and_in_order() {
        let mut handout = Handout::new(loads(&[9, 100, 0, 1]), 1);
        assert_eq!(handout.busy(), 1);
        for place in 0..4_usize {
            let piece = handout.next(place.checked_sub(1), |_| true).unwrap();
            assert_eq!(
                piece,
                Piece {
                    place,
                    tasks: 0..64
                }
            );
        }
        assert_eq!(handout.next(Some(3), |_| true), None);
    }

    #[test]
    fn every_task_is_handed_out_once_whoever_asks_in_whatever_order() {
        for seed in 0..200 {
            let mut random = Random::at(27, seed);
            let blocks = 1 + random.below(12) as usize;
            let loads: Vec<Load> = (0..blocks)
                .map(|_| Load {
                    tasks: random.below(40),
                    cost: random.below(30) * SMALLEST_PIECE / 2,
                })
                .collect();
            let threads = 1 + random.below(9) as usize;
            let mut handout = Handout::new(loads.clone(), threads);
            let mut last = vec![None; threads];
            let mut seen: Vec<Vec<u64>> = vec![Vec::new(); blocks];
            loop {
                let thread = random.below(threads as u64) as usize;
                let Some(piece) = handout.next(last[thread], |_| true) else {
                    break;
                };
                last[thread] = Some(piece.place);
                seen[piece.place].extend(piece.tasks);
            }
            for (mut tasks, load) in seen.into_iter().zip(&loads) {
                tasks.sort_unstable();
                assert!(tasks.into_iter().eq(0..load.tasks), "seed {seed}");
            }
        }
    }

    #[test]
    fn blocks_are_whole_while_there_are_many_and_shared_at_the_end() {
        let mut handout = Handout::new(loads(&[8; 9]), 3);
        let mut last = None;
        let mut sizes: Vec<Vec<u64>> = vec![Vec::new(); 9];
        while let Some(piece) = handout.next(last, |_| true) {
            last = Some(piece.place);
            sizes[piece.place].push(piece.tasks.end - piece.tasks.start);
        }
        // A fifth of what is left: the fifth block is one of five, and a little is left over.
        assert!(sizes[..5].iter().all(|sizes| sizes == &[64]));
        assert!(sizes[5..].iter().all(|sizes| sizes.len() > 1));
        assert!(sizes[8].iter().all(|&tasks| tasks >= 64 / 8));
    }

    #[test]
    fn who_finds_no_block_left_helps_with_the_one_that_has_most_left() {
        let mut handout = Handout::new(loads(&[8, 32]), 4);
        let mut next = |last| handout.next(last, |_| true).map(|piece| piece.place);
        assert_eq!((next(None), next(None)), (Some(0), Some(1)));
        // Whoever comes now helps with the second; the first thread goes on with its own.
        assert_eq!((next(None), next(None)), (Some(1), Some(1)));
        assert_eq!(next(Some(0)), Some(0));
    }

    #[test]
    fn a_block_that_may_not_begin_is_not_handed_out_but_those_begun_are_finished() {
        let mut handout = Handout::new(loads(&[8, 8]), 3);
        let begun = handout.next(None, |_| true).unwrap();
        let helped = handout.next(None, |_| false).unwrap();
        assert_eq!((begun.place, helped.place), (0, 0));
        while let Some(piece) = handout.next(None, |_| false) {
            assert_eq!(piece.place, 0);
        }
    }

    #[test]
    fn there_is_work_for_as_many_threads_as_blocks_are_worth() {
        assert_eq!(Handout::new(loads(&[]), 8).busy(), 0);
        assert_eq!(Handout::new(loads(&[0]), 8).busy(), 1);
        let worth = |threads| Load {
            tasks: 64,
            cost: threads * WORTH_A_THREAD,
        };
        let busy = |loads: &[Load]| Handout::new(loads.to_vec(), 99).busy();
        assert_eq!(busy(&[worth(0), worth(3), worth(1)]), 5);
        assert_eq!(busy(&[worth(100)]), 64);
        assert_eq!(busy(&[worth(100), worth(100)]), 99);
    }
}
