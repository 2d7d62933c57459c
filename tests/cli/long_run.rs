//! Long runs as the world treats them: killed, interrupted, out of time, out of disk,
//! started twice, damaged on disk.

use std::{
    fs::{self, File},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread::sleep,
    time::Duration,
};

use queens::{
    Engine, FinishedBlock, Observer, Problem, Route, Runner,
    known::QUEENS,
    ledger::{Ledger, RecordedBlock, Recorder},
    plan::{Plan, Shard},
};
use rustix::process::Signal;
use serde_json::Value;
use tempfile::TempDir;

use super::program::{
    Ran, clean, command, ended, finish, object, queens, send, start, written_to_terminal,
};

/// A count of about a second, in blocks of some milliseconds: long enough to be hit
/// in flight.
const LONG: u32 = 16;
/// One of several blocks that is over soon.
const SHORT: u32 = 15;

/// A folder with a checkpoint of a count of side n in it.
struct Desk {
    n: u32,
    folder: TempDir,
}

impl Desk {
    fn new(n: u32) -> Desk {
        Desk {
            n,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn plan(&self) -> Plan {
        Plan::new(&Problem::new(self.n).unwrap(), Engine::Rows).unwrap()
    }

    fn published(&self) -> String {
        QUEENS.value(self.n).unwrap().to_string()
    }

    fn path(&self) -> PathBuf {
        // The blank is for the command that is printed to resume.
        self.folder.path().join("my run.jsonl")
    }

    fn check_path(&self) -> PathBuf {
        self.folder.path().join("my run.jsonl.check")
    }

    fn command(&self, options: &str) -> Command {
        let mut command = count(&format!("{} {options}", self.n));
        command.arg("--checkpoint").arg(self.path());
        command
    }

    fn run(&self, options: &str) -> Ran {
        finish(self.command(options))
    }

    fn spawn(&self, options: &str) -> Child {
        start(self.command(options))
    }

    fn ledger(&self) -> Ledger {
        Ledger::read(&self.path()).unwrap()
    }

    /// The recorded blocks; none while there is not even a header.
    fn blocks(&self) -> Vec<RecordedBlock> {
        blocks(&self.path())
    }

    /// Resumed to its end, the run gives the published count, and every block is
    /// recorded once (the reader refuses a second time), in the lines of before.
    #[track_caller]
    fn resumes_to_the_end(&self, before: &[RecordedBlock]) {
        let ran = self.run("--threads 3");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.stdout.trim_end(), self.published());
        let ledger = self.ledger();
        assert_eq!(ledger.total(), QUEENS.value(self.n));
        assert_eq!(ledger.blocks().len(), self.plan().blocks().len());
        assert_eq!(ledger.blocks()[..before.len()], *before);
    }
}

fn count(line: &str) -> Command {
    command(&format!("count --engine rows {line}"))
}

fn blocks(path: &Path) -> Vec<RecordedBlock> {
    Ledger::read(path).map_or(Vec::new(), |ledger| ledger.blocks().to_vec())
}

/// Waits until a block is recorded there.
fn wait_for_a_block(path: &Path) {
    for _ in 0..6000 {
        if !blocks(path).is_empty() {
            return;
        }
        sleep(Duration::from_millis(5));
    }
    panic!("no block was finished in {}", path.display());
}

/// Numbers below `end` without a pattern, from Marsaglia's xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

#[test]
fn killed_at_random_moments_and_resumed_each_time_the_count_is_right() {
    let desk = Desk::new(LONG);
    let blocks = desk.plan().blocks().len();
    let mut dice = Dice(u64::from(std::process::id()) << 20 | 1);
    let mut recorded: Vec<RecordedBlock> = Vec::new();
    let mut kills = 0;
    while kills < 25 {
        let mut child = desk.spawn(&format!("--threads {}", 1 + kills % 3));
        // In the second half only short lives, so that the run lasts.
        let longest = if 2 * recorded.len() < blocks { 80 } else { 8 };
        sleep(Duration::from_millis(dice.below(longest)));
        kills += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let now = desk.blocks();
        assert_eq!(now[..recorded.len()], recorded, "what is recorded stays");
        if now.len() == blocks {
            // Too fast for us: this run is over, and the next begins.
            desk.resumes_to_the_end(&now);
            fs::remove_file(desk.path()).unwrap();
            recorded.clear();
            continue;
        }
        recorded = now;
    }
    desk.resumes_to_the_end(&recorded);
}

/// Stopped by this signal or by its options, it says how to resume, and that command
/// does.
fn stopped_and_resumed(options: &str, signal: Option<Signal>, why: &str) {
    let desk = Desk::new(LONG);
    let child = desk.spawn(options);
    if let Some(signal) = signal {
        wait_for_a_block(&desk.path());
        send(&child, signal);
    }
    let ran = ended(child);
    assert_eq!((ran.code, &*ran.stdout), (Some(130), ""), "{ran:?}");
    let (said, command) = ran.stderr.trim_end().split_once("; resume with: ").unwrap();
    let recorded = desk.blocks();
    let of = format!(
        "{} of {} blocks",
        recorded.len(),
        desk.plan().blocks().len()
    );
    assert!(said.contains(why) && said.contains(&of), "{ran:?}");
    assert!(desk.ledger().torn() == 0);

    let command = command.replace(" --time-limit 0.2s", "");
    let mut shell = clean("sh");
    shell.args(["-c", &command]);
    let resumed = finish(shell);
    assert_eq!(resumed.stdout.trim_end(), desk.published(), "{resumed:?}");
    assert!(
        recorded.is_empty() || resumed.stderr.contains("resuming with"),
        "{resumed:?}"
    );
    desk.resumes_to_the_end(&recorded);
}

#[test]
fn ctrl_c_stops_the_run_and_prints_how_to_resume() {
    stopped_and_resumed("--threads 1", Some(Signal::INT), "interrupted");
}

#[test]
fn sigterm_stops_the_run_and_prints_how_to_resume() {
    stopped_and_resumed("--threads 1", Some(Signal::TERM), "interrupted");
}

#[test]
fn a_time_limit_stops_the_run_and_prints_how_to_resume() {
    let options = "--threads 1 --time-limit 0.2s";
    stopped_and_resumed(options, None, "the time limit of 0.2s");
}

#[test]
fn a_second_ctrl_c_ends_the_program_and_leaves_a_sound_file() {
    let desk = Desk::new(LONG);
    let child = desk.spawn("--threads 1");
    wait_for_a_block(&desk.path());
    send(&child, Signal::INT);
    send(&child, Signal::INT);
    assert_eq!(ended(child).code, Some(130));
    assert!(!desk.ledger().blocks().is_empty());
}

#[test]
fn a_time_limit_is_kept_while_a_large_board_is_planned() {
    let limit = "--time-limit 0.001s";
    queens(&format!("count 32 {limit}")).refused(130, &["time limit", "planned", limit]);
}

#[test]
fn without_a_checkpoint_an_interruption_says_that_nothing_is_kept() {
    let ran = finish(count("18 --time-limit 100ms"));
    ran.refused(2, &["\"100ms\"", "90s"]);
    let ran = finish(count("18 --time-limit 0.1"));
    ran.refused(130, &["time limit of 0.1", "--checkpoint FILE"]);
}

#[test]
fn a_second_process_is_refused_and_the_first_goes_on() {
    let desk = Desk::new(LONG);
    let first = desk.spawn("--threads 1");
    wait_for_a_block(&desk.path());
    desk.run("").refused(14, &["my run.jsonl", "in use"]);
    desk.run("--double-check")
        .refused(14, &["my run.jsonl", "in use"]);
    let first = ended(first);
    assert_eq!(first.stdout.trim_end(), desk.published(), "{first:?}");
    desk.resumes_to_the_end(&desk.blocks());
}

#[test]
fn a_finished_run_is_answered_from_its_ledger_and_says_so() {
    let desk = Desk::new(SHORT);
    let first = desk.run("--json");
    let before = fs::read(desk.path()).unwrap();
    let again = desk.run("--json");
    assert!(
        again
            .stderr
            .contains("complete, the count is from this ledger"),
        "{again:?}"
    );
    let field = |ran: &Ran, name: &str| -> Value { object(&ran.stdout)[name].clone() };
    assert_eq!(field(&first, "count"), field(&again, "count"));
    assert_eq!(field(&first, "recorded_blocks"), 0);
    assert_eq!(field(&again, "recorded_blocks"), desk.plan().blocks().len());
    assert_eq!(fs::read(desk.path()).unwrap(), before);
    assert_eq!(desk.run("-q").ok().trim_end(), desk.published());
    // The time of the count is that of its blocks, whoever asks again.
    assert_eq!(field(&first, "blocks"), field(&again, "recorded_blocks"));
    assert_eq!(field(&again, "core_seconds"), desk.ledger().seconds());
    let (_, shown) = written_to_terminal(desk.command(""));
    assert!(
        shown.contains("rows engine, counted earlier, in "),
        "{shown}"
    );
}

#[test]
fn a_torn_line_is_dropped_and_said_so_and_other_damage_is_refused() {
    let desk = Desk::new(SHORT);
    desk.run("");
    let whole = fs::read(desk.path()).unwrap();
    let blocks = desk.blocks();

    fs::write(desk.path(), &whole[..whole.len() - 200]).unwrap();
    let ran = desk.run("");
    assert!(
        ran.stderr.contains("dropped a torn last line of"),
        "{ran:?}"
    );
    assert_eq!(ran.stdout.trim_end(), desk.published());
    desk.resumes_to_the_end(&blocks[..blocks.len() - 2]);

    let mut damaged = whole.clone();
    damaged[whole.len() - 200] ^= 4;
    fs::write(desk.path(), &damaged).unwrap();
    let line = format!("line {}", blocks.len());
    desk.run("")
        .refused(13, &["my run.jsonl", &line, "left as it is"]);
    assert_eq!(fs::read(desk.path()).unwrap(), damaged);

    fs::write(desk.path(), &whole).unwrap();
    let mut other = count("12");
    other.arg("--checkpoint").arg(desk.path());
    let expected = format!("n = {SHORT}");
    finish(other).refused(12, &["my run.jsonl", &expected, "n = 12"]);
    assert_eq!(fs::read(desk.path()).unwrap(), whole);

    fs::write(desk.path(), "a letter to my aunt\n").unwrap();
    desk.run("").refused(13, &["line 1"]);
    assert_eq!(fs::read(desk.path()).unwrap(), b"a letter to my aunt\n");
}

#[test]
fn a_place_that_cannot_hold_a_checkpoint_is_refused_before_any_work() {
    let desk = Desk::new(SHORT);
    let refuse = |path: &Path, word: &str| {
        // So long a count would never end, if it began.
        let mut command = count("30");
        command.arg("--checkpoint").arg(path);
        finish(command).refused(1, &[word]);
    };
    refuse(desk.folder.path(), "folder");
    refuse(
        &desk.folder.path().join("no/such/run.jsonl"),
        "cannot open or create",
    );
    refuse(Path::new("/dev/null"), "regular file");
    let locked = desk.folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, PermissionsExt::from_mode(0o555)).unwrap();
    // Root may write anywhere.
    if File::create(locked.join("probe")).is_err() {
        refuse(&locked.join("run.jsonl"), "cannot open or create");
    }
    finish(count("8..9 --checkpoint x")).refused(2, &["one n"]);
}

