//! Binds threads to cores, so that none is moved while it is measured.

/// The cores that this process may use, in order; none where the system cannot say or
/// cannot bind.
#[cfg(target_os = "linux")]
pub fn cores() -> Vec<usize> {
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
pub fn cores() -> Vec<usize> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub fn bind(_core: usize) {}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn a_bound_thread_has_one_core_and_the_others_keep_theirs() {
        let all = cores();
        assert!(!all.is_empty());
        for &core in &all {
            let bound = std::thread::spawn(move || {
                bind(core);
                cores()
            });
            assert_eq!(bound.join().unwrap(), [core]);
        }
        assert_eq!(cores(), all);
    }
}
