//! Boards as they come: from arguments, a file or standard input.

use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal as _, Read as _};
use std::path::PathBuf;

use cli::{ActiveGuard, Failure, interrupted, print_error};
use puzzle::Board;

/// Where boards come from.
pub(crate) enum Boards {
    Arguments(std::vec::IntoIter<String>),
    List {
        lines: Box<dyn BufRead + Send>,
        number: usize,
    },
}

/// A board's text, and its line where it came from a list.
pub(crate) struct Job {
    pub(crate) text: Result<String, String>,
    pub(crate) line: Option<usize>,
    /// Held until the board is answered.
    pub(crate) active: ActiveGuard,
}

/// The longest line that is read: room for the largest board many times over.
const LONGEST_LINE: u64 = 1 << 16;

impl Boards {
    pub(crate) fn new(boards: Vec<String>, file: Option<PathBuf>) -> Result<Boards, Failure> {
        if !boards.is_empty() {
            let boards = joined(boards);
            return Ok(Boards::Arguments(boards.into_iter()));
        }
        let lines: Box<dyn BufRead + Send> = match file {
            Some(path) if path.as_os_str() != "-" => {
                let refuse = |error| Failure::input(format!("{}: {error}", path.display()));
                let file = File::open(&path).map_err(refuse)?;
                if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
                    let path = path.display();
                    return Err(Failure::input(format!(
                        "{path} is a directory, not a list of boards"
                    )));
                }
                Box::new(BufReader::new(file))
            }
            _ => {
                if std::io::stdin().is_terminal() {
                    print_error("solver: reading boards from standard input, one a line");
                }
                Box::new(BufReader::new(std::io::stdin()))
            }
        };
        Ok(Boards::List { lines, number: 0 })
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self, Boards::List { .. })
    }

    /// The next board's text and line; blank lines and comments are skipped.
    fn next_text(&mut self) -> Option<(Result<String, String>, Option<usize>)> {
        match self {
            Boards::Arguments(boards) => boards.next().map(|text| (Ok(text), None)),
            Boards::List { lines, number } => loop {
                let mut bytes = Vec::new();
                *number += 1;
                let line = Some(*number);
                let read = lines.take(LONGEST_LINE).read_until(b'\n', &mut bytes);
                let text = match read {
                    Err(error) => {
                        // A reader that failed once may fail for ever: this is the last answer.
                        *lines = Box::new(std::io::empty());
                        Err(format!("cannot be read: {error}"))
                    }
                    Ok(0) => return None,
                    Ok(length) if length as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") => {
                        skip_line(lines);
                        Err(format!("the line is longer than {LONGEST_LINE} bytes"))
                    }
                    Ok(_) => String::from_utf8(bytes)
                        .map_err(|_| "the line is not UTF-8 text".to_owned()),
                };
                let text = text.map(without_byte_order_mark);
                let is_skipped =
                    |text: &String| text.trim().is_empty() || text.trim().starts_with('#');
                if !text.as_ref().is_ok_and(is_skipped) {
                    return Some((text, line));
                }
            },
        }
    }
}

/// No more boards come after Ctrl-C.
impl Iterator for Boards {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        if interrupted() {
            return None;
        }
        self.next_text().map(|(text, line)| Job {
            text,
            line,
            active: ActiveGuard::begin(),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Boards::Arguments(boards) => boards.size_hint(),
            Boards::List { .. } => (0, None),
        }
    }
}

/// The numbers of a board without quotes are arguments of their own: they are put together, if no
/// argument alone is a board or has several words.
fn joined(boards: Vec<String>) -> Vec<String> {
    let is_whole =
        |text: &String| text.contains(char::is_whitespace) || Board::parse(text, None).is_ok();
    match boards.len() > 1 && !boards.iter().any(is_whole) {
        true => vec![boards.join(" ")],
        false => boards,
    }
}

/// Some editors begin a file with one.
fn without_byte_order_mark(line: String) -> String {
    match line.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => line,
    }
}

fn skip_line(lines: &mut Box<dyn BufRead + Send>) {
    let mut rest = Vec::new();
    loop {
        rest.clear();
        let read = lines.take(LONGEST_LINE).read_until(b'\n', &mut rest);
        if !matches!(read, Ok(length) if length > 0) || rest.ends_with(b"\n") {
            return;
        }
    }
}
