//! Files that the user asked for. A reader never sees half of one: the text goes to a
//! file beside it, which then takes its place.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use crate::cli::report::output::Output;

/// Writes this text to the file, whole or not at all.
pub fn save(path: &Path, text: &str) -> Result<()> {
    replace(path, text).with_context(|| cannot_write(path))
}

/// The same; "-" is standard output.
pub fn save_or_print(path: &Path, text: &str, out: &mut Output) -> Result<()> {
    if path.as_os_str() == "-" {
        out.write_all(text.as_bytes())?;
        return Ok(());
    }
    save(path, text)?;
    out.note(format_args!("wrote {}", path.display()));
    Ok(())
}

/// Finds out before the work whether its result can be written. What the file holds
/// now stays until then.
pub fn check_writable(path: &Path) -> Result<()> {
    let check = || match is_special(path) {
        true => Ok(()),
        false => {
            let beside = beside(path);
            fs::write(&beside, "")?;
            fs::remove_file(&beside)
        }
    };
    match path.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => check(),
    }
    .with_context(|| cannot_write(path))
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    if is_special(path) {
        return fs::write(path, text);
    }
    let beside = beside(path);
    fs::write(&beside, text)
        .and_then(|()| fs::rename(&beside, path))
        .inspect_err(|_| {
            // What went wrong first is the error; a file left over is not.
            let _ = fs::remove_file(&beside);
        })
}

/// A device or a pipe is written to, not replaced.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir())
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        for text in ["first, the longer one", "second"] {
            check_writable(&path).unwrap();
            save(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let nowhere = folder.path().join("missing/result.json");
        for outcome in [check_writable(&nowhere), save(&nowhere, "")] {
            let sentence = outcome.unwrap_err().to_string();
            assert!(sentence.contains("missing/result.json"), "{sentence}");
        }
        assert!(check_writable(folder.path()).is_err());
    }
}
