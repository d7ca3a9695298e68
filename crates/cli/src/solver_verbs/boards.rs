//! Boards and moves of a verb: arguments, and an iterator over boards from arguments, a file or
//! standard input.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use command::{ActiveGuard, Failure, SharedArgs, interrupted, print_error, waiting_for_input};
use puzzle::board_text::{ListReader, ListedBoard, ListedText, Note, list, parse};
use puzzle::{Board, Direction, Goal, Notation, Tray, invert_moves, write_letters};
use serde_json::{Value as Json, json};
use solver::TileMove;

/// Boards on the command line, or a list of them.
#[derive(Args, Clone, Debug)]
pub(crate) struct BoardsArgs {
    /// Boards, each in quotes
    #[arg(value_name = "BOARD")]
    pub(crate) boards: Vec<String>,
    /// File of boards, with one board or one row of a board per line; - reads standard input
    #[arg(long, short, value_name = "FILE", conflicts_with = "boards")]
    pub(crate) file: Option<PathBuf>,
    /// Ignore the number (an identifier) at the start of each line of the file
    #[arg(long, conflicts_with = "boards")]
    leading_id: bool,
}

/// Boards of arguments, or of a list with one per line or in rows. The iterator ends after Ctrl-C.
pub(crate) struct Boards {
    /// Boards that were read, and their lines in a list.
    ready: VecDeque<(BoardText, Option<usize>)>,
    /// The rest of a list.
    lines: Option<Box<dyn BufRead + Send>>,
    reader: ListReader,
    is_list: bool,
}

/// The text of a board.
enum BoardText {
    /// An argument.
    Argument(String),
    /// One or more lines of a list.
    Listed(ListedText),
    /// The error of an unreadable line.
    Unreadable(String),
}

/// A board to solve, and its line number if it came from a list.
pub(crate) struct BoardInput {
    text: BoardText,
    pub(crate) line: Option<usize>,
    /// Exists until the board is answered; see [`ActiveGuard`].
    pub(crate) active: ActiveGuard,
}

impl BoardInput {
    /// The board, and its own goal or that of the options.
    pub(crate) fn read(&self, shared: &SharedArgs) -> Result<(ListedBoard, Goal), Failure> {
        let refused = |error| Failure::input(shared.explain(&error));
        let read = match &self.text {
            BoardText::Argument(text) => read_text(text, shared)?,
            BoardText::Listed(listed) => listed.parse().map_err(refused)?,
            BoardText::Unreadable(reason) => return Err(Failure::input(reason)),
        };
        let goal = match &read.goal {
            Some(goal) => goal.clone(),
            None => shared.goal(Some(read.board.tray()))?,
        };
        Ok((read, goal))
    }

    /// The text, if it is readable.
    pub(crate) fn text(&self) -> Option<String> {
        match &self.text {
            BoardText::Argument(text) => Some(text.clone()),
            BoardText::Listed(listed) => Some(listed.text()),
            BoardText::Unreadable(_) => None,
        }
    }
}

/// Maximum length of a line, in bytes. The largest board is much shorter.
const LONGEST_LINE: u64 = 1 << 16;

impl Boards {
    /// Boards from arguments, otherwise from a file or standard input. `size` has the same meaning
    /// as in [`ListReader::new`].
    pub(crate) fn new(arguments: BoardsArgs, size: Option<Tray>) -> Result<Boards, Failure> {
        // The argument `-` means standard input in all verbs that read boards.
        if !arguments.boards.is_empty() && arguments.boards != ["-"] {
            let boards = joined(arguments.boards, size);
            let is_number = |text: &&String| text.bytes().all(|byte| byte.is_ascii_digit());
            if let Some(number) = boards.iter().find(is_number).filter(|_| boards.len() > 1) {
                return Err(Failure::input(format!(
                    "`{number}` is a single number: put each board in quotes"
                )));
            }
            let texts = boards.into_iter();
            return Ok(Boards {
                ready: texts.flat_map(|text| board_texts(text, size)).collect(),
                lines: None,
                reader: ListReader::new(size, false),
                is_list: false,
            });
        }
        let lines: Box<dyn BufRead + Send> = match arguments.file {
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
                    print_error(
                        "solver: reading boards from standard input, one per line or in rows; \
                         Ctrl-D ends the list",
                    );
                }
                Box::new(BufReader::new(std::io::stdin()))
            }
        };
        Ok(Boards {
            ready: VecDeque::new(),
            lines: Some(lines),
            reader: ListReader::new(size, arguments.leading_id),
            is_list: true,
        })
    }

    pub(crate) fn is_list(&self) -> bool {
        self.is_list
    }

    /// Reads a line of the list. Comments and blank lines are skipped.
    fn read_line(&mut self) {
        let Some(lines) = &mut self.lines else { return };
        let mut bytes = Vec::new();
        let read = lines.take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        let is_whole = bytes.ends_with(b"\n");
        let is_cut = !is_whole && bytes.len() as u64 == LONGEST_LINE;
        let text = match read {
            Err(error) => Err(format!("cannot be read: {error}")),
            Ok(_) if is_cut => {
                // A read error here is ignored, because it recurs with the next line.
                let _ = lines.skip_until(b'\n');
                Err(format!("the line is longer than {LONGEST_LINE} bytes"))
            }
            Ok(_) => String::from_utf8(bytes).map_err(|_| "the line is not UTF-8 text".to_owned()),
        };
        match &text {
            Ok(text) => self.reader.push(text),
            Err(_) => self.reader.skip(),
        }
        if !is_whole && !is_cut {
            // This is the end: on a terminal, another read would wait until the user ends the input
            // again, and a failed reader may fail forever.
            self.lines = None;
            self.reader.finish();
        }
        while let Some(listed) = self.reader.pop() {
            let line = Some(listed.first_line);
            self.ready.push_back((BoardText::Listed(listed), line));
        }
        if let Err(reason) = text {
            let line = Some(self.reader.line());
            self.ready.push_back((BoardText::Unreadable(reason), line));
        }
    }
}

