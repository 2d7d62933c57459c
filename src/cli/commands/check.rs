//! `queens check`: is this a solution, and of which class?

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::{Context, Result};
use clap::Args;
use queens::{Board, Error};
use serde::Serialize;

use crate::cli::{exit::Exit, report::output::Output};

const EXAMPLES: &str = "\
Examples:
  queens check \"b4 d3 a2 c1\"        squares
  queens check 2 4 1 3              columns from 1, or from 0
  queens solve 8 > board.txt
  queens check board.txt            a file, here with rows of . and Q
  queens solve 1000 | queens check  standard input";

/// Check a solution, and name its class
///
/// Reads any notation that `queens list` prints, and columns from 1, and tells them
/// apart by itself. Exit code 4 if it is no solution, with the two queens that attack
/// each other; 2 if it cannot be read, with the place.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// The solution, or a file that holds it; standard input if left out
    #[arg(value_name = "SOLUTION|FILE", allow_negative_numbers = true)]
    solution: Vec<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The verdict as a JSON object.
#[derive(Serialize)]
struct Record {
    valid: bool,
    n: Option<u32>,
    columns: Option<Vec<u32>>,
    canonical: Option<Vec<u32>>,
    class_size: Option<u32>,
    attack: Option<[String; 2]>,
    reason: Option<String>,
}

impl CheckArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let board = match self.read(out)? {
            Ok(board) => board,
            Err(error) => {
                if self.json
                    && let Some(record) = refusal(&error)
                {
                    out.json(&record)?;
                    return Ok(Exit::No);
                }
                return Err(error.into());
            }
        };
        let canonical = board.canonical();
        if self.json {
            out.json(&Record {
                valid: true,
                n: Some(board.n()),
                columns: Some(board.columns().to_vec()),
                canonical: Some(canonical.columns().to_vec()),
                class_size: Some(board.class_size()),
                attack: None,
                reason: None,
            })?;
        } else {
            writeln!(out, "valid, n = {}", board.n())?;
            writeln!(out, "canonical form: {canonical}")?;
            writeln!(out, "class size: {}", board.class_size())?;
        }
        Ok(Exit::Done)
    }

    /// The board, or why it is none. Words that can be read are a solution, and only
    /// else the name of a file.
    fn read(&self, out: &Output) -> Result<Result<Board, Error>> {
        if self.solution.is_empty() || self.solution == ["-"] {
            if io::stdin().is_terminal() {
                out.note("reading a solution from the keyboard; end it with Ctrl-D");
            }
            let text = io::read_to_string(io::stdin()).context("cannot read standard input")?;
            return Ok(text.parse());
        }
        let words = self.solution.join(" ");
        let board = words.parse();
        if !matches!(board, Err(Error::Unreadable { .. })) || words.contains(' ') {
            return Ok(board);
        }
        if !Path::new(&words).exists() {
            return board
                .map(Ok)
                .with_context(|| format!("no file is named {words}"));
        }
        let text = fs::read_to_string(&words).with_context(|| format!("cannot read {words}"))?;
        Ok(text.parse())
    }
}

/// The answer "no" in JSON; nothing for a text that is no board at all.
fn refusal(error: &Error) -> Option<Record> {
    let (n, attack) = match error {
        Error::Attack { n, first, second } => (*n, Some([first.name(*n), second.name(*n)])),
        Error::MissingQueen { n, .. } => (*n, None),
        _ => return None,
    };
    Some(Record {
        valid: false,
        n: Some(n),
        columns: None,
        canonical: None,
        class_size: None,
        attack,
        reason: Some(error.to_string()),
    })
}
