//! What this program was built from, as far as the build script could tell.

/// The last commit that changed its sources; a "+" at the end says that they were changed
/// after it.
pub const COMMIT: Option<&str> = option_env!("QUEENS_COMMIT");
/// The compiler, in its own words.
pub const RUSTC: Option<&str> = option_env!("QUEENS_RUSTC");
