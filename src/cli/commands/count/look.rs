//! The forms in which a count is printed: bare for a program, in words for a person, as a line
//! of a table, or as JSON.

use std::{io::Write, ops::Not, time::Duration};

use anyhow::Result;
use queens::{
    Counted,
    known::{self, Verdict},
};
use serde::Serialize;

use crate::cli::{
    args::{
        restrict::Restrict,
        target::{Answer, ByClass, Kind},
    },
    platform::memory::peak_memory_bytes,
    report::{
        decimal::Decimal,
        humanize::{duration, grouped, of_threads, seconds},
        output::{Output, Paint},
        table::Table,
    },
    watch::checkpoint::{Pass, Recorded},
};

/// A count and what stands behind it.
pub struct Outcome {
    pub pass: Pass,
    /// The time of this run, with its planning.
    pub elapsed: Duration,
    pub double_checked: bool,
}

impl Outcome {
    /// The time of this run, and where an earlier one has had a part in the count, that
    /// of all of them.
    fn time(&self) -> String {
        let Counted { threads, used, .. } = self.pass.counted;
        let threads = of_threads(used, threads);
        let time = duration(self.elapsed);
        match self.pass.recorded.as_ref().filter(|it| it.before > 0) {
            None => format!("{threads}, {time}"),
            Some(recorded) => {
                let all = seconds(recorded.core_seconds);
                if recorded.before == recorded.blocks {
                    format!("counted earlier, in {all} of one core")
                } else {
                    format!("{threads}, {time} in this run, {all} of one core in all")
                }
            }
        }
    }
}

/// A count as a JSON object.
#[derive(Serialize)]
struct Json<'a> {
    n: u32,
    #[serde(flatten)]
    restrict: &'a Restrict,
    count: Decimal,
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
    /// With a checkpoint, how its ledger came about, and the most memory that this run had.
    #[serde(flatten)]
    recorded: Option<&'a Recorded>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Not::not")]
    double_checked: bool,
}

/// The forms in which a count is printed.
pub enum Look {
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
    /// A table of these boards, as wide as there is room.
    pub fn table(sizes: &[u32], kind: &Kind, restrict: &Restrict, room: usize) -> Look {
        let (values, sequence) = (kind.heads(), kind.sequence(restrict));
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

    /// What comes before the first count.
    pub fn head(&self, out: &mut Output) -> Result<()> {
        if let Look::Table { table, heads } = self {
            let head = out.paint(Paint::Bold, table.row(heads));
            writeln!(out, "{head}")?;
        }
        Ok(())
    }

    /// A count.
    pub fn line(&self, out: &mut Output, answer: &Answer<'_>, outcome: &Outcome) -> Result<()> {
        let Pass {
            counted, recorded, ..
        } = &outcome.pass;
        let (n, verdict) = (answer.n, answer.verdict());
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
                let time = outcome.time();
                let how = how(counted.engine.name(), &time, outcome.double_checked);
                answer.print("", &how, Some(Paint::Dim), out)?;
            }
            Look::Json => out.json(&Json {
                n,
                restrict: answer.restrict,
                count: Decimal(counted.count),
                reason: answer.reason(),
                by_class: answer.into(),
                engine: counted.engine.name(),
                cpu: counted.cpu.name(),
                threads: counted.threads,
                threads_used: counted.used,
                seconds: outcome.elapsed.as_secs_f64(),
                version: env!("CARGO_PKG_VERSION"),
                known: verdict.as_str(),
                recorded: recorded.as_ref(),
                peak_memory_bytes: recorded.as_ref().and_then(|_| peak_memory_bytes()),
                double_checked: outcome.double_checked,
            })?,
        }
        Ok(())
    }
}

/// How something was counted, in words.
pub fn how(engine: &str, time: &str, double_checked: bool) -> String {
    let checked = if double_checked {
        ", double-checked"
    } else {
        ""
    };
    format!("{engine} engine, {time}{checked}")
}

#[cfg(test)]
mod tests {
    use queens::{Count, Engine};

    use super::*;
    use crate::cli::{args::target::agree, exit::Exit, report::output::tests::Page};

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

    /// Any queens anywhere.
    static WHOLE: Restrict = Restrict {
        with: Vec::new(),
        without: Vec::new(),
    };

    fn shown(look: &Look, n: u32, count: u128) -> String {
        let (page, mut out) = Page::new(true);
        let answer = Answer::plain(n, count, &WHOLE);
        look.line(&mut out, &answer, &outcome(count, None)).unwrap();
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
                plan: String::new(),
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
        let look = Look::table(&[8, 16], &Kind::default(), &WHOLE, 80);
        look.head(&mut out).unwrap();
        for (n, count) in [(8, 92), (16, 14_772_512)] {
            let answer = Answer::plain(n, count, &WHOLE);
            look.line(&mut out, &answer, &outcome(count, None)).unwrap();
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
