//! A benchmark as text: a table with bars for a person, CSV for a spreadsheet, Markdown
//! for a page.

use std::fmt::Write;

use super::report::{Case, Figures, Report};
use crate::cli::report::{
    humanize::{counted, grouped, rounded, seconds, short},
    table::Table,
};

/// The cells of a bar of perfect scaling on the most threads.
const FEWEST_CELLS: usize = 8;
const MOST_CELLS: usize = 24;

const HEADS: [&str; 12] = [
    "n",
    "engine",
    "solutions",
    "threads",
    "best",
    "median",
    "spread",
    "solutions/s",
    "speed-up",
    "efficiency",
    "idle",
    "serial",
];

/// What the heading says of a single case.
const OF_A_CASE: [usize; 4] = [0, 1, 2, 11];

/// The columns, the most important first.
const IMPORTANT: [usize; 12] = [0, 1, 3, 4, 8, 9, 7, 5, 6, 10, 11, 2];

/// Every point as a row of one table.
pub struct Rows {
    figures: Vec<Figures>,
    /// The head, [`HEADS`], and below it a line for each point.
    lines: Vec<Vec<String>>,
    /// The columns to show, the most important first.
    columns: Vec<usize>,
}

/// The cases that have been counted.
fn counted_cases(report: &Report) -> Vec<&Case> {
    let cases = report.cases.iter();
    cases.filter(|case| case.count.is_some()).collect()
}

impl Rows {
    pub fn of(report: &Report) -> Rows {
        let cases = counted_cases(report);
        let mut figures = Vec::new();
        let mut lines = vec![HEADS.map(str::to_owned).to_vec()];
        for &case in &cases {
            let points = case.figures(&report.machine);
            let last = points.len().saturating_sub(1);
            for (place, point) in points.into_iter().enumerate() {
                // The law is fitted to all points of a case and stands beside the last.
                let serial = case.serial_fraction(&report.machine);
                let serial = serial.filter(|_| place == last);
                lines.push(cells(case, &point, serial));
                figures.push(point);
            }
        }
        let several = cases.len() > 1;
        let columns = IMPORTANT.into_iter();
        let columns = columns.filter(|column| several || !OF_A_CASE.contains(column));
        Rows {
            figures,
            lines,
            columns: columns.collect(),
        }
    }

    /// The head of a table and its lines, with as much as fits on a line of the terminal.
    /// The bar is the speed-up; dots lead on to where it would be perfect.
    pub fn lines(&self, room: usize) -> (String, Vec<String>) {
        let most = self.figures.iter().map(|figures| figures.threads).max();
        let table = Table::of(&self.lines, &self.columns, room);
        let (head, lines) = (table.row(&HEADS), &self.lines[1..]);
        let left = room.saturating_sub(head.chars().count() + 2);
        let lines = lines.iter().zip(&self.figures).map(|(cells, figures)| {
            let bar = match left {
                ..FEWEST_CELLS => String::new(),
                left => bar(figures, most.unwrap_or(1), left.min(MOST_CELLS)),
            };
            format!("{}  {bar}", table.row(cells)).trim_end().to_owned()
        });
        (head, lines.collect())
    }

    fn markdown(&self) -> String {
        let mut columns = self.columns.clone();
        columns.sort_unstable();
        let row = |cells: &Vec<String>| {
            let cells: Vec<_> = columns.iter().map(|&column| &*cells[column]).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut rows: Vec<String> = self.lines.iter().map(row).collect();
        rows.insert(1, row(&vec!["---:".to_owned(); HEADS.len()]));
        rows.concat()
    }
}

fn cells(case: &Case, figures: &Figures, serial: Option<f64>) -> Vec<String> {
    let known = |text: Option<String>| text.unwrap_or("-".to_owned());
    vec![
        case.n.to_string(),
        case.engine.clone(),
        known(case.count.map(|count| grouped(count.0))),
        figures.threads.to_string(),
        seconds(figures.time.best),
        seconds(figures.time.median),
        percent(figures.time.spread()),
        short(figures.solutions_per_second),
        known(figures.speed_up.map(|speed_up| format!("{speed_up:.2}"))),
        known(figures.efficiency.map(percent)),
        percent(figures.idle),
        serial.map_or(String::new(), |serial| format!("{:.2} %", 100.0 * serial)),
    ]
}

pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// What all of it is: a case, or the kernels of several.
pub fn heading(report: &Report) -> String {
    match counted_cases(report)[..] {
        [case] => {
            let count = case.count.map_or(String::new(), |count| {
                format!(", {}", counted(count.0, "solution"))
            });
            let Case { n, engine, cpu, .. } = case;
            format!("n = {n}, {engine} engine, {cpu} kernel{count}")
        }
        ref cases => {
            let mut engines: Vec<String> = Vec::new();
            for Case { engine, cpu, .. } in cases {
                let words = format!("{engine} engine, {cpu} kernel");
                if !engines.contains(&words) {
                    engines.push(words);
                }
            }
            engines.join("; ")
        }
    }
}

/// What Amdahl's law makes of a single case, in words; of several, the table has it.
pub fn amdahl(report: &Report) -> Option<String> {
    let [case] = counted_cases(report)[..] else {
        return None;
    };
    let serial = case.serial_fraction(&report.machine)?;
    let limit = match 1.0 / serial {
        limit if limit < 1000.0 => {
            format!("at most {limit:.1} times as fast on any number of threads")
        }
        _ => "no limit in sight".to_owned(),
    };
    let percent = 100.0 * serial;
    Some(format!(
        "serial fraction {percent:.2} % (Amdahl's law, fitted): {limit}"
    ))
}

/// A bar whose full length is that of a perfect speed-up on the most threads.
fn bar(figures: &Figures, most: usize, full: usize) -> String {
    let Some(speed_up) = figures.speed_up.filter(|_| most > 1) else {
        return String::new();
    };
    let cells = |threads: f64| (threads / most as f64 * full as f64).round() as usize;
    let (done, ideal) = (cells(speed_up).min(full), cells(figures.threads as f64));
    format!(
        "{}{}",
        "#".repeat(done),
        ".".repeat(ideal.saturating_sub(done))
    )
}

/// One line for each point.
pub fn csv(report: &Report) -> String {
    let mut text = "n,engine,kernel,count,threads,runs,best_seconds,median_seconds,mean_seconds,\
deviation_seconds,spread,solutions_per_second,speed_up,efficiency,idle,processor_share,\
serial_fraction\n"
        .to_owned();
    for case in &report.cases {
        let serial = case.serial_fraction(&report.machine);
        for figures in case.figures(&report.machine) {
            let numbers = [
                Some(figures.time.best),
                Some(figures.time.median),
                Some(figures.time.mean),
                figures.time.deviation,
                Some(figures.time.spread()),
                Some(figures.solutions_per_second),
                figures.speed_up,
                figures.efficiency,
                Some(figures.idle),
                figures.share,
                serial,
            ];
            let numbers = numbers.map(|number| number.map_or(String::new(), rounded));
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{}",
                case.n,
                case.engine,
                case.cpu,
                case.count
                    .map_or(String::new(), |count| count.0.to_string()),
                figures.threads,
                figures.runs,
                numbers.join(","),
            );
        }
    }
    text
}

