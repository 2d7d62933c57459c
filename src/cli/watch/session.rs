//! The time from the start of a command that counts to its end, with everything that
//! may cut it short: Ctrl-C, SIGTERM, a time limit. Meanwhile its progress is shown.

use std::{
    sync::{
        Arc,
        atomic::AtomicBool,
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

use anyhow::{Context, Result};
use clap::Args;
use queens::{Cancel, Count, Error, plan::Plan};

use crate::cli::{
    args::duration::TimeSpan,
    exit::Exit,
    platform::{shell::command_line, signals},
    report::output::Output,
    watch::{
        clock::{Clock, TICK},
        eta::Pace,
        progress::{Display, Progress, Show, View},
    },
};

/// Work that is expected to take one core no longer than this is done before anybody would
/// look at the clock again, also on a slow machine. No thread is started to do so.
const BRIEF: Duration = TICK.checked_div(20).expect("not 0");
/// The plans of boards up to this side are brief work.
const BRIEFLY_PLANNED: u32 = 18;

/// How long a command may run, and whether it shows how far it is.
#[derive(Debug, Args)]
#[command(next_help_heading = "Long runs")]
pub struct Limits {
    /// Stop cleanly after this time, such as 90s, 55m or 1h30m
    ///
    /// The exit code is 130, as after Ctrl-C. Whatever is on disk by then stays, and a
    /// count with a checkpoint or in shards goes on with the same command.
    #[arg(long, value_name = "TIME")]
    pub time_limit: Option<TimeSpan>,

    /// Do not show the progress
    #[arg(long)]
    pub no_progress: bool,
}

/// A command under way.
pub struct Session<'a> {
    limits: &'a Limits,
    show: Show,
    /// Raised when it is to stop.
    pub cancel: Cancel,
    clock: Clock,
}

impl Limits {
    /// From now on the time limit runs, and Ctrl-C and SIGTERM stop the command.
    pub fn start(&self, out: &Output) -> Result<Session<'_>> {
        let (cancel, clock) = listen().context("cannot listen for Ctrl-C")?;
        Ok(Session {
            limits: self,
            show: Show::unless(self.no_progress || out.is_quiet()),
            cancel,
            clock,
        })
    }
}

/// A flag that Ctrl-C and SIGTERM raise, of which the second ends the program at once, and a
/// clock that stands still while the program does.
fn listen() -> Result<(Cancel, Clock)> {
    let stop = Arc::new(AtomicBool::new(false));
    signals::on_stop(&stop, Exit::Interrupted as i32)?;
    Ok((Cancel::from(stop), Clock::start()?))
}

impl Session<'_> {
    /// How long it has been running, without the time during which it was stopped.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Does the work, shows how far it is, and stops it when its time is up. The view is
    /// given the time since the work began.
    pub fn follow<T, E: From<Error>>(
        &self,
        label: &str,
        view: impl Fn(Duration) -> View + Send,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        self.attend(Display::new(self.show, label), view, work)
    }

    /// Follows work that tells this progress of its blocks.
    pub fn watch<T>(
        &self,
        label: &str,
        pace: Pace,
        work: impl FnOnce(&Progress) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let is_brief = pace.expected() <= BRIEF;
        let progress = Progress::new(pace);
        if is_brief {
            return work(&progress);
        }
        self.follow(label, |elapsed| progress.view(elapsed), || work(&progress))
    }

    /// Does work whose progress nobody could tell, and stops it when its time is up.
    pub fn in_time<T, E: From<Error>>(&self, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let nothing = |_| View::default();
        self.attend(Display::new(Show::Nothing, ""), nothing, work)
    }

    /// A thread of its own looks at the clock and draws; the workers only count.
    fn attend<T, E: From<Error>>(
        &self,
        mut display: Display,
        view: impl Fn(Duration) -> View + Send,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let begun = self.elapsed();
        thread::scope(|scope| {
            let (working, end) = channel::<()>();
            let look = move || {
                while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    let elapsed = self.elapsed();
                    if self.is_time_up(elapsed) {
                        self.cancel.cancel();
                    }
                    display.update(elapsed.saturating_sub(begun), &view);
                }
            };
            // Without it nothing would stop the work in time.
            let started = thread::Builder::new().spawn_scoped(scope, look);
            started.map_err(|reason| Error::Threads {
                threads: 1,
                reason: reason.to_string(),
            })?;
            let done = work();
            drop(working);
            done
        })
    }

    /// The plan of a count, which takes seconds for the largest boards.
    pub fn plan(&self, count: &Count) -> Result<Plan> {
        let count = count.clone().cancel(&self.cancel);
        let plan = if count.problem().n() <= BRIEFLY_PLANNED {
            count.plan()
        } else {
            self.in_time(|| count.plan())
        };
        plan.map_err(|error| {
            self.explain(error, |why| {
                let again = command_line();
                format!("{why} while the work was planned; go on with: {again}")
            })
        })
    }

    /// The error of some work; an interruption in the user's terms, from what caused it.
    pub fn explain(&self, error: Error, sentence: impl FnOnce(&str) -> String) -> anyhow::Error {
        match error {
            Error::Interrupted => Exit::Interrupted.because(sentence(&self.why())),
            error => error.into(),
        }
    }

    /// What has interrupted the work.
    pub fn why(&self) -> String {
        match &self.limits.time_limit {
            Some(limit) if self.is_time_up(self.elapsed()) => {
                format!("stopped after the time limit of {limit}")
            }
            _ => "interrupted".to_owned(),
        }
    }

    fn is_time_up(&self, elapsed: Duration) -> bool {
        let limit = self.limits.time_limit.as_ref();
        limit.is_some_and(|limit| elapsed >= limit.time)
    }
}
