//! Reads the command line, or says in one sentence what is wrong with it: which word,
//! and what would have been right.

use std::{env, error::Error as _, ffi::OsString};

use clap::{
    Command, CommandFactory, FromArgMatches, Parser,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};

use crate::cli::{
    Cli,
    args::board_size::{self, Sizes},
};

/// The command line as it was typed.
pub fn parse() -> Result<Cli, Error> {
    parse_from(env::args_os().collect())
}

fn parse_from(words: Vec<OsString>) -> Result<Cli, Error> {
    Cli::try_parse_from(&words).or_else(|error| {
        if error.kind() == ErrorKind::DisplayVersion {
            return Err(error);
        }
        // Once more: only the whole program knows what to propose.
        let program = if is_negative_number(&error) {
            with_hyphen_values(program())
        } else {
            program()
        };
        Cli::from_arg_matches(&program.try_get_matches_from(&words)?)
    })
}

/// No flag is a digit, so `-1` and `-1..5` are values, and who reads them says what is
/// wrong with them.
fn is_negative_number(error: &Error) -> bool {
    let argument = texts(error, ContextKind::InvalidArg).join("");
    error.kind() == ErrorKind::UnknownArgument
        && argument.starts_with('-')
        && argument[1..].starts_with(|c: char| c.is_ascii_digit())
}

/// The command, with values that may begin with a minus sign. Only where there is one:
/// an unknown flag would be a value, too.
fn with_hyphen_values(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        if arg.get_action().takes_values() {
            arg.allow_hyphen_values(true)
        } else {
            arg
        }
    });
    command.mut_subcommands(with_hyphen_values)
}

/// What is wrong with the command line.
pub fn sentence(error: &Error) -> String {
    let text = |kind| texts(error, kind).join(", ");
    let (argument, value) = (
        text(ContextKind::InvalidArg),
        text(ContextKind::InvalidValue),
    );
    let command = command(error);
    let see = format!("see \"{command} --help\"");
    match error.kind() {
        ErrorKind::ValueValidation => match error.source() {
            // The value's own parser knows best.
            Some(reason) => reason.to_string(),
            None => format!("\"{value}\" is not a value of {}", flag(&argument)),
        },
        ErrorKind::InvalidValue => {
            let wrong = match &*value {
                "" => format!("{argument} needs a value that is not empty"),
                value => format!("\"{value}\" is not a value of {}", flag(&argument)),
            };
            match &*text(ContextKind::ValidValue) {
                "" => wrong,
                valid => format!("{wrong}: use one of {valid}"),
            }
        }
        ErrorKind::TooManyValues => {
            format!("{argument} takes no value, but \"{value}\" is given: {see}")
        }
        ErrorKind::UnknownArgument if argument == "-n" => {
            format!(
                "{command} has no flag -n: write the board side alone, as in \"queens count 8\""
            )
        }
        ErrorKind::UnknownArgument => {
            let hint = hint(error).unwrap_or(see);
            format!("unexpected argument \"{argument}\" for {command}: {hint}")
        }
        ErrorKind::MissingRequiredArgument => format!("{command} lacks {argument}: {see}"),
        ErrorKind::ArgumentConflict => {
            let (one, others) = (flag(&argument), texts(error, ContextKind::PriorArg));
            let others: Vec<_> = others.iter().map(|other| flag(other)).collect();
            if others == [one] {
                format!("{one} is given more than once: {see}")
            } else {
                format!("{one} cannot be used with {}: {see}", others.join(", "))
            }
        }
        ErrorKind::InvalidSubcommand => {
            let name = text(ContextKind::InvalidSubcommand);
            let sizes = match name.parse::<Sizes>() {
                _ if command != "queens" => None,
                Ok(_) => Some(name.clone()),
                Err(_) => board_size::meant(&name),
            };
            if let Some(sizes) = sizes {
                return format!(
                    "queens has no command \"{name}\": did you mean \"queens count {sizes}\"?"
                );
            }
            let program = program();
            let mut names = command.split(' ').skip(1);
            let parent = names.try_fold(&program, |parent, name| parent.find_subcommand(name));
            no_command(parent.unwrap_or(&program), &name)
        }
        ErrorKind::MissingSubcommand => {
            let commands = text(ContextKind::ValidSubcommand);
            format!("{command} lacks a command: use one of {commands}")
        }
        ErrorKind::InvalidUtf8 => {
            // The parser does not say which; as a rule there is one.
            let bad = env::args_os().find(|word| word.to_str().is_none());
            let bad = bad.unwrap_or_default();
            format!("\"{}\" is not valid UTF-8: {see}", bad.display())
        }
        _ => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            first.trim_start_matches("error: ").to_owned()
        }
    }
}

