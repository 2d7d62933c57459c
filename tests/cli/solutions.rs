//! `queens list`, `solve`, `check` and `draw`: the boards themselves.

use std::{fs, io::Write, process::Stdio};

use queens::{Board, format::Format, fundamental, solutions};

use super::program::{Ran, clean, command, ended, finish, object, queens, start};

/// The program with these arguments, blanks and all, and this standard input.
fn fed(arguments: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let mut command = command("");
    command.args(arguments).stdin(Stdio::piped());
    let mut child = start(command);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_ref()).unwrap();
    drop(stdin);
    ended(child)
}

fn columns(text: &str) -> Vec<Board> {
    text.lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn a_list_is_all_solutions_in_order() {
    for n in [0, 1, 2, 3, 4, 8, 10] {
        let listed = columns(&queens(&format!("list {n} --format columns")).ok());
        assert!(listed.into_iter().eq(solutions(n).unwrap()), "n = {n}");
    }
    assert_eq!(
        queens("list 4").ok(),
        ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n"
    );
    assert_eq!(queens("list 2 --format leetcode").ok(), "[]\n");
    assert_eq!(
        queens("list 4 --format leetcode").ok(),
        "[[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"],[\"..Q.\",\"Q...\",\"...Q\",\".Q..\"]]\n"
    );
}

#[test]
fn a_part_of_a_list_is_that_part() {
    let all: Vec<Board> = solutions(8).unwrap().collect();
    let part = |options: &str| columns(&queens(&format!("list 8 --format columns {options}")).ok());
    assert_eq!(part("--limit 5"), all[..5]);
    assert_eq!(part("--skip 90"), all[90..]);
    assert_eq!(part("--skip 10 --limit 3"), all[10..13]);
    assert_eq!(part("--skip 92"), []);
    assert_eq!(part("--limit 0"), []);
    let last = queens("list 8 --format jsonl --skip 91").json();
    assert_eq!(last["index"], 91);
}

#[test]
fn the_fundamental_ones_come_with_their_class_sizes() {
    let text = queens("list 8 --fundamental --format columns").ok();
    assert!(columns(&text).into_iter().eq(fundamental(8).unwrap()));
    let sizes = text.lines().map(|line| {
        let (_, size) = line.split_once("# class of ").unwrap();
        size.parse::<u32>().unwrap()
    });
    assert_eq!(sizes.sum::<u32>(), 92);
}

#[test]
fn more_than_ten_million_do_not_fill_a_terminal_or_a_file_by_accident() {
    for line in [
        "list 16",
        "list 28",
        "list 32 --format columns",
        "list 17 --fundamental",
    ] {
        let mut command = command(line);
        command.stdout(tempfile::tempfile().unwrap());
        finish(command).refused(2, &["10,000,000", "--limit", "--all"]);
    }
    assert_eq!(
        queens("list 16 --limit 2 --format columns")
            .ok()
            .lines()
            .count(),
        2
    );
    assert_eq!(
        queens("list 16 --fundamental --limit 1 -q")
            .ok()
            .lines()
            .count(),
        17
    );
}

#[test]
#[cfg(unix)]
fn a_reader_that_has_seen_enough_ends_the_list_cleanly() {
    let mut command = clean("sh");
    let program = env!("CARGO_BIN_EXE_queens");
    let line = format!("{{ '{program}' list 18 --format columns; echo $? >&2; }} | head -2");
    command.args(["-c", &line]);
    let ran = finish(command);
    assert_eq!(ran.stderr, "0\n");
    assert_eq!(ran.stdout.lines().count(), 2);
}

#[test]
#[cfg(unix)]
fn a_person_is_told_that_there_is_nothing_to_see() {
    let shown = |line: &str| super::program::on_terminal(command(line)).1;
    assert!(shown("list 3").contains("no solution to list for n = 3"));
    assert!(shown("list 4 --skip 9").contains("no solution left"));
    assert!(shown("solve 0").contains("n = 0 has one solution"));
    assert!(shown("list 3 -q").is_empty());
    // A program sees what there is: nothing.
    assert_eq!(queens("list 3").ok(), "");
}

#[test]
fn completions_are_listed_as_they_are_counted() {
    for squares in [
        "--with a8",
        "--with e5,a8",
        "--without d8,e8",
        "--with b4 --without a8",
    ] {
        let listed = queens(&format!("list 8 --format columns {squares}")).ok();
        let counted = queens(&format!("count 8 {squares}")).ok();
        assert_eq!(
            listed.lines().count().to_string(),
            counted.trim_end(),
            "{squares}"
        );
    }
    for line in ["list 8", "count 8"] {
        queens(&format!("{line} --with i1")).refused(2, &["\"i1\"", "a1 to h8"]);
        queens(&format!("{line} --without a0")).refused(2, &["\"a0\"", "a1 to h8"]);
    }
}

#[test]
fn given_queens_that_attack_each_other_leave_nothing_and_are_noted() {
    for (line, nothing) in [("count 8", "0\n"), ("list 8", "")] {
        let ran = queens(&format!("{line} --with c3,a8,f3"));
        assert_eq!((ran.code, &*ran.stdout), (Some(0), nothing));
        assert!(
            ran.stderr.contains("c3 and f3 attack each other"),
            "{ran:?}"
        );
        assert_eq!(queens(&format!("{line} --with c3,f3 -q")).ok(), nothing);
        let ran = queens(&format!("{line} --with b2 --without b2"));
        assert_eq!((ran.code, &*ran.stdout), (Some(0), nothing));
        assert!(ran.stderr.contains("b2 is both"), "{ran:?}");
    }
}

#[test]
fn classes_are_counted() {
    assert_eq!(queens("count 8 --fundamental").ok(), "12\n");
    assert_eq!(
        queens("count 0..4 --fundamental").ok(),
        "0\t1\n1\t1\n2\t0\n3\t0\n4\t1\n"
    );
    assert_eq!(
        queens("count 12 --classes").ok(),
        "8\t1765\n4\t18\n2\t4\n1\t0\n"
    );
    assert_eq!(queens("count 1..1 --classes").ok(), "1\t1\t0\t0\t0\t1\n");
    let object = queens("count 8 --classes --json").json();
    assert_eq!(object["count"], "92");
    assert_eq!(object["fundamental"], "12");
    assert_eq!(object["classes"]["8"], "11");
    assert_eq!(object["known"], "match");
}

#[test]
fn one_solution_is_found_for_any_side() {
    for n in [0, 1, 4, 5, 8, 100, 101, 1_000] {
        let text = queens(&format!("solve {n}")).ok();
        assert_eq!(text.parse::<Board>().unwrap().n(), n);
    }
    let large = queens("solve 1000000").ok();
    assert_eq!(large.parse::<Board>().unwrap().n(), 1_000_000);
    for n in [2, 3] {
        for options in ["", "--random --seed 1"] {
            queens(&format!("solve {n} {options}")).refused(4, &["no solution"]);
        }
    }
    queens("solve 1000001").refused(2, &["1000001", "0 to 1000000"]);
    queens("solve eight").refused(2, &["\"eight\"", "0 to 1000000"]);
}

#[test]
fn a_seed_gives_the_same_random_solution_again() {
    let random = |n, seed| {
        queens(&format!(
            "solve {n} --random --seed {seed} --format columns"
        ))
        .ok()
    };
    for n in [8, 20, 200] {
        assert_eq!(random(n, 7), random(n, 7));
        assert_eq!(random(n, 7).parse::<Board>().unwrap().n(), n);
    }
    assert_ne!(random(20, 7), random(20, 8));
    let ran = queens("solve 20 --random --format columns");
    let seed = ran.stderr.trim_end().strip_prefix("seed ").unwrap();
    assert_eq!(random(20, seed.parse().unwrap()), ran.stdout);
}

#[test]
fn a_solution_is_checked_in_every_notation() {
    let board: Board = "[1 6 4 7 0 3 5 2]".parse().unwrap();
    let canonical = "valid, n = 8\ncanonical form: [1 6 4 7 0 3 5 2]\nclass size: 8\n";
    for &format in Format::ALL {
        let text = format.text(&board);
        assert_eq!(fed(&["check"], &text).ok(), canonical, "{format}");
        assert_eq!(fed(&["check", "-"], &text).ok(), canonical, "{format}");
        assert_eq!(fed(&["check", &text], "").ok(), canonical, "{format}");
    }
    assert_eq!(queens("check 2 7 5 8 1 4 6 3").ok(), canonical);
    let mirrored = queens("check [6,1,3,0,7,4,2,5]").ok();
    assert_eq!(mirrored, canonical);
}

#[test]
fn a_solution_is_read_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.txt");
    fs::write(&file, ".Q..\n...Q\nQ...\n..Q.\n").unwrap();
    let path = file.to_str().unwrap();
    assert!(fed(&["check", path], "").ok().contains("class size: 2\n"));
    fs::write(&file, ".Q..\n..Q.\nQ...\n...Q\n").unwrap();
    fed(&["check", path], "").refused(4, &["b4 and c3"]);
    queens("check no-such-file.txt").refused(2, &["no file", "no-such-file.txt"]);
}

