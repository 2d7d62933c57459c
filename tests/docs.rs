//! Every public item of the library has an example, which `cargo test --doc` runs.
//!
//! The sources are read for it. The lint `unreachable_pub` sees to it that what is
//! called `pub` there is what a user can reach, and rustfmt that an item begins on a
//! line of its own, below its documentation and its attributes.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The sources of the library: all but those of the program.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("src/main.rs") || path.ends_with("src/cli") {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// Whether this line begins an item, other than a module, a re-export or a field.
fn is_public_item(line: &str) -> bool {
    let item = line.trim_start().strip_prefix("pub ");
    let kind = item.and_then(|item| item.split(' ').next());
    kind.is_some_and(|kind| {
        let kinds = "fn const static struct enum union trait type unsafe async extern";
        kinds.split(' ').any(|one| one == kind)
    })
}

/// The public items of a source, each with its line number and whether it has an
/// example.
fn items(source: &str) -> Vec<(usize, &str, bool)> {
    let mut items = Vec::new();
    let (mut in_trait, mut in_block, mut example) = (false, false, false);
    for (line, number) in source.lines().zip(1..) {
        let text = line.trim_start();
        if let Some(language) = text.strip_prefix("/// ```") {
            example |= !in_block && !["text", "ignore"].contains(&language);
            in_block = !in_block;
        }
        if text.starts_with("///") || text.starts_with("#[") {
            continue;
        }
        if is_public_item(line) || in_trait && line.starts_with("    fn ") {
            items.push((number, text, example));
        }
        in_trait = line.starts_with("pub trait ") || in_trait && line != "}";
        example = false;
    }
    items
}

#[test]
fn every_public_item_has_an_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut all, mut without) = (0, Vec::new());
    for path in sources(&root.join("src")) {
        let source = fs::read_to_string(&path).unwrap();
        for (line, item, example) in items(&source) {
            all += 1;
            if !example {
                let path = path.strip_prefix(root).unwrap().display();
                without.push(format!("{path}:{line}: {item}"));
            }
        }
    }
    assert!(all > 100, "only {all} public items found");
    assert!(
        without.is_empty(),
        "public items without a doctest:\n{}",
        without.join("\n")
    );
}

#[test]
fn items_without_an_example_are_found() {
    let source = "
/// Some text.
///
/// ```
/// assert_eq!(queens::count(8)?, 92);
/// ```
#[derive(Debug)]
pub struct Shown {
    /// A field needs none.
    pub field: u32,
}

/// ```text
/// a drawing
/// ```
pub trait Bare {
    fn method();
}

pub(crate) fn not_public() {}
    pub const fn bare() {}
";
    let found: Vec<_> = items(source)
        .into_iter()
        .map(|(_, _, shown)| shown)
        .collect();
    assert_eq!(found, [true, false, false, false]);
}
