//! The processor time of this process, and of a part of its run.

use super::{report::ProcessorTime, scaling::to_nanoseconds};
use crate::cli::platform::processor_time;

/// What this process has had so far.
pub fn time() -> ProcessorTime {
    let (all, system) = (processor_time::all(), processor_time::system());
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

#[cfg(test)]
mod tests {
    use super::*;

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
