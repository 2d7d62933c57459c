//! What the program can see of the machine. Only what the system tells without
//! effort or privileges; what it does not tell is `None`.

use std::{fs, path::Path};

use queens::Cpu;
use serde::{Deserialize, Serialize};

/// The machine as this process sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    pub os: String,
    pub arch: String,
    /// The processor's name for itself.
    pub cpu_model: Option<String>,
    /// What the processor has of all that the kernels need.
    pub cpu_features: Vec<String>,
    pub physical_cores: usize,
    pub logical_cores: usize,
    /// Logical cores within this process's affinity mask and cgroup quota.
    pub allowed_threads: usize,
    pub memory_bytes: Option<u64>,
    pub available_memory_bytes: Option<u64>,
    /// The smallest memory limit of the cgroups around this process.
    pub memory_limit_bytes: Option<u64>,
}

impl Machine {
    /// Looks around.
    pub fn detect() -> Machine {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let (cpus, memory) = (read("/proc/cpuinfo"), read("/proc/meminfo"));
        let allowed_threads = num_cpus::get();
        let logical = fields(&cpus, "processor").count();
        Machine {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            cpu_model: fields(&cpus, "model name").next().map(str::to_owned),
            cpu_features: features(),
            physical_cores: num_cpus::get_physical(),
            logical_cores: logical.max(allowed_threads),
            allowed_threads,
            memory_bytes: kilobytes(&memory, "MemTotal"),
            available_memory_bytes: kilobytes(&memory, "MemAvailable"),
            memory_limit_bytes: memory_limit(&read("/proc/self/cgroup")),
        }
    }
}

/// The most memory that this process has had at any time.
pub fn peak_memory_bytes() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM")
}

/// The values of every "name : value" line.
fn fields<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs.filter_map(move |(key, value)| (key.trim() == name).then_some(value.trim()))
}

/// A "name: 123 kB" line, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let value = fields(text, name).next()?.strip_suffix(" kB")?;
    value.parse::<u64>().ok()?.checked_mul(1024)
}

/// The smallest limit of the process's memory cgroup and those around it, from the
/// lines "number:controllers:path" of `/proc/self/cgroup`; version 2 names no
/// controllers.
fn memory_limit(cgroups: &str) -> Option<u64> {
    let mut limits = Vec::new();
    for line in cgroups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (root, file) = match parts.next()? {
            "" => ("/sys/fs/cgroup", "memory.max"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => continue,
        };
        for group in Path::new(parts.next()?).ancestors() {
            let inside = group.strip_prefix("/").unwrap_or(group);
            let text = fs::read_to_string(Path::new(root).join(inside).join(file));
            limits.extend(text.ok().and_then(|text| text.trim().parse::<u64>().ok()));
        }
    }
    // Version 1 writes "no limit" as a number close to 2⁶³.
    limits.into_iter().filter(|&limit| limit < 1 << 60).min()
}

/// Every feature that this processor has and some kernel needs.
fn features() -> Vec<String> {
    let mut names = Vec::new();
    for (name, found) in Cpu::ALL.iter().flat_map(|cpu| cpu.features()) {
        if found && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_consistent() {
        let machine = Machine::detect();
        assert!(1 <= machine.allowed_threads);
        assert!(machine.allowed_threads <= machine.logical_cores);
        assert!(machine.available_memory_bytes <= machine.memory_bytes);
    }

    #[test]
    fn lines_of_proc_are_read() {
        let text = "MemTotal:       2048 kB\nMemFree: x kB\nprocessor\t: 0\nprocessor\t: 1\n";
        assert_eq!(kilobytes(text, "MemTotal"), Some(2 << 20));
        assert_eq!(kilobytes(text, "MemFree"), None);
        assert_eq!(kilobytes(text, "Mem"), None);
        assert_eq!(fields(text, "processor").count(), 2);
    }
}
