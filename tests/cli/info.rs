//! `queens info`: it must run anywhere and agree with what `count` does.

use queens::Cpu;
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
    let object = |line| queens_with(&slurm, line).json();
    let (info, count) = (
        object("info --json"),
        object("count 8 --engine colours --json"),
    );
    assert_eq!(info["kernel"], count["cpu"]);
    assert_eq!(info["threads"], count["threads"]);
    assert_eq!(info["threads_from"], "SLURM_CPUS_PER_TASK");
    assert_eq!(info["version"], count["version"]);
}

#[test]
fn it_shows_what_the_kernels_need_and_what_this_processor_lacks() {
    let info = queens("info --json").json();
    let features = info["cpu_features"].as_array().unwrap();
    let text = queens("info").ok();
    for &cpu in Cpu::ALL {
        for (name, found) in cpu.features() {
            assert!(text.contains(name), "{name}: {text}");
            assert_eq!(features.contains(&name.into()), found, "{name}");
        }
        let lacking = info["lacking"].get(cpu.name());
        assert_eq!(lacking.is_none(), cpu.is_available(), "{cpu}");
    }
}

#[test]
fn a_variable_that_makes_no_sense_is_shown_and_no_reason_to_stop() {
    for name in ["QUEENS_THREADS", "SLURM_CPUS_PER_TASK"] {
        let variable = [(name, "2(x3)\n")];
        let text = queens_with(&variable, "info").ok();
        let line = text.lines().find(|line| line.starts_with("threads"));
        let line = line.unwrap();
        assert!(
            line.contains(name) && line.contains(r#""2(x3)\n""#),
            "{line}"
        );
        assert_eq!(text.lines().count(), 8, "{text}");
        let info = queens_with(&variable, "info --json").json();
        assert_eq!(info["threads"], Value::Null);
        assert!(info["threads_problem"].as_str().unwrap().contains(name));
    }
}
