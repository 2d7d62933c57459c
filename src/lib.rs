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

// In the program, which nobody links, `pub` has no such meaning.
#![warn(unreachable_pub)]

mod board;
mod count;
mod engine;
mod error;
pub mod estimate;
#[cfg(feature = "ledger")]
pub mod ledger;
#[doc(hidden)] // the program draws with it, too
pub mod random;
mod solutions;
mod threads;

pub use board::{Board, MAX_N, Problem, Square, Symmetry, format};
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
