//! The moves argument of verbs, in any notation.

use clap::Args;
use command::Failure;
use puzzle::{
    Board, Direction, MoveError, Notation, count_note, invert_moves, read_letters, write_letters,
};
use serde_json::Value;
use solver::TileMove;

use crate::search::GivenNotationArgs;

/// Moves and their notation.
#[derive(Args, Clone, Debug)]
pub(crate) struct MovesArgs {
    /// Moves: letters, such as U2RD, or the numbers of the moved tiles, such as 12 8 7
    #[arg(value_name = "MOVES", required = true)]
    moves: Vec<String>,
    #[command(flatten)]
    notation: GivenNotationArgs,
}

impl MovesArgs {
    pub(crate) fn text(&self) -> String {
        self.moves.join(" ")
    }

    pub(crate) fn notation(&self) -> Notation {
        self.notation.of(&self.text())
    }

    /// The moves on a board, or the reason why they are illegal. Fails if they cannot be parsed.
    pub(crate) fn read(&self, board: &Board) -> Result<Result<Vec<Direction>, String>, Failure> {
        let (text, notation) = (self.text(), self.notation());
        match board.read_moves(&text, notation) {
            Ok(moves) => Ok(Ok(moves)),
            Err(MoveError::Frame {
                direction,
                position,
                count,
            }) => {
                let all = read_letters(&text).map_err(Failure::input)?.len();
                let letter = match notation {
                    Notation::Blank => direction.opposite(),
                    _ => direction,
                };
                Ok(Err(format!(
                    "move {position} of {all} ({letter}): the blank is {}, so no tile can go {}{}",
                    edge(direction),
                    name(direction),
                    count_note(count)
                )))
            }
            Err(MoveError::NotNeighbouring { number, position }) => {
                let words = text.split(|c: char| c.is_whitespace() || c == ',');
                let all = words.filter(|word| !word.is_empty()).count();
                let tray = board.tray();
                let is_there = (1..tray.cells() as u32).contains(&number);
                let reason = match is_there {
                    true => "it is not next to the blank".to_owned(),
                    false => format!("a {tray} board has no such tile"),
                };
                Ok(Err(format!(
                    "move {position} of {all} (tile {number}): {reason}"
                )))
            }
            Err(error) => Err(Failure::input(error)),
        }
    }

    /// The moves on a board. Fails if they cannot be parsed or are illegal; the message names the
    /// move.
    pub(crate) fn legal(&self, board: &Board) -> Result<Vec<Direction>, Failure> {
        self.read(board)?.map_err(Failure::input)
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

/// Position of the blank that prevents moves of tiles in this direction.
fn edge(tile: Direction) -> &'static str {
    match tile {
        Direction::Up => "in the last row",
        Direction::Down => "in the first row",
        Direction::Left => "in the last column",
        Direction::Right => "in the first column",
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
