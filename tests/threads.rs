//! How busy many threads would be with the blocks of a plan, by the simulation of
//! `queens plot --ledger`.
//!
//! What is held fixed here is simulated on the *costs* of the blocks, not on their times:
//! a plan depends on the problem alone, so these figures are the same on every machine.

use queens::{
    Engine, Problem,
    plan::{Plan, speed_up},
};

/// The least that plans may come to, in percent, and the most blocks that they may have: a
/// little worse than what they are now. `cargo test --test threads -- --nocapture` prints what
/// they are.
///
/// n, engine, blocks, on 64 threads, on 128 threads
const LEAST: [(u32, Engine, usize, f64, f64); 7] = [
    (15, Engine::Rows, 40, 91.0, 83.0),
    (16, Engine::Rows, 300, 96.0, 94.0),
    (17, Engine::Rows, 480, 97.0, 95.0),
    (18, Engine::Colours, 128, 96.0, 94.0),
    (19, Engine::Colours, 700, 98.0, 96.0),
    (20, Engine::Colours, 1290, 98.0, 97.0),
    (21, Engine::Colours, 4000, 98.0, 97.0),
];

#[test]
fn plans_keep_many_threads_busy() {
    for (n, engine, most, least_64, least_128) in LEAST {
        let plan = Plan::new(&Problem::new(n).unwrap(), engine).unwrap();
        let blocks = plan.blocks().len();
        assert!(blocks <= most, "n = {n}, {engine}: {blocks} blocks");
        for (threads, least) in [(64, least_64), (128, least_128)] {
            let costs = plan.blocks().iter().map(|block| (block.tasks, block.cost));
            let found = 100.0 * speed_up(costs, threads) / threads as f64;
            let figure =
                format!("n = {n}, {engine}, {blocks} blocks on {threads} threads: {found:.1} %");
            println!("{figure}");
            assert!(found >= least, "{figure}, and at least {least} % before");
        }
    }
}
