//! `queens count`: values, formats, threads, and everything that is refused.

use queens::known::QUEENS;
use serde_json::Value;

use super::program::{clean, command, finish, object, queens, queens_with};

#[test]
fn a_pipe_gets_the_bare_number() {
    assert_eq!(queens("count 8").ok(), "92\n");
    assert_eq!(queens("count 8 -q").ok(), "92\n");
    assert_eq!(queens("count 8 --color always").ok(), "92\n");
    assert_eq!(queens("-q count 0").ok(), "1\n");
}

#[test]
fn a_range_includes_both_ends() {
    let published = QUEENS.values().iter().take(13);
    let lines: String = published.map(|(n, q)| format!("{n}\t{q}\n")).collect();
    assert_eq!(queens("count 0..12").ok(), lines);
    assert_eq!(queens("count 8..8").ok(), "8\t92\n");
}

fn objects(line: &str) -> Vec<Value> {
    let text = queens(line).ok();
    text.lines().map(object).collect()
}

#[test]
fn json_is_one_object_per_n_with_the_count_as_a_string() {
    let found = objects("count 8..9 --json --threads 2 --engine rows --cpu portable");
    assert_eq!(found.len(), 2);
    for (object, (n, count)) in found.iter().zip([(8, "92"), (9, "352")]) {
        let mut names: Vec<_> = object.as_object().unwrap().keys().collect();
        names.sort();
        assert_eq!(
            names,
            [
                "count",
                "cpu",
                "engine",
                "known",
                "n",
                "seconds",
                "threads",
                "threads_used",
                "version"
            ]
        );
        assert_eq!(object["n"], n);
        assert_eq!(object["count"], count);
        assert_eq!(object["engine"], "rows");
        assert_eq!(object["cpu"], "portable");
        assert_eq!(object["threads"], 2);
        assert_eq!(object["known"], "match");
        assert_eq!(object["version"], env!("CARGO_PKG_VERSION"));
        assert!(object["seconds"].as_f64().unwrap() >= 0.0);
    }
}

fn threads(variables: &[(&str, &str)], flags: &str) -> u64 {
    let object = queens_with(variables, &format!("count 6 --json {flags}")).json();
    object["threads"].as_u64().unwrap()
}

#[test]
fn the_flag_beats_our_variable_beats_slurm_beats_what_is_allowed() {
    let ours = ("QUEENS_THREADS", "4");
    let slurm = ("SLURM_CPUS_PER_TASK", "3");
    assert_eq!(threads(&[ours, slurm], "--threads 5"), 5);
    assert_eq!(threads(&[ours, slurm], ""), 4);
    assert_eq!(threads(&[slurm], ""), 3);
    assert_eq!(threads(&[("QUEENS_THREADS", ""), slurm], ""), 3);
    let allowed = threads(&[], "");
    assert_eq!(threads(&[], "--threads logical"), allowed);
    assert_eq!(threads(&[("QUEENS_THREADS", "logical")], ""), allowed);
    assert!((1..=allowed).contains(&threads(&[], "--threads physical")));
}

#[test]
fn a_variable_that_makes_no_sense_is_named() {
    for name in ["QUEENS_THREADS", "SLURM_CPUS_PER_TASK"] {
        for value in ["0", "-2", "many", "2(x3)"] {
            queens_with(&[(name, value)], "count 8").refused(2, &[name, value, "1 to"]);
        }
        // Nobody asks it where the flag has decided.
        assert_eq!(
            queens_with(&[(name, "many")], "count 8 --threads 1").ok(),
            "92\n"
        );
    }
}

#[test]
fn a_board_size_out_of_range_is_named_with_the_range() {
    let sizes = [
        "33",
        "-1",
        "-1..5",
        "100",
        "4294967304",
        "99999999999999999999",
        "eight",
        "8.5",
        "8-9",
        "8..33",
        "x..9",
        "8..",
        "..8",
        "..",
        "8...9",
        "8..==9",
    ];
    for size in sizes {
        let bad = format!("\"{size}\"");
        queens(&format!("count {size}")).refused(2, &[&bad, "0 to 32"]);
    }
    queens("count 16..8").refused(2, &["16..8", "8..16", "0 to 32"]);
}

#[test]
fn threads_out_of_range_are_named_with_the_range() {
    for threads in ["0", "-1", "4097", "99999999999999999999", "two", "1.5"] {
        queens(&format!("count 8 --threads {threads}")).refused(2, &[threads, "1 to 4096"]);
    }
}

#[test]
fn unknown_choices_are_named_with_the_known_ones() {
    queens("count 8 --engine fast").refused(2, &["fast", "--engine", "auto", "rows"]);
    queens("count 8 --cpu sse").refused(2, &["sse", "--cpu", "auto", "portable", "avx2"]);
    queens("count 8 --color mauve").refused(2, &["mauve", "--color", "never"]);
}

#[test]
fn every_kernel_counts_or_says_that_this_processor_lacks_it() {
    for &cpu in queens::Cpu::ALL {
        let ran = queens(&format!("count 8 --cpu {cpu}"));
        match cpu.is_available() {
            true => assert_eq!(ran.ok(), "92\n"),
            false => ran.refused(2, &[cpu.name(), "portable"]),
        }
    }
}

