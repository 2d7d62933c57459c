#![no_main]

#[path = "../properties/board.rs"]
mod board;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| board::holds(bytes));
