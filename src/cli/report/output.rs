//! Where results go: standard output, in one of two looks. A person at a terminal
//! gets words and tables, a pipe (or `-q`) the bare values. Notes go to standard
//! error and never fail the program.

use std::{
    fmt,
    io::{self, BufWriter, ErrorKind, IsTerminal, Write},
};

use clap::ValueEnum;
use serde::Serialize;

use crate::cli::platform::{
    closed::stdout_was_closed,
    streams::{is_pipe, obeys},
};

/// The longest text of the user's that is repeated to them.
const MOST_SHOWN: usize = 300;

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Whether text for a stream is coloured.
    pub fn on(self, stream: &impl IsTerminal) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                obeys(stream) && !set("NO_COLOR")
            }
        }
    }

    /// The choice on the command line, read before (or without) a successful parse, so
    /// that help and errors respect it too.
    pub fn from_args(args: impl IntoIterator<Item = String>) -> Color {
        let mut args = args.into_iter().take_while(|arg| arg != "--");
        while let Some(arg) = args.next() {
            let value = match arg.strip_prefix("--color") {
                Some("") => args.next().unwrap_or_default(),
                Some(rest) => rest.trim_start_matches('=').to_owned(),
                None => continue,
            };
            return Color::from_str(&value, false).unwrap_or(Color::Auto);
        }
        Color::Auto
    }
}

/// The few ways in which text stands out.
#[derive(Debug, Clone, Copy)]
pub enum Paint {
    Bold,
    Dim,
    Green,
    Red,
}

/// Standard output, and how it should look.
pub struct Output {
    out: Box<dyn Write>,
    human: bool,
    color: bool,
    quiet: bool,
    verbose: bool,
    /// How many characters fit on a line, if it is a terminal that tells.
    width: Option<usize>,
    /// Whether somebody reads along, who can say when it is enough.
    is_pipe: bool,
}

impl Output {
    /// Standard output, with the options of the command line.
    pub fn stdout(color: Color, quiet: bool, verbose: bool) -> Self {
        let stdout = io::stdout();
        let size = terminal_size::terminal_size_of(&stdout);
        Output {
            width: size.map(|(width, _)| width.0.into()),
            is_pipe: is_pipe(&stdout),
            human: stdout.is_terminal() && !quiet,
            color: color.on(&stdout),
            out: Box::new(BufWriter::with_capacity(1 << 16, stdout)),
            quiet,
            verbose,
        }
    }

    /// Whether to write for a person rather than for a program.
    pub fn is_human(&self) -> bool {
        self.human
    }

    /// Whether it is neither a terminal nor a file, which would be filled.
    pub fn is_pipe(&self) -> bool {
        self.is_pipe
    }

    /// How many characters fit on a line.
    pub fn width(&self) -> usize {
        self.width.unwrap_or(usize::MAX)
    }

    /// Whether they asked for no notes.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The text in this style, or as it is where there are no colours.
    pub fn paint(&self, paint: Paint, text: impl fmt::Display) -> String {
        painted(self.color, paint, text)
    }

    /// A text for a person, broken between its words where a line of the terminal ends.
    pub fn text(&mut self, paint: Option<Paint>, text: &str) -> io::Result<()> {
        for line in wrapped(text, self.width()) {
            let line = paint.map_or(line.clone(), |paint| self.paint(paint, &line));
            writeln!(self, "{line}")?;
        }
        Ok(())
    }

    /// A page of names, and what there is to say of each.
    pub fn page(&mut self, page: &[(&str, String)]) -> io::Result<()> {
        let indent = page.iter().map(|(name, _)| name.len()).max().unwrap_or(0) + 2;
        for (name, text) in page {
            let mut name = self.paint(Paint::Bold, format_args!("{name:<indent$}"));
            for line in wrapped(text, self.width().saturating_sub(indent)) {
                writeln!(self, "{name}{line}")?;
                name = " ".repeat(indent);
            }
        }
        Ok(())
    }

    /// Writes one JSON object as one line.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_string(value)?;
        writeln!(self, "{line}")
    }

    /// Tells the person at the keyboard, unless they asked for quiet.
    pub fn note(&self, text: impl fmt::Display) {
        if !self.quiet {
            let size = terminal_size::terminal_size_of(io::stderr());
            let width = size.map_or(usize::MAX, |(width, _)| width.0.into());
            to_stderr(wrapped(&one_line(text), width).join("\n"));
        }
    }

    /// Tells the person at the keyboard who asked for more (`-v`).
    pub fn detail(&self, text: impl fmt::Display) {
        if self.verbose {
            to_stderr(one_line(text));
        }
    }
}

