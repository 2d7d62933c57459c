//! `queens bench`: how fast this machine counts, and how well its cores share the work.

mod baseline;
// The one of the library, which is not a part of what it offers.
#[path = "../../../count/checksum.rs"]
mod checksum;
mod compare;
pub mod file;
mod load;
mod measure;
mod reference;
pub mod report;
pub mod scaling;
mod score;
mod show;
mod stopwatch;
mod table;
mod verify;
mod workload;

use std::{collections::BTreeSet, io::Write, path::PathBuf, time::Instant};

use anyhow::Result;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use queens::{Cancel, Count, Cpu, Engine};

use self::{
    measure::Bench,
    report::{Case, Point, Report},
    workload::Workload,
};
use crate::cli::{
    args::{
        board_size::Sizes,
        duration::TimeSpan,
        engine_args::{EngineChoice, OrAuto, choice, kernel},
        number::within,
        pin::Pin,
        threads::Threads,
    },
    exit::Exit,
    report::{
        atomic_file::{check_writable, svg},
        humanize::counted,
        output::Output,
    },
    watch::session::{Limits, Session},
};

/// Rounds with a budget at most.
const MOST_REPEATS: usize = 10_000;
/// What one thread may take for a board that the program picks, in seconds. The next
/// board takes up to eight times as long, so that it is a second at least.
const FEW_SECONDS: f64 = 8.0;

const EXAMPLES: &str = "\
Examples:
  queens bench --n 16                        on 1, 2, 4, … threads
  queens bench --n 13 --engine rows,colours  two engines side by side
  queens bench --n 14 --export-json a.json   to compare machines and versions
  queens bench --n 14 --baseline a.json      exit code 4 if it is slower now
  queens bench verify a.json                 whether the result is whole
  queens bench --n 8..13 --plot time.svg     time against n, as a picture";

/// Measure how fast this machine counts
///
/// Every number of threads (1, 2, 4, …) is measured several times, in turns, and the best
/// times are compared. On a terminal the result is a table; through a pipe or with -q it
/// is CSV. After Ctrl-C, whatever has been measured is kept.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true,
    group = ArgGroup::new("what").multiple(true), group = ArgGroup::new("how").multiple(true))]
pub struct BenchArgs {
    #[command(subcommand)]
    command: Option<BenchCommand>,

    /// Board side from 0 to 32, a range such as 12..16, or a list such as 8,12
    ///
    /// Without it, a quick calibration picks a board that keeps one thread busy for a few
    /// seconds.
    #[arg(short, long, value_name = "N|FIRST..LAST", group = "what")]
    n: Option<Sizes>,

    /// Engines, separated by commas; "auto" chooses by n, as in `queens count`
    #[arg(long, value_name = "ENGINE,…", value_delimiter = ',', default_value = "auto", group = "what",
        value_parser = choice::<Engine>(Engine::ALL.iter().map(|engine| engine.name())))]
    engine: Vec<OrAuto<Engine>>,

    /// Fixed boards and engines, to compare the results of machines and versions
    #[arg(long, conflicts_with = "what")]
    workload: Option<Workload>,

    /// Measure the score of this machine: two numbers, of one thread and of all
    ///
    /// The workload takes about a minute and is fixed, with a version; the reference
    /// machine has 1000. Twice the score is twice as fast.
    #[arg(long, conflicts_with_all = ["what", "workload", "how", "pin"])]
    score: bool,

    /// Kernel to run; "auto" is the fastest one that this processor has
    #[arg(long, default_value = "auto", group = "how", value_parser = choice::<Cpu>(Cpu::ALL.iter().map(|cpu| cpu.name())))]
    cpu: OrAuto<Cpu>,

    /// Numbers of threads, separated by commas [default: 1, 2, 4, … up to all]
    #[arg(
        short,
        short_alias = 'j',
        long,
        value_name = "N,…",
        value_delimiter = ',',
        group = "how"
    )]
    threads: Vec<Threads>,

    /// Measure each point this often [default: 5, for the large workload 3]
    ///
    /// With --seconds the default is as often as there is time.
    #[arg(long, value_name = "K", value_parser = repeats, group = "how")]
    repeats: Option<usize>,

    /// Counts before the first round that are not measured
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = warmup, group = "how")]
    warmup: usize,

    /// Begin no round that would end later than this, such as 90 or 5m
    ///
    /// There is always one round.
    #[arg(long, value_name = "TIME", group = "how")]
    seconds: Option<TimeSpan>,

    #[command(flatten)]
    pin: Pin,

    /// Before each round, wait until nothing else runs, for up to TIME (Linux) [default: 10m]
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true,
        default_missing_value = "10m")]
    wait_idle: Option<TimeSpan>,

    /// Print the whole result as one JSON object
    #[arg(long, help_heading = None::<&str>)]
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

#[derive(Debug, Subcommand)]
enum BenchCommand {
    Compare(compare::CompareArgs),
    Verify(verify::VerifyArgs),
}

