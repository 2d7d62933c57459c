//! `queens man`: the manual, a page for the program and one for each command.

use std::io::{self, Write};

use anyhow::Result;
use clap::{Args, Command, CommandFactory};
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};

use super::{Cli, exit::Exit, output::Output};

const EXAMPLES: &str = "\
Examples:
  queens man | man -l -                  read the manual
  queens man count | man -l -            of a single command
  queens man > /usr/local/share/man/man1/queens.1";

/// Print the manual page of the program or of a command
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct ManArgs {
    /// The command; the program itself if left out
    command: Option<String>,
}

impl ManArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let mut program = Cli::command();
        // Gives the commands their full names and the options of the program.
        program.build();
        let page = match &self.command {
            None => program,
            Some(name) => match program.find_subcommand(name) {
                Some(command) => command.clone(),
                None => {
                    let names = program.get_subcommands().map(Command::get_name);
                    let names = names.collect::<Vec<_>>().join(", ");
                    return Err(Exit::Usage.because(format!(
                        "there is no command \"{name}\": use one of {names}"
                    )));
                }
            },
        };
        let mut text = Vec::new();
        render(page, &mut text)?;
        out.write_all(&text)?;
        Ok(Exit::Done)
    }
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
