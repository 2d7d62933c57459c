//! What a user can say, and what it means: arguments that several commands share.

pub(in crate::cli) mod board_size;
pub(in crate::cli) mod duration;
pub(in crate::cli) mod engine_args;
pub(in crate::cli) mod input;
pub(in crate::cli) mod ledger_file;
pub(in crate::cli) mod number;
pub(in crate::cli) mod pin;
pub(in crate::cli) mod region;
pub(in crate::cli) mod restrict;
pub(in crate::cli) mod share;
pub(in crate::cli) mod target;
pub(in crate::cli) mod threads;
