//! How busy many threads would be with the blocks of a plan: list scheduling, where a
//! thread that is free takes the next block in the order of the plan, as in a run.
//!
//! What is held fixed here is simulated on the *costs* of the blocks, not on their times:
//! a plan depends on the problem alone, so these figures are the same on every machine.
//! `scripts/simulate-threads` does the same with the times in a ledger.

use std::{cmp::Reverse, collections::BinaryHeap};

use queens::{Engine, Problem, plan::Plan};

/// The least that plans may come to, in percent: a few below what they are now.
/// `cargo test --test threads -- --nocapture` prints what they are.
///
/// n, engine, on 16 threads, on 64 threads
const LEAST: [(u32, Engine, f64, f64); 2] = [
    (18, Engine::Colours, 95.0, 83.0),
    (15, Engine::Rows, 92.0, 73.0),
];

/// In percent: the work of all blocks ÷ (threads × the time when the last one is done).
fn efficiency(blocks: &[u64], threads: usize) -> f64 {
    let mut free: BinaryHeap<Reverse<u64>> = (0..threads).map(|_| Reverse(0)).collect();
    let mut last = 0;
    for block in blocks {
        let Reverse(start) = free.pop().unwrap();
        let end = start + block;
        last = last.max(end);
        free.push(Reverse(end));
    }
    let work: u64 = blocks.iter().sum();
    100.0 * work as f64 / (threads as f64 * last as f64)
}

#[test]
fn threads_wait_for_the_longest_block() {
    let blocks = [4, 3, 2, 1];
    assert_eq!(efficiency(&blocks, 1), 100.0);
    assert_eq!(efficiency(&blocks, 2), 100.0); // 4 + 1 and 3 + 2
    assert_eq!(efficiency(&blocks, 5), 100.0 * 10.0 / (5.0 * 4.0));
    assert_eq!(efficiency(&[1, 2, 3, 4], 2), 100.0 * 10.0 / (2.0 * 6.0)); // 1 + 3 and 2 + 4
}

#[test]
fn plans_keep_many_threads_busy() {
    for (n, engine, least_16, least_64) in LEAST {
        let plan = Plan::new(&Problem::new(n).unwrap(), engine).unwrap();
        let costs: Vec<u64> = plan.blocks().iter().map(|block| block.cost).collect();
        for (threads, least) in [(16, least_16), (64, least_64)] {
            let found = efficiency(&costs, threads);
            let blocks = costs.len();
            let figure =
                format!("n = {n}, {engine}, {blocks} blocks on {threads} threads: {found:.1} %");
            println!("{figure}");
            assert!(found >= least, "{figure}, and at least {least} % before");
        }
    }
}
