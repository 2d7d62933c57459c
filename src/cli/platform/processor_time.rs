//! The processor time of this process, in seconds. Linux and macOS tell the sum to the
//! nanosecond; Linux also what part of it the system had, by ticks.

use super::told;

/// What this process has had so far.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub fn all() -> Option<f64> {
    use rustix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub fn all() -> Option<f64> {
    None
}

/// What the system did for this process.
pub fn system() -> Option<f64> {
    stime(&told("/proc/self/stat")?)
}

/// The 15th word of `/proc/self/stat`. The second is a name in brackets that may hold
/// anything.
fn stime(text: &str) -> Option<f64> {
    /// What Linux promises to programs, whatever it uses itself.
    const TICKS_PER_SECOND: f64 = 100.0;

    let (_, words) = text.rsplit_once(')')?;
    let ticks: f64 = words.split_whitespace().nth(12)?.parse().ok()?;
    Some(ticks / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_proc_is_read_whatever_the_name() {
        let line = "7 (a) b (c)) R 1 1 1 0 -1 4194304 90 0 0 0 250 42 0 0 20 0 1 0 100";
        assert_eq!(stime(line), Some(0.42));
        assert_eq!(stime("7 (a) R 1"), None);
    }
}
