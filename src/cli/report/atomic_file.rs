//! Files that the user asked for. A reader never sees half of one: the text goes to a
//! file beside it, which then takes its place.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

use crate::cli::{
    platform::streams::{is_descriptor, is_fifo, open_to_all},
    report::output::Output,
};

/// Writes this text to the file, whole or not at all.
pub fn save(path: &Path, text: &str) -> Result<()> {
    replace(path, text).with_context(|| cannot_write(path))
}

/// Writes this text to the file, whole or not at all, or to standard output, which is "-".
pub fn save_or_print(path: &Path, text: &str, out: &mut Output) -> Result<()> {
    if path.as_os_str() == "-" {
        out.write_all(text.as_bytes())?;
        return Ok(());
    }
    save(path, text)?;
    out.note(format_args!("wrote {}", path.display()));
    Ok(())
}

/// Reads the name of a picture to write.
pub fn svg(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match path.extension() {
        Some(other) if !other.eq_ignore_ascii_case("svg") => Err(format!(
            "pictures are SVG: name the file {}, not {name}",
            path.with_extension("svg").display()
        )),
        _ => Ok(path),
    }
}

/// Finds out before the work whether its result can be written. What the file holds
/// now stays until then.
pub fn check_writable(path: &Path) -> Result<()> {
    let check = || {
        if is_special(path)? {
            return Ok(());
        }
        beside(&behind(path)?).map(drop)
    };
    check().with_context(|| cannot_write(path))
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    if is_special(path)? {
        return fs::write(path, text);
    }
    let path = behind(path)?;
    let mut file = beside(&path)?;
    file.write_all(text.as_bytes())?;
    if let Ok(about) = fs::metadata(&path) {
        file.as_file().set_permissions(about.permissions())?;
    }
    file.persist(path)?;
    Ok(())
}

/// A device, or what is open already, is written to, not replaced. A pipe by name would have
/// to wait for its reader.
fn is_special(path: &Path) -> io::Result<bool> {
    let Ok(about) = fs::metadata(path) else {
        return Ok(false);
    };
    if about.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    if is_descriptor(path) {
        return Ok(true);
    }
    if is_fifo(&about) {
        let reason = "it is a pipe: use \"-\" for standard output where there is one";
        return Err(io::Error::other(reason));
    }
    Ok(!about.is_file())
}

/// The file itself: a link to it stays, as it would if the file were written to.
fn behind(path: &Path) -> io::Result<PathBuf> {
    if path.is_symlink() {
        fs::canonicalize(path)
    } else {
        Ok(path.to_owned())
    }
}

/// A new file in the same folder, under a name that nobody has; it goes with its owner.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| folder.as_os_str() != "");
    let mut builder = tempfile::Builder::new();
    open_to_all(&mut builder);
    builder.tempfile_in(folder.unwrap_or(Path::new(".")))
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
        for outcome in [check_writable(folder.path()), save(folder.path(), "")] {
            assert!(format!("{:#}", outcome.unwrap_err()).ends_with("it is a folder"));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_its_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["here/result.json", "link"].map(|name| folder.path().join(name));
        fs::create_dir(folder.path().join("here")).unwrap();
        std::os::unix::fs::symlink("here/result.json", &link).unwrap();
        assert!(save(&link, "nowhere").is_err(), "it points nowhere yet");
        fs::write(&file, "old").unwrap();
        check_writable(&link).unwrap();
        save(&link, "new").unwrap();
        assert!(link.is_symlink() && !file.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }

    #[test]
    fn a_picture_is_not_given_the_name_of_another_format() {
        for name in ["x.svg", "x.SVG", "x", "-", "a.b/x"] {
            assert_eq!(svg(name), Ok(PathBuf::from(name)));
        }
        assert!(svg("x.png").unwrap_err().contains("x.svg"));
    }

    #[test]
    fn no_other_file_is_touched_and_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        for name in ["result.json.part", "result.json.tmp", "result.json~"] {
            fs::write(folder.path().join(name), "mine").unwrap();
        }
        fs::write(&path, "old").unwrap();
        let before = fs::metadata(&path).unwrap().permissions();
        check_writable(&path).unwrap();
        save(&path, "new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions(), before);
        for name in ["result.json.part", "result.json.tmp", "result.json~"] {
            assert_eq!(fs::read(folder.path().join(name)).unwrap(), b"mine");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
    }
}
