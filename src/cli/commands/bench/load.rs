//! Other work on the machine: whether it took part of the time, and waiting for its end.
//!
//! While a benchmark runs, its threads are at work or wait for the last of them. What is
//! missing of the cores' time went to somebody else, also where every run is disturbed
//! alike and the spread does not show it. Before it runs, the system tells how many cores
//! are busy (Linux, the first line of `/proc/stat`).

use std::{thread, time::Duration};

use anyhow::Result;
use queens::Error;

use super::report::{Figures, Report};
use crate::cli::{
    args::duration::TimeSpan, exit::Exit, platform::told, report::humanize::counted,
    watch::session::Session,
};

/// With less of the time than this, something else was running.
const FAIR_SHARE: f64 = 0.95;
/// Runs that are shorter have more of their time to do with planning and with threads that
/// begin.
const TELLING_SECONDS: f64 = 0.1;

/// Of the cores, this much may be busy on an idle machine; or a tenth of one core, if that
/// is more.
const IDLE_PART: f64 = 0.01;
const IDLE_CORES: f64 = 0.1;
/// How long cores are watched, and how many times in a row they have to be idle.
const SAMPLE: Duration = Duration::from_millis(500);
const SAMPLES: usize = 2;

/// The largest part of its time that other work took from any point, if it is too much.
pub fn lost(report: &Report) -> Option<f64> {
    let figures = report.figures();
    let telling = figures.filter(|figures| figures.time.best >= TELLING_SECONDS);
    let shares = telling.filter_map(|Figures { share, .. }| share);
    let least = shares.reduce(f64::min)?;
    (least < FAIR_SHARE).then_some(1.0 - least)
}

/// Whether this system tells how busy it is.
pub fn is_known() -> bool {
    Ticks::read().is_some()
}

/// Waits until nothing else runs, but no longer than this.
pub fn wait_until_idle(limit: &TimeSpan, session: &Session) -> Result<()> {
    let start = session.elapsed();
    let is_over = || session.elapsed().saturating_sub(start) >= limit.time;
    let busy_cores = || {
        let before = Ticks::read();
        thread::sleep(SAMPLE);
        if session.cancel.is_cancelled() {
            return Err(Error::Interrupted.into());
        }
        let after = Ticks::read();
        let busy = before
            .zip(after)
            .and_then(|(before, after)| after.busy_since(&before));
        busy.ok_or_else(|| Exit::Failure.because("this system does not tell how busy it is"))
    };
    match until_idle(busy_cores, is_over)? {
        None => Ok(()),
        Some(Busy { busy, cores }) => Err(Exit::Failure.because(format!(
            "the machine was not idle within {limit}: other work kept {busy:.1} of {} busy",
            counted(cores, "core")
        ))),
    }
}

/// How many cores of all are busy.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Busy {
    busy: f64,
    cores: usize,
}

impl Busy {
    fn is_idle(&self) -> bool {
        self.busy <= IDLE_CORES.max(IDLE_PART * self.cores as f64)
    }
}

/// Looks until the machine is idle several times in a row; else, at the end of the time,
/// what was seen last.
fn until_idle(
    mut busy_cores: impl FnMut() -> Result<Busy>,
    is_over: impl Fn() -> bool,
) -> Result<Option<Busy>> {
    let mut idle = 0;
    loop {
        let busy = busy_cores()?;
        idle = if busy.is_idle() { idle + 1 } else { 0 };
        if idle == SAMPLES {
            return Ok(None);
        }
        // What has just become idle may stay so.
        if idle == 0 && is_over() {
            return Ok(Some(busy));
        }
    }
}

/// What all cores together have done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ticks {
    busy: u64,
    all: u64,
    cores: usize,
}

impl Ticks {
    fn read() -> Option<Ticks> {
        Ticks::of(&told("/proc/stat")?)
    }

