//! A total that is the sum of files, as `queens ledger merge` and `queens shard
//! merge` print it.

use std::io::Write;

use anyhow::Result;
use queens::ledger::Merged;
use serde::Serialize;

use crate::cli::{
    args::target::{Answer, ByClass},
    exit::Exit,
    report::{decimal::Decimal, humanize::counted, output::Output},
};

/// A total as a JSON object.
#[derive(Serialize)]
struct Json<'a> {
    n: u32,
    count: Decimal,
    #[serde(flatten)]
    by_class: ByClass,
    engine: &'a str,
    plan: String,
    files: usize,
    blocks: usize,
    known: &'a str,
}

/// Prints the answer that the total of these files gives, then compares it with what is
/// published.
pub fn report(
    merged: &Merged,
    answer: &Answer<'_>,
    files: usize,
    json: bool,
    out: &mut Output,
) -> Result<Exit> {
    let (plan, n) = (merged.plan(), answer.n);
    let blocks = plan.blocks().len();
    if json {
        out.json(&Json {
            n,
            count: Decimal(merged.total()?),
            by_class: answer.into(),
            engine: plan.engine().name(),
            plan: plan.id().to_string(),
            files,
            blocks,
            known: answer.verdict().as_str(),
        })?;
    } else if out.is_human() {
        let (blocks, files) = (counted(blocks, "block"), counted(files, "file"));
        answer.print(&format!(", from {blocks} in {files}"), "", None, out)?;
    } else {
        answer.print_bare(out)?;
    }
    out.flush()?;
    answer.agree(plan.engine())?;
    Ok(Exit::Done)
}
