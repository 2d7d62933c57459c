//! How far a run has come and when it will end.
//!
//! A plan estimates the cost of each block; what a unit of that cost takes on this
//! machine, with this engine, is measured on the blocks that this run has finished.
//! With rate = time of the finished blocks / their cost, T threads need
//! (cost left × rate − time already spent on blocks in flight) / T.

use std::time::Duration;

use queens::{ledger::Ledger, plan::Plan};

/// The most that is shown as done while there is something left.
const UNFINISHED: f64 = 0.9995;

/// The blocks finished so far.
#[derive(Debug, Default)]
pub struct Pace {
    threads: f64,
    cost: f64,
    /// The cost of what an earlier run has recorded.
    recorded: f64,
    /// What this run has finished: its cost, the time of its threads, its blocks.
    done: f64,
    busy: f64,
    blocks: usize,
    /// Solutions by earlier runs and by this one.
    found_before: u128,
    found: u128,
}

/// The state of a run at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// The share of the whole that is done, from 0 to 1.
    pub share: f64,
    /// The time left, once it means something.
    pub left: Option<Duration>,
    /// Solutions counted so far.
    pub found: u128,
    /// Solutions per second of this run.
    pub per_second: f64,
}

impl Pace {
    /// The pace of a run over the plan, or over the blocks of it that a ledger is to
    /// record.
    pub fn new(plan: &Plan, threads: usize, recorded: Option<&Ledger>) -> Pace {
        let Some(ledger) = recorded else {
            return Pace::over(plan, 0..plan.blocks().len(), threads);
        };
        let all = ledger.header().shard.blocks(plan.blocks().len());
        let blocks = ledger.blocks().iter();
        let cost = |block: usize| plan.blocks()[block].cost as f64;
        Pace {
            recorded: blocks.map(|block| cost(block.index)).sum(),
            found_before: ledger.sum(),
            ..Pace::over(plan, all, threads)
        }
    }

    /// The pace of a run over these blocks, of which none is done.
    pub fn over(plan: &Plan, blocks: impl IntoIterator<Item = usize>, threads: usize) -> Pace {
        let costs = blocks.into_iter().map(|block| plan.blocks()[block].cost);
        Pace {
            threads: threads as f64,
            cost: costs.map(|cost| cost as f64).sum(),
            ..Pace::default()
        }
    }

    /// About how long one core would take for what is left.
    pub fn expected(&self) -> Duration {
        let nanoseconds = (self.cost - self.recorded - self.done).max(0.0);
        Duration::try_from_secs_f64(nanoseconds / 1e9).unwrap_or(Duration::MAX)
    }

    /// Takes in a finished block: its cost, its count and the time one thread took.
    pub fn finished(&mut self, cost: u64, count: u128, elapsed: Duration) {
        self.done += cost as f64;
        self.busy += elapsed.as_secs_f64();
        self.blocks += 1;
        self.found = self.found.saturating_add(count);
    }

    pub fn read(&self, elapsed: Duration) -> Reading {
        let seconds = elapsed.as_secs_f64();
        let left = (self.cost - self.recorded - self.done).max(0.0);
        // Blocks in flight that take longer than those before them are not finished yet.
        let most = if left > 0.0 { UNFINISHED } else { 1.0 };
        // Until a block is finished nobody knows what a unit of cost takes, and so not
        // how far the blocks in flight are.
        let (rate, in_flight) = if self.done > 0.0 {
            (self.busy / self.done, self.threads * seconds - self.busy)
        } else {
            (1.0, 0.0)
        };
        let left = left * rate - in_flight.max(0.0).min(left * rate);
        let whole = self.cost * rate;
        Reading {
            share: if whole > 0.0 {
                (1.0 - left / whole).min(most)
            } else {
                most
            },
            left: self
                .is_telling(seconds)
                .then(|| Duration::try_from_secs_f64(left / self.threads).unwrap_or(Duration::MAX)),
            found: self.found_before.saturating_add(self.found),
            per_second: self.found as f64 / seconds.max(1e-3),
        }
    }

    /// Whether enough blocks are finished for a prediction: four a thread, or a
    /// tenth of a small plan.
    fn is_telling(&self, seconds: f64) -> bool {
        let blocks = self.blocks as f64;
        let few = self.done < 0.1 * self.cost;
        seconds >= 1.0 && blocks >= if few { 4.0 * self.threads } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use queens::{Engine, Problem};

    use super::*;

    /// A pace over 100 blocks of cost 10, each taking two seconds of a thread.
    fn pace(blocks: usize, threads: usize) -> Pace {
        let plan = Plan::new(&Problem::new(4).unwrap(), Engine::Rows).unwrap();
        let mut pace = Pace::new(&plan, threads, None);
        pace.cost = 1000.0;
        for _ in 0..blocks {
            pace.finished(10, 7, Duration::from_secs(2));
        }
        pace
    }

    #[test]
    fn a_steady_run_is_predicted_exactly() {
        let reading = pace(25, 2).read(Duration::from_secs(25));
        assert_eq!(reading.left, Some(Duration::from_secs(75)));
        assert!((reading.share - 0.25).abs() < 1e-9);
        assert_eq!((reading.found, reading.per_second), (175, 7.0));
    }

    #[test]
    fn time_spent_on_blocks_in_flight_is_not_forgotten() {
        let reading = pace(24, 2).read(Duration::from_secs(25));
        assert_eq!(reading.left, Some(Duration::from_secs(75)));
    }

    #[test]
    fn few_blocks_are_no_basis_for_a_prediction() {
        assert_eq!(pace(0, 2).read(Duration::from_secs(30)).left, None);
        assert_eq!(pace(7, 2).read(Duration::from_secs(7)).left, None);
        assert!(pace(8, 2).read(Duration::from_secs(8)).left.is_some());
    }

    #[test]
    fn before_the_first_block_is_finished_nothing_is_done() {
        let reading = pace(0, 2).read(Duration::from_secs(30));
        assert_eq!((reading.share, reading.found), (0.0, 0));
    }

    #[test]
    fn all_is_done_when_the_last_block_is_and_not_before() {
        for blocks in 0..=100 {
            for seconds in [0, 1, 100, 10_000] {
                let share = pace(blocks, 2).read(Duration::from_secs(seconds)).share;
                assert!((0.0..=1.0).contains(&share), "{blocks} {seconds} {share}");
                assert_eq!(share == 1.0, blocks == 100, "{blocks} {seconds} {share}");
            }
        }
    }
}
