//! `queens info`: what the program sees, so that a surprising time or a bug report
//! can be understood.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Args;
use queens::{Cpu, Engine};
use serde::Serialize;

use crate::cli::{
    args::threads::Threads,
    exit::Exit,
    report::{
        built,
        humanize::bytes,
        machine::Machine,
        output::{Output, one_line},
    },
};

const EXAMPLES: &str = "\
Examples:
  queens info         version, processor, kernel, cores, threads, memory
  queens info --json  the same as one JSON object";

/// Show what the program sees: processor, kernel, cores, threads, memory
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct InfoArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Everything, as a JSON object.
#[derive(Serialize)]
struct Json<'a> {
    version: &'a str,
    commit: Option<&'a str>,
    engines: Vec<&'a str>,
    kernel: &'a str,
    kernels: Vec<&'a str>,
    /// Of the other kernels, what the processor lacks for them.
    lacking: BTreeMap<&'a str, Vec<&'a str>>,
    threads: Option<usize>,
    threads_from: Option<&'a str>,
    /// Why there is no number of threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    threads_problem: Option<String>,
    #[serde(flatten)]
    machine: Machine,
}

impl InfoArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        // A user who looks for the cause of something is not turned away by a bad variable.
        let (threads, problem) = match Threads::without_flag() {
            Ok(threads) => (Some(threads), None),
            Err(problem) => (None, Some(one_line(problem))),
        };
        let (here, elsewhere): (Vec<Cpu>, Vec<Cpu>) =
            Cpu::ALL.iter().copied().partition(|cpu| cpu.is_available());
        let object = Json {
            version: env!("CARGO_PKG_VERSION"),
            commit: built::COMMIT,
            engines: Engine::ALL.iter().map(|engine| engine.name()).collect(),
            kernel: Cpu::detect().name(),
            kernels: here.into_iter().map(Cpu::name).collect(),
            lacking: elsewhere.into_iter().map(lacking).collect(),
            threads: threads.map(|found| found.threads),
            threads_from: threads.map(|found| found.variable.unwrap_or("allowed")),
            threads_problem: problem,
            machine: Machine::detect(),
        };
        if self.json {
            out.json(&object)?;
            return Ok(Exit::Done);
        }
        out.page(&object.lines())?;
        Ok(Exit::Done)
    }
}

/// What this processor does not have of all that the kernel needs.
fn lacking(cpu: Cpu) -> (&'static str, Vec<&'static str>) {
    let lacks = cpu.features().into_iter().filter(|(_, found)| !found);
    (cpu.name(), lacks.map(|(name, _)| name).collect())
}

impl Json<'_> {
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
        let allowed = machine.allowed_threads;
        let threads = match (self.threads, self.threads_from) {
            (Some(threads), Some("allowed")) => {
                format!("{threads} (all that this process may use)")
            }
            (Some(threads), Some(variable)) => {
                format!("{threads} (from {variable}; {allowed} allowed)")
            }
            _ => self.threads_problem.clone().unwrap_or_default(),
        };
        let lacking = self
            .lacking
            .iter()
            .map(|(kernel, features)| format!("; {kernel} lacks {}", features.join(" ")));
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
                format!(
                    "{} (of {}{})",
                    self.kernel,
                    self.kernels.join(", "),
                    lacking.collect::<String>()
                ),
            ),
            (
                "cores",
                format!(
                    "{} physical, {} logical",
                    machine.physical_cores, machine.logical_cores
                ),
            ),
            ("threads", threads),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_that_is_missing_is_explained() {
        let object = Json {
            version: "1",
            commit: None,
            engines: Engine::ALL.iter().map(|engine| engine.name()).collect(),
            kernel: "avx2",
            kernels: vec!["portable", "avx2"],
            lacking: [("avx512", vec!["avx512vl", "avx512bitalg"])].into(),
            threads: Some(2),
            threads_from: Some("allowed"),
            threads_problem: None,
            machine: Machine::detect(),
        };
        let lines = object.lines();
        let kernel = lines.iter().find(|(name, _)| *name == "kernel");
        let text = "avx2 (of portable, avx2; avx512 lacks avx512vl avx512bitalg)";
        assert_eq!(kernel, Some(&("kernel", text.to_owned())));
    }
}
