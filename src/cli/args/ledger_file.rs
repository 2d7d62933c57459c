//! A ledger that the user names: as it was written, or compressed by gzip, as records are
//! kept. What it begins with tells them apart, not its name.
//!
//! A compressed file of a few kilobytes can unpack to gigabytes, so there is an end to what
//! is unpacked: no ledger is as long.

use std::{
    fs::{self, File},
    io::{self, BufReader, Read},
    path::Path,
};

use anyhow::{Context, Result};
use flate2::bufread::MultiGzDecoder;
use queens::ledger::Ledger;

use crate::cli::{exit::Exit, report::humanize::bytes};

/// What every gzip file begins with.
const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// A plan has hardly more than a million blocks, and the line of one is shorter than this
/// over a million.
const LONGEST: u64 = 256 << 20;

/// Reads a ledger, compressed or not.
pub fn read(path: &Path) -> Result<Ledger> {
    Ok(match unpacked(path)? {
        Some(text) => Ledger::parse(path, &text)?,
        None => Ledger::read(path)?,
    })
}

/// All that the file holds, unpacked.
pub fn text(path: &Path) -> Result<Vec<u8>> {
    let cannot = || format!("cannot read {}", path.display());
    match unpacked(path)? {
        Some(text) => Ok(text),
        None => fs::read(path).with_context(cannot),
    }
}

/// What a compressed file holds; nothing of any other.
fn unpacked(path: &Path) -> Result<Option<Vec<u8>>> {
    // Who reads a ledger says what is wrong with a pipe, a folder or no file at all.
    if !fs::metadata(path).is_ok_and(|about| about.is_file()) {
        return Ok(None);
    }
    let cannot = || format!("cannot read {}", path.display());
    let mut file = BufReader::new(File::open(path).with_context(cannot)?);
    let begins = io::BufRead::fill_buf(&mut file).with_context(cannot)?;
    if !begins.starts_with(&MAGIC) {
        return Ok(None);
    }
    unpack(file, path, LONGEST).map(Some)
}

fn unpack(file: impl io::BufRead, path: &Path, longest: u64) -> Result<Vec<u8>> {
    let (mut text, path) = (Vec::new(), path.display());
    let unpacked = MultiGzDecoder::new(file).take(longest + 1);
    { unpacked }.read_to_end(&mut text).map_err(|reason| {
        Exit::Damaged.because(format!(
            "{path} is not a whole gzip file: {reason}; restore it from a copy"
        ))
    })?;
    if text.len() as u64 > longest {
        let longest = bytes(longest);
        return Err(Exit::Foreign.because(format!(
            "{path} does not belong here: it unpacks to more than {longest}, and no ledger is as long"
        )));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(text).unwrap();
        gzip.finish().unwrap()
    }

    fn unpacked(bytes: &[u8], longest: u64) -> Result<Vec<u8>, Exit> {
        unpack(bytes, "x.gz".as_ref(), longest).map_err(|error| {
            assert!(error.to_string().starts_with("x.gz "), "{error}");
            Exit::of(&error)
        })
    }

    #[test]
    fn a_file_is_unpacked_whole_or_not_at_all() {
        let text = b"{\"block\":0}\n".repeat(100);
        let whole = packed(&text);
        assert_eq!(unpacked(&whole, LONGEST), Ok(text.clone()));
        for end in 2..whole.len() {
            assert_eq!(unpacked(&whole[..end], LONGEST), Err(Exit::Damaged));
        }
        let last = [&whole[..], b"more"].concat();
        assert_eq!(unpacked(&last, LONGEST), Err(Exit::Damaged));
        let mut flipped = whole.clone();
        let middle = whole.len() / 2;
        flipped[middle] ^= 1;
        assert_eq!(unpacked(&flipped, LONGEST), Err(Exit::Damaged));
        // Two files, one after the other, are one.
        let twice = [&whole[..], &whole].concat();
        assert_eq!(unpacked(&twice, LONGEST), Ok(text.repeat(2)));
    }

    #[test]
    fn what_is_too_long_for_a_ledger_is_not_unpacked_to_its_end() {
        let zeros = packed(&[0; 1 << 20]);
        assert!(zeros.len() < 2000);
        assert_eq!(unpacked(&zeros, 1 << 20), Ok(vec![0; 1 << 20]));
        assert_eq!(unpacked(&zeros, (1 << 20) - 1), Err(Exit::Foreign));
    }
}
