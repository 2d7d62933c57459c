//! `queens estimate`: what a count would give and cost, from a sample of its tasks.

use std::{
    io::Write,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use anyhow::Result;
use clap::Args;
use queens::{
    Count,
    estimate::{Estimate, Estimated, Figure},
    known::QUEENS,
    random::any_seed,
};
use serde::Serialize;

use crate::cli::{
    args::{
        board_size::single,
        duration::TimeSpan,
        engine_args::Settings,
        number::{whole, within},
        restrict::{Restrict, note_contradiction},
    },
    exit::Exit,
    report::{
        humanize::{bytes, counted, duration, grouped, of_threads, seconds},
        output::{Output, Paint},
    },
    watch::{progress::View, session::Limits},
};

/// How long it takes where the user does not say.
const USUAL: Duration = Duration::from_secs(30);

const EXAMPLES: &str = "\
Examples:
  queens estimate 22 --seconds 2             half a minute without --seconds
  queens estimate 18 --samples 500 --seed 1  the same again on every machine
  queens estimate 16 --seconds 1 --json      one JSON object, for scripts";

/// Estimate the count and what it would cost, from a sample
///
/// Prints an unbiased estimate of the number of solutions with a 95 % interval, and what
/// it would cost to count them here: seconds of one core, memory, and a good number of
/// shards. The memory is what all threads share and what each has of its own, calculated
/// from the plan. There is no interval if the sample is too small for one. Small boards are
/// simply counted. Through a pipe or with -q only the estimate and the ends of its
/// interval are printed, with tabs between them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct EstimateArgs {
    /// Board side from 0 to 32
    #[arg(value_parser = single)]
    n: u32,

    /// Draw this many tasks, or a few more
    ///
    /// Without --seconds, the same seed then gives the same estimate of the count on any
    /// machine and any number of threads.
    #[arg(long, value_name = "K", value_parser = samples)]
    samples: Option<u64>,

    /// Take about this long, such as 90 or 15m [default: 30 without --samples]
    ///
    /// The draws under way at that time are still finished.
    #[arg(long, value_name = "TIME")]
    seconds: Option<TimeSpan>,

    /// Seed of the sample; chosen by chance if left out
    #[arg(long, value_name = "S", value_parser = whole)]
    seed: Option<u64>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    restrict: Restrict,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    limits: Limits,
}

/// An estimate as a JSON object. What is not known is null.
#[derive(Serialize)]
struct Json<'a> {
    n: u32,
    #[serde(flatten)]
    restrict: &'a Restrict,
    estimate: f64,
    low: Option<f64>,
    high: Option<f64>,
    core_seconds: f64,
    core_seconds_low: Option<f64>,
    core_seconds_high: Option<f64>,
    memory_shared_bytes: u64,
    memory_per_thread_bytes: u64,
    shards: u64,
    blocks: usize,
    tasks: u64,
    strata: usize,
    complete_strata: usize,
    samples: u64,
    samples_in_part: u64,
    seed: u64,
    engine: &'a str,
    cpu: &'a str,
    threads: usize,
    seconds: f64,
    version: &'a str,
    known: &'a str,
}