impl Iterator for Boards {
    type Item = BoardInput;

    fn next(&mut self) -> Option<BoardInput> {
        if interrupted() {
            return None;
        }
        while self.ready.is_empty() && self.lines.is_some() {
            self.read_line();
        }
        let (text, line) = self.ready.pop_front()?;
        let active = ActiveGuard::begin();
        Some(BoardInput { text, line, active })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let ready = self.ready.len();
        (ready, self.lines.is_none().then_some(ready))
    }
}

/// The texts of an argument, which can be a list of several lines, and their lines.
fn board_texts(text: String, size: Option<Tray>) -> Vec<(BoardText, Option<usize>)> {
    let texts = list(&text, size);
    if texts.len() <= 1 || parse(&text, size).is_ok() {
        return vec![(BoardText::Argument(text), None)];
    }
    let listed = |listed: ListedText| {
        let line = Some(listed.first_line);
        (BoardText::Listed(listed), line)
    };
    texts.into_iter().map(listed).collect()
}

/// Joins the arguments into one board that was written without quotes. Does not join them if one of
/// the arguments is a board or contains several numbers.
fn joined(boards: Vec<String>, size: Option<Tray>) -> Vec<String> {
    let has_several = |text: &String| {
        let text = text.trim_matches(',');
        text.contains(|c: char| c.is_whitespace() || ",;[".contains(c))
    };
    let is_whole = |text: &String| has_several(text) || Board::parse(text, size).is_ok();
    match boards.len() > 1 && !boards.iter().any(is_whole) {
        true => vec![boards.join(" ")],
        false => boards,
    }
}

/// Maximum length of a board on standard input, in bytes. The largest board is much shorter.
const MAX_LENGTH: u64 = 1 << 20;

/// A board on the command line.
#[derive(Args, Clone, Debug)]
pub(crate) struct BoardArgs {
    /// The board, in quotes, or - to read the board from standard input
    #[arg(value_name = "BOARD")]
    board: String,
}

/// A board, and its text as the field of a question.
pub(crate) struct GivenBoard {
    pub(crate) read: ListedBoard,
    pub(crate) field: (&'static str, Json),
}

impl BoardArgs {
    /// Reads the board, and prints the guesses of the reader. Its size is
    /// [`SharedArgs::known_size`]; if that is `None`, the text of the board determines the size.
    pub(crate) fn read(&self, shared: &SharedArgs) -> Result<GivenBoard, Failure> {
        let mut text = self.board.clone();
        if text == "-" {
            text.clear();
            let mut input = std::io::stdin().take(MAX_LENGTH);
            let read = waiting_for_input(|| input.read_to_string(&mut text));
            read.map_err(|error| Failure::input(format!("standard input: {error}")))?;
        }
        let read = read_text(&text, shared)?;
        print_notes(&read.notes, None);
        let field = ("board", json!(text));
        Ok(GivenBoard { read, field })
    }
}

/// Prints guesses of the reader on standard error.
pub(crate) fn print_notes(notes: &[Note], line: Option<usize>) {
    let place = line.map_or_else(String::new, |line| format!("line {line}: "));
    for note in notes {
        print_error(format_args!("solver: note: {place}{note}"));
    }
}

/// Parses a board from an argument.
pub(crate) fn read_text(text: &str, shared: &SharedArgs) -> Result<ListedBoard, Failure> {
    parse(text, shared.known_size()).map_err(|error| {
        let file = Path::new(text);
        Failure::input(match file.is_file() {
            true => {
                format!("{text} is a file, not a board: solver --file {text} solves its boards")
            }
            false if file.is_dir() => format!("{text} is a directory, not a board"),
            false => shared.explain(&error),
        })
    })
}

/// Moves on the command line.
#[derive(Args, Clone, Debug)]
pub(crate) struct MovesArgs {
    /// Moves: letters, such as U2RD, or the numbers of the moved tiles, such as 12 8 7
    #[arg(value_name = "MOVES", required = true)]
    moves: Vec<String>,
}

impl MovesArgs {
    /// The moves as a field of a question.
    pub(crate) fn field(&self) -> (&'static str, Json) {
        ("moves", json!(self.moves.join(" ")))
    }
}

/// A move in a notation: `U`, or the numbers of its tiles.
pub(crate) fn written(step: &TileMove, notation: Notation) -> String {
    match notation {
        Notation::Tile => write_letters(&step.moves),
        Notation::Blank => write_letters(&invert_moves(&step.moves)),
        Notation::Numbers => numbers(step),
    }
}

/// The numbers of the moving tiles, the one next to the blank first.
pub(crate) fn numbers(step: &TileMove) -> String {
    let numbers = step.tiles.iter().map(u16::to_string);
    numbers.collect::<Vec<_>>().join(" ")
}

/// Writes the moves of each step to the field `moves` of the JSON object with the same index.
pub(crate) fn write_in_json(objects: &mut Json, steps: &[&TileMove], notation: Notation) {
    let objects = objects.as_array_mut().into_iter().flatten();
    for (object, step) in objects.zip(steps) {
        object["moves"] = written(step, notation).into();
    }
}

pub(crate) fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "up",
        Direction::Down => "down",
        Direction::Left => "left",
        Direction::Right => "right",
    }
}
