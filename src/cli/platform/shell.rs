//! The command that was typed, as one can type it again.

/// The command that was typed, for a shell of this system.
pub fn command_line() -> String {
    let quoted = if cfg!(windows) { for_cmd } else { for_posix };
    let words = std::env::args_os().map(|word| quoted(&word.to_string_lossy()));
    words.collect::<Vec<_>>().join(" ")
}

/// The word as it is, or in quotes where a POSIX shell would read it otherwise.
fn for_posix(word: &str) -> String {
    if is_plain(word, "_-./=:,@%+") {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The word as it is, or in quotes where cmd or a program's runtime would read it
/// otherwise. No path has a quotation mark there.
fn for_cmd(word: &str) -> String {
    if is_plain(word, "_-./=:,@+\\") {
        return word.to_owned();
    }
    format!("\"{word}\"")
}

fn is_plain(word: &str, marks: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || marks.contains(c);
    !word.is_empty() && word.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_only_where_a_shell_needs_it() {
        let option = "--checkpoint=run/1.jsonl";
        assert_eq!(for_posix(option), option);
        assert_eq!(for_posix("my run"), "'my run'");
        assert_eq!(for_posix("it's"), r"'it'\''s'");
        assert_eq!(for_posix(r"C:\runs"), r"'C:\runs'");
        assert_eq!(for_posix(""), "''");
        assert_eq!(for_cmd(option), option);
        assert_eq!(for_cmd(r"C:\runs\1.jsonl"), r"C:\runs\1.jsonl");
        assert_eq!(for_cmd(r"C:\my runs"), r#""C:\my runs""#);
        assert_eq!(for_cmd(""), r#""""#);
    }
}
