//! How to count: the engine, the kernel and the threads. Shared by every command
//! that counts.

use std::str::FromStr;

use anyhow::Result;
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use queens::{Count, Cpu, Engine, Error};

use crate::cli::{
    args::{pin::Pin, threads::Threads},
    report::output::Output,
};

/// The options of a command that counts.
#[derive(Debug, Args)]
#[command(next_help_heading = "How to count")]
pub struct Settings {
    #[command(flatten)]
    pub runner: RunnerArgs,

    #[command(flatten)]
    pub engine: EngineChoice,
}

/// The options of a command that counts by a plan that is given.
#[derive(Debug, Args)]
#[command(next_help_heading = "How to count")]
pub struct RunnerArgs {
    /// Number of threads, or all "logical" or "physical" cores
    ///
    /// Without it, QUEENS_THREADS decides, then SLURM_CPUS_PER_TASK; without these, there
    /// are as many threads as the affinity mask and the cgroup of this process allow.
    #[arg(short, short_alias = 'j', long, value_name = "N|logical|physical")]
    pub threads: Option<Threads>,

    #[command(flatten)]
    pub pin: Pin,

    /// Kernel to run; "auto" is the fastest one that this processor has
    #[arg(long, default_value = "auto", value_parser = choice::<Cpu>(Cpu::ALL.iter().map(|cpu| cpu.name())))]
    pub cpu: Choice<Cpu>,
}

impl RunnerArgs {
    /// The count on these threads, by this kernel.
    pub fn apply<'a>(&self, count: Count<'a>) -> Result<Count<'a>> {
        let count = count.threads(Threads::resolve(self.threads)?);
        let count = self.pin.cores()?.apply(count);
        Ok(count.cpu(self.cpu.kernel()?))
    }
}

impl Settings {
    /// The count with these settings.
    pub fn apply<'a>(&self, count: Count<'a>) -> Result<Count<'a>> {
        Ok(self.engine.apply(self.runner.apply(count)?))
    }

    /// Tells the user who named an engine and a kernel that they do not go together.
    pub fn note_kernel(&self, out: &Output) {
        if let (Some(engine), Some(cpu)) = (self.engine.engine.given(), self.runner.cpu.given())
            && engine.kernel(cpu) != cpu
        {
            let own = engine.kernel(cpu);
            out.note(format_args!(
                "the {engine} engine has no {cpu} kernel and runs its {own} one: --cpu {cpu} changes nothing"
            ));
        }
    }
}

/// The option of a command that needs the plan of a count.
#[derive(Debug, Args)]
#[command(next_help_heading = "How to count")]
pub struct EngineChoice {
    /// Engine to count with; "auto" chooses by the problem, not by the machine
    ///
    /// "auto" is "colours" from n = 13 on and "rows" below; where squares are required or
    /// forbidden, the one that an estimate finds faster.
    #[arg(long, default_value = "auto", value_parser = choice::<Engine>(Engine::ALL.iter().map(|engine| engine.name())))]
    pub engine: Choice<Engine>,
}

impl EngineChoice {
    /// The count by this engine.
    pub fn apply<'a>(&self, count: Count<'a>) -> Count<'a> {
        match self.engine {
            Choice::Auto => count,
            Choice::Given(engine) => count.engine(engine),
        }
    }
}

/// A choice that may be left to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice<T> {
    Auto,
    Given(T),
}

impl<T> Choice<T> {
    /// What the user chose, if anything.
    pub fn given(self) -> Option<T> {
        match self {
            Choice::Auto => None,
            Choice::Given(choice) => Some(choice),
        }
    }
}

impl Choice<Cpu> {
    /// The kernel that is meant, if this processor can run it.
    pub fn kernel(self) -> Result<Cpu, Error> {
        match self.given() {
            None => Ok(Cpu::detect()),
            Some(cpu) if cpu.is_available() => Ok(cpu),
            Some(cpu) => Err(Error::CpuUnavailable(cpu.name())),
        }
    }
}

/// Reads "auto" or one of these names.
pub fn choice<T>(
    names: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = Choice<T>>
where
    T: FromStr<Err = Error> + Clone + Send + Sync + 'static,
{
    let names = ["auto"].into_iter().chain(names);
    PossibleValuesParser::new(names).try_map(|name| match &*name {
        "auto" => Ok(Choice::Auto),
        name => name.parse().map(Choice::Given),
    })
}