/// The text in lines of at most this many characters, as far as its words allow.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The text with its control characters escaped: what a user typed, or named a file,
/// neither breaks the line nor commands the terminal.
pub fn one_line(text: impl fmt::Display) -> String {
    let mut line = String::new();
    for c in text.to_string().chars() {
        if c.is_control() {
            line.extend(c.escape_default())
        } else {
            line.push(c)
        }
    }
    line
}

/// The text on one line, without its middle if it is long.
pub fn shortened(text: impl fmt::Display) -> String {
    let line = one_line(text);
    let characters: Vec<char> = line.chars().collect();
    if characters.len() <= MOST_SHOWN {
        return line;
    }
    let (first, rest) = characters.split_at(MOST_SHOWN / 2);
    let last = &rest[rest.len() - MOST_SHOWN / 2..];
    format!("{}…{}", String::from_iter(first), String::from_iter(last))
}

/// Text on standard error. If nobody can read it, that is not a failure.
pub fn to_stderr(text: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// The text in this style if `color`, or as it is.
pub fn painted(color: bool, paint: Paint, text: impl fmt::Display) -> String {
    let code = match paint {
        Paint::Bold => 1,
        Paint::Dim => 2,
        Paint::Green => 32,
        Paint::Red => 31,
    };
    if color {
        format!("\x1b[{code}m{text}\x1b[0m")
    } else {
        text.to_string()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if stdout_was_closed() && !bytes.is_empty() {
            let reason = "cannot write to standard output: it is closed";
            return Err(io::Error::other(reason));
        }
        self.out.write(bytes).map_err(StdoutClosed::mark)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(StdoutClosed::mark)
    }
}

/// The mark of an error on standard output whose reader has gone: the one broken
/// pipe that is no failure.
#[derive(Debug)]
pub struct StdoutClosed;

impl StdoutClosed {
    fn mark(error: io::Error) -> io::Error {
        match error.kind() {
            ErrorKind::BrokenPipe => io::Error::new(ErrorKind::BrokenPipe, StdoutClosed),
            kind => io::Error::new(kind, format!("cannot write to standard output: {error}")),
        }
    }

    /// Whether this is the error.
    pub fn caused(error: &io::Error) -> bool {
        error
            .get_ref()
            .is_some_and(|inner| inner.is::<StdoutClosed>())
    }
}

impl fmt::Display for StdoutClosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the reader of standard output has gone")
    }
}

impl std::error::Error for StdoutClosed {}

#[cfg(test)]
pub mod tests {
    use std::{cell::RefCell, rc::Rc};

    use super::*;

    /// An output that a test can read back.
    pub struct Page(Rc<RefCell<Vec<u8>>>);

    impl Page {
        pub fn new(human: bool) -> (Page, Output) {
            let page = Page(Rc::default());
            let out = Output {
                out: Box::new(Page(page.0.clone())),
                human,
                color: false,
                quiet: false,
                verbose: false,
                width: None,
                is_pipe: false,
            };
            (page, out)
        }

        pub fn text(&self) -> String {
            String::from_utf8(self.0.borrow().clone()).unwrap()
        }
    }

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Output {
        /// As if it were a terminal with this many columns.
        pub fn set_width(&mut self, columns: usize) {
            self.width = Some(columns);
        }
    }

    #[test]
    fn control_characters_are_escaped_and_nothing_else() {
        assert_eq!(one_line("8\n\u{1b}[2J\u{85}"), r"8\n\u{1b}[2J\u{85}");
        assert_eq!(one_line("\"n×n\" \\ é 👑"), "\"n×n\" \\ é 👑");
    }

    #[test]
    fn a_long_text_is_shortened_to_a_line() {
        assert_eq!(shortened("8\n"), r"8\n");
        let long = shortened("x\n".repeat(1_000_000) + "the end");
        assert!(long.len() < 400 && long.ends_with("the end"), "{long}");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("a bc def", 4), ["a bc", "def"]);
        assert_eq!(wrapped("a bc def", 2), ["a", "bc", "def"]);
        assert_eq!(wrapped("a bc def", usize::MAX), ["a bc def"]);
    }

    #[test]
    fn the_choice_of_colour_is_found_anywhere_before_the_end_of_options() {
        let choice = |line: &str| Color::from_args(line.split(' ').map(str::to_owned));
        assert_eq!(choice("queens count 8 --color never"), Color::Never);
        assert_eq!(choice("queens --color=always --help"), Color::Always);
        assert_eq!(choice("queens count 8 --color"), Color::Auto);
        assert_eq!(choice("queens check -- --color=always"), Color::Auto);
    }
}
