//! Long runs, watched: signals, time limits, progress, and the checkpoint.

pub(in crate::cli) mod checkpoint;
mod clock;
pub(in crate::cli) mod eta;
pub(in crate::cli) mod memory;
pub(in crate::cli) mod progress;
pub(in crate::cli) mod session;
