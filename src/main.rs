//! The `queens` program: runs the command line and turns its outcome into an exit
//! code, with one line on standard error where there is something to say.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
        .unwrap_or_else(|error| cli::report(&error))
        .into()
}
