//! The exit codes of the program, and how an error finds its own.
//!
//! A command returns `Ok(Exit)` when it has said all there is to say, or an error
//! that `main` prints as one line. The error's code is the one that [`Exit::because`]
//! gave it, or follows from the library's error; any other error is a [`Failure`].
//!
//! [`Failure`]: Exit::Failure

use std::{fmt, process::ExitCode};

use clap::ValueEnum;
use queens::Error;

use crate::cli::report::output::StdoutClosed;

/// How the program ended. The numbers are a promise to scripts, and the words stand in the
/// manual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[repr(u8)]
pub enum Exit {
    /// done (also when the reader of a pipe has seen enough)
    Done = 0,
    /// failure
    Failure = 1,
    /// the command line or an environment variable makes no sense
    Usage = 2,
    /// a computed count contradicts the published value or a double-check
    Mismatch = 3,
    /// the answer is "no": invalid board, no solution, slower than the baseline
    No = 4,
    /// parts of the count are missing
    Missing = 10,
    /// parts of the count contradict each other
    Conflict = 11,
    /// a file belongs to another run or is of another format
    Foreign = 12,
    /// a file is damaged
    Damaged = 13,
    /// a file is in use
    InUse = 14,
    /// interrupted
    Interrupted = 130,
}

/// A reason to stop, with its exit code for scripts.
#[derive(Debug)]
struct Stop {
    exit: Exit,
    sentence: String,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for Stop {}

impl Exit {
    /// An error that ends the program with this code and this sentence.
    pub fn because(self, sentence: impl Into<String>) -> anyhow::Error {
        let sentence = sentence.into();
        anyhow::Error::new(Stop {
            exit: self,
            sentence,
        })
    }

    /// The code of an error, looked up through every context around it.
    pub fn of(error: &anyhow::Error) -> Exit {
        error.chain().find_map(code).unwrap_or(Exit::Failure)
    }

    /// The code of an error of the library.
    pub fn of_library(error: &Error) -> Exit {
        match error {
            Error::Interrupted => Exit::Interrupted,
            Error::Mismatch { .. } | Error::BrokenClasses { .. } | Error::Overflow(_) => {
                Exit::Mismatch
            }
            Error::Attack { .. } | Error::MissingQueen { .. } => Exit::No,
            Error::Missing { .. } => Exit::Missing,
            Error::Conflict { .. } => Exit::Conflict,
            Error::Foreign { .. } => Exit::Foreign,
            Error::Damaged { .. } => Exit::Damaged,
            Error::InUse(_) => Exit::InUse,
            Error::BoardSize(_)
            | Error::ThreadCount(_)
            | Error::UnknownEngine(_)
            | Error::UnknownCpu(_)
            | Error::CpuUnavailable(_)
            | Error::NoRoute(_)
            | Error::NoShard { .. }
            | Error::NoHardLinks { .. }
            | Error::ShardCount { .. }
            | Error::NoBlock { .. }
            | Error::UnknownPlan(_)
            | Error::UnknownRoute(_)
            | Error::UnknownFormat(_)
            | Error::Unreadable { .. }
            | Error::UnreadableJson(_)
            | Error::SolveSize(_)
            | Error::UnknownSquare(_)
            | Error::NoSquare { .. } => Exit::Usage,
            _ => Exit::Failure,
        }
    }
}

fn code(cause: &(dyn std::error::Error + 'static)) -> Option<Exit> {
    if let Some(stop) = cause.downcast_ref::<Stop>() {
        return Some(stop.exit);
    }
    if let Some(error) = cause.downcast_ref::<std::io::Error>() {
        // The reader has seen enough, as in `queens count 8..16 | head -1`.
        return StdoutClosed::caused(error).then_some(Exit::Done);
    }
    cause.downcast_ref::<Error>().map(Exit::of_library)
}

/// The section of the help that lists every code, with what is said of it above.
pub fn list() -> String {
    let line = |exit: &Exit| {
        let meaning = exit.to_possible_value()?.get_help()?.to_string();
        Some(format!("\n  {:>3}  {meaning}", *exit as u8))
    };
    let lines: String = Exit::value_variants().iter().filter_map(line).collect();
    format!("Exit codes:{lines}")
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn an_error_keeps_its_code_under_added_context() {
        let stop = Err::<(), _>(Exit::Damaged.because("line 3 is damaged")).context("run.jsonl");
        assert_eq!(Exit::of(&stop.unwrap_err()), Exit::Damaged);
        let interrupted = anyhow::Error::new(Error::Interrupted).context("at n = 20");
        assert_eq!(Exit::of(&interrupted), Exit::Interrupted);
        assert_eq!(Exit::of(&anyhow::anyhow!("no space left")), Exit::Failure);
    }
}
