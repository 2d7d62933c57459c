//! Files that the user names, to be read or written. A name that would keep the program
//! waiting for another one, or fed without end, is refused.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};

/// What is in this file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let regular = fs::metadata(path).is_ok_and(|about| about.is_file() || about.is_dir());
    if path.exists() && !regular && !is_descriptor(path) {
        bail!("cannot read {}: it is not a regular file", path.display());
    }
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Whether this names something that is open already, as a shell does for `<(command)`.
pub fn is_descriptor(path: &Path) -> bool {
    let folders = ["/dev/fd", "/proc/self/fd"];
    let streams = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];
    folders.iter().any(|folder| path.starts_with(folder))
        || streams.iter().any(|stream| path == Path::new(stream))
}
