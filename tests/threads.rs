//! How busy many threads would be with the blocks of a plan, by the simulation of
//! `queens plot --ledger`.
//!
//! What is held fixed here is simulated on the *costs* of the blocks, not on their times:
//! a plan depends on the problem alone, so these figures are the same on every machine.

#[path = "../src/cli/commands/ledger/schedule.rs"]
mod schedule;

use queens::{Engine, Problem, plan::Plan};

/// The least that plans may come to, in percent, and the most blocks that they may have: a
/// little worse than what they are now. `cargo test --test threads -- --nocapture` prints what
/// they are.
///
/// n, engine, blocks, on 64 threads, on 128 threads
const LEAST: [(u32, Engine, usize, f64, f64); 7] = [
    (15, Engine::Rows, 110, 90.0, 45.0),
    (16, Engine::Rows, 600, 95.0, 90.0),
    (17, Engine::Rows, 1500, 95.0, 90.0),
    (18, Engine::Colours, 360, 90.0, 75.0),
    (19, Engine::Colours, 800, 95.0, 90.0),
    (20, Engine::Colours, 1400, 95.0, 90.0),
    (21, Engine::Colours, 4000, 95.0, 90.0),
];

#[test]
fn plans_keep_many_threads_busy() {
    for (n, engine, most, least_64, least_128) in LEAST {
        let plan = Plan::new(&Problem::new(n).unwrap(), engine).unwrap();
        let costs: Vec<u64> = plan.blocks().iter().map(|block| block.cost).collect();
        let blocks = costs.len();
        assert!(blocks <= most, "n = {n}, {engine}: {blocks} blocks");
        for (threads, least) in [(64, least_64), (128, least_128)] {
            let found = 100.0 * schedule::speed_up(&costs, threads) / threads as f64;
            let figure =
                format!("n = {n}, {engine}, {blocks} blocks on {threads} threads: {found:.1} %");
            println!("{figure}");
            assert!(found >= least, "{figure}, and at least {least} % before");
        }
    }
}
