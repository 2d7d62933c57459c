//! How much memory a count takes, as far as that is known before it begins.

/// The memory of a count, in bytes: as calculated from its plan, so that every machine
/// says the same. A run seldom takes more, and often half of it.
///
/// ```
/// use queens::{Count, plan::Memory};
///
/// let memory: Memory = Count::new(22)?.plan()?.memory();
/// assert_eq!(memory.on(128), memory.shared + 128 * memory.per_thread);
/// assert!(memory.on(128) < 8_000_000_000);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Memory {
    /// What all threads share, the program included.
    pub shared: u64,
    /// What each thread has of its own.
    pub per_thread: u64,
}

impl Memory {
    /// What a process takes in any case.
    const PROGRAM: u64 = 6 << 20;
    /// What a thread takes in any case: its stack, and the small things that it keeps.
    const THREAD: u64 = 1 << 20;

    /// That of a process whose threads share and own so much.
    pub(super) fn new(shared: u64, per_thread: u64) -> Self {
        Memory {
            shared: Memory::PROGRAM.saturating_add(shared),
            per_thread: Memory::THREAD.saturating_add(per_thread),
        }
    }

    /// The memory of so many threads.
    ///
    /// ```
    /// let memory = queens::Count::new(20)?.plan()?.memory();
    /// assert!(memory.on(2) < 2 * memory.on(1));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn on(self, threads: usize) -> u64 {
        let own = self.per_thread.saturating_mul(threads as u64);
        self.shared.saturating_add(own)
    }
}
