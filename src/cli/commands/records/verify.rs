//! `queens records verify`: recounts random blocks of a kept ledger by another route.

use std::{io::Write, path::PathBuf, time::Duration};

use anyhow::Result;
use clap::Args;
use queens::{
    Count, Error, Route,
    ledger::{Ledger, RecordedBlock},
    plan::{Plan, Shard, ranges},
    random::any_seed,
};
use serde::Serialize;

use crate::cli::{
    args::{
        duration::TimeSpan,
        engine_args::RunnerArgs,
        ledger_file,
        number::whole,
        restrict::Restrict,
        share::{self, Share},
        target::Answer,
    },
    exit::Exit,
    report::{
        decimal::Decimal,
        humanize::{counted, grouped},
        output::Output,
    },
    watch::{memory, recount::Recount, session::Limits},
};

/// How long it takes where the user does not say.
const USUAL: Duration = Duration::from_secs(60);

const EXAMPLES: &str = "\
Examples:
  queens records verify run.jsonl --seconds 1          as many as it can
  queens records verify run.jsonl --sample 5%          one block in twenty
  queens records verify run.jsonl --shard 0/3 --json   a third, for scripts";

/// Recount random blocks of a ledger by another route and compare
///
/// The ledger is one of a complete count, as it was written or compressed by gzip, such as
/// those in data/records. The route is that of `queens count --double-check`. Says how much
/// of the count is confirmed by that; a mismatch names the task (exit code 3).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct VerifyArgs {
    /// The ledger
    file: PathBuf,

    /// Begin no block after this time, such as 90 or 15m [default: 1m without --sample]
    #[arg(long, value_name = "TIME")]
    seconds: Option<TimeSpan>,

    /// At most this many blocks: a number such as 3, or a part of them such as 5%
    #[arg(long, value_name = "P")]
    sample: Option<Share>,

    /// Only the blocks i, i+K, i+2K and so on, with i from 0, as in 0/10
    ///
    /// So K people can confirm different blocks, and all of them together the whole.
    #[arg(long, value_name = "i/K", value_parser = shard)]
    shard: Option<Shard>,

    /// Draw the blocks in the same order as another run with this seed
    #[arg(long, value_name = "S", value_parser = whole)]
    seed: Option<u64>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    runner: RunnerArgs,

    #[command(flatten)]
    limits: Limits,
}

/// What was confirmed, as a JSON object.
#[derive(Serialize)]
struct Verified {
    n: u32,
    engine: &'static str,
    plan: String,
    /// The sum of all blocks, and what the published values say of it.
    total: Decimal,
    known: &'static str,
    /// The blocks counted again, as in 3,7-9; how many, and of how many.
    verified: String,
    blocks: usize,
    of: usize,
    /// What part of the estimated cost and of the total they are, rounded down.
    cost_percent: f64,
    count_percent: f64,
    route: &'static str,
    seed: u64,
    version: &'static str,
}

