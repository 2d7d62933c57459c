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
//! the same shard. A part that was left by a worker is taken up by the next; while it
//! is locked, or if it is damaged, the next one begins another.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{Header, Ledger, Recorder, merge::agree, recorder::sync_folder};
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
///     Claim::Done(ledger) => unreachable!("{} in a new folder", ledger.path.display()),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum Claim {
    /// Its result.
    Done(Ledger),
    /// Nothing, or a part that can be taken up: blocks left to count.
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

/// The kinds of files, by the ends of their names; parts and conflicts are numbered.
const RESULT: &str = "jsonl";
const PART: &str = "part";
const CONFLICT: &str = "conflict";

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
        self.file(shard, RESULT)
    }

    fn file(&self, shard: Shard, kind: &str) -> PathBuf {
        let (index, of) = (shard.index(), shard.of());
        self.folder.join(format!("shard-{index}-of-{of}.{kind}"))
    }

    /// Files of this kind, numbered from 0.
    fn files(&self, shard: Shard, kind: &'static str) -> impl Iterator<Item = PathBuf> {
        (0..u32::MAX).map(move |number| self.file(shard, &format!("{kind}{number}")))
    }

    /// Looks for the result of a shard and, where there is none, opens a part for it.
    /// A result that is damaged, foreign or contradicted is an error and stays.
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
        if let Some(done) = self.result(shard)? {
            return Ok(Claim::Done(done));
        }
        for path in self.files(shard, PART) {
            match Recorder::open(&path, self.plan, shard, Route::Direct) {
                // Another worker has it, or none can have it.
                Err(Error::InUse(_) | Error::Damaged { .. }) => {}
                Err(error) => return Err(error),
                Ok(part) => {
                    // Meanwhile someone may have published.
                    let Some(done) = self.result(shard)? else {
                        return Ok(Claim::Open(part));
                    };
                    remove(&path)?;
                    return Ok(Claim::Done(done));
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
    ///     plan.run_blocks(&recorder.missing(), &Runner::new().observer(&recorder))?;
    ///     shards.publish(recorder)?;
    /// }
    /// assert!(matches!(shards.claim(Shard::WHOLE)?, Claim::Done(done) if done.total == Some(92)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn publish(&self, part: Recorder) -> Result<(), Error> {
        let (path, shard) = (&part.found().path, part.found().header.shard);
        // What counts is what is on the disk.
        let ours = self.closed(path, shard)?;
        let result = self.path(shard);
        if link(path, &result)? {
            return remove(path);
        }
        let theirs = self.closed(&result, shard)?;
        if contradiction(&theirs, &ours).is_none() {
            return remove(path);
        }
        for kept in self.files(shard, CONFLICT) {
            if link(path, &kept)? {
                remove(path)?;
                break;
            }
        }
        self.result(shard).map(drop)
    }

    /// The sound and undisputed result of a shard, if there is one.
    fn result(&self, shard: Shard) -> Result<Option<Ledger>, Error> {
        let path = self.path(shard);
        if !exists(&path)? {
            return Ok(None);
        }
        let done = self.closed(&path, shard)?;
        for path in self.files(shard, CONFLICT) {
            if !exists(&path)? {
                break;
            }
            if let Some(conflict) = contradiction(&done, &self.closed(&path, shard)?) {
                return Err(conflict);
            }
        }
        Ok(Some(done))
    }

    /// Reads a complete record of a shard.
    fn closed(&self, path: &Path, shard: Shard) -> Result<Ledger, Error> {
        let ledger = self.record(path, shard)?;
        match ledger.total {
            Some(_) => Ok(ledger),
            None => Err(Error::Damaged {
                path: path.to_owned(),
                line: ledger.entries.len() + 2,
                reason: "its closing line is missing".to_owned(),
            }),
        }
    }

    fn record(&self, path: &Path, shard: Shard) -> Result<Ledger, Error> {
        let header = Header::new(self.plan, shard, Route::Direct);
        Ledger::read(path)?.of_run(self.plan, &header)
    }

    /// Looks at every file. Results of another cut into shards are refused: together
    /// they would make no total.
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
        self.refuse_other_cuts()?;
        let mut survey = Survey::default();
        for index in 0..self.of {
            let shard = Shard::new(index, self.of)?;
            match self.result(shard) {
                Ok(Some(done)) => survey.done.push(done),
                Ok(None) => {
                    survey.missing.push(index as usize);
                    survey.begun.extend(self.furthest(shard));
                }
                Err(
                    bad @ (Error::Damaged { .. } | Error::Foreign { .. } | Error::Conflict { .. }),
                ) => survey.bad.push((index as usize, bad)),
                Err(error) => return Err(error),
            }
        }
        Ok(survey)
    }

    /// The part of a shard that has come furthest. A part that cannot be read is only
    /// time lost.
    fn furthest(&self, shard: Shard) -> Option<Ledger> {
        self.files(shard, PART)
            .take_while(|path| path.exists())
            .filter_map(|path| self.record(&path, shard).ok())
            .max_by_key(|part| part.entries.len())
    }

    /// Makes sure that the folder, if it exists, is not used for another number of
    /// shards.
    ///
    /// ```
    /// use queens::{Count, Error, ledger::Shards};
    ///
    /// let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("shard-0-of-7.jsonl"), "")?;
    /// let plan = Count::new(18)?.plan()?;
    /// assert!(Shards::new(folder.path(), &plan, 7)?.refuse_other_cuts().is_ok());
    /// let three = Shards::new(folder.path(), &plan, 3)?.refuse_other_cuts();
    /// assert!(matches!(three, Err(Error::Foreign { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refuse_other_cuts(&self) -> Result<(), Error> {
        let unread = |error| Error::file(&self.folder, "read the folder", error);
        for file in fs::read_dir(&self.folder).map_err(unread)? {
            let file = file.map_err(unread)?;
            let name = file.file_name();
            let of = name.to_str().and_then(number_of_shards);
            if let Some(of) = of.filter(|&of| of != self.of) {
                return Err(Error::Foreign {
                    path: file.path(),
                    reason: format!(
                        "it is one of {of} shards, and this is a run of {}; name another folder, or the number of shards with which that run was begun",
                        self.of
                    ),
                });
            }
        }
        Ok(())
    }
}

/// Of how many shards this is one: 100 for `shard-3-of-100.jsonl`.
fn number_of_shards(name: &str) -> Option<u32> {
    let (index, rest) = name.strip_prefix("shard-")?.split_once("-of-")?;
    let (of, _) = rest.split_once('.')?;
    index.parse::<u32>().ok()?;
    of.parse().ok()
}

/// The first block of which two complete records of one shard have different counts.
fn contradiction(first: &Ledger, second: &Ledger) -> Option<Error> {
    agree([first, second]).err()
}

fn exists(path: &Path) -> Result<bool, Error> {
    path.try_exists()
        .map_err(|error| Error::file(path, "look for", error))
}

/// Gives a file a second name; says so if the name is taken.
fn link(path: &Path, name: &Path) -> Result<bool, Error> {
    match fs::hard_link(path, name) {
        Ok(()) => {
            sync_folder(name);
            Ok(true)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(Error::file(name, "publish (by a hard link)", error)),
    }
}

/// Removes a part that has served its purpose; another worker may have done so.
fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Error::file(path, "remove", error))
        }
        _ => Ok(()),
    }
}
