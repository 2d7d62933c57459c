//! Adds up ledgers of one plan: shards from several machines, or a run and its
//! double-check. A block that two of them record must have one count.

use std::collections::{BTreeMap, btree_map::Entry::*};

use super::{Ledger, Sum};
use crate::{
    count::{Plan, plan::ranges},
    error::Error,
};

/// What several ledgers hold together.
///
/// ```
/// use queens::{Count, Engine, Route, Runner, ledger::{self, Ledger, Recorder}, plan::Shard};
///
/// let folder = tempfile::tempdir()?;
/// let plan = Count::new(14)?.engine(Engine::Rows).plan()?;
/// let mut shards = Vec::new();
/// for index in 0..2 {
///     let path = folder.path().join(format!("{index}.jsonl"));
///     let shard = Shard::new(index, 2)?;
///     let recorder = Recorder::open(&path, &plan, shard, Route::Direct)?;
///     plan.run_blocks(&recorder.missing(), &Runner::new().observer(&recorder))?;
///     shards.push(Ledger::read(&path)?);
/// }
/// assert_eq!(ledger::merge(&shards)?.total()?, 365_596);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Merged {
    plan: Plan,
    counts: BTreeMap<usize, u128>,
    missing: Vec<usize>,
}

/// Puts ledgers together, all of one plan and without contradiction.
///
/// ```
/// use queens::{Count, Error, Route, Runner, ledger::{self, Ledger, Recorder}, plan::Shard};
///
/// let file = tempfile::NamedTempFile::new()?;
/// let plan = Count::new(8)?.plan()?;
/// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
/// plan.run(&Runner::new().observer(&recorder))?;
/// let ledger = Ledger::read(file.path())?;
/// let merged = ledger::merge(&[ledger.clone(), ledger])?;
/// assert_eq!(merged.total()?, 92); // what is recorded twice counts once
/// assert!(matches!(ledger::merge(&[]), Err(Error::NothingToMerge)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge(ledgers: &[Ledger]) -> Result<Merged, Error> {
    let first = ledgers.first().ok_or(Error::NothingToMerge)?;
    merge_with(first.plan()?, ledgers)
}

pub(super) fn merge_with(plan: Plan, ledgers: &[Ledger]) -> Result<Merged, Error> {
    for ledger in ledgers {
        if ledger.header.plan != plan.id() {
            return Err(other_plan(ledger, &ledgers[0]));
        }
        ledger.check(&plan)?;
    }
    let counts = agree(ledgers)?;
    let all = 0..plan.blocks().len();
    Ok(Merged {
        missing: all.filter(|block| !counts.contains_key(block)).collect(),
        counts,
        plan,
    })
}

/// The count of every block that one of these ledgers of one plan records, if no two
/// of them contradict each other and together they hold no more than there can be.
pub(super) fn agree<'a>(
    ledgers: impl IntoIterator<Item = &'a Ledger>,
) -> Result<BTreeMap<usize, u128>, Error> {
    let mut counts: BTreeMap<usize, (u128, &Ledger)> = BTreeMap::new();
    let mut sum = None;
    for ledger in ledgers {
        let sum = sum.get_or_insert_with(|| Sum::new(&ledger.header.problem));
        for (block, line) in ledger.blocks.iter().zip(2..) {
            match counts.entry(block.index) {
                Vacant(place) => {
                    place.insert((block.count, ledger));
                    let added = sum.add(block.count);
                    added.map_err(|reason| ledger.damaged(line, reason))?;
                }
                Occupied(place) if place.get().0 == block.count => {}
                Occupied(place) => {
                    let (count, other) = place.get();
                    return Err(Error::Conflict {
                        block: block.index,
                        first: other.path.clone(),
                        first_count: *count,
                        second: ledger.path.clone(),
                        second_count: block.count,
                    });
                }
            }
        }
    }
    let counts = counts.into_iter().map(|(block, (count, _))| (block, count));
    Ok(counts.collect())
}

fn other_plan(ledger: &Ledger, first: &Ledger) -> Error {
    let (header, path) = (&ledger.header, first.path.display());
    Error::Foreign {
        path: ledger.path.clone(),
        reason: format!(
            "it is a ledger of {header}, and {path} of {}; merge files of one plan",
            first.header
        ),
    }
}

impl Merged {
    /// The plan of them all.
    ///
    /// ```
    /// use queens::{Count, Route, ledger::{self, Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// let merged = ledger::merge(&[Ledger::read(file.path())?])?;
    /// assert_eq!(merged.plan().id(), plan.id());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The count of every recorded block, by its index.
    ///
    /// ```
    /// use queens::{Count, Engine, Route, Runner, ledger::{self, Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(14)?.engine(Engine::Rows).plan()?;
    /// let half = Shard::new(1, 2)?;
    /// let recorder = Recorder::open(file.path(), &plan, half, Route::Direct)?;
    /// plan.run_blocks(&recorder.missing(), &Runner::new().observer(&recorder))?;
    /// let merged = ledger::merge(&[Ledger::read(file.path())?])?;
    /// assert!(merged.counts().keys().all(|block| block % 2 == 1));
    /// assert!(merged.counts()[&1] < 365_596);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counts(&self) -> &BTreeMap<usize, u128> {
        &self.counts
    }

    /// The blocks that none of them records.
    ///
    /// ```
    /// use queens::{Count, Route, ledger::{self, Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// Recorder::open(file.path(), &Count::new(8)?.plan()?, Shard::WHOLE, Route::Direct)?;
    /// assert_eq!(ledger::merge(&[Ledger::read(file.path())?])?.missing(), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn missing(&self) -> &[usize] {
        &self.missing
    }

    /// The count, if no block is missing.
    ///
    /// ```
    /// use queens::{Count, Error, Route, ledger::{self, Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// Recorder::open(file.path(), &Count::new(8)?.plan()?, Shard::WHOLE, Route::Direct)?;
    /// let merged = ledger::merge(&[Ledger::read(file.path())?])?;
    /// assert!(matches!(merged.total(), Err(Error::Missing { missing: 1, of: 1, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn total(&self) -> Result<u128, Error> {
        if self.missing.is_empty() {
            // No more than n!, so it fits.
            return Ok(self.counts.values().sum());
        }
        Err(Error::Missing {
            blocks: ranges(&self.missing),
            missing: self.missing.len(),
            of: self.plan.blocks().len(),
        })
    }
}
