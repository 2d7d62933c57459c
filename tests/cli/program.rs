//! Runs the program, through pipes or on a terminal, and says what came of it.

use std::{
    ffi::OsStr,
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::{LazyLock, Mutex},
    thread::sleep,
    time::Duration,
};

use queens::{
    Engine, Error, FinishedBlock, Problem, Route, Runner,
    ledger::Recorder,
    plan::{Plan, Shard},
};
use serde_json::Value;

/// Variables that change what the program does; a test sets what it wants.
const VARIABLES: [&str; 4] = [
    "QUEENS_THREADS",
    "SLURM_CPUS_PER_TASK",
    "NO_COLOR",
    "SLURM_ARRAY_TASK_ID",
];

/// The outcome of a run.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// A command with none of the variables set.
pub fn clean(program: impl AsRef<Path>) -> Command {
    let mut command = Command::new(program.as_ref());
    for name in VARIABLES {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
    command
}

/// The program with these arguments, separated by blanks.
pub fn queens(line: &str) -> Ran {
    queens_with(&[], line)
}

/// The program with these arguments and some variables set.
pub fn queens_with(variables: &[(&str, &str)], line: &str) -> Ran {
    let mut command = command(line);
    command.envs(variables.iter().copied());
    finish(command)
}

/// The program with these arguments in this folder, for the files that it reads and writes.
pub fn queens_in(folder: &Path, line: &str) -> Ran {
    let mut command = command(line);
    command.current_dir(folder);
    finish(command)
}

/// The program with these arguments, whatever is in them.
pub fn queens_of(words: &[impl AsRef<OsStr>]) -> Ran {
    let mut command = command("");
    command.args(words);
    finish(command)
}

/// The program with these arguments, separated by blanks, not yet run.
pub fn command(line: &str) -> Command {
    let mut command = clean(env!("CARGO_BIN_EXE_queens"));
    command.args(line.split_whitespace());
    command
}

/// Runs a command to its end.
pub fn finish(mut command: Command) -> Ran {
    Ran::of(command.output().unwrap())
}

/// Starts a command, and lets it run.
pub fn start(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for the end of a command.
pub fn ended(child: Child) -> Ran {
    Ran::of(child.wait_with_output().unwrap())
}

/// Sends a signal to a command that runs.
#[cfg(unix)]
pub fn send(child: &Child, signal: rustix::process::Signal) {
    use rustix::process::{Pid, kill_process};

    let pid = Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

/// The JSON object in this text.
#[track_caller]
pub fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

impl Ran {
    pub fn of(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The object that it printed, where it had nothing to complain about.
    #[track_caller]
    pub fn json(self) -> Value {
        object(&self.ok())
    }

    /// What it printed, where it had nothing to complain about.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!((self.code, &*self.stderr), (Some(0), ""), "{self:?}");
        self.stdout
    }

    /// It ended with this code, printed no result, and said why in one line that
    /// mentions all of these words.
    #[track_caller]
    pub fn refused(self, code: i32, words: &[&str]) {
        assert_eq!((self.code, &*self.stdout), (Some(code), ""), "{self:?}");
        let sentence = self.stderr.strip_suffix('\n').unwrap_or_default();
        assert!(sentence.starts_with("error: "), "{self:?}");
        assert!(!sentence.contains('\n'), "{self:?}");
        for word in words {
            assert!(sentence.contains(word), "{word}: {self:?}");
        }
    }
}

/// What a person sees in the end who runs the command on a terminal that is wide enough
/// for any line: both outputs together.
#[cfg(unix)]
pub fn on_terminal(command: Command) -> (Option<i32>, String) {
    let (code, shown) = written_to_columns(command, 1000);
    (code, left_on_screen(&shown))
}

/// All that a command writes to its terminal, the overwritten too.
#[cfg(unix)]
pub fn written_to_terminal(command: Command) -> (Option<i32>, String) {
    written_to_columns(command, 80)
}

/// All that a command writes to a terminal with this many columns.
#[cfg(unix)]
pub fn written_to_columns(mut command: Command, columns: u16) -> (Option<i32>, String) {
    use std::{
        fs::{File, OpenOptions},
        io::Read,
        os::unix::ffi::OsStrExt,
    };

    use rustix::{
        pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
        termios::{Winsize, tcsetwinsize},
    };

    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let name = ptsname(&screen, Vec::new()).unwrap();
    let name = Path::new(std::ffi::OsStr::from_bytes(name.to_bytes()));
    let keyboard = OpenOptions::new()
        .read(true)
        .write(true)
        .open(name)
        .unwrap();
    let size = Winsize {
        ws_row: 30,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&keyboard, size).unwrap();
    command.env("TERM", "xterm");
    command
        .stdout(keyboard.try_clone().unwrap())
        .stderr(keyboard);
    let mut child = command.spawn().unwrap();
    // The command holds the terminal's other end open as long as it lives.
    drop(command);
    let (mut screen, mut shown) = (File::from(screen), Vec::new());
    let mut piece = [0; 4096];
    // Linux reports the end of a terminal as an error.
    while let Ok(length @ 1..) = screen.read(&mut piece) {
        shown.extend_from_slice(&piece[..length]);
    }
    let code = child.wait().unwrap().code();
    let shown = String::from_utf8(shown).unwrap().replace("\r\n", "\n");
    (code, shown)
}

/// What is still there to read at the end: a progress bar, which a busy machine may
/// show, is drawn over by what follows on its line.
#[cfg(unix)]
pub fn left_on_screen(shown: &str) -> String {
    let lines = shown.split('\n');
    let last = lines.map(|line| line.rsplit('\r').next().unwrap_or(line));
    last.collect::<Vec<_>>().join("\n").replace("\x1b[K", "")
}

/// A board whose plan by `rows` has several blocks.
pub const N: u32 = 14;

/// This plan, and its blocks as they were counted.
pub static COUNTED: LazyLock<(Plan, Vec<FinishedBlock>)> = LazyLock::new(|| {
    let plan = Plan::new(&Problem::new(N).unwrap(), Engine::Rows).unwrap();
    let blocks = Mutex::new(Vec::new());
    let collect = |block: &FinishedBlock| blocks.lock().unwrap().push(block.clone());
    plan.run(&Runner::new().observer(&collect)).unwrap();
    let mut blocks = blocks.into_inner().unwrap();
    blocks.sort_by_key(|block| block.index);
    assert!(blocks.len() >= 6);
    (plan, blocks)
});

/// A ledger of this plan, to write known counts into.
pub fn recorder(path: &Path, shard: Shard, route: Route) -> Recorder {
    // A child that another test has just forked holds our lock until it is a program.
    loop {
        match Recorder::open(path, &COUNTED.0, shard, route) {
            Err(Error::InUse(_)) => sleep(Duration::from_millis(1)),
            recorder => return recorder.unwrap(),
        }
    }
}
