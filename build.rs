//! Tells the program what it was built from, for the results of `queens bench`: the
//! compiler, and the last commit that changed the sources, with a "+" if they have been
//! changed since. Both are left out where they are not known.

use std::{env, path::Path, process::Command};

const SOURCES: [&str; 4] = ["src", "Cargo.toml", "Cargo.lock", "build.rs"];

fn main() {
    for path in SOURCES {
        println!("cargo::rerun-if-changed={path}");
    }
    let rustc = env::var("RUSTC").unwrap_or("rustc".to_owned());
    tell("QUEENS_RUSTC", said(Command::new(rustc).arg("--version")));
    // Not the commit of a repository that these sources were copied into.
    if Path::new(".git").exists() {
        let git = |words: &[&str]| {
            let mut git = Command::new("git");
            said(
                git.arg("--no-optional-locks")
                    .args(words)
                    .arg("--")
                    .args(SOURCES),
            )
        };
        let commit = git(&["log", "-1", "--format=%h", "--abbrev=12"]);
        let changed = git(&["status", "--porcelain"]).is_some();
        let commit = commit.map(|commit| commit + if changed { "+" } else { "" });
        tell("QUEENS_COMMIT", commit);
    }
}

/// Sets a variable for the compiler.
fn tell(name: &str, value: Option<String>) {
    if let Some(value) = value {
        println!("cargo::rustc-env={name}={value}");
    }
}

/// What a command prints, if it prints anything.
fn said(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success());
    let text = String::from_utf8(output?.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}
