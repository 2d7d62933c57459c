//! `queens bench` and `queens plot`: what they measure is theirs, what they count is
//! checked, and no time is asserted.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::program::{Ran, object, queens, queens_in};

/// The program in a folder of its own, for the files that it writes.
fn at(folder: &TempDir, line: &str) -> Ran {
    queens_in(folder.path(), line)
}

fn json(path: &Path) -> Value {
    object(&fs::read_to_string(path).unwrap())
}

/// Writes a result with the check that belongs to it, as the page on benchmarks says.
fn write_sealed(path: &Path, report: &Value) {
    let mut report = report.clone();
    report.as_object_mut().unwrap().remove("check");
    let mut sum: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in report.to_string().bytes() {
        sum = (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    report["check"] = format!("{sum:016x}").into();
    fs::write(path, report.to_string()).unwrap();
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
    let printed = ran.json();
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
        write_sealed(&folder.path().join("b.json"), &report);
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
fn a_result_says_where_it_comes_from() {
    let folder = tempdir().unwrap();
    let bench = "bench --n 8 --threads 1 --repeats 3 -q --export-json a.json";
    at(&folder, bench).ok();
    let report = json(&folder.path().join("a.json"));
    let date = report["date"].as_str().unwrap();
    assert!(date.starts_with("20") && date.ends_with('Z'), "{date}");
    assert!(report["rustc"].as_str().unwrap().starts_with("rustc "));
    for name in ["os_release", "os_kernel", "clock_mhz", "governor"] {
        assert!(report["machine"].get(name).is_some(), "{name}: {report}");
    }
    assert!(report.get("commit").is_some());
    let point = &report["cases"][0]["points"][0];
    let number = |value: &Value, name: &str| value[name].as_f64().unwrap();
    let times = point["runs"].as_array().unwrap().iter();
    let sum: f64 = times.map(|run| number(run, "seconds")).sum();
    assert!((number(point, "mean_seconds") - sum / 3.0).abs() < 1e-9);
    assert!(number(point, "deviation_seconds") >= 0.0);
    for name in ["processor_seconds", "user_seconds", "system_seconds"] {
        assert!(point["runs"][0].get(name).is_some(), "{name}: {point}");
    }
}

#[test]
fn verify_tells_whether_a_result_is_whole() {
    let folder = tempdir().unwrap();
    let bench = "bench --n 8 --threads 1,2 --repeats 2 -q --export-json a.json";
    at(&folder, bench).ok();
    let said = at(&folder, "bench verify a.json").ok();
    assert!(said.starts_with("a.json is whole: 4 runs on 20"), "{said}");
    let path = |name: &str| folder.path().join(name);
    let text = fs::read_to_string(path("a.json")).unwrap();
    fs::write(path("b.json"), text.replacen("\"92\"", "\"93\"", 1)).unwrap();
    at(&folder, "bench verify b.json").refused(13, &["b.json", "check"]);
    at(&folder, "plot b.json -o b.svg").refused(13, &["b.json", "check"]);

    // Whoever makes the check anew has to make the rest of it right, too.
    let changed = |change: fn(&mut Value)| {
        let mut report = json(&path("a.json"));
        change(&mut report);
        write_sealed(&path("b.json"), &report);
        at(&folder, "bench verify b.json")
    };
    changed(|_| {}).ok();
    changed(|report| report["cases"][0]["count"] = "93".into()).refused(3, &["93", "92"]);
    changed(|report| report["complete"] = false.into()).refused(10, &["b.json", "4 runs"]);
    changed(|report| report["cases"][0]["points"][1]["mean_seconds"] = 0.1.into())
        .refused(13, &["b.json", "threads 2"]);
    changed(|report| report["format"] = 1.into()).refused(12, &["b.json", "format 1"]);
    changed(|report| report["format"] = 99.into()).refused(12, &["b.json", "format 99"]);
}

#[test]
fn compare_tells_how_many_times_faster() {
    let folder = tempdir().unwrap();
    let bench = "bench --n 8,9 --threads 1 --repeats 2 -q --engine";
    at(
        &folder,
        &format!("{bench} rows,colours --export-json a.json"),
    )
    .ok();
    let path = |name: &str| folder.path().join(name);
    let mut report = json(&path("a.json"));
    // The engines take 1 and 50 seconds, more or less a tenth.
    for case in report["cases"].as_array_mut().unwrap() {
        let unit = if case["engine"] == "rows" { 50.0 } else { 1.0 };
        let runs = case["points"][0]["runs"].as_array_mut().unwrap();
        for (run, seconds) in runs.iter_mut().zip([0.9, 1.1]) {
            run["seconds"] = (unit * seconds).into();
        }
    }
    write_sealed(&path("b.json"), &report);
    let said = at(&folder, "bench compare b.json").ok();
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(
        lines,
        [
            "n,threads,fastest,other,ratio,deviation",
            "8,1,colours,rows,50,10",
            "9,1,colours,rows,50,10",
        ]
    );
    let said = at(&folder, "bench compare b.json --json").ok();
    let first = object(said.lines().next().unwrap());
    assert_eq!((&first["n"], &first["other"]), (&8.into(), &"rows".into()));
    assert!((first["ratio"].as_f64().unwrap() - 50.0).abs() < 1e-9);

    // Files are compared where they have measured the same.
    let said = at(&folder, "bench compare a.json b.json").ok();
    assert_eq!(said.lines().count(), 1 + 2 * 3);
    assert!(said.contains(" of a,") && said.contains(" of b,"), "{said}");
    at(&folder, &format!("{bench} rows --export-json c.json")).ok();
    at(&folder, "bench compare c.json").refused(2, &["nothing to compare"]);
    at(&folder, "bench compare c.json none.json").refused(1, &["none.json"]);
    report["cases"][0]["count"] = "93".into();
    write_sealed(&path("b.json"), &report);
    at(&folder, "bench compare a.json b.json").refused(3, &["93", "92", "wrong"]);
}

#[test]
#[cfg(unix)]
fn on_a_terminal_a_comparison_is_a_sentence() {
    use super::program::{command, left_on_screen, written_to_columns};

    let folder = tempdir().unwrap();
    let bench = "bench --n 8 --threads 1 --repeats 2 -q --engine rows,colours";
    at(&folder, &format!("{bench} --export-json a.json")).ok();
    let mut command = command("bench compare a.json");
    command.current_dir(folder.path());
    let (code, shown) = written_to_columns(command, 120);
    let shown = left_on_screen(&shown);
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.starts_with("n = 8, 1 thread: "), "{shown}");
    assert!(
        shown.contains(" ± ") && shown.contains(" times faster than "),
        "{shown}"
    );
}

#[test]
fn numbers_in_csv_have_four_digits() {
    let csv = queens("bench --n 10,11 --threads 1,2 --repeats 3 -q").ok();
    for line in csv.lines().skip(1) {
        for number in line.split(',').skip(6) {
            let digits = number.trim_start_matches(['0', '.']).replace('.', "");
            let digits = digits.trim_end_matches('0');
            assert!(digits.len() <= 4, "{number}: {line}");
            assert!(number.is_empty() || number.parse::<f64>().is_ok(), "{line}");
        }
    }
}

#[test]
fn a_score_is_of_its_own_workload_and_only_when_it_is_complete() {
    for other in [
        "--n 8",
        "--threads 2",
        "--repeats 9",
        "--cpu portable",
        "--workload small",
    ] {
        let ran = queens(&format!("bench --score {other}"));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let flag = other.split(' ').next().unwrap();
        assert!(
            ran.stderr.contains("--score") && ran.stderr.contains(flag),
            "{ran:?}"
        );
    }
    let ran = queens("bench --score --time-limit 0.2 --json");
    assert_eq!((ran.code, &*ran.stdout), (Some(130), ""), "{ran:?}");
}

#[test]
fn more_threads_than_cores_take_turns() {
    let csv = queens("bench --n 11 --engine rows --threads 1,2,4,8 --repeats 1 -q").ok();
    let threads = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(4).unwrap());
    assert_eq!(threads.collect::<Vec<_>>(), ["1", "2", "4", "8"]);
}

#[test]
#[cfg(target_os = "linux")]
fn on_a_busy_machine_waiting_for_it_to_be_idle_comes_to_an_end() {
    use std::{
        hint::spin_loop,
        sync::atomic::{AtomicBool, Ordering::Relaxed},
        thread,
    };

    let done = AtomicBool::new(false);
    let ran = thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                spin_loop();
            }
        });
        let ran = queens("bench --n 6 --repeats 1 --wait-idle=0.1");
        done.store(true, Relaxed);
        ran
    });
    ran.refused(1, &["not idle within 0.1", "cores"]);
    queens("bench --n 6 --wait-idle=soon").refused(2, &["\"soon\"", "time"]);
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
    let rate = at(&folder, "plot a.json --kind throughput -o -").ok();
    assert!(rate.contains(">solutions per second<"), "{rate}");
    let ran = at(&folder, "plot a.json -o a.svg");
    assert_eq!((ran.code, &*ran.stderr), (Some(0), "wrote a.svg\n"));
}

