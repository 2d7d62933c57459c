//! What holds for every listing: all solutions, each once, in order, in every notation.

use std::collections::{HashMap, HashSet};

use queens::{
    Board, Count, Problem, Solutions, Square, Symmetry, count, format::Format, format::Printer,
    fundamental, solutions,
};

#[test]
fn the_list_is_as_long_as_the_count_and_in_order() {
    for n in 0..=12 {
        let mut listed = 0;
        let mut before: Option<Board> = None;
        for board in solutions(n).unwrap() {
            assert!(Board::new(board.columns().to_vec()).is_ok());
            assert!(before.is_none_or(|before| before < board), "n = {n}");
            before = Some(board);
            listed += 1;
        }
        assert_eq!(listed, count(n).unwrap(), "n = {n}");
    }
}

#[test]
fn the_iterator_ends_for_good() {
    for n in [0, 1, 2, 3, 4, 8] {
        let mut all = solutions(n).unwrap();
        assert_eq!(all.by_ref().count() as u128, count(n).unwrap());
        assert!(all.next().is_none() && all.next().is_none());
        let mut classes = fundamental(n).unwrap();
        classes.by_ref().for_each(drop);
        assert!(classes.next().is_none() && classes.next().is_none());
    }
    assert!(solutions(33).is_err() && fundamental(33).is_err());
}

#[test]
fn the_first_solution_of_the_largest_board_comes_at_once() {
    // Through the middle of a restricted board of side 32: all 32 columns are used.
    let start = queens::solve(32).unwrap().unwrap();
    let upper = start.squares().take(16);
    let problem = upper.fold(Problem::new(32).unwrap(), |problem, square| {
        problem.require(square).unwrap()
    });
    let mut completions = Solutions::of(&problem);
    assert!(completions.any(|board| board == start));
}

#[test]
fn the_twelve_and_the_ninety_two() {
    let twelve: Vec<Board> = fundamental(8).unwrap().collect();
    assert_eq!(twelve.len(), 12);
    let images: HashSet<Board> = twelve.iter().flat_map(Board::images).collect();
    let all: HashSet<Board> = solutions(8).unwrap().collect();
    assert_eq!(images.len(), 92);
    assert_eq!(images, all);
}

#[test]
fn the_classes_divide_the_solutions() {
    for n in 0..=10 {
        let mut classes: HashMap<Board, u32> = HashMap::new();
        for board in solutions(n).unwrap() {
            *classes.entry(board.canonical()).or_default() += 1;
        }
        for (canonical, members) in &classes {
            assert!(canonical.is_canonical());
            assert_eq!(canonical.class_size(), *members, "n = {n}");
        }
        assert_eq!(fundamental(n).unwrap().count(), classes.len());
    }
    for n in 11..=12 {
        let sizes = fundamental(n).unwrap().map(|board| board.class_size());
        let total: u128 = sizes.map(u128::from).sum();
        assert_eq!(total, count(n).unwrap(), "n = {n}");
    }
}

#[test]
fn the_images_of_a_board_form_the_group() {
    for board in solutions(7).unwrap() {
        let images = board.images();
        for (symmetry, image) in Symmetry::ALL.iter().copied().zip(&images) {
            assert_eq!(board.image(symmetry), *image);
            let moved: HashSet<Square> = board
                .squares()
                .map(|queen| symmetry.square(queen, 7).unwrap())
                .collect();
            assert_eq!(moved, image.squares().collect());
            assert_eq!(image.canonical(), board.canonical());
            for &then in Symmetry::ALL {
                assert_eq!(image.image(then), board.image(symmetry.then(then)));
            }
        }
    }
}

#[test]
fn every_format_reads_back() {
    for n in [0, 1, 4, 5, 6, 8, 10] {
        for board in fundamental(n).unwrap() {
            for &format in Format::ALL {
                let text = format.text(&board);
                assert_eq!(text.parse::<Board>().unwrap(), board, "{format}: {text}");
            }
            assert_eq!(board.to_string().parse::<Board>().unwrap(), board);
        }
    }
    for n in [26, 27, 30, 100, 703] {
        let board = queens::solve_random(n, 1).unwrap().unwrap();
        for &format in Format::ALL {
            let text = format.text(&board);
            assert_eq!(text.parse::<Board>().unwrap(), board, "{format}, n = {n}");
        }
    }
    let large = queens::solve(queens::MAX_SOLVE_N).unwrap().unwrap();
    for format in [Format::Columns, Format::Squares, Format::Jsonl] {
        assert_eq!(
            format.text(&large).parse::<Board>().unwrap(),
            large,
            "{format}"
        );
    }
}

