//! Draws tasks at random: in each stratum groups of neighbours with a probability that
//! follows their estimated cost, and in a group any task.
//!
//! With probability p of a group of t tasks, t/p times the count of one of them has the
//! stratum's count as its mean, whatever p is (Hansen and Hurwitz 1943). If counts are
//! nearly proportional to costs, t/p times the count is nearly constant, and few draws
//! are enough. A tenth of the probability goes by the number of tasks instead, so that
//! a group whose cost was badly estimated cannot have a huge factor 1/p.
//!
//! Of a task that would take too long, one of its k slices is drawn instead, and k times
//! the count of the slice stands for the count of the task.

use std::ops::Range;

use crate::{
    engine::{Search, Slice},
    random::Random,
};

/// How many neighbouring tasks are counted for a draw that is not sliced: together they
/// cost little more than one.
pub(super) const NEIGHBOURS: u64 = 3;
/// The part of the probability that goes by the number of tasks.
const BY_TASKS: f64 = 0.1;

/// Tasks of a kind.
#[derive(Debug)]
pub(super) struct Stratum {
    pub(super) tasks: Range<u64>,
    /// The sum of the costs of its groups.
    pub(super) cost: f64,
    /// Into how many slices its tasks can be divided.
    most_slices: u32,
}

impl Stratum {
    pub(super) fn len(&self) -> u64 {
        self.tasks.end - self.tasks.start
    }

    /// How many draws are as much work as to count all of it.
    pub(super) fn draws_to_count(&self) -> u64 {
        self.len().div_ceil(NEIGHBOURS)
    }

    /// Whether its tasks can be sliced and, as the average one costs more than this, are.
    pub(super) fn is_sliced(&self, above: f64) -> bool {
        self.most_slices > 1 && self.cost > above * self.len() as f64
    }
}

/// A task drawn at random.
#[derive(Debug, Clone)]
pub(super) struct Draw {
    pub(super) stratum: usize,
    /// The group that it was drawn from.
    pub(super) group: Range<u64>,
    /// The probability of the group.
    pub(super) probability: f64,
    pub(super) task: u64,
    pub(super) slice: Slice,
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
    for (stratum, _, cost) in groups(search, &ends(&strata)) {
        strata[stratum].cost += cost;
    }
    strata
}

/// Draws these numbers of tasks from the strata, with replacement. A task that is
/// estimated to cost more than `sliced_above` is sliced.
pub(super) fn draw(
    search: &dyn Search,
    strata: &[Stratum],
    numbers: &[usize],
    sliced_above: f64,
    random: &mut Random,
) -> Vec<Vec<Draw>> {
    // Points on the line from 0 to 1, on which groups lie in order, the last one last.
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
    for (number, group, cost) in groups(search, &ends(strata)) {
        let stratum = &strata[number];
        let tasks = group.end - group.start;
        let by_tasks = tasks as f64 / stratum.len() as f64;
        let by_cost = if stratum.cost > 0.0 {
            cost / stratum.cost
        } else {
            by_tasks
        };
        let probability = BY_TASKS * by_tasks + (1.0 - BY_TASKS) * by_cost;
        ends_at[number] += probability;
        // Sums are rounded: what is left at the end belongs to the last group.
        let is_last = group.end == stratum.tasks.end;
        let end = if is_last { f64::MAX } else { ends_at[number] };
        let slices = (cost / tasks as f64 / sliced_above).ceil();
        let of = (slices as u32).min(stratum.most_slices).next_power_of_two();
        while points[number].pop_if(|point| *point < end).is_some() {
            draws[number].push(Draw {
                stratum: number,
                group: group.clone(),
                probability,
                task: group.start + random.below(tasks),
                slice: Slice {
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

/// The groups that have tasks, with their stratum and their cost. A group lies in one
/// stratum.
fn groups<'a>(
    search: &'a dyn Search,
    ends: &'a [u64],
) -> impl Iterator<Item = (usize, Range<u64>, f64)> + 'a {
    let (mut next, mut stratum) = (0, 0);
    let groups = search.groups().filter(|group| group.tasks > 0);
    groups.map(move |group| {
        let tasks = next..next + group.tasks;
        next = tasks.end;
        while ends[stratum] < tasks.end {
            stratum += 1;
        }
        (stratum, tasks, group.cost as f64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_sliced_never_is() {
        let stratum = |most_slices| Stratum {
            tasks: 0..10,
            cost: 1e12,
            most_slices,
        };
        assert!(stratum(2).is_sliced(1e10) && !stratum(1).is_sliced(1e10));
        assert!(!stratum(2).is_sliced(1e11));
    }
}
