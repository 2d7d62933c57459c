//! Says what was measured, in every form that was asked for, and what it means.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::Result;

use super::{
    BenchArgs, baseline,
    file::Sealed,
    load,
    report::{Point, Report},
    score::Score,
    table::{self, Rows},
};
use crate::cli::{
    commands::plot,
    exit::Exit,
    report::{
        atomic_file::save,
        humanize::{bytes, counted, of_threads},
        output::{Output, Paint},
    },
};

/// From this spread on something else was running.
const BUSY: f64 = 0.1;

impl BenchArgs {
    /// Prints and writes the result, and compares it with the baseline.
    pub(super) fn show(
        &self,
        report: &Report,
        baseline: Option<&Report>,
        out: &mut Output,
    ) -> Result<Exit> {
        let write = |path: &Option<PathBuf>, text: &dyn Fn() -> String| match path {
            Some(path) => save(path, &text()),
            None => Ok(()),
        };
        write(&self.export_csv, &|| table::csv(report))?;
        write(&self.export_markdown, &|| table::markdown(report))?;
        if let Some(path) = &self.plot {
            save(path, &plot::draw(std::slice::from_ref(report), &[], None)?)?;
        }
        match (self.json, out.is_human(), &report.score) {
            (true, ..) => out.json(&Sealed::new(report)?)?,
            (false, true, _) => print(report, out)?,
            (false, false, None) => write!(out, "{}", table::csv(report))?,
            (false, false, Some(score)) => {
                let Score {
                    single,
                    all_threads,
                    ..
                } = score;
                write!(out, "single\t{single}\nall\t{all_threads}\n")?
            }
        }
        out.flush()?;
        warn(report, out);
        let Some(old) = baseline else {
            return Ok(Exit::Done);
        };
        let verdicts = baseline::compare(old, report, self.tolerance / 100.0);
        let slower = verdicts.iter().filter(|verdict| verdict.regression).count();
        for verdict in &verdicts {
            if self.json || !out.is_human() {
                out.note(&verdict.line)
            } else {
                out.text(None, &verdict.line)?
            }
        }
        match slower {
            0 => Ok(Exit::Done),
            slower => {
                out.flush()?;
                Err(Exit::No.because(format!(
                    "slower than {} by more than {} % at {slower} of {}",
                    self.baseline.as_deref().unwrap_or(Path::new("")).display(),
                    self.tolerance,
                    counted(verdicts.len(), "point")
                )))
            }
        }
    }
}

/// The table, for a person, and below it the score.
fn print(report: &Report, out: &mut Output) -> Result<()> {
    out.text(Some(Paint::Bold), &table::heading(report))?;
    let (head, lines) = Rows::of(report).lines(out.width());
    let head = out.paint(Paint::Dim, head);
    writeln!(out, "{head}")?;
    for line in lines {
        writeln!(out, "{line}")?;
    }
    if let Some(fit) = table::amdahl(report) {
        out.text(None, &fit)?;
    }
    writeln!(out)?;
    let memory = report.peak_memory_bytes;
    let memory = memory.map_or(String::new(), |memory| {
        format!(", peak memory {}", bytes(memory))
    });
    out.text(Some(Paint::Dim), &(table::footing(report) + &memory))?;
    if let Some(score) = &report.score {
        let threads = counted(score.threads, "thread");
        let meaning = format!("version {}; 1000 is {}", score.version, score.reference);
        writeln!(out)?;
        out.page(&[
            ("single thread", score.single.to_string()),
            ("all threads", format!("{} ({threads})", score.all_threads)),
            ("score", meaning),
        ])?;
    }
    Ok(())
}

/// Says when threads had nothing to do, and when the times are not to be trusted.
fn warn(report: &Report, out: &Output) {
    for case in &report.cases {
        let (n, engine) = (case.n, &case.engine);
        let few = |point: &&Point| point.threads_used.is_some_and(|used| used < point.threads);
        if let Some(Point {
            threads,
            threads_used: Some(used),
            ..
        }) = case.points.iter().rfind(few)
        {
            out.note(format_args!(
                "warning: n = {n}, {engine} engine: only {} had work",
                of_threads(*used, *threads)
            ));
        }
    }
    let spreads = report.figures().map(|figures| figures.time.spread());
    let spread = spreads.fold(0.0, f64::max);
    let advice = "measure again when it is idle, or with --wait-idle";
    if let Some(lost) = load::lost(report) {
        out.note(format_args!(
            "warning: other work took up to {} of the processor time of a point: {advice}",
            table::percent(lost)
        ));
    } else if spread > BUSY {
        out.note(format_args!(
            "warning: the times of a point differ by up to {}: the machine was busy, {advice}",
            table::percent(spread)
        ));
    }
}
