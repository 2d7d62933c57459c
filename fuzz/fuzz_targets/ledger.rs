#![no_main]

#[path = "../properties/ledger.rs"]
mod ledger;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ledger::holds(bytes));
