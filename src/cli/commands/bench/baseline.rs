//! Compares a benchmark with an earlier one, point by point.

use anyhow::Result;

use super::{
    report::{Case, Point, Report},
    scaling::Change,
    table::percent,
};
use crate::cli::exit::Exit;

/// A point that both benchmarks have.
struct Pair<'a> {
    case: &'a Case,
    old_case: &'a Case,
    point: &'a Point,
    old: &'a Point,
}

fn pairs<'a>(old: &'a Report, new: &'a Report) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    for case in &new.cases {
        let same = |old: &&Case| old.n == case.n && old.engine == case.engine;
        let Some(old_case) = old.cases.iter().find(same) else {
            continue;
        };
        for point in &case.points {
            let same = |old: &&Point| old.threads == point.threads && !old.runs.is_empty();
            let old = old_case.points.iter().find(same);
            pairs.extend(old.map(|old| Pair {
                case,
                old_case,
                point,
                old,
            }));
        }
    }
    pairs
}

/// Before anything is measured: whether there is something to compare.
pub fn check_common(old: &Report, new: &Report, name: &str) -> Result<()> {
    if !pairs(old, new).is_empty() {
        return Ok(());
    }
    Err(Exit::Usage.because(format!(
        "{name} has none of the points of this benchmark: use the same --n, --engine and --threads, or the same --workload"
    )))
}

/// Why a comparison may mean little.
pub fn doubts(old: &Report, new: &Report) -> Vec<String> {
    let mut doubts = Vec::new();
    let mut differ = |what: &str, old: &str, new: &str| {
        if old != new {
            doubts.push(format!("the baseline has {what} {old}, now it is {new}"));
        }
    };
    differ("the processor", old.processor(), new.processor());
    if let Some(pair) = pairs(old, new).first() {
        differ("the kernel", &pair.old_case.cpu, &pair.case.cpu);
    }
    if !old.complete {
        doubts.push("the baseline was interrupted".to_owned());
    }
    doubts
}

/// What became of one point.
pub struct Verdict {
    pub line: String,
    pub regression: bool,
}

/// Every point that both have, measured against this tolerance.
pub fn compare(old: &Report, new: &Report, tolerance: f64) -> Vec<Verdict> {
    let verdicts = pairs(old, new).into_iter().filter_map(|pair| {
        let change = Change::between(&pair.old.seconds(), &pair.point.seconds())?;
        let regression = change.is_regression(tolerance);
        let word = match change.ratio - 1.0 {
            _ if regression => "SLOWER",
            by if by.abs() <= tolerance.max(change.noise) => "about the same",
            _ => "faster",
        };
        let Case { n, engine, .. } = pair.case;
        let (threads, noise) = (pair.point.threads, percent(change.noise));
        Some(Verdict {
            line: format!(
                "n = {n}, {engine}, threads {threads}: {:.3} of the baseline's time (noise {noise}), {word}",
                change.ratio
            ),
            regression,
        })
    });
    verdicts.collect()
}

#[cfg(test)]
mod tests {
    use super::{super::report::tests::example, *};

    #[test]
    fn each_common_point_is_judged_once() {
        let old = example();
        let mut new = example();
        new.cases[1].points[0].threads = 4;
        for run in &mut new.cases[0].points[0].runs {
            run.seconds *= 1.2;
        }
        let verdicts = compare(&old, &new, 0.05);
        let regressions: Vec<_> = verdicts.iter().map(|verdict| verdict.regression).collect();
        assert_eq!(regressions, [true, false]);
        assert!(verdicts[0].line.contains("1.200"), "{}", verdicts[0].line);
        assert!(verdicts[0].line.contains("SLOWER"), "{}", verdicts[0].line);
        assert!(!compare(&old, &new, 0.25)[0].regression);
        check_common(&old, &new, "old.json").unwrap();
    }

    #[test]
    fn a_baseline_of_something_else_is_refused() {
        let (old, mut new) = (example(), example());
        for case in &mut new.cases {
            case.n = 9;
        }
        let error = check_common(&old, &new, "old.json").unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Usage);
        assert!(error.to_string().contains("old.json"));
    }

    #[test]
    fn another_machine_is_a_reason_for_doubt() {
        let mut old = example();
        old.complete = true;
        assert!(doubts(&old, &example()).is_empty());
        let mut new = example();
        new.machine.cpu_model = Some("an abacus".to_owned());
        assert!(doubts(&old, &new)[0].contains("an abacus"));
        assert_eq!(doubts(&example(), &example()).len(), 1);
    }
}
