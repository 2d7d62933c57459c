//! What to count of the solutions of a board, all of them or their symmetry classes, and the
//! answer that follows.

use std::{collections::BTreeMap, io::Write};

use anyhow::Result;
use clap::Args;
use queens::{
    Cancel, Classes, Engine,
    known::{FUNDAMENTAL, QUEENS, Sequence, Verdict},
};
use serde::Serialize;

use crate::cli::{
    args::restrict::Restrict,
    exit::Exit,
    report::{
        decimal::Decimal,
        humanize::{grouped, plural},
        output::{Output, Paint},
    },
};

/// The options that say what to count of the solutions.
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
    pub n: u32,
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
    fundamental: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<BTreeMap<u32, Decimal>>,
}

impl From<&Answer<'_>> for ByClass {
    fn from(answer: &Answer<'_>) -> Self {
        let decimal = |(size, number)| (size, Decimal(number));
        ByClass {
            fundamental: answer.by_class.then_some(Decimal(answer.value)),
            classes: answer
                .classes
                .map(|classes| classes.by_size().map(decimal).into()),
        }
    }
}

impl<'a> Answer<'a> {
    /// The number of all solutions of the board of side `n` with these squares.
    pub fn plain(n: u32, all: u128, restrict: &'a Restrict) -> Self {
        Answer {
            n,
            value: all,
            restrict,
            sequence: Kind::default().sequence(restrict),
            classes: None,
            by_class: false,
        }
    }

    /// Why there is no solution, where a look at the squares tells.
    pub fn reason(&self) -> Option<String> {
        let problem = self.restrict.problem(self.n).ok()?;
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

    /// For a person: the number in words that go on like this, how many images the classes
    /// have, if that was asked, how it was counted, unless that is empty, and what the
    /// published values say.
    pub fn print(
        &self,
        more: &str,
        how: &str,
        paint: Option<Paint>,
        out: &mut Output,
    ) -> Result<()> {
        let value = out.paint(Paint::Bold, grouped(self.value));
        writeln!(out, "{value} {}{more}", self.noun())?;
        if let Some(classes) = self.classes {
            let sizes = classes
                .by_size()
                .map(|(size, number)| format!("{} with {size}", grouped(number)));
            writeln!(out, "images: {}", sizes.join(", "))?;
        }
        if !how.is_empty() {
            out.text(paint, how)?;
        }
        self.print_verdict(out)
    }

    /// For a person: what the published values say.
    pub fn print_verdict(&self, out: &mut Output) -> Result<()> {
        let Some(Sequence { oeis, .. }) = self.sequence else {
            return Ok(());
        };
        let verdict = match self.verdict() {
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
    pub fn verdict(&self) -> Verdict {
        let judge = |sequence: &Sequence| sequence.judge(self.n, self.value);
        self.sequence.map_or(Verdict::Unknown, judge)
    }

    /// Refuses a number that is not the published one, after it is printed.
    pub fn agree(&self, engine: Engine) -> Result<()> {
        self.sequence.map_or(Ok(()), |sequence| {
            agree(sequence, self.n, self.value, engine)
        })
    }

    /// The number, and then how many classes there are of each size.
    pub fn values(&self) -> impl Iterator<Item = u128> {
        let sizes = self.classes.map(|classes| classes.by_size());
        let numbers = sizes.into_iter().flatten().map(|(_, number)| number);
        [self.value].into_iter().chain(numbers)
    }

    /// What it is a number of.
    pub fn noun(&self) -> String {
        let kind = if self.by_class { "fundamental " } else { "" };
        let solutions = plural(self.value, "solution");
        format!("{kind}{solutions} for {}", self.restrict.board(self.n))
    }
}

impl Kind {
    /// Whether symmetry classes are counted.
    pub fn by_class(&self) -> bool {
        self.fundamental || self.classes
    }

    /// The published values of what is counted.
    pub fn sequence(&self, restrict: &Restrict) -> Option<&'static Sequence> {
        (!restrict.is_given()).then(|| published(self.by_class()))
    }

    /// What the numbers of an answer are.
    pub fn heads(&self) -> &'static [&'static str] {
        if self.classes {
            &["fundamental", "of 8", "of 4", "of 2", "of 1"]
        } else if self.fundamental {
            &["fundamental"]
        } else {
            &["solutions"]
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
            n,
            value: classes.map_or(all, |classes| classes.fundamental()),
            restrict,
            sequence: self.sequence(restrict),
            classes: classes.filter(|_| self.classes),
            by_class: self.by_class(),
        })
    }
}

/// The published numbers of fundamental solutions, or of all.
pub fn published(fundamental: bool) -> &'static Sequence {
    if fundamental { &FUNDAMENTAL } else { &QUEENS }
}

/// The computed count stands; that it differs from the published one is an error.
pub fn agree(sequence: &Sequence, n: u32, count: u128, engine: Engine) -> Result<()> {
    match (sequence.value(n), sequence.oeis) {
        (Some(published), oeis) if published != count => Err(Exit::Mismatch.because(format!(
            "the {engine} engine counted {count} for n = {n}, but OEIS {oeis} says {published}: one of them is wrong"
        ))),
        _ => Ok(()),
    }
}
