//! `queens completions`: a script that teaches a shell the arguments.

use std::io::Write;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::cli::{Cli, exit::Exit, report::output::Output};

const EXAMPLES: &str = "\
Examples:
  source <(queens completions bash)        for this shell
  queens completions fish > ~/.config/fish/completions/queens.fish";

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        // By way of memory: the generator would panic where a pipe is closed.
        let mut script = Vec::new();
        generate(self.shell, &mut Cli::command(), "queens", &mut script);
        out.write_all(&script)?;
        Ok(Exit::Done)
    }
}
