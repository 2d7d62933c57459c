//! The README is right: its examples print what it says, its table of exit codes is
//! the program's.
//!
//! In a block that begins with "```console", a line "$ command" is run by the shell
//! on a terminal of its own, and the lines below it are what it prints. Times differ
//! from run to run, so "1.25 s" stands for any time; "…" stands for any text, and
//! alone on its line for any number of lines.

use std::fs;

use super::program::{clean, queens};

fn readme() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap()
}

struct Example {
    command: String,
    shown: String,
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("$ ") {
            _ if line.starts_with("```") => inside = line == "```console",
            _ if !inside => {}
            Some(command) => examples.push(Example {
                command: command.to_owned(),
                shown: String::new(),
            }),
            None => {
                let example = examples.last_mut().expect("output follows a command");
                example.shown.push_str(line);
                example.shown.push('\n');
            }
        }
    }
    examples
}

/// The words of a line, with every time made the same.
fn words(line: &str) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    for word in line.split_whitespace() {
        let unit = matches!(word.trim_end_matches(','), "ms" | "s" | "min" | "h" | "d");
        match words.last_mut() {
            Some(last) if unit && (*last == "…" || last.parse::<f64>().is_ok()) => *last = "…",
            _ => words.push(word),
        }
    }
    words
}

/// Whether the parts are the same, where one that is `any` stands for any number.
fn alike<T: Copy>(expected: &[T], found: &[T], any: fn(T) -> bool, same: fn(T, T) -> bool) -> bool {
    match (expected.split_first(), found.split_first()) {
        (None, None) => true,
        (Some((&first, rest)), _) if any(first) => {
            alike(rest, found, any, same)
                || !found.is_empty() && alike(expected, &found[1..], any, same)
        }
        (Some((&first, rest)), Some((&other, others))) => {
            same(first, other) && alike(rest, others, any, same)
        }
        _ => false,
    }
}

fn word_alike(expected: &str, found: &str) -> bool {
    let letters = |word: &str| word.chars().collect::<Vec<_>>();
    alike(
        &letters(expected),
        &letters(found),
        |c| c == '…',
        |a, b| a == b,
    )
}

fn line_alike(expected: &str, found: &str) -> bool {
    alike(
        &words(expected),
        &words(found),
        |word| word == "…",
        word_alike,
    )
}

fn text_alike(expected: &str, found: &str) -> bool {
    let (expected, found): (Vec<_>, Vec<_>) = (expected.lines().collect(), found.lines().collect());
    alike(&expected, &found, |line| line.trim() == "…", line_alike)
}

#[test]
#[cfg(unix)]
fn the_examples_print_what_they_say() {
    use std::path::Path;

    use super::program::on_terminal;

    // Examples may leave files for the ones below them.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_queens")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.display());
    let examples = examples(&readme());
    assert!(examples.len() >= 5);
    for Example { command, shown } in examples {
        let mut shell = clean("sh");
        shell.args(["-c", &command]).current_dir(&folder);
        shell.env("PATH", &path).env("NO_COLOR", "1");
        let (_, found) = on_terminal(shell);
        assert!(
            text_alike(&shown, &found),
            "$ {command}\nREADME.md says:\n{shown}but it prints:\n{found}"
        );
    }
}

#[test]
fn the_exit_codes_are_the_programs() {
    let help = queens("--help").ok();
    let (_, list) = help.split_once("Exit codes:\n").unwrap();
    let readme = readme();
    for line in list.lines() {
        let (code, meaning) = line.trim().split_once("  ").unwrap();
        let row = format!("| {code} | {meaning} |");
        assert!(readme.contains(&row), "missing in README.md: {row}");
    }
}

#[test]
fn a_time_is_like_any_other_and_a_count_only_like_itself() {
    assert!(line_alike(
        "rows engine, 2 threads, 1.25 s",
        "rows engine, 2 threads, 931 ms"
    ));
    assert!(!line_alike("92 solutions", "93 solutions"));
    assert!(line_alike("processor … x", "processor AMD EPYC x"));
    assert!(line_alike(
        "\"seconds\":…,\"n\":8",
        "\"seconds\":0.001,\"n\":8"
    ));
    assert!(text_alike("a\n…\nd", "a\nb\nc\nd\n"));
    assert!(!text_alike("a\nd", "a\nb\nd"));
}
