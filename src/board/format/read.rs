//! Reads a solution in any of the notations, and tells them apart by itself.
//!
//! The text is divided into tokens at blanks, commas, quotes and brackets; what follows a
//! `#` on its line is a comment. Then an object is JSON, anything with an empty square
//! in it is a board, letters are squares, and numbers are columns. These count from 1
//! if the text has an n and no 0, which no solution does that counts from 0.

use crate::{
    board::{Board, Square},
    error::Error,
};

/// A word of the text and where it stands, both counted from 1.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    line: usize,
    character: usize,
}

impl Token<'_> {
    fn unreadable(self, expected: impl Into<String>) -> Error {
        Error::Unreadable {
            token: self.text.to_owned(),
            line: self.line,
            character: self.character,
            expected: expected.into(),
        }
    }

    fn is_all(self, kind: impl Fn(char) -> bool) -> bool {
        self.text.chars().all(kind)
    }
}

/// The solution that this text describes.
pub(crate) fn read(text: &str) -> Result<Board, Error> {
    if text.trim_start().starts_with('{') {
        return json(text);
    }
    let tokens = tokens(text);
    let Some(first) = tokens.first() else {
        return Board::new(Vec::new());
    };
    if tokens
        .iter()
        .any(|token| token.text.contains(['.', '·', '♛']))
        || first.text == "Q"
    {
        return board(&tokens);
    }
    if let Some(second) = second_line(&tokens) {
        return Err(second.unreadable("the end of the text, after one solution"));
    }
    if first.text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        squares(&tokens)
    } else {
        columns(&tokens)
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let separates = |c: char| c.is_whitespace() || "[],\"".contains(c);
    let mut tokens = Vec::new();
    for (line, full) in (1..).zip(text.lines()) {
        let content = full.split('#').next().unwrap_or_default();
        let mut character = 1;
        for piece in content.split_inclusive(separates) {
            let text = piece.trim_end_matches(separates);
            if !text.is_empty() {
                tokens.push(Token {
                    text,
                    line,
                    character,
                });
            }
            character += piece.chars().count();
        }
    }
    tokens
}

/// The first word of a second line, if the first line holds more than one word: one
/// solution is on one line, or has a line for each of its queens.
fn second_line<'a>(tokens: &[Token<'a>]) -> Option<Token<'a>> {
    let first = tokens[0].line;
    let other = tokens.iter().position(|token| token.line != first)?;
    (other > 1).then(|| tokens[other])
}

#[cfg(not(feature = "ledger"))]
fn json(_: &str) -> Result<Board, Error> {
    let reason = "this program was built without the feature \"ledger\", which reads JSON";
    Err(Error::UnreadableJson(reason.to_owned()))
}

#[cfg(feature = "ledger")]
fn json(text: &str) -> Result<Board, Error> {
    #[derive(serde::Deserialize)]
    struct Object {
        columns: Vec<u32>,
    }
    let object: Object =
        serde_json::from_str(text).map_err(|error| Error::UnreadableJson(error.to_string()))?;
    Board::new(object.columns)
}

fn columns(tokens: &[Token<'_>]) -> Result<Board, Error> {
    let n = tokens.len() as u32;
    let number = |token: &Token<'_>| {
        let number = token.text.parse::<u32>().ok();
        number.ok_or_else(|| token.unreadable("the column of a queen, a number"))
    };
    let numbers = tokens.iter().map(number).collect::<Result<Vec<_>, _>>()?;
    let base = u32::from(numbers.contains(&n) && !numbers.contains(&0));
    let column = |(token, number): (&Token<'_>, u32)| {
        let column = number.checked_sub(base).filter(|&column| column < n);
        column.ok_or_else(|| {
            let (low, high) = (base, n - 1 + base);
            token.unreadable(format!("a column from {low} to {high}, as there are {n}"))
        })
    };
    let columns = tokens.iter().zip(numbers).map(column);
    Board::new(columns.collect::<Result<_, _>>()?)
}

fn squares(tokens: &[Token<'_>]) -> Result<Board, Error> {
    let n = tokens.len() as u32;
    let square = |token: &Token<'_>| {
        let square = token.text.parse::<Square>();
        let on_board = square.and_then(|square| square.on_board(n).map(|_| square));
        on_board.map_err(|_| {
            if n == 1 {
                return token.unreadable("the square a1, as there is one queen");
            }
            let last = Square::new(n - 1, n - 1);
            token.unreadable(format!(
                "a square from a1 to {last}, as there are {n} queens"
            ))
        })
    };
    let queens = tokens.iter().map(square).collect::<Result<Vec<_>, _>>()?;
    Board::of_queens(n, queens)
}

