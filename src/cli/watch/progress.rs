//! Shows how far a run has come, on standard error: a live bar on a terminal, a plain
//! line now and then elsewhere.

use std::{
    io::{self, Write},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use queens::{Error, FinishedBlock, Observer};

use crate::cli::{
    platform::streams::obeys,
    report::{
        humanize::{duration, plural, short},
        output::to_stderr,
    },
    watch::eta::Pace,
};

/// A run shorter than this needs no bar.
const PATIENCE: Duration = Duration::from_millis(300);
/// When the first plain line comes, and the time between the others.
const FIRST_LINE: Duration = Duration::from_secs(10);
const LINE_EVERY: Duration = Duration::from_secs(60);
/// The share that is shown until the end.
const ALMOST: f64 = 0.999;
/// The cells of a bar.
const FEWEST_CELLS: usize = 5;
const MOST_CELLS: usize = 40;

/// What to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    Bar,
    Lines,
    Nothing,
}

impl Show {
    /// A bar if standard error is a terminal that can redraw a line, unless hidden.
    pub fn unless(hidden: bool) -> Show {
        if hidden {
            Show::Nothing
        } else if obeys(&io::stderr()) {
            Show::Bar
        } else {
            Show::Lines
        }
    }
}

/// How far something is: the share that is done, from 0 to 1, and what to say of it, the
/// most important first. A narrow terminal has no room for the rest.
#[derive(Debug, Default)]
pub struct View {
    pub share: f64,
    pub words: Vec<String>,
}

impl View {
    /// The share, the time left and the time so far, and what else there is to say.
    pub fn new<const K: usize>(
        share: f64,
        elapsed: Duration,
        left: Option<Duration>,
        more: [String; K],
    ) -> View {
        let left = match left {
            Some(left) => format!("ETA {}", duration(left)),
            None => "estimating".to_owned(),
        };
        View::of(share, [left, duration(elapsed)].into_iter().chain(more))
    }

    /// Work that ends when its time is up or enough of it is done, as far as either is given,
    /// and what else there is to say. What is under way then is still finished, so that it is
    /// not complete before that.
    pub fn limited<const K: usize>(
        elapsed: Duration,
        time: Option<Duration>,
        done: u64,
        enough: Option<u64>,
        more: [String; K],
    ) -> View {
        let seconds = elapsed.as_secs_f64();
        let by_time = time.map_or(0.0, |time| seconds / time.as_secs_f64());
        let by_number = enough.map_or(0.0, |enough| done as f64 / enough as f64);
        let share = by_time.max(by_number).min(ALMOST);
        // No time where there is no share yet.
        let left = Duration::try_from_secs_f64(seconds * (1.0 - share) / share).ok();
        View::new(share, elapsed, left, more)
    }

    /// The share, and what else there is to say.
    pub fn of(share: f64, words: impl IntoIterator<Item = String>) -> View {
        let percent = format!("{:4.1} %", percent(share));
        let words = [percent].into_iter().chain(words).collect();
        View { share, words }
    }
}

/// Per cent, rounded down: 100 is for what is finished.
fn percent(share: f64) -> f64 {
    (share * 1000.0).floor() / 10.0
}

/// Where the progress of one piece of work is shown, until it is dropped.
pub struct Display {
    show: Show,
    label: String,
    next_line: Duration,
    drawn: bool,
}

impl Display {
    pub fn new(show: Show, label: &str) -> Display {
        Display {
            show,
            label: label.to_owned(),
            next_line: FIRST_LINE,
            drawn: false,
        }
    }

    /// Shows the present view if it is time to.
    pub fn update(&mut self, elapsed: Duration, view: impl Fn(Duration) -> View) {
        match self.show {
            Show::Bar if elapsed >= PATIENCE => {
                let size = terminal_size::terminal_size_of(io::stderr());
                let width = size.map_or(80, |(width, _)| usize::from(width.0));
                draw(&bar(&self.label, &view(elapsed), width));
                self.drawn = true;
            }
            Show::Lines if elapsed >= self.next_line => {
                self.next_line = elapsed + LINE_EVERY;
                let words = view(elapsed).words.join(", ");
                to_stderr(format_args!("{}: {}", self.label, words.trim_start()));
            }
            _ => {}
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // Only what was drawn: a quick count leaves the terminal alone.
        if self.drawn {
            draw("");
        }
    }
}

/// Puts this text in place of the current line. If nobody can see it, that is not a failure.
fn draw(line: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush());
}

/// A bar with as many of the words as fit beside it on one line. No word is cut.
fn bar(label: &str, view: &View, width: usize) -> String {
    // A character in the last column would make some terminals wrap.
    let room = width.saturating_sub(1);
    let length = |text: &str| text.chars().count();
    let frame = length("[] ");
    let mut text = String::new();
    for (place, word) in view.words.iter().enumerate() {
        let longer = match place {
            0 => format!("{label} {word}"),
            _ => format!("{text}, {word}"),
        };
        if length(&longer) + frame + FEWEST_CELLS > room {
            break;
        }
        text = longer;
    }
    if text.is_empty() {
        let percent = view.words.first().map_or("", |word| word.trim());
        return if length(percent) > room { "" } else { percent }.to_owned();
    }
    let cells = (room - frame - length(&text)).min(MOST_CELLS);
    let full = ((view.share * cells as f64) as usize).min(cells);
    format!("[{}{}] {text}", "#".repeat(full), "-".repeat(cells - full))
}

/// The progress of one pass over a plan.
pub struct Progress {
    pace: Mutex<Pace>,
}

impl Progress {
    pub fn new(pace: Pace) -> Progress {
        Progress {
            pace: Mutex::new(pace),
        }
    }

    /// The progress, this long after the pass began.
    pub fn view(&self, elapsed: Duration) -> View {
        let reading = self.pace().read(elapsed);
        let solutions = plural(reading.found, "solution");
        let found = format!("{} {solutions}", short(reading.found as f64));
        let rate = format!("{}/s", short(reading.per_second));
        View::new(reading.share, elapsed, reading.left, [found, rate])
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

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> View {
        let (elapsed, left) = (Duration::from_secs(65), Duration::from_secs(195));
        let more = ["1.23 M solutions".to_owned(), "19.0 k/s".to_owned()];
        View::new(0.25, elapsed, Some(left), more)
    }

    #[test]
    fn a_narrow_terminal_has_the_bar_and_the_most_important_words() {
        for (width, line) in [
            (8, "25.0 %"),
            (40, "[#------] n = 18 25.0 %, ETA 3 min 15 s"),
            (
                80,
                "[#------] n = 18 25.0 %, ETA 3 min 15 s, 1 min 05 s, 1.23 M solutions, 19.0 k/s",
            ),
        ] {
            assert_eq!(bar("n = 18", &view(), width), line);
        }
    }

    #[test]
    fn a_line_of_any_width_is_whole_words() {
        let whole = view();
        for width in 0..200 {
            let line = bar("n = 18", &whole, width);
            assert!(line.chars().count() < width.max(1), "{width}: {line}");
            let said = line.rsplit("] ").next().unwrap();
            let words = said.trim_start_matches("n = 18 ").split(", ");
            for word in words.filter(|word| !word.is_empty()) {
                assert!(whole.words.iter().any(|all| all.trim() == word), "{line}");
            }
        }
    }

    #[test]
    fn a_hundred_per_cent_is_for_what_is_finished() {
        assert_eq!(percent(0.9999), 99.9);
        assert_eq!(percent(1.0), 100.0);
    }
}
