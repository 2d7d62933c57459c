//! How results reach a person, a pipe or a file.

pub(in crate::cli) mod atomic_file;
pub(in crate::cli) mod built;
pub(in crate::cli) mod date;
pub(in crate::cli) mod decimal;
pub(in crate::cli) mod humanize;
pub(in crate::cli) mod machine;
pub(in crate::cli) mod merge_report;
pub(in crate::cli) mod output;
pub(in crate::cli) mod table;
