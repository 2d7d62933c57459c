//! `queens completions`: a script that teaches a shell the arguments.

use std::io::Write;

use anyhow::Result;
use clap::{Args, Command, builder::PossibleValuesParser};
use clap_complete::{Shell, generate};

use crate::cli::{
    exit::Exit,
    report::output::Output,
    usage::{page_name, pages, program},
};

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
        let program = program();
        let pages = pages(&program).into_iter().map(page_name);
        // The parser wants names that stay for good.
        let pages: Vec<&'static str> = pages
            .filter_map(|page| Some(&*page.strip_prefix("queens-")?.to_owned().leak()))
            .collect();
        let mut command = with_values(program, &pages);
        // By way of memory: the generator would panic where a pipe is closed.
        let mut script = Vec::new();
        generate(self.shell, &mut command, "queens", &mut script);
        if self.shell == Shell::Fish {
            // Its generator knows the values of flags alone.
            writeln!(
                script,
                "complete -c queens -n \"__fish_queens_using_subcommand man\" -f -a \"{}\"",
                pages.join(" ")
            )?;
        }
        out.write_all(&script)?;
        Ok(Exit::Done)
    }
}

/// The command, with values that a shell can propose. They are not all that it understands,
/// and so no business of the parser.
fn with_values(command: Command, pages: &[&'static str]) -> Command {
    let is_man = command.get_name() == "man";
    let command = command.mut_args(|arg| match arg.get_id().as_str() {
        "threads" => arg.value_parser(PossibleValuesParser::new(["logical", "physical"])),
        "command" if is_man => arg.value_parser(PossibleValuesParser::new(pages.iter().copied())),
        _ => arg,
    });
    command.mut_subcommands(|below| with_values(below, pages))
}
