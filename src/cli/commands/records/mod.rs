//! `queens records`: the counts that this program has made itself, and how to confirm them.

mod record;
mod verify;

use std::io::Write;

use anyhow::Result;
use clap::{Args, Subcommand};

use self::record::Record;
use crate::cli::{
    exit::Exit,
    report::{
        humanize::{grouped, seconds},
        output::Output,
        table,
    },
};

const EXAMPLES: &str = "\
Examples:
  queens records                          every count, and how it was checked
  queens count 17 --checkpoint run.jsonl  a ledger, such as the records have
  queens records verify run.jsonl         counts blocks of it again";

/// List the counts that this program has made itself
///
/// Each was counted in full and recorded in a ledger, which was checked by another route:
/// "checked" is the part of the cost that was counted again. Through a pipe or with -q it
/// is a line "n<TAB>count" for each. The ledgers are in data/records of the sources, and
/// anybody can confirm a part of one with `queens records verify`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct RecordsArgs {
    #[command(subcommand)]
    command: Option<RecordsCommand>,

    /// Print one JSON object per record, with all that is known of it
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum RecordsCommand {
    Verify(verify::VerifyArgs),
}

impl RecordsArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        match &self.command {
            Some(RecordsCommand::Verify(args)) => args.run(out),
            None => self.list(record::LINES, out),
        }
    }

    fn list(&self, lines: &str, out: &mut Output) -> Result<Exit> {
        let records = Record::all(lines)?;
        if self.json {
            write!(out, "{lines}")?;
        } else if records.is_empty() {
            out.text(None, "there are no records yet: scripts/record makes them")?;
        } else if out.is_human() {
            print(&records, out)?;
        } else {
            for Record { count, .. } in &records {
                writeln!(out, "{}\t{}", count.n, count.count.0)?;
            }
        }
        Ok(Exit::Done)
    }
}

/// A line for each record.
fn print(records: &[Record], out: &mut Output) -> Result<()> {
    let heads = [
        "n",
        "solutions",
        "fundamental",
        "checked",
        "core time",
        "commit",
        "date",
    ];
    let heads = [heads.map(str::to_owned).to_vec()].into_iter();
    let lines: Vec<_> = heads.chain(records.iter().map(cells)).collect();
    // Who has counted what comes first, then how it was checked and what it took.
    table::print_by(&lines, &[0, 1, 3, 4, 2, 5, 6], out)?;
    Ok(())
}

fn cells(record: &Record) -> Vec<String> {
    let count = &record.count;
    let (day, _) = record.date.split_once('T').unwrap_or((&record.date, ""));
    vec![
        count.n.to_string(),
        grouped(count.count.0),
        grouped(count.fundamental.0),
        format!("{:.2} %", record.checked_percent()),
        seconds(count.core_seconds),
        record.commit.clone(),
        day.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::output::tests::Page;

    fn shown(lines: &str, human: bool, json: bool) -> String {
        let (page, mut out) = Page::new(human);
        let args = RecordsArgs {
            command: None,
            json,
        };
        args.list(lines, &mut out).unwrap();
        page.text()
    }

    #[test]
    fn without_a_record_there_is_a_sentence() {
        assert!(shown("", true, false).starts_with("there are no records yet"));
        assert_eq!(shown("", false, true), "");
    }

    #[test]
    fn a_person_sees_a_table_a_pipe_the_counts_and_json_is_what_was_written() {
        let lines = record::tests::lines();
        let table = shown(&lines, true, false);
        let words = "8 92 12 100.00 % 2.00 s 0123456789ab 2026-11-18";
        let row: Vec<_> = table.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!(row.join(" "), words);
        assert_eq!(shown(&lines, false, false), "8\t92\n24\t227514171973736\n");
        assert_eq!(shown(&lines, true, true), lines);
    }

    #[test]
    fn on_a_narrow_terminal_the_most_important_columns_are_left() {
        let records = Record::all(&record::tests::lines()).unwrap();
        for (columns, last) in [(80, "commit"), (40, "checked")] {
            let (page, mut out) = Page::new(true);
            out.set_width(columns);
            print(&records, &mut out).unwrap();
            let text = page.text();
            assert!(text.lines().all(|line| line.chars().count() <= columns));
            assert!(text.lines().next().unwrap().ends_with(last), "{text}");
        }
    }
}
