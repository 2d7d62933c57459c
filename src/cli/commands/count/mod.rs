//! `queens count`: the number of solutions, for one n or for a range.

mod by_square;

use std::{io::Write, path::PathBuf, time::Duration};

use anyhow::Result;
use clap::Args;
use queens::{
    Count, Counted, Engine,
    known::{self, Sequence, Verdict},
};
use serde::Serialize;

use crate::cli::{
    args::{
        board_size::Sizes,
        engine_args::Settings,
        region::Region,
        restrict::{names, note_contradiction},
        target::{Answer, ByClass, Question},
    },
    exit::Exit,
    platform::memory::peak_memory_bytes,
    report::{
        atomic_file::svg,
        humanize::{counted, duration, grouped},
        output::{Output, Paint},
        table::Table,
    },
    watch::checkpoint::{LongRun, Pass},
};

const EXAMPLES: &str = "\
Examples:
  queens count 8                        the 92 solutions of the chess board
  queens count 8..16                    a range, both ends included
  queens count 16 --threads 2           on two threads
  queens count 16 --json                one JSON object, for scripts
  queens count 8 --fundamental          rotations and mirror images once: 12
  queens count 8 --with a8,e7           only solutions with queens there
  queens count 8 --by-square a1..h1     those with a queen on each square
  queens count 17 --checkpoint a.jsonl  recorded; the same again resumes";

/// Count the solutions
///
/// The count is always computed and never looked up; a published value only checks it
/// (exit code 3 if they differ). On a terminal the output says how it was counted;
/// through a pipe or with -q it is the bare number, or for several n a line
/// "n<TAB>count" for each.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CountArgs {
    /// Board side from 0 to 32, a range such as 8..16, or a list such as 8,12
    #[arg(value_name = "N|FIRST..LAST")]
    sizes: Sizes,

    /// Print one JSON object per n, the count as a decimal string
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    question: Question,

    /// Count the solutions with a queen on each of these squares
    ///
    /// Two corners such as a1..h1 name a row, a column or a rectangle; "all" is the whole
    /// board. With --with and --without, only those solutions count.
    #[arg(
        long,
        value_name = "SQUARES",
        help_heading = "What to count",
        conflicts_with_all = ["fundamental", "classes"]
    )]
    by_square: Option<Region>,

    /// Draw the counts by square as a heat map ("-" is standard output)
    #[arg(
        short,
        long,
        value_name = "FILE.svg",
        value_parser = svg,
        help_heading = "What to count",
        requires = "by_square"
    )]
    output: Option<PathBuf>,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    long_run: LongRun,
}

impl CountArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        if let Some(region) = self.by_square {
            return by_square::run(self, region, out);
        }
        let look = match &self.sizes {
            _ if self.json => Look::Json,
            Sizes::One(_) if out.is_human() => Look::Sentence,
            Sizes::One(_) => Look::Bare,
            Sizes::Several(all) if out.is_human() => Look::table(all, &self.question, out.width()),
            Sizes::Several(_) => Look::Pair,
        };
        if let (Sizes::Several(_), Some(file)) = (&self.sizes, &self.long_run.checkpoint) {
            return Err(Exit::Usage.because(format!(
                "a checkpoint such as {} is the record of one n: give a single n",
                file.display()
            )));
        }
        let session = &self.long_run.limits.start(out)?;
        // What cannot be counted for some n is refused before the first is counted.
        let counts: Result<Vec<Count>> = self.sizes.all().iter().map(|&n| self.count(n)).collect();
        let mut noted = None;
        for (place, count) in counts?.into_iter().enumerate() {
            let begun = session.elapsed();
            let plan = session.plan(&count)?;
            let n = plan.problem().n();
            // The first plan tells whether the engine can count this at all.
            let why = plan.problem().contradiction().map(|why| why.to_string());
            if why != noted {
                note_contradiction(plan.problem(), out);
                noted = why;
            }
            if place == 0 {
                self.settings.note_kernel(out);
                look.head(out)?;
                out.flush()?;
            }
            let (tasks, blocks) = (plan.tasks(), plan.blocks().len());
            out.detail(format_args!(
                "n = {n}: engine {}, plan {}, tasks {tasks}, blocks {blocks}",
                plan.engine(),
                plan.id()
            ));
            let run = self.long_run.open(session, &count, &plan, out)?;
            let pass = run.count()?;
            let all = pass.counted.count;
            let answer = || self.question.answer(n, all, &session.cancel);
            let answer = if self.question.is_counted() {
                answer()
            } else {
                session.in_time(answer)
            };
            let answer = answer.map_err(|error| match Exit::of(&error) {
                // A number that may have taken days is not to be lost with its classes.
                Exit::Interrupted => error.context(format!(
                    "all {all} solutions for n = {n} are counted, their classes are not"
                )),
                _ => error,
            })?;
            let elapsed = session.elapsed().saturating_sub(begun);
            let outcome = Outcome {
                elapsed,
                double_checked: run.double_check(&pass, out)?,
                pass,
            };
            look.line(out, n, &answer, &outcome)?;
            out.flush()?;
            if let Some(sequence) = answer.sequence {
                agree(sequence, n, answer.value, plan.engine())?;
            }
        }
        Ok(Exit::Done)
    }

    fn count(&self, n: u32) -> Result<Count<'static>> {
        self.settings.apply(Count::from(self.question.problem(n)?))
    }
}