impl VerifyArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let session = self.limits.start(out)?;
        let ledger = ledger_file::read(&self.file)?;
        let total = complete(&ledger)?;
        let header = ledger.header();
        let count = Count::from(header.problem.clone()).engine(header.engine);
        let count = self.runner.apply(count)?;
        let plan = session.plan(&count)?;
        ledger.check(&plan)?;
        memory::warn(&plan, count.runner().thread_count(), out);

        let (n, seed) = (header.problem.n(), self.seed.unwrap_or_else(any_seed));
        let drawn = self.draw(&ledger, &plan, seed)?;
        let recount = Recount::new(&session, &count, &plan);
        recount.run(&ledger, &drawn, self.time(), &format!("n = {n} again"))?;

        let restrict = Restrict::from(&header.problem);
        let answer = Answer::plain(n, total, &restrict);
        let agreed = recount.agreed();
        let cost = |block: &RecordedBlock| plan.blocks()[block.index].cost.into();
        let cost_percent = percent(&ledger, &agreed, cost);
        let count_percent = percent(&ledger, &agreed, |block| block.count);
        if self.json {
            out.json(&Verified {
                n,
                engine: plan.engine().name(),
                plan: plan.id().to_string(),
                total: Decimal(total),
                known: answer.verdict().as_str(),
                verified: ranges(&agreed),
                blocks: agreed.len(),
                of: ledger.blocks().len(),
                cost_percent,
                count_percent,
                route: Route::Image.name(),
                seed,
                version: env!("CARGO_PKG_VERSION"),
            })?;
        } else {
            let said = format!(
                "counted again by another route, with the same counts: {} of {}, {cost_percent:.2} % of the cost, {count_percent:.2} % of the count",
                grouped(agreed.len() as u128),
                counted(ledger.blocks().len(), "block"),
            );
            if out.is_human() {
                answer.print("", &said, None, out)?;
            } else {
                writeln!(out, "{said}")?;
            }
        }
        out.flush()?;
        answer.agree(plan.engine())?;
        Ok(Exit::Done)
    }

    /// The time there is; a sample without one takes as long as it takes.
    fn time(&self) -> Option<Duration> {
        match (&self.seconds, self.sample) {
            (Some(given), _) => Some(given.time),
            (None, Some(_)) => None,
            (None, None) => Some(USUAL),
        }
    }

    /// The blocks to count again, in a random order.
    fn draw(&self, ledger: &Ledger, plan: &Plan, seed: u64) -> Result<Vec<usize>> {
        let blocks = plan.blocks().len();
        let mine = self.shard.unwrap_or(Shard::WHOLE);
        if mine.of() as usize > blocks {
            let of = mine.of();
            return Err(Error::ShardCount { of, blocks }.into());
        }
        let recorded = ledger.header().shard.blocks(blocks);
        let recorded = recorded.filter(|&block| mine.contains(block));
        Ok(share::draw(recorded.collect(), self.sample, seed))
    }
}

/// The total of a ledger that is complete, and not itself a check of another.
fn complete(ledger: &Ledger) -> Result<u128> {
    let (path, header) = (ledger.path().display(), ledger.header());
    if header.route != Route::Direct {
        return Err(Exit::Foreign.because(format!(
            "{path} does not belong here: it is itself a double-check; name the ledger that it checks"
        )));
    }
    ledger.total().ok_or_else(|| {
        let (recorded, missing) = (ledger.blocks().len(), ledger.missing().len());
        Exit::Missing.because(format!(
            "{path} is the ledger of a count that has not ended, with {recorded} of {} recorded: resume the count first",
            counted(recorded + missing, "block")
        ))
    })
}

/// What these blocks are worth of all that a ledger records, in per cent, rounded down to two
/// decimals.
fn percent(ledger: &Ledger, agreed: &[usize], worth: impl Fn(&RecordedBlock) -> u128) -> f64 {
    if agreed.len() == ledger.blocks().len() {
        return 100.0;
    }
    let is_agreed = |block: &&RecordedBlock| agreed.binary_search(&block.index).is_ok();
    let confirmed: u128 = ledger.blocks().iter().filter(is_agreed).map(&worth).sum();
    let all: u128 = ledger.blocks().iter().map(&worth).sum();
    (confirmed as f64 / all.max(1) as f64 * 1e4).floor() / 100.0
}

/// A shard as in 0/10.
fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/');
    let numbers = numbers.and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
    let shard = numbers.and_then(|(index, of)| Shard::new(index, of).ok());
    shard.ok_or_else(|| {
        format!("\"{text}\" is not a shard: use i/K with i from 0 to one less than K, as in 0/10")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_two_numbers_the_first_less_than_the_second() {
        assert_eq!(shard("0/1"), Ok(Shard::WHOLE));
        assert_eq!(shard("9/10"), Ok(Shard::new(9, 10).unwrap()));
        for text in [
            "", "/", "1", "1/1", "10/10", "-1/2", "0/0", "a/b", "0/2/3", "0 / 2",
        ] {
            let sentence = shard(text).unwrap_err();
            assert!(sentence.contains(&format!("\"{text}\"")), "{sentence}");
        }
    }
}
