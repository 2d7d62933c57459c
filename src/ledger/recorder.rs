//! Writes a ledger, and nothing else writes to it meanwhile.
//!
//! The file is created, locked and headed before any work starts: what can be known
//! to go wrong goes wrong then. A block's line is handed to the system as soon as the
//! block is finished, so the death of the process loses only the blocks in flight;
//! every few seconds and at the end the system is made to write it to the disk, so a
//! power cut loses little more.

use std::{
    collections::BTreeMap,
    fs::{File, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
    sync::{
        Mutex, MutexGuard, PoisonError,
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

use serde::Serialize;

use super::{Chain, ClosingLine, Entry, EntryLine, Header, HeaderLine, Ledger, whole_lines};
use crate::{
    count::{Count, Counted, FinishedBlock, Observer, Plan, Shard},
    engine::{Route, Tally},
    error::Error,
};

/// What a power cut may lose.
const SYNC_EVERY: Duration = Duration::from_secs(2);

/// A ledger that this process, and no other, appends to.
///
/// ```
/// use queens::{Cancel, Count, Recorder, Route, Shard};
///
/// let file = tempfile::NamedTempFile::new()?;
/// let count = Count::new(10)?;
/// let plan = count.plan()?;
/// let open = || Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct);
///
/// let cancel = Cancel::new();
/// cancel.cancel();
/// assert!(open()?.run(&count.clone().cancel(&cancel)).is_err());
/// assert_eq!(open()?.run(&count)?.count, 724); // what was left of it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder<'a> {
    plan: &'a Plan,
    file: File,
    found: Ledger,
    pen: Mutex<Pen>,
}

/// Where the writing has come to.
#[derive(Debug)]
struct Pen {
    chain: Chain,
    counts: BTreeMap<usize, u128>,
    unsynced: bool,
    /// After a failure nothing more is written: a line after a torn one would be
    /// damage, and a disk that has failed once is not to be trusted with a day's work.
    failed: Option<String>,
}

impl<'a> Recorder<'a> {
    /// Creates the ledger, or takes up one of the same run where it ends, dropping a
    /// torn last line. A file that is anything else is refused and left as it is.
    ///
    /// ```
    /// use queens::{Count, Error, Recorder, Route, Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let open = || Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct);
    /// let _recorder = open()?;
    /// assert!(matches!(open(), Err(Error::InUse(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path, plan: &'a Plan, shard: Shard, route: Route) -> Result<Self, Error> {
        let file = open_locked(path)?;
        let write_error = |error| Error::file(path, "write to", error);
        let mut bytes = Vec::new();
        (&file)
            .read_to_end(&mut bytes)
            .map_err(|error| Error::file(path, "read", error))?;

        let header = Header::new(plan, shard, route);
        let mut chain = Chain::default();
        let head = seal(&mut chain, &HeaderLine::from(&header))?;
        let whole = whole_lines(&bytes);
        // A header that was torn when the file was begun is a beginning of ours; a
        // line of anyone else's is not ours to drop.
        let found = if whole == 0 && head.as_bytes().starts_with(&bytes) {
            Ledger {
                path: path.to_owned(),
                header,
                entries: Vec::new(),
                total: None,
                torn: bytes.len(),
                chain,
            }
        } else {
            Ledger::parse(path, &bytes)?.of_run(plan, &header)?
        };
        if found.torn > 0 {
            file.set_len(whole as u64).map_err(write_error)?;
        }
        (&file)
            .seek(SeekFrom::Start(whole as u64))
            .map_err(write_error)?;
        if whole == 0 {
            (&file).write_all(head.as_bytes()).map_err(write_error)?;
            file.sync_all().map_err(write_error)?;
            sync_folder(path);
        }
        let counts = found.entries.iter().map(|entry| (entry.block, entry.count));
        let pen = Mutex::new(Pen {
            chain: found.chain.clone(),
            counts: counts.collect(),
            unsynced: found.torn > 0,
            failed: None,
        });
        Ok(Recorder {
            plan,
            file,
            found,
            pen,
        })
    }

    /// What the file held when it was opened.
    ///
    /// ```
    /// use queens::{Count, Recorder, Route, Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let count = Count::new(8)?;
    /// let plan = count.plan()?;
    /// let open = || Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct);
    /// assert_eq!(open()?.found().total, None);
    /// open()?.run(&count)?;
    /// assert_eq!(open()?.found().total, Some(92));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn found(&self) -> &Ledger {
        &self.found
    }

    /// The counts of all recorded blocks, the new ones too, by their index.
    ///
    /// ```
    /// use queens::{Count, Recorder, Route, Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let count = Count::new(9)?;
    /// let plan = count.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// assert!(recorder.counts().is_empty());
    /// recorder.run(&count)?;
    /// assert_eq!(recorder.counts().values().sum::<u128>(), 352);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counts(&self) -> BTreeMap<usize, u128> {
        self.pen().counts.clone()
    }

    /// Counts the blocks that are missing, records each, closes the ledger, and
    /// returns the sum of all its blocks. The count's own observer hears of a block
    /// before it is recorded; if it objects, the block is not recorded.
    ///
    /// ```
    /// use queens::{Count, Recorder, Route, Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let count = Count::new(9)?;
    /// let plan = count.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Image)?;
    /// assert_eq!(recorder.run(&count)?.count, 352);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(&self, count: &Count) -> Result<Counted, Error> {
        let missing = self.found.missing();
        let observer = (count.observer_ref(), self);
        let run = thread::scope(|scope| {
            let (running, end) = channel::<()>();
            scope.spawn(move || {
                while end.recv_timeout(SYNC_EVERY) == Err(RecvTimeoutError::Timeout) {
                    // A failure is remembered, and ends the run at the next block.
                    let _ = self.sync();
                }
            });
            let run = count
                .clone()
                .route(self.found.header.route)
                .observer(&observer)
                .run_blocks(self.plan, &missing);
            drop(running);
            run
        });
        if matches!(run, Ok(_) | Err(Error::Interrupted)) {
            self.sync()?;
        }
        let mut counted = run?;
        let mut total = Tally::default();
        total.add(1, self.found.sum()?)?;
        total.add(1, counted.count)?;
        counted.count = total.total();
        self.close(total)?;
        Ok(counted)
    }

    fn close(&self, total: Tally) -> Result<(), Error> {
        if self.found.total.is_some() {
            return Ok(());
        }
        let mut pen = self.pen();
        let closing = ClosingLine {
            total: total.total().to_string(),
            blocks: pen.counts.len(),
        };
        self.write(&mut pen, &closing)?;
        drop(pen);
        self.sync()
    }

    /// Closes with the sum of what is recorded, as a test would.
    #[cfg(test)]
    pub(super) fn close_sum(&self) -> Result<(), Error> {
        let mut total = Tally::default();
        for count in self.counts().into_values() {
            total.add(1, count)?;
        }
        self.close(total)
    }

    fn pen(&self) -> MutexGuard<'_, Pen> {
        // Nothing in here panics while it holds the pen.
        self.pen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, pen: &mut Pen, record: &impl Serialize) -> Result<(), Error> {
        self.refuse_if_failed(pen)?;
        let line = seal(&mut pen.chain, record)?;
        if let Err(error) = (&self.file).write_all(line.as_bytes()) {
            pen.failed = Some(error.to_string());
        }
        pen.unsynced = true;
        self.refuse_if_failed(pen)
    }

    /// Has the system write to the disk what it has been given. Workers that finish
    /// a block meanwhile do not wait.
    fn sync(&self) -> Result<(), Error> {
        let mut pen = self.pen();
        self.refuse_if_failed(&pen)?;
        if !std::mem::take(&mut pen.unsynced) {
            return Ok(());
        }
        drop(pen);
        let synced = self.file.sync_data();
        let mut pen = self.pen();
        if let Err(error) = synced {
            pen.failed = Some(error.to_string());
        }
        self.refuse_if_failed(&pen)
    }

    fn refuse_if_failed(&self, pen: &Pen) -> Result<(), Error> {
        match &pen.failed {
            Some(reason) => Err(Error::file(&self.found.path, "write to", reason)),
            None => Ok(()),
        }
    }
}

