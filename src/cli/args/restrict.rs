//! `--with` and `--without`: squares that must or must not hold a queen.

use anyhow::Result;
use clap::Args;
use queens::{Error, Problem, Square};
use serde::{Serialize, Serializer};

use crate::cli::report::output::Output;

/// The options of a command that can look at a part of the solutions.
#[derive(Debug, Default, Args, Serialize)]
#[command(next_help_heading = "Which solutions")]
pub struct Restrict {
    /// Only solutions with queens on these squares
    ///
    /// Squares are named as on a chess board: files a, b, … z, aa, … from the left, rank
    /// 1 at the bottom. Commas or blanks stand between them.
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "by_name")]
    pub with: Vec<String>,

    /// Only solutions without a queen on any of these squares
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "by_name")]
    pub without: Vec<String>,
}

/// The squares of a problem that was read from a file.
impl From<&Problem> for Restrict {
    fn from(problem: &Problem) -> Self {
        let names = |squares: &[Square]| squares.iter().map(Square::to_string).collect();
        Restrict {
            with: names(problem.required()),
            without: names(problem.forbidden()),
        }
    }
}

impl Restrict {
    /// Whether any square is named.
    pub fn is_given(&self) -> bool {
        !(self.with.is_empty() && self.without.is_empty())
    }

    /// The board of side `n` with these squares, in words.
    pub fn board(&self, n: u32) -> String {
        let squares = |word, given: &[String]| match given {
            [] => String::new(),
            given => format!(", {word} {}", names(given).join(" ")),
        };
        let with = squares("with", &self.with);
        let without = squares("without", &self.without);
        format!("n = {n}{with}{without}")
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
fn names(given: &[String]) -> Vec<String> {
    let words = given.iter().flat_map(|text| match text.trim() {
        // An empty word is no square, but it is there.
        "" => vec![""],
        text => text.split(' ').filter(|name| !name.is_empty()).collect(),
    });
    words.map(str::to_ascii_lowercase).collect()
}

fn by_name<S: Serializer>(given: &[String], json: S) -> Result<S::Ok, S::Error> {
    names(given).serialize(json)
}

/// Notes why there can be no solution. That is not an error: it answers the question.
pub fn note_contradiction(problem: &Problem, out: &Output) {
    if let Some(why) = problem.contradiction() {
        let n = problem.n();
        out.note(format_args!("{why}: there is no solution for n = {n}"));
    }
}
