//! A benchmark as text: a table with bars for a person, CSV for a spreadsheet, Markdown
//! for a page.

use std::{fmt::Write, time::Duration};

use super::report::{Case, Figures, Report};
use crate::cli::report::{
    humanize::{counted, duration, short},
    machine::Machine,
    table::{Table, width},
};

/// The cells of a bar of perfect scaling on the most threads.
const FEWEST_CELLS: usize = 8;
const MOST_CELLS: usize = 24;

const HEADS: [&str; 8] = [
    "threads",
    "best",
    "median",
    "spread",
    "solutions/s",
    "speed-up",
    "efficiency",
    "idle",
];

/// The columns, the most important first.
const IMPORTANT: [usize; 8] = [0, 1, 5, 6, 4, 2, 3, 7];

/// The cells of a line, in the order of [`HEADS`].
fn cells(figures: &Figures) -> [String; 8] {
    let time = |seconds| duration(Duration::from_secs_f64(seconds));
    let known = |text: Option<String>| text.unwrap_or("-".to_owned());
    [
        figures.threads.to_string(),
        time(figures.time.best),
        time(figures.time.median),
        percent(figures.time.spread),
        short(figures.solutions_per_second),
        known(figures.speed_up.map(|speed_up| format!("{speed_up:.2}"))),
        known(figures.efficiency.map(percent)),
        percent(figures.idle),
    ]
}

pub fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}

/// What a case is.
pub fn heading(case: &Case) -> String {
    let count = case.count.as_ref().and_then(|count| count.parse().ok());
    let count = count.map_or(String::new(), |count: u128| {
        format!(", {}", counted(count, "solution"))
    });
    let Case { n, engine, cpu, .. } = case;
    format!("n = {n}, {engine} engine, {cpu} kernel{count}")
}

/// What Amdahl's law makes of a case.
pub fn amdahl(case: &Case, machine: &Machine) -> Option<String> {
    let serial = case.serial_fraction(machine)?;
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

/// The head of a table and its lines, with as much as fits on a line of the terminal. The
/// bar is the speed-up; dots lead on to where it would be perfect.
pub fn lines(case: &Case, room: usize) -> (String, Vec<String>) {
    let figures = case.figures();
    let most = figures.iter().map(|figures| figures.threads).max();
    let rows: Vec<_> = figures.iter().map(cells).collect();
    let column = |column: usize| {
        let cells = rows.iter().map(|row| &*row[column]);
        width(cells.chain([HEADS[column]]))
    };
    let table = Table::new((0..HEADS.len()).map(column).collect(), &IMPORTANT, room);
    let head = table.row(&HEADS);
    let left = room.saturating_sub(head.chars().count() + 2);
    let lines = rows.iter().zip(&figures).map(|(row, figures)| {
        let bar = match left {
            ..FEWEST_CELLS => String::new(),
            left => bar(figures, most.unwrap_or(1), left.min(MOST_CELLS)),
        };
        format!("{}  {bar}", table.row(row)).trim_end().to_owned()
    });
    let lines = lines.collect();
    (head, lines)
}

/// A bar whose full length is that of a perfect speed-up on the most threads.
fn bar(figures: &Figures, most: usize, full: usize) -> String {
    let Some(speed_up) = figures.speed_up else {
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
    let mut text = "n,engine,kernel,count,threads,runs,best_seconds,median_seconds,spread,\
solutions_per_second,speed_up,efficiency,idle,serial_fraction\n"
        .to_owned();
    for case in &report.cases {
        let serial = case.serial_fraction(&report.machine);
        for figures in case.figures() {
            let number =
                |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                case.n,
                case.engine,
                case.cpu,
                case.count.as_deref().unwrap_or_default(),
                figures.threads,
                figures.runs,
                figures.time.best,
                figures.time.median,
                figures.time.spread,
                figures.solutions_per_second,
                number(figures.speed_up),
                number(figures.efficiency),
                figures.idle,
                number(serial),
            );
        }
    }
    text
}

/// A table for each case, and what it was measured on.
pub fn markdown(report: &Report) -> String {
    let mut text = String::new();
    for case in report.cases.iter().filter(|case| case.count.is_some()) {
        let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        text += &format!("**{}**\n\n", heading(case));
        text += &row(&HEADS.map(str::to_owned));
        text += &row(&HEADS.map(|_| "---:".to_owned()));
        for figures in case.figures() {
            text += &row(&cells(&figures));
        }
        text += &amdahl(case, &report.machine).map_or(String::new(), |fit| format!("\n{fit}\n"));
        text += "\n";
    }
    text + &format!("{}\n", footing(report))
}

/// What it was measured on, and how.
pub fn footing(report: &Report) -> String {
    let machine = &report.machine;
    let most = report.cases.iter().flat_map(Case::figures);
    let most = most.map(|figures| figures.runs).max().unwrap_or(0);
    format!(
        "queens {} on {}, {} physical and {}, {}; {} of each, in turns",
        report.version,
        report.processor(),
        machine.physical_cores,
        counted(machine.logical_cores, "logical core"),
        machine.os,
        counted(most, "run"),
    )
}

#[cfg(test)]
mod tests {
    use super::{super::report::tests::example, *};

    #[test]
    fn a_table_lines_up_and_its_bars_grow_with_the_speed() {
        let report = example();
        let (head, rows) = lines(&report.cases[0], 120);
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
        let (head, rows) = lines(&report.cases[0], 40);
        assert_eq!(head, "threads    best  speed-up  efficiency");
        assert_eq!(rows[1], "      2  2.00 s      2.00     100.0 %");
    }

    #[test]
    fn the_tables_hold_every_point() {
        let report = example();
        let csv = csv(&report);
        let columns: Vec<_> = csv.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(columns, [14; 4]);
        assert!(csv.contains("\n15,rows,portable,2279184,2,3,2,2.5,0.5,1139592,2,1,0.005,0\n"));
        let markdown = markdown(&report);
        assert_eq!(markdown.matches("\n| ").count(), 2 + 2 + 3);
        assert!(
            markdown.contains("| 2 | 2.00 s | 2.50 s | 50.0 % |"),
            "{markdown}"
        );
    }

    #[test]
    fn the_law_of_amdahl_in_words() {
        let mut report = example();
        assert!(
            amdahl(&report.cases[0], &report.machine)
                .unwrap()
                .contains("no limit")
        );
        for run in &mut report.cases[0].points[1].runs {
            run.seconds = 2.2;
        }
        let words = amdahl(&report.cases[0], &report.machine).unwrap();
        assert!(words.starts_with("serial fraction 10.00 %"), "{words}");
        assert!(words.contains("at most 10.0 times"), "{words}");
    }
}
