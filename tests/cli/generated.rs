//! Help, completions and manual pages: all from the same argument definitions.

use super::program::queens;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// The names of the commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = queens("-h").ok();
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = list.map_while(|line| line.split_whitespace().next());
    names
        .filter(|&name| name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_help_opens_with_examples() {
    assert!(commands().contains(&"count".to_owned()));
    for command in commands() {
        for flag in ["-h", "--help"] {
            let help = queens(&format!("{command} {flag}")).ok();
            assert!(help.starts_with("Examples:\n  "), "{help}");
        }
    }
    assert!(queens("--help").ok().starts_with("Examples:\n"));
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
        // The parts of a command share its examples.
        let part = name.contains(' ');
        assert!(part || page.contains(".SH EXAMPLES"), "{name}: {page}");
        names.extend(listed(&page));
    }
    queens("man cuont").refused(2, &["cuont", "count"]);
    queens("man count eight").refused(2, &["queens count", "eight"]);
}
