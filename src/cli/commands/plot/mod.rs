//! `queens plot`: pictures of benchmarks, also of several machines in one.

mod axis;
mod chart;
mod speed_up;

use std::{collections::BTreeSet, path::PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};

use self::{
    axis::{Axis, Scale, Values},
    chart::{Chart, Line, Stroke},
};
use crate::cli::{
    commands::{
        bench::{
            file,
            report::{Figures, Report},
        },
        ledger::simulated::RecordedRun,
    },
    exit::Exit,
    report::{
        atomic_file::{save_or_print, svg},
        humanize::counted,
        output::Output,
    },
};

const EXAMPLES: &str = "\
Examples:
  queens bench --n 12 --threads 1,2 --export-json a.json
  queens bench --n 13 --threads 1,2 --export-json b.json
  queens plot a.json -o a.svg                              one result
  queens plot a.json b.json -o ab.svg                      of two machines
  queens plot a.json b.json --kind time -o time.svg        time against n
  queens plot a.json b.json --kind throughput -o rate.svg  solutions a second
  queens count 12 --threads 1 --checkpoint twelve.jsonl
  queens plot a.json --ledger twelve.jsonl -o many.svg     simulated threads";

/// Draw the results of benchmarks as an SVG picture
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PlotArgs {
    /// Files that `queens bench --export-json` wrote, or names of reference results
    #[arg(value_name = "RESULTS.json", required_unless_present = "ledger")]
    results: Vec<PathBuf>,

    /// Add the speed-up on up to 128 threads, simulated from the times in these ledgers
    ///
    /// Record them on one thread of an idle machine, with `queens count --threads 1
    /// --checkpoint`. As in a run, a thread that is free takes the next block of the plan, or
    /// helps with one. What real threads share (caches, memory, the clock rate) is not
    /// simulated. Ledgers of one plan, such as shards, are parts of one run.
    #[arg(long, value_name = "RUN.jsonl", num_args = 1..)]
    ledger: Vec<PathBuf>,

    /// The file to write ("-" is standard output)
    #[arg(short, long, value_name = "FILE.svg", value_parser = svg)]
    output: PathBuf,

    /// What to draw; without it, time if there are several n, else speed-up
    #[arg(long)]
    kind: Option<Kind>,
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Time against n
    Time,
    /// Speed-up against threads
    SpeedUp,
    /// Solutions per second against n
    Throughput,
}

impl PlotArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let reports = self.results.iter().map(|path| file::read(path));
        let reports = reports.collect::<Result<Vec<_>>>()?;
        let recorded = RecordedRun::read(&self.ledger)?;
        for doubt in recorded.iter().filter_map(RecordedRun::doubt) {
            out.note(format_args!("warning: {doubt}"));
        }
        let picture = draw(&reports, &recorded, self.kind)?;
        save_or_print(&self.output, &picture, out)?;
        Ok(Exit::Done)
    }
}

/// The picture of these benchmarks and recorded runs.
pub fn draw(reports: &[Report], recorded: &[RecordedRun], kind: Option<Kind>) -> Result<String> {
    let kind = kind.unwrap_or_else(|| {
        if recorded.is_empty() && reports.iter().any(has_several_sizes) {
            Kind::Time
        } else {
            Kind::SpeedUp
        }
    });
    if kind != Kind::SpeedUp && !recorded.is_empty() {
        return Err(
            Exit::Usage.because("--ledger simulates a speed-up: draw it with --kind speed-up")
        );
    }
    let chart = chart(reports, recorded, kind);
    let is_there = |line: &Line| matches!(line.stroke, Stroke::Points | Stroke::Simulated);
    if chart.lines.iter().any(is_there) {
        return Ok(chart.svg());
    }
    Err(Exit::Usage.because(if kind == Kind::SpeedUp {
        "there is no speed-up to draw: measure with one thread, too, as in `queens bench --threads 1,2`"
    } else {
        "there is nothing to draw: no run was measured"
    }))
}

fn chart(reports: &[Report], recorded: &[RecordedRun], kind: Kind) -> Chart {
    match kind {
        Kind::SpeedUp => speed_up::chart(reports, recorded),
        Kind::Time => {
            let y = Axis::new("best time", Scale::Log(10.0), Values::Seconds);
            let what = "Time to count all solutions";
            against_n(reports, what, y, |figures| figures.time.best)
        }
        Kind::Throughput => {
            let y = Axis::new("solutions per second", Scale::Log(10.0), Values::Rate);
            let rate = |figures: &Figures| figures.solutions_per_second;
            against_n(reports, "Solutions per second", y, rate)
        }
    }
}

/// Whether an engine counted boards of several sides.
fn has_several_sizes(report: &Report) -> bool {
    let engines: BTreeSet<_> = report.cases.iter().map(|case| &case.engine).collect();
    engines.len() < report.cases.len()
}