/// The program with its commands, their full names and the options they share.
pub fn program() -> Command {
    let mut program = Cli::command();
    program.build();
    program
}

/// This command and all below it. Each has a page in the manual.
pub fn pages(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands();
    let below = below.filter(|below| below.get_name() != "help");
    [command].into_iter().chain(below.flat_map(pages)).collect()
}

/// The name of the command's page, such as `queens-shard-run`.
pub fn page_name(command: &Command) -> String {
    command.get_bin_name().unwrap_or("queens").replace(' ', "-")
}

/// That there is no such command, and which may have been meant or could be.
pub fn no_command(parent: &Command, name: &str) -> String {
    let names: Vec<_> = parent.get_subcommands().map(Command::get_name).collect();
    let parent = parent.get_bin_name().unwrap_or("queens");
    // The parser knows which names are similar.
    let words = parent.split(' ').chain([name]);
    let meant = match program().try_get_matches_from(words) {
        Err(error) if error.kind() == ErrorKind::InvalidSubcommand => hint(&error),
        _ => None,
    };
    let hint = match (meant, names.join(", ")) {
        (Some(meant), _) => meant,
        (None, names) if names.is_empty() => "it has no commands of its own".to_owned(),
        (None, names) => format!("use one of {names}"),
    };
    format!("{parent} has no command \"{name}\": {hint}")
}

/// The command that was to read the word, such as `queens shard run`.
fn command(error: &Error) -> String {
    let usage = texts(error, ContextKind::Usage).concat();
    let words = usage.split_whitespace().skip(1);
    let names = words.take_while(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    match names.collect::<Vec<_>>().join(" ") {
        none if none.is_empty() => "queens".to_owned(),
        names => names,
    }
}

/// What the user may have meant.
fn hint(error: &Error) -> Option<String> {
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand] {
        if let Some(similar) = texts(error, kind).pop() {
            return Some(format!("did you mean \"{similar}\"?"));
        }
    }
    // "To pass '--foo' as a value, use '-- --foo'": but no value of ours is like that.
    let mut tips = texts(error, ContextKind::Suggested).into_iter();
    let tip = tips.find(|tip| !tip.starts_with("to pass"))?;
    Some(tip.replace('\'', "\""))
}

/// What the parser says of this kind, without colours.
fn texts(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::StyledStr(text)) => vec![text.to_string()],
        Some(ContextValue::StyledStrs(texts)) => texts.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

/// An argument without the name of its value.
fn flag(argument: &str) -> &str {
    argument.split(' ').next().unwrap_or(argument)
}

/// Any words, one a line, are a command line, or a sentence says why not: what a fuzzer
/// looks for a counterexample to.
#[cfg_attr(not(test), allow(dead_code))]
pub fn holds(bytes: &[u8]) {
    let lines = bytes.split(|&byte| byte == b'\n');
    let words = lines.map(|word| String::from_utf8_lossy(word).into_owned().into());
    let words = std::iter::once(OsString::from("queens")).chain(words);
    if let Err(error) = parse_from(words.collect()) {
        assert!(!sentence(&error).trim().is_empty(), "{error}");
        assert!(!error.render().to_string().is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_of_the_fuzzer_holds() {
        let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/command");
        let seeds: Vec<_> = std::fs::read_dir(seeds).unwrap().collect();
        assert!(seeds.len() > 10);
        for seed in seeds {
            holds(&std::fs::read(seed.unwrap().path()).unwrap());
        }
    }
}
