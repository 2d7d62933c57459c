//! Shards: a plan divided among machines, block by block.

use std::fmt;

use crate::error::Error;

/// One of several equal shares of a plan: the blocks i, i + k, i + 2k, … of shard i of
/// k. Costly blocks come first in a plan, so every shard gets its share of them.
///
/// ```
/// use queens::plan::Shard;
///
/// let blocks: Vec<usize> = Shard::new(1, 3)?.blocks(10).collect();
/// assert_eq!(blocks, [1, 4, 7]);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    /// All blocks: shard 0 of 1.
    ///
    /// ```
    /// use queens::plan::Shard;
    ///
    /// assert_eq!(Shard::WHOLE, Shard::new(0, 1)?);
    /// assert!(Shard::WHOLE.blocks(10).eq(0..10));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// Shard `index`, counted from 0, of `of`.
    ///
    /// ```
    /// use queens::{Error, plan::Shard};
    ///
    /// assert!(Shard::new(2, 3).is_ok());
    /// assert!(matches!(Shard::new(3, 3), Err(Error::NoShard { index: 3, of: 3 })));
    /// ```
    pub fn new(index: u32, of: u32) -> Result<Self, Error> {
        if index >= of {
            return Err(Error::NoShard { index, of });
        }
        Ok(Shard { index, of })
    }

    /// Which one it is, from 0.
    ///
    /// ```
    /// assert_eq!(queens::plan::Shard::new(2, 3)?.index(), 2);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many there are.
    ///
    /// ```
    /// assert_eq!(queens::plan::Shard::new(2, 3)?.of(), 3);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn of(self) -> u32 {
        self.of
    }

    /// Its blocks, of a plan that has this many.
    ///
    /// ```
    /// use queens::plan::Shard;
    ///
    /// let mut blocks: Vec<usize> = Vec::new();
    /// for index in 0..3 {
    ///     blocks.extend(Shard::new(index, 3)?.blocks(10));
    /// }
    /// blocks.sort();
    /// assert!(blocks.into_iter().eq(0..10)); // each is in one shard
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn blocks(self, blocks: usize) -> impl ExactSizeIterator<Item = usize> {
        (self.index as usize..blocks).step_by(self.of as usize)
    }

    /// Whether this block is one of them.
    ///
    /// ```
    /// let shard = queens::plan::Shard::new(1, 3)?;
    /// assert!(shard.contains(7));
    /// assert!(!shard.contains(8));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn contains(self, block: usize) -> bool {
        block % self.of as usize == self.index as usize
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shard {} of {}", self.index, self.of)
    }
}

/// Sorted numbers in few words: neighbours as a range.
///
/// ```
/// assert_eq!(queens::plan::ranges(&[0, 3, 4, 5, 9]), "0,3-5,9");
/// ```
pub fn ranges(numbers: &[usize]) -> String {
    let neighbours = numbers.chunk_by(|a, b| a + 1 == *b);
    let words = neighbours.map(|numbers| match numbers {
        [first, .., last] => format!("{first}-{last}"),
        _ => numbers[0].to_string(),
    });
    words.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{board::Problem, count::Plan, engine::Engine};

    #[test]
    fn each_block_is_in_exactly_one_shard_for_every_number_of_shards() {
        for &engine in Engine::ALL {
            let plan = Plan::new(&Problem::new(17).unwrap(), engine).unwrap();
            let blocks = plan.blocks().len();
            for of in 1..=blocks as u32 {
                let mut times = vec![0; blocks];
                for index in 0..of {
                    let shard = Shard::new(index, of).unwrap();
                    for block in shard.blocks(blocks) {
                        assert!(shard.contains(block));
                        times[block] += 1;
                    }
                }
                assert_eq!(times, vec![1; blocks], "{engine}, {of} shards");
            }
        }
    }
}
