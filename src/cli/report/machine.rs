//! What the program can see of the machine. Only what the system tells without
//! effort or privileges; what it does not tell is `None`.

use queens::Cpu;
use serde::{Deserialize, Serialize};

use crate::cli::platform::{memory::Memory, processor::Processor, system};

/// The machine as this process sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    pub os: String,
    /// The system's name for itself.
    pub os_release: Option<String>,
    /// The version of the system's own kernel.
    pub os_kernel: Option<String>,
    pub arch: String,
    /// The processor's name for itself.
    pub cpu_model: Option<String>,
    /// What the processor has of all that the kernels need.
    pub cpu_features: Vec<String>,
    /// The clock of the fastest core at this moment.
    pub clock_mhz: Option<u64>,
    /// Who decides how fast the cores run, such as "performance" or "powersave".
    pub governor: Option<String>,
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
        let (processor, memory) = (Processor::detect(), Memory::detect());
        let allowed_threads = num_cpus::get();
        Machine {
            os: std::env::consts::OS.to_owned(),
            os_release: system::release(),
            os_kernel: system::kernel(),
            arch: std::env::consts::ARCH.to_owned(),
            cpu_model: processor.model,
            cpu_features: features(),
            clock_mhz: processor.clock_mhz,
            governor: processor.governor,
            physical_cores: num_cpus::get_physical(),
            logical_cores: processor.logical_cores.max(allowed_threads),
            allowed_threads,
            memory_bytes: memory.all,
            available_memory_bytes: memory.available,
            memory_limit_bytes: memory.limit,
        }
    }
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
    }
}
