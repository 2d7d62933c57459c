//! A total that is the sum of files, as `queens ledger merge` and `queens shard
//! merge` print it.

use std::io::Write;

use anyhow::Result;
use queens::ledger::Merged;
use serde::Serialize;

use crate::cli::{
    args::target::{Answer, ByClass},
    commands::count::agree,
    exit::Exit,
    report::{
        humanize::{counted, grouped},
        output::{Output, Paint},
    },
};

/// The total and what is asked about it.
pub struct Total<'a> {
    merged: &'a Merged,
    count: u128,
    answer: &'a Answer<'a>,
    files: usize,
}

/// A total as a JSON object.
#[derive(Serialize)]
struct Record<'a> {
    n: u32,
    count: String,
    #[serde(flatten)]
    by_class: ByClass,
    engine: &'a str,
    plan: String,
    files: usize,
    blocks: usize,
    known: &'a str,
}

impl<'a> Total<'a> {
    /// The total of this number of files.
    pub fn new(merged: &'a Merged, count: u128, answer: &'a Answer<'a>, files: usize) -> Self {
        Total {
            merged,
            count,
            answer,
            files,
        }
    }

    /// Prints it, then compares it with what is published.
    pub fn report(&self, out: &mut Output, json: bool) -> Result<Exit> {
        let (plan, answer, files) = (self.merged.plan(), self.answer, self.files);
        let (n, blocks) = (plan.problem().n(), plan.blocks().len());
        if json {
            out.json(&Record {
                n,
                count: self.count.to_string(),
                by_class: answer.into(),
                engine: plan.engine().name(),
                plan: plan.id().to_string(),
                files,
                blocks,
                known: answer.verdict(n).as_str(),
            })?;
        } else if out.is_human() {
            let value = out.paint(Paint::Bold, grouped(answer.value));
            writeln!(
                out,
                "{value} {}, from {} in {}",
                answer.noun(n),
                counted(blocks, "block"),
                counted(files, "file")
            )?;
            answer.print_sizes(out)?;
            answer.print_verdict(out, n)?;
        } else {
            answer.print_bare(out)?;
        }
        out.flush()?;
        if let Some(sequence) = answer.sequence {
            agree(sequence, n, answer.value, plan.engine())?;
        }
        Ok(Exit::Done)
    }
}
