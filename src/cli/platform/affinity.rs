//! The cores that a thread may run on. Linux tells them and obeys; elsewhere there are none
//! to choose from.

/// What the affinity mask allows; nothing where threads cannot be bound.
#[cfg(target_os = "linux")]
pub fn allowed() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};

    let allowed = sched_getaffinity(None).unwrap_or_default();
    let all = 0..CpuSet::MAX_CPU;
    all.filter(|&core| allowed.is_set(core)).collect()
}

/// Binds the calling thread to this core.
#[cfg(target_os = "linux")]
pub fn bind(core: usize) {
    use rustix::thread::{CpuSet, sched_setaffinity};

    let mut only = CpuSet::new();
    only.set(core);
    // A core that was taken away meanwhile: the thread then runs where it may.
    let _ = sched_setaffinity(None, &only);
}

#[cfg(not(target_os = "linux"))]
pub fn allowed() -> Vec<usize> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub fn bind(_core: usize) {}
