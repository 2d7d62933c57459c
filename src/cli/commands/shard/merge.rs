//! `queens shard merge`: the total of all shards, or why there is none.

use anyhow::Result;
use clap::Args;
use queens::{Cancel, ledger, ledger::Survey, plan::ranges};

use super::{Inquiry, Which, array, bad_shards};
use crate::cli::{
    args::target::Kind,
    exit::Exit,
    report::{humanize::counted, merge_report, output::Output},
};

const EXAMPLES: &str = "\
Examples:
  queens shard merge 17 --shards 4 --dir run                the total
  queens shard merge 17 --shards 4 --dir run --fundamental  the classes
  queens shard merge 17 --shards 4 --dir run --json         one JSON object";

/// Verify every shard and print the total
///
/// If anything is missing (exit code 10), contradictory (11), foreign (12) or damaged
/// (13), it says exactly which shards and prints no total. The total is compared with
/// the published value (exit code 3 if they differ).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MergeArgs {
    #[command(flatten)]
    inquiry: Inquiry,

    #[command(flatten)]
    kind: Kind,
}

impl MergeArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let plan = self.inquiry.plan()?;
        let survey = self.inquiry.which.folder(&plan)?.survey()?;
        self.refuse_gaps(&survey, self.inquiry.tasks()?)?;
        let merged = ledger::merge(&survey.done)?;
        let Which { n, restrict, .. } = &self.inquiry.which;
        let (all, never) = (merged.total()?, Cancel::new());
        let answer = self.kind.answer(restrict, *n, all, &never)?;
        let (files, json) = (survey.done.len(), self.inquiry.json);
        merge_report::report(&merged, &answer, files, json, out)
    }

    /// Everything that stands between the shards and their total, in one sentence.
    fn refuse_gaps(&self, survey: &Survey, tasks: Option<u32>) -> Result<()> {
        let mut kinds = bad_shards(survey).to_vec();
        kinds.push(("missing", Exit::Missing, survey.missing.clone()));
        kinds.retain(|(.., shards)| !shards.is_empty());
        let Some(&(_, exit, _)) = kinds.first() else {
            return Ok(());
        };
        let said = kinds
            .iter()
            .map(|(kind, _, shards)| format!("{} {kind}: {}", shards.len(), ranges(shards)));
        let mut sentence = format!(
            "there is no total of {} yet ({})",
            counted(self.inquiry.which.shards, "shard"),
            said.collect::<Vec<_>>().join(", ")
        );
        for (_, bad) in &survey.bad {
            sentence += &format!("; {bad}");
        }
        if !survey.bad.is_empty() {
            sentence += "; move the bad files away";
        }
        sentence += match (survey.bad.is_empty(), tasks) {
            (true, None) => "; run their tasks again",
            (false, None) => " and run their tasks again",
            (true, Some(_)) => "; run again with ",
            (false, Some(_)) => " and run again with ",
        };
        if let Some(tasks) = tasks {
            let left = kinds.iter().flat_map(|(.., shards)| shards).copied();
            sentence += &format!("--array={}", array(left, tasks));
        }
        Err(exit.because(sentence))
    }
}
