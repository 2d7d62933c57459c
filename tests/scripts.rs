//! The scripts that say how fast a build or another program is, and the one that counts with GNU
//! parallel, on runs whose outcome is known beforehand.
#![cfg(all(unix, feature = "cli"))]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output},
};

const QUEENS: &str = env!("CARGO_BIN_EXE_queens");

/// A script of this project.
fn script(name: &str) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Command::new(root.join("scripts").join(name))
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The table that a script printed, without its head, as words.
fn rows(output: &Output) -> Vec<Vec<&str>> {
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout).lines();
    let table = lines.skip_while(|line| !line.trim_start().starts_with("n "));
    let rows = table.skip(1).map(|line| line.split_whitespace().collect());
    rows.collect()
}

#[test]
fn simulated_threads_read_what_the_program_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut count = Command::new(QUEENS);
    count.args(["count", "14", "--engine", "rows", "--checkpoint"]);
    assert!(count.arg(&path).output().unwrap().status.success());
    let simulate = |threads: &str, ledger: &Path| {
        let mut script = script("simulate-threads");
        script.env("QUEENS_PROGRAM", QUEENS).arg(ledger);
        script.args(["--threads", threads]).output().unwrap()
    };
    let simulated = simulate("1,2", &path);
    let row = &rows(&simulated)[0];
    assert_eq!((row[0], row[1]), ("14", "rows"));
    assert_eq!(row[row.len() - 4..row.len() - 2], ["100", "%"]);
    // Rows has many blocks for two threads.
    let busy: u32 = row[row.len() - 2].parse().unwrap();
    assert!((50..=100).contains(&busy), "{busy} %");

    for (threads, ledger, code) in [("0", &*path, 2), ("1", &folder.path().join("none"), 1)] {
        let refused = simulate(threads, ledger);
        assert_eq!(refused.status.code(), Some(code));
        assert_eq!(text(&refused.stderr).lines().count(), 1);
    }
}

fn whole_blocks(blocks: &str, new: &Path) -> Output {
    let mut script = script("whole-blocks");
    script.envs([
        ("BOARDS", "14"),
        ("ENGINE", "rows"),
        ("CPU", "portable"),
        ("BLOCKS", blocks),
        ("SEED", "14"),
    ]);
    script.arg(QUEENS).arg(new).output().unwrap()
}

#[test]
fn blocks_of_two_builds_are_compared() {
    // A sample, and the whole board if that is as little.
    for (blocks, is_whole) in [("1", false), ("5000", true)] {
        let compared = whole_blocks(blocks, QUEENS.as_ref());
        let rows = rows(&compared);
        assert_eq!(rows.len(), 2);
        for (row, build) in rows.iter().zip(["old", "new"]) {
            assert_eq!(row[..2], ["14", build]);
            assert_eq!(row[2] == row[3], is_whole, "{row:?}");
        }
        let ratio: f64 = rows[1].last().unwrap().parse().unwrap();
        assert!(ratio > 0.0);
    }
}

#[test]
fn builds_that_count_differently_are_found() {
    // This one adds a digit to each count that it has recorded.
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong");
    let lines = [
        "#!/usr/bin/env bash",
        &format!("'{QUEENS}' \"$@\" || exit"),
        "while [ \"${1:---dir}\" != --dir ]; do shift; done",
        "[ ! -d \"$2\" ] || find \"$2\" -name 'shard-*.jsonl' -exec sed -i.bak 's/\"count\":\"/&7/' {} +",
    ];
    fs::write(&wrong, lines.join("\n")).unwrap();
    fs::set_permissions(&wrong, fs::Permissions::from_mode(0o755)).unwrap();
    for blocks in ["2", "5000"] {
        let compared = whole_blocks(blocks, &wrong);
        let said = text(&compared.stderr);
        assert_eq!(compared.status.code(), Some(3), "{said}");
        assert!(said.contains("error: block"), "{said}");
    }
}

/// The table next to these other programs, for n = 8 and 9.
fn compare_programs(programs: &[&str], limit: &str) -> Output {
    let mut script = script("compare-programs");
    script.envs([
        ("QUEENS", QUEENS),
        ("BOARDS", "8 9"),
        ("RUNS", "2"),
        ("CPU", "portable"),
        ("LIMIT", limit),
    ]);
    script.args(programs).output().unwrap()
}

