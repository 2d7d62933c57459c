//! A growing list of vectors that begins at a cache line: a vector that lies across two of
//! them costs two loads.

use crate::{
    engine::{alloc, colours::join::kernel::Bits},
    error::Error,
};

/// How many words a cache line has.
const LINE: usize = 8;

/// Vectors of 256 bits.
#[derive(Debug, Default)]
pub(super) struct Vectors {
    /// The vectors, from a cache line on.
    words: Vec<u64>,
    /// How many words there are before it.
    skipped: usize,
}

impl Vectors {
    pub(super) fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Makes room for so many vectors, and keeps those that are there. What is new is anything.
    /// Not for twice as many: this is a good part of the memory of a thread.
    pub(super) fn grow(&mut self, len: usize) -> Result<(), Error> {
        if len <= self.len() {
            return Ok(());
        }
        let old = self.skipped..self.skipped + 4 * self.len();
        let room = 4 * (len + len / 4) + LINE;
        alloc::resize(&mut self.words, room, 0)?;
        // The list may have moved to a place that lies otherwise in its line.
        self.skipped = self.words.as_ptr().align_offset(64).min(LINE);
        self.words.copy_within(old, self.skipped);
        Ok(())
    }

    pub(super) fn as_slice(&self) -> &[Bits] {
        self.words[self.skipped..].as_chunks().0
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [Bits] {
        self.words[self.skipped..].as_chunks_mut().0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_stays_where_it_is_as_the_list_grows() {
        let mut vectors = Vectors::default();
        assert_eq!(vectors.len(), 0);
        for len in (1..3000).step_by(37) {
            vectors.grow(len).unwrap();
            let all = vectors.as_mut_slice();
            assert!(all.len() >= len);
            all[len - 1] = [len as u64; 4];
            for earlier in (1..=len).step_by(37) {
                assert_eq!(all[earlier - 1], [earlier as u64; 4]);
            }
            assert_eq!(all.as_ptr().addr() % 64, 0);
        }
    }
}
