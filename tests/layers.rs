//! The folders of `src/` build on each other in one direction.
//!
//! ```text
//! board -> solutions
//! board, threads -> engine -> count -> ledger, estimate -> cli
//! ```
//!
//! The sources are read for it: every path that begins with `crate::` is an edge from
//! the folder of its file to the folder that it names. Only `error` may be named from
//! everywhere and name everything. Tests may look wherever they like.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// What each folder may use. Whoever adds an edge adds it here, and says why it is not
/// the wrong way round.
const ALLOWED: &[(&str, &[&str])] = &[
    ("board", &[]),
    ("threads", &[]),
    ("random", &[]),
    ("solutions", &["board", "threads", "random"]),
    ("engine", &["board", "threads"]),
    ("count", &["board", "threads", "random", "engine"]),
    ("ledger", &["board", "engine", "count"]),
    (
        "estimate",
        &["board", "threads", "random", "engine", "count"],
    ),
];

/// The sources of a folder, or of a file at the top, without their tests.
fn sources(path: &Path) -> Vec<String> {
    if path.ends_with("tests") || path.ends_with("tests.rs") {
        return Vec::new();
    }
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap();
        return entries
            .flat_map(|entry| sources(&entry.unwrap().path()))
            .collect();
    }
    vec![untested(&fs::read_to_string(path).unwrap())]
}

/// A source without comments and without items that are compiled for tests only. Such
/// an item ends with the line that closes it: rustfmt puts its brace or its semicolon
/// below the attribute.
fn untested(source: &str) -> String {
    let (mut kept, mut skipped) = (String::new(), None);
    for line in source.lines() {
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        match skipped {
            None if text.starts_with("#[cfg(test)]") || text.starts_with("#[cfg(all(test") => {
                skipped = Some(indent);
            }
            None if text.starts_with("//") => {}
            None => kept.extend([line, "\n"]),
            Some(indent) => {
                let rest = line.strip_prefix(indent).unwrap_or(text);
                let ends = rest == "}" || !rest.starts_with([' ', '#']) && rest.ends_with(';');
                skipped = if ends { None } else { Some(indent) };
            }
        }
    }
    kept
}

/// The first names of the paths in this crate: `crate::a::b` and `crate::{a::b, c}`.
fn named(source: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (start, _) in source.match_indices("crate::") {
        let path = &source[start + "crate::".len()..];
        match path.strip_prefix('{') {
            None => names.extend(first_word(path)),
            Some(group) => {
                let mut depth = 0;
                let mut at_start = true;
                for (place, character) in group.char_indices() {
                    if at_start && depth == 0 {
                        names.extend(first_word(&group[place..]));
                    }
                    at_start = character == ',' || at_start && character.is_whitespace();
                    match character {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        _ => {}
                    }
                }
            }
        }
    }
    names
}

fn first_word(text: &str) -> Option<String> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    (end > 0).then(|| text[..end].to_owned())
}

/// The folders that each folder of the library uses.
fn edges() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut edges = BTreeMap::new();
    for entry in fs::read_dir(&root).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if ["lib", "main", "error", "cli"].contains(&name.as_str()) {
            continue;
        }
        let mut used = BTreeSet::new();
        for source in sources(&path) {
            used.extend(named(&source));
        }
        used.remove("error");
        used.remove(&name);
        edges.insert(name, used);
    }
    edges
}

#[test]
fn every_folder_uses_only_what_it_may() {
    let edges = edges();
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    for (folder, used) in &edges {
        let may = allowed.get(folder.as_str());
        let may = may.unwrap_or_else(|| panic!("src/{folder} has no place in the layers"));
        for other in used {
            assert!(may.contains(&other.as_str()), "src/{folder} uses {other}");
        }
    }
    assert_eq!(edges.len(), ALLOWED.len(), "a folder is gone");
}

#[test]
fn nothing_is_allowed_that_turns_back() {
    // In the order of the list, each uses only what stands before it.
    for (place, (folder, may)) in ALLOWED.iter().enumerate() {
        let before = &ALLOWED[..place];
        for other in *may {
            let below = before.iter().any(|(name, _)| name == other);
            assert!(below, "{folder} and {other} are in a cycle");
        }
    }
}

#[test]
fn the_library_knows_nothing_of_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(&root).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("main.rs") || path.ends_with("cli") {
            continue;
        }
        for source in sources(&path) {
            assert!(!named(&source).contains("cli"), "{}", path.display());
        }
    }
    // And the program uses the library by its public name alone.
    for source in sources(&root.join("cli")) {
        assert_eq!(named(&source).into_iter().find(|name| name != "cli"), None);
    }
}

#[test]
fn edges_are_read_from_any_form_of_a_path() {
    let source = "
use crate::{
    board::{Board, mask::full},
    error::Error,
};
// crate::comment
pub(crate) use crate::engine;
fn f() -> crate::count::Plan {}

#[cfg(test)]
#[path = \"x.rs\"]
mod oracle;
use crate::threads::{Cancel, Crew};
#[cfg(test)]
mod tests {
    use crate::ledger;

    fn test() {}
}
";
    let names: Vec<String> = named(&untested(source)).into_iter().collect();
    assert_eq!(names, ["board", "count", "engine", "error", "threads"]);
}
