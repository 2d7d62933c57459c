//! `queens ledger threads`: how busy many threads would be with the blocks of a run.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use queens::MAX_THREADS;
use serde::Serialize;

use super::simulated::RecordedRun;
use crate::cli::{
    args::number::within,
    exit::Exit,
    report::{humanize::seconds, output::Output, table},
};

const EXAMPLES: &str = "\
Examples:
  queens count 15 --threads 1 --checkpoint one.jsonl  on an idle machine
  queens ledger threads one.jsonl                     up to 128 threads
  queens ledger threads one.jsonl --threads 24,48     on these numbers
  queens ledger threads one.jsonl --json              one JSON object a run";

/// Simulate many threads with the blocks of a run
///
/// The efficiency is the time of all blocks, divided by the threads and by the time when
/// the last of them is done. As in a run, a thread that is free takes the next block of
/// the plan, or helps with one if none is left, where the tasks of a block take equal times
/// and help costs nothing. What real threads share (caches, memory, the clock rate) is not
/// simulated.
/// Ledgers of one plan, such as shards, are parts of one run.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ThreadsArgs {
    /// The ledgers, as they were written or compressed by gzip
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Numbers of threads, separated by commas
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "1,2,4,8,16,32,64,128",
        value_parser = |text: &str| within(text, "a number of threads", 1..=MAX_THREADS)
    )]
    threads: Vec<usize>,

    /// Print one JSON object a run
    #[arg(long)]
    json: bool,
}

/// What a simulation says, as a JSON object.
#[derive(Serialize)]
struct Simulated<'a> {
    n: u32,
    engine: &'a str,
    blocks: usize,
    longest_seconds: f64,
    median_seconds: f64,
    threads: Vec<OnThreads>,
}

#[derive(Serialize)]
struct OnThreads {
    threads: usize,
    speed_up: f64,
    efficiency: f64,
}

impl ThreadsArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let runs = RecordedRun::read(&self.files)?;
        for doubt in runs.iter().filter_map(RecordedRun::doubt) {
            out.note(format_args!("warning: {doubt}"));
        }
        let simulated: Vec<Simulated> = runs.iter().map(|run| self.simulate(run)).collect();
        if self.json {
            for run in &simulated {
                out.json(run)?;
            }
            return Ok(Exit::Done);
        }
        let heads = ["n", "engine", "blocks", "longest", "median"].map(str::to_owned);
        let threads = self.threads.iter().map(usize::to_string);
        let mut lines = vec![heads.into_iter().chain(threads).collect()];
        lines.extend(simulated.iter().map(Simulated::cells));
        table::print(&lines, out)?;
        Ok(Exit::Done)
    }

    fn simulate<'a>(&self, run: &'a RecordedRun) -> Simulated<'a> {
        let threads = self.threads.iter().map(|&threads| {
            let speed_up = run.speed_up(threads);
            OnThreads {
                threads,
                speed_up,
                efficiency: speed_up / threads as f64,
            }
        });
        Simulated {
            n: run.n,
            engine: run.engine,
            blocks: run.blocks(),
            longest_seconds: run.times.worst,
            median_seconds: run.times.median,
            threads: threads.collect(),
        }
    }
}

impl Simulated<'_> {
    /// A line of the table.
    fn cells(&self) -> Vec<String> {
        let run = [
            self.n.to_string(),
            self.engine.to_owned(),
            self.blocks.to_string(),
            seconds(self.longest_seconds),
            seconds(self.median_seconds),
        ];
        let busy = self.threads.iter();
        let busy = busy.map(|on| format!("{:.0} %", 100.0 * on.efficiency));
        run.into_iter().chain(busy).collect()
    }
}
