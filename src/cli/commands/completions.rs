//! `queens completions`: a script that teaches a shell the arguments.

use std::io::Write;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::cli::{Cli, exit::Exit, report::output::Output};

const EXAMPLES: &str = "\
Examples:
  queens completions bash > queens.bash  then: source queens.bash
  queens completions fish > queens.fish  belongs in ~/.config/fish/completions";

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
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
