//! A command line that makes no sense: one sentence that names the bad word and what
//! would have been right, exit code 2, and nothing else.

use super::program::{queens, queens_of, queens_with};

#[test]
fn unknown_words_are_named_with_what_may_have_been_meant() {
    for (line, words) in [
        ("cuont 8", ["\"cuont\"", "\"count\""]),
        ("frobnicate", ["\"frobnicate\"", "one of count, list,"]),
        (
            "shard frobnicate",
            ["\"frobnicate\"", "one of run, status,"],
        ),
        ("help frobnicate", ["\"frobnicate\"", "one of count, list,"]),
        ("count 8 --treads 2", ["\"--treads\"", "\"--threads\""]),
        ("count 8 --foo", ["\"--foo\"", "\"queens count --help\""]),
        (
            "shard run --foo",
            ["\"--foo\"", "\"queens shard run --help\""],
        ),
        ("--json count 8", ["\"--json\"", "\"count --json\""]),
        ("count -x 8", ["\"-x\"", "queens count"]),
        ("count 8 9", ["\"9\"", "queens count"]),
        ("8", ["\"8\"", "did you mean \"queens count 8\"?"]),
        ("8..16 --json", ["\"8..16\"", "\"queens count 8..16\"?"]),
        ("8-16", ["\"8-16\"", "\"queens count 8..16\"?"]),
        ("8..", ["\"8..\"", "\"queens count 8..16\"?"]),
        ("8,9", ["\"8,9\"", "\"queens count 8,9\"?"]),
        ("count 8-16", ["\"8-16\"", "write 8..16"]),
        ("count 8..", ["\"8..\"", "write 8..16"]),
        ("count -n 8", ["-n", "\"queens count 8\""]),
        ("draw 8 -o x.png", ["x.png", "x.svg"]),
        ("bench --n 8 --plot x.pdf", ["x.pdf", "x.svg"]),
        ("count 8 --json=yes", ["--json", "\"yes\""]),
    ] {
        queens(line).refused(2, &words);
    }
}

#[test]
fn what_other_programs_call_it_is_understood() {
    for flag in ["-t 2", "-t2", "-j 2", "--threads 2"] {
        assert_eq!(queens(&format!("count 8 {flag}")).ok(), "92\n");
        assert_eq!(queens(&format!("list 4 --limit 0 {flag}")).ok(), "");
    }
    assert_eq!(
        queens("count 8,4..5,10").ok(),
        "8\t92\n4\t2\n5\t10\n10\t724\n"
    );
    let bench = queens("bench -n 6,8 -t 1 --repeats 1 -q").ok();
    assert_eq!(bench.lines().count(), 3, "{bench}");
    let with = |squares: &str| queens_of(&["count", "8", "--with", squares]).ok();
    assert_eq!(with("A8,e7"), with("a8 e7"));
    assert_eq!(with("a8, e7"), with("a8 E7"));
}

#[test]
fn a_kernel_that_the_engine_does_not_have_is_pointed_out() {
    let others = queens::Cpu::ALL.iter().filter(|cpu| cpu.is_available());
    for cpu in others.filter(|&&cpu| cpu != queens::Cpu::Portable) {
        let ran = queens(&format!("count 8 --engine rows --cpu {cpu}"));
        assert_eq!((ran.code, &*ran.stdout), (Some(0), "92\n"));
        let said = format!("has no {cpu} kernel and runs its portable one");
        assert!(ran.stderr.contains(&said), "{ran:?}");
        queens(&format!("count 8 --engine colours --cpu {cpu}")).ok();
    }
    queens("count 8 --engine rows --cpu portable").ok();
}

#[test]
fn what_is_missing_is_named() {
    for (line, words) in [
        ("count", ["queens count", "<N|FIRST..LAST>"]),
        ("draw 8", ["queens draw", "--output <FILE.svg>"]),
        ("shard run 8", ["--shards <K>", "--dir <DIR>"]),
        ("solve 8 --seed 1", ["queens solve", "--random"]),
        ("-q", ["queens", "one of count, list,"]),
        ("ledger -v", ["queens ledger", "one of show, merge,"]),
        ("count 8 --threads", ["--threads", "needs a value"]),
        ("count 8 --engine", ["--engine", "auto, rows, colours"]),
    ] {
        queens(line).refused(2, &words);
    }
}