/// A line for each engine, on the fewest threads and on the most.
fn against_n(reports: &[Report], what: &str, y: Axis, value: impl Fn(&Figures) -> f64) -> Chart {
    let mut lines = Vec::new();
    for report in reports {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for case in &report.cases {
            // The fewest threads and the most: lines between them would say no more.
            let threads = case.points.iter().map(|point| point.threads);
            for threads in threads.clone().min().into_iter().chain(threads.max()) {
                let kind = (&*case.engine, threads);
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
        for (engine, threads) in kinds {
            let cases = report.cases.iter().filter(|case| case.engine == engine);
            let points = cases.flat_map(|case| {
                let figures = case.figures(&report.machine).into_iter();
                let same = figures.filter(|figures| figures.threads == threads);
                same.map(|figures| (f64::from(case.n), value(&figures)))
            });
            let points: Vec<_> = points.collect();
            if points.is_empty() {
                continue;
            }
            lines.push(Line {
                name: format!(
                    "{}{engine}, {}",
                    machine(reports, report),
                    counted(threads, "thread")
                ),
                stroke: Stroke::Points,
                colour: lines.len(),
                points,
            });
        }
    }
    Chart {
        title: title(what, reports),
        subtitle: subtitle(reports),
        x: Axis::new("board side n", Scale::Linear, Values::Whole),
        y,
        lines,
    }
}

/// What a line has to say of its machine and program: what is not the same for all. Results
/// of one program on one machine go by the names of their files if an engine is in both.
fn machine(reports: &[Report], report: &Report) -> String {
    let mut words = Vec::new();
    let origin = |report: &Report| (report.processor().to_owned(), report.version.clone());
    let engines = |report: &Report| -> BTreeSet<String> {
        report
            .cases
            .iter()
            .map(|case| case.engine.clone())
            .collect()
    };
    let same = reports.iter().filter(|other| {
        origin(other) == origin(report) && !engines(other).is_disjoint(&engines(report))
    });
    if same.count() > 1 {
        words.push(&*report.name);
    }
    if !alike(reports, Report::processor) {
        words.push(report.processor());
    }
    if !alike(reports, |report| &report.version) {
        words.push(&report.version);
    }
    if words.is_empty() {
        String::new()
    } else {
        format!("{}: ", words.join(" "))
    }
}

/// Whether this is the same in all of them.
fn alike<'a, T: PartialEq>(reports: &'a [Report], what: impl Fn(&'a Report) -> T) -> bool {
    let mut values = reports.iter().map(what);
    let first = values.next();
    values.all(|other| Some(other) == first)
}

fn title(what: &str, reports: &[Report]) -> String {
    match reports {
        [one, ..] if alike(reports, Report::processor) => format!("{what} on {}", one.processor()),
        _ => what.to_owned(),
    }
}

/// What is the same for all of them, of the program and the machine.
fn subtitle(reports: &[Report]) -> String {
    let cores = |report: &Report| counted(report.machine.physical_cores, "core");
    let words: [&dyn Fn(&Report) -> String; 4] = [
        &|report| format!("queens {}", report.version),
        &cores,
        &|report| report.machine.os.clone(),
        &|report| {
            if report.settings.pinned {
                "threads bound to cores".to_owned()
            } else {
                String::new()
            }
        },
    ];
    let common = words.iter().filter(|word| alike(reports, word));
    let words = common.filter_map(|word| reports.first().map(word));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{super::bench::report::tests::example, *};

    #[test]
    fn several_sizes_make_a_picture_of_time() {
        let mut report = example();
        let mut larger = report.cases[0].clone();
        larger.n = 16;
        report.cases.push(larger);
        assert!(has_several_sizes(&report));
        let chart = chart(&[report], &[], Kind::Time);
        let lines: Vec<_> = chart.lines.iter().map(|line| line.points.len()).collect();
        assert_eq!(lines, [2, 2, 1]);
        assert_eq!(chart.lines[0].points, [(15.0, 4.0), (16.0, 4.0)]);
    }

    #[test]
    fn throughput_is_solutions_by_time() {
        let chart = chart(&[example()], &[], Kind::Throughput);
        let rate = 2_279_184.0 / 4.0;
        assert_eq!(chart.lines[0].points, [(15.0, rate)]);
        let picture = draw(&[example()], &[], Some(Kind::Throughput)).unwrap();
        assert!(
            picture.contains(">1 M/s<") && picture.contains(">100 k/s<"),
            "{picture}"
        );
    }

    #[test]
    fn several_machines_are_named_line_by_line() {
        let mut other = example();
        other.machine.cpu_model = Some("Abacus <8 & more>".to_owned());
        let picture = draw(&[example(), other], &[], None).unwrap();
        assert!(
            picture.contains("Abacus &lt;8 &amp; more&gt;: rows, n = 15"),
            "{picture}"
        );
    }

    #[test]
    fn several_results_of_one_machine_are_told_apart_by_their_files() {
        let named = |name: &str| {
            let mut report = example();
            report.name = name.to_owned();
            report
        };
        let picture = draw(&[named("before"), named("after")], &[], None).unwrap();
        assert!(picture.contains("before: rows, n = 15"), "{picture}");
        assert!(picture.contains("after: rows, n = 15"), "{picture}");
        // Their engines tell them apart where these differ.
        let (mut rows, mut colours) = (named("before"), named("after"));
        rows.cases.truncate(1);
        colours.cases.remove(0);
        let picture = draw(&[rows, colours], &[], Some(Kind::Time)).unwrap();
        assert!(picture.contains(">rows, 2 threads<"), "{picture}");
        assert!(picture.contains(">colours, 2 threads<"), "{picture}");
    }

    #[test]
    fn nothing_measured_is_nothing_to_draw() {
        let mut report = example();
        report.cases.remove(0);
        let error = draw(&[report.clone()], &[], None).unwrap_err();
        assert!(error.to_string().contains("one thread"), "{error}");
        report.cases.clear();
        assert!(draw(&[report], &[], Some(Kind::Time)).is_err());
    }
}
