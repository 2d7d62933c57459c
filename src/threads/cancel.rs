//! A flag that ends work early, wherever it has come.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

/// A flag that ends a run early. Clones share the flag.
///
/// ```
/// use queens::{Cancel, Count, Error};
///
/// let cancel = Cancel::new();
/// cancel.cancel();
/// assert!(matches!(Count::new(8)?.cancel(&cancel).run(), Err(Error::Interrupted)));
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    raised: Arc<AtomicBool>,
    /// The flag of the whole that this is a part of.
    parent: Option<Arc<Cancel>>,
}

impl Cancel {
    /// A flag that is not raised.
    ///
    /// ```
    /// assert!(!queens::Cancel::new().is_cancelled());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every run that holds this flag to stop; it does so within a second.
    ///
    /// ```
    /// let cancel = queens::Cancel::new();
    /// let clone = cancel.clone();
    /// clone.cancel();
    /// assert!(cancel.is_cancelled());
    /// ```
    pub fn cancel(&self) {
        self.raised.store(true, Relaxed);
    }

    /// Whether the flag was raised.
    ///
    /// ```
    /// let cancel = queens::Cancel::new();
    /// assert!(!cancel.is_cancelled());
    /// cancel.cancel();
    /// assert!(cancel.is_cancelled());
    /// ```
    pub fn is_cancelled(&self) -> bool {
        self.raised.load(Relaxed) || self.parent.as_ref().is_some_and(|all| all.is_cancelled())
    }

    /// A flag for a part: raised with this one, but not the other way round.
    pub(crate) fn child(&self) -> Cancel {
        Cancel {
            raised: Arc::default(),
            parent: Some(Arc::new(self.clone())),
        }
    }
}

/// A flag that others raise, such as a signal handler.
///
/// ```
/// use std::sync::{Arc, atomic::{AtomicBool, Ordering::Relaxed}};
///
/// let flag = Arc::new(AtomicBool::new(false));
/// let cancel = queens::Cancel::from(flag.clone());
/// flag.store(true, Relaxed);
/// assert!(cancel.is_cancelled());
/// ```
impl From<Arc<AtomicBool>> for Cancel {
    fn from(raised: Arc<AtomicBool>) -> Self {
        Cancel {
            raised,
            parent: None,
        }
    }
}
