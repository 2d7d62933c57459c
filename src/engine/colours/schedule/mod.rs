//! In which order tasks are counted, what they share, and what they cost.

pub(crate) mod class;
pub(crate) mod cost;
pub(crate) mod list_cache;
pub(crate) mod memory;
pub(crate) mod numbering;
pub(crate) mod sizes;
pub(crate) mod slices;
