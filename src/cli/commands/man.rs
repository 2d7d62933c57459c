//! `queens man`: the manual, a page for the program and one for each command.

use std::io::{self, Write};

use anyhow::Result;
use clap::{Args, Command, CommandFactory};
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};

use crate::cli::{Cli, exit::Exit, report::output::Output};

const EXAMPLES: &str = "\
Examples:
  queens man | man -l -                  read the manual
  queens man count | man -l -            of a single command
  queens man > /usr/local/share/man/man1/queens.1";

/// Print a manual page: of the program or of a command
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct ManArgs {
    /// The command, as in `queens man ledger merge`; the program itself if left out
    command: Vec<String>,
}

impl ManArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let mut program = Cli::command();
        // Gives the commands their full names and the options of the program.
        program.build();
        let mut page = &program;
        for name in &self.command {
            page = page
                .find_subcommand(name)
                .ok_or_else(|| Exit::Usage.because(no_command(page, name)))?;
        }
        let mut text = Vec::new();
        render(page.clone(), &mut text)?;
        out.write_all(&text)?;
        Ok(Exit::Done)
    }
}

/// That there is no such command, and which there are.
pub fn no_command(parent: &Command, name: &str) -> String {
    let names: Vec<_> = parent.get_subcommands().map(Command::get_name).collect();
    let hint = match names.join(", ") {
        none if none.is_empty() => "it has no commands of its own".to_owned(),
        names => format!("use one of {names}"),
    };
    let parent = parent.get_bin_name().unwrap_or("queens");
    format!("{parent} has no command \"{name}\": {hint}")
}

/// The page, with the examples that open the help as a section of their own.
fn render(command: Command, page: &mut Vec<u8>) -> io::Result<()> {
    let examples = command.get_before_help().map(ToString::to_string);
    let exits = command.get_after_long_help().map(ToString::to_string);
    let commands = command.has_subcommands();
    let version = env!("CARGO_PKG_VERSION");
    let man = Man::new(command).source(format!("queens {version}"));
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    section(page, examples)?;
    man.render_options_section(page)?;
    if commands {
        man.render_subcommands_section(page)?;
    }
    section(page, exits)
}

/// A section of lines as they are, from a text whose first line is "Title:".
fn section(page: &mut Vec<u8>, text: Option<String>) -> io::Result<()> {
    let Some(text) = text else {
        return Ok(());
    };
    let (title, lines) = text.split_once('\n').unwrap_or((&text, ""));
    let mut roff = Roff::new();
    roff.control("SH", [title.trim_end_matches(':').to_uppercase().as_str()]);
    roff.control("nf", []);
    for line in lines.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff.to_writer(page)
}