/// A count and what stands behind it.
struct Outcome {
    pass: Pass,
    /// The time of this run, with its planning.
    elapsed: Duration,
    double_checked: bool,
}

impl Outcome {
    /// The time of this run, and where an earlier one has had a part in the count, that
    /// of all of them.
    fn time(&self) -> String {
        let Counted { threads, used, .. } = self.pass.counted;
        let threads = match counted(threads, "thread") {
            all if used < threads => format!("{used} of {all}"),
            all => all,
        };
        let time = duration(self.elapsed);
        match self.pass.recorded.filter(|recorded| recorded.before > 0) {
            None => format!("{threads}, {time}"),
            Some(recorded) => {
                let all = Duration::try_from_secs_f64(recorded.core_seconds);
                let all = duration(all.unwrap_or(Duration::MAX));
                if recorded.before == recorded.blocks {
                    format!("counted earlier, in {all} of one core")
                } else {
                    format!("{threads}, {time} in this run, {all} of one core in all")
                }
            }
        }
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    with: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without: Vec<String>,
    count: String,
    /// Why there is no solution, where a look at the squares tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(flatten)]
    by_class: ByClass,
    engine: &'a str,
    cpu: &'a str,
    threads: usize,
    /// The threads that there was a block for.
    threads_used: usize,
    /// The time of this run, with its planning.
    seconds: f64,
    version: &'a str,
    known: &'a str,
    /// With a checkpoint: the plan, its blocks, those recorded before this run, the time of
    /// one core that all of them took, and the most memory that this run had.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded_blocks: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    core_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    double_checked: Option<bool>,
}

/// The forms in which a count is printed.
enum Look {
    /// The number.
    Bare,
    /// n, a tab, the number.
    Pair,
    /// A line of a table.
    Table { table: Table, heads: Vec<String> },
    /// The number and how it came about.
    Sentence,
    /// A JSON object.
    Json,
}

impl Look {
    fn table(sizes: &[u32], question: &Question, room: usize) -> Look {
        let (values, sequence) = (question.kind.heads(), question.sequence());
        // The published values are good for the width of a column, too.
        let published = sequence.unwrap_or(&known::QUEENS).values().iter();
        let shown = published.filter(|(n, _)| sizes.contains(n));
        let widest = shown.map(|&(_, count)| grouped(count).len()).max();
        let widest = widest.unwrap_or(0);
        // There are few classes of fewer than eight: this much does up to n = 28.
        let enough = [widest, widest, 11, 9, 1];
        let widths = values.iter().zip(enough);
        let widths = widths.map(|(head, enough)| widest.min(enough).max(head.len()));
        let mut widths: Vec<_> = [2].into_iter().chain(widths).chain([12]).collect();
        let heads = [&["n"], values, &["time"]].concat().into_iter();
        let mut heads: Vec<_> = heads.map(str::to_owned).collect();
        let oeis = sequence.map(|sequence| format!("OEIS {}", sequence.oeis));
        widths.extend(oeis.as_ref().map(String::len));
        heads.extend(oeis);
        // The classes give way first, then the verdict and the time.
        let important = [0, 1].into_iter().chain(values.len() + 1..heads.len());
        let important: Vec<_> = important.chain(2..=values.len()).collect();
        Look::Table {
            table: Table::new(widths, &important, room),
            heads,
        }
    }

    fn head(&self, out: &mut Output) -> Result<()> {
        if let Look::Table { table, heads } = self {
            let head = out.paint(Paint::Bold, table.row(heads));
            writeln!(out, "{head}")?;
        }
        Ok(())
    }

