//! What a benchmark has measured: every raw time, with all that it takes to understand it.

use serde::{Deserialize, Serialize};

use super::{
    scaling::{self, Summary},
    score::Score,
};
use crate::cli::{
    platform::processor_time,
    report::{
        built::{COMMIT, RUSTC},
        date,
        decimal::Decimal,
        machine::Machine,
    },
};

/// The name and the version of the format.
pub(super) const KIND: &str = "queens bench";
pub(super) const FORMAT: u64 = 2;

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
    /// The commit that it was built from, and the compiler.
    pub commit: Option<String>,
    pub rustc: Option<String>,
    /// When it began.
    pub date: String,
    /// Whether every planned run is in it.
    pub complete: bool,
    pub machine: Machine,
    pub settings: Settings,
    /// The most memory that the process has had, over all runs so far.
    pub peak_memory_bytes: Option<u64>,
    /// Of a workload for it, once it is complete.
    pub score: Option<Score>,
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
    /// The version of the score that it was measured for.
    pub score: Option<u32>,
}

/// One board and one engine, on several numbers of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Case {
    pub n: u32,
    pub engine: String,
    /// The kernel.
    pub cpu: String,
    /// The number of solutions, once it is counted.
    pub count: Option<Decimal>,
    pub points: Vec<Point>,
}

/// All runs on one number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub threads: usize,
    /// How many of them had work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads_used: Option<usize>,
    /// Of its runs, to the nanosecond.
    pub mean_seconds: Option<f64>,
    pub deviation_seconds: Option<f64>,
    pub runs: Vec<Run>,
}

/// One count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// By the clock.
    pub seconds: f64,
    /// What the threads together spent waiting for the last one.
    pub idle_seconds: f64,
    #[serde(flatten)]
    pub processor: ProcessorTime,
}

/// What a process has had of the processors, where the system tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ProcessorTime {
    #[serde(rename = "processor_seconds")]
    pub all: Option<f64>,
    /// Its parts. Systems tell them apart by ticks of a hundredth of a second.
    #[serde(rename = "user_seconds")]
    pub user: Option<f64>,
    #[serde(rename = "system_seconds")]
    pub system: Option<f64>,
}

impl ProcessorTime {
    /// What this process has had so far.
    pub fn now() -> ProcessorTime {
        let (all, system) = (processor_time::all(), processor_time::system());
        let user = all.zip(system).map(|(all, system)| (all - system).max(0.0));
        ProcessorTime { all, user, system }
    }

    /// What it has had since then.
    pub fn since(self, before: ProcessorTime) -> ProcessorTime {
        let passed = |before: Option<f64>, after: Option<f64>| {
            let (before, after) = before.zip(after)?;
            // Never back: ticks are coarser than the sum.
            Some(scaling::to_nanoseconds((after - before).max(0.0)))
        };
        ProcessorTime {
            all: passed(before.all, self.all),
            user: passed(before.user, self.user),
            system: passed(before.system, self.system),
        }
    }
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
    /// The part of the time of all cores it could have that it had, over all runs; what is
    /// missing went to other work.
    pub share: Option<f64>,
}

impl Report {
    /// A benchmark of which nothing is measured yet.
    pub fn new(settings: Settings, cases: Vec<Case>) -> Report {
        Report {
            name: String::new(),
            kind: KIND.to_owned(),
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: COMMIT.map(str::to_owned),
            rustc: RUSTC.map(str::to_owned),
            date: date::now(),
            complete: false,
            machine: Machine::detect(),
            settings,
            peak_memory_bytes: None,
            score: None,
            cases,
        }
    }

    /// The processor's name, as far as it is known.
    pub fn processor(&self) -> &str {
        let model = self.machine.cpu_model.as_deref();
        model.unwrap_or("an unknown processor")
    }

    /// Every point of every case.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.cases.iter().flat_map(|case| &case.points)
    }

    /// Every point that was measured.
    pub fn figures(&self) -> impl Iterator<Item = Figures> {
        let cases = self.cases.iter();
        cases.flat_map(|case| case.figures(&self.machine))
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.points().map(|point| point.runs.len()).sum()
    }
}

impl Case {
    /// Each of its points that was measured.
    pub fn figures(&self, machine: &Machine) -> Vec<Figures> {
        let measured = self.points.iter().filter_map(|point| {
            let best = point.best_run()?;
            Some((point, Summary::of(&point.seconds())?, best))
        });
        let measured: Vec<_> = measured.collect();
        let one = measured.iter().find(|(point, ..)| point.threads == 1);
        let one = one.map(|(_, time, _)| time.best);
        let solutions = self.count.map_or(0.0, |count| count.0 as f64);
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
                share: point.share(machine.allowed_threads),
            }
        });
        figures.collect()
    }

    /// Amdahl's serial fraction, fitted to all points on no more threads than could run
    /// at once.
    pub fn serial_fraction(&self, machine: &Machine) -> Option<f64> {
        let figures = self.figures(machine).into_iter();
        let together = figures.filter(|figures| figures.threads <= machine.allowed_threads);
        let points = together.filter_map(|figures| Some((figures.threads, figures.speed_up?)));
        scaling::serial_fraction(points)
    }
}

