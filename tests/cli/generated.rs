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

/// The program itself, "", and every command below it, each before its own commands.
fn all_commands() -> Vec<String> {
    fn below(command: String) -> Vec<String> {
        let children = commands_of(&command).into_iter().flat_map(below);
        let children: Vec<_> = children.collect();
        [command].into_iter().chain(children).collect()
    }
    below(String::new())
}

/// The examples of a help: what to type, without what is said of it.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let lines = lines.map_while(|line| line.strip_prefix("  "));
    let typed = lines.map(|line| line.split("  ").next().unwrap_or(line));
    typed.map(str::to_owned).collect()
}

#[test]
fn every_help_describes_the_command_and_ends_with_examples() {
    let commands = all_commands();
    for command in ["", "count", "ledger show", "shard run"] {
        assert!(commands.iter().any(|name| name == command), "{commands:?}");
    }
    for command in commands {
        for flag in ["-h", "--help"] {
            let help = queens(&format!("{command} {flag}")).ok();
            let place = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text}: {help}"));
            let (usage, examples_at) = (place("Usage: "), place("\nExamples:\n"));
            assert!(0 < usage && usage < examples_at, "{help}");
            assert!(place("\nOptions:\n") < examples_at, "{help}");
            let after = help[examples_at..].split("\n\n").skip(1);
            assert!(
                after
                    .into_iter()
                    .all(|text| text.starts_with("Exit codes:"))
            );
            assert!(!examples(&help).is_empty(), "{help}");
            let shown = help[examples_at..].trim_start().lines();
            for line in shown.take_while(|line| !line.is_empty()) {
                assert!(line.chars().count() < 80, "too wide for a terminal: {line}");
            }
        }
    }
}

#[test]
#[cfg(unix)]
fn every_example_of_every_help_succeeds() {
    use std::{collections::BTreeSet, path::Path};

    use super::program::{clean, finish};

    // Examples leave files for the ones below them.
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_queens")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.display());
    let mut seen = BTreeSet::new();
    for command in all_commands() {
        let help = queens(&format!("{command} --help")).ok();
        let examples = examples(&help);
        let own = format!("queens {command}");
        assert!(examples.iter().any(|line| line.contains(&own)), "{help}");
        for example in examples {
            if !seen.insert(example.clone()) {
                continue;
            }
            let mut shell = clean("sh");
            shell.args(["-c", &example]).current_dir(folder.path());
            let ran = finish({
                shell.env("PATH", &path);
                shell
            });
            // On a busy machine a benchmark may be slower than the one before.
            let slower = ran.code == Some(4) && example.contains("--baseline");
            assert!(ran.code == Some(0) || slower, "{example}: {ran:?}");
            assert!(
                !ran.stderr.contains("error:") || slower,
                "{example}: {ran:?}"
            );
            let writes = [" > ", " -o ", " --all ", "shard run"];
            let silent = writes.iter().any(|word| example.contains(word));
            assert!(silent || !ran.stdout.is_empty(), "{example}: {ran:?}");
        }
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

#[test]
fn completions_propose_the_pages_of_the_manual_and_the_kinds_of_cores() {
    for shell in ["bash", "zsh", "fish"] {
        let script = queens(&format!("completions {shell}")).ok();
        for command in all_commands().iter().filter(|command| !command.is_empty()) {
            let page = command.replace(' ', "-");
            assert!(script.contains(&format!(" {page} ")) || script.contains(&format!("{page} ")));
        }
        assert!(
            script.contains("logical physical") || script.contains("physical\\t"),
            "{script}"
        );
    }
}

#[test]
#[cfg(unix)]
fn bash_completes_them() {
    use super::program::{clean, finish};

    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("queens.bash");
    std::fs::write(&script, queens("completions bash").ok()).unwrap();
    for (words, expected) in [
        ("queens man shard-r", "shard-run"),
        ("queens man bench-c", "bench-compare"),
        ("queens count --threads l", "logical"),
        ("queens shard run --threads p", "physical"),
        ("queens bench --threads p", "physical"),
        ("queens bench v", "verify"),
    ] {
        let words: Vec<_> = words.split(' ').collect();
        let last = words.len() - 1;
        let line = format!(
            "source '{}'; COMP_WORDS=({}); COMP_CWORD={last}; _queens queens '{}' '{}'; echo \"${{COMPREPLY[@]}}\"",
            script.display(),
            words.join(" "),
            words[last],
            words[last - 1],
        );
        let mut bash = clean("bash");
        bash.args(["-c", &line]);
        let ran = finish(bash);
        assert_eq!(ran.stdout.trim(), expected, "{ran:?}");
    }
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
    assert_eq!(queens("man shard-run").ok(), queens("man shard run").ok());
    for line in ["man cuont", "help cuont", "cuont"] {
        queens(line).refused(2, &["\"cuont\"", "did you mean \"count\"?"]);
    }
    queens("man shard-statsu").refused(2, &["\"statsu\"", "did you mean \"status\"?"]);
    queens("man count eight").refused(2, &["queens count", "eight"]);
}

#[test]
fn all_pages_of_the_manual_can_be_written_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    queens(&format!("man --all {} -q", pages.display())).ok();
    for command in all_commands() {
        let name = format!("queens {command}").trim_end().replace(' ', "-");
        let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        assert_eq!(page, queens(&format!("man {command}")).ok());
    }
    let written = std::fs::read_dir(pages).unwrap().count();
    assert_eq!(written, all_commands().len());
}
