//! The time that a command has run. The clock never runs backwards with the calendar,
//! and time during which the process was stopped, by Ctrl-Z say, does not count.
//!
//! A process cannot see that it is being stopped, but it is told when it goes on
//! (SIGCONT). A clock that is read every [`TICK`] then knows that all but a tick of the
//! time since the reading before was spent standing still.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use anyhow::Result;

use crate::cli::platform::signals;

/// How often a running clock is read.
pub const TICK: Duration = Duration::from_millis(100);

pub struct Clock {
    /// Raised when the process goes on after it was stopped.
    continued: Arc<AtomicBool>,
    hand: Mutex<Hand>,
}

struct Hand {
    read: Instant,
    ran: Duration,
    /// How much later than a tick the last reading came. The thread that reads may be
    /// awake a moment before the signal arrives.
    late: Duration,
}

impl Clock {
    pub fn start() -> Result<Clock> {
        let continued = Arc::new(AtomicBool::new(false));
        signals::on_continue(&continued)?;
        Ok(Clock {
            continued,
            hand: Mutex::new(Hand {
                read: Instant::now(),
                ran: Duration::ZERO,
                late: Duration::ZERO,
            }),
        })
    }

    pub fn elapsed(&self) -> Duration {
        let mut hand = self.hand.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let since = now.duration_since(hand.read);
        let late = since.saturating_sub(TICK);
        hand.read = now;
        hand.ran += since;
        if self.continued.swap(false, Relaxed) {
            hand.ran = hand.ran.saturating_sub(late + hand.late);
            hand.late = Duration::ZERO;
        } else {
            hand.late = late;
        }
        hand.ran
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    /// A clock that was last read an hour ago.
    fn an_hour_later() -> Clock {
        let clock = Clock::start().unwrap();
        clock.hand.lock().unwrap().read = Instant::now().checked_sub(HOUR).unwrap();
        clock
    }

    #[test]
    fn an_hour_at_work_counts_and_an_hour_standing_still_does_not() {
        assert!(an_hour_later().elapsed() >= HOUR);
        let stopped = an_hour_later();
        stopped.continued.store(true, Relaxed);
        assert!(stopped.elapsed() < HOUR / 2);
    }

    #[test]
    fn a_signal_that_comes_after_the_reading_is_still_heard() {
        let stopped = an_hour_later();
        stopped.elapsed();
        stopped.continued.store(true, Relaxed);
        assert!(stopped.elapsed() < HOUR / 2);
    }
}
