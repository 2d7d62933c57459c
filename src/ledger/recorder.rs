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
    io::{Seek, SeekFrom, Write},
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use serde::Serialize;

use super::{
    Chain, Header, Ledger, RecordedBlock, Sum,
    block::{BlockLine, ClosingLine},
    header::HeaderLine,
    read::{contents, refuse_irregular, whole_lines},
};
use crate::{
    count::{FinishedBlock, Observer, Plan, plan::Shard},
    engine::Route,
    error::Error,
};

/// What a power cut may lose.
const SYNC_EVERY: Duration = Duration::from_secs(2);

/// A ledger that this process, and no other, appends to: an observer of a run of its
/// plan, by its route.
///
/// ```
/// use queens::{Count, Route, Runner, ledger::Recorder, plan::Shard};
///
/// let file = tempfile::NamedTempFile::new()?;
/// let plan = Count::new(10)?.plan()?;
/// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
/// plan.run(&Runner::new().observer(&recorder))?;
/// assert_eq!(recorder.total(), Some(724));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder {
    found: Ledger,
    is_lasting: bool,
    book: Arc<Book>,
    syncer: Mutex<Option<Syncer>>,
}

/// The file, and where the writing has come to.
#[derive(Debug)]
struct Book {
    file: File,
    pen: Mutex<Pen>,
}

#[derive(Debug)]
struct Pen {
    chain: Chain,
    counts: BTreeMap<usize, u128>,
    sum: Sum,
    closed: bool,
    unsynced: bool,
    /// After a failure nothing more is written: a line after a torn one would be
    /// damage, and a disk that has failed once is not to be trusted with a day's work.
    failed: Option<String>,
}

/// A thread that syncs the file now and then, until its sender is dropped.
#[derive(Debug)]
struct Syncer {
    running: Sender<()>,
    thread: JoinHandle<()>,
}

impl Recorder {
    /// Creates the ledger, or takes up one of the same run where it ends, dropping a
    /// torn last line. A file that is anything else is refused and left as it is.
    ///
    /// ```
    /// use queens::{Count, Error, Route, ledger::Recorder, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let open = || Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct);
    /// let _recorder = open()?;
    /// assert!(matches!(open(), Err(Error::InUse(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path, plan: &Plan, shard: Shard, route: Route) -> Result<Self, Error> {
        let file = open_locked(path)?;
        let write_error = |error| Error::file(path, "write to", error);
        let bytes = contents(path, &file)?;

        let header = Header::new(plan, shard, route);
        let mut chain = Chain::default();
        let head = seal(&mut chain, &HeaderLine::from(&header))?;
        let whole = whole_lines(&bytes);
        // A header that was torn when the file was begun is a beginning of ours; a
        // line of anyone else's is not ours to drop.
        let found = if whole == 0 && head.as_bytes().starts_with(&bytes) {
            Ledger::new(path, header, chain, bytes.len())
        } else {
            Ledger::parse(path, &bytes)?.of_run(plan, &header)?
        };
        if found.torn > 0 {
            file.set_len(whole as u64).map_err(write_error)?;
        }
        (&file)
            .seek(SeekFrom::Start(whole as u64))
            .map_err(write_error)?;
        let mut is_lasting = true;
        if whole == 0 {
            (&file).write_all(head.as_bytes()).map_err(write_error)?;
            file.sync_all().map_err(write_error)?;
            is_lasting = sync_folder(path);
        }
        let counts = found.blocks.iter().map(|block| (block.index, block.count));
        let pen = Mutex::new(Pen {
            chain: found.chain.clone(),
            counts: counts.collect(),
            sum: found.sum.clone(),
            closed: found.closed,
            unsynced: found.torn > 0,
            failed: None,
        });
        Ok(Recorder {
            found,
            is_lasting,
            book: Arc::new(Book { file, pen }),
            syncer: Mutex::default(),
        })
    }

    /// What the file held when it was opened.
    ///
    /// ```
    /// use queens::{Count, Route, Runner, ledger::Recorder, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let open = || Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct);
    /// let recorder = open()?;
    /// assert_eq!(recorder.found().total(), None);
    /// plan.run(&Runner::new().observer(&recorder))?;
    /// drop(recorder);
    /// assert_eq!(open()?.found().total(), Some(92));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn found(&self) -> &Ledger {
        &self.found
    }

    /// Whether the file outlasts a power cut, as far as the system says: on some, as on
    /// Windows, the folder of a new file cannot be synced, and it is the name that may be lost.
    ///
    /// ```
    /// use queens::{Count, Route, ledger::Recorder, plan::Shard};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let path = folder.path().join("run.jsonl");
    /// let recorder = Recorder::open(&path, &plan, Shard::WHOLE, Route::Direct)?;
    /// assert!(recorder.is_lasting() || cfg!(not(target_os = "linux")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_lasting(&self) -> bool {
        self.is_lasting
    }

    /// The blocks that were missing when the file was opened: those that are to be run.
    ///
    /// ```
    /// use queens::{Count, Route, ledger::Recorder, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// assert_eq!(recorder.missing(), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn missing(&self) -> Vec<usize> {
        self.found.missing()
    }

    /// The counts of all recorded blocks, the new ones too, by their index.
    ///
    /// ```
    /// use queens::{Count, Route, Runner, ledger::Recorder, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(9)?.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// assert!(recorder.counts().is_empty());
    /// plan.run(&Runner::new().observer(&recorder))?;
    /// assert_eq!(recorder.counts().values().sum::<u128>(), 352);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counts(&self) -> BTreeMap<usize, u128> {
        self.pen().counts.clone()
    }

    /// The sum of all blocks, once the ledger is closed: at the end of the run that
    /// records the last of them.
    ///
    /// ```
    /// use queens::{Count, Route, Runner, ledger::Recorder, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(9)?.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// assert_eq!(recorder.total(), None);
    /// plan.run(&Runner::new().observer(&recorder))?;
    /// assert_eq!(recorder.total(), Some(352));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn total(&self) -> Option<u128> {
        let pen = self.pen();
        pen.closed.then(|| pen.sum.total())
    }

    /// Writes the closing line if every block is recorded and it is not there yet.
    fn close(&self) -> Result<(), Error> {
        let mut pen = self.pen();
        let shard = self.found.header.shard;
        let blocks = shard.blocks(self.found.header.blocks).len();
        if pen.closed || pen.counts.len() < blocks {
            return Ok(());
        }
        let total = pen.sum.total().to_string();
        self.write(&mut pen, &ClosingLine { total, blocks })?;
        pen.closed = true;
        Ok(())
    }

    fn pen(&self) -> MutexGuard<'_, Pen> {
        self.book.pen()
    }

    fn write(&self, pen: &mut Pen, line: &impl Serialize) -> Result<(), Error> {
        self.refuse_if_failed(pen)?;
        let line = seal(&mut pen.chain, line)?;
        if let Err(error) = (&self.book.file).write_all(line.as_bytes()) {
            pen.failed = Some(error.to_string());
        }
        pen.unsynced = true;
        self.refuse_if_failed(pen)
    }

    fn refuse_if_failed(&self, pen: &Pen) -> Result<(), Error> {
        match &pen.failed {
            Some(reason) => Err(Error::file(&self.found.path, "write to", reason)),
            None => Ok(()),
        }
    }

    /// Refuses a block of another run.
    fn refuse_foreign(&self, finished: &FinishedBlock) -> Result<(), Error> {
        let header = &self.found.header;
        if (finished.plan, finished.route) == (header.plan, header.route)
            && header.shard.contains(finished.index)
        {
            return Ok(());
        }
        Err(Error::Foreign {
            path: self.found.path.clone(),
            reason: format!(
                "it is the ledger of {header}, and this is block {} of plan {} by the {} route; name another file for this run",
                finished.index,
                finished.plan,
                finished.route.name()
            ),
        })
    }

    /// Starts to sync now and then, if that was not done yet.
    fn keep_synced(&self) {
        let mut syncer = self.syncer.lock().unwrap_or_else(PoisonError::into_inner);
        if syncer.is_some() {
            return;
        }
        let (running, end) = channel::<()>();
        let book = self.book.clone();
        let sync = move || {
            while end.recv_timeout(SYNC_EVERY) == Err(RecvTimeoutError::Timeout) {
                book.sync();
            }
        };
        // Without the thread, the end of the run is when the file is synced.
        if let Ok(thread) = thread::Builder::new().spawn(sync) {
            *syncer = Some(Syncer { running, thread });
        }
    }

    fn end_syncer(&self) {
        let mut syncer = self.syncer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Syncer { running, thread }) = syncer.take() {
            drop(running);
            // It does nothing that panics.
            let _ = thread.join();
        }
    }
}

