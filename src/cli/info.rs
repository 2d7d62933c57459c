//! `queens info`: what the program sees, so that a surprising time or a bug report
//! can be understood.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use queens::{Cpu, Engine};
use serde::Serialize;

use super::{
    exit::Exit,
    machine::Machine,
    number::bytes,
    output::{Output, Paint},
    threads::Threads,
};

const EXAMPLES: &str = "\
Examples:
  queens info             version, processor, kernel, cores, threads, memory
  queens info --json      the same as one JSON object";

/// Show what the program sees: processor, kernel, cores, threads, memory
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct InfoArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Everything, as a JSON object.
#[derive(Serialize)]
struct Record<'a> {
    version: &'a str,
    engines: [&'a str; Engine::ALL.len()],
    kernel: &'a str,
    kernels: Vec<&'a str>,
    threads: usize,
    threads_from: &'a str,
    #[serde(flatten)]
    machine: Machine,
}

impl InfoArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let threads = Threads::without_flag()?;
        let available = Cpu::ALL.into_iter().filter(|cpu| cpu.is_available());
        let record = Record {
            version: env!("CARGO_PKG_VERSION"),
            engines: Engine::ALL.map(Engine::name),
            kernel: Cpu::detect().name(),
            kernels: available.map(Cpu::name).collect(),
            threads: threads.threads,
            threads_from: threads.variable.unwrap_or("allowed"),
            machine: Machine::detect(),
        };
        if self.json {
            out.json(&record)?;
            return Ok(Exit::Done);
        }
        for (name, value) in record.lines() {
            let name = out.paint(Paint::Bold, format_args!("{name:<10}"));
            writeln!(out, "{name}{value}")?;
        }
        Ok(Exit::Done)
    }
}

impl Record<'_> {
    fn lines(&self) -> [(&'static str, String); 8] {
        let machine = &self.machine;
        let processor = machine.cpu_model.as_deref().unwrap_or("unknown");
        let features = match machine.cpu_features.join(" ") {
            none if none.is_empty() => "none that a kernel uses".to_owned(),
            some => some,
        };
        let size = |size: Option<u64>| size.map_or("unknown".to_owned(), bytes);
        let limit = match machine.memory_limit_bytes {
            Some(limit) => format!(", limited to {}", bytes(limit)),
            None => String::new(),
        };
        let from = match self.threads_from {
            "allowed" => "all that this process may use".to_owned(),
            variable => format!("from {variable}; {} allowed", machine.allowed_threads),
        };
        [
            (
                "version",
                format!("{} for {} {}", self.version, machine.os, machine.arch),
            ),
            ("engines", self.engines.join(", ")),
            ("processor", processor.to_owned()),
            ("features", features),
            (
                "kernel",
                format!("{} (of {})", self.kernel, self.kernels.join(", ")),
            ),
            (
                "cores",
                format!(
                    "{} physical, {} logical",
                    machine.physical_cores, machine.logical_cores
                ),
            ),
            ("threads", format!("{} ({from})", self.threads)),
            (
                "memory",
                format!(
                    "{}, {} available{limit}",
                    size(machine.memory_bytes),
                    size(machine.available_memory_bytes)
                ),
            ),
        ]
    }
}
