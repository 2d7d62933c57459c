//! The processor time of this process. The system tells the sum to the nanosecond; on
//! Linux also its two parts, by ticks.

use super::{report::ProcessorTime, scaling::to_nanoseconds};

/// What this process has had so far.
pub fn time() -> ProcessorTime {
    let (all, system) = (total(), system());
    let user = all.zip(system).map(|(all, system)| (all - system).max(0.0));
    ProcessorTime { all, user, system }
}

/// What it had from one moment to the next.
pub fn between(before: ProcessorTime, after: ProcessorTime) -> ProcessorTime {
    let passed = |part: fn(&ProcessorTime) -> Option<f64>| {
        let (before, after) = part(&before).zip(part(&after))?;
        // Never back: ticks are coarser than the sum.
        Some(to_nanoseconds((after - before).max(0.0)))
    };
    ProcessorTime {
        all: passed(|time| time.all),
        user: passed(|time| time.user),
        system: passed(|time| time.system),
    }
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn total() -> Option<f64> {
    use rustix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn total() -> Option<f64> {
    None
}

/// What the system did for this process.
fn system() -> Option<f64> {
    stime(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// The 15th word of `/proc/self/stat`. The second is a name in brackets that may hold
/// anything.
fn stime(text: &str) -> Option<f64> {
    /// Linux promises programs so many, whatever it uses itself.
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

    #[test]
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    fn work_takes_time() {
        let before = time();
        let mut sum = 0u64;
        while between(before, time()).all == Some(0.0) {
            sum = std::hint::black_box(sum + 1);
        }
        let passed = between(before, time());
        assert!(passed.all > Some(0.0));
        assert!(passed.user <= passed.all.map(|all| all + 0.02));
        assert_eq!(between(time(), before).all, Some(0.0));
    }
}
