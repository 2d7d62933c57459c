//! `queens count`: the number of solutions, for one n or for a range.

use std::{io::Write, ops::RangeInclusive};

use anyhow::Result;
use clap::Args;
use queens::{
    Count, Engine,
    known::{self, Sequence, Verdict},
};
use serde::Serialize;

use crate::cli::{
    args::{
        board_size::Sizes,
        engine_args::Settings,
        restrict::note_attack,
        target::{Answer, ByClass, Question},
    },
    exit::Exit,
    report::{
        humanize::{duration, grouped},
        output::{Output, Paint},
    },
    watch::checkpoint::{LongRun, Outcome},
};

const EXAMPLES: &str = "\
Examples:
  queens count 8                  the 92 solutions of the chess board
  queens count 8..16              a range, both ends included
  queens count 16 --threads 2     on two threads
  queens count 16 --json          one JSON object, for scripts
  queens count 8 --fundamental    rotations and reflections count once: 12
  queens count 8 --with a8,e5     only solutions with queens on these squares";

/// Count the solutions
///
/// Always computed, never looked up; a published value only checks the result (exit
/// code 3 if they differ). On a terminal it says how it counted; through a pipe or
/// with -q it prints the bare number, for a range "n<TAB>count" a line.
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct CountArgs {
    /// Board side from 0 to 32, or a range such as 8..16
    #[arg(value_name = "N|FIRST..LAST")]
    sizes: Sizes,

    /// Print one JSON object per n, the count as a decimal string
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    question: Question,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    long_run: LongRun,
}

impl CountArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let look = match &self.sizes {
            _ if self.json => Look::Json,
            Sizes::One(_) if out.is_human() => Look::Sentence,
            Sizes::One(_) => Look::Bare,
            Sizes::Range(range) if out.is_human() => Look::table(range, &self.question),
            Sizes::Range(_) => Look::Pair,
        };
        if let (Sizes::Range(_), Some(file)) = (&self.sizes, &self.long_run.checkpoint) {
            return Err(Exit::Usage.because(format!(
                "a checkpoint such as {} is the record of one n: give a single n, not a range",
                file.display()
            )));
        }
        if self.long_run.checkpoint.is_some() {
            self.question.refuse_file("--checkpoint")?;
        }
        let session = self.long_run.start(out)?;
        // What cannot be counted for some n is refused before the first is counted ...
        let counts: Result<Vec<Count>> = self.sizes.iter().map(|n| self.count(n)).collect();
        for (place, count) in counts?.into_iter().enumerate() {
            let plan = session.plan(&count)?;
            let n = plan.problem().n();
            // ... and what the engine cannot count, by the first plan.
            if place == 0 {
                note_attack(plan.problem(), out);
                look.head(out)?;
                out.flush()?;
            }
            let (tasks, blocks) = (plan.tasks(), plan.blocks().len());
            out.detail(format_args!(
                "n = {n}: engine {}, plan {}, tasks {tasks}, blocks {blocks}",
                plan.engine(),
                plan.id()
            ));
            let mut outcome = session.count(count, &plan, out)?;
            let answer = self.question.answer(n, &mut outcome, session.cancel());
            let answer = answer.map_err(|error| match Exit::of(&error) {
                // A number that may have taken days is not to be lost with its classes.
                Exit::Interrupted => error.context(format!(
                    "all {} solutions for n = {n} are counted, their classes are not",
                    outcome.counted.count
                )),
                _ => error,
            })?;
            look.line(out, n, &answer, &outcome)?;
            out.flush()?;
            if let Some(sequence) = answer.sequence {
                agree(sequence, n, answer.value, outcome.counted.engine)?;
            }
        }
        Ok(Exit::Done)
    }

    fn count(&self, n: u32) -> Result<Count<'static>> {
        self.settings.apply(Count::from(self.question.problem(n)?))
    }
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

/// A count as a JSON object.
#[derive(Serialize)]
struct Record<'a> {
    n: u32,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    with: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    without: &'a [String],
    count: String,
    #[serde(flatten)]
    by_class: ByClass,
    engine: &'a str,
    cpu: &'a str,
    threads: usize,
    seconds: f64,
    version: &'a str,
    known: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded_blocks: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    double_checked: Option<bool>,
}

/// The forms in which a count is printed.
enum Look {
    /// The number.
    Bare,
    /// n, a tab, the number.
    Pair,
    /// A line of a table whose counts are this wide.
    Table {
        width: usize,
        heads: &'static [&'static str],
        sequence: Option<&'static Sequence>,
    },
    /// The number and how it came about.
    Sentence,
    /// A JSON object.
    Json,
}

impl Look {
    fn table(sizes: &RangeInclusive<u32>, question: &Question) -> Look {
        let (heads, sequence) = (question.heads(), question.sequence());
        // The published values are good for the width of a column, too.
        let published = sequence.unwrap_or(&known::QUEENS).values().iter();
        let shown = published.filter(|(n, _)| n <= sizes.end());
        let width = shown.map(|&(_, count)| grouped(count).len()).max();
        Look::Table {
            width: width.unwrap_or(0).max(heads[0].len()),
            heads,
            sequence,
        }
    }

    fn head(&self, out: &mut Output) -> Result<()> {
        if let Look::Table {
            width,
            heads,
            sequence,
        } = *self
        {
            let oeis = sequence.map_or(String::new(), |sequence| {
                format!("  OEIS {}", sequence.oeis)
            });
            let cells: String = heads
                .iter()
                .map(|head| format!("  {head:>width$}"))
                .collect();
            let head = format!(" n{cells}  {:>12}{oeis}", "time");
            let head = out.paint(Paint::Bold, head);
            writeln!(out, "{head}")?;
        }
        Ok(())
    }

