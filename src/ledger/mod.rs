//! A ledger: the record of a run on disk, block by block. A checkpoint is a ledger
//! of a whole plan, a shard's file is a ledger of its blocks, and a double-check is
//! a second ledger of the same blocks by another route: one format, one reader, one
//! set of checks.
//!
//! ```text
//! {"format":1,"plan":"…","n":8,"engine":"rows","blocks":2,"version":"0.1.0","check":"…"}
//! {"block":1,"first":9,"tasks":7,"count":"40","seconds":0.002,"check":"…"}
//! {"block":0,"first":0,"tasks":9,"count":"52","seconds":0.003,"check":"…"}
//! {"total":"92","blocks":2,"check":"…"}
//! ```
//!
//! It is only ever appended to ([`Recorder`]), a line at a time. A process or a
//! machine that dies leaves whole lines and perhaps a torn last one, without its
//! line feed; that one is dropped. Anything else that is not as it was written is
//! refused with its line number, never repaired and never guessed.

mod line;
mod merge;
mod recorder;
mod shards;
#[cfg(test)]
mod tests;

use std::{
    collections::HashSet,
    fmt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{
    board::{Problem, Square},
    count::plan::{FORMAT_VERSION, Plan, PlanId, Shard},
    engine::{Engine, Route, Tally},
    error::Error,
};
use line::Chain;
pub use merge::{Merged, merge};
pub use recorder::Recorder;
pub use shards::{Claim, Shards, Survey};

/// Whose record it is: the first line.
///
/// ```
/// use queens::{Count, Engine, Route, ledger::{Ledger, Recorder}, plan::Shard};
///
/// let file = tempfile::NamedTempFile::new()?;
/// let plan = Count::new(8)?.plan()?;
/// Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
/// let header = Ledger::read(file.path())?.header;
/// assert_eq!((header.plan, header.engine), (plan.id(), Engine::Rows));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The name of the plan.
    pub plan: PlanId,
    /// What is counted.
    pub problem: Problem,
    /// What counts it.
    pub engine: Engine,
    /// How many blocks the whole plan has.
    pub blocks: usize,
    /// Which of them are recorded here.
    pub shard: Shard,
    /// By which route they are counted.
    pub route: Route,
    /// The version of the program that began it.
    pub version: String,
}

/// A finished block: one line.
///
/// ```
/// use queens::{Count, Route, Runner, ledger::{Ledger, Recorder}, plan::Shard};
///
/// let file = tempfile::NamedTempFile::new()?;
/// let plan = Count::new(8)?.plan()?;
/// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
/// plan.run_blocks(&recorder.missing(), &Runner::new().observer(&recorder))?;
/// let entry = &Ledger::read(file.path())?.entries[0];
/// assert_eq!((entry.block, entry.tasks, entry.count), (0, plan.tasks(), 92));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its place in [`Plan::blocks`].
    pub block: usize,
    /// The number of its first task.
    pub first: u64,
    /// How many tasks it has.
    pub tasks: u64,
    /// Its weighted count.
    pub count: u128,
    /// How long one thread took.
    pub seconds: f64,
}

/// A ledger as it was read.
///
/// ```
/// use queens::{Count, Route, Runner, ledger::{Ledger, Recorder}, plan::Shard};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("run.jsonl");
/// let plan = Count::new(8)?.plan()?;
/// let recorder = Recorder::open(&path, &plan, Shard::WHOLE, Route::Direct)?;
/// plan.run(&Runner::new().observer(&recorder))?;
///
/// let ledger = Ledger::read(&path)?;
/// assert_eq!(ledger.total, Some(92));
/// assert!(ledger.missing().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Ledger {
    /// The file it was read from, for messages.
    pub path: PathBuf,
    /// Whose record it is.
    pub header: Header,
    /// The finished blocks, in the order in which they were finished.
    pub entries: Vec<Entry>,
    /// The sum in the closing line, if the record is complete.
    pub total: Option<u128>,
    /// How many bytes of a torn last line were left out.
    pub torn: usize,
    chain: Chain,
}

