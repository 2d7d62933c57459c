//! Long runs, watched: signals, time limits, progress, the checkpoint, and counts made again.

pub(in crate::cli) mod checkpoint;
mod clock;
pub(in crate::cli) mod eta;
pub(in crate::cli) mod memory;
pub(in crate::cli) mod progress;
pub(in crate::cli) mod recount;
pub(in crate::cli) mod session;