/// One table, and what it was measured on.
pub fn markdown(report: &Report) -> String {
    let table = Rows::of(report).markdown();
    let fit = amdahl(report).map_or(String::new(), |fit| format!("\n{fit}\n"));
    let (heading, footing) = (heading(report), footing(report));
    format!("**{heading}**\n\n{table}{fit}\n{footing}\n")
}

/// What it was measured on, and how.
pub fn footing(report: &Report) -> String {
    let machine = &report.machine;
    let most = report.points().map(|point| point.runs.len()).max();
    format!(
        "queens {} on {}, {} physical and {}, {}; {} of each, in turns",
        report.version,
        report.processor(),
        machine.physical_cores,
        counted(machine.logical_cores, "logical core"),
        machine.os,
        counted(most.unwrap_or(0), "run"),
    )
}

#[cfg(test)]
mod tests {
    use super::{super::report::tests::example, *};

    fn single() -> Report {
        let mut report = example();
        report.cases.truncate(1);
        report
    }

    #[test]
    fn a_table_lines_up_and_its_bars_grow_with_the_speed() {
        let report = single();
        let (head, rows) = Rows::of(&report).lines(120);
        assert_eq!(
            head,
            "threads    best  median  spread  solutions/s  speed-up  efficiency   idle"
        );
        assert_eq!(
            rows,
            [
                "      1  4.00 s  4.10 s  10.0 %        570 k      1.00     100.0 %  1.0 %  ############",
                "      2  2.00 s  2.50 s  50.0 %       1.14 M      2.00     100.0 %  0.5 %  ########################",
            ]
        );
        assert!(heading(&report).starts_with("n = 15, rows engine"));
        let (head, rows) = Rows::of(&report).lines(40);
        assert_eq!(head, "threads    best  speed-up  efficiency");
        assert_eq!(rows[1], "      2  2.00 s      2.00     100.0 %");
    }

    #[test]
    fn several_boards_and_engines_are_rows_of_one_table() {
        let report = example();
        let (head, rows) = Rows::of(&report).lines(usize::MAX);
        let words = |line: &str| {
            line.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words(&head)[..5],
            ["n", "engine", "solutions", "threads", "best"]
        );
        let starts = rows.iter().map(|row| words(row)[..4].join(" "));
        assert_eq!(
            starts.collect::<Vec<_>>(),
            [
                "15 rows 2,279,184 1",
                "15 rows 2,279,184 2",
                "15 colours 2,279,184 2"
            ]
        );
        // The serial fraction stands beside the last point of its case.
        let fits: Vec<_> = rows.iter().map(|row| row.contains("0.00 %")).collect();
        assert_eq!(fits, [false, true, false]);
        assert_eq!(
            heading(&report),
            "rows engine, portable kernel; colours engine, portable kernel"
        );
        let (head, _) = Rows::of(&report).lines(40);
        assert_eq!(words(&head), ["n", "engine", "threads", "best", "speed-up"]);
    }

    #[test]
    fn the_tables_hold_every_point() {
        let report = example();
        let csv = csv(&report);
        let columns: Vec<_> = csv.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(columns, [17; 4]);
        let line = "\n15,rows,portable,2279184,2,3,2,2.5,2.5,0.5,0.5,1140000,2,1,0.005,0.995,0\n";
        assert!(csv.contains(line), "{csv}");
        let markdown = markdown(&report);
        assert_eq!(markdown.matches("\n| ").count(), 2 + 3);
        assert!(
            markdown.contains("| 15 | rows | 2,279,184 | 2 | 2.00 s | 2.50 s | 50.0 % |"),
            "{markdown}"
        );
    }

    #[test]
    fn the_law_of_amdahl_in_words() {
        let mut report = single();
        assert!(amdahl(&report).unwrap().contains("no limit"));
        for run in &mut report.cases[0].points[1].runs {
            run.seconds = 2.2;
        }
        let words = amdahl(&report).unwrap();
        assert!(words.starts_with("serial fraction 10.00 %"), "{words}");
        assert!(words.contains("at most 10.0 times"), "{words}");
    }
}
