//! Shows how far a run has come: a live bar on a terminal, a plain line now and then
//! elsewhere, on standard error. A thread of its own draws; workers only add to a
//! few numbers after each block.

use std::{
    io::{self, IsTerminal, Write},
    sync::{
        Mutex, MutexGuard, PoisonError,
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::{Duration, Instant},
};

use queens::{Error, FinishedBlock, Observer};

use crate::cli::{
    report::{
        humanize::{duration, grouped},
        output::to_stderr,
    },
    watch::eta::{Pace, Reading},
};

/// Ten redraws a second.
const TICK: Duration = Duration::from_millis(100);
/// A run shorter than this needs no bar.
const PATIENCE: Duration = Duration::from_millis(300);
/// When the first plain line comes, and the time between the others.
const FIRST_LINE: Duration = Duration::from_secs(10);
const LINE_EVERY: Duration = Duration::from_secs(60);

/// What to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    Bar,
    Lines,
    Nothing,
}

impl Show {
    /// What this standard error can show, or nothing.
    pub fn unless(hidden: bool) -> Show {
        match hidden {
            true => Show::Nothing,
            false => Show::here(),
        }
    }

    /// A bar if standard error is a terminal that can redraw a line.
    fn here() -> Show {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        match io::stderr().is_terminal() && !dumb {
            true => Show::Bar,
            false => Show::Lines,
        }
    }
}

/// How far something is: the part that is done, from 0 to 1, and what to say of it.
pub struct View {
    pub share: f64,
    pub words: String,
}

/// Does the work, and meanwhile shows how far it is and calls `tick` ten times a second.
pub fn showing<T>(
    show: Show,
    label: &str,
    view: impl Fn(Duration) -> View + Send,
    tick: impl Fn() + Send,
    work: impl FnOnce() -> T,
) -> T {
    thread::scope(|scope| {
        let (working, end) = channel::<()>();
        scope.spawn(move || {
            let start = Instant::now();
            let (mut next_line, mut drawn) = (FIRST_LINE, false);
            while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                tick();
                let elapsed = start.elapsed();
                match show {
                    Show::Bar if elapsed >= PATIENCE => {
                        let size = terminal_size::terminal_size_of(io::stderr());
                        let width = size.map_or(80, |(width, _)| usize::from(width.0));
                        draw(&bar(label, &view(elapsed), width));
                        drawn = true;
                    }
                    Show::Lines if elapsed >= next_line => {
                        next_line = elapsed + LINE_EVERY;
                        to_stderr(format_args!("{label}: {}", view(elapsed).words));
                    }
                    _ => {}
                }
            }
            // Only what was drawn: a quick count leaves the terminal alone.
            if drawn {
                draw("");
            }
        });
        let done = work();
        drop(working);
        done
    })
}

/// The progress of one pass over a plan.
pub struct Progress {
    label: String,
    show: Show,
    pace: Mutex<Pace>,
}

impl Progress {
    pub fn new(label: String, show: Show, pace: Pace) -> Progress {
        Progress {
            label,
            show,
            pace: Mutex::new(pace),
        }
    }

    /// Does the work, and meanwhile shows how far it is and calls `tick` ten times a
    /// second.
    pub fn during<T>(&self, tick: impl Fn() + Send, work: impl FnOnce() -> T) -> T {
        let view = |elapsed| view(&self.pace().read(elapsed));
        showing(self.show, &self.label, view, tick, work)
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Progress {
    fn finished(&self, finished: &FinishedBlock) -> Result<(), Error> {
        self.pace()
            .finished(finished.block.cost, finished.count, finished.elapsed);
        Ok(())
    }
}

/// Puts this text in place of the current line. Nobody looking is no error.
pub fn draw(line: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush());
}

impl View {
    /// With what there is to say behind the share, the time so far and the time left.
    pub fn new(share: f64, elapsed: Duration, left: Option<Duration>, more: &str) -> View {
        let left = match left {
            Some(left) => format!("ETA {}", duration(left)),
            None => "estimating".to_owned(),
        };
        let (percent, elapsed) = (percent(share), duration(elapsed));
        View {
            share,
            words: format!("{percent:4.1} %, {elapsed}, {left}, {more}"),
        }
    }
}

fn view(reading: &Reading) -> View {
    let (found, rate) = (grouped(reading.found), grouped(reading.per_second));
    let more = format!("{found} solutions, {rate}/s");
    View::new(reading.share, reading.elapsed, reading.left, &more)
}

/// Per cent, rounded down: 100 is for what is finished.
fn percent(share: f64) -> f64 {
    (share * 1000.0).floor() / 10.0
}

/// The words, after as much of a bar as fits beside them on one line.
fn bar(label: &str, view: &View, width: usize) -> String {
    let words = format!("{label} {}", view.words);
    // A character in the last column would make some terminals wrap.
    let room = width.saturating_sub(words.chars().count() + "[] ".len() + 1);
    let cells = room.min(40);
    if cells < 5 {
        return words.chars().take(width.saturating_sub(1)).collect();
    }
    let full = ((view.share * cells as f64) as usize).min(cells);
    format!("[{}{}] {words}", "#".repeat(full), "-".repeat(cells - full))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(share: f64, left: Option<u64>) -> Reading {
        Reading {
            share,
            elapsed: Duration::from_secs(65),
            left: left.map(Duration::from_secs),
            found: 1_234_567,
            per_second: 18_993,
        }
    }

    #[test]
    fn a_bar_says_everything_on_one_line_of_any_width() {
        let line = bar("n = 18", &view(&reading(0.25, Some(195))), 92);
        assert_eq!(
            line,
            "[####------------] n = 18 25.0 %, 1 min 05 s, ETA 3 min 15 s, 1,234,567 solutions, 18,993/s"
        );
        for width in 0..200 {
            let line = bar("n = 18", &view(&reading(0.999, None)), width);
            assert!(line.len() < width.max(1), "{width}: {line}");
        }
        assert!(bar("", &view(&reading(0.0, None)), 100).contains("estimating"));
    }

    #[test]
    fn a_hundred_per_cent_is_for_what_is_finished() {
        assert_eq!(percent(0.9999), 99.9);
        assert_eq!(percent(1.0), 100.0);
    }
}
