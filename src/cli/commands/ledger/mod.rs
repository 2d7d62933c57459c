//! `queens ledger`: looks into the files that `--checkpoint` writes, and adds them up.

pub mod simulated;
mod threads;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand};
use queens::{
    Error, Route,
    ledger::{self, Ledger},
    plan::{Plan, Shard, ranges},
};
use serde::Serialize;

use crate::cli::{
    args::{ledger_file, restrict::Restrict, target::Answer},
    exit::Exit,
    report::{
        decimal::Decimal,
        humanize::{counted, grouped, seconds},
        merge_report,
        output::Output,
    },
};

const EXAMPLES: &str = "\
Examples:
  queens count 17 --checkpoint run.jsonl  writes a ledger, or resumes it
  queens ledger show run.jsonl            what is in it
  queens ledger merge run.jsonl           the total, of one file or several
  queens ledger threads run.jsonl         how busy many threads would be";

/// Look into checkpoint files, or add them up
///
/// A ledger is a text file, one JSON object a line: a header, a line for every
/// finished block with its count, and a closing line with the sum. Every line carries
/// a check of itself and of the lines before it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct LedgerArgs {
    #[command(subcommand)]
    command: LedgerCommand,
}

#[derive(Debug, Subcommand)]
enum LedgerCommand {
    Show(ShowArgs),
    Merge(MergeArgs),
    Threads(threads::ThreadsArgs),
}

const SHOW_EXAMPLES: &str = "\
Examples:
  queens ledger show run.jsonl         progress, total so far, what is missing
  queens ledger show run.jsonl --json  one JSON object, for scripts";

