//! The memory of the machine and of this process, as Linux tells in `/proc` and in its
//! cgroups. Elsewhere it is unknown.

use std::{fs, path::Path};

use super::{processor::fields, told};

/// How much memory there is, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    pub all: Option<u64>,
    /// What a process can still have without harm to the others.
    pub available: Option<u64>,
    /// The smallest limit of the cgroups around this process.
    pub limit: Option<u64>,
    /// How much this process may address, as `ulimit -v` says.
    pub addresses: Option<u64>,
}

impl Memory {
    /// Looks around.
    pub fn detect() -> Memory {
        let read = |path| told(path).unwrap_or_default();
        let memory = read("/proc/meminfo");
        Memory {
            all: kilobytes(&memory, "MemTotal"),
            available: kilobytes(&memory, "MemAvailable"),
            limit: limit(&read("/proc/self/cgroup")),
            addresses: addresses(&read("/proc/self/limits")),
        }
    }

    /// What this process may have at most: the least of what is available and its limits.
    pub fn for_this_process(&self) -> Option<u64> {
        let all = [self.available, self.limit, self.addresses];
        all.into_iter().flatten().min()
    }
}

/// The most memory that this process has had at any time.
pub fn peak_memory_bytes() -> Option<u64> {
    kilobytes(&told("/proc/self/status")?, "VmHWM")
}

/// A "name: 123 kB" line, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let value = fields(text, name).next()?.strip_suffix(" kB")?;
    value.parse::<u64>().ok()?.checked_mul(1024)
}

/// The smallest limit of the process's memory cgroup and those around it, from the
/// lines "number:controllers:path" of `/proc/self/cgroup`; version 2 names no
/// controllers.
fn limit(cgroups: &str) -> Option<u64> {
    let mut limits = Vec::new();
    for line in cgroups.lines() {
        let mut words = line.splitn(3, ':').skip(1);
        let (root, file) = match words.next()? {
            "" => ("/sys/fs/cgroup", "memory.max"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => continue,
        };
        for group in Path::new(words.next()?).ancestors() {
            let inside = group.strip_prefix("/").unwrap_or(group);
            let text = fs::read_to_string(Path::new(root).join(inside).join(file));
            limits.extend(text.ok().and_then(|text| text.trim().parse::<u64>().ok()));
        }
    }
    // Version 1 writes "no limit" as a number close to 2⁶³.
    limits.into_iter().filter(|&limit| limit < 1 << 60).min()
}

/// The line "Max address space  SOFT  HARD  bytes" of `/proc/self/limits`; without a limit
/// it says "unlimited".
fn addresses(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max address space"));
    line?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_available_than_there_is() {
        let memory = Memory::detect();
        assert!(memory.available <= memory.all);
        assert!(memory.for_this_process() <= memory.available);
    }

    #[test]
    fn lines_of_proc_are_read() {
        let text = "MemTotal:       2048 kB\nMemFree: x kB\n";
        assert_eq!(kilobytes(text, "MemTotal"), Some(2 << 20));
        assert_eq!(kilobytes(text, "MemFree"), None);
        assert_eq!(kilobytes(text, "Mem"), None);
    }

    #[test]
    fn a_limit_of_addresses_is_read() {
        let some = "Max stack size            8388608              unlimited            bytes     \n\
                    Max address space         104857600            unlimited            bytes     \n";
        assert_eq!(addresses(some), Some(100 << 20));
        assert_eq!(addresses(&some.replace("104857600", "unlimited")), None);
        assert_eq!(addresses(""), None);
    }

    #[test]
    fn the_least_of_the_numbers_counts_and_what_is_unknown_does_not() {
        let memory = |available, limit| Memory {
            all: None,
            available,
            limit,
            addresses: None,
        };
        assert_eq!(memory(Some(3), Some(2)).for_this_process(), Some(2));
        assert_eq!(memory(Some(3), Some(4)).for_this_process(), Some(3));
        assert_eq!(memory(None, Some(4)).for_this_process(), Some(4));
        assert_eq!(memory(None, None).for_this_process(), None);
    }
}
