//! What a count would cost: the cost of its plan, in the plan's own units, times the
//! seconds that a unit takes on this machine.
//!
//! Groups of tasks are drawn with a probability proportional to their cost, so the mean
//! of seconds over cost, times the cost of all, has the seconds of all groups as its
//! mean, however well the plan knows its costs (Hansen and Hurwitz 1943). How well it
//! does decides how many draws are needed. They lie evenly among the groups, so the
//! interval, which is that of independent draws, is rather too wide.
//!
//! A count goes through the groups in order, and finds much prepared by the time that it
//! comes to one: lists that its neighbours have made. So the group before a drawn one is
//! counted, too, and only the drawn one is timed, whole. Time is processor time where
//! the system tells it, so that it does not matter how busy the machine is.

use std::{ops::Range, time::Instant};

use super::{
    clock::thread_time,
    interval::{Figure, of_mean},
    workers::Workers,
};
use crate::{engine::Search, error::Error, random::Random};

/// The seconds in a unit of cost before anything is measured.
pub(super) const UNIT: f64 = 1e-9;
/// The part of what is left that the next draws may take.
const NEXT: f64 = 0.25;
/// The fractional part of the golden ratio.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// Nobody needs more draws than this.
pub(super) const MOST_DRAWS: usize = 1_000;

/// What the measurement may take.
#[derive(Debug, Clone, Copy)]
pub(super) enum Budget {
    /// This long.
    Until(Instant),
    /// A number of draws, and seconds of one core if a unit of cost is a nanosecond.
    Work { draws: usize, seconds: f64 },
}

/// A group of tasks, and the one before it.
struct Group {
    before: Range<u64>,
    tasks: Range<u64>,
    cost: f64,
    /// The cost of both.
    both: f64,
}

/// The rates of groups drawn at random, in seconds per unit of cost. None if the budget
/// is too small for a single one.
pub(super) fn measure(
    workers: &Workers<'_>,
    budget: Budget,
    random: &mut Random,
) -> Result<Vec<f64>, Error> {
    let draws = match budget {
        Budget::Until(_) => MOST_DRAWS,
        Budget::Work { draws, .. } => draws.min(MOST_DRAWS),
    };
    let groups = draw(workers.search(), draws, random);
    let mut rest = &groups[..];
    let mut rates = Vec::new();
    let threads = workers.threads as f64;
    // The time of all threads, waiting included, and the cost of what they counted in it.
    let (mut seconds, mut cost) = (0.0, 0.0);
    while !rest.is_empty() {
        let (left, unit) = match budget {
            Budget::Until(end) => {
                let left = end.saturating_duration_since(Instant::now());
                let unit = if cost > 0.0 { seconds / cost } else { UNIT };
                (left.as_secs_f64() * threads, unit)
            }
            Budget::Work { seconds, .. } => (seconds - cost * UNIT, UNIT),
        };
        let fit = |seconds: f64| {
            let sums = rest.iter().scan(0.0, |sum, group| {
                *sum += group.both * unit;
                Some(*sum)
            });
            sums.take_while(|sum| *sum <= seconds).count()
        };
        let one_each = workers.threads.min(rest.len());
        // To leave out a costly group and go on would favour the others.
        if one_each > fit(left) {
            break;
        }
        // The first show how long the others take.
        let next = if cost > 0.0 { fit(left * NEXT) } else { 0 };
        let (batch, later) = rest.split_at(next.max(one_each));
        let start = Instant::now();
        let times = workers.each(batch, |worker, group, stop| {
            worker.count(group.before.clone(), stop)?;
            let start = thread_time();
            worker.count(group.tasks.clone(), stop)?;
            Ok(thread_time() - start)
        })?;
        seconds += start.elapsed().as_secs_f64() * threads;
        for (group, time) in batch.iter().zip(times) {
            rates.push(time.as_secs_f64() / group.cost);
            cost += group.both;
        }
        rest = later;
    }
    Ok(rates)
}

/// What it costs to count all tasks, of this cost together, at these rates.
pub(super) fn seconds(rates: &[f64], cost: f64) -> Figure {
    let seconds: Vec<f64> = rates.iter().map(|rate| rate * cost).collect();
    of_mean(&seconds)
}

/// Draws groups, each with a probability proportional to its cost: those at points of a
/// line on which every group is as long as its cost. From a random start the points go in
/// steps of the golden ratio, so that any first ones lie evenly among all groups.
fn draw(search: &dyn Search, draws: usize, random: &mut Random) -> Vec<Group> {
    let all: f64 = search.groups().map(|group| group.cost as f64).sum();
    let start = random.unit();
    let point = |place: usize| all * (start + place as f64 * GOLDEN).fract();
    let mut points: Vec<(f64, usize)> = (0..draws).map(|place| (point(place), place)).collect();
    points.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let mut drawn = Vec::new();
    let (mut end, mut sum) = (0, 0.0);
    let (mut before, mut cost_before) = (0..0, 0.0);
    for group in search.groups().filter(|group| group.tasks > 0) {
        let (tasks, cost) = (end..end + group.tasks, group.cost as f64);
        end = tasks.end;
        sum += cost;
        while let Some((_, place)) = points.pop_if(|(point, _)| *point < sum) {
            let group = Group {
                before: before.clone(),
                tasks: tasks.clone(),
                cost,
                both: cost_before + cost,
            };
            drawn.push((place, group));
        }
        (before, cost_before) = (tasks, cost);
    }
    drawn.sort_by_key(|(place, _)| *place);
    drawn.into_iter().map(|(_, group)| group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        count::{Count, Runner},
        engine::Engine,
    };

    #[test]
    fn groups_are_drawn_as_often_as_they_cost() {
        let plan = Count::new(12).unwrap().plan().unwrap();
        let search = plan.search();
        let all: u64 = search.groups().map(|group| group.cost).sum();
        let draws = 100_000;
        let drawn = draw(search, draws, &mut Random::new(1));
        assert_eq!(drawn.len(), draws);
        let mut first = 0;
        for group in search.groups() {
            let times = drawn.iter().filter(|drawn| drawn.tasks.start == first);
            let (times, share) = (times.count() as f64, group.cost as f64 / all as f64);
            let expected = share * draws as f64;
            assert!((times - expected).abs() <= 10.0, "{first}");
            first += group.tasks;
        }
        assert!(
            drawn
                .iter()
                .all(|group| group.before.end == group.tasks.start)
        );
    }

    #[test]
    fn a_budget_is_kept_and_without_one_nothing_is_measured() {
        let count = Count::new(14).unwrap().engine(Engine::Colours);
        let (plan, runner) = (count.plan().unwrap(), Runner::new().threads(2));
        let workers = Workers::new(&plan, &runner).unwrap();
        let measured = |budget| measure(&workers, budget, &mut Random::new(1)).unwrap();
        let enough = measured(Budget::Work {
            draws: 7,
            seconds: 1e9,
        });
        assert_eq!(enough.len(), 7);
        assert!(enough.iter().all(|&rate| rate > 0.0));
        let nothing = Budget::Work {
            draws: 7,
            seconds: 0.0,
        };
        assert!(measured(nothing).is_empty());
        assert!(measured(Budget::Until(Instant::now())).is_empty());
    }
}
