//! `--with` and `--without`: squares that must or must not hold a queen.

use anyhow::Result;
use clap::Args;
use queens::{Error, Problem, Square};

use crate::cli::report::output::Output;

/// The options of a command that can look at a part of the solutions.
#[derive(Debug, Args)]
#[command(next_help_heading = "Which solutions")]
pub struct Restrict {
    /// Only solutions with queens on these squares
    ///
    /// Squares are named as on a chess board: files a, b, … z, aa, … from the left, rank
    /// 1 at the bottom. Commas or blanks stand between them.
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    pub with: Vec<String>,

    /// Only solutions without a queen on any of these squares
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    pub without: Vec<String>,
}

impl Restrict {
    /// Whether any square is named.
    pub fn is_given(&self) -> bool {
        !(self.with.is_empty() && self.without.is_empty())
    }

    /// The board of side `n` with these squares.
    pub fn problem(&self, n: u32) -> Result<Problem> {
        let square = |name: String| {
            name.parse::<Square>()
                .map_err(|_| Error::NoSquare { n, name })
        };
        let mut problem = Problem::new(n)?;
        for name in names(&self.with) {
            problem = problem.require(square(name)?)?;
        }
        for name in names(&self.without) {
            problem = problem.forbid(square(name)?)?;
        }
        Ok(problem)
    }
}

/// The squares that a user has named, as "a8,e7", "a8 e7" or "A8".
pub fn names(given: &[String]) -> Vec<String> {
    let words = given.iter().flat_map(|text| match text.trim() {
        // An empty word is no square, but it is there.
        "" => vec![""],
        text => text.split(' ').filter(|name| !name.is_empty()).collect(),
    });
    words.map(str::to_ascii_lowercase).collect()
}

/// Notes that given queens attack each other. That is not an error: it answers the
/// question.
pub fn note_attack(problem: &Problem, out: &Output) {
    let queens = problem.required();
    let pairs = (1..queens.len()).flat_map(|end| queens[..end].iter().map(move |q| (q, end)));
    let mut pairs = pairs.map(|(queen, end)| (*queen, queens[end]));
    if let Some((one, other)) = pairs.find(|(one, other)| one.attacks(*other)) {
        out.note(format_args!(
            "the given queens on {one} and {other} attack each other: there is no solution with both"
        ));
    }
}
