//! The files in a folder of shards: what their names say, and how they get them.

use std::{
    fmt, fs,
    io::{self, ErrorKind},
    path::Path,
};

use super::recorder::sync_folder;
use crate::error::Error;

/// The name of a file in the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) index: u32,
    pub(super) of: u32,
    pub(super) kind: Kind,
}

/// What a file is; parts and conflicts are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Result,
    Part(u32),
    Conflict(u32),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shard-{}-of-{}.", self.index, self.of)?;
        match self.kind {
            Kind::Result => f.write_str("jsonl"),
            Kind::Part(number) => write!(f, "part{number}"),
            Kind::Conflict(number) => write!(f, "conflict{number}"),
        }
    }
}

impl Name {
    /// The name, if it is one of ours.
    pub(super) fn read(text: &str) -> Option<Name> {
        let (index, rest) = text.strip_prefix("shard-")?.split_once("-of-")?;
        let (of, kind) = rest.split_once('.')?;
        let number = |prefix| kind.strip_prefix(prefix).and_then(|text| text.parse().ok());
        let name = Name {
            index: index.parse().ok()?,
            of: of.parse().ok()?,
            kind: match kind {
                "jsonl" => Kind::Result,
                _ => number("part")
                    .map(Kind::Part)
                    .or_else(|| number("conflict").map(Kind::Conflict))?,
            },
        };
        // A number has one form.
        (name.to_string() == text).then_some(name)
    }
}

/// The numbers of the files beside a shard's result.
#[derive(Debug, Default)]
pub(super) struct Beside {
    pub(super) parts: Vec<u32>,
    pub(super) conflicts: Vec<u32>,
}

impl Beside {
    pub(super) fn add(&mut self, kind: Kind) {
        match kind {
            Kind::Result => {}
            Kind::Part(number) => self.parts.push(number),
            Kind::Conflict(number) => self.conflicts.push(number),
        }
    }
}

pub(super) fn exists(path: &Path) -> Result<bool, Error> {
    path.try_exists()
        .map_err(|error| Error::file(path, "look for", error))
}

/// Gives a file a second name; says so if the name is taken.
pub(super) fn link(path: &Path, name: &Path) -> Result<bool, Error> {
    let linked = linked(name, fs::hard_link(path, name))?;
    if linked {
        sync_folder(name);
    }
    Ok(linked)
}

/// Whether a name was given, or had been before. A folder that allows no hard links will
/// not allow the next one either.
fn linked(name: &Path, outcome: io::Result<()>) -> Result<bool, Error> {
    match outcome {
        Ok(()) => Ok(true),
        Err(error) => match error.kind() {
            ErrorKind::AlreadyExists => Ok(false),
            ErrorKind::PermissionDenied | ErrorKind::Unsupported | ErrorKind::TooManyLinks => {
                Err(Error::NoHardLinks {
                    folder: name.parent().unwrap_or(name).to_owned(),
                    reason: error.to_string(),
                })
            }
            _ => Err(Error::file(name, "publish (by a hard link)", error)),
        },
    }
}

/// Publishes a part under a name that nobody looks for, before any work is put into it.
pub(super) fn try_link(part: &Path) -> Result<(), Error> {
    let mut name = part.as_os_str().to_owned();
    name.push(".try");
    let name = Path::new(&name);
    // A worker that was killed at this moment has left one.
    remove(name)?;
    linked(name, fs::hard_link(part, name))?;
    remove(name)
}

/// Removes a file that has served its purpose; another worker may have done so.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Error::file(path, "remove", error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_name_and_nothing_else_is_one() {
        for kind in [Kind::Result, Kind::Part(0), Kind::Conflict(17)] {
            let name = Name {
                index: 3,
                of: 100,
                kind,
            };
            assert_eq!(Name::read(&name.to_string()), Some(name));
        }
        for other in [
            "shard-03-of-100.jsonl",
            "shard-3-of-100.part+1",
            "shard-3-of-100.part",
            "shard-3-of-100.part0.try",
            "shard-3-of-100.jsonl.bak",
            "shard-3-of-100",
            "jobs.log",
        ] {
            assert_eq!(Name::read(other), None, "{other}");
        }
    }

    #[test]
    fn only_a_folder_that_never_allows_links_is_called_so() {
        let name = Path::new("results/shard-0-of-1.jsonl");
        let fails = |kind: ErrorKind| linked(name, Err(kind.into()));
        assert_eq!(linked(name, Ok(())), Ok(true));
        assert_eq!(fails(ErrorKind::AlreadyExists), Ok(false));
        for kind in [ErrorKind::PermissionDenied, ErrorKind::Unsupported] {
            let refused = fails(kind).unwrap_err();
            assert!(matches!(refused, Error::NoHardLinks { .. }), "{refused}");
            assert!(refused.to_string().starts_with("the folder results allows"));
        }
        let full = fails(ErrorKind::StorageFull);
        assert!(matches!(full, Err(Error::File { .. })));
    }
}
