//! `queens bench` and `queens plot`: what they measure is theirs, what they count is
//! checked, and no time is asserted.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::program::{Ran, clean, finish, queens};

/// The program in a folder of its own, for the files that it writes.
fn at(folder: &TempDir, line: &str) -> Ran {
    let mut command = clean(env!("CARGO_BIN_EXE_queens"));
    command.args(line.split_whitespace());
    finish({
        command.current_dir(folder.path());
        command
    })
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn runs(report: &Value) -> usize {
    let cases = report["cases"].as_array().unwrap().iter();
    let points = cases.flat_map(|case| case["points"].as_array().unwrap());
    points
        .map(|point| point["runs"].as_array().unwrap().len())
        .sum()
}

#[test]
fn every_engine_and_number_of_threads_is_measured_and_exported() {
    let folder = tempdir().unwrap();
    let ran = at(
        &folder,
        "bench --n 9 --engine rows,colours --threads 1,2,1 --repeats 3 --pin --json -q \
         --export-json a.json --export-csv a.csv --export-markdown a.md --plot a.svg",
    );
    let printed: Value = serde_json::from_str(&ran.ok()).unwrap();
    let report = json(&folder.path().join("a.json"));
    assert_eq!(printed, report);
    assert_eq!(runs(&report), 2 * 2 * 3);
    assert_eq!(report["complete"], true);
    assert_eq!(report["settings"]["pinned"], true);
    for case in report["cases"].as_array().unwrap() {
        assert_eq!((&case["n"], &case["count"]), (&9.into(), &"352".into()));
    }
    assert!(report["machine"]["logical_cores"].as_u64() >= Some(1));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("a.csv").lines().count(), 1 + 4);
    assert!(read("a.md").contains("| threads | best |"));
    assert!(read("a.svg").starts_with("<svg "));
}

#[test]
fn without_a_board_the_program_picks_one_that_fits_the_budget() {
    let picked = queens("bench --seconds 0.05 --repeats 1 -q").ok();
    let n: u32 = picked.lines().nth(1).unwrap()[..2]
        .trim_end_matches(',')
        .parse()
        .unwrap();
    assert!((1..=32).contains(&n), "{picked}");
}

#[test]
fn a_baseline_is_met_or_missed() {
    let folder = tempdir().unwrap();
    let bench = "bench --n 8 --threads 1 --repeats 2 -q";
    at(&folder, &format!("{bench} --export-json a.json")).ok();
    // A time that no machine misses, and one that none meets.
    for (seconds, code) in [(1e6, 0), (1e-9, 4)] {
        let mut report = json(&folder.path().join("a.json"));
        for run in report["cases"][0]["points"][0]["runs"]
            .as_array_mut()
            .unwrap()
        {
            run["seconds"] = seconds.into();
        }
        fs::write(folder.path().join("b.json"), report.to_string()).unwrap();
        let ran = at(&folder, &format!("{bench} --baseline b.json"));
        // Noise can explain much, but not this.
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert_eq!(ran.stderr.contains("slower than b.json"), code == 4);
    }
    at(&folder, "bench --n 9 --threads 1 --baseline a.json").refused(2, &["a.json", "--workload"]);
    fs::write(folder.path().join("c.json"), "{").unwrap();
    at(&folder, "bench --n 9 --baseline c.json").refused(13, &["c.json"]);
    fs::write(folder.path().join("c.json"), "{}").unwrap();
    at(&folder, "plot c.json -o c.svg").refused(12, &["c.json"]);
    at(&folder, "plot none.json -o c.svg").refused(1, &["none.json"]);
}

#[test]
fn several_results_make_one_picture() {
    let folder = tempdir().unwrap();
    for name in ["a", "b"] {
        let bench =
            format!("bench --n 6..8 --threads 1,2 --repeats 1 -q --export-json {name}.json");
        at(&folder, &bench).ok();
    }
    let time = at(&folder, "plot a.json b.json -o -").ok();
    assert!(time.contains("board side n"), "{time}");
    // Twice one and two threads, for three boards; one more dot each in the legend.
    assert_eq!(time.matches("<circle").count(), 4 * 3 + 4);
    let speed = at(&folder, "plot a.json --kind speed-up -o -").ok();
    assert!(speed.contains(">ideal<"), "{speed}");
    let ran = at(&folder, "plot a.json -o a.svg");
    assert_eq!((ran.code, &*ran.stderr), (Some(0), "wrote a.svg\n"));
}

#[test]
fn bad_arguments_are_named() {
    for (line, words) in [
        ("bench --n 33", ["\"33\"", "0 to 32"]),
        ("bench --threads 0", ["\"0\"", "1 to 4096"]),
        ("bench --repeats 0", ["\"0\"", "1 to 10000"]),
        ("bench --seconds -1", ["\"-1\"", "seconds"]),
        (
            "bench --n 8 --baseline a --tolerance x",
            ["\"x\"", "per cent"],
        ),
        ("bench --engine fast", ["\"fast\"", "rows"]),
        ("bench --workload huge", ["\"huge\"", "small"]),
        ("bench --n 8 --plot", ["error", "--plot"]),
    ] {
        let ran = queens(line);
        assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{ran:?}");
        for word in words {
            assert!(ran.stderr.contains(word), "{word}: {ran:?}");
        }
    }
    assert_eq!(queens("bench --workload small --n 8").code, Some(2));
    queens("bench --n 8 --export-json missing/a.json").refused(1, &["missing/a.json"]);
}

#[test]
fn an_export_touches_no_file_but_its_own() {
    let folder = tempdir().unwrap();
    let mine = folder.path().join("out.json.part");
    fs::write(&mine, "a novel").unwrap();
    let bench = "bench --n 6 --threads 1 --repeats 1 -q --export-json out.json";
    at(&folder, bench).ok();
    assert_eq!(runs(&json(&folder.path().join("out.json"))), 1);
    assert_eq!(fs::read_to_string(mine).unwrap(), "a novel");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_time_limit_keeps_what_is_measured() {
    let ran = queens("bench --n 10 --engine rows --threads 1 --repeats 10000 --time-limit 0.3");
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(
        ran.stderr.contains("the time limit of 0.3 after"),
        "{ran:?}"
    );
    assert_eq!(ran.stdout.lines().count(), 2);
}

#[test]
fn more_threads_than_the_process_may_use_are_pointed_out() {
    let ran = queens("bench --n 6 --threads 4096 --repeats 1 --warmup 0");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("warning: 4096 threads"), "{ran:?}");
}

#[test]
#[cfg(unix)]
fn interrupted_half_way_it_keeps_what_it_has() {
    use std::{process::Stdio, thread::sleep, time::Duration};

    use rustix::process::{Pid, Signal, kill_process};

    let folder = tempdir().unwrap();
    let path = folder.path().join("a.json");
    let mut command = clean(env!("CARGO_BIN_EXE_queens"));
    command.args("bench --n 10 --engine rows --threads 1 --repeats 10000".split(' '));
    command.args(["--export-json", "a.json"]);
    command.current_dir(folder.path());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while !path.exists() {
        sleep(Duration::from_millis(5));
    }
    let pid = Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    let report = json(&path);
    let runs = runs(&report);
    assert!((1..10_000).contains(&runs));
    assert_eq!(report["complete"], false);
    assert!(
        stderr.contains(&format!("interrupted after {runs} measured run")),
        "{stderr}"
    );
    assert!(stderr.contains("saved in a.json"), "{stderr}");
    // What was measured is printed, too, and can be drawn.
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    at(&folder, "plot a.json -o a.svg -q").ok();
}
