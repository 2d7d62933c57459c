//! `queens count N --by-square`: how many solutions have a queen on each of some squares.
//!
//! Every square is a count of its own, with a queen required there; those that a symmetry of
//! the problem maps to each other have one in common. A solution has one queen on each rank
//! and file, so the counts of a complete one add up to the number of all solutions. Where
//! there are several, they must agree: that is a check, as is the published value.

use std::{collections::HashMap, io::Write, ops::Not};

use anyhow::Result;
use queens::{Count, Square, format::heat_map, known::Verdict};
use serde::{Serialize, Serializer};

use super::{CountArgs, look::how};
use crate::cli::{
    args::{
        board_size::Sizes,
        region::Region,
        restrict::{Restrict, note_contradiction},
        target::Answer,
    },
    exit::Exit,
    report::{
        atomic_file::{check_writable, save_or_print},
        decimal::Decimal,
        humanize::{counted, grouped, seconds},
        output::{Output, Paint},
        table::{self, width},
    },
};

/// The counts and what stands behind them, as a JSON object.
#[derive(Serialize)]
struct BySquare<'a> {
    n: u32,
    #[serde(flatten)]
    restrict: &'a Restrict,
    #[serde(serialize_with = "cells")]
    squares: Vec<(Square, u128)>,
    /// The number of all solutions, where a whole rank or file was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Decimal>,
    engine: String,
    threads: usize,
    seconds: f64,
    version: &'static str,
    known: &'static str,
    #[serde(skip_serializing_if = "Not::not")]
    double_checked: bool,
}

fn cells<S: Serializer>(squares: &[(Square, u128)], json: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Cell {
        square: String,
        count: Decimal,
    }
    json.collect_seq(squares.iter().map(|&(square, count)| Cell {
        square: square.to_string(),
        count: Decimal(count),
    }))
}

pub fn run(args: &CountArgs, region: Region, out: &mut Output) -> Result<Exit> {
    let Sizes::One(n) = args.sizes else {
        return Err(Exit::Usage.because("--by-square is about one board: give a single n"));
    };
    if args.long_run.checkpoint.is_some() {
        return Err(Exit::Usage.because(
            "a checkpoint is the ledger of one count, and --by-square makes several: use it without --checkpoint",
        ));
    }
    let squares = region.squares(n)?;
    let problem = args.restrict.problem(n)?;
    let picture = args.output.as_deref();
    if let Some(file) = picture.filter(|file| file.as_os_str() != "-") {
        check_writable(file)?;
    }
    let session = &args.long_run.limits.start(out)?;
    note_contradiction(&problem, out);
    args.settings.note_kernel(out);
    let begun = session.elapsed();
    // All of them before the first is counted: that may bind this thread to one core.
    let orbits = problem.orbits(&squares).into_iter().map(|orbit| {
        let count = Count::from(problem.clone().require(orbit[0])?);
        Ok((orbit, args.settings.apply(count)?))
    });
    let orbits: Result<Vec<_>> = orbits.collect();
    let (mut counts, mut engines, mut threads) = (HashMap::new(), Vec::new(), 0);
    for (orbit, count) in orbits? {
        let plan = session.plan(&count)?;
        let run = args.long_run.open(session, &count, &plan, out)?;
        let pass = run.count()?;
        run.double_check(&pass, out)?;
        threads = pass.counted.threads;
        if !engines.contains(&plan.engine()) {
            engines.push(plan.engine());
        }
        let (all, like) = (pass.counted.count, counted(orbit.len(), "square"));
        out.detail(format_args!("{}: {all}, as on {like}", orbit[0]));
        counts.extend(orbit.into_iter().map(|square| (square, all)));
    }
    let counts = squares.iter().map(|square| (*square, counts[square]));
    let counts: Vec<_> = counts.collect();
    let total = total(n, &counts)?;
    let answer = total.map(|total| Answer::plain(n, total, &args.restrict));
    let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
    let verdict = answer.as_ref().map_or(Verdict::Unknown, Answer::verdict);
    let found = BySquare {
        n,
        restrict: &args.restrict,
        squares: counts,
        total: total.map(Decimal),
        engine: names.join(" and "),
        threads,
        seconds: session.elapsed().saturating_sub(begun).as_secs_f64(),
        version: env!("CARGO_PKG_VERSION"),
        known: verdict.as_str(),
        double_checked: args.long_run.double_check,
    };
    found.report(args, answer.as_ref(), out)?;
    if let (Some(answer), [engine, ..]) = (answer, &*engines) {
        answer.agree(*engine)?;
    }
    Ok(Exit::Done)
}

/// The number of all solutions, as every complete rank and file has it.
fn total(n: u32, counts: &[(Square, u128)]) -> Result<Option<u128>> {
    let sum = |is_on: &dyn Fn(Square) -> bool| {
        let on_line = counts.iter().filter(|&&(square, _)| is_on(square));
        let on_line: Vec<u128> = on_line.map(|&(_, count)| count).collect();
        (on_line.len() == n as usize).then(|| on_line.iter().sum::<u128>())
    };
    let ranks = (0..n).map(|rank| {
        let name = format!("rank {}", rank + 1);
        (name, sum(&|square| square.rank() == rank))
    });
    let files = (0..n).map(|file| {
        let name = format!("file {}", name(file));
        (name, sum(&|square| square.file() == file))
    });
    let lines = ranks.chain(files);
    let mut complete = lines.filter_map(|(name, sum)| Some((name, sum?)));
    let Some((first, total)) = complete.next() else {
        return Ok(None);
    };
    match complete.find(|&(_, sum)| sum != total) {
        None => Ok(Some(total)),
        Some((line, sum)) => Err(Exit::Mismatch.because(format!(
            "the counts of {first} add up to {total} and those of {line} to {sum}: one of them is wrong"
        ))),
    }
}

