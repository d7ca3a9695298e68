//! The board argument of a verb.

use std::io::Read as _;
use std::path::Path;

use clap::Args;
use command::{Failure, SharedArgs, print_error, waiting_for_input};
use puzzle::board_text::{ListedBoard, Note, parse};
use puzzle::{Direction, Notation, invert_moves, write_letters};
use serde_json::{Value, Value as Json, json};
use solver::TileMove;

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
    pub(crate) fn field(&self) -> (&'static str, Value) {
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
pub(crate) fn write_in_json(objects: &mut Value, steps: &[&TileMove], notation: Notation) {
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
