//! `queens known`: the published values and where they come from. The only command
//! that answers from the table.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use queens::known::{FUNDAMENTAL, QUEENS, Sequence};
use serde::Serialize;

use crate::cli::{
    args::{board_size::Sizes, target::published},
    exit::Exit,
    report::{
        decimal::Decimal,
        humanize::grouped,
        output::{Output, Paint},
        table,
    },
};

const EXAMPLES: &str = "\
Examples:
  queens known                  every published value, with its source
  queens known 8                one of them
  queens known 8 --fundamental  up to rotation and reflection
  queens known 1..13 --json     a range, one JSON object per n";

/// Print the published values and their sources
///
/// From the On-Line Encyclopedia of Integer Sequences: A000170 counts all solutions,
/// A002562 counts the eight rotations and reflections of a solution once. Through a
/// pipe or with -q the values are printed as `queens count` prints its own. Exit
/// code 4 if no value is published.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct KnownArgs {
    /// Board side, a range such as 8..16, or a list such as 8,12; all if left out
    #[arg(value_name = "N|FIRST..LAST")]
    sizes: Option<Sizes>,

    /// Solutions up to rotation and reflection (A002562)
    #[arg(long)]
    fundamental: bool,

    /// Print one JSON object per n, the values as decimal strings
    #[arg(long)]
    json: bool,
}

/// The published values for one n, as a JSON object.
#[derive(Serialize)]
struct Json {
    n: u32,
    count: Option<Decimal>,
    count_source: &'static str,
    fundamental: Option<Decimal>,
    fundamental_source: &'static str,
}

impl KnownArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let rows = self.rows(published(self.fundamental))?;
        if self.json {
            for (n, _) in rows {
                out.json(&Json {
                    n,
                    count: QUEENS.value(n).map(Decimal),
                    count_source: QUEENS.source,
                    fundamental: FUNDAMENTAL.value(n).map(Decimal),
                    fundamental_source: FUNDAMENTAL.source,
                })?;
            }
        } else if out.is_human() {
            let sequences: &[_] = if self.fundamental {
                &[&FUNDAMENTAL]
            } else {
                &[&QUEENS, &FUNDAMENTAL]
            };
            print(out, &rows, sequences)?;
        } else {
            for (n, value) in rows {
                match self.sizes {
                    Some(Sizes::One(_)) => writeln!(out, "{value}")?,
                    _ => writeln!(out, "{n}\t{value}")?,
                }
            }
        }
        Ok(Exit::Done)
    }

    /// The sides asked for, with their values.
    fn rows(&self, sequence: &Sequence) -> Result<Vec<(u32, u128)>> {
        let published = sequence.values();
        let Some(sizes) = &self.sizes else {
            return Ok(published.to_vec());
        };
        let row = |n| sequence.value(n).map(|value| (n, value)).ok_or(n);
        let rows: Result<_, u32> = sizes.all().iter().copied().map(row).collect();
        rows.map_err(|n| {
            let ends = published.first().zip(published.last());
            let (first, last) = ends.map_or((0, 0), |(first, last)| (first.0, last.0));
            Exit::No.because(format!(
                "no value is published for n = {n}: OEIS {} goes from n = {first} to {last}",
                sequence.oeis
            ))
        })
    }
}

/// A table with a column for each sequence, and their sources below.
fn print(out: &mut Output, rows: &[(u32, u128)], sequences: &[&Sequence]) -> Result<()> {
    let heads = ["n"].into_iter();
    let heads = heads.chain(sequences.iter().map(|sequence| sequence.oeis));
    let heads: Vec<_> = heads.map(str::to_owned).collect();
    let cell = |sequence: &Sequence, n| sequence.value(n).map_or("-".to_owned(), grouped);
    let line = |&(n, _): &(u32, u128)| {
        let cells = sequences.iter().map(|sequence| cell(sequence, n));
        [n.to_string()].into_iter().chain(cells).collect()
    };
    let lines: Vec<Vec<String>> = [heads].into_iter().chain(rows.iter().map(line)).collect();
    table::print(&lines, out)?;
    for sequence in sequences {
        writeln!(out)?;
        out.text(None, &format!("{}: {}", sequence.oeis, sequence.title))?;
        out.text(Some(Paint::Dim), sequence.source)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::output::tests::Page;

    #[test]
    fn a_person_sees_both_sequences_and_their_sources() {
        let (page, mut out) = Page::new(true);
        let args = KnownArgs {
            sizes: Some(Sizes::One(8)),
            fundamental: false,
            json: false,
        };
        args.run(&mut out).unwrap();
        let text = page.text();
        assert!(text.contains("8       92       12\n"), "{text}");
        for sequence in [&QUEENS, &FUNDAMENTAL] {
            assert!(text.contains(sequence.source), "{text}");
        }
    }
}
