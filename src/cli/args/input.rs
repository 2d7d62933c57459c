//! Files that the user names, to be read or written. A name that would keep the program
//! waiting for another one, or fed without end, is refused.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};

use crate::cli::platform::streams::is_descriptor;

/// What is in this file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let regular = fs::metadata(path).is_ok_and(|about| about.is_file() || about.is_dir());
    if path.exists() && !regular && !is_descriptor(path) {
        bail!("cannot read {}: it is not a regular file", path.display());
    }
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
