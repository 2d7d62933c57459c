//! What a person sees on terminals of 40, 80 and 120 columns: no line is longer, and no
//! number is cut.

use std::process::Command;

use super::program::{command, left_on_screen, queens, written_to_columns};

const COLUMNS: [u16; 3] = [40, 80, 120];

fn program(line: &str) -> Command {
    let mut command = command(line);
    command.env("NO_COLOR", "1");
    command
}

/// What the terminal has shown, and what was left on it in the end.
fn shown(line: &str, columns: u16) -> (String, String) {
    let (code, shown) = written_to_columns(program(line), columns);
    assert_eq!(code, Some(0), "{line}: {shown}");
    let left = left_on_screen(&shown);
    (shown, left)
}

#[track_caller]
fn fits<'a>(lines: impl Iterator<Item = &'a str>, columns: u16) {
    for line in lines {
        assert!(line.chars().count() <= columns.into(), "{columns}: {line}");
    }
}

#[test]
fn the_bar_fits_and_says_only_whole_words() {
    for columns in COLUMNS {
        // However fast the machine, it has a second to show the bar.
        let line = "count 18 --engine rows --threads 1 --time-limit 1s";
        let (code, shown) = written_to_columns(program(line), columns);
        assert_eq!(code, Some(130), "{shown}");
        let bars: Vec<_> = shown
            .split('\r')
            .filter(|text| text.starts_with('['))
            .collect();
        assert!(!bars.is_empty(), "{columns}: {shown:?}");
        for bar in bars {
            let bar = bar.split("\x1b[K").next().unwrap();
            fits([bar].into_iter(), columns - 1);
            let (_, words) = bar.split_once("] n = 18 ").unwrap();
            for (place, word) in words.split(", ").enumerate() {
                let unit = word.split_whitespace().last().unwrap();
                let units: &[&str] = match place {
                    0 => &["%"],
                    1 | 2 => &["estimating", "ms", "s"],
                    3 => &["solutions"],
                    _ => &["/s"],
                };
                assert!(units.iter().any(|end| unit.ends_with(end)), "{bar}");
            }
        }
    }
}

#[test]
fn tables_and_pages_fit() {
    for columns in COLUMNS {
        for line in [
            "bench --n 8,10 --threads 1,2 --repeats 2 --engine rows,colours",
            "count 4..12 --classes",
            "count 8..14",
            "count 12 --double-check",
            "estimate 14 --samples 100 --seed 1",
            "info",
            "ledger --help",
        ] {
            // The parser's own help is not made for less than 80.
            if columns < 80 && line.ends_with("--help") {
                continue;
            }
            let (_, left) = shown(line, columns);
            // Only a word that is wider than the terminal may be broken by it.
            let lines = left.lines().filter(|line| line.trim().contains(' '));
            fits(lines, columns);
        }
    }
}

#[test]
fn a_narrow_table_has_the_important_columns() {
    let (_, narrow) = shown("count 4..8 --classes", 40);
    let (_, wide) = shown("count 4..8 --classes", 120);
    assert!(
        narrow.starts_with(" n  fundamental          time\n"),
        "{narrow}"
    );
    let heads = " n  fundamental  of 8  of 4  of 2  of 1          time  OEIS A002562\n";
    assert!(wide.starts_with(heads), "{wide}");
    // To a program it is all the same.
    assert_eq!(
        queens("count 8 --classes").ok(),
        "8\t11\n4\t1\n2\t0\n1\t0\n"
    );
}
