//! `queens shard`: a count in a folder, from the first task to the total, with
//! everything that goes wrong on the way.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread::sleep,
    time::Duration,
};

use queens::{Observer, Route, known::QUEENS, plan::Shard};
use serde_json::Value;
use tempfile::TempDir;

use super::program::{COUNTED, N, Ran, clean, command, finish, queens, queens_in, recorder};

/// Its plan is divided into this many shards.
const SHARDS: u32 = 5;

struct Rack(TempDir);

impl Rack {
    /// With a result of every shard, made from known counts.
    fn full() -> Rack {
        let rack = Rack::new();
        for index in 0..SHARDS {
            rack.write(index, 0);
        }
        rack
    }

    fn new() -> Rack {
        Rack(tempfile::tempdir().unwrap())
    }

    fn path(&self, index: u32) -> PathBuf {
        self.0
            .path()
            .join(format!("shard-{index}-of-{SHARDS}.jsonl"))
    }

    /// A valid result, its first count this much too large.
    fn write(&self, index: u32, more: u128) {
        self.write_to(&self.path(index), index, more);
    }

    fn write_to(&self, path: &Path, index: u32, more: u128) {
        let (plan, counted) = &*COUNTED;
        let shard = Shard::new(index, SHARDS).unwrap();
        let recorder = recorder(path, shard, Route::Direct);
        let blocks: Vec<usize> = shard.blocks(plan.blocks().len()).collect();
        for &index in &blocks {
            let mut block = counted[index].clone();
            block.count += if index == blocks[0] { more } else { 0 };
            recorder.finished(&block).unwrap();
        }
        recorder.ended().unwrap();
    }

    fn command(&self, line: &str) -> Command {
        let (verb, options) = line.split_once(' ').unwrap_or((line, ""));
        let which = format!("{N} --engine rows --shards {SHARDS} --dir .");
        let mut command = command(&format!("shard {verb} {which} {options}"));
        command.current_dir(self.0.path());
        command
    }

    fn shard(&self, line: &str) -> Ran {
        finish(self.command(line))
    }

    fn task(&self, variable: &str, line: &str) -> Ran {
        let mut command = self.command(&format!("run --threads 1 {line}"));
        command.env("SLURM_ARRAY_TASK_ID", variable);
        finish(command)
    }

    fn status(&self, line: &str) -> Value {
        self.shard(&format!("status --json {line}")).json()
    }

    /// Changes a digit of the result's second line.
    fn damage(&self, index: u32) {
        let text = fs::read_to_string(self.path(index)).unwrap();
        fs::write(
            self.path(index),
            text.replacen("\"tasks\":", "\"tasks\":1", 1),
        )
        .unwrap();
    }
}

fn total() -> String {
    QUEENS.value(N).unwrap().to_string()
}

#[test]
fn tasks_publish_their_shards_and_merge_adds_them_up() {
    let rack = Rack::new();
    let ran = rack.task("1", "--tasks 2");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!rack.path(0).exists() && rack.path(1).exists() && rack.path(3).exists());
    rack.shard("merge --tasks 2")
        .refused(10, &["0,2,4", "--array=0"]);
    let status = rack.status("--tasks 2");
    assert_eq!(
        (&status["done"], &status["missing"]),
        (&2.into(), &"0,2,4".into())
    );
    assert_eq!(status["array"], "0");

    let before = fs::read(rack.path(1)).unwrap();
    let ran = rack.shard("run --threads 2 --quiet");
    assert_eq!(ran.ok(), "");
    assert_eq!(
        fs::read(rack.path(1)).unwrap(),
        before,
        "valid results are left alone"
    );
    assert_eq!(rack.shard("merge").ok().trim_end(), total());
    let status = rack.status("--tasks 2");
    assert_eq!(
        (&status["total"], &status["array"]),
        (&total().into(), &"".into())
    );

    let merged = rack.shard("merge --json --fundamental").json();
    let classes = queens::Classes::new(N, QUEENS.value(N).unwrap()).unwrap();
    assert_eq!(merged["fundamental"], classes.fundamental().to_string());
    assert_eq!(
        (&merged["known"], &merged["count"]),
        (&"match".into(), &total().into())
    );
}

#[test]
fn threads_without_blocks_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let run = |options: &str| {
        let line = format!("shard run 8 --shards 1 --dir {options}");
        queens_in(folder.path(), &line)
    };
    let said = run("four --threads 4").stderr;
    assert!(said.ends_with("; 1 of 4 threads had work\n"), "{said}");
    let said = run("one --threads 1").stderr;
    assert!(said.ends_with(" of them before\n"), "{said}");
}