impl Header {
    /// The first line of a run of this plan by this program.
    fn new(plan: &Plan, shard: Shard, route: Route) -> Self {
        Header {
            plan: plan.id(),
            problem: plan.problem().clone(),
            engine: plan.engine(),
            blocks: plan.blocks().len(),
            shard,
            route,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Whether both are about the same blocks, counted by the same route.
    fn is_same_run(&self, other: &Header) -> bool {
        self.plan == other.plan && self.shard == other.shard && self.route == other.route
    }
}

/// What distinguishes one run from another, for messages.
impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (plan, n, engine) = (self.plan, self.problem.n(), self.engine);
        write!(f, "plan {plan} (n = {n}, engine {engine}")?;
        if self.problem.is_restricted() {
            f.write_str(", a restricted board")?;
        }
        if self.shard != Shard::WHOLE {
            write!(f, ", {}", self.shard)?;
        }
        if self.route != Route::Direct {
            write!(f, ", the double-check")?;
        }
        f.write_str(")")
    }
}

impl Ledger {
    /// Reads a file that no one needs to hold still: one that is being written is
    /// read as far as it has come.
    ///
    /// ```
    /// use queens::{Error, ledger::Ledger};
    ///
    /// let missing = Ledger::read("no-such-file.jsonl".as_ref());
    /// assert!(matches!(missing, Err(Error::File { doing: "read", .. })));
    /// ```
    pub fn read(path: &Path) -> Result<Ledger, Error> {
        let bytes = std::fs::read(path).map_err(|error| Error::file(path, "read", error))?;
        Ledger::parse(path, &bytes)
    }

