//! The record of a benchmark: every raw time, with all that it takes to understand it.
//! One JSON object, which `--baseline` and `queens plot` read again.

use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::scaling::{self, Summary};
use crate::cli::{
    args::input,
    exit::Exit,
    report::{atomic_file::save, machine::Machine},
};

/// The name and the version of the format. A program reads its own and older ones.
const KIND: &str = "queens bench";
const FORMAT: u64 = 1;

/// A benchmark, finished or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The name of the file that it was read from, without its ending.
    #[serde(skip)]
    pub name: String,
    kind: String,
    format: u64,
    /// The program that measured.
    pub version: String,
    /// Whether every planned run is in it.
    pub complete: bool,
    pub machine: Machine,
    pub settings: Settings,
    /// The most memory that the process has had, over all runs so far.
    pub peak_memory_bytes: Option<u64>,
    pub cases: Vec<Case>,
}

/// How it was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub workload: Option<String>,
    /// Runs of each point, if the time allows.
    pub repeats: usize,
    pub warmup: usize,
    pub seconds: Option<f64>,
    /// Whether each thread was bound to a core of its own.
    pub pinned: bool,
}

/// One board and one engine, on several numbers of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Case {
    pub n: u32,
    pub engine: String,
    /// The kernel.
    pub cpu: String,
    /// The number of solutions, in decimal, once it is counted.
    pub count: Option<String>,
    pub points: Vec<Point>,
}

/// All runs on one number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub threads: usize,
    pub runs: Vec<Run>,
}

/// One count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// By the clock.
    pub seconds: f64,
    /// What the threads together spent waiting for the last one.
    pub idle_seconds: f64,
}

/// A point as it is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    pub threads: usize,
    pub runs: usize,
    pub time: Summary,
    pub solutions_per_second: f64,
    /// Against one thread, if that was measured.
    pub speed_up: Option<f64>,
    pub efficiency: Option<f64>,
    /// The part of the threads' time that they waited for the last one, in the best run.
    pub idle: f64,
}

impl Report {
    /// A benchmark of which nothing is measured yet.
    pub fn new(settings: Settings, cases: Vec<Case>) -> Report {
        Report {
            name: String::new(),
            kind: KIND.to_owned(),
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            complete: false,
            machine: Machine::detect(),
            settings,
            peak_memory_bytes: None,
            cases,
        }
    }

    /// Reads what an earlier benchmark has exported.
    pub fn read(path: &Path) -> Result<Report> {
        let name = path.display();
        let text = input::read(path)?;
        let foreign = |what: String| Exit::Foreign.because(format!("{name} {what}"));
        let damaged = |error: serde_json::Error| {
            Exit::Damaged.because(format!(
                "{name} is not a whole result of `queens bench --export-json`: {error}; measure again"
            ))
        };
        let value: Value = serde_json::from_slice(&text).map_err(damaged)?;
        if value["kind"] != KIND {
            return Err(foreign(
                "is not a result of `queens bench --export-json`".to_owned(),
            ));
        }
        match value["format"].as_u64() {
            Some(format) if format > FORMAT => Err(foreign(format!(
                "is of format {format}, and this program reads up to {FORMAT}: use a newer queens"
            ))),
            _ => {
                let stem = path.file_stem().unwrap_or_default();
                let report = serde_json::from_value(value).map_err(damaged)?;
                Ok(Report {
                    name: stem.display().to_string(),
                    ..report
                })
            }
        }
    }

    /// Writes all there is so far.
    pub fn save(&self, path: &Path) -> Result<()> {
        save(path, &(serde_json::to_string_pretty(self)? + "\n"))
    }

    /// The processor's name, as far as it is known.
    pub fn processor(&self) -> &str {
        let model = self.machine.cpu_model.as_deref();
        model.unwrap_or("an unknown processor")
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        let points = self.cases.iter().flat_map(|case| &case.points);
        points.map(|point| point.runs.len()).sum()
    }
}

