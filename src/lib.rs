//! Counts the ways to place n non-attacking queens on an n×n board, lists them, and
//! estimates what nobody has the time to count.
//!
//! ```
//! assert_eq!(queens::count(8)?, 92);
//! # Ok::<(), queens::Error>(())
//! ```
//!
//! # Progress and cancelling
//!
//! [`Count`] is the front door, with every choice open. A closure hears of each finished
//! block of work, and a [`Cancel`] flag ends the count, from there or from any thread:
//!
//! ```
//! use queens::{Cancel, Count, Error, FinishedBlock};
//!
//! let cancel = Cancel::new();
//! let show = |block: &FinishedBlock| {
//!     println!("{:.0} %", 100.0 * block.progress);
//!     if block.progress > 0.5 {
//!         cancel.cancel();
//!     }
//! };
//! let counted = Count::new(16)?.threads(1).cancel(&cancel).observer(&show).run();
//! assert_eq!(counted.unwrap_err(), Error::Interrupted);
//! # Ok::<(), queens::Error>(())
//! ```
//!
//! # Listing
//!
//! [`solutions()`] comes in lexicographic order and takes no memory; [`fundamental()`]
//! has one of each class that turns and mirrors make:
//!
//! ```
//! let first = queens::solutions(8)?.next().expect("there are 92");
//! assert_eq!(first.to_string(), "[0 4 7 5 2 6 1 3]");
//! assert_eq!(queens::fundamental(8)?.count(), 12);
//! # Ok::<(), queens::Error>(())
//! ```
//!
//! # Completing
//!
//! A [`Problem`] may require or forbid squares:
//!
//! ```
//! use queens::{Count, Problem};
//!
//! let problem = Problem::new(8)?.require("d8".parse()?)?.forbid("e4".parse()?)?;
//! assert_eq!(Count::from(problem).run()?.count, 17);
//! # Ok::<(), queens::Error>(())
//! ```
//!
//! # Estimating
//!
//! A sample of the tasks tells how many solutions there are, about, and what it would
//! cost to count them on this machine:
//!
//! ```
//! use queens::{Count, estimate::Estimate};
//!
//! let estimated = Estimate::new(Count::new(18)?).samples(300).seed(1).run()?;
//! assert!((6e8..7e8).contains(&estimated.count.value)); // there are 666 090 624
//! println!("about {:.1} seconds of one core", estimated.core_seconds.value);
//! # Ok::<(), queens::Error>(())
//! ```
//!
//! # How a count flows
//!
//! ```text
//! Problem -> Plan -> blocks of tasks -> Engine -> partial counts -> Tally -> count
//! ```
//!
//! Plans and shards are in [`plan`], counts on disk in `ledger` (a feature of that
//! name), published values in [`known`], notations in [`mod@format`]. The library never
//! prints, exits or reads the environment.

// In the program, which nobody links, `pub` has no such meaning.
#![warn(missing_debug_implementations, unreachable_pub)]

mod board;
mod count;
mod engine;
mod error;
pub mod estimate;
#[cfg(feature = "ledger")]
pub mod ledger;
#[cfg(test)]
#[path = "../tests/oracle/mod.rs"]
mod oracle;
#[doc(hidden)] // the program draws with it, too
pub mod random;
mod solutions;
mod threads;

pub use board::{Board, Contradiction, MAX_N, Problem, Square, Symmetry, format};
pub use count::{Count, Counted, DoubleCheck, FinishedBlock, Observer, Runner, count, known, plan};
pub use engine::{Cpu, Engine, Route};
pub use error::Error;
pub use solutions::{
    Classes, Fundamental, MAX_SOLVE_N, ParallelSolutions, Solutions, fundamental, half_turn,
    quarter_turn, solutions, solve, solve_random,
};
pub use threads::{Cancel, MAX_THREADS};

/// Runs the Rust code in the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
