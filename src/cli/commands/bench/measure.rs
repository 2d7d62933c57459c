//! Runs the benchmark: every point once in each round, so that whatever disturbs the
//! machine for a while disturbs all of them alike. After each run the report has it.

use std::time::{Duration, Instant};

use anyhow::Result;
use queens::{Cancel, Count, Cpu, Engine, Error, known::QUEENS};

use super::{
    report::{Report, Run},
    stopwatch,
};
use crate::cli::{
    commands::count::agree,
    report::output::to_stderr,
    watch::progress::{Show, draw},
};

/// Elsewhere than on a terminal a plain line comes this often.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// How to measure.
pub struct Bench<'a> {
    pub cpu: Cpu,
    /// The cores to bind threads to; none for no binding.
    pub cores: Vec<usize>,
    pub cancel: &'a Cancel,
    pub show: Show,
}

impl Bench<'_> {
    /// Measures every point of the report; `saved` is called after each run.
    pub fn run(&self, report: &mut Report, saved: impl Fn(&Report) -> Result<()>) -> Result<()> {
        let start = Instant::now();
        let mut line = Line {
            show: self.show,
            next: start + LINE_EVERY,
        };
        let outcome = self.rounds(report, saved, start, &mut line);
        line.clear();
        outcome
    }

    fn rounds(
        &self,
        report: &mut Report,
        saved: impl Fn(&Report) -> Result<()>,
        start: Instant,
        line: &mut Line,
    ) -> Result<()> {
        for _ in 0..report.settings.warmup {
            for case in 0..report.cases.len() {
                let threads = report.cases[case].points.last();
                let threads = threads.map_or(1, |point| point.threads);
                line.tell(|| format!("warm-up: {}", words(report, case, threads)));
                self.once(report, case, threads)?;
            }
        }
        let repeats = report.settings.repeats;
        let budget = report.settings.seconds.unwrap_or(f64::INFINITY);
        for round in 1..=repeats {
            let begun = Instant::now();
            for case in 0..report.cases.len() {
                for point in 0..report.cases[case].points.len() {
                    let threads = report.cases[case].points[point].threads;
                    line.tell(|| {
                        let words = words(report, case, threads);
                        match report.settings.seconds {
                            Some(_) => format!("round {round}: {words}"),
                            None => format!("round {round} of {repeats}: {words}"),
                        }
                    });
                    let run = self.once(report, case, threads)?;
                    report.cases[case].points[point].runs.push(run);
                    report.peak_memory_bytes = crate::cli::report::machine::peak_memory_bytes();
                    saved(report)?;
                }
            }
            // Another round only if there is time for a whole one.
            let (spent, round) = (start.elapsed(), begun.elapsed());
            if (spent + round).as_secs_f64() > budget {
                break;
            }
        }
        report.complete = true;
        saved(report)
    }

    /// One count of this case, checked against the published value and its own earlier
    /// ones.
    fn once(&self, report: &mut Report, case: usize, threads: usize) -> Result<Run> {
        let case = &mut report.cases[case];
        let engine: Engine = case.engine.parse()?;
        let count = Count::new(case.n)?.engine(engine).cpu(self.cpu);
        let count = count.threads(threads).cancel(self.cancel);
        let (counted, run) = stopwatch::time(&count, &self.cores)?;
        agree(&QUEENS, case.n, counted.count, engine)?;
        let found = counted.count.to_string();
        match &case.count {
            Some(before) if *before != found => Err(crate::cli::Exit::Mismatch.because(format!(
                "the {engine} engine counted {found} for n = {}, and before {before}: one of them is wrong",
                case.n
            ))),
            _ => {
                case.count = Some(found);
                Ok(run)
            }
        }
    }
}

/// Whether this error is Ctrl-C.
pub fn is_interrupt(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<Error>(), Some(Error::Interrupted))
}

fn words(report: &Report, case: usize, threads: usize) -> String {
    let case = &report.cases[case];
    let plural = if threads == 1 { "" } else { "s" };
    format!(
        "n = {}, {} engine, {threads} thread{plural}",
        case.n, case.engine
    )
}

/// What is going on, as a line on standard error.
struct Line {
    show: Show,
    next: Instant,
}

impl Line {
    fn tell(&mut self, words: impl FnOnce() -> String) {
        match self.show {
            Show::Bar => draw(&words()),
            Show::Lines if Instant::now() >= self.next => {
                self.next = Instant::now() + LINE_EVERY;
                to_stderr(words());
            }
            _ => {}
        }
    }

    fn clear(&self) {
        if self.show == Show::Bar {
            draw("");
        }
    }
}