    fn line(&self, out: &mut Output, n: u32, answer: &Answer<'_>, outcome: &Outcome) -> Result<()> {
        let counted = &outcome.counted;
        let verdict = answer.verdict(n);
        let time = duration(counted.elapsed);
        match *self {
            Look::Bare => answer.print_bare(out)?,
            Look::Pair => {
                let cells = answer.values().map(|value| format!("\t{value}"));
                writeln!(out, "{n}{}", cells.collect::<String>())?;
            }
            Look::Table {
                width, sequence, ..
            } => {
                let verdict = match verdict {
                    _ if sequence.is_none() => String::new(),
                    Verdict::Match => out.paint(Paint::Green, "agrees"),
                    Verdict::Mismatch => out.paint(Paint::Red, "DIFFERS"),
                    Verdict::Unknown => out.paint(Paint::Dim, "unknown"),
                };
                let cells = answer
                    .values()
                    .map(|value| format!("  {:>width$}", grouped(value)));
                let line = format!("{n:>2}{}  {time:>12}  {verdict}", cells.collect::<String>());
                writeln!(out, "{}", line.trim_end())?;
            }
            Look::Sentence => {
                let count = out.paint(Paint::Bold, grouped(answer.value));
                writeln!(out, "{count} {}", answer.noun(n))?;
                answer.print_sizes(out)?;
                let threads = match counted.threads {
                    1 => "1 thread".to_owned(),
                    more => format!("{more} threads"),
                };
                let checked = match outcome.double_checked {
                    true => ", double-checked",
                    false => "",
                };
                let how = format!("{} engine, {threads}, {time}{checked}", counted.engine);
                let how = out.paint(Paint::Dim, how);
                writeln!(out, "{how}")?;
                answer.print_verdict(out, n)?;
            }
            Look::Json => out.json(&Record {
                n,
                with: &answer.restrict.with,
                without: &answer.restrict.without,
                count: counted.count.to_string(),
                by_class: answer.into(),
                engine: counted.engine.name(),
                cpu: counted.cpu.name(),
                threads: counted.threads,
                seconds: counted.elapsed.as_secs_f64(),
                version: env!("CARGO_PKG_VERSION"),
                known: verdict.as_str(),
                recorded_blocks: outcome.recorded_blocks,
                double_checked: outcome.double_checked.then_some(true),
            })?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use queens::Cancel;

    use super::*;
    use crate::cli::{args::restrict::Restrict, report::output::tests::Page};

    fn counted(count: u128) -> Outcome {
        let small = Count::new(4).unwrap().engine(Engine::Rows).threads(2);
        let mut counted = small.run().unwrap();
        counted.count = count;
        counted.elapsed = Duration::from_millis(1250);
        Outcome {
            counted,
            recorded_blocks: None,
            double_checked: false,
        }
    }

    fn answer(count: u128) -> Answer<'static> {
        QUESTION
            .answer(8, &mut counted(count), &Cancel::new())
            .unwrap()
    }

    /// How many there are, and nothing else.
    static QUESTION: Question = Question {
        fundamental: false,
        classes: false,
        restrict: Restrict {
            with: Vec::new(),
            without: Vec::new(),
        },
    };

    fn shown(look: &Look, n: u32, count: u128) -> String {
        let (page, mut out) = Page::new(true);
        look.line(&mut out, n, &answer(count), &counted(count))
            .unwrap();
        page.text()
    }

    #[test]
    fn a_count_that_contradicts_the_published_value_is_shown_and_is_exit_code_3() {
        let error = agree(&known::QUEENS, 8, 93, Engine::Rows).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Mismatch);
        assert!(error.to_string().contains("93"), "{error}");
        assert!(shown(&Look::Sentence, 8, 93).contains("DIFFERS"));
        assert!(shown(&Look::Json, 8, 93).contains(r#""known":"mismatch""#));
    }

    #[test]
    fn an_unpublished_count_is_neither_right_nor_wrong() {
        assert!(agree(&known::QUEENS, 28, 1, Engine::Rows).is_ok());
        assert!(shown(&Look::Json, 28, 1).contains(r#""known":"unknown""#));
        assert!(shown(&Look::Sentence, 28, 1).contains("no value to compare"));
    }

    #[test]
    fn a_person_reads_the_number_how_it_was_counted_and_the_check() {
        assert_eq!(
            shown(&Look::Sentence, 16, 14_772_512),
            "14,772,512 solutions for n = 16\nrows engine, 2 threads, 1.25 s\nagrees with OEIS A000170\n"
        );
    }

    #[test]
    fn the_lines_of_a_table_are_aligned_with_its_head() {
        let (page, mut out) = Page::new(true);
        let look = Look::table(&(8..=16), &QUESTION);
        look.head(&mut out).unwrap();
        look.line(&mut out, 8, &answer(92), &counted(92)).unwrap();
        look.line(&mut out, 16, &answer(14_772_512), &counted(14_772_512))
            .unwrap();
        let text = page.text();
        let ends = |word: &str| {
            let line = text.lines().find(|line| line.contains(word)).unwrap();
            line.find(word).unwrap() + word.len()
        };
        assert_eq!(ends("solutions"), ends("14,772,512"));
        assert_eq!(ends("solutions"), ends(" 92"));
    }
}
