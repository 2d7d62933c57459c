//! The program as a user and a script meet it: a module per command, and the README.

mod bench;
mod count;
mod estimate;
mod generated;
mod info;
mod known;
mod ledger;
#[cfg(unix)]
mod long_run;
mod program;
mod readme;
mod records;
mod restricted;
mod shard;
mod solutions;
#[cfg(unix)]
mod terminal;
mod usage;
