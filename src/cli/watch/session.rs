//! The time from the start of a command that counts to its end, with everything that
//! may cut it short: Ctrl-C, SIGTERM, a time limit. Meanwhile its progress is shown.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use anyhow::{Context, Result};
use clap::Args;
use queens::{Cancel, Count, Error, plan::Plan};
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};

use crate::cli::{
    args::duration::TimeLimit,
    exit::Exit,
    report::output::Output,
    watch::{
        eta::Pace,
        progress::{Progress, Show},
    },
};

/// How long it may run, and whether it tells.
#[derive(Debug, Args)]
#[command(next_help_heading = "Long runs")]
pub struct Limits {
    /// Stop cleanly after this time, such as 90s, 55m or 1h30m
    ///
    /// Exit code 130, as after Ctrl-C. What is recorded stays, and the same command
    /// resumes.
    #[arg(long, value_name = "TIME")]
    pub time_limit: Option<TimeLimit>,

    /// Do not show how far the count has come
    #[arg(long)]
    pub no_progress: bool,
}

/// A command under way.
pub struct Session<'a> {
    limits: &'a Limits,
    show: Show,
    /// Raised when it is to stop.
    pub cancel: Cancel,
    end: Option<Instant>,
}

impl Limits {
    /// From now on the time limit runs, and Ctrl-C and SIGTERM stop the count.
    pub fn start(&self, out: &Output) -> Result<Session<'_>> {
        let limit = self.time_limit.as_ref().map(|limit| limit.time);
        Ok(Session {
            limits: self,
            show: Show::unless(self.no_progress || out.is_quiet()),
            cancel: stop_on_signal()?,
            end: limit.and_then(|limit| Instant::now().checked_add(limit)),
        })
    }
}

impl Session<'_> {
    /// Does work that tells this progress of its blocks.
    pub fn watch<T>(
        &self,
        label: &str,
        pace: Pace,
        work: impl FnOnce(&Progress) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let progress = Progress::new(label.to_owned(), self.show, pace);
        progress.during(|| self.stop_in_time(), || work(&progress))
    }

    /// Does work whose progress nobody could tell.
    pub fn in_time<T>(&self, work: impl FnOnce() -> T) -> T {
        let silent = Progress::new(String::new(), Show::Nothing, Pace::default());
        silent.during(|| self.stop_in_time(), work)
    }

    /// The plan of a count, which takes seconds for the largest boards.
    pub fn plan(&self, count: &Count) -> Result<Plan> {
        let count = count.clone().cancel(&self.cancel);
        let plan = self.in_time(|| count.plan());
        plan.map_err(|error| match error {
            Error::Interrupted => Exit::Interrupted.because(format!(
                "{} while the work was planned; go on with: {}",
                self.why(),
                command_line()
            )),
            error => error.into(),
        })
    }

    /// What has interrupted the work.
    pub fn why(&self) -> String {
        match &self.limits.time_limit {
            Some(limit) if self.is_time_up() => format!("stopped after the time limit of {limit}"),
            _ => "interrupted".to_owned(),
        }
    }

    fn is_time_up(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    fn stop_in_time(&self) {
        if self.is_time_up() {
            self.cancel.cancel();
        }
    }
}

/// A flag that Ctrl-C and SIGTERM raise; the second of them ends the program at once.
pub fn stop_on_signal() -> Result<Cancel> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let code = Exit::Interrupted as i32;
        flag::register_conditional_shutdown(signal, code, stop.clone())
            .and_then(|_| flag::register(signal, stop.clone()))
            .context("cannot listen for Ctrl-C")?;
    }
    Ok(Cancel::from(stop))
}

/// The command that was typed, for a shell.
pub fn command_line() -> String {
    let words = std::env::args_os().map(|word| quoted(&word.to_string_lossy()));
    words.collect::<Vec<_>>().join(" ")
}

/// The word as it is, or in quotes where a shell would read it otherwise.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_only_where_a_shell_needs_it() {
        assert_eq!(
            quoted("--checkpoint=run/1.jsonl"),
            "--checkpoint=run/1.jsonl"
        );
        assert_eq!(quoted("my run"), "'my run'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
