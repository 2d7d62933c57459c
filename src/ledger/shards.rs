//! A folder in which many workers, on many machines, publish the shards of one plan.
//!
//! ```text
//! shard-3-of-100.jsonl       a result: the closed ledger of shard 3
//! shard-3-of-100.part0       the same, as far as a worker has come
//! shard-3-of-100.conflict0   a result that contradicts the published one
//! ```
//!
//! A worker records a shard in a part, reads it again from the disk, and gives it
//! the name of the result by a hard link, which fails if there is one: so a result
//! appears whole or not at all, and none is ever replaced, however many workers count
//! the same shard. Of the parts that workers have left, the next one takes up the
//! furthest; those that are locked or damaged it leaves alone, and begins another if
//! there is no better. When there is a result, its parts are removed.
//!
//! Parts and conflicts are found by listing the folder, never by counting up: their
//! numbers may have gaps.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use super::{
    Header, Ledger, Recorder,
    merge::agree,
    shard_files::{Beside, Kind, Name, exists, link, remove, try_link},
};
use crate::{
    count::plan::{Plan, Shard},
    engine::Route,
    error::Error,
};

/// The folder of a plan's shards.
///
/// ```
/// use queens::{Count, Engine, Runner, ledger::{Claim, Shards, self}, plan::Shard};
///
/// let folder = tempfile::tempdir()?;
/// let count = Count::new(14)?.engine(Engine::Rows);
/// let plan = count.plan()?;
/// let shards = Shards::new(folder.path(), &plan, 2)?;
/// for index in 0..2 {
///     if let Claim::Open(recorder) = shards.claim(Shard::new(index, 2)?)? {
///         plan.run_blocks(&recorder.missing(), &Runner::new().observer(&recorder))?;
///         shards.publish(recorder)?;
///     }
/// }
/// let survey = shards.survey()?;
/// assert_eq!(ledger::merge(&survey.done)?.total()?, 365_596);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Shards<'a> {
    folder: PathBuf,
    plan: &'a Plan,
    of: u32,
}

/// What a worker finds when it turns to a shard.
///
/// ```
/// use queens::{Count, ledger::{Claim, Shards}, plan::Shard};
///
/// let folder = tempfile::tempdir()?;
/// let plan = Count::new(8)?.plan()?;
/// match Shards::new(folder.path(), &plan, 1)?.claim(Shard::WHOLE)? {
///     Claim::Open(recorder) => assert_eq!(recorder.missing(), [0]),
///     Claim::Done(ledger) => unreachable!("{} in a new folder", ledger.path().display()),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum Claim {
    /// Its result.
    Done(Ledger),
    /// A part of it, new or taken up, with blocks left to count.
    Open(Recorder),
}

/// What the folder holds.
///
/// ```
/// use queens::{Count, ledger::Shards, plan::Shard};
///
/// let folder = tempfile::tempdir()?;
/// let plan = Count::new(8)?.plan()?;
/// let shards = Shards::new(folder.path(), &plan, 1)?;
/// drop(shards.claim(Shard::WHOLE)?); // begun and left
/// let survey = shards.survey()?;
/// assert_eq!((survey.done.len(), survey.missing, survey.begun.len()), (0, vec![0], 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Survey {
    /// The sound results.
    pub done: Vec<Ledger>,
    /// The shards without a result.
    pub missing: Vec<usize>,
    /// How far workers have come with some of these.
    pub begun: Vec<Ledger>,
    /// Shards whose result is refused, and why: [`Error::Conflict`],
    /// [`Error::Foreign`] or [`Error::Damaged`].
    pub bad: Vec<(usize, Error)>,
}