impl Observer for Recorder<'_> {
    fn finished(&self, finished: &FinishedBlock) -> Result<(), Error> {
        let mut pen = self.pen();
        let entry = Entry {
            block: finished.index,
            first: finished.block.first,
            tasks: finished.block.tasks,
            count: finished.count,
            // Microseconds say enough, in fewer digits.
            seconds: (finished.elapsed.as_secs_f64() * 1e6).round() / 1e6,
        };
        self.write(&mut pen, &EntryLine::from(&entry))?;
        pen.counts.insert(entry.block, entry.count);
        Ok(())
    }
}

fn seal(chain: &mut Chain, record: &impl Serialize) -> Result<String, Error> {
    let sealed = chain.seal(record);
    sealed.map_err(|_| Error::Overflow("a number has no form in JSON"))
}

/// Opens or creates a regular file and takes its lock, which lasts as long as the
/// process.
fn open_locked(path: &Path) -> Result<File, Error> {
    let refuse = |reason: &str| Error::file(path, "write to", reason);
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(refuse("it is a folder")),
        Ok(found) if !found.is_file() => return Err(refuse("it is not a regular file")),
        _ => {}
    }
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let file = options
        .open(path)
        .map_err(|error| Error::file(path, "open or create", error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::InUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(Error::file(path, "lock", error)),
    }
}

/// Makes the name of a new file outlast a power cut, where a folder can be synced.
pub(super) fn sync_folder(path: &Path) {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let _: io::Result<()> = File::open(folder).and_then(|folder| folder.sync_all());
}
