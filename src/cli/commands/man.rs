//! `queens man`: the manual, a page for the program and one for each command.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};

use crate::cli::{
    exit::Exit,
    report::{atomic_file::save, humanize::counted, output::Output},
    usage::{no_command, page_name, pages, program},
};

const EXAMPLES: &str = "\
Examples:
  queens man > queens.1              then: man ./queens.1
  queens man count > queens-count.1  the page of a command
  queens man --all man1              every page, into a folder";

/// Print a manual page: of the program or of a command
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ManArgs {
    /// The command, such as `ledger merge` or ledger-merge; the program if left out
    #[arg(conflicts_with = "all")]
    command: Vec<String>,

    /// Write the pages of the program and of all its commands to this folder
    #[arg(long, value_name = "DIR")]
    all: Option<PathBuf>,
}

impl ManArgs {
    pub fn run(&self, out: &mut Output) -> Result<Exit> {
        let program = program();
        if let Some(folder) = &self.all {
            let name = folder.display();
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot create the folder {name}"))?;
            let pages = pages(&program);
            for page in &pages {
                let file = folder.join(format!("{}.1", page_name(page)));
                save(&file, &String::from_utf8(render(page)?)?)?;
            }
            let pages = counted(pages.len(), "page");
            out.note(format_args!("wrote {pages} to {name}"));
            return Ok(Exit::Done);
        }
        let mut page = &program;
        // No command has a hyphen in its name, but the name of its page may.
        for name in self.command.iter().flat_map(|name| name.split('-')) {
            page = page
                .find_subcommand(name)
                .ok_or_else(|| Exit::Usage.because(no_command(page, name)))?;
        }
        out.write_all(&render(page)?)?;
        Ok(Exit::Done)
    }
}

/// The page, with the examples and exit codes of the help as sections of their own.
fn render(command: &Command) -> io::Result<Vec<u8>> {
    let help = command.get_after_long_help().or(command.get_after_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let man = Man::new(command.clone()).source(format!("queens {version}"));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    for text in help.split("\n\n") {
        section(&mut page, text)?;
    }
    Ok(page)
}

/// A section of lines as they are, from a text whose first line is "Title:".
fn section(page: &mut Vec<u8>, text: &str) -> io::Result<()> {
    let (title, lines) = text.split_once('\n').unwrap_or((text, ""));
    let mut roff = Roff::new();
    roff.control("SH", [title.trim_end_matches(':').to_uppercase().as_str()]);
    roff.control("nf", []);
    for line in lines.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff.to_writer(page)
}