impl EstimateArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let seed = self.seed.unwrap_or_else(any_seed);
        let session = self.limits.start(out)?;
        let problem = self.restrict.problem(self.n)?;
        note_contradiction(&problem, out);
        let count = self.settings.apply(Count::from(problem))?;
        let count = count.cancel(&session.cancel);
        let mut estimate = Estimate::new(count).seed(seed);
        if let Some(samples) = self.samples {
            estimate = estimate.samples(samples);
        }
        let usual = self.samples.is_none().then_some(USUAL);
        let time = self.seconds.as_ref().map(|given| given.time).or(usual);
        if let Some(time) = time {
            estimate = estimate.time(time);
        }
        let draws = AtomicU64::new(0);
        let drawn = || _ = draws.fetch_add(1, Relaxed);
        let estimate = estimate.observer(&drawn);
        let begun = session.elapsed();
        let estimated = session.follow(
            &format!("n = {}", self.n),
            |elapsed| {
                let draws = draws.load(Relaxed);
                View::limited(elapsed, time, draws, self.samples, [counted(draws, "draw")])
            },
            || estimate.run(),
        );
        let estimated = estimated.map_err(|error| {
            session.explain(error, |why| {
                format!("{why} before the sample was complete: there is no estimate")
            })
        })?;
        let elapsed = session.elapsed().saturating_sub(begun);
        match (self.json, out.is_human()) {
            (true, _) => out.json(&self.object(&estimated, seed, elapsed))?,
            (_, true) => self.words(&estimated, seed, elapsed, out)?,
            _ => bare(estimated.count, out)?,
        }
        Ok(Exit::Done)
    }

    /// The published value, if a whole board is estimated.
    fn published(&self) -> Option<u128> {
        QUEENS.value(self.n).filter(|_| !self.restrict.is_given())
    }

    fn object<'a>(&'a self, estimated: &Estimated, seed: u64, elapsed: Duration) -> Json<'a> {
        let (count, cost) = (estimated.count, estimated.core_seconds);
        Json {
            n: self.n,
            restrict: &self.restrict,
            estimate: count.value,
            low: count.bounds.map(|(low, _)| low),
            high: count.bounds.map(|(_, high)| high),
            core_seconds: cost.value,
            core_seconds_low: cost.bounds.map(|(low, _)| low),
            core_seconds_high: cost.bounds.map(|(_, high)| high),
            memory_shared_bytes: estimated.memory.shared,
            memory_per_thread_bytes: estimated.memory.per_thread,
            shards: estimated.shards,
            blocks: estimated.blocks,
            tasks: estimated.tasks,
            strata: estimated.strata,
            complete_strata: estimated.complete,
            samples: estimated.samples,
            samples_in_part: estimated.sliced,
            seed,
            engine: estimated.engine.name(),
            cpu: estimated.cpu.name(),
            threads: estimated.threads,
            seconds: elapsed.as_secs_f64(),
            version: env!("CARGO_PKG_VERSION"),
            known: match self.published() {
                None => "unknown",
                Some(published) => match count.contains(published as f64) {
                    Some(true) => "inside",
                    Some(false) => "outside",
                    None => "no interval",
                },
            },
        }
    }

    fn words(
        &self,
        estimated: &Estimated,
        seed: u64,
        elapsed: Duration,
        out: &mut Output,
    ) -> Result<()> {
        let board = self.restrict.board(self.n);
        let (engine, cpu) = (estimated.engine, estimated.cpu);
        let count = match estimated.count.bounds {
            Some((low, high)) if low == high => {
                let count = out.paint(Paint::Bold, counted(low as u128, "solution"));
                format!("{count} for {board}, all of them counted")
            }
            bounds => {
                let about = out.paint(Paint::Bold, rounded(estimated.count.value));
                let interval = interval(bounds, rounded);
                format!("about {about} solutions for {board} ({interval})")
            }
        };
        let cost = estimated.core_seconds;
        let cost = format!(
            "{} of one core ({}), {engine} engine, {cpu} kernel",
            seconds(cost.value),
            interval(cost.bounds, seconds)
        );
        let memory = estimated.memory;
        let (shards, blocks) = (estimated.shards, estimated.blocks);
        // A count starts no thread that has no block.
        let threads = estimated.threads.min(blocks);
        let memory = format!(
            "{} shared + {} per thread; {} on {}",
            bytes(memory.shared),
            bytes(memory.per_thread),
            bytes(memory.on(threads)),
            of_threads(threads, estimated.threads),
        );
        let sample = format!(
            "{} from {} of {}, {} counted in full; {}, {}, seed {seed}",
            counted(estimated.samples, "draw"),
            counted(estimated.tasks, "task"),
            counted(estimated.strata, "kind"),
            estimated.complete,
            counted(estimated.threads, "thread"),
            duration(elapsed),
        );
        out.text(None, &count)?;
        let mut page = vec![
            ("cost", cost),
            ("memory", memory),
            (
                "shards",
                format!("{shards} (of {})", counted(blocks, "block")),
            ),
            ("sample", sample),
        ];
        if let Some(published) = self.published()
            && let Some(inside) = estimated.count.contains(published as f64)
        {
            let published = grouped(published);
            let verdict = if inside {
                out.paint(Paint::Green, "inside")
            } else {
                out.paint(Paint::Red, "outside, as one in twenty is")
            };
            page.push((
                "known",
                format!("{published} by OEIS {}: {verdict}", QUEENS.oeis),
            ));
        }
        Ok(out.page(&page)?)
    }
}

fn bare(Figure { value, bounds, .. }: Figure, out: &mut Output) -> Result<()> {
    match bounds {
        Some((low, high)) => writeln!(out, "{value:.0}\t{low:.0}\t{high:.0}")?,
        None => writeln!(out, "{value:.0}")?,
    }
    Ok(())
}

/// A number with as many digits as an estimate has.
fn rounded(value: f64) -> String {
    if value < 1e6 {
        grouped(value.round() as u128)
    } else {
        format!("{value:.4e}")
    }
}

fn interval(bounds: Option<(f64, f64)>, write: fn(f64) -> String) -> String {
    match bounds {
        Some((low, high)) if low == high => "measured on all of it".to_owned(),
        Some((low, high)) => format!("95 %: {} to {}", write(low), write(high)),
        None => "too few samples for an interval".to_owned(),
    }
}

fn samples(text: &str) -> Result<u64, String> {
    within(text, "a number of samples", 1..=Estimate::MOST_SAMPLES)
}
