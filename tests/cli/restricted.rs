//! Boards with required and forbidden squares: recorded, sharded, double-checked, by square.

use std::fs;

#[cfg(unix)]
use super::program::{command, written_to_columns};
use super::program::{queens, queens_of};

/// A count in several blocks.
const PART: &str = "15 --without a1,c4 --engine colours";

fn by_rows() -> String {
    queens("count 15 --without a1,c4 --engine rows").ok()
}

#[test]
fn a_restricted_count_is_recorded_resumed_and_double_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("part.jsonl");
    let count = |part: &str, more: &str| {
        let line = format!("count {part} {more} --checkpoint {}", file.display());
        queens(&line)
    };
    let whole = count(PART, "--double-check").ok();
    assert_eq!(whole, by_rows());
    // Without its last lines, as after a kill.
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() > 4, "{text}");
    fs::write(&file, lines[..lines.len() / 2].join("\n") + "\n").unwrap();
    let resumed = count(PART, "");
    assert_eq!((resumed.code, &resumed.stdout), (Some(0), &whole));
    assert!(resumed.stderr.contains("resuming with"), "{resumed:?}");
    // The order of the squares does not matter, which they are does.
    let again = count("15 --without c4,a1 --engine colours", "-q");
    assert_eq!(again.ok(), whole);
    count("15 --without a1 --engine colours", "").refused(12, &["restricted board"]);
    count("15 --engine colours", "").refused(12, &["restricted board"]);
    let shown = queens(&format!("ledger show {}", file.display())).ok();
    assert!(shown.contains("without a1 c4"), "{shown}");
    let merged = queens(&format!("ledger merge {}", file.display())).ok();
    assert_eq!(merged, whole);
}

#[test]
fn shards_of_a_restricted_count_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let shard = |command: &str, part: &str| {
        let place = format!("--shards 3 --dir {}", folder.path().display());
        queens(&format!("shard {command} {part} {place}"))
    };
    assert_eq!(shard("run", &format!("{PART} -q")).code, Some(0));
    assert_eq!(shard("merge", PART).ok(), by_rows());
    assert_eq!(shard("verify", &format!("{PART} --sample 2")).code, Some(0));
    let other = shard("merge", "15 --without a1 --engine colours");
    assert_eq!(other.code, Some(12), "{other:?}");
    shard("merge", &format!("{PART} --fundamental")).refused(2, &["--fundamental"]);
    shard("run", "15 --with a1,b2").refused(4, &["a1 and b2 attack each other"]);
}

#[test]
fn an_estimate_knows_the_squares() {
    let object = queens("estimate 14 --with a1 --engine colours --seconds 1 --json").json();
    assert_eq!(object["with"], serde_json::json!(["a1"]));
    assert_eq!(object["known"], "unknown");
    let count: f64 = queens("count 14 --with a1").ok().trim().parse().unwrap();
    let estimate = object["estimate"].as_f64().unwrap();
    assert!(0.5 * count < estimate && estimate < 2.0 * count, "{object}");
    for engine in ["rows", "colours"] {
        let none = queens(&format!("estimate 14 --with a1,b2 --engine {engine} -q"));
        assert_eq!(none.ok(), "0\t0\t0\n");
    }
}

#[test]
fn a_contradiction_is_0_at_once_with_its_reason() {
    for (squares, reason) in [
        ("--with a1,b2", "a1 and b2 attack each other"),
        (
            "--with a1 --without a1",
            "a1 is both required and forbidden",
        ),
        (
            "--without a32,b32,c32,d32,e32,f32,g32,h32,i32,j32,k32,l32,m32,n32,o32,p32,\
             q32,r32,s32,t32,u32,v32,w32,x32,y32,z32,aa32,ab32,ac32,ad32,ae32,af32",
            "no square of rank 32 is left",
        ),
    ] {
        for engine in ["auto", "rows", "colours"] {
            let words = format!("count 32 {squares} --engine {engine}");
            let words: Vec<&str> = words.split_whitespace().collect();
            let ran = queens_of(&words);
            assert_eq!((ran.code, &*ran.stdout), (Some(0), "0\n"), "{ran:?}");
            assert!(ran.stderr.contains(reason), "{ran:?}");
            assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
            let json = [&words[..], &["--json", "-q"]].concat();
            let object = queens_of(&json).json();
            let said = object["reason"].as_str().unwrap();
            assert!(said.contains(reason), "{said}");
        }
    }
    let json = queens("count 8 --with a1 --json").ok();
    assert!(!json.contains("reason"), "{json}");
}

