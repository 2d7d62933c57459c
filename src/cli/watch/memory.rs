//! Before a large count: whether it will find the memory that it takes. Nobody wants to
//! learn that after a night.

use queens::plan::{Memory, Plan};

use crate::cli::{
    platform,
    report::{
        humanize::{bytes, counted},
        output::Output,
    },
};

/// What any machine has to spare.
const LITTLE: u64 = 64 << 20;

/// Warns if this plan on this many threads may take more memory than there is.
pub fn warn(plan: &Plan, threads: usize, out: &Output) {
    // More threads than blocks are never started.
    let (memory, threads) = (plan.memory(), threads.min(plan.blocks().len()).max(1));
    if memory.on(threads) <= LITTLE {
        return;
    }
    let there_is = platform::memory::Memory::detect().for_this_process();
    if let Some(words) = there_is.and_then(|there_is| warning(memory, threads, there_is)) {
        out.note(format_args!("n = {}: {words}", plan.problem().n()));
    }
}

/// What to say of a count that may take more than there is, and how many threads would do.
fn warning(memory: Memory, threads: usize, there_is: u64) -> Option<String> {
    let takes = memory.on(threads);
    if takes <= there_is {
        return None;
    }
    let enough = (1..threads).rev().find(|&few| memory.on(few) <= there_is);
    let advice = match enough {
        Some(few) => format!("use --threads {few}, or it may end early"),
        None => "it may end early".to_owned(),
    };
    Some(format!(
        "{} may take {} of memory, and {} can be had: {advice}",
        counted(threads, "thread"),
        bytes(takes),
        bytes(there_is)
    ))
}

#[cfg(test)]
mod tests {
    use queens::Count;

    use super::*;

    #[test]
    fn who_has_too_little_memory_is_told_how_many_threads_would_do() {
        let memory = Count::new(22).unwrap().plan().unwrap().memory();
        assert_eq!(warning(memory, 4, memory.on(4)), None);
        let words = warning(memory, 4, memory.on(4) - 1).unwrap();
        assert!(words.starts_with("4 threads may take "), "{words}");
        assert!(words.contains("use --threads 3"), "{words}");
        let words = warning(memory, 4, memory.on(1)).unwrap();
        assert!(words.contains("use --threads 1"), "{words}");
        let words = warning(memory, 4, memory.on(1) - 1).unwrap();
        assert!(!words.contains("--threads"), "{words}");
    }
}
