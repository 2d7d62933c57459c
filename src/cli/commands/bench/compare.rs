//! `queens bench compare`: how many times faster, from one or several results. On each
//! board and number of threads the fastest is compared with all others, by their means.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::{
    file,
    report::Report,
    scaling::{Summary, ratio},
    score::Score,
};
use crate::cli::{
    exit::Exit,
    report::{
        decimal::Decimal,
        humanize::{counted, rounded},
        output::Output,
    },
};

const EXAMPLES: &str = "\
Examples:
  queens bench --n 12 --engine rows,colours --export-json a.json
  queens bench compare a.json         the engines
  queens bench --n 12,13 --engine colours --export-json b.json
  queens bench compare a.json b.json  two machines or versions";

/// Tell how many times faster one is than another
///
/// On each board and number of threads that several engines or files have measured, the
/// fastest is compared with the others: means, with the standard deviation of both.
/// Scores are compared, too. Through a pipe or with -q it is CSV.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompareArgs {
    /// Files that `queens bench --export-json` wrote, or names of reference results
    #[arg(value_name = "RESULT.json", required = true)]
    results: Vec<PathBuf>,

    /// Print one JSON object for each comparison
    #[arg(long)]
    json: bool,
}

impl CompareArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let reports = self.results.iter().map(|path| file::read(path));
        let reports = reports.collect::<Result<Vec<_>>>()?;
        let names = names(&self.results, &reports);
        let comparisons = compare(&reports, &names)?;
        if comparisons.is_empty() {
            return Err(Exit::Usage.because(
                "there is nothing to compare: no board was measured on the same number of threads by two engines or in two files",
            ));
        }
        if !self.json && !out.is_human() {
            writeln!(out, "n,threads,fastest,other,ratio,deviation")?;
        }
        for comparison in &comparisons {
            match (self.json, out.is_human()) {
                (true, _) => out.json(comparison)?,
                (false, true) => out.text(None, &comparison.sentence())?,
                (false, false) => writeln!(out, "{}", comparison.csv())?,
            }
        }
        Ok(Exit::Done)
    }
}

/// What the reports are called: their files, with the folders where the names alone are
/// the same.
fn names(paths: &[PathBuf], reports: &[Report]) -> Vec<String> {
    let name = |(path, report): (&PathBuf, &Report)| {
        let same = reports.iter().filter(|other| other.name == report.name);
        if same.count() > 1 {
            Path::new(path).display().to_string()
        } else {
            report.name.clone()
        }
    };
    paths.iter().zip(reports).map(name).collect()
}

/// The fastest, and another.
#[derive(Debug, PartialEq, Serialize)]
struct Comparison {
    /// The board; none for a score.
    n: Option<u32>,
    /// How many; none for all of each machine.
    threads: Option<usize>,
    fastest: String,
    other: String,
    ratio: f64,
    deviation: Option<f64>,
}

impl Comparison {
    fn sentence(&self) -> String {
        let board = self.n.map_or("score".to_owned(), |n| format!("n = {n}"));
        let threads = self.threads;
        let threads = threads.map_or("all threads".to_owned(), |threads| {
            counted(threads, "thread")
        });
        let decimals = [10.0, 100.0]
            .iter()
            .filter(|&&next| self.ratio < next)
            .count();
        let deviation = self.deviation.map_or(String::new(), |deviation| {
            format!(" ± {deviation:.decimals$}")
        });
        let Comparison {
            fastest,
            other,
            ratio,
            ..
        } = self;
        format!(
            "{board}, {threads}: {fastest} ran {ratio:.decimals$}{deviation} times faster than {other}"
        )
    }

    fn csv(&self) -> String {
        let n = self.n.map_or(String::new(), |n| n.to_string());
        let deviation = self.deviation.map_or(String::new(), rounded);
        let ratio = rounded(self.ratio);
        let threads = self
            .threads
            .map_or("all".to_owned(), |threads| threads.to_string());
        let (fastest, other) = (quoted(&self.fastest), quoted(&self.other));
        format!("{n},{threads},{fastest},{other},{ratio},{deviation}")
    }
}

/// A word of a line of CSV.
fn quoted(word: &str) -> String {
    if word.contains([',', '"', '\n']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.to_owned()
    }
}

/// All that can be compared, board by board.
fn compare(reports: &[Report], names: &[String]) -> Result<Vec<Comparison>> {
    let mut groups: BTreeMap<(u32, usize), Vec<Timed>> = BTreeMap::new();
    let mut counts: BTreeMap<u32, (&str, u128)> = BTreeMap::new();
    for (report, name) in reports.iter().zip(names) {
        for case in &report.cases {
            if let Some(Decimal(count)) = case.count {
                let (first, before) = *counts.entry(case.n).or_insert((name, count));
                if before != count {
                    return Err(Exit::Mismatch.because(format!(
                        "{first} has {before} solutions for n = {}, and {name} has {count}: one of them is wrong",
                        case.n
                    )));
                }
            }
            for point in &case.points {
                if let Some(time) = Summary::of(&point.seconds()) {
                    let group = groups.entry((case.n, point.threads)).or_default();
                    group.push(Timed {
                        engine: &case.engine,
                        name,
                        time,
                    });
                }
            }
        }
    }
    let mut comparisons = Vec::new();
    for ((n, threads), mut times) in groups {
        times.sort_by(|a, b| a.time.mean.total_cmp(&b.time.mean));
        let (fastest, others) = (&times[0], &times[1..]);
        let engines = others.iter().any(|other| other.engine != fastest.engine);
        let files = others.iter().any(|other| other.name != fastest.name);
        let word = |timed: &Timed| match (engines, files) {
            (true, true) => format!("{} of {}", timed.engine, timed.name),
            (true, false) => timed.engine.to_owned(),
            _ => timed.name.to_owned(),
        };
        for other in others {
            let (ratio, deviation) = ratio(&other.time, &fastest.time);
            comparisons.push(Comparison {
                n: Some(n),
                threads: Some(threads),
                fastest: word(fastest),
                other: word(other),
                ratio,
                deviation,
            });
        }
    }
    comparisons.extend(scores(reports, names));
    Ok(comparisons)
}