/// The counts of a line of squares, by name.
fn by_square(line: &str) -> Vec<(String, u128)> {
    let text = queens(line).ok();
    let pair = |line: &str| {
        let (square, count) = line.split_once('\t').unwrap();
        (square.to_owned(), count.parse().unwrap())
    };
    text.lines().map(pair).collect()
}

#[test]
fn the_squares_of_a_row_or_column_add_up_to_all_solutions() {
    for line in ["a1..j1", "j7..a7", "c1..c10"] {
        let counts = by_square(&format!("count 10 --by-square {line}"));
        assert_eq!(counts.len(), 10);
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u128>(), 724);
        for (square, count) in &counts[..3] {
            let alone = queens(&format!("count 10 --with {square}")).ok();
            assert_eq!(alone.trim(), count.to_string(), "{square}");
        }
    }
    let counts = by_square("count 10 --by-square a1..j1 --with b4 --without e1");
    let with = queens("count 10 --with b4 --without e1").ok();
    let sum: u128 = counts.iter().map(|(_, count)| count).sum();
    assert_eq!(sum.to_string(), with.trim());
    assert_eq!((&*counts[4].0, counts[4].1), ("e1", 0));
}

#[test]
fn the_whole_board_is_one_object_and_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heat.svg");
    let line = format!("count 6 --by-square all --json -q -o {}", file.display());
    let object = queens(&line).json();
    assert_eq!(object["total"], "4");
    assert_eq!(object["known"], "match");
    let squares = object["squares"].as_array().unwrap();
    assert_eq!(squares.len(), 36);
    // No solution has a queen in a corner, and each has one on every rank.
    assert_eq!(squares[0]["square"], "a1");
    assert_eq!(squares[0]["count"], "0");
    let picture = fs::read_to_string(&file).unwrap();
    assert_eq!(picture.matches("<title>").count(), 37);
    let printed = queens("count 6 --by-square all -o -").ok();
    assert_eq!(printed, picture);
}

#[test]
fn what_makes_no_sense_by_square_is_refused() {
    queens("count 8..9 --by-square a1..h1").refused(2, &["single n"]);
    queens("count 8 --by-square a1..j1").refused(2, &["\"j1\"", "a1 to h8"]);
    queens("count 8 --by-square row").refused(2, &["\"row\"", "a1..h1"]);
    queens("count 8 --by-square all --checkpoint x").refused(2, &["--checkpoint"]);
    queens("count 8 --by-square all --fundamental").refused(2, &["--fundamental"]);
    queens("count 8 -o x.svg").refused(2, &["--by-square"]);
    queens("count 8 --by-square all -o x.png").refused(2, &["x.svg"]);
    queens("count 8 --by-square all -o /nowhere/x.svg").refused(1, &["/nowhere/x.svg"]);
}

#[test]
#[cfg(unix)]
fn tables_by_square_fit_the_terminal() {
    let shown = |line: &str, columns| {
        let mut command = command(line);
        command.env("NO_COLOR", "1");
        let (code, text) = written_to_columns(command, columns);
        assert_eq!(code, Some(0), "{text}");
        assert!(
            text.lines()
                .all(|line| line.trim_end().chars().count() <= columns.into()),
            "{text}"
        );
        text
    };
    let board = shown("count 8 --by-square all", 80);
    assert!(board.contains("92 solutions for n = 8 in all"), "{board}");
    assert!(board.contains("agrees with OEIS A000170"), "{board}");
    // On a narrow one there is a line for each square.
    assert!(board.contains("\n 1  43  87 174 196"), "{board}");
    let narrow = shown("count 8 --by-square all", 30);
    assert!(narrow.contains("    a1          4   4.35 %"), "{narrow}");
    let rank = shown("count 8 --by-square a1..h1 --double-check", 80);
    assert!(rank.contains("double-checked"), "{rank}");
}