#[test]
fn a_folder_that_cannot_be_synced_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    // One may write there and not read; root may always.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o300)).unwrap();
    let can_sync = File::open(folder.path()).is_ok();
    let mut run = count("8");
    run.arg("--checkpoint").arg(folder.path().join("run.jsonl"));
    let ran = finish(run);
    assert_eq!((ran.code, &*ran.stdout), (Some(0), "92\n"), "{ran:?}");
    assert_eq!(
        ran.stderr.contains("cannot be synced"),
        !can_sync,
        "{ran:?}"
    );
}

#[test]
fn a_full_disk_stops_the_run_and_loses_nothing_that_was_on_it() {
    // Of more blocks than fit.
    let desk = Desk::new(15);
    let run = desk.command("--threads 2");
    let mut shell = clean("sh");
    // A limit on the size of files stands in for the end of the disk.
    shell.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"]);
    shell.arg(run.get_program()).args(run.get_args());
    finish(shell).refused(1, &["cannot write to", "my run.jsonl"]);
    let blocks = desk.blocks();
    assert!(!blocks.is_empty());
    desk.resumes_to_the_end(&blocks);
}

/// The command in a shell that sets a limit first.
#[cfg(target_os = "linux")]
fn limited(limit: &str, run: Command) -> Ran {
    let mut shell = clean("sh");
    shell.args(["-c", &format!("ulimit {limit}; exec \"$@\""), "sh"]);
    shell.arg(run.get_program()).args(run.get_args());
    finish(shell)
}

