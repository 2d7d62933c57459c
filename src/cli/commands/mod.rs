//! The commands, one file or folder each.

pub(in crate::cli) mod bench;
pub(in crate::cli) mod check;
pub(in crate::cli) mod completions;
pub(in crate::cli) mod count;
pub(in crate::cli) mod draw;
pub(in crate::cli) mod estimate;
pub(in crate::cli) mod info;
pub(in crate::cli) mod known;
pub(in crate::cli) mod ledger;
pub(in crate::cli) mod list;
pub(in crate::cli) mod man;
pub(in crate::cli) mod plot;
pub(in crate::cli) mod records;
pub(in crate::cli) mod shard;
pub(in crate::cli) mod solve;
