//! Help, completions and manual pages: all from the same argument definitions.

use super::program::queens;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// The commands below this one, as its help lists them.
fn commands_of(parent: &str) -> Vec<String> {
    let help = queens(&format!("{parent} -h")).ok();
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = list.map_while(|line| line.split_whitespace().next());
    let names = names.filter(|&name| name != "help");
    names
        .map(|name| format!("{parent} {name}").trim().to_owned())
        .collect()
}

/// The commands of the program.
fn commands() -> Vec<String> {
    commands_of("")
}

#[test]
fn every_help_opens_with_examples_of_the_command() {
    assert!(queens("--help").ok().starts_with("Examples:\n"));
    let mut commands = commands();
    let mut seen = Vec::new();
    while let Some(command) = commands.pop() {
        for flag in ["-h", "--help"] {
            let help = queens(&format!("{command} {flag}")).ok();
            let examples = help.split("\n\n").next().unwrap();
            assert!(examples.starts_with("Examples:\n  "), "{help}");
            assert!(examples.contains(&format!("queens {command}")), "{help}");
        }
        commands.extend(commands_of(&command));
        seen.push(command);
    }
    for command in ["count", "ledger show", "shard run"] {
        assert!(seen.iter().any(|name| name == command), "{seen:?}");
    }
}

#[test]
fn the_version_is_the_crates() {
    let version = concat!("queens ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(queens("--version").ok(), version);
    assert_eq!(queens("-V").ok(), version);
}

#[test]
fn completions_of_every_shell_know_every_command() {
    for shell in SHELLS {
        let script = queens(&format!("completions {shell}")).ok();
        for command in commands() {
            assert!(script.contains(&command), "{shell} {command}");
        }
    }
    queens("completions tcsh").refused(2, &["tcsh", "bash", "fish"]);
}

/// The pages that a page lists under its commands, each as the words after `man`.
fn listed(page: &str) -> Vec<String> {
    let names = page.lines().filter_map(|line| line.strip_suffix("(1)"));
    let names = names.filter_map(|name| name.strip_prefix("queens\\-"));
    let words = names.map(|name| name.replace("\\-", " "));
    words.filter(|name| !name.ends_with("help")).collect()
}

#[test]
fn every_command_has_a_manual_page_with_examples() {
    let page = queens("man").ok();
    assert!(page.contains(".SH EXAMPLES") && page.contains("EXIT CODES"));
    let mut names = listed(&page);
    assert_eq!(names, commands());
    while let Some(name) = names.pop() {
        let page = queens(&format!("man {name}")).ok();
        let title = format!(".TH queens-{} 1", name.replace(' ', "-"));
        assert!(page.contains(&title), "{name}: {page}");
        assert!(page.contains(".SH EXAMPLES"), "{name}: {page}");
        names.extend(listed(&page));
    }
    queens("man cuont").refused(2, &["cuont", "count"]);
    queens("man count eight").refused(2, &["queens count", "eight"]);
}