impl Case {
    /// Every point that was measured.
    pub fn figures(&self) -> Vec<Figures> {
        let measured = self.points.iter().filter_map(|point| {
            let best = point.best_run()?;
            Some((point, Summary::of(&point.seconds())?, best))
        });
        let measured: Vec<_> = measured.collect();
        let one = measured.iter().find(|(point, ..)| point.threads == 1);
        let one = one.map(|(_, time, _)| time.best);
        let solutions = self.count.as_ref().and_then(|count| count.parse().ok());
        let solutions: f64 = solutions.unwrap_or(0.0);
        let figures = measured.iter().map(|&(point, time, best)| {
            let speed_up = one.map(|one| scaling::speed_up(one, time.best));
            Figures {
                threads: point.threads,
                runs: point.runs.len(),
                time,
                solutions_per_second: solutions / time.best,
                speed_up,
                efficiency: speed_up.map(|speed_up| scaling::efficiency(speed_up, point.threads)),
                idle: best.idle_seconds / (best.seconds * point.threads as f64),
            }
        });
        figures.collect()
    }

    /// Amdahl's serial fraction, fitted to all points on no more threads than could run
    /// at once.
    pub fn serial_fraction(&self, machine: &Machine) -> Option<f64> {
        let figures = self.figures().into_iter();
        let together = figures.filter(|figures| figures.threads <= machine.allowed_threads);
        let points = together.filter_map(|figures| Some((figures.threads, figures.speed_up?)));
        scaling::serial_fraction(points)
    }
}

impl Point {
    /// The times of its runs.
    pub fn seconds(&self) -> Vec<f64> {
        self.runs.iter().map(|run| run.seconds).collect()
    }

    fn best_run(&self) -> Option<Run> {
        let runs = self.runs.iter().copied();
        runs.min_by(|a, b| a.seconds.total_cmp(&b.seconds))
    }
}

#[cfg(test)]
pub mod tests {
    use std::fs;

    use super::*;

    /// A machine with two cores, measured three times.
    pub fn example() -> Report {
        let point = |threads, seconds: [f64; 3]| Point {
            threads,
            runs: seconds
                .map(|seconds| Run {
                    seconds,
                    idle_seconds: seconds / 100.0,
                })
                .to_vec(),
        };
        let case = |n, engine: &str, count: &str, points| Case {
            n,
            engine: engine.to_owned(),
            cpu: "portable".to_owned(),
            count: Some(count.to_owned()),
            points,
        };
        let settings = Settings {
            workload: None,
            repeats: 3,
            warmup: 1,
            seconds: Some(0.1),
            pinned: false,
        };
        let cases = vec![
            case(
                15,
                "rows",
                "2279184",
                vec![point(1, [4.0, 4.1, 4.4]), point(2, [2.0, 2.5, 3.0])],
            ),
            case(15, "colours", "2279184", vec![point(2, [0.125; 3])]),
        ];
        let mut report = Report::new(settings, cases);
        report.machine.allowed_threads = 2;
        report
    }

    #[test]
    fn a_report_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bench.json");
        let mut report = example();
        report.name = "bench".to_owned();
        report.save(&path).unwrap();
        assert_eq!(Report::read(&path).unwrap(), report);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bench.json");
        let whole = serde_json::to_string(&example()).unwrap();
        let newer = whole.replace("\"format\":1", "\"format\":2");
        for (text, exit) in [
            ("", Exit::Damaged),
            (&whole[..whole.len() / 2], Exit::Damaged),
            (
                &whole.replace("\"threads\":1,", "\"threads\":-1,"),
                Exit::Damaged,
            ),
            ("{\"n\":8,\"count\":\"92\"}", Exit::Foreign),
            ("[1,2]", Exit::Foreign),
            (&newer, Exit::Foreign),
        ] {
            fs::write(&path, text).unwrap();
            let error = Report::read(&path).unwrap_err();
            assert_eq!(Exit::of(&error), exit, "{text}");
            assert!(error.to_string().contains("bench.json"), "{error}");
        }
        let missing = Report::read(&folder.path().join("none.json"));
        assert_eq!(Exit::of(&missing.unwrap_err()), Exit::Failure);
    }

    #[test]
    fn figures_follow_from_the_raw_times() {
        let report = example();
        let figures = report.cases[0].figures();
        assert_eq!(figures[1].speed_up, Some(2.0));
        assert_eq!(figures[1].efficiency, Some(1.0));
        assert_eq!(figures[1].idle, 0.005);
        assert_eq!(figures[1].solutions_per_second, 2_279_184.0 / 2.0);
        assert_eq!(report.cases[0].serial_fraction(&report.machine), Some(0.0));
        // Without one thread there is nothing to compare with.
        assert_eq!(report.cases[1].figures()[0].speed_up, None);
        assert_eq!(report.cases[1].serial_fraction(&report.machine), None);
        assert_eq!(report.runs(), 9);
    }
}
