//! What the system tells a running program: that it is to stop (Ctrl-C, SIGTERM), and that
//! it goes on after Ctrl-Z (SIGCONT).
//!
//! Windows has no signals. Its C runtime imitates some, but forgets a handler whenever it
//! calls it; its console tells a thread of its own, which is not forgotten.

use std::sync::{Arc, atomic::AtomicBool};

use anyhow::Result;

/// From now on the first word to stop raises the flag, and the second one ends the program
/// at once with this code. A program asks for it once.
#[cfg(not(windows))]
pub fn on_stop(flag: &Arc<AtomicBool>, code: i32) -> Result<()> {
    use signal_hook::{
        consts::{SIGINT, SIGTERM},
        flag::{register, register_conditional_shutdown},
    };

    for signal in [SIGINT, SIGTERM] {
        register_conditional_shutdown(signal, code, flag.clone())?;
        register(signal, flag.clone())?;
    }
    Ok(())
}

#[cfg(windows)]
pub fn on_stop(flag: &Arc<AtomicBool>, code: i32) -> Result<()> {
    use std::{process::exit, sync::atomic::Ordering::Relaxed};

    let flag = flag.clone();
    ctrlc::set_handler(move || {
        if flag.swap(true, Relaxed) {
            exit(code);
        }
    })?;
    Ok(())
}

/// From now on the flag is raised when the process goes on after it was stopped.
#[cfg(not(windows))]
pub fn on_continue(flag: &Arc<AtomicBool>) -> Result<()> {
    signal_hook::flag::register(signal_hook::consts::SIGCONT, flag.clone())?;
    Ok(())
}

#[cfg(windows)]
pub fn on_continue(_: &Arc<AtomicBool>) -> Result<()> {
    Ok(())
}
