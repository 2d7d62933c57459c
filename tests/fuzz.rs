//! The fuzzer's properties, on its seeds: they hold without a nightly toolchain, too. That of
//! the command line is tested where it is, in `src/cli/usage.rs`.
#![cfg(feature = "ledger")]

#[path = "../fuzz/properties/board.rs"]
mod board;
#[path = "../fuzz/properties/ledger.rs"]
mod ledger;

use std::{fs, path::Path};

fn every_seed(target: &str, holds: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let mut seeds = 0;
    for seed in fs::read_dir(folder.join(target)).unwrap() {
        let bytes = fs::read(seed.unwrap().path()).unwrap();
        // Some steps of the way that a fuzzer goes: cut, or with a bit changed, anywhere.
        for place in 0..bytes.len() {
            holds(&bytes[..place]);
            let mut changed = bytes.clone();
            changed[place] ^= 1 << (place % 8);
            holds(&changed);
        }
        holds(&bytes);
        seeds += 1;
    }
    assert!(seeds > 0, "no seeds for {target}");
}

#[test]
fn every_seed_of_the_ledger_holds() {
    every_seed("ledger", ledger::holds);
}

#[test]
fn every_seed_of_the_board_reader_holds() {
    every_seed("board", board::holds);
}
