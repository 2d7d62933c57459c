//! `queens count N --by-square`: how many solutions have a queen on each of some squares.
//!
//! Every square is a count of its own, with a queen required there; those that a symmetry of
//! the problem maps to each other have one in common. A solution has one queen on each rank
//! and file, so the counts of a complete one add up to the number of all solutions. Where
//! there are several, they must agree: that is a check, as is the published value.

use std::{collections::HashMap, io::Write, time::Duration};

use anyhow::Result;
use queens::{Count, Engine, Square, format::heat_map};
use serde::Serialize;

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
        humanize::{counted, duration, grouped},
        output::{Output, Paint},
        table::{self, width},
    },
};

/// The counts and what stands behind them.
struct BySquare<'a> {
    n: u32,
    restrict: &'a Restrict,
    counts: Vec<(Square, u128)>,
    /// The number of all solutions, where a whole rank or file was counted.
    total: Option<u128>,
    engines: Vec<Engine>,
    threads: usize,
    elapsed: Duration,
    double_checked: bool,
}

/// The counts as a JSON object.
#[derive(Serialize)]
struct Json<'a> {
    n: u32,
    #[serde(flatten)]
    restrict: &'a Restrict,
    squares: Vec<Cell>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Decimal>,
    engine: String,
    threads: usize,
    seconds: f64,
    version: &'a str,
    known: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    double_checked: Option<bool>,
}

#[derive(Serialize)]
struct Cell {
    square: String,
    count: Decimal,
}

pub fn run(args: &CountArgs, region: Region, out: &mut Output) -> Result<Exit> {
    let Sizes::One(n) = args.sizes else {
        return Err(Exit::Usage.because("--by-square is about one board: give a single n"));
    };
    if args.long_run.checkpoint.is_some() {
        return Err(Exit::Usage.because(
            "a checkpoint is the record of one count, and --by-square makes several: use it without --checkpoint",
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
    let found = BySquare {
        n,
        restrict: &args.restrict,
        total: total(n, &counts)?,
        counts,
        engines,
        threads,
        elapsed: session.elapsed().saturating_sub(begun),
        double_checked: args.long_run.double_check,
    };
    found.report(args, out)?;
    if let (Some(answer), [engine, ..]) = (found.answer(), &*found.engines) {
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
    fn report(&self, args: &CountArgs, out: &mut Output) -> Result<()> {
        if let Some(file) = &args.output {
            let picture = heat_map(self.n, &self.counts, self.total);
            save_or_print(file, &picture, out)?;
            if file.as_os_str() == "-" {
                return Ok(());
            }
        }
        if args.json {
            out.json(&self.object())?;
        } else if out.is_human() {
            self.words(out)?;
        } else {
            for (square, count) in &self.counts {
                writeln!(out, "{square}\t{count}")?;
            }
        }
        Ok(out.flush()?)
    }

    fn answer(&self) -> Option<Answer<'_>> {
        let total = self.total?;
        Some(Answer::plain(self.n, total, self.restrict))
    }

    fn engines(&self) -> String {
        let names: Vec<&str> = self.engines.iter().map(|engine| engine.name()).collect();
        names.join(" and ")
    }

    fn object(&self) -> Json<'_> {
        let cells = self.counts.iter().map(|&(square, count)| Cell {
            square: square.to_string(),
            count: Decimal(count),
        });
        Json {
            n: self.n,
            restrict: self.restrict,
            squares: cells.collect(),
            total: self.total.map(Decimal),
            engine: self.engines(),
            threads: self.threads,
            seconds: self.elapsed.as_secs_f64(),
            version: env!("CARGO_PKG_VERSION"),
            known: self
                .answer()
                .map_or("unknown", |answer| answer.verdict().as_str()),
            double_checked: self.double_checked.then_some(true),
        }
    }

    fn words(&self, out: &mut Output) -> Result<()> {
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
            duration(self.elapsed)
        );
        let how = how(&self.engines(), &time, self.double_checked);
        if let Some(answer) = self.answer() {
            writeln!(out, "{} {} in all", grouped(answer.value), answer.noun())?;
            out.text(Some(Paint::Dim), &how)?;
            answer.print_verdict(out)?;
        } else {
            out.text(Some(Paint::Dim), &how)?;
        }
        Ok(())
    }

    /// The board with the share of each square in thousandths, if several complete lines were
    /// counted and there is room for it.
    fn grid(&self, room: usize) -> Option<Vec<String>> {
        let total = self.total.filter(|&total| total > 0)?;
        if self.counts.len() <= self.n as usize {
            return None;
        }
        let share = |count: u128| ((2000 * count + total) / (2 * total)).to_string();
        let shares: HashMap<Square, String> = self
            .counts
            .iter()
            .map(|&(square, count)| (square, share(count)))
            .collect();
        let lines = |of: fn(Square) -> u32| {
            let mut lines: Vec<u32> = self.counts.iter().map(|(square, _)| of(*square)).collect();
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
        let mut lines = vec![vec!["square".to_owned(), "solutions".to_owned()]];
        for &(square, count) in &self.counts {
            lines.push(vec![square.to_string(), grouped(count)]);
        }
        if let Some(total) = self.total.filter(|&total| total > 0) {
            let percent = |count: u128| 100.0 * count as f64 / total as f64;
            let shares = self.counts.iter();
            let shares = shares.map(|&(_, count)| format!("{:.2} %", percent(count)));
            let column = ["share".to_owned()].into_iter().chain(shares);
            lines
                .iter_mut()
                .zip(column)
                .for_each(|(line, cell)| line.push(cell));
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
            counts: counts(&[("a1", 1), ("b1", 3), ("a2", 3), ("b2", 1)]),
            total: None,
            engines: vec![Engine::Rows],
            threads: 1,
            elapsed: Duration::ZERO,
            double_checked: false,
        };
        assert_eq!(board.grid(80), None);
        board.total = Some(4);
        let grid = board.grid(80).unwrap();
        assert_eq!(grid, [" 2 750 250", " 1 250 750", "     a   b"]);
        assert_eq!(board.grid(9), None);
    }
}
