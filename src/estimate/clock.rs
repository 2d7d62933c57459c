//! The processor time of a thread: what its work costs, however busy the machine is.
//!
//! To ask the system for it takes a crate or `unsafe`. The program has the crate; the
//! bare library goes by the time that passes, as everybody does on other systems.

use std::time::Duration;

/// How long the current thread has run on a processor. Only differences mean anything.
#[cfg(all(feature = "cli", any(target_os = "linux", target_vendor = "apple")))]
pub(super) fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    // Time that a thread has run is never negative.
    clock_gettime(ClockId::ThreadCPUTime)
        .try_into()
        .unwrap_or_default()
}

/// How much time has passed. Only differences mean anything.
#[cfg(not(all(feature = "cli", any(target_os = "linux", target_vendor = "apple"))))]
pub(super) fn thread_time() -> Duration {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
