//! Binds threads to cores, so that none is moved away from its caches and its memory.
//!
//! The first thread gets the first core of the list, and so on. Threads that share lists
//! should share memory: the list has all cores of a NUMA node before those of the next, the
//! node with the most cores first. And two threads of a core share its units: within a node
//! the list has one of each core before their siblings. Only what the affinity mask of the
//! process allows is in it.

use std::{cmp::Reverse, fs, path::Path};

use anyhow::Result;
use clap::Args;
use queens::Count;

use crate::cli::{
    exit::Exit,
    platform::affinity::{allowed, bind},
};

/// Whether threads are bound.
#[derive(Debug, Args)]
#[command(next_help_heading = "How to count")]
pub struct Pin {
    /// Bind each thread to a core of its own (Linux)
    ///
    /// The cores of one NUMA node come before those of the next, and one thread of each core
    /// before its siblings. More threads than cores share them in turn.
    #[arg(long)]
    pub pin: bool,
}

/// The cores to bind threads to, in turn; none for no binding.
pub struct Cores(Vec<usize>);

impl Pin {
    /// The cores that this process may use, if threads are to be bound to them. To be asked
    /// before the first count: that may bind this thread to one core.
    pub fn cores(&self) -> Result<Cores> {
        if !self.pin {
            return Ok(Cores(Vec::new()));
        }
        let cores = in_order(allowed(), Path::new("/sys/devices/system"));
        if cores.is_empty() {
            return Err(Exit::Usage.because("--pin cannot bind threads on this system"));
        }
        Ok(Cores(cores))
    }
}

impl Cores {
    /// The count with its threads bound to them.
    pub fn apply<'a>(&self, count: Count<'a>) -> Count<'a> {
        if self.0.is_empty() {
            return count;
        }
        let cores = self.0.clone();
        count.on_each_thread(move |thread| bind(cores[thread % cores.len()]))
    }
}

/// These cores in the order of the header, by a folder like `/sys/devices/system`. What it
/// does not tell is taken for one node, and for cores without siblings.
fn in_order(mut cores: Vec<usize>, system: &Path) -> Vec<usize> {
    let nodes = nodes(&system.join("node"));
    let node = |core: usize| nodes.iter().position(|cores| cores.contains(&core));
    let sizes: Vec<usize> = (0..nodes.len())
        .map(|place| {
            cores
                .iter()
                .filter(|&&core| node(core) == Some(place))
                .count()
        })
        .collect();
    let allowed = cores.clone();
    cores.sort_by_cached_key(|&core| {
        let file = format!("cpu/cpu{core}/topology/thread_siblings_list");
        let siblings = read_list(&system.join(file));
        let before = siblings
            .iter()
            .filter(|&&other| other < core && allowed.contains(&other));
        let node = node(core);
        let size = node.map_or(0, |node| sizes[node]);
        (Reverse(size), node, before.count(), core)
    });
    cores
}

/// The cores of each NUMA node, from a folder with a folder `node0`, `node1`, … for each.
fn nodes(folder: &Path) -> Vec<Vec<usize>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut nodes: Vec<(usize, Vec<usize>)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let number = name.strip_prefix("node")?.parse().ok()?;
            Some((number, read_list(&entry.path().join("cpulist"))))
        })
        .collect();
    nodes.sort();
    nodes.into_iter().map(|(_, cores)| cores).collect()
}

/// The numbers in a file such as "0-3,8"; none where it cannot be read.
fn read_list(path: &Path) -> Vec<usize> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let ranges = text.trim().split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(first.parse::<usize>().ok()?..=last.parse().ok()?)
    });
    ranges.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder like `/sys/devices/system` with these nodes, and these siblings.
    fn system(nodes: &[&str], siblings: &[(usize, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: String, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{text}\n")).unwrap();
        };
        for (number, cores) in nodes.iter().enumerate() {
            write(format!("node/node{number}/cpulist"), cores);
        }
        write("node/possible".to_owned(), "0");
        for (core, all) in siblings {
            write(format!("cpu/cpu{core}/topology/thread_siblings_list"), all);
        }
        folder
    }

    #[test]
    fn one_node_is_filled_before_the_next_and_cores_before_their_siblings() {
        // Two nodes of two cores with two threads each, numbered as on many servers.
        let siblings = [
            (0, "0,4"),
            (1, "1,5"),
            (2, "2,6"),
            (3, "3,7"),
            (4, "0,4"),
            (5, "1,5"),
            (6, "2,6"),
            (7, "3,7"),
        ];
        let server = system(&["0-1,4-5", "2-3,6-7"], &siblings);
        let order = |allowed: &[usize]| in_order(allowed.to_vec(), server.path());
        assert_eq!(order(&[0, 1, 2, 3, 4, 5, 6, 7]), [0, 1, 4, 5, 2, 3, 6, 7]);
        // The mask leaves more of the second node; and core 4 without its sibling is a core.
        assert_eq!(order(&[1, 2, 3, 4, 6]), [2, 3, 6, 1, 4]);
    }

    #[test]
    fn siblings_with_neighbouring_numbers_are_told_apart_too() {
        let laptop = system(&["0-3"], &[(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3")]);
        assert_eq!(in_order(vec![0, 1, 2, 3], laptop.path()), [0, 2, 1, 3]);
    }

    #[test]
    fn a_system_that_tells_nothing_has_its_cores_in_order() {
        let nothing = system(&[], &[]);
        assert_eq!(in_order(vec![3, 5, 9], nothing.path()), [3, 5, 9]);
        let nonsense = system(&["x-", ""], &[(3, "-"), (5, "9-1")]);
        assert_eq!(in_order(vec![3, 5, 9], nonsense.path()), [3, 5, 9]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_bound_thread_has_one_core_and_the_others_keep_theirs() {
        let cores = || Pin { pin: true }.cores().unwrap().0;
        let all = cores();
        assert!(!all.is_empty());
        for &core in &all {
            let bound = std::thread::spawn(move || {
                bind(core);
                cores()
            });
            assert_eq!(bound.join().unwrap(), [core]);
        }
        assert_eq!(cores(), all);
    }
}