impl BenchArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        match &self.command {
            Some(BenchCommand::Compare(args)) => args.run(out),
            Some(BenchCommand::Verify(args)) => args.run(out),
            None => self.measure(out),
        }
    }

    fn measure(&self, out: &mut Output) -> Result<Exit> {
        let baseline = self.baseline.as_deref().map(file::read).transpose()?;
        let files = [
            &self.export_json,
            &self.export_csv,
            &self.export_markdown,
            &self.plot,
        ];
        for path in files.into_iter().flatten() {
            check_writable(path)?;
        }
        let cores = self.pin.cores()?;
        if self.wait_idle.is_some() && !load::is_known() {
            return Err(Exit::Usage.because("--wait-idle cannot tell how busy this system is"));
        }
        let session = self.limits.start(out)?;
        let mut report = if self.score {
            self.plan_score()?
        } else {
            self.plan(&session, out)?
        };
        let allowed = Threads::Logical.number();
        let most = report.points().map(|point| point.threads).max();
        let most = most.unwrap_or(0);
        if most > allowed {
            out.note(format_args!(
                "warning: {most} threads share the {allowed} that this process may use, and are no faster than {allowed}"
            ));
        }
        if let (Some(old), Some(path)) = (&baseline, &self.baseline) {
            baseline::check_common(old, &report, &path.display().to_string())?;
            for doubt in baseline::doubts(old, &report) {
                out.note(format_args!("warning: {doubt}"));
            }
        }
        let bench = Bench {
            cpu: kernel(self.cpu)?,
            cores,
            wait_idle: self.wait_idle.as_ref(),
            session: &session,
        };
        let outcome = bench.run(&mut report, |report| match &self.export_json {
            Some(path) => file::write(report, path),
            None => Ok(()),
        });
        match outcome {
            Err(error) if Exit::of(&error) == Exit::Interrupted => {
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
    fn plan(&self, session: &Session, out: &Output) -> Result<Report> {
        let threads = self.thread_counts()?;
        let repeats = match (self.repeats, &self.seconds) {
            (Some(repeats), _) => repeats,
            (None, None) => self.workload.map_or(workload::REPEATS, Workload::repeats),
            (None, Some(_)) => MOST_REPEATS,
        };
        let workload = self.workload.as_ref();
        let workload = workload.and_then(Workload::to_possible_value);
        let settings = report::Settings {
            workload: workload.map(|name| name.get_name().to_owned()),
            repeats,
            warmup: self.warmup,
            seconds: self.budget(),
            pinned: self.pin.pin,
            score: None,
        };
        let boards = match (self.workload, &self.n) {
            (Some(workload), _) => workload.boards(),
            (None, Some(sizes)) => workload::boards(sizes.all(), &self.engine)?,
            (None, None) => {
                let n = session.in_time(|| self.calibrate(&threads, &session.cancel))?;
                out.detail(format_args!("calibrated to n = {n}"));
                workload::boards(&[n], &self.engine)?
            }
        };
        let cpu = kernel(self.cpu)?;
        let cases = boards
            .into_iter()
            .map(|(n, engine)| case(n, engine, cpu, &threads));
        Ok(Report::new(settings, cases.collect()))
    }

    /// What will be measured for a score.
    fn plan_score(&self) -> Result<Report> {
        let settings = report::Settings {
            workload: None,
            repeats: score::ROUNDS,
            warmup: score::WARMUP,
            seconds: None,
            pinned: false,
            score: Some(score::VERSION),
        };
        let boards = score::boards(Threads::Logical.number());
        let cpu = kernel(self.cpu)?;
        let cases = boards.map(|(engine, n, threads)| case(n, engine, cpu, &[threads]));
        Ok(Report::new(settings, cases.collect()))
    }

    /// A board for a few seconds on one thread, or for three rounds in the given time.
    fn calibrate(&self, threads: &[usize], cancel: &Cancel) -> Result<u32> {
        let round: f64 = threads.iter().map(|&threads| 1.0 / threads as f64).sum();
        let rounds = (self.warmup + self.repeats.unwrap_or(3)) as f64;
        let share = round * rounds * self.engine.len() as f64;
        let budget = self.budget().map_or(FEW_SECONDS, |seconds| seconds / share);
        let target = budget.min(FEW_SECONDS);
        let cpu = kernel(self.cpu)?;
        let n = workload::calibrate(target, &self.engine, |n, engine| {
            let count = Count::new(n)?.cpu(cpu).threads(1).cancel(cancel);
            let count = EngineChoice { engine }.apply(count);
            let start = Instant::now();
            count.run()?;
            Ok(start.elapsed().as_secs_f64())
        })?;
        Ok(n)
    }
}

/// A board on these numbers of threads, not yet counted.
fn case(n: u32, engine: Engine, cpu: Cpu, threads: &[usize]) -> Case {
    Case {
        n,
        engine: engine.name().to_owned(),
        cpu: engine.kernel(cpu).name().to_owned(),
        count: None,
        points: threads.iter().map(|&threads| Point::new(threads)).collect(),
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
