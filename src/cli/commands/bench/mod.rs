//! `queens bench`: how fast this machine counts, and how well its cores share the work.

mod baseline;
mod measure;
mod pin;
pub mod report;
pub mod scaling;
mod stopwatch;
pub mod table;
mod workload;

use std::{
    collections::BTreeSet,
    io::Write,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::Result;
use clap::{ArgGroup, Args};
use queens::{Cancel, Count, Cpu, Engine};

use self::{
    measure::{Bench, is_interrupt},
    report::{Case, Point, Report},
    workload::Workload,
};
use crate::cli::{
    args::{
        board_size::Sizes,
        duration::TimeSpan,
        engine_args::{Choice, choice},
        number::within,
        threads::Threads,
    },
    commands::plot,
    exit::Exit,
    report::{
        atomic_file::{check_writable, save, svg},
        humanize::{bytes, counted},
        output::{Output, Paint},
    },
    watch::session::{Limits, Session},
};

/// Rounds with a budget at most.
const MOST_REPEATS: usize = 10_000;
/// What one thread may take for a board that the program picks, in seconds. The next
/// board takes up to eight times as long, so that it is a second at least.
const FEW_SECONDS: f64 = 8.0;
/// From this spread on something else was running.
const BUSY: f64 = 0.1;

const EXAMPLES: &str = "\
Examples:
  queens bench --n 16                        on 1, 2, 4, … threads
  queens bench --n 13 --engine rows,colours  two engines side by side
  queens bench --n 14 --export-json a.json   to compare machines and versions
  queens bench --n 14 --baseline a.json      exit code 4 if it is slower now
  queens bench --n 8..13 --plot time.svg     time against n, as a picture";

/// Measure how fast this machine counts
///
/// Every number of threads (1, 2, 4, …) is measured several times, in turns, and the best
/// times are compared. On a terminal the result is a table; through a pipe or with -q it
/// is CSV. After Ctrl-C, whatever has been measured is kept.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("what").multiple(true))]
pub struct BenchArgs {
    /// Board side from 0 to 32, a range such as 12..16, or a list such as 8,12
    ///
    /// Without it, a quick calibration picks a board that keeps one thread busy for a few
    /// seconds.
    #[arg(short, long, value_name = "N|FIRST..LAST", group = "what")]
    n: Option<Sizes>,

    /// Engines, separated by commas; "auto" chooses by n, as in `queens count`
    #[arg(long, value_name = "ENGINE,…", value_delimiter = ',', default_value = "auto", group = "what",
        value_parser = choice::<Engine>(Engine::ALL.iter().map(|engine| engine.name())))]
    engine: Vec<Choice<Engine>>,

    /// Fixed boards and engines, to compare the results of machines and versions
    #[arg(long, conflicts_with = "what")]
    workload: Option<Workload>,

    /// Kernel to run; "auto" is the fastest one that this processor has
    #[arg(long, default_value = "auto", value_parser = choice::<Cpu>(Cpu::ALL.iter().map(|cpu| cpu.name())))]
    cpu: Choice<Cpu>,

    /// Numbers of threads, separated by commas [default: 1, 2, 4, … up to all]
    #[arg(
        short,
        short_alias = 'j',
        long,
        value_name = "N,…",
        value_delimiter = ','
    )]
    threads: Vec<Threads>,

    /// Measure each point this often [default: 5, for the large workload 3]
    ///
    /// With --seconds the default is as often as there is time.
    #[arg(long, value_name = "K", value_parser = repeats)]
    repeats: Option<usize>,

    /// Counts before the first round that are not measured
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = warmup)]
    warmup: usize,

    /// Begin no round that would end later than this, such as 90 or 5m
    ///
    /// There is always one round.
    #[arg(long, value_name = "TIME")]
    seconds: Option<TimeSpan>,

    /// Bind each thread to a core of its own (Linux)
    #[arg(long)]
    pin: bool,

    /// Print the whole result as one JSON object
    #[arg(long)]
    json: bool,

    /// Write the whole result, every raw time, to FILE after each run
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    export_json: Option<PathBuf>,

    /// Write a line for each point to FILE
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    export_csv: Option<PathBuf>,

    /// Write the tables to FILE
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    export_markdown: Option<PathBuf>,

    /// Draw speed-up against threads or, with several n, time against n
    #[arg(long, value_name = "FILE.svg", value_parser = svg, help_heading = "Results")]
    plot: Option<PathBuf>,

    /// Compare with the exported JSON of an earlier benchmark; exit code 4 if slower
    #[arg(long, value_name = "OLD.json", help_heading = "Results")]
    baseline: Option<PathBuf>,

    /// How many per cent slower than the baseline a point may be
    ///
    /// A point is a regression if its best time is above that of the baseline by more
    /// than this, and by more than the noise of both can explain.
    #[arg(long, value_name = "PERCENT", default_value = "5", value_parser = percentage,
        requires = "baseline", help_heading = "Results")]
    tolerance: f64,

    #[command(flatten)]
    limits: Limits,
}