    /// Reads the contents of a file. The path is for messages only.
    ///
    /// ```
    /// use queens::{Count, Route, Runner, ledger::{Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// plan.run_blocks(&recorder.missing(), &Runner::new().observer(&recorder))?;
    /// let mut bytes = std::fs::read(file.path())?;
    /// bytes.pop(); // as a power cut might
    /// let ledger = Ledger::parse(file.path(), &bytes)?;
    /// assert_eq!((ledger.sum()?, ledger.total), (92, None));
    /// assert!(ledger.torn > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Ledger, Error> {
        let damaged = |line: usize, reason: String| Error::Damaged {
            path: path.to_owned(),
            line,
            reason,
        };
        let whole = whole_lines(bytes);
        let torn = bytes.len() - whole;
        let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        let mut chain = Chain::default();
        let Some(first) = lines.next() else {
            return Err(damaged(1, "there is no whole line".to_owned()));
        };
        let object = chain.open(&first[..first.len() - 1]);
        let object = object.map_err(|reason| damaged(1, reason))?;
        let header = HeaderLine::read(&object).map_err(|bad| match bad {
            Bad::Line(reason) => damaged(1, reason),
            Bad::Format(reason) => Error::Foreign {
                path: path.to_owned(),
                reason,
            },
        })?;
        let mut ledger = Ledger {
            path: path.to_owned(),
            header,
            entries: Vec::new(),
            total: None,
            torn,
            chain,
        };
        let mut seen = HashSet::new();
        for (line, number) in lines.zip(2..) {
            ledger
                .add(&line[..line.len() - 1], &mut seen)
                .map_err(|reason| damaged(number, reason))?;
        }
        if torn > 0 && ledger.total.is_some() {
            let line = ledger.entries.len() + 3;
            return Err(damaged(line, "there is text after the closing line".into()));
        }
        Ok(ledger)
    }

    /// Takes in one line after the first.
    fn add(&mut self, line: &[u8], seen: &mut HashSet<usize>) -> Result<(), String> {
        let object = self.chain.open(line)?;
        if self.total.is_some() {
            return Err("there is a line after the closing line".into());
        }
        if object.starts_with("{\"total\":") {
            let closing: ClosingLine = line::read(&object)?;
            let total = number(&closing.total)?;
            let sum = self.sum().map_err(|error| error.to_string())?;
            let missing = self.missing_count();
            if missing > 0 || closing.blocks != self.entries.len() || total != sum {
                return Err(format!(
                    "it closes {} blocks with a total of {total}, and the lines before hold {} ({missing} missing) with a sum of {sum}",
                    closing.blocks,
                    self.entries.len(),
                ));
            }
            self.total = Some(total);
            return Ok(());
        }
        let entry: EntryLine = line::read(&object)?;
        let entry = entry.entry()?;
        let (block, blocks, shard) = (entry.block, self.header.blocks, self.header.shard);
        if block >= blocks || !shard.contains(block) {
            return Err(format!(
                "it records block {block}, which is not one of the {blocks} blocks, {shard}"
            ));
        }
        if !seen.insert(block) {
            return Err(format!("it records block {block} a second time"));
        }
        self.entries.push(entry);
        Ok(())
    }

    /// The sum of the recorded counts.
    ///
    /// ```
    /// use queens::{Count, Route, Runner, ledger::{Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(10)?.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// plan.run_blocks(&recorder.missing(), &Runner::new().observer(&recorder))?;
    /// assert_eq!(Ledger::read(file.path())?.sum()?, 724);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sum(&self) -> Result<u128, Error> {
        let mut tally = Tally::default();
        for entry in &self.entries {
            tally.add(1, entry.count)?;
        }
        Ok(tally.total())
    }

    /// The time that threads have spent on the recorded blocks.
    ///
    /// ```
    /// use queens::{Count, Route, ledger::Recorder, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// assert_eq!(recorder.found().seconds(), 0.0); // nothing is recorded yet
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn seconds(&self) -> f64 {
        // An empty sum of floats would be -0.
        let seconds = self.entries.iter().map(|entry| entry.seconds);
        seconds.fold(0.0, |sum, one| sum + one)
    }

    /// The blocks that should be recorded here and are not yet.
    ///
    /// ```
    /// use queens::{Count, Engine, Route, ledger::Recorder, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(14)?.engine(Engine::Rows).plan()?;
    /// assert_eq!(plan.blocks().len(), 3);
    /// let recorder = Recorder::open(file.path(), &plan, Shard::new(0, 2)?, Route::Direct)?;
    /// assert_eq!(recorder.found().missing(), [0, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn missing(&self) -> Vec<usize> {
        let found: HashSet<usize> = self.entries.iter().map(|entry| entry.block).collect();
        let blocks = self.header.shard.blocks(self.header.blocks);
        blocks.filter(|block| !found.contains(block)).collect()
    }

    fn missing_count(&self) -> usize {
        let blocks = self.header.shard.blocks(self.header.blocks).len();
        // Entries are distinct blocks of the shard.
        blocks - self.entries.len()
    }

    /// The plan of which this is a record, made again.
    ///
    /// ```
    /// use queens::{Count, Route, ledger::{Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// assert_eq!(Ledger::read(file.path())?.plan()?.id(), plan.id());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan(&self) -> Result<Plan, Error> {
        let plan = Plan::new(&self.header.problem, self.header.engine)?;
        self.check(&plan)?;
        Ok(plan)
    }

    /// Whether this is a record of that plan, block by block.
    ///
    /// ```
    /// use queens::{Count, Error, Route, ledger::{Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let (plan, other) = (Count::new(8)?.plan()?, Count::new(9)?.plan()?);
    /// Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// let ledger = Ledger::read(file.path())?;
    /// assert!(ledger.check(&plan).is_ok());
    /// assert!(matches!(ledger.check(&other), Err(Error::Foreign { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, plan: &Plan) -> Result<(), Error> {
        let here = Header::new(plan, self.header.shard, self.header.route);
        if self.header.plan != here.plan {
            return Err(self.foreign_to(&here));
        }
        let damaged = |line, reason| Error::Damaged {
            path: self.path.clone(),
            line,
            reason,
        };
        if self.header.blocks != here.blocks || self.header.problem.n() != here.problem.n() {
            let reason = format!("it is not the header of {here} with {} blocks", here.blocks);
            return Err(damaged(1, reason));
        }
        for (entry, line) in self.entries.iter().zip(2..) {
            let block = plan.blocks()[entry.block];
            if (entry.first, entry.tasks) != (block.first, block.tasks) {
                return Err(damaged(
                    line,
                    format!(
                        "block {} has {} tasks from {}, and the plan says {} from {}",
                        entry.block, entry.tasks, entry.first, block.tasks, block.first
                    ),
                ));
            }
        }
        Ok(())
    }

    /// This ledger, if it is a record of this run of the plan.
    fn of_run(self, plan: &Plan, run: &Header) -> Result<Ledger, Error> {
        if !self.header.is_same_run(run) {
            return Err(self.foreign_to(run));
        }
        self.check(plan)?;
        Ok(self)
    }

    /// The refusal of a file that is not of this run.
    fn foreign_to(&self, run: &Header) -> Error {
        let (header, version) = (&self.header, &self.header.version);
        Error::Foreign {
            path: self.path.clone(),
            reason: format!(
                "it is the record of {header}, begun by queens {version}, and this is {run} in queens {}; name another file for this run, or repeat the command that began that one",
                run.version
            ),
        }
    }
}

/// The length of the part that ends with the last line feed.
fn whole_lines(bytes: &[u8]) -> usize {
    let last = bytes.iter().rposition(|&byte| byte == b'\n');
    last.map_or(0, |last| last + 1)
}

