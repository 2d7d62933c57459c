//! The `queens` program: runs the command line and turns its outcome into an exit
//! code. An error is one line on standard error, whatever caused it.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
        .unwrap_or_else(|error| cli::report(&error))
        .into()
}
