//! `queens shard verify`: recounts some of the shards by another route.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use queens::{Route, plan::ranges, random::any_seed};
use serde::Serialize;

use super::Which;
use crate::cli::{
    args::{
        engine_args::Settings,
        number::whole,
        share::{self, Share},
    },
    exit::Exit,
    report::{
        humanize::{counted, plural},
        output::Output,
    },
    watch::{recount::Recount, session::Limits},
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
    #[arg(long, value_name = "P", help_heading = None::<&str>)]
    sample: Share,

    /// Draw the same shards as another run with this seed
    #[arg(long, value_parser = whole, help_heading = None::<&str>)]
    seed: Option<u64>,

    /// Print one JSON object
    #[arg(long, help_heading = None::<&str>)]
    json: bool,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    limits: Limits,
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
        let drawn = share::draw(survey.done, Some(self.sample), seed);
        let recount = Recount::new(&session, &count, &plan);
        for result in &drawn {
            let shard = result.header().shard;
            let blocks: Vec<usize> = shard.blocks(plan.blocks().len()).collect();
            let label = format!("n = {} again, {shard}", self.which.n);
            recount.run(result, &blocks, None, &label)?;
        }
        let blocks = recount.agreed().len();
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
