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
    pub cpu: OrAuto<Cpu>,
}

impl RunnerArgs {
    /// The count on these threads, by this kernel.
    pub fn apply<'a>(&self, count: Count<'a>) -> Result<Count<'a>> {
        let count = count.threads(Threads::resolve(self.threads)?);
        let count = self.pin.cores()?.apply(count);
        Ok(count.cpu(kernel(self.cpu)?))
    }
}

impl Settings {
    /// The count with these settings.
    pub fn apply<'a>(&self, count: Count<'a>) -> Result<Count<'a>> {
        Ok(self.engine.apply(self.runner.apply(count)?))
    }

    /// Tells the user who named an engine and a kernel that they do not go together.
    pub fn note_kernel(&self, out: &Output) {
        if let (Some(engine), Some(cpu)) = (self.engine.engine, self.runner.cpu)
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
    pub engine: OrAuto<Engine>,
}

impl EngineChoice {
    /// The count by this engine.
    pub fn apply<'a>(&self, count: Count<'a>) -> Count<'a> {
        match self.engine {
            None => count,
            Some(engine) => count.engine(engine),
        }
    }
}

/// A choice that "auto" leaves to the program. To the parser an `Option` by its own name
/// would be an argument that may be missing.
pub type OrAuto<T> = Option<T>;

/// The kernel that is meant, if this processor can run it.
pub fn kernel(cpu: OrAuto<Cpu>) -> Result<Cpu, Error> {
    match cpu {
        None => Ok(Cpu::detect()),
        Some(cpu) if cpu.is_available() => Ok(cpu),
        Some(cpu) => Err(Error::CpuUnavailable(cpu.name())),
    }
}

/// Reads "auto" or one of these names.
pub fn choice<T>(
    names: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = OrAuto<T>>
where
    T: FromStr<Err = Error> + Clone + Send + Sync + 'static,
{
    let names = ["auto"].into_iter().chain(names);
    PossibleValuesParser::new(names).try_map(|name| match &*name {
        "auto" => Ok(None),
        name => name.parse().map(Some),
    })
}