impl Point {
    /// A point of which nothing is measured yet.
    pub fn new(threads: usize) -> Point {
        Point {
            threads,
            threads_used: None,
            mean_seconds: None,
            deviation_seconds: None,
            runs: Vec::new(),
        }
    }

    /// Takes a run in.
    pub fn push(&mut self, run: Run) {
        self.runs.push(run);
        (self.mean_seconds, self.deviation_seconds) = self.mean_and_deviation();
    }

    /// What its runs say, to the nanosecond.
    pub fn mean_and_deviation(&self) -> (Option<f64>, Option<f64>) {
        let time = Summary::of(&self.seconds());
        let deviation = time.and_then(|time| time.deviation);
        (
            time.map(|time| scaling::to_nanoseconds(time.mean)),
            deviation.map(scaling::to_nanoseconds),
        )
    }

    /// What its threads had of the cores that they could have, at work or waiting for the
    /// last one.
    fn share(&self, cores: usize) -> Option<f64> {
        let had = self
            .runs
            .iter()
            .map(|run| Some(run.processor.all? + run.idle_seconds));
        let had: f64 = had.sum::<Option<f64>>()?;
        let time: f64 = self.seconds().iter().sum();
        Some((had / (time * self.threads.min(cores) as f64)).min(1.0))
    }

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
    use super::*;

    /// A machine with two cores, measured three times.
    pub fn example() -> Report {
        let point = |threads, seconds: [f64; 3]| {
            let mut point = Point::new(threads);
            for seconds in seconds {
                point.push(Run {
                    seconds,
                    idle_seconds: seconds / 100.0,
                    processor: ProcessorTime {
                        all: Some(0.99 * seconds * threads as f64),
                        user: Some(0.98 * seconds * threads as f64),
                        system: Some(0.01 * seconds * threads as f64),
                    },
                });
            }
            point
        };
        let case = |engine: &str, points| Case {
            n: 15,
            engine: engine.to_owned(),
            cpu: "portable".to_owned(),
            count: Some(Decimal(2_279_184)),
            points,
        };
        let settings = Settings {
            workload: None,
            repeats: 3,
            warmup: 1,
            seconds: Some(0.1),
            pinned: false,
            score: None,
        };
        let cases = vec![
            case(
                "rows",
                vec![point(1, [4.0, 4.1, 4.4]), point(2, [2.0, 2.5, 3.0])],
            ),
            case("colours", vec![point(2, [0.125; 3])]),
        ];
        let mut report = Report::new(settings, cases);
        report.machine.allowed_threads = 2;
        report
    }

    #[test]
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    fn work_takes_processor_time() {
        let before = ProcessorTime::now();
        let passed = || ProcessorTime::now().since(before);
        let mut sum = 0u64;
        while passed().all == Some(0.0) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(passed().user <= passed().all.map(|all| all + 0.02));
        assert_eq!(before.since(ProcessorTime::now()).all, Some(0.0));
    }

    #[test]
    fn figures_follow_from_the_raw_times() {
        let report = example();
        let figures = report.cases[0].figures(&report.machine);
        assert_eq!(figures[1].speed_up, Some(2.0));
        assert_eq!(figures[1].efficiency, Some(1.0));
        assert_eq!(figures[1].idle, 0.005);
        assert_eq!(figures[1].solutions_per_second, 2_279_184.0 / 2.0);
        let point = &report.cases[0].points[0];
        assert_eq!(point.mean_seconds, Some(4.166_666_667));
        assert_eq!(point.deviation_seconds, Some(0.208_166_600));
        assert_eq!(report.cases[0].serial_fraction(&report.machine), Some(0.0));
        // Without one thread there is nothing to compare with.
        assert_eq!(report.cases[1].figures(&report.machine)[0].speed_up, None);
        assert_eq!(report.cases[1].serial_fraction(&report.machine), None);
        assert_eq!(report.runs(), 9);
    }
    #[test]
    fn what_the_cores_did_besides_shows_in_the_share() {
        let mut report = example();
        let shares = |report: &Report| {
            let figures = report.cases[0].figures(&report.machine);
            figures
                .iter()
                .map(|figures| figures.share.unwrap())
                .collect::<Vec<_>>()
        };
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        // Two threads wait a hundredth of the time of one, and work for the rest.
        let before = shares(&report);
        assert!(near(before[0], 1.0) && near(before[1], 0.995), "{before:?}");
        // Four threads on two cores can have the time of two.
        report.cases[0].points[1].threads = 4;
        assert!(near(shares(&report)[1], 0.995));
        for run in &mut report.cases[0].points[0].runs {
            run.processor.all = run.processor.all.map(|time| time / 2.0);
        }
        assert!(near(shares(&report)[0], 0.505));
        report.cases[0].points[0].runs[0].processor.all = None;
        assert_eq!(report.cases[0].figures(&report.machine)[0].share, None);
    }
}