/// A decimal number as this program writes it: no sign, no leading zero.
fn number(text: &str) -> Result<u128, String> {
    match text.parse::<u128>() {
        Ok(number) if number.to_string() == text => Ok(number),
        _ => Err(format!("\"{text}\" is not a count")),
    }
}

/// The first line as it is written. Fields for what is not usual are left out when
/// all is usual.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderLine {
    format: u32,
    plan: String,
    n: u32,
    engine: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    require: Vec<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    forbid: Vec<(u32, u32)>,
    blocks: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    of: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    route: Option<String>,
    version: String,
}

/// What a program must be able to read of any format.
#[derive(Deserialize)]
struct FormatLine {
    format: u32,
    #[serde(default)]
    version: String,
}

/// Why a header is not taken.
enum Bad {
    Line(String),
    Format(String),
}

impl HeaderLine {
    fn read(object: &str) -> Result<Header, Bad> {
        let FormatLine { format, version } = line::read(object).map_err(Bad::Line)?;
        if format != FORMAT_VERSION {
            return Err(Bad::Format(format!(
                "it has format {format}, and this program knows format {FORMAT_VERSION}; use queens {version}, which wrote it, or name another file"
            )));
        }
        let line: HeaderLine = line::read(object).map_err(Bad::Line)?;
        line.header()
    }

    fn header(self) -> Result<Header, Bad> {
        let bad = |error: Error| Bad::Line(error.to_string());
        let square = |&(row, column): &(u32, u32)| {
            let square = Square::in_row(row, column, self.n);
            square.ok_or_else(|| Bad::Line(format!("a board of side {} has no row {row}", self.n)))
        };
        let mut problem = Problem::new(self.n).map_err(bad)?;
        for required in self.require.iter().map(square) {
            problem = problem.require(required?).map_err(bad)?;
        }
        for forbidden in self.forbid.iter().map(square) {
            problem = problem.forbid(forbidden?).map_err(bad)?;
        }
        let shard = match (self.shard, self.of) {
            (None, None) => Shard::WHOLE,
            (Some(index), Some(of)) => Shard::new(index, of).map_err(bad)?,
            _ => return Err(Bad::Line("it names half a shard".into())),
        };
        let route = match &self.route {
            None => Route::Direct,
            Some(name) => name.parse().map_err(bad)?,
        };
        Ok(Header {
            plan: self.plan.parse().map_err(bad)?,
            problem,
            engine: self.engine.parse().map_err(|_| {
                Bad::Format(format!(
                    "it is counted by the engine \"{}\", which this program does not have; use queens {}, which wrote it",
                    self.engine, self.version
                ))
            })?,
            blocks: self.blocks,
            shard,
            route,
            version: self.version,
        })
    }
}

impl From<&Header> for HeaderLine {
    fn from(header: &Header) -> Self {
        let n = header.problem.n();
        let row_and_column = |square: &Square| Some((square.row(n)?, square.file()));
        let squares = |squares: &[Square]| squares.iter().filter_map(row_and_column).collect();
        let shard = (header.shard != Shard::WHOLE).then_some(header.shard);
        HeaderLine {
            format: FORMAT_VERSION,
            plan: header.plan.to_string(),
            n,
            engine: header.engine.name().to_owned(),
            require: squares(header.problem.required()),
            forbid: squares(header.problem.forbidden()),
            blocks: header.blocks,
            shard: shard.map(Shard::index),
            of: shard.map(Shard::of),
            route: (header.route != Route::Direct).then(|| header.route.name().to_owned()),
            version: header.version.clone(),
        }
    }
}

/// A block's line as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryLine {
    block: usize,
    first: u64,
    tasks: u64,
    count: String,
    seconds: f64,
}

impl EntryLine {
    fn entry(self) -> Result<Entry, String> {
        if !(self.seconds.is_finite() && self.seconds >= 0.0) {
            return Err(format!("{} seconds are no time", self.seconds));
        }
        Ok(Entry {
            block: self.block,
            first: self.first,
            tasks: self.tasks,
            count: number(&self.count)?,
            seconds: self.seconds,
        })
    }
}

impl From<&Entry> for EntryLine {
    fn from(entry: &Entry) -> Self {
        EntryLine {
            block: entry.block,
            first: entry.first,
            tasks: entry.tasks,
            count: entry.count.to_string(),
            seconds: entry.seconds,
        }
    }
}

/// The last line of a complete record.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClosingLine {
    total: String,
    blocks: usize,
}