#[test]
fn what_is_no_solution_is_said_with_the_reason() {
    queens("check [0 1 2 3]").refused(4, &["a4 and b3", "attack"]);
    queens("check b4 d3 a3 c1").refused(4, &["d3 and a3", "attack"]);
    fed(&["check"], ".Q..\n...Q\n....\n..Q.\n").refused(4, &["no queen in row 2"]);
    queens("check 1 3 x 2").refused(2, &["\"x\"", "line 1, character 5"]);
    fed(&["check"], "Q..\n..Q\n.\n").refused(2, &["\".\"", "line 3, character 1"]);
    let ran = queens("check [0 1 2 3] --json");
    let object = object(&ran.stdout);
    assert_eq!(ran.code, Some(4));
    assert_eq!(object["valid"], false);
    assert_eq!(object["attack"], serde_json::json!(["a4", "b3"]));
    let object = queens("check b4 d3 a2 c1 --json").json();
    assert_eq!(object["valid"], true);
    assert_eq!(object["canonical"], serde_json::json!([1, 3, 0, 2]));
    assert_eq!(object["class_size"], 2);
}

#[test]
fn several_solutions_are_checked_one_by_one() {
    let all = queens("list 6").ok();
    for format in ["board", "columns", "squares", "jsonl", "unicode"] {
        let listed = queens(&format!("list 6 --format {format}")).ok();
        let said = fed(&["check"], &listed).ok();
        assert_eq!(said.lines().count(), 4, "{format}: {said}");
        assert!(
            said.starts_with("solution 1: valid, n = 6, class size 4\n"),
            "{said}"
        );
    }
    let json = fed(&["check", "--json"], &all).ok();
    let valid = json.lines().map(object);
    assert_eq!(valid.filter(|object| object["valid"] == true).count(), 4);

    let ran = fed(&["check"], "[1 3 0 2]\n[0 1 2 3]\n[2 0 3 1]\n");
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(
        ran.stdout
            .contains("solution 2: not valid, the queens on a4 and b3"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("1 of 3 solutions not valid"), "{ran:?}");
    let ran = fed(&["check"], "[1 3 0 2]\n[0 x 2 3]\n");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.stderr.contains("solution 2") && ran.stderr.contains("\"x\""),
        "{ran:?}"
    );
}

