//! Threads that share work, and the flag that stops them.

mod cancel;

pub use cancel::Cancel;

use crate::error::Error;

/// The largest number of threads: what any machine has and the thread pool can run.
///
/// ```
/// use queens::{Count, Error, MAX_THREADS};
///
/// let run = Count::new(8)?.threads(MAX_THREADS + 1).run();
/// assert!(matches!(run, Err(Error::ThreadCount(_))));
/// # Ok::<(), queens::Error>(())
/// ```
pub const MAX_THREADS: usize = 4096;

/// Whether there can be so many threads.
pub(crate) fn check_threads(threads: usize) -> Result<(), Error> {
    match threads {
        1..=MAX_THREADS => Ok(()),
        _ => Err(Error::ThreadCount(threads)),
    }
}

/// So many threads, waiting for work.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Threads {
        threads,
        reason: error.to_string(),
    })
}
