//! Runs the benchmark: every point once in each round, so that whatever disturbs the
//! machine for a while disturbs all of them alike. After each run the report has it.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use anyhow::Result;
use queens::{Count, Cpu, Engine, known::QUEENS};

use super::{
    load,
    report::{Report, Run},
    score::Score,
    stopwatch,
};
use crate::cli::{
    args::{duration::TimeSpan, pin::Cores, target::agree},
    exit::Exit,
    platform::memory::peak_memory_bytes,
    report::{decimal::Decimal, humanize::counted},
    watch::{progress::View, session::Session},
};

/// How to measure.
pub struct Bench<'a> {
    pub cpu: Cpu,
    pub cores: Cores,
    /// How long to wait, before each round, for other work to end.
    pub wait_idle: Option<&'a TimeSpan>,
    pub session: &'a Session<'a>,
}

/// What is being measured.
#[derive(Default)]
struct Place {
    /// Counts before this one, and how many there will be.
    done: usize,
    of: usize,
    words: Vec<String>,
    /// Whether it counts, and does not wait.
    counts: bool,
}

impl Bench<'_> {
    /// Measures every point of the report; `saved` is called after each run.
    pub fn run(&self, report: &mut Report, saved: impl Fn(&Report) -> Result<()>) -> Result<()> {
        let settings = &report.settings;
        let points = report.points().count();
        let budget = settings.seconds;
        let place = Mutex::new(Place {
            of: settings.warmup * report.cases.len() + settings.repeats * points,
            ..Place::default()
        });
        let view = |elapsed: Duration| {
            let place = place.lock().unwrap_or_else(PoisonError::into_inner);
            let by_time = budget.map_or(0.0, |budget| elapsed.as_secs_f64() / budget);
            let share = (place.done as f64 / place.of as f64).max(by_time).min(1.0);
            View::of(share, place.words.clone())
        };
        let tell = |words: Vec<String>, counts: bool| {
            let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
            place.done += usize::from(place.counts);
            (place.words, place.counts) = (words, counts);
        };
        let rounds = || self.rounds(report, saved, tell);
        self.session.follow("bench", view, rounds)
    }

    fn rounds(
        &self,
        report: &mut Report,
        saved: impl Fn(&Report) -> Result<()>,
        tell: impl Fn(Vec<String>, bool),
    ) -> Result<()> {
        self.settle(&tell)?;
        let start = self.session.elapsed();
        for _ in 0..report.settings.warmup {
            for case in 0..report.cases.len() {
                let threads = report.cases[case].points.last();
                let threads = threads.map_or(1, |point| point.threads);
                tell(words("warm-up".to_owned(), report, case, threads), true);
                self.once(report, case, threads)?;
            }
        }
        let repeats = report.settings.repeats;
        let budget = report.settings.seconds.unwrap_or(f64::INFINITY);
        for round in 1..=repeats {
            if round > 1 {
                self.settle(&tell)?;
            }
            let begun = self.session.elapsed();
            for case in 0..report.cases.len() {
                for point in 0..report.cases[case].points.len() {
                    let threads = report.cases[case].points[point].threads;
                    let place = match report.settings.seconds {
                        Some(_) => format!("round {round}"),
                        None => format!("round {round} of {repeats}"),
                    };
                    tell(words(place, report, case, threads), true);
                    let (used, run) = self.once(report, case, threads)?;
                    let point = &mut report.cases[case].points[point];
                    point.threads_used = Some(used);
                    point.push(run);
                    report.peak_memory_bytes = peak_memory_bytes();
                    saved(report)?;
                }
            }
            // Another round only if there is time for a whole one.
            let now = self.session.elapsed();
            let end = now.saturating_sub(start) + now.saturating_sub(begun);
            if end.as_secs_f64() > budget {
                break;
            }
        }
        report.complete = true;
        report.score = Score::of(report);
        saved(report)
    }

    /// Waits for other work to end, if that is asked for.
    fn settle(&self, tell: impl Fn(Vec<String>, bool)) -> Result<()> {
        let Some(limit) = self.wait_idle else {
            return Ok(());
        };
        tell(vec!["waiting for the machine to be idle".to_owned()], false);
        load::wait_until_idle(limit, self.session)
    }

    /// One count of this case, checked against the published value and its own earlier
    /// ones, and how many threads had work.
    fn once(&self, report: &mut Report, case: usize, threads: usize) -> Result<(usize, Run)> {
        let case = &mut report.cases[case];
        let engine: Engine = case.engine.parse()?;
        let count = Count::new(case.n)?.engine(engine).cpu(self.cpu);
        let count = count.threads(threads).cancel(&self.session.cancel);
        let count = self.cores.apply(count);
        let (counted, run) = stopwatch::time(count, || self.session.elapsed())?;
        agree(&QUEENS, case.n, counted.count, engine)?;
        match (case.count, counted.count) {
            (Some(Decimal(before)), now) if before != now => Err(Exit::Mismatch.because(format!(
                "the {engine} engine counted {now} for n = {}, and before {before}: one of them is wrong",
                case.n
            ))),
            (_, now) => {
                case.count = Some(Decimal(now));
                Ok((counted.used, run))
            }
        }
    }
}

fn words(place: String, report: &Report, case: usize, threads: usize) -> Vec<String> {
    let case = &report.cases[case];
    let engine = format!("{} engine", case.engine);
    let board = format!("n = {}", case.n);
    vec![place, board, engine, counted(threads, "thread")]
}