/// Rows of squares, each row one word or each square one word.
fn board(tokens: &[Token<'_>]) -> Result<Board, Error> {
    let square_by_square = tokens.len() > 1
        && (tokens[0].text.chars().count() == 1
            || tokens.iter().any(|token| token.text.contains(['·', '♛'])));
    let rows: Vec<&[Token<'_>]> = if square_by_square {
        tokens
            .chunk_by(|a, b| a.line == b.line)
            .filter_map(without_coordinates)
            .collect()
    } else {
        tokens.chunks(1).collect()
    };
    let width = |row: &[Token<'_>]| row.iter().map(|token| token.text.chars().count()).sum();
    let n: usize = width(rows[0]);
    let mut queens = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        if number == n {
            return Err(row[0].unreadable(format!("the end of the board after {n} rows")));
        }
        if width(row) != n {
            return Err(row[0].unreadable(format!("a row of {n} squares, like the first")));
        }
        let squares = row.iter().flat_map(|token| {
            let characters = (token.character..).zip(token.text.chars());
            characters.map(|(character, square)| {
                (
                    Token {
                        character,
                        ..*token
                    },
                    square,
                )
            })
        });
        for (column, (token, square)) in squares.enumerate() {
            match square {
                '.' | '·' => {}
                'Q' | '♛' => queens.push(Square::new(column as u32, (n - 1 - number) as u32)),
                _ => return Err(token.unreadable("a square: \".\" or \"Q\", \"·\" or \"♛\"")),
            }
        }
    }
    match rows.last() {
        Some(row) if rows.len() < n => Err(row[0].unreadable(format!(
            "{n} rows, as the first has {n} squares: this is the last of {}",
            rows.len()
        ))),
        _ => Board::of_queens(n as u32, queens),
    }
}

/// The squares of a line without its rank; nothing of the line with the files.
fn without_coordinates<'a, 't>(line: &'a [Token<'t>]) -> Option<&'a [Token<'t>]> {
    let rank = line[0].is_all(|c| c.is_ascii_digit());
    let squares = &line[usize::from(rank)..];
    let files = squares
        .iter()
        .all(|token| token.is_all(|c| c.is_ascii_lowercase()));
    (!files).then_some(squares)
}

#[cfg(all(test, feature = "ledger"))]
mod tests {
    use super::*;

    fn columns_of(text: &str) -> Vec<u32> {
        text.parse::<Board>().unwrap().columns().to_vec()
    }

    #[test]
    fn every_way_to_write_one_solution_is_the_same_solution() {
        let ways = [
            "[1 3 0 2]",
            "[1, 3, 0, 2]",
            "1 3 0 2",
            "1,3,0,2\n",
            "2 4 1 3",
            "1\n3\n0\n2\n",
            "b4 d3 a2 c1",
            "c1,a2,d3,b4",
            "b4 d3 a2 c1 # class of 2",
            "# class of 2\n.Q..\n...Q\nQ...\n..Q.\n",
            ".Q..\r\n...Q\r\nQ...\r\n..Q.\r\n",
            ". Q . .\n. . . Q\nQ . . .\n. . Q .\n",
            r#"[[".Q..","...Q","Q...","..Q."]]"#,
            r#"[".Q..","...Q","Q...","..Q."]"#,
            r#"{"index":0,"columns":[1,3,0,2]}"#,
            "4 · ♛ · ·\n3 · · · ♛\n2 ♛ · · ·\n1 · · ♛ ·\n  a b c d\n",
        ];
        for way in ways {
            assert_eq!(columns_of(way), [1, 3, 0, 2], "{way}");
        }
    }

    #[test]
    fn the_smallest_boards_are_read() {
        for text in ["", "[]", "[[]]", "\n", "{\"columns\":[]}"] {
            assert_eq!(columns_of(text), [0; 0], "{text}");
        }
        for text in ["[0]", "1", "a1", "Q", "[[\"Q\"]]", "1 ♛\n  a\n"] {
            assert_eq!(columns_of(text), [0], "{text}");
        }
    }

    #[test]
    fn an_unreadable_text_is_refused_with_the_token_and_its_place() {
        let cases = [
            ("[1 3 x 2]", "x", 1, 6),
            ("1 3\n0 2", "0", 2, 1),
            ("[1 3 0 4]", "4", 1, 8),
            ("[1 3 -1 2]", "-1", 1, 6),
            ("b4 d3 e2 c1", "e2", 1, 7),
            ("b4 d3 7 c1", "7", 1, 7),
            ("b4 D3 a2 c1", "D3", 1, 4),
            (".Q..\n...Q\nQ..\n..Q.", "Q..", 3, 1),
            (".Q..\n..xQ\nQ...\n..Q.", "..xQ", 2, 3),
            (".Q..\n...Q\nQ...\n", "Q...", 3, 1),
            (".Q..\n...Q\nQ...\n..Q.\n\n..Q.", "..Q.", 6, 1),
            ("2 · ♛\n1 ? ·\n  a b", "?", 2, 3),
        ];
        for (text, bad, at_line, at_character) in cases {
            match text.parse::<Board>() {
                Err(Error::Unreadable {
                    token,
                    line,
                    character,
                    ..
                }) => assert_eq!(
                    (token.as_str(), line, character),
                    (bad, at_line, at_character),
                    "{text}"
                ),
                other => panic!("{text}: {other:?}"),
            }
        }
        let error = "{\"columns\": [1, \"x\"]}".parse::<Board>().unwrap_err();
        assert!(error.to_string().contains("at line 1 column 19"), "{error}");
    }

    #[test]
    fn queens_that_attack_each_other_are_named() {
        let cases = [
            ("[0 1 2 3]", "a4", "b3"),
            ("[1 1 0 2]", "b4", "b3"),
            ("b4 d3 a3 c1", "d3", "a3"),
            ("QQ..\n....\n....\n....", "a4", "b4"),
            ("...Q\n.Q..\n....\nQ...", "d4", "a1"),
        ];
        for (text, one, other) in cases {
            let error = text.parse::<Board>().unwrap_err();
            let named = format!("the queens on {one} and {other} attack each other");
            assert_eq!(error.to_string(), named, "{text}");
        }
        let missing = ".Q..\n...Q\n....\n..Q.".parse::<Board>();
        assert!(matches!(missing, Err(Error::MissingQueen { row: 2, .. })));
    }
}