#[test]
fn what_is_no_text_or_no_solution_at_all_is_refused_in_a_line() {
    for nothing in ["", "\n", " \n\n", "# a comment\n"] {
        fed(&["check"], nothing).refused(2, &["no solution to check"]);
    }
    fed(&["check"], b"\xff\xfe").refused(2, &["standard input", "UTF-8"]);
    let ran = fed(&["check"], "no".repeat(1_000_000));
    assert!(ran.stderr.len() < 1000, "{}", ran.stderr.len());
    ran.refused(2, &["nono"]);
    assert!(
        fed(&["check", "B4 D3 A2 C1"], "")
            .ok()
            .starts_with("valid, n = 4\n")
    );
}

#[test]
#[cfg(unix)]
fn a_pipe_or_a_device_by_name_keeps_nobody_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(clean("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = pipe.to_str().unwrap();
    for line in [
        format!("check {pipe}"),
        "check /dev/zero".to_owned(),
        format!("plot {pipe} -o -"),
        format!("bench --n 6 --baseline {pipe}"),
    ] {
        queens(&line).refused(1, &["not a regular file"]);
    }
    for line in [
        format!("draw 8 -o {pipe}"),
        format!("bench --n 6 --export-json {pipe}"),
    ] {
        queens(&line).refused(1, &["cannot write", "it is a pipe"]);
    }
    let program = env!("CARGO_BIN_EXE_queens");
    for (line, code, words) in [
        ("check </dev/zero", 1, "standard input: it is a device"),
        ("check /dev/stdin </dev/zero", 1, "not a regular file"),
        ("check </dev/null", 2, "no solution to check"),
    ] {
        let mut shell = clean("sh");
        shell.args(["-c", &format!("'{program}' {line}")]);
        finish(shell).refused(code, &[words]);
    }
    // What is open already is written to.
    let mut shell = clean("sh");
    shell.current_dir(folder.path());
    shell.args(["-c", &format!("'{program}' draw 8 -q -o /dev/fd/3 3>board")]);
    finish(shell).ok();
    let drawn = fs::read_to_string(folder.path().join("board")).unwrap();
    assert!(drawn.starts_with("<svg"), "{drawn}");
    let mut shell = clean("bash");
    shell.args(["-c", &format!("'{program}' check <('{program}' solve 6)")]);
    if let Ok(output) = shell.output() {
        assert!(output.stdout.starts_with(b"valid, n = 6\n"), "{output:?}");
    }
}

#[test]
fn a_solution_is_also_one_json_object() {
    let object = queens("solve 6 --json").json();
    assert_eq!(object["n"], 6);
    assert_eq!(object["columns"], serde_json::json!([1, 3, 5, 0, 2, 4]));
    queens("solve 6 --json --format columns").refused(2, &["--json", "--format"]);
}

fn drawn(line: &str) -> String {
    let picture = queens(&format!("draw {line} -o -")).ok();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    picture
}

#[test]
fn a_picture_shows_the_solution_asked_for() {
    assert!(drawn("8 --index 0").contains("<title>8 queens: a8 e7 h6 f5 c4 g3 b2 d1</title>"));
    assert!(drawn("4 --columns b4,d3,a2,c1").contains("<title>4 queens: b4 d3 a2 c1</title>"));
    assert!(drawn("50").contains("<title>50 queens: "));
    assert_eq!(drawn("20 --random --seed 7"), drawn("20 --random --seed 7"));
    assert_ne!(drawn("20 --random --seed 7"), drawn("20 --random --seed 8"));
    let sheet = drawn("8 --sheet");
    assert_eq!(sheet.matches(" images</text>").count(), 12);
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/eight.svg");
    assert_eq!(fs::read_to_string(committed).unwrap(), sheet);

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.svg");
    fed(&["draw", "6", "-q", "-o", file.to_str().unwrap()], "").ok();
    assert_eq!(fs::read_to_string(file).unwrap(), drawn("6"));
}

#[test]
fn an_index_means_the_place_in_the_list_of_the_same_options() {
    for options in [
        "",
        "--fundamental",
        "--with a8",
        "--without a8,b8",
        "--with a8 --without e7",
    ] {
        let list = queens(&format!(
            "list 8 --skip 2 --limit 1 --format jsonl {options}"
        ))
        .ok();
        let entry = object(&list);
        assert_eq!(entry["index"], 2, "{options}");
        let squares = entry["squares"].as_array().unwrap().iter();
        let squares: Vec<_> = squares.map(|square| square.as_str().unwrap()).collect();
        let title = format!("<title>8 queens: {}</title>", squares.join(" "));
        assert!(
            drawn(&format!("8 --index 2 {options}")).contains(&title),
            "{options}"
        );
    }
    assert_eq!(drawn("8 --with a8"), drawn("8 --with a8 --index 0"));
    queens("draw 8 --with a8 --index 4 -o -").refused(4, &["index 4", "it has 4"]);
    queens("draw 8 --with a8 --random -o -").refused(2, &["--with", "--random"]);
    queens("draw 8 --sheet --fundamental -o -").refused(2, &["--sheet", "--fundamental"]);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    queens("draw 3 -o -").refused(4, &["no solution for n = 3"]);
    queens("draw 3 --sheet -o -").refused(4, &["no solution for n = 3"]);
    queens("draw 8 --index 92 -o -").refused(4, &["92", "numbered from 0"]);
    queens("draw 8 --columns [1,3,0,2] -o -").refused(2, &["n = 4", "n = 8"]);
    queens("draw 4 --columns [0,1,2,3] -o -").refused(4, &["a4 and b3"]);
    queens("draw 14 --sheet -o -").refused(2, &["10000", "13"]);
    queens("draw 1001 -o -").refused(2, &["\"1001\"", "1000"]);
    queens("draw 8 -o no-such-folder/x.svg").refused(1, &["no-such-folder/x.svg"]);
}