fn listing(format: Format, n: u32, class_sizes: bool) -> String {
    let mut text = Vec::new();
    let mut printer = Printer::new(format, n, &mut text);
    if class_sizes {
        printer = printer.class_sizes();
    }
    for board in solutions(n).unwrap() {
        printer.print(board.columns()).unwrap();
    }
    printer.finish().unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn a_listing_is_what_the_formats_promise() {
    assert_eq!(
        listing(Format::Leetcode, 4, false),
        "[[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"],[\"..Q.\",\"Q...\",\"...Q\",\".Q..\"]]\n"
    );
    assert_eq!(listing(Format::Leetcode, 2, false), "[]\n");
    assert_eq!(listing(Format::Leetcode, 0, false), "[[]]\n");
    assert_eq!(
        listing(Format::Board, 4, false),
        ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n"
    );
    assert_eq!(listing(Format::Columns, 4, false), "[1 3 0 2]\n[2 0 3 1]\n");
    assert_eq!(
        listing(Format::Squares, 4, false),
        "b4 d3 a2 c1\nc4 a3 d2 b1\n"
    );
    for &format in Format::ALL {
        let nothing = if format == Format::Leetcode {
            "[]\n"
        } else {
            ""
        };
        assert_eq!(listing(format, 3, false), nothing, "{format}");
    }
}

#[test]
fn a_listing_in_json_is_json() {
    let all: Vec<Board> = solutions(6).unwrap().collect();
    for (index, line) in listing(Format::Jsonl, 6, false).lines().enumerate() {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["index"], index);
        assert_eq!(object["columns"], serde_json::json!(all[index].columns()));
        assert_eq!(object["class_size"], all[index].class_size());
        let names: Vec<String> = all[index]
            .squares()
            .map(|queen| queen.to_string())
            .collect();
        assert_eq!(object["squares"], serde_json::json!(names));
    }
    let boards: Vec<Vec<String>> =
        serde_json::from_str(&listing(Format::Leetcode, 6, false)).unwrap();
    let read = boards
        .iter()
        .map(|rows| rows.join("\n").parse::<Board>().unwrap());
    assert!(read.eq(all));
}

#[test]
fn class_sizes_do_not_disturb_a_reader() {
    for format in [Format::Board, Format::Unicode] {
        let text = listing(format, 5, true);
        let boards = text
            .split("\n\n")
            .map(|board| board.parse::<Board>().unwrap());
        assert!(boards.eq(solutions(5).unwrap()), "{format}");
    }
    for format in [Format::Columns, Format::Squares, Format::Jsonl] {
        let text = listing(format, 5, true);
        let boards = text.lines().map(|board| board.parse::<Board>().unwrap());
        assert!(boards.eq(solutions(5).unwrap()), "{format}");
    }
}

fn completions(problem: Problem) -> u128 {
    let listed = Solutions::of(&problem).count() as u128;
    let counted = Count::from(problem).run().unwrap().count;
    assert_eq!(listed, counted);
    counted
}

#[test]
fn every_solution_has_one_queen_in_any_row_and_column() {
    for n in [5, 8, 9] {
        let with = |row, column| {
            let problem = Problem::new(n).unwrap();
            completions(
                problem
                    .require(Square::in_row(row, column, n).unwrap())
                    .unwrap(),
            )
        };
        for line in 0..n {
            let row: u128 = (0..n).map(|column| with(line, column)).sum();
            let column: u128 = (0..n).map(|row| with(row, line)).sum();
            assert_eq!((row, column), (count(n).unwrap(), count(n).unwrap()));
        }
    }
}

#[test]
fn a_square_has_a_queen_or_not() {
    let all = count(8).unwrap();
    for file in 0..8 {
        for rank in 0..8 {
            let square = Square::new(file, rank);
            let board = || Problem::new(8).unwrap();
            let with = completions(board().require(square).unwrap());
            let without = completions(board().forbid(square).unwrap());
            assert_eq!(with + without, all);
        }
    }
}

#[test]
fn queens_that_attack_each_other_have_no_completion() {
    for (one, other) in [("a1", "h8"), ("a1", "a5"), ("c3", "f3"), ("b2", "c1")] {
        let problem = [one, other]
            .iter()
            .fold(Problem::new(8).unwrap(), |board, name| {
                board.require(name.parse().unwrap()).unwrap()
            });
        assert_eq!(completions(problem), 0, "{one} {other}");
    }
}