/// Show what a ledger holds and what is missing
///
/// Reads the file only; it may be in use. Of a damaged file, the lines before the
/// damage are shown (exit code 13).
#[derive(Debug, Args)]
#[command(after_help = SHOW_EXAMPLES)]
struct ShowArgs {
    /// The ledger, as it was written or compressed by gzip
    file: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const MERGE_EXAMPLES: &str = "\
Examples:
  queens ledger merge run.jsonl           the total of one complete ledger
  queens ledger merge run/*.jsonl         the total of several, here of shards
  queens ledger merge run/*.jsonl --json  one JSON object, for scripts";

/// Add up ledgers of one plan
///
/// The same block in two of them is fine if its count is the same (exit code 11 if
/// not). Missing blocks are listed (exit code 10). The total is compared with the
/// published value (exit code 3 if they differ).
#[derive(Debug, Args)]
#[command(after_help = MERGE_EXAMPLES)]
struct MergeArgs {
    /// The ledgers, as they were written or compressed by gzip
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl LedgerArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        match &self.command {
            LedgerCommand::Show(args) => args.run(out),
            LedgerCommand::Merge(args) => args.run(out),
            LedgerCommand::Threads(args) => args.run(out),
        }
    }
}

/// What a ledger holds, as a JSON object.
#[derive(Serialize)]
struct Contents {
    file: String,
    plan: String,
    n: u32,
    #[serde(flatten)]
    restrict: Restrict,
    engine: &'static str,
    route: &'static str,
    shard: u32,
    of: u32,
    version: String,
    /// Blocks recorded here, and how many should be.
    recorded: usize,
    blocks: usize,
    /// The share of their estimated cost.
    percent: f64,
    /// Time of one thread.
    seconds: f64,
    complete: bool,
    /// The sum of what is recorded.
    total: Decimal,
    /// Blocks not recorded, as in 3,7-9.
    missing: String,
    problems: Vec<String>,
}

impl ShowArgs {
    fn run(&self, out: &mut Output) -> Result<Exit> {
        let (ledger, plan, damage) = readable(&self.file)?;
        let contents = Contents::of(&ledger, &plan, damage.as_ref());
        if self.json {
            out.json(&contents)?;
        } else {
            contents.print(out)?;
        }
        // What could be read has been shown; what could not ends the program.
        damage.map_or(Ok(Exit::Done), |damage| Err(damage.into()))
    }
}

/// The ledger and its plan; of a damaged one, the lines before the damage.
fn readable(path: &Path) -> Result<(Ledger, Plan, Option<Error>)> {
    let whole = |ledger: Ledger| -> Result<_> { Ok((ledger.plan()?, ledger)) };
    let error = match ledger_file::read(path).and_then(whole) {
        Ok((plan, ledger)) => return Ok((ledger, plan, None)),
        Err(error) => error.downcast()?,
    };
    match error {
        Error::Damaged { line, .. } if line > 1 => {
            let text = ledger_file::text(path)?;
            let lines = text.split_inclusive(|&byte| byte == b'\n');
            let sound: Vec<u8> = lines.take(line - 1).flatten().copied().collect();
            let (plan, ledger) = whole(Ledger::parse(path, &sound)?)?;
            Ok((ledger, plan, Some(error)))
        }
        error => Err(error.into()),
    }
}

impl Contents {
    fn of(ledger: &Ledger, plan: &Plan, damage: Option<&Error>) -> Contents {
        let header = ledger.header();
        let missing = ledger.missing();
        let mut problems = Vec::new();
        if ledger.torn() > 0 {
            problems.push(format!(
                "the last line is torn ({}): it is being written, or will be dropped when the run is resumed",
                counted(ledger.torn(), "byte")
            ));
        }
        problems.extend(damage.map(ToString::to_string));
        Contents {
            file: ledger.path().display().to_string(),
            plan: header.plan.to_string(),
            n: header.problem.n(),
            restrict: Restrict::from(&header.problem),
            engine: header.engine.name(),
            route: header.route.name(),
            shard: header.shard.index(),
            of: header.shard.of(),
            version: header.version.clone(),
            recorded: ledger.blocks().len(),
            blocks: ledger.blocks().len() + missing.len(),
            percent: percent(plan, header.shard, [ledger]),
            seconds: ledger.seconds(),
            complete: ledger.total().is_some(),
            total: Decimal(ledger.sum()),
            missing: ranges(&missing),
            problems,
        }
    }

    fn print(&self, out: &mut Output) -> Result<()> {
        let board = self.restrict.board(self.n);
        let plan = format!("{} ({board}, engine {})", self.plan, self.engine);
        let mut page = vec![("plan", plan)];
        if self.route != Route::Direct.name() {
            page.push(("route", format!("{}, a double-check", self.route)));
        }
        if self.of != Shard::WHOLE.of() {
            page.push(("shard", format!("{} of {}", self.shard, self.of)));
        }
        let all = counted(self.blocks, "block");
        let progress = progress(self.recorded, &all, self.percent, self.seconds);
        let sum = if self.complete { "total" } else { "so far" };
        page.extend([
            ("begun by", format!("queens {}", self.version)),
            ("progress", progress),
            (sum, grouped(self.total.0)),
            ("missing", some(&self.missing)),
            ("problems", some(&self.problems.join("; "))),
        ]);
        Ok(out.page(&page)?)
    }
}

/// The share of the estimated cost of a shard that these record.
pub fn percent<'a>(
    plan: &Plan,
    shard: Shard,
    recorded: impl IntoIterator<Item = &'a Ledger>,
) -> f64 {
    let cost = |block: usize| u128::from(plan.blocks()[block].cost);
    let all: u128 = shard.blocks(plan.blocks().len()).map(cost).sum();
    let recorded = recorded.into_iter().flat_map(Ledger::blocks);
    let done: u128 = recorded.map(|block| cost(block.index)).sum();
    match all {
        0 => 100.0,
        all => 100.0 * done as f64 / all as f64,
    }
}

/// How much of all is done, what share of the cost that is, and what it took.
pub fn progress(done: usize, all: &str, percent: f64, taken: f64) -> String {
    let taken = seconds(taken);
    format!("{done} of {all}, {percent:.1} % of the estimated cost, {taken} of one core")
}

/// The text, or that there is none.
pub fn some(text: &str) -> String {
    match text {
        "" => "none".to_owned(),
        text => text.to_owned(),
    }
}

impl MergeArgs {
    fn run(&self, out: &mut Output) -> Result<Exit> {
        let ledgers: Result<Vec<Ledger>> =
            self.files.iter().map(|it| ledger_file::read(it)).collect();
        let merged = ledger::merge(&ledgers?)?;
        let problem = merged.plan().problem();
        let restrict = Restrict::from(problem);
        let answer = Answer::plain(problem.n(), merged.total()?, &restrict);
        merge_report::report(&merged, &answer, self.files.len(), self.json, out)
    }
}