#[test]
fn a_task_knows_its_number_or_refuses() {
    let rack = Rack::full();
    assert_eq!(rack.task("1", "--task 1 --tasks 3 -q").code, Some(0));
    rack.task("1", "--task 2 --tasks 3")
        .refused(2, &["--task 2", "SLURM_ARRAY_TASK_ID", "1"]);
    rack.task("3", "--tasks 3")
        .refused(2, &["no array task 3 of 3", "0 to 2"]);
    rack.task("1", "").refused(2, &["no array task 1 of 1"]);
    rack.task("x", "--tasks 3")
        .refused(2, &["\"x\"", "SLURM_ARRAY_TASK_ID"]);
    rack.shard("run --tasks 3")
        .refused(2, &["--task", "0 to 2"]);
    rack.shard("run --tasks 6")
        .refused(2, &["6 tasks", "1 to 5"]);
    rack.shard("run --tasks 0").refused(2, &["\"0\""]);
    rack.shard("merge --with z1").refused(2, &["z1"]);
    queens("shard merge 8 --shards 2 --dir x").refused(2, &["2 shards", "1 to 1"]);
}

#[test]
fn merge_refuses_each_bad_state_with_its_code_and_names_the_shards() {
    let rack = Rack::full();
    fs::remove_file(rack.path(2)).unwrap();
    rack.shard("merge --tasks 5")
        .refused(10, &["1 missing: 2", "--array=2"]);
    rack.damage(3);
    rack.shard("merge --tasks 5").refused(
        13,
        &[
            "1 missing: 2",
            "1 damaged: 3",
            "shard-3-of-5.jsonl, line 2",
            "--array=2-3",
        ],
    );
    rack.shard("run").refused(13, &["shard-3-of-5.jsonl"]);
    assert!(rack.path(2).exists(), "the others are counted all the same");
    fs::copy(rack.path(1), rack.path(4)).unwrap();
    rack.shard("merge")
        .refused(12, &["1 foreign: 4", "1 damaged: 3"]);
    fs::copy(rack.path(0), rack.0.path().join("saved")).unwrap();
    fs::remove_file(rack.path(0)).unwrap();
    rack.write(0, 1);
    fs::rename(rack.path(0), rack.0.path().join("shard-0-of-5.conflict0")).unwrap();
    fs::rename(rack.0.path().join("saved"), rack.path(0)).unwrap();
    rack.shard("merge")
        .refused(11, &["1 contradictory: 0", "1 foreign: 4", "1 damaged: 3"]);
    let status = rack.status("--tasks 5");
    assert_eq!(status["array"], "0,3-4");

    for bad in [
        "shard-0-of-5.conflict0",
        "shard-3-of-5.jsonl",
        "shard-4-of-5.jsonl",
    ] {
        fs::remove_file(rack.0.path().join(bad)).unwrap();
    }
    assert_eq!(rack.shard("run").code, Some(0));
    assert_eq!(rack.shard("merge").ok().trim_end(), total());
}

