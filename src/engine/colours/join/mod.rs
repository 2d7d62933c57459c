//! Joins two lists of placements: for each pair of column sets, how many pairs of
//! placements share no diagonal.

pub(crate) mod kernel;
pub(crate) mod lanes;
pub(crate) mod trie;
