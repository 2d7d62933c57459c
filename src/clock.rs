//! The processor time of a thread: what its work costs, however busy the machine is.

use std::time::Duration;

/// How long the current thread has run on a processor. Only differences mean anything.
/// Where the system does not tell, they are those of a clock on the wall.
pub(crate) fn thread_time() -> Duration {
    time()
}

#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_os = "dragonfly",
    target_os = "openbsd",
    target_vendor = "apple"
))]
fn time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    // Time that a thread has run is never negative.
    clock_gettime(ClockId::ThreadCPUTime)
        .try_into()
        .unwrap_or_default()
}

#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_os = "dragonfly",
    target_os = "openbsd",
    target_vendor = "apple"
)))]
fn time() -> Duration {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
