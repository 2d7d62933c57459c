//! The pages are right: the examples of the README and of docs/ print what they say, links
//! and paths lead somewhere, and the table of exit codes is the program's.
//!
//! In a block that begins with "```console", a line "$ command" is run by the shell on a
//! terminal of its own, and the lines below it are what it prints. The examples of a page
//! share a folder and run in order, so that one may read what another wrote. Blanks do not
//! matter; a time stands for any time, a number of threads for any other. A word after
//! "console" says what else is different:
//!
//! - `sample`: the output depends on the machine. Only the first word of each line is
//!   compared, and how many lines there are.
//! - `long`: the example takes too long for a test and is not run.
//!
//! `PAGES=write cargo test --test cli readme` writes what the program prints now into the
//! pages, wherever it is not what they say.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::program::queens;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn pages() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    let docs = fs::read_dir(root.join("docs")).unwrap();
    let mut pages: Vec<PathBuf> = docs.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|end| end == "md"));
    pages.extend(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
    pages.sort();
    pages
}

fn read(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// How an example is compared with what is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Exact,
    Sample,
    Long,
}

impl Kind {
    /// The kind of a block that begins with this line, if it has examples.
    fn of_fence(line: &str) -> Option<Kind> {
        match line.strip_prefix("```console")?.trim() {
            "" => Some(Kind::Exact),
            "sample" => Some(Kind::Sample),
            "long" => Some(Kind::Long),
            other => panic!("\"{other}\" is no kind of example: use \"sample\" or \"long\""),
        }
    }

    fn alike(self, shown: &str, printed: &str) -> bool {
        let all = |text: &str| text.lines().map(words).collect::<Vec<_>>();
        let first = |text: &str| {
            let lines = text.lines();
            let first = lines.map(|line| line.split_whitespace().next().map(str::to_owned));
            first.collect::<Vec<_>>()
        };
        match self {
            Kind::Exact => all(shown) == all(printed),
            Kind::Sample => first(shown) == first(printed),
            Kind::Long => true,
        }
    }
}

/// The words of a line, where all times are alike, and all numbers of threads.
fn words(line: &str) -> Vec<String> {
    let line = without_values(&without_values(line, "\"seconds\":"), "\"threads\":");
    let mut words: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        let is_number = |word: &String| word.trim_start_matches('(').parse::<f64>().is_ok();
        let unit = match word.trim_end_matches([',', ';', ')', '.']) {
            "µs" | "ms" | "s" | "min" | "h" | "d" => "(a time)",
            "thread" | "threads" => "(threads)",
            _ => "",
        };
        if unit.is_empty() || !words.last().is_some_and(is_number) {
            words.push(word.to_owned());
            continue;
        }
        words.pop();
        // "1 of 2 threads" is a number of threads.
        if unit == "(threads)" && words.last().is_some_and(|last| last == "of") {
            words.truncate(words.len() - 2);
        }
        // "1 min 20 s" is one time.
        if words.last().is_none_or(|last| last != unit) {
            words.push(unit.to_owned());
        }
    }
    words
}

/// The line without the numbers that JSON has under this name.
fn without_values(line: &str, name: &str) -> String {
    let mut parts = line.split(name);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(name);
        text.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit() || ".e-".contains(c)));
    }
    text
}

/// The page with what its examples print now, and those that print something else.
fn rerun(page: &str, mut run: impl FnMut(&str) -> String) -> (String, Vec<String>) {
    let (mut text, mut wrong) = (String::new(), Vec::new());
    let mut kind = None;
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        text.push_str(line);
        text.push('\n');
        if line.starts_with("```") {
            kind = Kind::of_fence(line);
        }
        let (Some(kind), Some(command)) = (kind, line.strip_prefix("$ ")) else {
            continue;
        };
        let mut shown = String::new();
        let is_output = |line: &&str| !line.starts_with("$ ") && !line.starts_with("```");
        while let Some(line) = lines.next_if(is_output) {
            shown.push_str(line);
            shown.push('\n');
        }
        if kind != Kind::Long {
            let printed = run(command);
            if !kind.alike(&shown, &printed) {
                wrong.push(format!(
                    "$ {command}\nshould print:\n{shown}but prints:\n{printed}"
                ));
                shown = printed;
            }
        }
        text.push_str(&shown);
    }
    (text, wrong)
}

