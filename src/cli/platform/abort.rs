//! When there is no memory left for a small thing, the runtime says so in a line and aborts.
//! A script should see the exit code of a failure then, as when a long list asks in vain,
//! and not that of a crash. Whatever is recorded stays: a ledger outlives any death.

/// From now on the program ends with this code when it is aborted.
#[cfg(unix)]
pub fn end_with(code: i32) {
    use std::sync::{Arc, atomic::AtomicBool};

    use signal_hook::{consts::SIGABRT, flag::register_conditional_shutdown};

    // If it cannot be arranged, an abort is what it was.
    let _ = register_conditional_shutdown(SIGABRT, code, Arc::new(AtomicBool::new(true)));
}

#[cfg(not(unix))]
pub fn end_with(_code: i32) {}
