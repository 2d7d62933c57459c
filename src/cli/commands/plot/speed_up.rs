//! Speed-up against threads: what was measured, Amdahl's law fitted to it, what the blocks of
//! a recorded run would allow, and the ideal.

use super::{
    axis::{Axis, Scale, Values},
    chart::{Chart, Line, Stroke},
    machine, subtitle, title,
};
use crate::cli::commands::{
    bench::{
        report::{Case, Report},
        scaling,
    },
    ledger::simulated::{self, RecordedRun},
};

/// From this number of threads on, their axis is logarithmic.
const MANY: usize = 16;

/// The chart of these benchmarks and recorded runs.
pub fn chart(reports: &[Report], recorded: &[RecordedRun]) -> Chart {
    let cases = || reports.iter().flat_map(|report| &report.cases);
    let points = reports.iter().flat_map(Report::points);
    let measured = points.map(|point| point.threads).max().unwrap_or(1);
    let simulated = if recorded.is_empty() {
        1
    } else {
        simulated::THREADS
    };
    let most = measured.max(simulated).max(2);
    let mut lines = vec![Line {
        name: "ideal".to_owned(),
        stroke: Stroke::Ideal,
        colour: 0,
        points: vec![(1.0, 1.0), (most as f64, most as f64)],
    }];
    // Curves first: dots lie on them.
    for (index, run) in recorded.iter().enumerate() {
        let same = cases().position(|case| is_of(case, run));
        let points = run.speed_ups(most).into_iter();
        lines.push(Line {
            name: run.legend(),
            stroke: Stroke::Simulated,
            colour: same.unwrap_or(cases().count() + index),
            points: points.map(|(p, speed_up)| (p as f64, speed_up)).collect(),
        });
    }
    let word = if recorded.is_empty() {
        ""
    } else {
        ", measured"
    };
    let all = reports
        .iter()
        .flat_map(|report| report.cases.iter().map(move |case| (report, case)));
    for (colour, (report, case)) in all.enumerate() {
        let name = format!(
            "{}{}, n = {}{word}",
            machine(reports, report),
            case.engine,
            case.n
        );
        lines.extend(measured_lines(report, case, &name, colour));
    }
    let scale = if most > MANY {
        Scale::Log(2.0)
    } else {
        Scale::Linear
    };
    let what = match (reports, recorded) {
        (_, []) => "Speed-up",
        ([], _) => "Speed-up, simulated",
        _ => "Speed-up, measured and simulated,",
    };
    Chart {
        title: title(what, reports),
        subtitle: subtitle(reports),
        x: Axis::new("threads", scale, Values::Whole),
        y: Axis::new("speed-up against one thread", scale, Values::Ratio),
        lines,
    }
}

/// Whether this board was measured there, and recorded here.
fn is_of(case: &Case, run: &RecordedRun) -> bool {
    (case.n, &*case.engine) == (run.n, run.engine) && !run.is_restricted
}

/// The points of a board, and the curve that is fitted to them.
fn measured_lines(report: &Report, case: &Case, name: &str, colour: usize) -> Vec<Line> {
    let figures = case.figures(&report.machine);
    let points = figures
        .iter()
        .filter_map(|figures| Some((figures.threads as f64, figures.speed_up?)));
    let points: Vec<_> = points.collect();
    let Some(last) = points.iter().map(|point| point.0).reduce(f64::max) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    let mut fit = String::new();
    if let Some(serial) = case.serial_fraction(&report.machine) {
        fit = format!(", serial fraction {:.2} %", 100.0 * serial);
        // As far as it was measured. Equal steps of the logarithm suit both scales.
        let steps = (0..=64).map(|step| last.powf(f64::from(step) / 64.0));
        lines.push(Line {
            name: String::new(),
            stroke: Stroke::Curve,
            colour,
            points: steps.map(|p| (p, scaling::amdahl(serial, p))).collect(),
        });
    }
    lines.push(Line {
        name: format!("{name}{fit}"),
        stroke: Stroke::Points,
        colour,
        points,
    });
    lines
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::{bench::report::tests::example, ledger::simulated},
            draw,
        },
        *,
    };

    fn strokes(chart: &Chart) -> Vec<Stroke> {
        chart.lines.iter().map(|line| line.stroke).collect()
    }

    #[test]
    fn it_is_drawn_with_the_ideal_and_the_fit() {
        let chart = chart(&[example()], &[]);
        assert_eq!(
            strokes(&chart),
            [Stroke::Ideal, Stroke::Curve, Stroke::Points]
        );
        assert_eq!(chart.lines[2].points, [(1.0, 1.0), (2.0, 2.0)]);
        assert_eq!(chart.x.scale, Scale::Linear);
        assert!(draw(&[example()], &[], None).unwrap().starts_with("<svg "));
    }

    #[test]
    fn more_than_the_ideal_is_within_the_axes() {
        let mut report = example();
        for run in &mut report.cases[0].points[1].runs {
            run.seconds = 4.0 / 2.12;
        }
        let picture = draw(&[report], &[], None).unwrap();
        let heights = picture.split("cy=\"").skip(1);
        let heights = heights.map(|rest| rest.split('"').next().unwrap().parse::<f64>().unwrap());
        // The two points; the third is in the legend.
        let heights: Vec<_> = heights.take(2).collect();
        assert!(78.0 < heights[1] && heights[1] < heights[0] && heights[0] < 428.0);
    }

    #[test]
    fn a_simulation_has_the_colour_of_what_it_belongs_to_and_says_what_it_is() {
        let chart = chart(&[example()], &[simulated::tests::example()]);
        assert_eq!(
            strokes(&chart),
            [
                Stroke::Ideal,
                Stroke::Simulated,
                Stroke::Curve,
                Stroke::Points
            ]
        );
        let (simulated, measured) = (&chart.lines[1], &chart.lines[3]);
        assert_eq!(simulated.colour, measured.colour);
        assert!(simulated.name.starts_with("rows, n = 15, simulated: "));
        assert!(measured.name.starts_with("rows, n = 15, measured"));
        assert_eq!(simulated.points.last(), Some(&(128.0, 2.5)));
        assert_eq!(chart.x.scale, Scale::Log(2.0));

        // One that was not measured has a colour of its own.
        let mut other = simulated::tests::example();
        other.n = 16;
        let chart = super::chart(&[example()], &[other]);
        let other = &chart.lines[1];
        let same = chart.lines[2..]
            .iter()
            .filter(|line| line.colour == other.colour);
        assert_eq!(same.count(), 0);
    }

    #[test]
    fn a_simulation_alone_is_a_picture_too() {
        let picture = draw(&[], &[simulated::tests::example()], None).unwrap();
        assert!(picture.contains(">Speed-up, simulated<"), "{picture}");
        assert!(!picture.contains("<circle"));
    }
}
