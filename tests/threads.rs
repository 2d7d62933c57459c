//! How busy many threads would be with the blocks of a plan: list scheduling, where a
//! thread that is free takes the next block in the order of the plan, as in a run.
//!
//! What is held fixed here is simulated on the *costs* of the blocks, not on their times:
//! a plan depends on the problem alone, so these figures are the same on every machine.
//! `scripts/simulate-threads` does the same with the times in a ledger.

use std::{cmp::Reverse, collections::BinaryHeap};

use queens::{Engine, Problem, plan::Plan};

/// The least that plans may come to, in percent, and the most blocks that they may have: a
/// little worse than what they are now. `cargo test --test threads -- --nocapture` prints what
/// they are.
///
/// n, engine, blocks, on 64 threads, on 128 threads
const LEAST: [(u32, Engine, usize, f64, f64); 7] = [
    (15, Engine::Rows, 80, 80.0, 45.0),
    (16, Engine::Rows, 600, 95.0, 90.0),
    (17, Engine::Rows, 1500, 95.0, 90.0),
    (18, Engine::Colours, 136, 85.0, 60.0),
    (19, Engine::Colours, 800, 95.0, 90.0),
    (20, Engine::Colours, 1400, 95.0, 90.0),
    (21, Engine::Colours, 4000, 95.0, 90.0),
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
    for (n, engine, most, least_64, least_128) in LEAST {
        let plan = Plan::new(&Problem::new(n).unwrap(), engine).unwrap();
        let costs: Vec<u64> = plan.blocks().iter().map(|block| block.cost).collect();
        let blocks = costs.len();
        assert!(blocks <= most, "n = {n}, {engine}: {blocks} blocks");
        for (threads, least) in [(64, least_64), (128, least_128)] {
            let found = efficiency(&costs, threads);
            let figure =
                format!("n = {n}, {engine}, {blocks} blocks on {threads} threads: {found:.1} %");
            println!("{figure}");
            assert!(found >= least, "{figure}, and at least {least} % before");
        }
    }
}
