//! Reads a ledger, line by line, and takes nothing for granted.
//!
//! A process or a machine that dies leaves whole lines and perhaps a torn last one,
//! without its line feed; that one is left out. Anything else that is not as it was
//! written is refused with its line number.

use std::{
    collections::HashSet,
    fs::{self, File, Metadata},
    io::{self, Read},
    path::Path,
};

use super::{
    Ledger,
    block::{BlockLine, ClosingLine, number},
    chain::{self, Chain},
    header::{HeaderLine, Refusal},
};
use crate::error::{Error, counted};

impl Ledger {
    /// Reads a file. Nobody needs to hold it still: one that is being written is read as
    /// far as it has come.
    ///
    /// ```
    /// use queens::{Error, ledger::Ledger};
    ///
    /// let missing = Ledger::read("no-such-file.jsonl".as_ref());
    /// assert!(matches!(missing, Err(Error::File { doing: "read", .. })));
    /// ```
    pub fn read(path: &Path) -> Result<Ledger, Error> {
        refuse_irregular(path, "read", fs::metadata(path))?;
        let file = File::open(path).map_err(|error| Error::file(path, "read", error))?;
        Ledger::parse(path, &contents(path, &file)?)
    }

    /// Reads the contents of a file. The path is for messages only.
    ///
    /// ```
    /// use queens::{Count, Route, Runner, ledger::{Ledger, Recorder}, plan::Shard};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let plan = Count::new(8)?.plan()?;
    /// let recorder = Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
    /// plan.run(&Runner::new().observer(&recorder))?;
    /// let mut bytes = std::fs::read(file.path())?;
    /// bytes.pop(); // as a power cut might
    /// let ledger = Ledger::parse(file.path(), &bytes)?;
    /// assert_eq!((ledger.sum(), ledger.total()), (92, None));
    /// assert!(ledger.torn() > 0);
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
        let header = HeaderLine::read(&object).map_err(|refusal| match refusal {
            Refusal::Damaged(reason) => damaged(1, reason),
            Refusal::Foreign(reason) => Error::Foreign {
                path: path.to_owned(),
                reason,
            },
        })?;
        let mut ledger = Ledger::new(path, header, chain, torn);
        let mut seen = HashSet::new();
        for (line, number) in lines.zip(2..) {
            ledger
                .take_in(&line[..line.len() - 1], &mut seen)
                .map_err(|reason| damaged(number, reason))?;
        }
        if torn > 0 && ledger.closed {
            let line = ledger.blocks.len() + 3;
            return Err(damaged(line, "there is text after the closing line".into()));
        }
        Ok(ledger)
    }

    /// Takes in one line after the first.
    fn take_in(&mut self, line: &[u8], seen: &mut HashSet<usize>) -> Result<(), String> {
        let object = self.chain.open(line)?;
        if self.closed {
            return Err("there is a line after the closing line".into());
        }
        if object.starts_with("{\"total\":") {
            return self.close(chain::read(&object)?);
        }
        let block: BlockLine = chain::read(&object)?;
        let block = block.block()?;
        let (index, blocks, shard) = (block.index, self.header.blocks, self.header.shard);
        if index >= blocks || !shard.contains(index) {
            return Err(format!(
                "it records block {index}, which is not in {shard} of a plan with {}",
                counted(blocks, "block")
            ));
        }
        if !seen.insert(index) {
            return Err(format!("it records block {index} a second time"));
        }
        self.sum.add(block.count)?;
        self.blocks.push(block);
        Ok(())
    }

    /// Takes in the closing line, which must say what the lines before it say.
    fn close(&mut self, ClosingLine { total, blocks }: ClosingLine) -> Result<(), String> {
        let total = number(&total)?;
        let (recorded, sum) = (self.blocks.len(), self.sum());
        // The recorded blocks are distinct blocks of the shard.
        let missing = self.header.shard.blocks(self.header.blocks).len() - recorded;
        if missing > 0 || blocks != recorded || total != sum {
            return Err(format!(
                "it closes {} with a total of {total}, and the lines before hold {recorded} ({missing} missing) with a sum of {sum}",
                counted(blocks, "block")
            ));
        }
        self.closed = true;
        Ok(())
    }
}

/// Refuses what is there but is not a regular file: a pipe would be waited for, a device
/// might never end.
pub(super) fn refuse_irregular(
    path: &Path,
    doing: &'static str,
    found: io::Result<Metadata>,
) -> Result<(), Error> {
    match found {
        Ok(found) if found.is_dir() => Err(Error::file(path, doing, "it is a folder")),
        Ok(found) if !found.is_file() => Err(Error::file(path, doing, "it is not a regular file")),
        // Who opens it says what is wrong with what cannot be looked at.
        _ => Ok(()),
    }
}

/// All that a file holds.
pub(super) fn contents(path: &Path, file: &File) -> Result<Vec<u8>, Error> {
    let length = || file.metadata().map(|found| found.len());
    read_whole(file, length).map_err(|error| Error::file(path, "read", error))
}

/// Reads to the end. A system that hands out less than the file's length has failed to
/// read it, even if it does not say so; whoever believed it would drop sound lines.
fn read_whole(mut file: impl Read, length: impl Fn() -> io::Result<u64>) -> io::Result<Vec<u8>> {
    let before = length()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    // Meanwhile another process may have appended lines, or dropped a torn one.
    let expected = before.min(length()?);
    if (bytes.len() as u64) < expected {
        return Err(io::Error::other(format!(
            "only {} of its {expected} bytes can be read",
            bytes.len()
        )));
    }
    Ok(bytes)
}

/// The length of all whole lines, up to the last line feed.
pub(super) fn whole_lines(bytes: &[u8]) -> usize {
    let last = bytes.iter().rposition(|&byte| byte == b'\n');
    last.map_or(0, |last| last + 1)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_file_is_read_to_its_length_or_not_at_all() {
        let read = |lengths: [u64; 2]| {
            let next = Cell::new(0);
            let length = || Ok(lengths[next.replace(1)]);
            read_whole(&b"four"[..], length)
        };
        assert_eq!(read([4, 4]).unwrap(), b"four");
        assert_eq!(read([4, 9]).unwrap(), b"four", "it has grown since");
        assert_eq!(read([9, 4]).unwrap(), b"four", "it has been cut");
        let short = read([9, 9]).unwrap_err().to_string();
        assert_eq!(short, "only 4 of its 9 bytes can be read");
    }
}
