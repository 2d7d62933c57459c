//! The inner list of packed lanes: its placements by prefix and column set.

use super::{NO_ROW, TABLED, depth};
use crate::{
    engine::{
        alloc,
        colours::{
            half::HalfBoard,
            join::prefixes::{self, Prefix, prefix},
            placements::Placements,
        },
    },
    error::Error,
    threads::Cancel,
};

/// The most walkers with one prefix and column set: four queens on four columns.
const LARGEST: usize = 24;

/// The walkers of one prefix and column set.
#[derive(Debug, Clone, Copy)]
struct KeyGroup {
    /// Their first place in the list.
    start: u32,
    key: u16,
    /// How many, from 1 to 24.
    len: u8,
}

/// An inner list by prefix and column set.
#[derive(Debug)]
pub(crate) struct Walker {
    pub(super) half: HalfBoard,
    /// The rows of the prefix.
    pub(super) prefix_rows: Vec<u8>,
    /// The rows below it, at most four.
    pub(super) rows: Vec<u8>,
    /// The prefixes, rising, each with the end of its groups.
    prefixes: Vec<(Prefix, u32)>,
    /// The groups, prefix by prefix, by falling length: a loop that runs as often as the
    /// last time is predicted well.
    groups: Vec<KeyGroup>,
    /// The columns of the queens below the prefix, four bits each, the first lowest.
    pub(super) paths: Vec<u16>,
}

impl Walker {
    /// A list in search order.
    pub(crate) fn new(list: &Placements, half: &HalfBoard, cancel: &Cancel) -> Result<Self, Error> {
        let depth = depth(list.rows.len());
        let (prefix_rows, rows) = list.rows.split_at(depth);
        let mut walker = Walker {
            half: *half,
            prefix_rows: prefix_rows.to_vec(),
            rows: rows.to_vec(),
            prefixes: Vec::new(),
            groups: Vec::new(),
            paths: alloc::filled(0, list.len())?,
        };
        let shared = (1u64 << (4 * depth)) - 1;
        let mut grouping = Grouping::new(list.keys().iter().max().map_or(0, |&key| key.into()));
        let mut start = 0;
        for columns in list.columns().chunk_by(|a, b| (a ^ b) & shared == 0) {
            if cancel.is_cancelled() {
                return Err(Error::Interrupted);
            }
            let range = start..start + columns.len();
            start = range.end;
            let keys = &list.keys()[range.clone()];
            grouping.group(keys, range.start as u32, &mut walker.groups)?;
            for (&key, &columns) in keys.iter().zip(columns) {
                let place = grouping.next(key);
                walker.paths[place as usize] = (columns >> (4 * depth)) as u16;
            }
            let end = walker.groups.len() as u32;
            walker.prefixes.push((prefix(columns[0], depth), end));
        }
        walker.groups.shrink_to_fit();
        Ok(walker)
    }

    /// The rows of its prefixes.
    pub(crate) fn prefix_rows(&self) -> &[u8] {
        &self.prefix_rows
    }

    /// The columns that a prefix leaves on each of the rows below it.
    pub(super) fn free(&self, prefix: Prefix) -> [u32; TABLED] {
        let free = prefixes::free(&self.half, &self.prefix_rows, prefix);
        let mut columns = [0; TABLED];
        for (columns, &row) in columns.iter_mut().zip(&self.rows) {
            *columns = free(row);
        }
        columns
    }

    /// The walkers whose key is given a row, for a join; keys beyond the rows have none.
    pub(crate) fn counted(&self, rows: &[u16], counted: &mut Counted) -> Result<(), Error> {
        let Counted { prefixes, groups } = counted;
        prefixes.clear();
        if groups.len() < self.groups.len() {
            alloc::resize(groups, self.groups.len(), Group::default())?;
        }
        let (mut start, mut len) = (0, 0);
        for &(prefix, end) in &self.prefixes {
            // Every group is looked up and written, and stays if it has a row: which do is not
            // for the processor to guess.
            for group in &self.groups[start..end as usize] {
                let row = rows.get(usize::from(group.key)).copied().unwrap_or(NO_ROW);
                groups[len] = Group {
                    start: group.start,
                    row,
                    len: group.len,
                };
                len += usize::from(row != NO_ROW);
            }
            start = end as usize;
            prefixes.push((prefix, len as u32));
        }
        Ok(())
    }
}

/// Room to find the groups of a prefix, by counting: no key is compared with another.
struct Grouping {
    /// How many placements each key has; none, between two prefixes.
    sizes: Vec<u8>,
    /// Where the next placement of each key goes.
    next: Vec<u32>,
    /// The keys that have placements, as they came.
    keys: Vec<u16>,
}

impl Grouping {
    fn new(greatest: usize) -> Self {
        Grouping {
            sizes: vec![0; greatest + 1],
            next: vec![0; greatest + 1],
            keys: Vec::new(),
        }
    }

    /// Adds the groups of the placements with these keys, whose places begin at `start`.
    fn group(&mut self, keys: &[u16], start: u32, groups: &mut Vec<KeyGroup>) -> Result<(), Error> {
        // Every key is written, and stays if it is new: which are is not for the processor to
        // guess.
        alloc::resize(&mut self.keys, keys.len(), 0)?;
        let mut found = 0;
        for &key in keys {
            let size = &mut self.sizes[usize::from(key)];
            self.keys[found] = key;
            found += usize::from(*size == 0);
            *size += 1;
        }
        self.keys.truncate(found);
        // Where the groups of each size begin, the largest first, and their placements.
        let mut of_size = [0; LARGEST + 1];
        for &key in &self.keys {
            of_size[usize::from(self.sizes[usize::from(key)])] += 1;
        }
        let mut group = groups.len();
        let mut place = start;
        let mut begin = [(0, 0); LARGEST + 1];
        for (size, &groups) in of_size.iter().enumerate().rev() {
            begin[size] = (group, place);
            group += groups;
            place += (groups * size) as u32;
        }
        let none = KeyGroup {
            start: 0,
            key: 0,
            len: 0,
        };
        alloc::reserve(groups, group - groups.len())?;
        groups.resize(group, none);
        for &key in &self.keys {
            let len = std::mem::take(&mut self.sizes[usize::from(key)]);
            let (group, start) = &mut begin[usize::from(len)];
            groups[*group] = KeyGroup {
                start: *start,
                key,
                len,
            };
            self.next[usize::from(key)] = *start;
            *group += 1;
            *start += u32::from(len);
        }
        Ok(())
    }

    /// Where the next placement with this key goes.
    fn next(&mut self, key: u16) -> u32 {
        let next = &mut self.next[usize::from(key)];
        *next += 1;
        *next - 1
    }
}

/// The walkers of one prefix and column set, and the row of counts that they add to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Group {
    pub(super) start: u32,
    pub(super) row: u16,
    pub(super) len: u8,
}

/// The walkers that a task counts.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    /// The prefixes, rising, each with the end of its groups.
    pub(super) prefixes: Vec<(Prefix, u32)>,
    /// The groups, and perhaps more, which belong to no prefix.
    pub(super) groups: Vec<Group>,
}