#[test]
fn a_contradiction_is_found_under_any_number_and_in_a_part() {
    for name in [
        "shard-2-of-5.conflict1",
        "shard-2-of-5.part0",
        "shard-2-of-5.part9",
    ] {
        let rack = Rack::full();
        rack.write_to(&rack.0.path().join(name), 2, 1);
        rack.shard("merge")
            .refused(11, &["1 contradictory: 2", name]);
        rack.shard("run").refused(11, &[name]);
        assert!(rack.0.path().join(name).exists(), "it stays");
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_or_a_device_in_the_folder_is_refused_at_once() {
    let rack = Rack::full();
    fs::remove_file(rack.path(2)).unwrap();
    let made = clean("mkfifo").arg(rack.path(2)).status().unwrap();
    assert!(made.success());
    let words = ["shard-2-of-5.jsonl", "not a regular file"];
    rack.shard("merge").refused(1, &words);
    rack.shard("run").refused(1, &words);
    fs::remove_file(rack.path(2)).unwrap();
    std::os::unix::fs::symlink("/dev/full", rack.path(2)).unwrap();
    rack.shard("status").refused(1, &words);
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_without_hard_links_is_refused_before_any_block_is_counted() {
    // As in a file system without them; where nobody may trace a process, it stays untested.
    let rack = Rack::new();
    let mut trace = clean("strace");
    trace.args(["-qq", "-f", "-o", "/dev/null", "-e", "trace=link,linkat"]);
    trace.args(["-e", "inject=link,linkat:error=EPERM"]);
    let shard = rack.command("run --tasks 5 --task 2");
    trace.arg(shard.get_program()).args(shard.get_args());
    trace.current_dir(rack.0.path());
    let Ok(traced) = trace.output() else {
        return;
    };
    let said = String::from_utf8(traced.stderr).unwrap();
    if !said.starts_with("error: ") {
        assert!(said.starts_with("strace: "), "{said}");
        return;
    }
    assert_eq!(traced.status.code(), Some(2), "{said}");
    assert!(said.contains("allows no hard links"), "{said}");
    for file in fs::read_dir(rack.0.path()).unwrap() {
        let part = fs::read_to_string(file.unwrap().path()).unwrap();
        assert_eq!(part.lines().count(), 1, "{part}");
    }
}

/// The script of a Slurm task puts back into the queue what a second try can mend.
#[test]
#[cfg(unix)]
fn a_slurm_task_is_requeued_only_where_that_can_help() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let script = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    };
    // Slurm, as far as the script asks for it, and a program that ends as it is told.
    script("squeue", "echo RUNNING");
    script("scontrol", "echo \"$@\" >>\"${0%/*}/requeued\"");
    script("sleep", ":");
    script("queens", "exit $CODE");
    let requeued = |code: i32| {
        let path = std::env::var("PATH").unwrap();
        let mut task = clean("bash");
        task.arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/scripts/slurm/queens.sbatch"
        ));
        task.env("PATH", format!("{}:{path}", folder.path().display()));
        task.env("QUEENS_PROGRAM", folder.path().join("queens"));
        for name in ["N", "ENGINE", "SHARDS", "TASKS", "DIR"] {
            task.env(format!("QUEENS_{name}"), "x");
        }
        task.env("SLURM_ARRAY_JOB_ID", "7");
        task.env("SLURM_ARRAY_TASK_ID", "3");
        task.env("CODE", code.to_string());
        let ran = finish(task);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        let said = fs::read_to_string(folder.path().join("requeued"));
        let _ = fs::remove_file(folder.path().join("requeued"));
        said.is_ok_and(|said| said.starts_with("requeue 7_3\n"))
    };
    // A failure such as a full disk, a file in use, an interruption, a kill.
    for code in [1, 14, 130, 137, 143] {
        assert!(requeued(code), "{code}");
    }
    // Done, usage, a wrong count, a file to be looked at, a bug, no such program.
    for code in [0, 2, 3, 10, 11, 12, 13, 101, 127, 132, 139] {
        assert!(!requeued(code), "{code}");
    }
}

#[test]
fn a_total_that_contradicts_the_published_value_is_shown_and_is_exit_code_3() {
    let rack = Rack::full();
    fs::remove_file(rack.path(4)).unwrap();
    rack.write(4, 1);
    let ran = rack.shard("merge");
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_eq!(
        ran.stdout.trim_end(),
        (QUEENS.value(N).unwrap() + 1).to_string()
    );
    // And the recount finds the file.
    let ran = rack.shard("verify --sample 100%");
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("shard-4-of-5.jsonl"), "{ran:?}");
}

#[test]
fn verify_recounts_as_many_shards_as_asked() {
    let rack = Rack::full();
    let verify = |line: &str| -> Value {
        rack.shard(&format!("verify --json --threads 2 {line}"))
            .json()
    };
    let two = verify("--sample 2 --seed 7");
    assert_eq!(
        (&two["shards"], &two["route"]),
        (&2.into(), &"image".into())
    );
    assert_eq!(verify("--sample 40% --seed 7")["verified"], two["verified"]);
    rack.shard("verify --sample 0").refused(2, &["\"0\""]);
    rack.damage(1);
    rack.shard("verify --sample 1")
        .refused(13, &["shard-1-of-5"]);
    Rack::new()
        .shard("verify --sample 1")
        .refused(10, &["none of the 5 shards"]);
}

#[test]
#[cfg(unix)]
fn a_terminated_task_keeps_what_it_has_and_its_successor_goes_on() {
    use super::program::{ended, send, start};
    use rustix::process::Signal;

    let folder = tempfile::tempdir().unwrap();
    let n = if cfg!(debug_assertions) { 15 } else { 17 };
    let run = || {
        let line = format!("shard run {n} --engine rows --threads 1 --shards 1 --dir .");
        let mut command = command(&line);
        command.current_dir(folder.path());
        command
    };
    let child = start(run());
    let part = folder.path().join("shard-0-of-1.part0");
    let lines = || fs::read(&part).map_or(0, |text| text.split(|&b| b == b'\n').count());
    while lines() < 3 {
        sleep(Duration::from_millis(2));
    }
    send(&child, Signal::TERM);
    let ran = ended(child);
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(ran.stderr.contains("part0; resume with: "), "{ran:?}");
    assert!(part.exists());

    let ran = finish(run());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("part0: resuming with"), "{ran:?}");
    assert!(!part.exists());
}