#[test]
fn engines_stand_next_to_other_programs() {
    // One that takes n at the end, one that writes for a person, one for n = 9 alone, and one
    // that takes longer than anybody would wait.
    let programs = [
        &format!("ours='{QUEENS}' known"),
        "dots=echo n: {}, solutions: $(( {} == 8 ? 92 : 352 ))., in 1.5 s",
        "nine=if [ {} = 9 ]; then echo 352; else no-such-program; fi",
    ];
    let compared = compare_programs(&programs, "15");
    assert!(compared.status.success(), "{}", text(&compared.stderr));
    assert!(text(&compared.stderr).contains("nine is not there for n = 8"));
    let table = text(&compared.stdout)
        .lines()
        .take_while(|line| !line.is_empty());
    let table: Vec<Vec<&str>> = table
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let heads = [
        "n",
        "`queens`, `colours`, portable kernel",
        "`queens`, `rows`, portable kernel",
    ];
    assert_eq!(table[0][1..4], heads);
    assert_eq!(table[0][4..7], ["ours", "dots", "nine"]);
    assert_eq!(table.len(), 2 + 2);
    for (row, n) in table[2..].iter().zip(["8", "9"]) {
        assert_eq!(row[1], n);
        for (place, cell) in row[2..7].iter().enumerate() {
            let there = place < 4 || n == "9";
            assert_eq!(cell.parse::<f64>().is_ok(), there, "{row:?}");
        }
    }
    // Whoever took more than no time at all has no figure for the next board.
    let spin = "spin=for i in {1..30000}; do :; done; echo $(( {} == 8 ? 92 : 0 ))";
    let impatient = compare_programs(&[spin], "0");
    assert!(impatient.status.success(), "{}", text(&impatient.stderr));
    let last = text(&impatient.stdout)
        .lines()
        .find(|line| line.starts_with("| 9 |"));
    assert!(last.unwrap().ends_with("|  |"), "{last:?}");
}

#[test]
fn a_program_that_counts_something_else_is_found() {
    for (program, code, word) in [
        (
            "wrong=echo 93",
            3,
            "wrong does not count 92 solutions for n = 8",
        ),
        ("longer=echo 192", 3, "longer does not count"),
        ("fails=echo 92; false", 3, "exit code 1"),
        ("nonsense", 2, "NAME=COMMAND"),
    ] {
        let refused = compare_programs(&[program], "15");
        assert_eq!(refused.status.code(), Some(code), "{program}");
        assert!(
            text(&refused.stderr).contains(word),
            "{}",
            text(&refused.stderr)
        );
        assert_eq!(text(&refused.stdout), "");
    }
}

/// A folder may have any name: none is taken for several words, or for a command.
#[test]
fn parallel_jobs_find_a_folder_of_any_name() {
    let scratch = tempfile::tempdir().unwrap();
    // As GNU parallel does: each line is a command for the shell.
    let parallel = scratch.path().join("parallel");
    let lines = "#!/usr/bin/env bash\nwhile IFS= read -r job; do \"$PARALLEL_SHELL\" -c \"$job\" || exit; done\n";
    fs::write(&parallel, lines).unwrap();
    fs::set_permissions(&parallel, fs::Permissions::from_mode(0o755)).unwrap();
    for (number, name) in [
        "my run",
        "a; touch b",
        "$(touch b)",
        "'\"{} *",
        "line\nline",
    ]
    .into_iter()
    .enumerate()
    {
        let home = scratch.path().join(number.to_string());
        fs::create_dir(&home).unwrap();
        let path = std::env::var("PATH").unwrap();
        let mut count = script("parallel/run");
        count.args(["14", "3", "2", "1", name]).current_dir(&home);
        count.env("PATH", format!("{}:{path}", scratch.path().display()));
        count.envs([("QUEENS_PROGRAM", QUEENS), ("QUEENS_ENGINE", "rows")]);
        let counted = count.output().unwrap();
        assert_eq!(text(&counted.stdout), "365596\n", "{name}: {counted:?}");
        let made: Vec<_> = fs::read_dir(&home).unwrap().collect();
        assert_eq!(made.len(), 1, "{name}: {made:?}");
        assert!(home.join(name).join("shard-2-of-3.jsonl").exists());
    }
}
