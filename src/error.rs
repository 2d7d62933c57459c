//! Everything that can go wrong in the library, as one enum: each message is a
//! sentence that names the offending value and what would have been valid.

#[cfg(feature = "ledger")]
use std::path::Path;
use std::{fmt::Display, path::PathBuf};

use crate::{
    board::{MAX_N, Square, format::Format},
    engine::{Cpu, Engine, Route},
    solutions::MAX_SOLVE_N,
    threads::MAX_THREADS,
};

/// Why a count could not be delivered.
///
/// ```
/// let error = queens::count(33).unwrap_err();
/// assert_eq!(error, queens::Error::BoardSize(33));
/// assert_eq!(error.to_string(), "a board of side 33 is out of range: n goes from 0 to 32");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The side of the board is larger than [`MAX_N`].
    #[error("a board of side {0} is out of range: n goes from 0 to {MAX_N}")]
    BoardSize(u32),
    /// No thread, or more than [`MAX_THREADS`].
    #[error("{0} threads are out of range: use 1 to {MAX_THREADS}")]
    ThreadCount(usize),
    /// An engine name that does not exist.
    #[error("there is no engine named \"{0}\": use {all}", all = names(Engine::ALL))]
    UnknownEngine(String),
    /// The instruction set asked for is not one of this processor's.
    #[error("this processor does not have what the {0} kernel needs: use \"auto\" or \"portable\"")]
    CpuUnavailable(&'static str),
    /// A kernel name that does not exist.
    #[error("there is no kernel named \"{0}\": use {all}", all = names(Cpu::ALL))]
    UnknownCpu(String),
    /// A second way to count that the engine does not have.
    #[error("the {0} engine has no reference to recount with: use its image")]
    NoRoute(&'static str),
    /// A format name that does not exist.
    #[error("there is no format named \"{0}\": use {all}", all = names(Format::ALL))]
    UnknownFormat(String),
    /// A text that is no solution in any notation.
    #[error("cannot read \"{token}\" at line {line}, character {character}: expected {expected}")]
    Unreadable {
        /// The word that cannot be read.
        token: String,
        /// Its line, from 1.
        line: usize,
        /// Its place in the line, from 1.
        character: usize,
        /// What would have been valid.
        expected: String,
    },
    /// A JSON text that is no object with the columns of a solution.
    #[error("cannot read this as JSON with the \"columns\" of a solution: {0}")]
    UnreadableJson(String),
    /// Two queens that attack each other, so that the board is no solution.
    #[error("the queens on {first} and {second} attack each other")]
    Attack {
        /// The side of the board.
        n: u32,
        /// The queen that was there first.
        first: Square,
        /// The one that it attacks.
        second: Square,
    },
    /// Fewer queens than rows, so that the board is no solution.
    #[error("there is no queen in row {row} (rank {})", n - row)]
    MissingQueen {
        /// The side of the board.
        n: u32,
        /// The first empty row.
        row: u32,
    },
    /// A total that does not divide into symmetry classes.
    #[error(
        "{all} solutions for n = {n} do not divide into classes, with {half} fixed by a half turn and {quarter} by a quarter turn: one of these counts is wrong"
    )]
    BrokenClasses {
        /// The side of the board.
        n: u32,
        /// The number of all solutions.
        all: u128,
        /// How many of them a half turn leaves as they are.
        half: u128,
        /// How many of them a quarter turn leaves as they are.
        quarter: u128,
    },
    /// A board too large to be solved.
    #[error(
        "a board of side {0} is out of range: one solution is found for n from 0 to {MAX_SOLVE_N}"
    )]
    SolveSize(u32),
    /// A text that is not the name of a square.
    #[error("\"{0}\" is not a square: name its file and its rank, as in e4")]
    UnknownSquare(String),
    /// A square outside the board.
    #[error("\"{name}\" is not a square of a board of side {n}{}", range(*n))]
    NoSquare {
        /// The side of the board.
        n: u32,
        /// The square asked for.
        name: String,
    },
    /// The threads could not be started.
    #[error("cannot start {}: {reason}", counted(*threads, "thread"))]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// The memory for a list could not be had.
    #[error(
        "there is not enough memory: {0} more bytes cannot be had; use fewer threads, or a machine with more"
    )]
    Memory(usize),
    /// A count left its range: the result is not to be trusted, and a second try would
    /// give the same.
    #[error("a count is out of range: {0}")]
    Overflow(&'static str),
    /// Two routes to one number disagree.
    #[error(
        "{what} has {first} solutions by one route and {second} by {route}: one of them is wrong, do not trust this count"
    )]
    Mismatch {
        /// The task or block.
        what: String,
        /// What was counted first.
        first: u128,
        /// What was counted in the check.
        second: u128,
        /// How the second count was made.
        route: &'static str,
    },
    /// A file could not be used as asked.
    #[error("cannot {doing} {}: {reason}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What was to be done to it.
        doing: &'static str,
        /// What the system said.
        reason: String,
    },
    /// Another process is writing to the ledger.
    #[error("{} is in use by another process: wait until it ends, or name another file", .0.display())]
    InUse(PathBuf),
    /// A file that is not as it was written.
    #[error("{}, line {line}: {reason}; the file is damaged and was left as it is: {}", path.display(), remedy(*line))]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// The first bad line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A ledger of another run, or of a format that this program does not know.
    #[error("{} does not belong here: {reason}", path.display())]
    Foreign {
        /// Which file.
        path: PathBuf,
        /// What it is, what was expected, and what to do.
        reason: String,
    },
    /// Two ledgers have different counts for one block.
    #[error("block {block} has {first_count} solutions in {} and {second_count} in {}: one of the files is wrong; count that block again", first.display(), second.display())]
    Conflict {
        /// The block.
        block: usize,
        /// The file read first.
        first: PathBuf,
        /// Its count.
        first_count: u128,
        /// The file that contradicts it.
        second: PathBuf,
        /// Its count.
        second_count: u128,
    },
    /// Ledgers do not hold the whole plan.
    #[error(
        "{missing} of {} {} missing: {blocks}; run the commands that record them again",
        counted(*of, "block"), if *missing == 1 { "is" } else { "are" }
    )]
    Missing {
        /// Which ones, as in 3,7-9.
        blocks: String,
        /// How many.
        missing: usize,
        /// How many there should be.
        of: usize,
    },
    /// No ledger was given.
    #[error("there is nothing to merge: name at least one ledger")]
    NothingToMerge,
    /// A folder in which no results can be published.
    #[error("the folder {} allows no hard links, by which results are published: name one in another file system ({reason})", folder.display())]
    NoHardLinks {
        /// Which folder.
        folder: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// More shards than blocks, or none.
    #[error("{of} shards are out of range: this plan has {}, so use 1 to {blocks}", counted(*blocks, "block"))]
    ShardCount {
        /// The number asked for.
        of: u32,
        /// The number of blocks.
        blocks: usize,
    },
    /// A shard that is not one of its kind.
    #[error(
        "there is no shard {index} of {of}: shards go from 0 to one less than their number, which is at least 1"
    )]
    NoShard {
        /// The shard asked for, from 0.
        index: u32,
        /// How many there are.
        of: u32,
    },
    /// A block that the plan does not have.
    #[error("there is no block {index} in this plan: it has {blocks}, numbered from 0")]
    NoBlock {
        /// The block asked for.
        index: usize,
        /// How many there are.
        blocks: usize,
    },
    /// A text that is not the name of a plan.
    #[error("\"{0}\" is not the name of a plan: it has 16 hexadecimal digits")]
    UnknownPlan(String),
    /// A route name that does not exist.
    #[error("there is no route named \"{0}\": use {all}", all = names(Route::ALL.iter().map(|route| route.name())))]
    UnknownRoute(String),
    /// The count was cancelled before the last block was finished.
    #[error("interrupted before the count was complete")]
    Interrupted,
}

#[cfg(feature = "ledger")]
impl Error {
    pub(crate) fn file(path: &Path, doing: &'static str, reason: impl ToString) -> Error {
        Error::File {
            path: path.to_owned(),
            doing,
            reason: reason.to_string(),
        }
    }
}

/// What can be done about a file that is damaged from this line on.
fn remedy(line: usize) -> String {
    match line - 1 {
        0 => "name another file, or restore this one from a copy".to_owned(),
        1 => "only its header is sound; name another file, or restore this one from a copy"
            .to_owned(),
        sound => format!(
            "its first {sound} lines are sound; copy them to a new file and resume from that"
        ),
    }
}

/// A number of things: "1 thread", "2 threads".
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The names of all there are, as a user would type them.
fn names<T: Display>(all: impl IntoIterator<Item = T>) -> String {
    let names = all.into_iter().map(|one| format!("\"{one}\""));
    names.collect::<Vec<_>>().join(" or ")
}

/// Which squares there are.
fn range(n: u32) -> String {
    match n.checked_sub(1) {
        None => ", which has none".to_owned(),
        Some(last) => format!(": they go from a1 to {}", Square::new(last, last)),
    }
}
