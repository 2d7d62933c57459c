//! What is found out about a stratum: by single draws, or by counting all of it.

use std::time::Instant;

use super::{
    interval::{Total, mean},
    strata::{Draw, NEIGHBOURS},
};
use crate::{
    engine::{Slice, Worker},
    error::Error,
    threads::Cancel,
};

/// What a draw says about its stratum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// An estimate of the count of the stratum.
    pub(super) count: f64,
    /// How long it took.
    pub(super) elapsed: f64,
    pub(super) sliced: bool,
}

/// What is known of a stratum so far.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) pilot: Vec<Seen>,
    pub(super) second: Vec<Seen>,
    pub(super) complete: Option<Complete>,
}

/// A stratum that was counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Complete {
    pub(super) count: f64,
    /// How long one core took.
    pub(super) seconds: f64,
    /// How many draws would have been as much work.
    pub(super) draws: u64,
}

impl Found {
    pub(super) fn seen(&self) -> impl Iterator<Item = &Seen> {
        self.pilot.iter().chain(&self.second)
    }

    /// How many draws it has cost.
    pub(super) fn draws(&self) -> u64 {
        self.seen().count() as u64 + self.complete.map_or(0, |complete| complete.draws)
    }

    pub(super) fn pilot_counts(&self) -> Vec<f64> {
        self.pilot.iter().map(|seen| seen.count).collect()
    }

    /// How long a draw takes on average, as far as the latest sample shows.
    pub(super) fn elapsed(&self) -> f64 {
        let latest = if self.second.is_empty() {
            &self.pilot
        } else {
            &self.second
        };
        let times: Vec<f64> = latest.iter().map(|seen| seen.elapsed).collect();
        mean(&times)
    }

    pub(super) fn total(&self) -> Total {
        match self.complete {
            Some(complete) => Total::Complete(complete.count),
            None => Total::Sampled {
                pilot: self.pilot_counts(),
                second: self.second.iter().map(|seen| seen.count).collect(),
            },
        }
    }
}

/// Counts a drawn task and its neighbours, or a slice of it.
pub(super) fn look(worker: &mut dyn Worker, draw: &Draw, stop: &Cancel) -> Result<Seen, Error> {
    let start = Instant::now();
    let tasks = draw.group.end - draw.group.start;
    let sliced = draw.slice != Slice::WHOLE;
    let neighbours = if sliced { 1 } else { NEIGHBOURS.min(tasks) };
    let mut count = 0.0;
    for next in 0..neighbours {
        let task = draw.group.start + (draw.task - draw.group.start + next) % tasks;
        count += worker.count_slice(task, draw.slice, stop)? as f64;
    }
    let count = count * f64::from(draw.slice.of) / neighbours as f64;
    Ok(Seen {
        count: tasks as f64 * count / draw.probability,
        elapsed: start.elapsed().as_secs_f64(),
        sliced,
    })
}