impl<'a> Shards<'a> {
    /// The folder of the plan's `of` shards, from 1 to the number of its blocks.
    ///
    /// ```
    /// use queens::{Count, Error, ledger::Shards};
    ///
    /// let plan = Count::new(8)?.plan()?; // one block, so one shard at most
    /// assert!(Shards::new("results".as_ref(), &plan, 1).is_ok());
    /// let two = Shards::new("results".as_ref(), &plan, 2);
    /// assert!(matches!(two, Err(Error::ShardCount { of: 2, blocks: 1 })));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn new(folder: &Path, plan: &'a Plan, of: u32) -> Result<Self, Error> {
        let blocks = plan.blocks().len().max(1);
        if !(1..=blocks).contains(&(of as usize)) {
            return Err(Error::ShardCount { of, blocks });
        }
        Ok(Shards {
            folder: folder.to_owned(),
            plan,
            of,
        })
    }

    /// The plan.
    ///
    /// ```
    /// let plan = queens::Count::new(8)?.plan()?;
    /// let shards = queens::ledger::Shards::new("results".as_ref(), &plan, 1)?;
    /// assert_eq!(shards.plan().id(), plan.id());
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// How many shards there are.
    ///
    /// ```
    /// let plan = queens::Count::new(20)?.plan()?;
    /// assert_eq!(queens::ledger::Shards::new("results".as_ref(), &plan, 100)?.of(), 100);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn of(&self) -> u32 {
        self.of
    }

    /// The file of a shard's result.
    ///
    /// ```
    /// use queens::{Count, ledger::Shards, plan::Shard};
    ///
    /// let plan = Count::new(20)?.plan()?;
    /// let path = Shards::new("results".as_ref(), &plan, 100)?.path(Shard::new(3, 100)?);
    /// assert!(path.ends_with("results/shard-3-of-100.jsonl"));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn path(&self, shard: Shard) -> PathBuf {
        self.file(shard, Kind::Result)
    }

    fn file(&self, shard: Shard, kind: Kind) -> PathBuf {
        let (index, of) = (shard.index(), shard.of());
        self.folder.join(Name { index, of, kind }.to_string())
    }

    /// Makes the folder ready for workers: creates it if it is not there, and refuses one
    /// that is used for another number of shards.
    ///
    /// ```
    /// use queens::{Count, Error, ledger::Shards};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let (folder, plan) = (folder.path().join("new"), Count::new(18)?.plan()?);
    /// Shards::new(&folder, &plan, 7)?.prepare()?;
    /// std::fs::write(folder.join("shard-0-of-7.jsonl"), "")?;
    /// Shards::new(&folder, &plan, 7)?.prepare()?;
    /// let three = Shards::new(&folder, &plan, 3)?.prepare();
    /// assert!(matches!(three, Err(Error::Foreign { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare(&self) -> Result<(), Error> {
        let created = fs::create_dir_all(&self.folder);
        created.map_err(|error| Error::file(&self.folder, "create the folder", error))?;
        self.refuse_others(&self.names()?)
    }

    /// Looks for the result of a shard and, where there is none, opens a part for it.
    /// A result that is damaged, foreign or contradicted is an error and stays. So is a
    /// folder in which the result could not be published: [`Error::NoHardLinks`].
    ///
    /// ```
    /// use queens::{Count, ledger::{Claim, Shards}, plan::Shard};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let shards = Shards::new(folder.path(), &plan, 1)?;
    /// assert!(matches!(shards.claim(Shard::WHOLE)?, Claim::Open(_)));
    ///
    /// std::fs::write(shards.path(Shard::WHOLE), "no result\n")?;
    /// assert!(shards.claim(Shard::WHOLE).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn claim(&self, shard: Shard) -> Result<Claim, Error> {
        if let Some(done) = self.settled(shard)? {
            return Ok(Claim::Done(done));
        }
        let Beside { parts, .. } = self.beside(shard)?;
        let mut furthest = parts.clone();
        furthest.sort_by_cached_key(|&number| {
            let part = self.ledger(&self.file(shard, Kind::Part(number)), shard);
            (Reverse(part.map_or(0, |part| part.blocks().len())), number)
        });
        let new = (0..u32::MAX).filter(|number| !parts.contains(number));
        for number in furthest.into_iter().chain(new) {
            let path = self.file(shard, Kind::Part(number));
            match Recorder::open(&path, self.plan, shard, Route::Direct) {
                // Another worker has it, or none can have it.
                Err(Error::InUse(_) | Error::Damaged { .. }) => {}
                Err(error) => return Err(error),
                Ok(part) => {
                    // Meanwhile someone may have published, and removed what we opened.
                    if let Some(done) = self.result(shard, &self.beside(shard)?)? {
                        remove(&path)?;
                        return Ok(Claim::Done(done));
                    }
                    try_link(&path)?;
                    return Ok(Claim::Open(part));
                }
            }
        }
        Err(Error::InUse(self.path(shard)))
    }

    /// Makes a recorded shard its result. If there is one with the same counts
    /// already, from whatever machine, that is as good. If its counts differ, both
    /// are kept, and it is an [`Error::Conflict`].
    ///
    /// ```
    /// use queens::{Count, Runner, ledger::{Claim, Shards}, plan::Shard};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let shards = Shards::new(folder.path(), &plan, 1)?;
    /// if let Claim::Open(recorder) = shards.claim(Shard::WHOLE)? {
    ///     plan.run(&Runner::new().observer(&recorder))?;
    ///     shards.publish(recorder)?;
    /// }
    /// let claim = shards.claim(Shard::WHOLE)?;
    /// assert!(matches!(claim, Claim::Done(done) if done.total() == Some(92)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn publish(&self, part: Recorder) -> Result<(), Error> {
        let (path, shard) = (part.found().path(), part.found().header().shard);
        // What counts is what is on the disk.
        let ours = self.closed(path, shard)?;
        let result = self.path(shard);
        if !link(path, &result)? {
            let theirs = self.closed(&result, shard)?;
            if contradiction(&theirs, &ours).is_some() {
                self.keep_conflict(path, shard)?;
            }
        }
        remove(path)?;
        drop(part);
        self.settled(shard).map(drop)
    }

    /// Gives a result that contradicts the published one a name of its own.
    fn keep_conflict(&self, path: &Path, shard: Shard) -> Result<(), Error> {
        for number in 0..u32::MAX {
            if link(path, &self.file(shard, Kind::Conflict(number)))? {
                break;
            }
        }
        Ok(())
    }

    /// The sound and undisputed result of a shard, if there is one; the parts that workers
    /// have left of it are removed.
    fn settled(&self, shard: Shard) -> Result<Option<Ledger>, Error> {
        let beside = self.beside(shard)?;
        let result = self.result(shard, &beside)?;
        let Some(done) = &result else {
            return Ok(None);
        };
        for number in beside.parts {
            let path = self.file(shard, Kind::Part(number));
            // One that is in use is for its worker to remove, one that is damaged for a
            // person to look at.
            if let Ok(part) = Recorder::open(&path, self.plan, shard, Route::Direct)
                && contradiction(done, part.found()).is_none()
            {
                remove(&path)?;
            }
        }
        Ok(result)
    }

    /// The sound and undisputed result of a shard, if there is one. Whatever was counted
    /// of it besides must agree.
    fn result(&self, shard: Shard, beside: &Beside) -> Result<Option<Ledger>, Error> {
        let path = self.path(shard);
        if !exists(&path)? {
            return Ok(None);
        }
        let done = self.closed(&path, shard)?;
        for &number in &beside.conflicts {
            let other = self.closed(&self.file(shard, Kind::Conflict(number)), shard)?;
            contradiction(&done, &other).map_or(Ok(()), Err)?;
        }
        for part in self.parts(shard, beside) {
            contradiction(&done, &part).map_or(Ok(()), Err)?;
        }
        Ok(Some(done))
    }

    /// The parts of a shard. One that cannot be read is only time lost.
    fn parts(&self, shard: Shard, beside: &Beside) -> impl Iterator<Item = Ledger> {
        let paths = beside.parts.iter();
        let paths = paths.map(move |&number| self.file(shard, Kind::Part(number)));
        paths.filter_map(move |path| self.ledger(&path, shard).ok())
    }

    /// Reads a complete ledger of a shard.
    fn closed(&self, path: &Path, shard: Shard) -> Result<Ledger, Error> {
        let ledger = self.ledger(path, shard)?;
        match ledger.total() {
            Some(_) => Ok(ledger),
            None => Err(ledger.damaged(ledger.blocks().len() + 2, "its closing line is missing")),
        }
    }

    fn ledger(&self, path: &Path, shard: Shard) -> Result<Ledger, Error> {
        let header = Header::new(self.plan, shard, Route::Direct);
        Ledger::read(path)?.of_run(self.plan, &header)
    }

    /// Looks at every file. A folder of another number of shards is refused: together
    /// its results would make no total.
    ///
    /// ```
    /// use queens::{Count, ledger::Shards};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let plan = Count::new(18)?.plan()?;
    /// let survey = Shards::new(folder.path(), &plan, 3)?.survey()?;
    /// assert_eq!(survey.missing, [0, 1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn survey(&self) -> Result<Survey, Error> {
        let names = self.names()?;
        self.refuse_others(&names)?;
        let mut all: BTreeMap<u32, Beside> = BTreeMap::new();
        for name in names {
            all.entry(name.index).or_default().add(name.kind);
        }
        let mut survey = Survey::default();
        for index in 0..self.of {
            let shard = Shard::new(index, self.of)?;
            let beside = all.remove(&index).unwrap_or_default();
            match self.result(shard, &beside) {
                Ok(Some(done)) => survey.done.push(done),
                Ok(None) => {
                    survey.missing.push(index as usize);
                    let parts = self.parts(shard, &beside);
                    survey
                        .begun
                        .extend(parts.max_by_key(|part| part.blocks().len()));
                }
                Err(
                    bad @ (Error::Damaged { .. } | Error::Foreign { .. } | Error::Conflict { .. }),
                ) => survey.bad.push((index as usize, bad)),
                Err(error) => return Err(error),
            }
        }
        Ok(survey)
    }

    /// The names in the folder that are ours.
    fn names(&self) -> Result<Vec<Name>, Error> {
        let unread = |error| Error::file(&self.folder, "read the folder", error);
        let mut names = Vec::new();
        for file in fs::read_dir(&self.folder).map_err(unread)? {
            let name = file.map_err(unread)?.file_name();
            names.extend(name.to_str().and_then(Name::read));
        }
        Ok(names)
    }

    fn beside(&self, shard: Shard) -> Result<Beside, Error> {
        let mut beside = Beside::default();
        for name in self.names()? {
            if (name.index, name.of) == (shard.index(), shard.of()) {
                beside.add(name.kind);
            }
        }
        Ok(beside)
    }

    /// Refuses files of another number of shards.
    fn refuse_others(&self, names: &[Name]) -> Result<(), Error> {
        match names.iter().find(|name| name.of != self.of) {
            None => Ok(()),
            Some(name) => Err(Error::Foreign {
                path: self.folder.join(name.to_string()),
                reason: format!(
                    "it is one of {} shards, and this is a run of {}; name another folder, or the number of shards with which that run was begun",
                    name.of, self.of
                ),
            }),
        }
    }
}

impl Survey {
    /// The sum of the results.
    ///
    /// ```
    /// use queens::{Count, ledger::Shards};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let plan = Count::new(18)?.plan()?;
    /// assert_eq!(Shards::new(folder.path(), &plan, 3)?.survey()?.sum()?, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sum(&self) -> Result<u128, Error> {
        agree(&self.done).map(|counts| counts.values().sum())
    }
}

/// The first block of which two ledgers of one shard have different counts.
fn contradiction(first: &Ledger, second: &Ledger) -> Option<Error> {
    agree([first, second]).err()
}
