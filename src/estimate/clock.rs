//! The processor time of a thread: what its work costs, however busy the machine is.

use std::time::Duration;

/// How long the current thread has run on a processor. Only differences mean anything.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub(crate) fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    // Time that a thread has run is never negative.
    clock_gettime(ClockId::ThreadCPUTime)
        .try_into()
        .unwrap_or_default()
}

/// Where the system is not known to tell, the time of a clock on the wall.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub(crate) fn thread_time() -> Duration {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