#[test]
fn what_does_not_go_together_is_named() {
    for (line, words) in [
        ("count 8 -q -v", ["--quiet", "--verbose"]),
        (
            "count 8 --with a1 --fundamental",
            ["--with", "--fundamental"],
        ),
        ("list 8 --limit 3 --all", ["--limit", "--all"]),
        ("bench --n 8 --workload small", ["--workload", "--n"]),
        ("count 8 --json --json", ["--json", "more than once"]),
        (
            "count 8 --threads 1 --threads 2",
            ["--threads", "more than once"],
        ),
    ] {
        queens(line).refused(2, &words);
    }
}

#[test]
fn a_number_that_is_none_is_named_with_its_range() {
    for (line, words) in [
        ("list 8 --limit -1", ["\"-1\"", "0 to 18446744073709551615"]),
        ("list 8 --skip x", ["\"x\"", "0 to 18446744073709551615"]),
        ("solve 8 --random --seed -1", ["\"-1\"", "0 to"]),
        ("draw 8 --index 1.5 -o -", ["\"1.5\"", "0 to"]),
        ("estimate 8 --seed x", ["\"x\"", "0 to"]),
        ("estimate 8 --seconds -1", ["\"-1\"", "above 0"]),
        ("bench --warmup -1", ["\"-1\"", "0 to 10000"]),
        ("bench --n -1..5", ["\"-1..5\"", "0 to 32"]),
        ("known -1..5", ["\"-1..5\"", "0 to 32"]),
        ("list -1..5", ["\"-1..5\"", "0 to 32"]),
        ("count 8 --time-limit -1h", ["\"-1h\"", "above 0"]),
        (
            "shard run 8 --shards 2 --dir x --task x",
            ["\"x\"", "--tasks"],
        ),
        ("shard run -1 --shards 2 --dir x", ["\"-1\"", "0 to 32"]),
    ] {
        queens(line).refused(2, &words);
    }
}

#[test]
fn an_empty_word_is_no_missing_one() {
    for (words, said) in [
        (&["count", ""][..], ["\"\"", "0 to 32"]),
        (&[""], ["\"\"", "one of count, list,"]),
        (&["count", "8", "--engine", ""], ["--engine", "empty"]),
        (&["count", "8", "--cpu="], ["--cpu", "portable"]),
        (&["completions", ""], ["SHELL", "bash"]),
        (
            &["count", "8", "--checkpoint", ""],
            ["--checkpoint", "empty"],
        ),
        (&["count", "8", "--with", ""], ["\"\"", "a1 to h8"]),
    ] {
        queens_of(words).refused(2, &said);
    }
}

#[test]
fn a_word_that_would_break_the_line_is_escaped() {
    for (words, said) in [
        (&["count", "8\n"][..], r#""8\n""#),
        (&["count", "\x1b[2J"], r#""\u{1b}[2J""#),
        (&["count", "8", "--engine", "ro\nws"], r#""ro\nws""#),
        (&["count", "8", "--fo\no"], r#""--fo\no""#),
        (&["count", "8", "--with", "a\r1"], r#""a\r1""#),
        (&["co\nunt"], r#""co\nunt""#),
        (&["check", "a\n\x1bb"], r"\n\u{1b}"),
    ] {
        queens_of(words).refused(2, &[said]);
    }
    let variable = [("QUEENS_THREADS", "2\n3")];
    queens_with(&variable, "count 8").refused(2, &[r#""2\n3""#]);
}

#[test]
#[cfg(unix)]
fn a_word_that_is_no_text_is_named_as_well_as_it_can_be() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let word = OsStr::from_bytes(b"8\xff");
    for before in [&["count"][..], &["count", "8", "--threads"], &[]] {
        let before = before.iter().map(OsStr::new);
        let words: Vec<_> = before.chain([word]).collect();
        queens_of(&words).refused(2, &["\"8\u{fffd}\""]);
    }
}

#[test]
fn no_command_at_all_gets_the_help() {
    for line in ["", "shard", "ledger"] {
        let ran = queens(line);
        assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{ran:?}");
        let help = queens(&format!("{line} -h")).ok();
        assert_eq!(ran.stderr, help);
    }
}
