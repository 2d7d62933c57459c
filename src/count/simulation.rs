//! What many threads would gain on the blocks of a plan: each that is free gets what it would
//! get in a run.
//!
//! ```text
//! blocks of 4, 3, 2 and 1 that cannot be divided, on two threads:   4 4 4 4 1
//!                                                                   3 3 3 2 2
//! done after 5 instead of 10: a speed-up of 2, and both threads are always busy
//! ```

use std::{cmp::Reverse, collections::BinaryHeap};

use super::handout::{Handout, Load};

/// How many times as fast as one thread this many would be with blocks of so many tasks and so
/// many nanoseconds, if all tasks of a block take the same time and to help with a block costs
/// nothing.
///
/// ```
/// use queens::{Count, plan::speed_up};
///
/// let plan = Count::new(18)?.plan()?;
/// let blocks = plan.blocks().iter().map(|block| (block.tasks, block.cost));
/// assert!(speed_up(blocks, 64) > 54.0);
/// # Ok::<(), queens::Error>(())
/// ```
pub fn speed_up(blocks: impl IntoIterator<Item = (u64, u64)>, threads: usize) -> f64 {
    let load = |(tasks, cost)| Load { tasks, cost };
    let loads: Vec<Load> = blocks.into_iter().map(load).collect();
    let work: u128 = loads.iter().map(|load| u128::from(load.cost)).sum();
    let time = |place: usize, task: u64| {
        let Load { tasks, cost } = loads[place];
        u128::from(cost) * u128::from(task) / u128::from(tasks.max(1))
    };
    let mut handout = Handout::new(loads.clone(), threads);
    // When each thread is free, and which block it has had last.
    let mut free: BinaryHeap<Reverse<(u128, Option<usize>)>> =
        (0..threads).map(|_| Reverse((0, None))).collect();
    let mut end = 0;
    while let Some(Reverse((start, last))) = free.pop() {
        if let Some(piece) = handout.next(last, |_| true) {
            let place = piece.place;
            let done = start + time(place, piece.tasks.end) - time(place, piece.tasks.start);
            end = end.max(done);
            free.push(Reverse((done, Some(place))));
        }
    }
    // What costs nothing cannot be done faster.
    if end == 0 {
        1.0
    } else {
        work as f64 / end as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of one task each.
    fn of_wholes(costs: &[u64], threads: usize) -> f64 {
        speed_up(costs.iter().map(|&cost| (1, cost)), threads)
    }

    #[test]
    fn threads_wait_for_the_longest_task() {
        let blocks = [4, 3, 2, 1];
        assert_eq!(of_wholes(&blocks, 1), 1.0);
        assert_eq!(of_wholes(&blocks, 2), 2.0); // 4 + 1 and 3 + 2
        assert_eq!(of_wholes(&blocks, 5), 10.0 / 4.0);
        assert_eq!(of_wholes(&[1, 2, 3, 4], 2), 10.0 / 6.0); // 1 + 3 and 2 + 4
    }

    #[test]
    fn a_block_of_many_tasks_is_shared() {
        let second = 1_000_000_000;
        assert_eq!(speed_up([(64, second)], 1), 1.0);
        assert_eq!(speed_up([(64, second)], 64), 64.0);
        assert_eq!(speed_up([(64, second)], 65), 64.0);
        let fine = speed_up([(1 << 20, second)], 2);
        assert!((1.99..=2.0).contains(&fine), "{fine}");
    }

    #[test]
    fn nothing_to_do_takes_one_thread_as_long_as_many() {
        assert_eq!(of_wholes(&[], 8), 1.0);
        assert_eq!(of_wholes(&[0, 0], 8), 1.0);
    }
}