impl BenchArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let baseline = self.baseline.as_deref().map(Report::read).transpose()?;
        let files = [
            &self.export_json,
            &self.export_csv,
            &self.export_markdown,
            &self.plot,
        ];
        for path in files.into_iter().flatten() {
            check_writable(path)?;
        }
        let cores = match (self.pin, pin::cores()) {
            (false, _) => Vec::new(),
            (true, cores) if cores.is_empty() => {
                return Err(Exit::Usage.because("--pin cannot bind threads on this system"));
            }
            (true, cores) => cores,
        };
        let session = self.limits.start(out)?;
        let threads = self.thread_counts()?;
        let allowed = Threads::Logical.number();
        if let Some(more) = threads.iter().find(|&&threads| threads > allowed) {
            out.note(format_args!(
                "warning: {more} threads share the {allowed} that this process may use, and are no faster than {allowed}"
            ));
        }
        let mut report = self.plan(&threads, &session, out)?;
        if let (Some(old), Some(path)) = (&baseline, &self.baseline) {
            baseline::check_common(old, &report, &path.display().to_string())?;
            for doubt in baseline::doubts(old, &report) {
                out.note(format_args!("warning: {doubt}"));
            }
        }
        let bench = Bench {
            cpu: self.cpu.kernel()?,
            cores,
            session: &session,
        };
        let outcome = bench.run(&mut report, |report| match &self.export_json {
            Some(path) => report.save(path),
            None => Ok(()),
        });
        match outcome {
            Err(error) if is_interrupt(&error) => {
                let runs = report.runs();
                let kept = match &self.export_json {
                    Some(path) if runs > 0 => format!(", saved in {}", path.display()),
                    _ => String::new(),
                };
                if runs > 0 {
                    self.show(&report, None, out)?;
                    out.flush()?;
                }
                Err(Exit::Interrupted.because(format!(
                    "{} after {}{kept}",
                    session.why(),
                    counted(runs, "measured run")
                )))
            }
            Err(error) => Err(error),
            Ok(()) => self.show(&report, baseline.as_ref(), out),
        }
    }

    /// The time for all rounds, in seconds.
    fn budget(&self) -> Option<f64> {
        let span = self.seconds.as_ref();
        span.map(|span| span.time.as_secs_f64())
    }

    /// The numbers of threads, in order.
    fn thread_counts(&self) -> Result<Vec<usize>> {
        let given: BTreeSet<usize> = self
            .threads
            .iter()
            .map(|threads| threads.number())
            .collect();
        if !given.is_empty() {
            return Ok(given.into_iter().collect());
        }
        let all = Threads::resolve(None)?;
        let powers = (0..usize::BITS).map(|power| 1 << power);
        let below = powers.take_while(|&threads| threads < all);
        Ok(below.chain([all]).collect())
    }

    /// What will be measured.
    fn plan(&self, threads: &[usize], session: &Session, out: &Output) -> Result<Report> {
        let repeats = match (self.repeats, &self.seconds) {
            (Some(repeats), _) => repeats,
            (None, None) => self.workload.map_or(workload::REPEATS, Workload::repeats),
            (None, Some(_)) => MOST_REPEATS,
        };
        let settings = report::Settings {
            workload: self.workload.map(|workload| workload.name().to_owned()),
            repeats,
            warmup: self.warmup,
            seconds: self.budget(),
            pinned: self.pin,
        };
        let engines: Vec<_> = self.engine.iter().map(|&engine| engine.given()).collect();
        let boards = match (self.workload, &self.n) {
            (Some(workload), _) => workload.boards(),
            (None, Some(sizes)) => workload::boards(sizes.all(), &engines)?,
            (None, None) => {
                let n = session.in_time(|| self.calibrate(threads, &engines, &session.cancel))?;
                out.detail(format_args!("calibrated to n = {n}"));
                workload::boards(&[n], &engines)?
            }
        };
        let cpu = self.cpu.kernel()?;
        let cases = boards.into_iter().map(|(n, engine)| Case {
            n,
            engine: engine.name().to_owned(),
            cpu: engine.kernel(cpu).name().to_owned(),
            count: None,
            points: threads
                .iter()
                .map(|&threads| Point {
                    threads,
                    runs: Vec::new(),
                })
                .collect(),
        });
        Ok(Report::new(settings, cases.collect()))
    }

    /// A board for a few seconds on one thread, or for three rounds in the given time.
    fn calibrate(
        &self,
        threads: &[usize],
        engines: &[Option<Engine>],
        cancel: &Cancel,
    ) -> Result<u32> {
        let round: f64 = threads.iter().map(|&threads| 1.0 / threads as f64).sum();
        let rounds = (self.warmup + self.repeats.unwrap_or(3)) as f64;
        let share = round * rounds * engines.len() as f64;
        let budget = self.budget().map_or(FEW_SECONDS, |seconds| seconds / share);
        let target = budget.min(FEW_SECONDS);
        let cpu = self.cpu.kernel()?;
        let n = workload::calibrate(target, engines, |n, engine| {
            let count = Count::new(n)?.cpu(cpu).threads(1).cancel(cancel);
            let count = match engine {
                Some(engine) => count.engine(engine),
                None => count,
            };
            let start = Instant::now();
            count.run()?;
            Ok(start.elapsed().as_secs_f64())
        })?;
        Ok(n)
    }

    /// Prints and writes the result in every form that was asked for.
    fn show(&self, report: &Report, baseline: Option<&Report>, out: &mut Output) -> Result<Exit> {
        let write = |path: &Option<PathBuf>, text: &dyn Fn() -> String| match path {
            Some(path) => save(path, &text()),
            None => Ok(()),
        };
        write(&self.export_csv, &|| table::csv(report))?;
        write(&self.export_markdown, &|| table::markdown(report))?;
        if let Some(path) = &self.plot {
            save(path, &plot::draw(std::slice::from_ref(report), None)?)?;
        }
        match (self.json, out.is_human()) {
            (true, _) => out.json(report)?,
            (false, false) => write!(out, "{}", table::csv(report))?,
            (false, true) => print(report, out)?,
        }
        out.flush()?;
        warn(report, out);
        let Some(old) = baseline else {
            return Ok(Exit::Done);
        };
        let verdicts = baseline::compare(old, report, self.tolerance / 100.0);
        let slower = verdicts.iter().filter(|verdict| verdict.regression).count();
        for verdict in &verdicts {
            if self.json || !out.is_human() {
                out.note(&verdict.line)
            } else {
                out.text(None, &verdict.line)?
            }
        }
        match slower {
            0 => Ok(Exit::Done),
            slower => {
                out.flush()?;
                Err(Exit::No.because(format!(
                    "slower than {} by more than {} % at {slower} of {} points",
                    self.baseline.as_deref().unwrap_or(Path::new("")).display(),
                    self.tolerance,
                    verdicts.len()
                )))
            }
        }
    }
}

