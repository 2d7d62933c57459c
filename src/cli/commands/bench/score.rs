//! The score of a machine: two numbers that anybody can compare.
//!
//! ```text
//! score = 1000 · geometric mean of  r(b) / t(b)  over the boards b
//! ```
//!
//! t(b) is the best time of the rounds and r(b) that of the reference machine, which so has
//! 1000. A machine that counts twice as fast has 2000; a geometric mean weighs every board
//! alike, however long it takes. One number is for a single thread, the other for all
//! that the process may use.
//!
//! What is counted, and how often, never changes under the same version: the test below
//! holds it. The times of the reference machine belong to the version, too.

use queens::Engine::{self, Colours, Rows};
use serde::{Deserialize, Serialize};

use super::report::{Case, Point, Report};

/// Whoever changes anything of the workload or of the reference raises it.
pub const VERSION: u32 = 1;
pub const WARMUP: usize = 1;
pub const ROUNDS: usize = 4;

/// A board of the workload.
struct Board {
    threads: Threads,
    engine: Engine,
    n: u32,
    /// The best time of the reference machine.
    reference_seconds: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Threads {
    Single,
    All,
}

/// The machine that has 1000.
pub const REFERENCE: &str = "AMD EPYC, 2 cores, avx512 kernel";

/// The times are the best of three scores with `--wait-idle`.
const WORKLOAD: [Board; 4] = [
    board(Threads::Single, Rows, 16, 1.26),
    board(Threads::Single, Colours, 19, 1.62),
    board(Threads::All, Rows, 17, 4.67),
    board(Threads::All, Colours, 20, 3.81),
];

const fn board(threads: Threads, engine: Engine, n: u32, reference_seconds: f64) -> Board {
    Board {
        threads,
        engine,
        n,
        reference_seconds,
    }
}

/// The score of a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    pub version: u32,
    /// The machine that has 1000.
    pub reference: String,
    pub single: u64,
    pub all_threads: u64,
    /// How many threads all of them are.
    pub threads: usize,
}

/// What is measured for it on a machine with this many threads: engine, n and threads.
pub fn boards(all: usize) -> impl Iterator<Item = (Engine, u32, usize)> {
    WORKLOAD.iter().map(move |board| {
        let threads = match board.threads {
            Threads::Single => 1,
            Threads::All => all,
        };
        (board.engine, board.n, threads)
    })
}

impl Score {
    /// The score in this report, if it is complete and for one.
    pub fn of(report: &Report) -> Option<Score> {
        if !report.complete || report.settings.score != Some(VERSION) {
            return None;
        }
        let threads = report.cases.last()?.points.first()?.threads;
        let mut rates = Vec::new();
        for (board, (engine, n, threads)) in WORKLOAD.iter().zip(boards(threads)) {
            let same = |case: &&Case| case.n == n && case.engine == engine.name();
            let case = report.cases.iter().find(same)?;
            let point = case.points.iter().find(|point| point.threads == threads)?;
            rates.push((board.threads, board.reference_seconds / best(point)?));
        }
        let score = |wanted: Threads| {
            let rates = rates.iter().filter(|(threads, _)| *threads == wanted);
            1000.0 * geometric_mean(rates.map(|&(_, rate)| rate))
        };
        Some(Score {
            version: VERSION,
            reference: REFERENCE.to_owned(),
            single: score(Threads::Single).round() as u64,
            all_threads: score(Threads::All).round() as u64,
            threads,
        })
    }
}

fn best(point: &Point) -> Option<f64> {
    point.seconds().into_iter().reduce(f64::min)
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, number) = values.fold((0.0, 0.0), |(sum, number), value| {
        (sum + value.ln(), number + 1.0)
    });
    (sum / f64::max(number, 1.0)).exp()
}

#[cfg(test)]
pub mod tests {
    use super::{
        super::report::{Run, tests::example},
        *,
    };
    use crate::cli::report::decimal::Decimal;

    /// A complete report for the score of a machine with two threads, on which everything
    /// takes this many times as long as on the reference machine.
    pub fn scored(factors: [f64; 4]) -> Report {
        let mut report = example();
        report.settings.score = Some(VERSION);
        report.complete = true;
        report.cases.clear();
        for ((board, (engine, n, threads)), factor) in WORKLOAD.iter().zip(boards(2)).zip(factors) {
            let mut point = Point::new(threads);
            for worse in [1.0, 1.1] {
                point.push(Run {
                    seconds: board.reference_seconds * factor * worse,
                    idle_seconds: 0.0,
                    processor: Default::default(),
                });
            }
            report.cases.push(Case {
                n,
                engine: engine.name().to_owned(),
                cpu: "portable".to_owned(),
                count: queens::known::QUEENS.value(n).map(Decimal),
                points: vec![point],
            });
        }
        report.score = Score::of(&report);
        report
    }

    /// Change this only together with the version.
    #[test]
    fn the_definition_of_version_1() {
        let boards = WORKLOAD.iter().map(|board| {
            let Board {
                threads, engine, n, ..
            } = board;
            format!("{threads:?} {engine} {n}")
        });
        let boards: Vec<_> = boards.collect();
        assert_eq!(
            (VERSION, WARMUP, ROUNDS, boards.join(", ")),
            (
                1,
                1,
                4,
                "Single rows 16, Single colours 19, All rows 17, All colours 20".to_owned()
            )
        );
        let seconds = WORKLOAD.each_ref().map(|board| board.reference_seconds);
        assert_eq!(
            (REFERENCE, seconds),
            ("AMD EPYC, 2 cores, avx512 kernel", [1.26, 1.62, 4.67, 3.81])
        );
    }

    #[test]
    fn the_reference_machine_has_1000_and_rates_multiply() {
        let score = |factors| {
            let score = Score::of(&scored(factors)).unwrap();
            (score.single, score.all_threads, score.threads)
        };
        assert_eq!(score([1.0; 4]), (1000, 1000, 2));
        assert_eq!(score([0.5, 0.5, 2.0, 2.0]), (2000, 500, 2));
        // 4 times as fast on one board and as fast on the other is twice as fast.
        assert_eq!(score([0.25, 1.0, 1.0, 4.0]), (2000, 500, 2));
    }

    #[test]
    fn what_is_not_complete_or_of_another_version_has_no_score() {
        let whole = scored([1.0; 4]);
        let mut report = whole.clone();
        report.complete = false;
        assert_eq!(Score::of(&report), None);
        report = whole.clone();
        report.settings.score = Some(VERSION + 1);
        assert_eq!(Score::of(&report), None);
        report = whole.clone();
        report.cases.remove(1);
        assert_eq!(Score::of(&report), None);
        report = whole;
        report.cases[0].points[0].runs.clear();
        assert_eq!(Score::of(&report), None);
    }
}
