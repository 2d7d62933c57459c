//! `queens shard status`: how far the shards have come.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use queens::{
    ledger::{Ledger, Shards, Survey},
    plan::{Shard, ranges},
};
use serde::Serialize;

use super::{Inquiry, array, bad_shards};
use crate::cli::{
    commands::ledger::{percent, progress, some},
    exit::Exit,
    report::{
        decimal::Decimal,
        humanize::{counted, grouped},
        output::Output,
    },
};

const EXAMPLES: &str = "\
Examples:
  queens shard status 17 --shards 4 --dir run            how far it is
  queens shard status 17 --shards 4 --tasks 2 --dir run  tasks to repeat";

/// Show which shards are done, missing or bad, and the total so far
///
/// Reads only; tasks may be running. Bad are results that are damaged, foreign or
/// contradicted: the problems say which and why.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct StatusArgs {
    #[command(flatten)]
    inquiry: Inquiry,
}

/// What the folder holds, as a JSON object. Lists are as in 3,7-9.
#[derive(Serialize)]
struct Status {
    n: u32,
    engine: &'static str,
    plan: String,
    shards: u32,
    blocks: usize,
    done: usize,
    missing: String,
    /// Missing ones that an array task has begun.
    begun: String,
    contradictory: String,
    foreign: String,
    damaged: String,
    /// Tasks with something left to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    array: Option<String>,
    /// The share of the estimated cost that is done, with what is begun.
    percent: f64,
    /// Time of one core.
    seconds: f64,
    /// The sum of the results.
    total: Decimal,
    problems: Vec<String>,
}

impl StatusArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let plan = self.inquiry.plan()?;
        let shards = self.inquiry.which.folder(&plan)?;
        let status = Status::of(&shards, &shards.survey()?, self.inquiry.tasks()?)?;
        if self.inquiry.json {
            out.json(&status)?;
        } else {
            status.print(out)?;
        }
        Ok(Exit::Done)
    }
}

impl Status {
    fn of(shards: &Shards, survey: &Survey, tasks: Option<u32>) -> Result<Status> {
        let plan = shards.plan();
        let recorded = || survey.done.iter().chain(&survey.begun);
        let begun = survey.begun.iter();
        let begun = begun.map(|part| part.header().shard.index());
        let begun: Vec<usize> = begun.map(|index| index as usize).collect();
        let [contradictory, foreign, damaged] = bad_shards(survey).map(|(.., bad)| ranges(&bad));
        let bad = survey.bad.iter().map(|(index, _)| index);
        let left = survey.missing.iter().chain(bad).copied();
        Ok(Status {
            n: plan.problem().n(),
            engine: plan.engine().name(),
            plan: plan.id().to_string(),
            shards: shards.of(),
            blocks: plan.blocks().len(),
            done: survey.done.len(),
            missing: ranges(&survey.missing),
            begun: ranges(&begun),
            contradictory,
            foreign,
            damaged,
            array: tasks.map(|tasks| array(left, tasks)),
            percent: percent(plan, Shard::WHOLE, recorded()),
            seconds: recorded()
                .map(Ledger::seconds)
                .fold(0.0, |sum, part| sum + part),
            total: Decimal(survey.sum()?),
            problems: survey.bad.iter().map(|(_, bad)| bad.to_string()).collect(),
        })
    }

    fn print(&self, out: &mut Output) -> Result<()> {
        let mut page = vec![
            (
                "plan",
                format!(
                    "{} (n = {}, engine {}, {})",
                    self.plan,
                    self.n,
                    self.engine,
                    counted(self.blocks, "block")
                ),
            ),
            (
                "done",
                progress(
                    self.done,
                    &counted(self.shards, "shard"),
                    self.percent,
                    self.seconds,
                ),
            ),
            ("so far", grouped(self.total.0)),
            ("missing", some(&self.missing)),
            ("begun", some(&self.begun)),
        ];
        for (name, bad) in [
            ("conflict", &self.contradictory),
            ("foreign", &self.foreign),
            ("damaged", &self.damaged),
        ] {
            if !bad.is_empty() {
                page.push((name, bad.clone()));
            }
        }
        page.push(("problems", some(&self.problems.join("; "))));
        if let Some(array) = self.array.as_ref().filter(|array| !array.is_empty()) {
            page.push(("run", format!("--array={array}")));
        }
        out.page(&page)?;
        Ok(out.flush()?)
    }
}
