//! Draws tasks at random: in each stratum runs with a probability that follows their
//! estimated cost, and in a run any task.
//!
//! With probability p of a run of t tasks, t/p times the count of one of them has the
//! stratum's count as its mean, whatever p is (Hansen and Hurwitz 1943). If counts are
//! nearly proportional to costs, t/p times the count is nearly constant, and few draws
//! are enough. A tenth of the probability goes by the number of tasks instead, so that
//! a run whose cost was badly estimated cannot have a huge factor 1/p.
//!
//! A task that would take too long stands back for a random one of its k parts, and its
//! count for k times that of the part.

use std::ops::Range;

use super::NEIGHBOURS;
use crate::{
    engine::{Search, Slice},
    random::Random,
};

/// The part of the probability that goes by the number of tasks.
const BY_TASKS: f64 = 0.1;

/// Tasks of a kind.
#[derive(Debug)]
pub(super) struct Stratum {
    pub(super) tasks: Range<u64>,
    /// The sum of the costs of its runs.
    pub(super) cost: f64,
    /// Into how many parts its tasks can be cut.
    most_slices: u32,
}

impl Stratum {
    pub(super) fn len(&self) -> u64 {
        self.tasks.end - self.tasks.start
    }

    /// As much work as so many draws it is to count it.
    pub(super) fn draws_to_count(&self) -> u64 {
        self.len().div_ceil(NEIGHBOURS)
    }

    /// Whether its tasks can be looked at in part and, as they cost more than `dear`
    /// on the mean, are.
    pub(super) fn is_dear(&self, dear: f64) -> bool {
        self.most_slices > 1 && self.cost > dear * self.len() as f64
    }
}

/// A task drawn at random.
#[derive(Debug, Clone)]
pub(super) struct Draw {
    pub(super) stratum: usize,
    /// Its run, and the run's probability.
    pub(super) run: Range<u64>,
    pub(super) probability: f64,
    pub(super) task: u64,
    pub(super) part: Slice,
}

/// The strata that have tasks.
pub(super) fn strata(search: &dyn Search) -> Vec<Stratum> {
    let strata = search.strata().into_iter().enumerate();
    let strata = strata.filter(|(_, tasks)| !tasks.is_empty());
    let mut strata: Vec<Stratum> = strata
        .map(|(number, tasks)| Stratum {
            tasks,
            cost: 0.0,
            most_slices: search.most_slices(number),
        })
        .collect();
    for (stratum, _, cost) in runs(search, &ends(&strata)) {
        strata[stratum].cost += cost;
    }
    strata
}

/// Draws so many tasks in each stratum, with replacement. A task that is estimated to
/// cost more than `dear` is cut into parts.
pub(super) fn draw(
    search: &dyn Search,
    strata: &[Stratum],
    numbers: &[usize],
    dear: f64,
    random: &mut Random,
) -> Vec<Vec<Draw>> {
    // Points on the line from 0 to 1, on which runs lie in order, the last one last.
    let mut points: Vec<Vec<f64>> = numbers
        .iter()
        .map(|&number| {
            let mut points: Vec<f64> = (0..number).map(|_| random.unit()).collect();
            points.sort_by(|a, b| b.total_cmp(a));
            points
        })
        .collect();
    let mut draws: Vec<Vec<Draw>> = vec![Vec::new(); strata.len()];
    let mut ends_at = vec![0.0; strata.len()];
    for (number, run, cost) in runs(search, &ends(strata)) {
        let stratum = &strata[number];
        let tasks = run.end - run.start;
        let by_tasks = tasks as f64 / stratum.len() as f64;
        let by_cost = match stratum.cost > 0.0 {
            true => cost / stratum.cost,
            false => by_tasks,
        };
        let probability = BY_TASKS * by_tasks + (1.0 - BY_TASKS) * by_cost;
        ends_at[number] += probability;
        // Sums are rounded: what is left at the end belongs to the last run.
        let is_last = run.end == stratum.tasks.end;
        let end = if is_last { f64::MAX } else { ends_at[number] };
        let parts = (cost / tasks as f64 / dear).ceil();
        let of = (parts as u32).min(stratum.most_slices).next_power_of_two();
        while points[number].pop_if(|point| *point < end).is_some() {
            draws[number].push(Draw {
                stratum: number,
                run: run.clone(),
                probability,
                task: run.start + random.below(tasks),
                part: Slice {
                    index: random.below(of.into()) as u32,
                    of,
                },
            });
        }
    }
    // In a random order, so that any first ones are a sample, too.
    for draws in &mut draws {
        random.shuffle(draws);
    }
    draws
}

fn ends(strata: &[Stratum]) -> Vec<u64> {
    strata.iter().map(|stratum| stratum.tasks.end).collect()
}

/// The runs that have tasks, with their stratum and their cost. A run lies in one
/// stratum.
fn runs<'a>(
    search: &'a dyn Search,
    ends: &'a [u64],
) -> impl Iterator<Item = (usize, Range<u64>, f64)> + 'a {
    let (mut next, mut stratum) = (0, 0);
    let runs = search.runs().filter(|run| run.tasks > 0);
    runs.map(move |run| {
        let tasks = next..next + run.tasks;
        next = tasks.end;
        while ends[stratum] < tasks.end {
            stratum += 1;
        }
        (stratum, tasks, run.cost as f64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_cut_is_never_dear() {
        let stratum = |most_slices| Stratum {
            tasks: 0..10,
            cost: 1e12,
            most_slices,
        };
        assert!(stratum(2).is_dear(1e10) && !stratum(1).is_dear(1e10));
        assert!(!stratum(2).is_dear(1e11));
    }
}
