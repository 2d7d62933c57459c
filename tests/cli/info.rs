//! `queens info`: it must run anywhere and agree with what `count` does.

use serde_json::Value;

use super::program::{queens, queens_with};

#[test]
fn it_tells_what_the_issue_of_a_bug_report_needs() {
    let text = queens("info").ok();
    let names: Vec<_> = text
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(
        names,
        [
            "version",
            "engines",
            "processor",
            "features",
            "kernel",
            "cores",
            "threads",
            "memory"
        ]
    );
}

#[test]
fn it_names_the_kernel_and_the_threads_that_count_would_use() {
    let slurm = [("SLURM_CPUS_PER_TASK", "3")];
    let object = |line| -> Value { serde_json::from_str(&queens_with(&slurm, line).ok()).unwrap() };
    let (info, count) = (
        object("info --json"),
        object("count 8 --engine colours --json"),
    );
    assert_eq!(info["kernel"], count["cpu"]);
    assert_eq!(info["threads"], count["threads"]);
    assert_eq!(info["threads_from"], "SLURM_CPUS_PER_TASK");
    assert_eq!(info["version"], count["version"]);
}
