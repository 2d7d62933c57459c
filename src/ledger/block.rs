//! The lines of a ledger after the first: one for every finished block, and the one
//! that closes it.

use serde::{Deserialize, Serialize};

/// A finished block as a ledger records it: one line.
///
/// ```
/// use queens::{Count, Route, Runner, ledger::{Ledger, Recorder}, plan::Shard};
///
/// let file = tempfile::NamedTempFile::new()?;
/// let plan = Count::new(8)?.plan()?;
/// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
/// plan.run(&Runner::new().observer(&recorder))?;
/// let ledger = Ledger::read(file.path())?;
/// let block = &ledger.blocks()[0];
/// assert_eq!((block.index, block.tasks, block.count), (0, plan.tasks(), 92));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RecordedBlock {
    /// Its place in [`Plan::blocks`](crate::plan::Plan::blocks).
    pub index: usize,
    /// The number of its first task.
    pub first: u64,
    /// How many tasks it has.
    pub tasks: u64,
    /// Its weighted count.
    pub count: u128,
    /// How long one thread took.
    pub seconds: f64,
}

/// A block's line as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlockLine {
    block: usize,
    first: u64,
    tasks: u64,
    count: String,
    seconds: f64,
}

impl BlockLine {
    /// The block, or what is wrong with its line.
    pub(super) fn block(self) -> Result<RecordedBlock, String> {
        if !(self.seconds.is_finite() && self.seconds >= 0.0) {
            return Err(format!("{} is not a number of seconds", self.seconds));
        }
        Ok(RecordedBlock {
            index: self.block,
            first: self.first,
            tasks: self.tasks,
            count: number(&self.count)?,
            seconds: self.seconds,
        })
    }
}

impl From<&RecordedBlock> for BlockLine {
    fn from(block: &RecordedBlock) -> Self {
        BlockLine {
            block: block.index,
            first: block.first,
            tasks: block.tasks,
            count: block.count.to_string(),
            seconds: block.seconds,
        }
    }
}

/// The last line of a complete ledger.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClosingLine {
    pub(super) total: String,
    pub(super) blocks: usize,
}

/// A decimal number as this program writes it: no sign, no leading zero.
pub(super) fn number(text: &str) -> Result<u128, String> {
    match text.parse::<u128>() {
        Ok(number) if number.to_string() == text => Ok(number),
        _ => Err(format!("\"{text}\" is not a count")),
    }
}
