//! Whether standard output was closed when the program began.
//!
//! Before `main` the runtime puts /dev/null in the place of a closed descriptor, so that
//! no file can take its number. From then on nothing tells the two apart, and a result
//! would be lost without a word. Only a function that runs before the runtime can look.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed; where nobody could look, it was open.
pub fn stdout_was_closed() -> bool {
    CLOSED.load(Relaxed)
}

/// The loader calls the functions of this section before `main`. This one asks the system
/// a question and remembers the answer; it needs nothing of the runtime.
#[cfg(target_os = "linux")]
#[allow(
    unsafe_code,
    reason = "a function that the loader calls, in a section of its own"
)]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = {
    extern "C" fn look() {
        let asked = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        CLOSED.store(asked.is_err(), Relaxed);
    }
    look
};
