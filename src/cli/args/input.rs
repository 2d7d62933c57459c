//! Files that the user names, and standard input. What would keep the program waiting for
//! another one, or fed without end, is refused.

use std::{
    fs,
    io::{self, IsTerminal, Read},
    path::Path,
};

use anyhow::{Context, Result, bail};

use crate::cli::platform::streams::{is_descriptor, is_device, stdin_is_device};

/// What is in this file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    if let Ok(about) = fs::metadata(path) {
        let regular = about.is_file() || about.is_dir();
        if !regular && (!is_descriptor(path) || is_device(&about)) {
            bail!("cannot read {}: it is not a regular file", path.display());
        }
    }
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// What comes from standard input. A device that is no terminal should have nothing to say,
/// as /dev/null has not: /dev/zero would go on for ever.
pub fn read_stdin() -> Result<Vec<u8>> {
    let stdin = io::stdin();
    let is_device = stdin_is_device() && !stdin.is_terminal();
    let most = if is_device { 1 } else { u64::MAX };
    let mut bytes = Vec::new();
    let read = stdin.lock().take(most).read_to_end(&mut bytes);
    read.context("cannot read standard input")?;
    if is_device && !bytes.is_empty() {
        bail!("cannot read standard input: it is a device, not a file or a pipe");
    }
    Ok(bytes)
}