#[test]
#[cfg(target_os = "linux")]
fn threads_that_cannot_start_are_an_error_and_leave_a_sound_file() {
    let desk = Desk::new(LONG);
    // Each thread needs a stack, for which there is no room in so small an address space.
    let ran = limited("-v 150000", desk.command("--threads 4096 --quiet"));
    // Once in a while it is a thread that has started which finds no memory, and then the
    // sentence is the runtime's.
    if ran.stderr.contains("memory allocation of") {
        assert_eq!((ran.code, &*ran.stdout), (Some(1), ""), "{ran:?}");
    } else {
        ran.refused(1, &["cannot start", "threads"]);
    }
    assert!(desk.blocks().is_empty());
    desk.resumes_to_the_end(&[]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_user_who_may_have_no_more_threads_is_told_so() {
    // The limit holds for users other than root, who can run the program from here.
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = folder.path().join("queens");
    fs::copy(env!("CARGO_BIN_EXE_queens"), &program).unwrap();
    let as_nobody = |line: &str| {
        let mut command = clean("prlimit");
        command.args(["--nproc=1", "setpriv", "--reuid=65534", "--clear-groups"]);
        command.arg(&program).args(line.split_whitespace());
        command.output().map(Ran::of)
    };
    if !as_nobody("info").is_ok_and(|ran| ran.code == Some(0)) {
        return;
    }
    for line in [
        "count 16 --threads 4",
        "count 16 --threads 1",
        "list 8 --threads 4",
        "estimate 16 --seconds 1",
        "bench --n 8",
    ] {
        let ran = as_nobody(line).unwrap();
        ran.refused(1, &["cannot start", "thread"]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_that_cannot_be_had_is_an_error_and_leaves_a_sound_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.jsonl");
    let line = "count 17 --engine colours --threads 2 --checkpoint";
    let command = || command(&format!("{line} {}", file.display()));
    let published = QUEENS.value(17).unwrap().to_string();
    let mut failures = 0;
    for megabytes in (10..200).step_by(3) {
        let before = blocks(&file);
        let ran = limited(&format!("-v {}", 1000 * megabytes), command());
        let after = blocks(&file);
        assert_eq!(after[..before.len()], before, "nothing is lost");
        match ran.code {
            // Not even the program can be loaded.
            Some(127) => continue,
            Some(0) => break,
            _ => {}
        }
        failures += 1;
        assert_eq!((ran.code, &*ran.stdout), (Some(1), ""), "{ran:?}");
        // A long list asks in vain, a thread for its stack, or the runtime for little.
        let words = ["not enough memory", "cannot start", "memory allocation of"];
        assert!(
            words.iter().any(|words| ran.stderr.contains(words)),
            "{ran:?}"
        );
    }
    assert!(failures > 0);
    let ran = finish(command());
    assert_eq!(
        (ran.code, ran.stdout.trim_end()),
        (Some(0), &*published),
        "{ran:?}"
    );
    assert_eq!(Ledger::read(&file).unwrap().total(), QUEENS.value(17));
}

#[test]
#[cfg(target_os = "linux")]
fn a_count_that_may_not_find_its_memory_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let shard = format!(
        "shard run 22 --shards 5000 --tasks 5000 --task 4999 --threads 2 --dir {}",
        folder.path().display()
    );
    for line in ["count 22 --threads 2 --time-limit 2s", &shard] {
        let ran = limited("-v 60000", command(line));
        let words = [
            "n = 22: 2 threads may take ",
            " of memory, and 58.6 MiB can be had",
        ];
        for words in words {
            assert!(ran.stderr.contains(words), "{words}: {ran:?}");
        }
        assert!(matches!(ran.code, Some(0 | 1 | 130)), "{ran:?}");
    }
    // Neither where there is enough, nor where it is asked for quiet.
    finish(command("count 16 --engine colours")).ok();
    let ran = limited("-v 60000", command("count 22 -q --time-limit 2s"));
    assert!(!ran.stderr.contains("may take"), "{ran:?}");
}

#[test]
fn a_double_check_counts_everything_again_and_can_be_resumed() {
    let desk = Desk::new(LONG);
    let child = desk.spawn("--double-check --threads 1 --json");
    wait_for_a_block(&desk.check_path());
    send(&child, Signal::INT);
    let ran = ended(child);
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(ran.stderr.contains("my run.jsonl.check"), "{ran:?}");
    let before = blocks(&desk.check_path());

    let ran = desk.run("--double-check --json");
    let object = object(&ran.stdout);
    assert_eq!(object["count"], desk.published());
    assert_eq!(object["double_checked"], true);
    let check = Ledger::read(&desk.check_path()).unwrap();
    assert_eq!(check.total(), desk.ledger().total());
    assert_eq!(check.header().route, Route::Image);
    assert_eq!(check.blocks()[..before.len()], before);
}

/// Writes a ledger with two mistakes that cancel each other: the total is right.
fn forge(path: &Path, plan: &Plan, route: Route) {
    let wrong = Recorder::open(path, plan, Shard::WHOLE, route).unwrap();
    let forge = |block: &FinishedBlock| {
        let mut forged = block.clone();
        match block.index {
            0 => forged.count += 1,
            1 => forged.count -= 1,
            _ => {}
        }
        wrong.finished(&forged).unwrap();
    };
    plan.run(&Runner::new().route(route).observer(&forge))
        .unwrap();
    wrong.ended().unwrap();
}

#[test]
fn a_wrong_record_is_found_by_the_double_check_alone() {
    let desk = Desk::new(SHORT);
    let plan = desk.plan();
    desk.run("");
    fs::remove_file(desk.path()).unwrap();
    forge(&desk.path(), &plan, Route::Direct);
    let ran = desk.run("");
    assert_eq!(
        (ran.code, ran.stdout.trim_end()),
        (Some(0), &*desk.published())
    );
    let ran = desk.run("--double-check -q");
    ran.refused(3, &["block ", "by one route", "by image"]);
}

#[test]
fn a_wrong_record_of_the_double_check_is_found_though_nothing_is_left_to_count() {
    let desk = Desk::new(SHORT);
    let plan = desk.plan();
    desk.run("");
    forge(&desk.check_path(), &plan, Route::Image);
    let ran = desk.run("--double-check -q");
    ran.refused(3, &["block ", "by one route", "by image"]);
}

#[test]
fn a_terminal_shows_a_bar_unless_it_is_hidden() {
    let (code, shown) = written_to_terminal(count(&format!("{LONG} --threads 1")));
    assert_eq!(code, Some(0));
    for word in ["%", "estimating", "\r", "/s"] {
        assert!(shown.contains(word), "{word}: {shown:?}");
    }
    for options in ["--threads 1 --no-progress", "--threads 1 -q"] {
        let (_, shown) = written_to_terminal(count(&format!("{SHORT} {options}")));
        assert!(!shown.contains('%'), "{shown:?}");
    }
    // A program reads the number and nothing else.
    finish(count(&SHORT.to_string())).ok();
}
