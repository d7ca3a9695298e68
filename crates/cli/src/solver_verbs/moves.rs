//! The moves argument of verbs, and moves in any notation.

use clap::Args;
use puzzle::{Direction, Notation, invert_moves, write_letters};
use serde_json::{Value, json};
use solver::TileMove;

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