    fn line(&self, out: &mut Output, n: u32, answer: &Answer<'_>, outcome: &Outcome) -> Result<()> {
        let Pass {
            counted, recorded, ..
        } = &outcome.pass;
        let verdict = answer.verdict(n);
        match self {
            Look::Bare => answer.print_bare(out)?,
            Look::Pair => {
                let cells = answer.values().map(|value| format!("\t{value}"));
                writeln!(out, "{n}{}", cells.collect::<String>())?;
            }
            Look::Table { table, heads } => {
                let values = answer.values().map(grouped);
                let cells = [n.to_string()].into_iter().chain(values);
                let mut cells: Vec<_> = cells.chain([duration(outcome.elapsed)]).collect();
                if let Some(oeis) = heads.get(cells.len()) {
                    let (paint, verdict) = match verdict {
                        Verdict::Match => (Paint::Green, "agrees"),
                        Verdict::Mismatch => (Paint::Red, "DIFFERS"),
                        Verdict::Unknown => (Paint::Dim, "unknown"),
                    };
                    let verdict = format!("{verdict:>0$}", oeis.len());
                    cells.push(out.paint(paint, verdict));
                }
                writeln!(out, "{}", table.row(&cells))?;
            }
            Look::Sentence => {
                let count = out.paint(Paint::Bold, grouped(answer.value));
                writeln!(out, "{count} {}", answer.noun(n))?;
                answer.print_sizes(out)?;
                let checked = if outcome.double_checked {
                    ", double-checked"
                } else {
                    ""
                };
                let how = format!("{} engine, {}{checked}", counted.engine, outcome.time());
                out.text(Some(Paint::Dim), &how)?;
                answer.print_verdict(out, n)?;
            }
            Look::Json => out.json(&Record {
                n,
                with: names(&answer.restrict.with),
                without: names(&answer.restrict.without),
                count: counted.count.to_string(),
                reason: answer.reason(n),
                by_class: answer.into(),
                engine: counted.engine.name(),
                cpu: counted.cpu.name(),
                threads: counted.threads,
                threads_used: counted.used,
                seconds: outcome.elapsed.as_secs_f64(),
                version: env!("CARGO_PKG_VERSION"),
                known: verdict.as_str(),
                plan: recorded.map(|recorded| recorded.plan.to_string()),
                blocks: recorded.map(|recorded| recorded.blocks),
                recorded_blocks: recorded.map(|recorded| recorded.before),
                core_seconds: recorded.map(|recorded| recorded.core_seconds),
                peak_memory_bytes: recorded.and_then(|_| peak_memory_bytes()),
                double_checked: outcome.double_checked.then_some(true),
            })?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use queens::Cancel;

    use super::*;
    use crate::cli::{
        args::{restrict::Restrict, target::Kind},
        report::output::tests::Page,
        watch::checkpoint::Recorded,
    };

    fn outcome(count: u128, recorded: Option<Recorded>) -> Outcome {
        let small = Count::new(4).unwrap().engine(Engine::Rows).threads(2);
        let mut counted = small.run().unwrap();
        counted.count = count;
        Outcome {
            pass: Pass::new(counted, recorded),
            elapsed: Duration::from_millis(1250),
            double_checked: false,
        }
    }

    fn answer(count: u128) -> Answer<'static> {
        QUESTION.answer(8, count, &Cancel::new()).unwrap()
    }

    /// How many there are, and nothing else.
    static QUESTION: Question = Question {
        kind: Kind {
            fundamental: false,
            classes: false,
        },
        restrict: Restrict {
            with: Vec::new(),
            without: Vec::new(),
        },
    };

    fn shown(look: &Look, n: u32, count: u128) -> String {
        let (page, mut out) = Page::new(true);
        look.line(&mut out, n, &answer(count), &outcome(count, None))
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
            "14,772,512 solutions for n = 16\nrows engine, 1 of 2 threads, 1.25 s\nagrees with OEIS A000170\n"
        );
    }

    #[test]
    fn after_a_resume_the_time_of_this_run_and_that_of_all_are_told_apart() {
        let time = |before| {
            let recorded = Recorded {
                plan: Count::new(8).unwrap().plan().unwrap().id(),
                blocks: 10,
                before,
                core_seconds: 90.0,
            };
            outcome(92, Some(recorded)).time()
        };
        assert_eq!(time(0), "1 of 2 threads, 1.25 s");
        let resumed = "1 of 2 threads, 1.25 s in this run, 1 min 30 s of one core in all";
        assert_eq!(time(7), resumed);
        assert_eq!(time(10), "counted earlier, in 1 min 30 s of one core");
    }

    #[test]
    fn the_lines_of_a_table_are_aligned_with_its_head() {
        let (page, mut out) = Page::new(true);
        let look = Look::table(&[8, 16], &QUESTION, 80);
        look.head(&mut out).unwrap();
        for (n, count) in [(8, 92), (16, 14_772_512)] {
            look.line(&mut out, n, &answer(count), &outcome(count, None))
                .unwrap();
        }
        let text = page.text();
        let ends = |word: &str| {
            let line = text.lines().find(|line| line.contains(word)).unwrap();
            line.find(word).unwrap() + word.len()
        };
        assert_eq!(ends("solutions"), ends("14,772,512"));
        assert_eq!(ends("solutions"), ends(" 92"));
    }
}
