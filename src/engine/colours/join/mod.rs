//! Two ways to join the outer and the inner list of a colour, and the instruction sets
//! that they are compiled for.

pub(crate) mod counts;
pub(crate) mod kernel;
pub(crate) mod packed;
pub(crate) mod prefixes;
pub(crate) mod trie;
