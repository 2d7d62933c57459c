//! Counts the ways to place n non-attacking queens on an n×n board.
//!
//! ```
//! assert_eq!(queens::count(8)?, 92);
//! # Ok::<(), queens::Error>(())
//! ```
//!
//! A count flows one way:
//!
//! ```text
//! Problem -> Plan -> blocks of tasks -> Engine -> partial counts -> Tally -> count
//! ```
//!
//! [`Count`] is the front door, with every choice open: the engine, the threads, an
//! observer of finished blocks, a flag to cancel. The library never prints, exits or
//! reads the environment.

#![warn(missing_docs, unreachable_pub)]

mod ahead;
mod board;
mod checksum;
mod clock;
mod count;
mod cpu;
mod double_check;
mod engine;
mod error;
mod estimate;
pub mod format;
mod fundamental;
pub mod known;
pub mod ledger;
pub mod plan;
mod problem;
mod random;
mod run;
mod solutions;
mod solve;
mod square;
mod symmetric;
mod symmetry;
mod tally;

pub use ahead::Ahead;
pub use board::Board;
pub use count::{Count, Counted};
pub use cpu::Cpu;
pub use double_check::{DoubleCheck, Sample};
pub use engine::{Engine, Route};
pub use error::Error;
pub use estimate::{Estimate, Estimated, Figure};
pub use fundamental::{Fundamental, fundamental};
pub use ledger::{Ledger, Recorder};
pub use plan::{Block, Plan, PlanId, Shard};
pub use problem::Problem;
pub use random::solve_random;
pub use run::{BlockCounts, Cancel, FinishedBlock, Observer};
pub use solutions::{Solutions, solutions};
pub use solve::{MAX_SOLVE_N, solve};
pub use square::Square;
pub use symmetric::{Classes, half_turn, quarter_turn};
pub use symmetry::Symmetry;
pub use tally::Tally;

/// The largest board side: columns fit one 32-bit mask.
///
/// ```
/// use queens::{MAX_N, Problem};
///
/// assert!(Problem::new(MAX_N).is_ok());
/// assert!(Problem::new(MAX_N + 1).is_err());
/// ```
pub const MAX_N: u32 = 32;

/// The largest number of threads: what any machine has and the thread pool can run.
///
/// ```
/// use queens::{Count, Error, MAX_THREADS};
///
/// let run = Count::new(8)?.threads(MAX_THREADS + 1).run();
/// assert!(matches!(run, Err(Error::ThreadCount(_))));
/// # Ok::<(), queens::Error>(())
/// ```
pub const MAX_THREADS: usize = 4096;

/// The number of solutions for a board of side `n`, on all threads that this process
/// may use.
///
/// ```
/// assert_eq!(queens::count(10)?, 724);
/// # Ok::<(), queens::Error>(())
/// ```
pub fn count(n: u32) -> Result<u128, Error> {
    Count::new(n)?.run().map(|counted| counted.count)
}

/// Runs the Rust code in the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