/// The times of an engine in a file.
struct Timed<'a> {
    engine: &'a str,
    name: &'a str,
    time: Summary,
}

/// Both numbers of the scores that have the same version as the first one.
fn scores(reports: &[Report], names: &[String]) -> Vec<Comparison> {
    let scores = reports.iter().zip(names);
    let scores = scores.filter_map(|(report, name)| Some((report.score.as_ref()?, &**name)));
    let mut scores: Vec<_> = scores.collect();
    if let Some(&(first, _)) = scores.first() {
        scores.retain(|(score, _)| score.version == first.version);
    }
    let single = highest(&scores, Some(1), |score| score.single);
    let all = highest(&scores, None, |score| score.all_threads);
    single.into_iter().chain(all).collect()
}

/// The highest of these scores and each of the others.
fn highest(
    scores: &[(&Score, &str)],
    threads: Option<usize>,
    points: impl Fn(&Score) -> u64,
) -> Vec<Comparison> {
    let scores = scores.iter().map(|&(score, name)| (points(score), name));
    let mut scores: Vec<_> = scores.collect();
    scores.sort_by_key(|&(points, _)| Reverse(points));
    let others = scores.iter().skip(1).map(|&(points, other)| Comparison {
        n: None,
        threads,
        fastest: scores[0].1.to_owned(),
        other: other.to_owned(),
        ratio: scores[0].0 as f64 / points as f64,
        deviation: None,
    });
    others.collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::{report::tests::example, score::tests::scored},
        *,
    };

    fn sentences(reports: &[Report], names: &[&str]) -> Vec<String> {
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        let comparisons = compare(reports, &names).unwrap();
        comparisons.iter().map(Comparison::sentence).collect()
    }

    #[test]
    fn engines_of_one_file_are_compared_by_their_means() {
        // 2.5 ± 0.5 seconds and 0.125 exactly.
        assert_eq!(
            sentences(&[example()], &["a"]),
            ["n = 15, 2 threads: colours ran 20.0 ± 4.0 times faster than rows"]
        );
    }

    #[test]
    fn files_are_compared_where_they_have_the_same_board() {
        let (old, mut new) = (example(), example());
        new.cases.remove(1);
        for point in &mut new.cases[0].points {
            for run in &mut point.runs {
                run.seconds /= 2.0;
            }
        }
        new.cases[0].points[1].threads = 3;
        assert_eq!(
            sentences(&[old, new], &["old", "new"]),
            [
                "n = 15, 1 thread: new ran 2.00 ± 0.14 times faster than old",
                "n = 15, 2 threads: colours ran 20.0 ± 4.0 times faster than rows",
            ]
        );
    }

    #[test]
    fn engines_of_several_files_are_told_apart_by_both() {
        let words = sentences(&[example(), example()], &["a", "b"]);
        assert!(
            words.contains(
                &"n = 15, 2 threads: colours of a ran 20.0 ± 4.0 times faster than rows of b"
                    .to_owned()
            )
        );
        assert_eq!(words.len(), 1 + 3);
    }

    #[test]
    fn scores_of_different_machines_are_compared() {
        let slow = scored([2.0, 2.0, 4.0, 4.0]);
        let words = sentences(&[scored([1.0; 4]), slow], &["a", "b"]);
        assert_eq!(
            words[4..],
            [
                "score, 1 thread: a ran 2.00 times faster than b",
                "score, all threads: a ran 4.00 times faster than b",
            ]
        );
    }

    #[test]
    fn other_counts_are_wrong_and_nothing_in_common_is_nothing() {
        let (old, mut new) = (example(), example());
        new.cases[0].count = Some(Decimal(7));
        let error = compare(&[old.clone(), new.clone()], &["a".into(), "b".into()]).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Mismatch);
        new.cases[0].n = 16;
        new.cases.truncate(1);
        assert_eq!(sentences(&[new], &["b"]), [""; 0]);
    }

    #[test]
    fn numbers_for_a_program_are_rounded_and_words_quoted() {
        let comparison = Comparison {
            n: Some(16),
            threads: Some(1),
            fastest: "a,b".to_owned(),
            other: "c".to_owned(),
            ratio: 1.0 / 3.0,
            deviation: None,
        };
        assert_eq!(comparison.csv(), "16,1,\"a,b\",c,0.3333,");
    }
}
