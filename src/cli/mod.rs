//! The command line: arguments, one file per command, and what they share.
//!
//! A command is a struct of arguments with `run(&self, out) -> Result<Exit>`. It
//! writes results to `out` and returns errors; nothing in here exits or panics.

mod args;
mod commands;
mod exit;
mod platform;
mod report;
mod usage;
mod watch;

use std::io::{self, Write};

use anyhow::Result;
use clap::{Parser, Subcommand, error::ErrorKind};

use commands::{
    bench, check, completions, count, draw, estimate, info, known, ledger, list, man, plot,
    records, shard, solve,
};
pub use exit::Exit;
use report::output::{Color, Output, Paint, one_line, painted, to_stderr};
#[allow(unused_imports)] // The fuzzer asks for it.
pub use usage::holds;

const EXAMPLES: &str = "\
Examples:
  queens count 8                  how many ways to place eight queens: 92
  queens count 8..16              a table over n
  queens list 8                   the solutions themselves
  queens solve 1000               one solution, at once
  queens bench --n 16             how fast this machine counts
  queens estimate 22 --seconds 2  what a count would give and cost
  queens known                    the published values
  queens shard --help             one count on many machines
  queens count --help             what a command can do";

/// Counts the ways to place n non-attacking queens on an n×n board
#[derive(Debug, Parser)]
#[command(name = "queens", version, after_help = EXAMPLES,
    after_long_help = format!("{EXAMPLES}\n\n{}", exit::list()))]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Print only the bare result
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,

    /// Print details on standard error
    #[arg(short, long, global = true)]
    verbose: bool,

    /// Colour the output; "auto" respects NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

// What a command understands is asked for by that command alone.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum Command {
    Count(count::CountArgs),
    List(list::ListArgs),
    Solve(solve::SolveArgs),
    Check(check::CheckArgs),
    Draw(draw::DrawArgs),
    Estimate(estimate::EstimateArgs),
    Bench(bench::BenchArgs),
    Plot(plot::PlotArgs),
    Shard(shard::ShardArgs),
    Ledger(ledger::LedgerArgs),
    Known(known::KnownArgs),
    Records(records::RecordsArgs),
    Info(info::InfoArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// Does what the command line asks.
pub fn run() -> Result<Exit> {
    platform::abort::end_with(Exit::Failure as i32);
    let cli = match usage::parse() {
        Ok(cli) => cli,
        Err(error) => return answer(&error),
    };
    let mut out = Output::stdout(cli.color, cli.quiet, cli.verbose);
    let exit = match &cli.command {
        Command::Count(args) => args.run(&mut out),
        Command::List(args) => args.run(&mut out),
        Command::Solve(args) => args.run(&mut out),
        Command::Check(args) => args.run(&mut out),
        Command::Draw(args) => args.run(&mut out),
        Command::Estimate(args) => args.run(&mut out),
        Command::Ledger(args) => args.run(&mut out),
        Command::Bench(args) => args.run(&mut out),
        Command::Plot(args) => args.run(&mut out),
        Command::Shard(args) => args.run(&mut out),
        Command::Known(args) => args.run(&mut out),
        Command::Records(args) => args.run(&mut out),
        Command::Info(args) => args.run(&mut out),
        Command::Completions(args) => args.run(&mut out),
        Command::Man(args) => args.run(&mut out),
    }?;
    out.flush()?;
    Ok(exit)
}

/// Prints an error as one line. That the reader of a pipe has gone is none.
pub fn report(error: &anyhow::Error) -> Exit {
    let exit = Exit::of(error);
    if exit != Exit::Done {
        let color = color_of_args().on(&io::stderr());
        let label = painted(color, Paint::Red, "error:");
        to_stderr(format_args!(
            "{label} {}",
            one_line(format_args!("{error:#}"))
        ));
    }
    exit
}

/// Help and version are answers. So is the help for a command line without a command,
/// with the code of an error; anything else is an error.
fn answer(error: &clap::Error) -> Result<Exit> {
    let color = color_of_args();
    let text = |color: bool| match error.render() {
        text if color => text.ansi().to_string(),
        text => text.to_string(),
    };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let mut out = Output::stdout(color, false, false);
            write!(out, "{}", text(color.on(&io::stdout())))?;
            out.flush()?;
            Ok(Exit::Done)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            to_stderr(text(color.on(&io::stderr())).trim_end());
            Ok(Exit::Usage)
        }
        _ => Err(Exit::Usage.because(usage::sentence(error))),
    }
}

fn color_of_args() -> Color {
    Color::from_args(std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
