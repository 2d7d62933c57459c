//! Speed-ups on more threads than a machine has, from the times that ledgers record.
//!
//! The times of the blocks are those of one thread. How blocks and threads then fit together
//! is simulated; what threads of a real machine share (caches, memory, the clock rate) and the
//! planning before the first block are not. So a simulation tells what a plan allows, and a
//! measurement what a machine makes of it.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::PathBuf,
};

use anyhow::Result;
use queens::{
    ledger::{Ledger, RecordedBlock},
    plan,
};

use crate::cli::{
    args::{ledger_file, restrict::Restrict},
    commands::bench::scaling::Summary,
    exit::Exit,
};

/// As far as curves go, or as far as something was measured.
pub const THREADS: usize = 128;
/// Points of a curve for every doubling of the threads.
const STEPS: u32 = 8;

/// A run whose blocks are recorded.
pub struct RecordedRun {
    pub n: u32,
    pub engine: &'static str,
    /// The board and its engine, in words.
    pub name: String,
    pub is_restricted: bool,
    /// How many blocks its plan has.
    planned: usize,
    /// The times of the recorded ones, in seconds.
    pub times: Summary,
    /// The recorded ones in the order of the plan: how many tasks, and how many nanoseconds.
    costs: Vec<(u64, u64)>,
}

impl RecordedRun {
    /// The runs in these ledgers. Those of one plan, such as shards, are parts of one run; a
    /// double check counts the same blocks by another route, which is another run.
    pub fn read(paths: &[PathBuf]) -> Result<Vec<RecordedRun>> {
        let mut runs: Vec<(Ledger, BTreeMap<usize, RecordedBlock>)> = Vec::new();
        for path in paths {
            let ledger = ledger_file::read(path)?;
            let header = ledger.header();
            let key = (header.plan, header.route);
            let place = runs.iter().position(|(first, _)| {
                let header = first.header();
                (header.plan, header.route) == key
            });
            let place = place.unwrap_or_else(|| {
                runs.push((ledger.clone(), BTreeMap::new()));
                runs.len() - 1
            });
            for block in ledger.blocks() {
                match runs[place].1.entry(block.index) {
                    Entry::Vacant(entry) => entry.insert(block.clone()),
                    Entry::Occupied(_) => {
                        return Err(Exit::Usage.because(format!(
                            "{} records block {} a second time: simulate one run at a time",
                            path.display(),
                            block.index
                        )));
                    }
                };
            }
        }
        runs.into_iter().map(RecordedRun::new).collect()
    }

    fn new((ledger, blocks): (Ledger, BTreeMap<usize, RecordedBlock>)) -> Result<RecordedRun> {
        let (path, header) = (ledger.path(), ledger.header());
        let seconds: Vec<f64> = blocks.values().map(|block| block.seconds).collect();
        let Some(times) = Summary::of(&seconds) else {
            return Err(Exit::Missing.because(format!("{} records no block yet", path.display())));
        };
        let board = Restrict::from(&header.problem).board(header.problem.n());
        Ok(RecordedRun {
            n: header.problem.n(),
            engine: header.engine.name(),
            name: format!("{}, {board}", header.engine),
            is_restricted: header.problem.is_restricted(),
            planned: header.blocks,
            times,
            costs: blocks
                .values()
                .map(|block| (block.tasks, (block.seconds * 1e9).round() as u64))
                .collect(),
        })
    }

    /// What to say of a run that is not recorded as a whole.
    pub fn doubt(&self) -> Option<String> {
        let (recorded, planned) = (self.costs.len(), self.planned);
        (recorded < planned).then(|| {
            format!(
                "only {recorded} of the {planned} blocks of {} went into the simulation: the others are not recorded",
                self.name
            )
        })
    }

    /// How many blocks are recorded.
    pub fn blocks(&self) -> usize {
        self.costs.len()
    }

    /// How many times as fast as one thread this many would be.
    pub fn speed_up(&self, threads: usize) -> f64 {
        plan::speed_up(self.costs.iter().copied(), threads)
    }

    /// Numbers of threads, and how many times as fast as one they would be.
    pub fn speed_ups(&self, most: usize) -> Vec<(usize, f64)> {
        let rounded = |step| 2f64.powf(f64::from(step) / f64::from(STEPS)).round() as usize;
        let mut threads: Vec<usize> = (0..).map(rounded).take_while(|&p| p < most).collect();
        threads.push(most);
        threads.dedup();
        let points = threads.into_iter();
        points
            .map(|threads| (threads, self.speed_up(threads)))
            .collect()
    }

    /// What the legend of a picture says of it.
    pub fn legend(&self) -> String {
        let busy = |threads| 100.0 * self.speed_up(threads) / threads as f64;
        format!(
            "{}, simulated: busy {:.0} % of the time on 64 threads, {:.0} % on 128",
            self.name,
            busy(64),
            busy(128)
        )
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Four blocks of one task and of these seconds, of the board that the example of a report counts.
    pub fn example() -> RecordedRun {
        RecordedRun {
            n: 15,
            engine: "rows",
            name: "rows, n = 15".to_owned(),
            is_restricted: false,
            planned: 4,
            times: Summary::of(&[1.0, 2.0, 3.0, 4.0]).unwrap(),
            costs: [1, 2, 3, 4]
                .map(|seconds| (1, 1_000_000_000 * seconds))
                .to_vec(),
        }
    }

    #[test]
    fn a_curve_has_whole_threads_and_both_its_ends() {
        let points = example().speed_ups(128);
        assert_eq!(points[..3], [(1, 1.0), (2, 10.0 / 6.0), (3, 2.0)]);
        assert_eq!(points.last(), Some(&(128, 2.5)));
        assert!(points.windows(2).all(|two| two[0].0 < two[1].0));
        assert_eq!(example().speed_ups(1), [(1, 1.0)]);
    }

    #[test]
    fn the_legend_says_simulated_and_how_busy_threads_are() {
        let legend = example().legend();
        assert_eq!(
            legend,
            "rows, n = 15, simulated: busy 4 % of the time on 64 threads, 2 % on 128"
        );
    }

    #[test]
    fn missing_blocks_are_a_doubt() {
        let mut recorded = example();
        assert_eq!(recorded.doubt(), None);
        recorded.costs.pop();
        assert!(recorded.doubt().unwrap().contains("only 3 of the 4 blocks"));
    }
}