#[test]
#[cfg(unix)]
fn the_examples_print_what_they_say() {
    use super::program::{clean, on_terminal};

    let program = Path::new(env!("CARGO_BIN_EXE_queens")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.display());
    let write = std::env::var("PAGES").is_ok_and(|pages| pages == "write");
    let mut all_wrong = Vec::new();
    for page in pages() {
        let name = page.file_stem().unwrap();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("pages")
            .join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let (text, wrong) = rerun(&read(&page), |command| {
            let mut shell = clean("sh");
            shell.args(["-c", command]).current_dir(&folder);
            shell.env("PATH", &path).env("NO_COLOR", "1");
            on_terminal(shell).1
        });
        if write && !wrong.is_empty() {
            fs::write(&page, text).unwrap();
        }
        let name = name.to_string_lossy();
        all_wrong.extend(wrong.iter().map(|wrong| format!("{name}.md: {wrong}")));
    }
    assert!(write || all_wrong.is_empty(), "{}", all_wrong.join("\n"));
}

/// The anchor that a heading has on a rendered page.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The text between each of these beginnings and the next end.
fn between<'a>(page: &'a str, begin: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    let parts = page.split(begin).skip(1);
    parts.filter_map(move |part| Some(part.split_once(end)?.0))
}

#[test]
fn links_and_paths_lead_somewhere() {
    let folders = [
        ".ci/", "benches/", "data/", "docs/", "fuzz/", "scripts/", "src/", "tests/",
    ];
    for page in pages() {
        let text = read(&page);
        let pictures = between(&text, "src=\"", "\"");
        for link in between(&text, "](", ")").chain(pictures) {
            if link.starts_with("http") {
                continue;
            }
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            assert!(target.exists(), "{}: {link}", page.display());
            if !place.is_empty() {
                let linked = read(&target);
                let mut headings = linked.lines().filter(|line| line.starts_with('#'));
                let found = headings.any(|heading| anchor(heading) == place);
                assert!(found, "{}: no heading {link}", page.display());
            }
        }
        for line in text.lines() {
            // What is between two backquotes, every other part.
            for code in line.split('`').skip(1).step_by(2) {
                let path = code.split_whitespace().next().unwrap_or_default();
                if folders.iter().any(|folder| path.starts_with(folder)) && !path.contains('*') {
                    let found = Path::new(ROOT).join(path).exists();
                    assert!(found, "{}: there is no {path}", page.display());
                }
            }
        }
    }
}

#[test]
fn the_exit_codes_are_the_programs() {
    let help = queens("--help").ok();
    let (_, list) = help.split_once("Exit codes:\n").unwrap();
    let page = read(&Path::new(ROOT).join("docs/COMMANDS.md"));
    for line in list.lines() {
        let (code, meaning) = line.trim().split_once("  ").unwrap();
        let row = format!("| {code} | {meaning} |");
        assert!(page.contains(&row), "missing in docs/COMMANDS.md: {row}");
    }
}

#[test]
fn a_time_is_like_any_other_and_a_count_only_like_itself() {
    let exact = |shown, printed| Kind::Exact.alike(shown, printed);
    assert!(exact(
        "rows engine, 2 threads, 1.25 s",
        "rows  engine, 1 thread, 931 ms"
    ));
    assert!(exact(
        "engine, 1 of 2 threads, 1 s",
        "engine, 1 thread, 1 s"
    ));
    assert!(exact("1 min 20 s of one core", "0.3 ms of one core"));
    assert!(!exact("92 solutions", "93 solutions"));
    assert!(!exact("5 kinds", "5"));
    assert!(exact(
        r#"{"n":8,"seconds":0.001}"#,
        r#"{"n":8,"seconds":2e-5}"#
    ));
    assert!(!exact(r#"{"n":8,"seconds":1}"#, r#"{"n":9,"seconds":1}"#));
    assert!(!exact("a\nd\n", "a\nb\nd\n"));
    let sample = |shown, printed| Kind::Sample.alike(shown, printed);
    assert!(sample("processor AMD EPYC", "processor of another kind"));
    assert!(!sample("processor x", "memory x"));
    assert!(!sample("a\nb", "a"));
}

#[test]
fn an_example_that_prints_something_else_is_found_and_can_be_written() {
    let page = "# A\n\n```console\n$ one\n1\n$ two\n```\n```console long\n$ three\n3\n```\n";
    let (text, wrong) = rerun(page, |command| format!("{command}!\n"));
    assert_eq!(wrong.len(), 2);
    assert_eq!(
        text,
        "# A\n\n```console\n$ one\none!\n$ two\ntwo!\n```\n```console long\n$ three\n3\n```\n"
    );
}