#[test]
fn verbose_tells_the_plan_on_standard_error() {
    let ran = queens("count 8 -v");
    assert_eq!((ran.code, &*ran.stdout), (Some(0), "92\n"));
    assert!(ran.stderr.contains("blocks"), "{ran:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_closed_standard_output_loses_no_result_silently() {
    let shell = |line: &str| {
        let mut command = clean("sh");
        let program = env!("CARGO_BIN_EXE_queens");
        command.args(["-c", &line.replace("queens", &format!("'{program}'"))]);
        finish(command)
    };
    for line in [
        "queens count 8",
        "queens list 4",
        "queens --help",
        "queens man",
    ] {
        shell(&format!("{line} >&-")).refused(1, &["standard output", "closed"]);
    }
    shell("queens count 8 > /dev/null").ok();
    shell("queens count 8 2>&- <&-").ok();
    assert_eq!(shell("queens check <&-").code, Some(2));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    for line in [
        "count 8..10",
        "count 8 --json",
        "known",
        "info",
        "--help",
        "man",
        "completions zsh",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = command(line);
        command.stdout(writer);
        assert_eq!(finish(command).ok(), "", "{line}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    let mut command = command("count 8");
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    command.stdout(full);
    finish(command).refused(1, &["cannot write to standard output"]);
}

#[cfg(unix)]
mod on_a_terminal {
    use super::super::program::on_terminal;
    use super::*;

    fn ended(variables: &[(&str, &str)], line: &str) -> (Option<i32>, String) {
        let mut command = command(line);
        command.envs(variables.iter().copied());
        on_terminal(command)
    }

    fn shown(variables: &[(&str, &str)], line: &str) -> String {
        let (code, text) = ended(variables, line);
        assert_eq!(code, Some(0), "{text}");
        text
    }

    #[test]
    fn a_count_tells_how_it_was_made_and_that_it_agrees() {
        let text = shown(&[("NO_COLOR", "1")], "count 11 --threads 2 --engine rows");
        for words in [
            "2,680 solutions",
            "rows engine",
            "2 threads",
            "agrees with OEIS A000170",
        ] {
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn quiet_is_bare_there_too() {
        assert_eq!(shown(&[], "count 8 -q"), "92\n");
        assert_eq!(shown(&[], "count 4..5 -q"), "4\t2\n5\t10\n");
    }

    #[test]
    fn colours_are_there_unless_unwanted() {
        let colored = |variables: &[_], line| shown(variables, line).contains('\x1b');
        assert!(colored(&[], "count 8"));
        assert!(colored(&[("NO_COLOR", "")], "count 8"));
        assert!(!colored(&[("NO_COLOR", "1")], "count 8"));
        assert!(colored(&[("NO_COLOR", "1")], "count 8 --color always"));
        assert!(!colored(&[], "count 8 --color never"));
        assert!(!colored(&[], "--color never --help"));
        assert!(!colored(&[], "count 8 --json"));
    }

    #[test]
    fn a_range_is_a_table() {
        let text = shown(&[], "count 6..10 --color never");
        assert_eq!(text.lines().count(), 6, "{text}");
        assert!(text.starts_with(" n "), "{text}");
        assert!(
            text.lines().skip(1).all(|line| line.ends_with("agrees")),
            "{text}"
        );
    }

    #[test]
    fn what_is_refused_for_some_n_has_no_head_and_no_line() {
        let mut lines = vec![
            ("", "count 4..9 --with h8"),
            ("", "count 0..9 --without a1"),
            ("abc", "count 8..9"),
        ];
        let missing = queens::Cpu::ALL
            .iter()
            .copied()
            .find(|cpu| !cpu.is_available());
        let line = missing.map(|cpu| format!("count 8..9 --cpu {cpu}"));
        lines.extend(line.iter().map(|line| ("", &**line)));
        for (threads, line) in lines {
            let variables = [("QUEENS_THREADS", threads), ("NO_COLOR", "1")];
            let (code, text) = ended(&variables, line);
            assert_eq!(code, Some(2), "{line}: {text}");
            assert_eq!(text.lines().count(), 1, "{line}: {text}");
            assert!(text.starts_with("error: "), "{line}: {text}");
        }
    }

    #[test]
    fn queens_that_attack_each_other_are_noted_once_for_a_range() {
        let text = shown(&[], "count 8..10 --with a1,a2 -q");
        assert_eq!(text, "8\t0\n9\t0\n10\t0\n");
        let text = shown(&[], "count 8..10 --with a1,a2 --color never");
        assert_eq!(text.matches("attack each other").count(), 1, "{text}");
    }

    #[test]
    fn a_board_of_a_range_without_a_square_left_is_named() {
        let text = shown(&[], "count 3..5 --with b2 --color never");
        assert_eq!(text.matches("there is no solution for n = 3").count(), 1);
        assert_eq!(text.matches("there is no solution").count(), 1, "{text}");
    }
}

#[test]
fn threads_for_which_there_is_no_block_are_told_apart() {
    let objects = objects("count 8 --json --threads 8");
    assert_eq!(objects[0]["threads"], 8);
    assert_eq!(objects[0]["threads_used"], 1);
}

#[cfg(target_os = "linux")]
#[test]
fn threads_can_be_bound_to_cores_by_every_command_that_counts() {
    for command in [
        "count 12",
        "count 13..14 --threads 3",
        "count 8 --double-check",
    ] {
        let (bound, free) = (
            queens(&format!("{command} -q --pin")),
            queens(&format!("{command} -q")),
        );
        assert_eq!(bound.ok(), free.ok(), "{command}");
    }
    let estimate = "estimate 13 --samples 50 --seed 1 -q";
    assert_eq!(
        queens(&format!("{estimate} --pin")).ok(),
        queens(estimate).ok()
    );
}