impl Book {
    fn pen(&self) -> MutexGuard<'_, Pen> {
        // Nothing in here panics while it holds the pen.
        self.pen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the system write to the disk what it has been given. Workers that finish
    /// a block meanwhile do not wait. A failure is remembered, and ends the run at the
    /// next block.
    fn sync(&self) {
        let mut pen = self.pen();
        if pen.failed.is_some() || !std::mem::take(&mut pen.unsynced) {
            return;
        }
        drop(pen);
        if let Err(error) = self.file.sync_data() {
            self.pen().failed = Some(error.to_string());
        }
    }
}

impl Observer for Recorder {
    fn finished(&self, finished: &FinishedBlock) -> Result<(), Error> {
        self.refuse_foreign(finished)?;
        self.keep_synced();
        let mut pen = self.pen();
        let block = RecordedBlock {
            index: finished.index,
            first: finished.block.first,
            tasks: finished.block.tasks,
            count: finished.count,
            // Microseconds say enough, in fewer digits.
            seconds: (finished.elapsed.as_secs_f64() * 1e6).round() / 1e6,
        };
        if pen.counts.contains_key(&block.index) {
            return Err(Error::Foreign {
                path: self.found.path.clone(),
                reason: format!(
                    "block {} is recorded already; count only what is missing",
                    block.index
                ),
            });
        }
        let added = pen.sum.add(block.count);
        added.map_err(|_| Error::Overflow("a board has no more than n! solutions"))?;
        self.write(&mut pen, &BlockLine::from(&block))?;
        pen.counts.insert(block.index, block.count);
        Ok(())
    }

    fn ended(&self) -> Result<(), Error> {
        self.end_syncer();
        let closed = self.close();
        self.book.sync();
        closed.and_then(|()| self.refuse_if_failed(&self.pen()))
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.end_syncer();
        self.book.sync();
    }
}

fn seal(chain: &mut Chain, line: &impl Serialize) -> Result<String, Error> {
    let sealed = chain.seal(line);
    sealed.map_err(|_| Error::Overflow("a number has no form in JSON"))
}

/// Opens or creates a regular file and takes its lock, which lasts as long as the
/// process.
fn open_locked(path: &Path) -> Result<File, Error> {
    refuse_irregular(path, "write to", std::fs::metadata(path))?;
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

/// Makes the name of a new file outlast a power cut. False where a folder cannot be synced.
pub(super) fn sync_folder(path: &Path) -> bool {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .is_ok()
}
