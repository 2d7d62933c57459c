//! What many threads would gain on the blocks of a plan: list scheduling, where a thread that
//! is free takes the next block in the order of the plan, as in a run.
//!
//! ```text
//! blocks of 1, 2, 3 and 4 on two threads:   1 3 3 3
//!                                           2 2 4 4 4 4
//! done after 6 instead of 10: a speed-up of 10 / 6, and the threads are busy 5 / 6 of the time
//! ```
//!
//! It is the same whether a block's cost is its time, as here, or what the plan estimates, as
//! in `tests/threads.rs`, which includes this file.

use std::{cmp::Reverse, collections::BinaryHeap};

/// How many times as fast as one thread this many are with blocks of these costs.
pub fn speed_up(costs: &[u64], threads: usize) -> f64 {
    let mut free: BinaryHeap<Reverse<u64>> = (0..threads).map(|_| Reverse(0)).collect();
    let mut last = 0;
    for cost in costs {
        let Reverse(start) = free.pop().expect("there is a thread");
        let end = start + cost;
        last = last.max(end);
        free.push(Reverse(end));
    }
    let work: u64 = costs.iter().sum();
    // What costs nothing cannot be done faster.
    if last == 0 {
        1.0
    } else {
        work as f64 / last as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_wait_for_the_longest_block() {
        let blocks = [4, 3, 2, 1];
        assert_eq!(speed_up(&blocks, 1), 1.0);
        assert_eq!(speed_up(&blocks, 2), 2.0); // 4 + 1 and 3 + 2
        assert_eq!(speed_up(&blocks, 5), 10.0 / 4.0);
        assert_eq!(speed_up(&[1, 2, 3, 4], 2), 10.0 / 6.0); // 1 + 3 and 2 + 4
    }

    #[test]
    fn nothing_to_do_takes_one_thread_as_long_as_many() {
        assert_eq!(speed_up(&[], 8), 1.0);
        assert_eq!(speed_up(&[0, 0], 8), 1.0);
    }
}
