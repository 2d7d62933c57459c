//! What the program wants of the system and not every system has. All of it is here, a file
//! for each kind; the rest of the program asks, and takes "unknown" or "no" for an answer.
//!
//! | what | Linux | macOS | other Unix | Windows |
//! |---|---|---|---|---|
//! | [`processor`]: its name and clock | yes | no | no | no |
//! | [`memory`]: how much there is, is free, was used at most | yes | no | no | no |
//! | [`processor_time`]: of this process | yes | yes | no | no |
//! | [`affinity`]: threads bound to cores | yes | no | no | no |
//! | [`signals`]: Ctrl-C | yes | yes | yes | yes |
//! | [`signals`]: SIGTERM, and SIGCONT after Ctrl-Z | yes | yes | yes | no |
//! | [`abort`]: no memory for a small thing is exit code 1 | yes | yes | yes | no |
//! | [`closed`]: whether standard output was closed at the start | yes | no | no | no |
//! | [`shell`]: how a command is quoted | POSIX | POSIX | POSIX | cmd |
//! | [`streams`]: escape codes | yes | yes | yes | if the console says so |
//! | [`system`]: its name | yes | no | no | no |
//! | [`system`]: the version of its kernel | yes | yes | no | no |
//! | [`streams`]: pipes, open descriptors, file modes | yes | yes | yes | no |
//!
//! Elsewhere for good reason, all in the library: the time of a thread
//! (`src/estimate/clock.rs`), the kernels (`src/engine/cpu.rs`), and locks, hard links and
//! synced folders (`src/ledger`), which are tried before any work is put into a file.

pub mod abort;
pub mod affinity;
pub mod closed;
pub mod memory;
pub mod processor;
pub mod processor_time;
pub mod shell;
pub mod signals;
pub mod streams;
pub mod system;

/// A file in which Linux tells something. On other systems nothing is known of a file of
/// this name.
pub fn told(path: &str) -> Option<String> {
    cfg!(target_os = "linux").then(|| std::fs::read_to_string(path).ok())?
}
