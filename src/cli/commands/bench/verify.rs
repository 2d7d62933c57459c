//! `queens bench verify`: whether a result is whole, and says what its times say.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use queens::{Engine, known::QUEENS};

use super::{
    file,
    report::{Case, Report},
    score::{Score, VERSION},
    table,
};
use crate::cli::{
    args::target::agree,
    exit::Exit,
    report::{decimal::Decimal, humanize::counted, output::Output},
};

const EXAMPLES: &str = "\
Examples:
  queens bench --n 12 --export-json a.json
  queens bench verify a.json  whether anything of it was changed";

/// Tell whether the result of a benchmark is whole
///
/// The check over all of the file must be right, every planned run must be in it, the
/// counts must be the published ones, and means, deviations and scores must follow from the
/// raw times.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct VerifyArgs {
    /// Files that `queens bench --export-json` wrote
    #[arg(value_name = "RESULT.json", required = true)]
    results: Vec<PathBuf>,
}

impl VerifyArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        for path in &self.results {
            let report = file::read(path)?;
            verify(&report, &path.display().to_string())?;
            let built =
                [&report.commit, &report.rustc].map(|word| word.as_deref().unwrap_or("unknown"));
            out.text(
                None,
                &format!(
                    "{} is whole: {} on {}, {}; commit {}, {}",
                    path.display(),
                    counted(report.runs(), "run"),
                    report.date,
                    table::footing(&report),
                    built[0],
                    built[1],
                ),
            )?;
        }
        Ok(Exit::Done)
    }
}

/// Whether the parts of a report agree with each other and with what is published.
fn verify(report: &Report, name: &str) -> Result<()> {
    let damaged = |what: String| Err(Exit::Damaged.because(format!("{name}: {what}")));
    for case in &report.cases {
        let (n, engine) = (case.n, &case.engine);
        for point in &case.points {
            let said = (point.mean_seconds, point.deviation_seconds);
            if said != point.mean_and_deviation() {
                return damaged(format!(
                    "mean and deviation for n = {n}, {engine}, threads {} do not follow from the times",
                    point.threads
                ));
            }
            let wrong = |time: f64| !time.is_finite() || time < 0.0;
            let runs = point.runs.iter();
            let mut times = runs.flat_map(|run| [run.seconds, run.idle_seconds]);
            if times.any(wrong) || point.runs.iter().any(|run| run.seconds == 0.0) {
                return damaged(format!("n = {n}, {engine} has a time that nothing takes"));
            }
        }
        if let Some(Decimal(count)) = case.count {
            agree(&QUEENS, n, count, engine.parse::<Engine>()?)?;
        }
    }
    if !report.complete {
        return Err(Exit::Missing.because(format!(
            "{name} is not complete: it was interrupted after {}",
            counted(report.runs(), "run")
        )));
    }
    let empty = |case: &Case| case.points.iter().any(|point| point.runs.is_empty());
    if report.cases.is_empty() || report.cases.iter().any(empty) {
        return damaged("it is said to be complete, and a point has no run".to_owned());
    }
    match report.settings.score {
        Some(version) if version != VERSION => Err(Exit::Foreign.because(format!(
            "{name} has a score of version {version}, and this program knows {VERSION}"
        ))),
        _ if report.score != Score::of(report) => {
            damaged("its score does not follow from the times".to_owned())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{report::tests::example, score::tests::scored},
        *,
    };

    #[test]
    fn a_whole_report_is_whole() {
        let mut report = example();
        report.complete = true;
        verify(&report, "a").unwrap();
        verify(&scored([1.0, 2.0, 3.0, 4.0]), "a").unwrap();
    }

    #[test]
    fn whatever_contradicts_itself_is_found() {
        type Break = fn(&mut Report);
        let broken: [(Break, Exit); 9] = [
            (|report| report.complete = false, Exit::Missing),
            (
                |report| report.cases[0].points[0].runs[0].seconds *= 0.9,
                Exit::Damaged,
            ),
            (
                |report| report.cases[1].points[0].mean_seconds = Some(1.0),
                Exit::Damaged,
            ),
            (
                |report| report.cases[2].points[0].deviation_seconds = None,
                Exit::Damaged,
            ),
            (
                |report| report.cases[2].points[0].runs[0].idle_seconds = -1.0,
                Exit::Damaged,
            ),
            (
                |report| report.cases[3].count = Some(Decimal(92)),
                Exit::Mismatch,
            ),
            (
                |report| report.score.as_mut().unwrap().single += 1,
                Exit::Damaged,
            ),
            (|report| report.score = None, Exit::Damaged),
            (
                |report| report.settings.score = Some(VERSION + 1),
                Exit::Foreign,
            ),
        ];
        for (place, (breaks, exit)) in broken.into_iter().enumerate() {
            let mut report = scored([1.0; 4]);
            breaks(&mut report);
            let error = verify(&report, "a").unwrap_err();
            assert_eq!(Exit::of(&error), exit, "{place}: {error}");
        }
    }
}