#[test]
fn simulated_threads_go_on_where_measured_ones_end() {
    let folder = tempdir().unwrap();
    at(
        &folder,
        "bench --n 14 --engine rows --threads 1,2 --repeats 1 -q --export-json a.json",
    )
    .ok();
    let run = "count 14 --engine rows --threads 1 --checkpoint";
    at(&folder, &format!("{run} run.jsonl -q")).ok();
    let picture = at(&folder, "plot a.json --ledger run.jsonl -o -").ok();
    assert!(picture.contains(">rows, n = 14, measured"), "{picture}");
    assert!(
        picture.contains(">rows, n = 14, simulated: busy "),
        "{picture}"
    );
    // Two points, and one in the legend; what is simulated has no dots.
    assert_eq!(picture.matches("<circle").count(), 2 + 1);
    let alone = at(&folder, "plot --ledger run.jsonl -o -").ok();
    assert!(
        alone.contains(">Speed-up, simulated<") && !alone.contains("<circle"),
        "{alone}"
    );

    // Shards are parts of one run; what is missing is said, and nothing counts twice.
    for shard in [0, 1] {
        let task = format!("--task {shard} --tasks 2");
        at(
            &folder,
            &format!("shard run 14 --engine rows --shards 2 --dir run {task} -q"),
        )
        .ok();
    }
    let shards = ["run/shard-0-of-2.jsonl", "run/shard-1-of-2.jsonl"];
    let ran = at(
        &folder,
        &format!("plot --ledger {} {} -o a.svg", shards[0], shards[1]),
    );
    assert_eq!((ran.code, &*ran.stderr), (Some(0), "wrote a.svg\n"));
    let ran = at(&folder, &format!("plot --ledger {} -o a.svg", shards[0]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("warning: only "), "{ran:?}");
    at(&folder, "plot --ledger run.jsonl run.jsonl -o a.svg")
        .refused(2, &["run.jsonl", "block 0 a second time"]);
    at(&folder, "plot --ledger run.jsonl --kind time -o a.svg")
        .refused(2, &["--ledger", "--kind speed-up"]);
    at(&folder, "plot --ledger a.json -o a.svg").refused(13, &["a.json"]);
    at(&folder, "plot --ledger none.jsonl -o a.svg").refused(1, &["none.jsonl"]);
}

#[test]
fn threads_without_blocks_are_told_of() {
    let folder = tempdir().unwrap();
    let ran = at(
        &folder,
        "bench --n 8 --threads 1,4 --repeats 1 --export-json a.json",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stderr
            .contains("n = 8, rows engine: only 1 of 4 threads had work"),
        "{ran:?}"
    );
    let report = json(&folder.path().join("a.json"));
    let used = |point: usize| &report["cases"][0]["points"][point]["threads_used"];
    assert_eq!((used(0), used(1)), (&1.into(), &1.into()));
    at(&folder, "bench verify a.json").ok();
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
    use std::{thread::sleep, time::Duration};

    use rustix::process::Signal;

    use super::program::{command, ended, send, start};

    let folder = tempdir().unwrap();
    let path = folder.path().join("a.json");
    let line = "bench --n 10 --engine rows --threads 1 --repeats 10000 --export-json a.json";
    let mut command = command(line);
    command.current_dir(folder.path());
    let child = start(command);
    while !path.exists() {
        sleep(Duration::from_millis(5));
    }
    send(&child, Signal::INT);
    let Ran {
        code,
        stdout,
        stderr,
    } = ended(child);
    assert_eq!(code, Some(130), "{stderr}");
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
    assert_eq!(stdout.lines().count(), 2);
    at(&folder, "plot a.json -o a.svg -q").ok();
}
