//! Results of this project's own machines, which `compare` and `plot` know by name. They
//! are the files of data/bench and a part of the program; a test holds the list and the
//! folder together.

/// A result: its name and its text.
pub type Reference<'a> = (&'a str, &'a str);

/// All of them; `scripts/bench-page` writes the list.
pub const ALL: &[Reference] = include!("../../../../data/bench/all.rs");

/// The text of the one with this name.
pub fn text<'a>(all: &[Reference<'a>], name: &str) -> Option<&'a str> {
    let found = all.iter().find(|(known, _)| *known == name);
    found.map(|&(_, text)| text)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_known_and_whole() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/bench");
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let mut results = 0;
        for file in files.filter(|file| file.extension().is_some_and(|end| end == "json")) {
            let name = file.file_stem().unwrap().to_str().unwrap();
            let text = text(ALL, name).unwrap_or_else(|| panic!("{name} is not in the list"));
            assert_eq!(text, fs::read_to_string(&file).unwrap());
            super::super::file::open(text.as_bytes(), name).unwrap();
            results += 1;
        }
        assert_eq!(results, ALL.len(), "a file of the list is gone");
    }
}
