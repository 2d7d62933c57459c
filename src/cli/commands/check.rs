//! `queens check`: is this a solution, and of which class?

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::{Context, Result};
use clap::Args;
use queens::{Board, Error};
use serde::Serialize;

use crate::cli::{
    args::input,
    exit::Exit,
    report::{
        humanize::counted,
        output::{Output, shortened},
    },
};

const EXAMPLES: &str = "\
Examples:
  queens check \"b4 d3 a2 c1\"                  squares
  queens check 2 4 1 3                        columns from 1, or from 0
  queens solve 8 > board.txt
  queens check board.txt                      a file, here with rows of . and Q
  queens solve 1000 | queens check            standard input
  queens list 8 --limit 3 | queens check      several, one after the other";

/// Check solutions, and name their classes
///
/// Every notation that `queens list` prints is recognised, and so are columns counted
/// from 1. A file may hold several solutions, one on each line or with empty lines
/// between them. The exit code is 4 if one of them is not a solution, and two queens that
/// attack each other are named; it is 2 if one cannot be read, and the place is named.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// The solution, or a file that holds it; standard input if left out
    #[arg(value_name = "SOLUTION|FILE", allow_negative_numbers = true)]
    solution: Vec<String>,

    /// Print one JSON object per solution
    #[arg(long)]
    json: bool,
}

/// The verdict as a JSON object.
#[derive(Default, Serialize)]
struct Json {
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
        let text = self.text(out)?;
        let solutions = solutions(&text);
        if let [one] = solutions[..] {
            let board = read(one);
            if self.json {
                let valid = self.answer(1, board, out)?;
                return Ok(if valid { Exit::Done } else { Exit::No });
            }
            print(&board.map_err(|error| explained(&error))?, out)?;
            return Ok(Exit::Done);
        }
        let mut wrong = 0;
        for (number, text) in (1..).zip(&solutions) {
            let valid = self.answer(number, read(text), out);
            let valid = valid.with_context(|| format!("solution {number}"))?;
            wrong += usize::from(!valid);
        }
        let all = counted(solutions.len(), "solution");
        match (solutions.len(), wrong) {
            (0, _) => Err(Exit::Usage.because("there is no solution to check: nothing is given")),
            (_, 0) => Ok(Exit::Done),
            (_, wrong) => {
                out.flush()?;
                Err(Exit::No.because(format!("{wrong} of {all} not valid")))
            }
        }
    }

    /// Says on one line whether this is a solution. What is no board at all is an error.
    fn answer(&self, number: usize, board: Result<Board, Error>, out: &mut Output) -> Result<bool> {
        let object = match &board {
            Ok(board) => verdict(board),
            Err(error) => refusal(error).ok_or_else(|| explained(error))?,
        };
        match &board {
            _ if self.json => out.json(&object)?,
            Err(error) => writeln!(out, "solution {number}: not valid, {error}")?,
            Ok(board) => writeln!(
                out,
                "solution {number}: valid, n = {}, class size {}",
                board.n(),
                board.class_size()
            )?,
        }
        Ok(object.valid)
    }

    /// What is to be checked: the words, if they can be read as a solution, and otherwise
    /// the file that they name.
    fn text(&self, out: &Output) -> Result<String> {
        if self.solution.is_empty() || self.solution == ["-"] {
            if io::stdin().is_terminal() {
                out.note("reading solutions from the keyboard; end them with Ctrl-D");
            }
            return utf8(input::read_stdin()?, "standard input");
        }
        let words = self.solution.join(" ");
        match read(&words) {
            Err(error @ Error::Unreadable { .. }) if !words.contains(' ') => {
                let path = Path::new(&words);
                if path.exists() {
                    return utf8(input::read(path)?, &words);
                }
                let no_file = shortened(format_args!("no file is named {words}"));
                Err(explained(&error).context(no_file))
            }
            _ => Ok(words),
        }
    }
}

fn utf8(bytes: Vec<u8>, name: &str) -> Result<String> {
    let text = String::from_utf8(bytes);
    text.map_err(|_| Exit::Usage.because(format!("{name} holds no solution: it is not UTF-8")))
}

/// The texts of the solutions in a text: with empty lines between, or one on each line.
fn solutions(text: &str) -> Vec<&str> {
    let (mut blocks, mut start, mut end) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            blocks.push(&text[start..end]);
            start = end + line.len();
        }
        end += line.len();
    }
    blocks.push(&text[start..]);
    let says = |line: &str| !line.split('#').next().unwrap_or(line).trim().is_empty();
    blocks.retain(|block| block.lines().any(says));
    let split = |block| {
        let lines: Vec<&str> = str::lines(block).filter(|line| says(line)).collect();
        let is_board =
            |text: &str| read(text).map_or_else(|error| refusal(&error).is_some(), |_| true);
        if lines.len() > 1 && !is_board(block) && is_board(lines[0]) {
            lines
        } else {
            vec![block]
        }
    };
    blocks.into_iter().flat_map(split).collect()
}

/// The board of this text, whose squares may also be named in capitals.
fn read(text: &str) -> Result<Board, Error> {
    text.parse().or_else(|error| match error {
        Error::Unreadable { .. } => text.to_ascii_lowercase().parse().map_err(|_| error),
        error => Err(error),
    })
}

/// The error with its code, on one line however long the text.
fn explained(error: &Error) -> anyhow::Error {
    let exit = if refusal(error).is_some() {
        Exit::No
    } else {
        Exit::Usage
    };
    exit.because(shortened(error))
}

fn print(board: &Board, out: &mut Output) -> Result<()> {
    writeln!(out, "valid, n = {}", board.n())?;
    writeln!(out, "canonical form: {}", board.canonical())?;
    writeln!(out, "class size: {}", board.class_size())?;
    Ok(())
}

fn verdict(board: &Board) -> Json {
    Json {
        valid: true,
        n: Some(board.n()),
        columns: Some(board.columns().to_vec()),
        canonical: Some(board.canonical().columns().to_vec()),
        class_size: Some(board.class_size()),
        ..Json::default()
    }
}

/// The answer "no"; nothing for a text that is no board at all.
fn refusal(error: &Error) -> Option<Json> {
    let (n, attack) = match error {
        Error::Attack { n, first, second } => (*n, Some([first.to_string(), second.to_string()])),
        Error::MissingQueen { n, .. } => (*n, None),
        _ => return None,
    };
    Some(Json {
        n: Some(n),
        attack,
        reason: Some(error.to_string()),
        ..Json::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_are_told_apart_by_lines_or_by_empty_lines() {
        let count = |text: &str| solutions(text).len();
        assert_eq!(count(""), 0);
        assert_eq!(count("\n# nothing\n \n"), 0);
        assert_eq!(count("[1 3 0 2]\n[2 0 3 1]\n"), 2);
        assert_eq!(count(".Q..\n...Q\nQ...\n..Q.\n"), 1);
        assert_eq!(
            count(".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n"),
            2
        );
        assert_eq!(count("1\n3\n0\n2\n"), 1);
        assert_eq!(count("b4 d3 a2 c1\n\nc4 a3 d2 b1"), 2);
        // What is wrong in a board is wrong there, and not in its first line.
        assert_eq!(count("Q..\n..Q\n.\n"), 1);
    }
}