    /// From the words "cpu user nice system idle iowait irq softirq steal …", of which the
    /// rest are parts of the first two, and a line "cpu0 …" for each core.
    fn of(stat: &str) -> Option<Ticks> {
        let words = stat.lines().next()?.strip_prefix("cpu ")?;
        let ticks = words.split_whitespace().map(|word| word.parse().ok());
        let ticks = ticks.take(8).collect::<Option<Vec<u64>>>()?;
        let all = ticks.iter().sum();
        let idle: u64 = ticks.get(3..5)?.iter().sum();
        let cores = stat
            .lines()
            .skip(1)
            .take_while(|line| line.starts_with("cpu"));
        Some(Ticks {
            busy: all - idle,
            all,
            cores: cores.count(),
        })
    }

    /// How many cores were busy since then; unknown if no time has passed.
    fn busy_since(&self, before: &Ticks) -> Option<Busy> {
        let all = self.all.checked_sub(before.all).filter(|&all| all > 0)?;
        let busy = self.busy.saturating_sub(before.busy);
        Some(Busy {
            busy: busy as f64 / all as f64 * self.cores as f64,
            cores: self.cores,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{super::report::tests::example, *};

    #[test]
    fn steady_load_is_found_whatever_the_spread() {
        let mut report = example();
        assert_eq!(lost(&report), None);
        // Every run alike has lost a tenth of its time to something else.
        for run in &mut report.cases[0].points[1].runs {
            run.seconds = 2.0;
            run.idle_seconds = 0.0;
            run.processor.all = Some(2.0 * 2.0 * 0.9);
        }
        assert!((lost(&report).unwrap() - 0.1).abs() < 1e-9);
        for run in &mut report.cases[0].points[1].runs {
            run.seconds = 0.002;
            run.processor.all = Some(0.002);
        }
        assert_eq!(lost(&report), None, "too short to tell");
        report.cases[0].points[0].runs[1].processor.all = None;
        assert_eq!(lost(&report), None, "not known");
    }

    #[test]
    fn ticks_tell_how_many_cores_are_busy() {
        let ticks = |text: &str| Ticks::of(text).unwrap();
        let before = ticks("cpu  10 0 10 70 10 0 0 0 5 0\ncpu0 5 0\ncpu1 5 0\nintr 8\n");
        assert_eq!((before.busy, before.all, before.cores), (20, 100, 2));
        let after = ticks("cpu  60 0 10 110 20 0 0 0 5 0\ncpu0 5 0\ncpu1 5 0\nintr 8\n");
        let busy = Busy {
            busy: 1.0,
            cores: 2,
        };
        assert_eq!(after.busy_since(&before), Some(busy));
        assert_eq!(before.busy_since(&before), None);
        assert_eq!(before.busy_since(&after), None);
        for text in ["", "cpu  1 2", "cpu  a b c d e", "intr 8"] {
            assert_eq!(Ticks::of(text), None, "{text}");
        }
    }

    #[test]
    fn it_waits_for_several_idle_moments_in_a_row() {
        let wait = |seen: &[f64], patience: usize| {
            let looks = std::cell::Cell::new(0);
            let busy_cores = || {
                let busy = seen[looks.get().min(seen.len() - 1)];
                looks.set(looks.get() + 1);
                Ok(Busy { busy, cores: 2 })
            };
            let outcome = until_idle(busy_cores, || looks.get() >= patience);
            (outcome.unwrap().map(|busy| busy.busy), looks.get())
        };
        assert_eq!(wait(&[0.0], 9), (None, 2));
        assert_eq!(wait(&[2.0, 0.05, 1.0, 0.1, 0.0], 9), (None, 5));
        assert_eq!(wait(&[1.5], 3), (Some(1.5), 3));
        assert_eq!(wait(&[1.5, 1.5, 0.0], 3), (None, 4));
    }

    #[test]
    fn a_large_machine_may_do_a_little_more_besides() {
        let idle = |busy, cores| Busy { busy, cores }.is_idle();
        assert!(idle(0.1, 2) && !idle(0.2, 2));
        assert!(idle(1.2, 128) && !idle(1.5, 128));
    }
}