/// The tables, for a person.
fn print(report: &Report, out: &mut Output) -> Result<()> {
    for case in report.cases.iter().filter(|case| case.count.is_some()) {
        out.text(Some(Paint::Bold), &table::heading(case))?;
        let (head, lines) = table::lines(case, out.width());
        let head = out.paint(Paint::Dim, head);
        writeln!(out, "{head}")?;
        for line in lines {
            writeln!(out, "{line}")?;
        }
        if let Some(fit) = table::amdahl(case, &report.machine) {
            out.text(None, &fit)?;
        }
        writeln!(out)?;
    }
    let memory = report.peak_memory_bytes;
    let memory = memory.map_or(String::new(), |memory| {
        format!(", peak memory {}", bytes(memory))
    });
    out.text(Some(Paint::Dim), &(table::footing(report) + &memory))?;
    Ok(())
}

/// Says when the times are not to be trusted.
fn warn(report: &Report, out: &Output) {
    let points = report.cases.iter().flat_map(Case::figures);
    let spread = points
        .map(|figures| figures.time.spread)
        .fold(0.0, f64::max);
    if spread > BUSY {
        out.note(format_args!(
            "warning: the times of a point differ by up to {}: the machine was busy, measure again when it is idle",
            table::percent(spread)
        ));
    }
}

fn repeats(text: &str) -> Result<usize, String> {
    within(text, "a number of repeats", 1..=MOST_REPEATS)
}

fn warmup(text: &str) -> Result<usize, String> {
    within(
        text,
        "a number of counts before the first round",
        0..=MOST_REPEATS,
    )
}

fn percentage(text: &str) -> Result<f64, String> {
    within(text, "a tolerance in per cent", 0.0..=1000.0)
}
