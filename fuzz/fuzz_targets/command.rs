//! The property is in `src/cli/usage.rs`, with what it is about.
#![no_main]
#![allow(dead_code)]

#[path = "../../src/cli/mod.rs"]
mod cli;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| cli::holds(bytes));
