//! `queens shard verify`: recounts some of the shards by another route.

use std::{io::Write, str::FromStr};

use anyhow::Result;
use clap::Args;
use queens::{
    DoubleCheck, Error, Route,
    ledger::Ledger,
    plan::ranges,
    random::{Random, any_seed},
};
use serde::Serialize;

use super::Which;
use crate::cli::{
    args::{engine_args::Settings, number::whole},
    exit::Exit,
    platform::shell::command_line,
    report::{
        humanize::{counted, plural},
        output::Output,
    },
    watch::{eta::Pace, session::Limits},
};

const EXAMPLES: &str = "\
Examples:
  queens shard verify 17 --shards 4 --dir run --sample 2   two shards
  queens shard verify 17 --shards 4 --dir run --sample 5%  at least one";

/// Recount random shards by another route and compare
///
/// Block by block, by the route of `queens count --double-check`. A mismatch names
/// the task, exit code 3. Only shards that have a result are drawn.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct VerifyArgs {
    #[command(flatten)]
    which: Which,

    /// How many shards: a number such as 3, or a part of them such as 5%
    #[arg(long, value_name = "P")]
    sample: Share,

    /// Draw the same shards as another run with this seed
    #[arg(long, value_parser = whole)]
    seed: Option<u64>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    limits: Limits,
}

/// A part of all shards.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Share {
    Number(usize),
    Percent(f64),
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let percent = text.strip_suffix('%').map(str::parse::<f64>);
        match (percent, text.parse()) {
            (Some(Ok(percent)), _) if percent > 0.0 && percent <= 100.0 => {
                Ok(Share::Percent(percent))
            }
            (None, Ok(number @ 1..)) => Ok(Share::Number(number)),
            _ => Err(format!(
                "\"{text}\" is not a sample: use a number of shards from 1, or a part of them such as 5%, up to 100%"
            )),
        }
    }
}

impl Share {
    /// At least one, unless there is none.
    fn of(self, all: usize) -> usize {
        match self {
            Share::Number(number) => number.min(all),
            Share::Percent(percent) => ((percent / 100.0 * all as f64).ceil() as usize).min(all),
        }
    }
}

/// What was found right, as a JSON object.
#[derive(Serialize)]
struct Verified {
    n: u32,
    /// The shards counted again, as in 3,7-9.
    verified: String,
    shards: usize,
    blocks: usize,
    route: &'static str,
    seed: u64,
}

impl VerifyArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let session = self.limits.start(out)?;
        let count = self.settings.apply(self.which.count()?)?;
        let count = count.cancel(&session.cancel);
        let plan = session.plan(&count)?;
        let survey = self.which.folder(&plan)?.survey()?;
        if let Some((_, bad)) = survey.bad.into_iter().next() {
            return Err(bad.into());
        }
        if survey.done.is_empty() {
            return Err(Exit::Missing.because(format!(
                "none of the {} has a result to verify: run them first",
                counted(self.which.shards, "shard")
            )));
        }
        let seed = self.seed.unwrap_or_else(any_seed);
        let drawn = draw(&survey.done, self.sample, seed);
        let mut blocks = 0;
        for result in &drawn {
            let counts = result.blocks().iter();
            let counts = counts.map(|block| (block.index, block.count));
            let check = DoubleCheck::new(&plan, counts);
            let shard = result.header().shard;
            let pace = Pace::over(&plan, shard, count.runner().thread_count());
            let mine: Vec<usize> = shard.blocks(plan.blocks().len()).collect();
            let label = format!("n = {} again, {shard}", self.which.n);
            let ran = session.watch(&label, pace, |progress| {
                check.run_blocks(&mine, &count.runner().clone().observer(progress))
            });
            ran.map_err(|error| match error {
                Error::Interrupted => session.explain(error, |why| {
                    let (blocks, again) = (counted(blocks, "block"), command_line());
                    format!("{why} with {blocks} verified; begin again with: {again}")
                }),
                error => anyhow::Error::new(error)
                    .context(format!("{} is not verified", result.path().display())),
            })?;
            blocks += mine.len();
        }
        let mut shards: Vec<usize> = drawn
            .iter()
            .map(|one| one.header().shard.index() as usize)
            .collect();
        shards.sort_unstable();
        let verified = Verified {
            n: self.which.n,
            verified: ranges(&shards),
            shards: shards.len(),
            blocks,
            route: Route::Image.name(),
            seed,
        };
        if self.json {
            out.json(&verified)?;
        } else {
            writeln!(
                out,
                "counted again by another route, with the same counts: {} of {} {}",
                counted(blocks, "block"),
                plural(shards.len() as u128, "shard"),
                verified.verified
            )?;
        }
        Ok(Exit::Done)
    }
}

/// Some of the results, any as likely as any other.
fn draw(results: &[Ledger], share: Share, seed: u64) -> Vec<&Ledger> {
    let mut drawn: Vec<&Ledger> = results.iter().collect();
    Random::new(seed).shuffle(&mut drawn);
    drawn.truncate(share.of(results.len()));
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_number_or_a_percentage_and_at_least_one() {
        let of = |text: &str, all| text.parse::<Share>().unwrap().of(all);
        assert_eq!(of("3", 10), 3);
        assert_eq!(of("30", 10), 10);
        assert_eq!(of("5%", 10), 1);
        assert_eq!(of("100%", 10), 10);
        for text in ["0", "0%", "101%", "-1", "", "%", "x", "nan%"] {
            let sentence = text.parse::<Share>().unwrap_err();
            assert!(sentence.contains(&format!("\"{text}\"")), "{sentence}");
        }
    }
}
