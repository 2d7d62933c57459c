//! What to count: all solutions, their symmetry classes, or those with and without
//! queens on certain squares.

use std::{collections::BTreeMap, io::Write};

use anyhow::Result;
use clap::Args;
use queens::{
    Cancel, Classes, Problem,
    known::{FUNDAMENTAL, QUEENS, Sequence, Verdict},
};
use serde::Serialize;

use crate::cli::{
    args::restrict::Restrict,
    report::{
        humanize::{grouped, plural},
        output::{Output, Paint},
    },
};

/// The options that say what to count of a board.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "What to count")]
pub struct Question {
    #[command(flatten)]
    pub kind: Kind,

    #[command(flatten)]
    pub restrict: Restrict,
}

/// The options that say what to count of its solutions.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "What to count")]
pub struct Kind {
    /// Count the rotations and reflections of a solution once (A002562)
    ///
    /// This follows by Burnside's lemma from three counts: all solutions, those that a
    /// half turn leaves as they are, and those that a quarter turn does.
    #[arg(long, conflicts_with_all = ["with", "without"])]
    pub fundamental: bool,

    /// Say also how many of these classes have 8, 4, 2 and 1 members
    #[arg(long, conflicts_with_all = ["with", "without"])]
    pub classes: bool,
}

/// The answer: a number, what is published of it, and what it is made of.
pub struct Answer<'a> {
    pub value: u128,
    /// The squares that were named.
    pub restrict: &'a Restrict,
    pub sequence: Option<&'static Sequence>,
    /// The classes, if their sizes were asked for.
    pub classes: Option<Classes>,
    by_class: bool,
}

/// The classes of an answer, in a JSON object.
#[derive(Serialize)]
pub struct ByClass {
    #[serde(skip_serializing_if = "Option::is_none")]
    fundamental: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<BTreeMap<u32, String>>,
}

impl From<&Answer<'_>> for ByClass {
    fn from(answer: &Answer<'_>) -> Self {
        let text = |(size, number): (u32, u128)| (size, number.to_string());
        ByClass {
            fundamental: answer.by_class.then(|| answer.value.to_string()),
            classes: answer
                .classes
                .map(|classes| classes.by_size().map(text).into()),
        }
    }
}

impl<'a> Answer<'a> {
    /// The number of all solutions of a board with these squares.
    pub fn plain(all: u128, restrict: &'a Restrict) -> Self {
        Answer {
            value: all,
            restrict,
            sequence: Kind::default().sequence(restrict),
            classes: None,
            by_class: false,
        }
    }

    /// Why there is no solution, where a look at the squares tells.
    pub fn reason(&self, n: u32) -> Option<String> {
        let problem = self.restrict.problem(n).ok()?;
        Some(problem.contradiction()?.to_string())
    }

    /// For a program: the number, or a line for every size of a class.
    pub fn print_bare(&self, out: &mut Output) -> Result<()> {
        match self.classes {
            None => writeln!(out, "{}", self.value)?,
            Some(classes) => {
                for (size, number) in classes.by_size() {
                    writeln!(out, "{size}\t{number}")?;
                }
            }
        }
        Ok(())
    }

    /// For a person: how many images the classes have, if that was asked.
    pub fn print_sizes(&self, out: &mut Output) -> Result<()> {
        if let Some(classes) = self.classes {
            let sizes = classes
                .by_size()
                .map(|(size, number)| format!("{} with {size}", grouped(number)));
            writeln!(out, "images: {}", sizes.join(", "))?;
        }
        Ok(())
    }

    /// For a person: what the published values say.
    pub fn print_verdict(&self, out: &mut Output, n: u32) -> Result<()> {
        let Some(Sequence { oeis, .. }) = self.sequence else {
            return Ok(());
        };
        let verdict = match self.verdict(n) {
            Verdict::Match => out.paint(Paint::Green, format!("agrees with OEIS {oeis}")),
            Verdict::Mismatch => out.paint(Paint::Red, format!("DIFFERS from OEIS {oeis}")),
            Verdict::Unknown => {
                out.paint(Paint::Dim, format!("OEIS {oeis} has no value to compare"))
            }
        };
        writeln!(out, "{verdict}")?;
        Ok(())
    }

    /// What the published values say.
    pub fn verdict(&self, n: u32) -> Verdict {
        let judge = |sequence: &Sequence| sequence.judge(n, self.value);
        self.sequence.map_or(Verdict::Unknown, judge)
    }

    /// The number, and then how many classes there are of each size.
    pub fn values(&self) -> impl Iterator<Item = u128> {
        let sizes = self.classes.map(|classes| classes.by_size());
        let numbers = sizes.into_iter().flatten().map(|(_, number)| number);
        [self.value].into_iter().chain(numbers)
    }

    /// What it is a number of.
    pub fn noun(&self, n: u32) -> String {
        let kind = if self.by_class { "fundamental " } else { "" };
        let solutions = plural(self.value, "solution");
        format!("{kind}{solutions} for {}", self.restrict.board(n))
    }
}

impl Question {
    /// Whether the count is all of the answer.
    pub fn is_counted(&self) -> bool {
        !self.kind.by_class()
    }

    /// The board of side `n` as the engine has to count it.
    pub fn problem(&self, n: u32) -> Result<Problem> {
        self.restrict.problem(n)
    }

    /// The published values of what is counted.
    pub fn sequence(&self) -> Option<&'static Sequence> {
        self.kind.sequence(&self.restrict)
    }

    /// The answer that follows from the number of all solutions.
    pub fn answer(&self, n: u32, all: u128, cancel: &Cancel) -> Result<Answer<'_>> {
        self.kind.answer(&self.restrict, n, all, cancel)
    }
}

impl Kind {
    /// Whether symmetry classes are counted.
    fn by_class(&self) -> bool {
        self.fundamental || self.classes
    }

    /// The published values of what is counted.
    fn sequence(&self, restrict: &Restrict) -> Option<&'static Sequence> {
        match restrict.is_given() {
            true => None,
            false if self.by_class() => Some(&FUNDAMENTAL),
            false => Some(&QUEENS),
        }
    }

    /// What the numbers of an answer are.
    pub fn heads(&self) -> &'static [&'static str] {
        match self.classes {
            true => &["fundamental", "of 8", "of 4", "of 2", "of 1"],
            false if self.fundamental => &["fundamental"],
            false => &["solutions"],
        }
    }

    /// The answer that follows from the number of all solutions of a board with these
    /// squares.
    pub fn answer<'a>(
        &self,
        restrict: &'a Restrict,
        n: u32,
        all: u128,
        cancel: &Cancel,
    ) -> Result<Answer<'a>> {
        let classes = if self.by_class() {
            Some(Classes::new_cancellable(n, all, cancel)?)
        } else {
            None
        };
        Ok(Answer {
            value: classes.map_or(all, |classes| classes.fundamental()),
            restrict,
            sequence: self.sequence(restrict),
            classes: classes.filter(|_| self.classes),
            by_class: self.by_class(),
        })
    }
}