impl BySquare<'_> {
    fn report(&self, args: &CountArgs, answer: Option<&Answer>, out: &mut Output) -> Result<()> {
        if let Some(file) = &args.output {
            let total = self.total.map(|total| total.0);
            let picture = heat_map(self.n, &self.squares, total);
            save_or_print(file, &picture, out)?;
            if file.as_os_str() == "-" {
                return Ok(());
            }
        }
        if args.json {
            out.json(self)?;
        } else if out.is_human() {
            self.words(answer, out)?;
        } else {
            for (square, count) in &self.squares {
                writeln!(out, "{square}\t{count}")?;
            }
        }
        Ok(out.flush()?)
    }

    fn words(&self, answer: Option<&Answer>, out: &mut Output) -> Result<()> {
        match self.grid(out.width()) {
            Some(grid) => {
                let board = self.restrict.board(self.n);
                let head = "Of a thousand solutions, those with a queen on each square";
                out.text(Some(Paint::Bold), &format!("{head}, for {board}"))?;
                grid.iter().try_for_each(|line| writeln!(out, "{line}"))?;
            }
            None => self.list(out)?,
        }
        let time = format!(
            "{}, {}",
            counted(self.threads, "thread"),
            seconds(self.seconds)
        );
        if let Some(answer) = answer {
            writeln!(out, "{} {} in all", grouped(answer.value), answer.noun())?;
        }
        let how = how(&self.engine, &time, self.double_checked);
        out.text(Some(Paint::Dim), &how)?;
        answer.map_or(Ok(()), |answer| answer.print_verdict(out))
    }

    /// The board with the share of each square in thousandths, if several complete lines were
    /// counted and there is room for it.
    fn grid(&self, room: usize) -> Option<Vec<String>> {
        let Decimal(total) = self.total.filter(|total| total.0 > 0)?;
        if self.squares.len() <= self.n as usize {
            return None;
        }
        let share = |count: u128| ((2000 * count + total) / (2 * total)).to_string();
        let shares = self.squares.iter();
        let shares = shares.map(|&(square, count)| (square, share(count)));
        let shares: HashMap<Square, String> = shares.collect();
        let lines = |of: fn(Square) -> u32| {
            let mut lines: Vec<u32> = self.squares.iter().map(|(square, _)| of(*square)).collect();
            lines.sort_unstable();
            lines.dedup();
            lines
        };
        let (ranks, files) = (lines(Square::rank), lines(Square::file));
        let head: Vec<String> = files.iter().map(|&file| name(file)).collect();
        let cells = shares.values().chain(&head).map(String::as_str);
        let (cell, margin) = (width(cells) + 1, 2);
        if margin + files.len() * cell > room {
            return None;
        }
        let mut grid: Vec<String> = Vec::new();
        for &rank in ranks.iter().rev() {
            let cells = files.iter().map(|&file| &shares[&Square::new(file, rank)]);
            let cells: String = cells.map(|share| format!("{share:>cell$}")).collect();
            grid.push(format!("{:>margin$}{cells}", rank + 1));
        }
        let names: String = head.iter().map(|name| format!("{name:>cell$}")).collect();
        grid.push(format!("{:>margin$}{names}", ""));
        Some(grid)
    }

    /// A line for each square.
    fn list(&self, out: &mut Output) -> Result<()> {
        let total = self.total.filter(|total| total.0 > 0);
        let heads = ["square", "solutions"].into_iter();
        let heads = heads.chain(total.map(|_| "share"));
        let mut lines = vec![heads.map(str::to_owned).collect()];
        for &(square, count) in &self.squares {
            let share = |total: Decimal| 100.0 * count as f64 / total.0 as f64;
            let share = total.map(|total| format!("{:.2} %", share(total)));
            let cells = [square.to_string(), grouped(count)].into_iter();
            lines.push(cells.chain(share).collect());
        }
        Ok(table::print(&lines, out)?)
    }
}

/// The letters of a file.
fn name(file: u32) -> String {
    let square = Square::new(file, 0).to_string();
    square.trim_end_matches('1').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(&str, u128)]) -> Vec<(Square, u128)> {
        let counts = counts.iter();
        counts
            .map(|&(name, count)| (name.parse().unwrap(), count))
            .collect()
    }

    #[test]
    fn complete_lines_give_the_total_and_must_agree() {
        let sum = |squares: &[_]| total(2, &counts(squares));
        assert_eq!(sum(&[("a1", 3), ("b1", 4)]).unwrap(), Some(7));
        assert_eq!(sum(&[("a1", 3)]).unwrap(), None);
        let error = sum(&[("a1", 3), ("b1", 4), ("a2", 4), ("b2", 5)]).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Mismatch);
        assert!(error.to_string().contains("rank 2"), "{error}");
    }

    #[test]
    fn a_board_is_a_grid_where_it_fits_and_a_list_where_it_does_not() {
        let mut board = BySquare {
            n: 2,
            restrict: &Restrict::default(),
            squares: counts(&[("a1", 1), ("b1", 3), ("a2", 3), ("b2", 1)]),
            total: None,
            engine: "rows".to_owned(),
            threads: 1,
            seconds: 0.0,
            version: "",
            known: "",
            double_checked: false,
        };
        assert_eq!(board.grid(80), None);
        board.total = Some(Decimal(4));
        let grid = board.grid(80).unwrap();
        assert_eq!(grid, [" 2 750 250", " 1 250 750", "     a   b"]);
        assert_eq!(board.grid(9), None);
    }
}
