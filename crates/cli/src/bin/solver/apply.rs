//! `solver apply`: where moves lead.

use clap::Args;
use cli::{Failure, SharedArgs, print_line};
use serde_json::json;

use crate::board::BoardArgs;
use crate::search::GivenNotationArgs;

/// The arguments of `apply`.
#[derive(Args, Debug)]
pub(crate) struct ApplyArguments {
    #[command(flatten)]
    board: BoardArgs,
    /// Moves, such as U2RD
    #[arg(value_name = "MOVES", required = true)]
    moves: Vec<String>,
    #[command(flatten)]
    notation: GivenNotationArgs,
}

/// Makes moves and prints the board after them.
pub(crate) fn run(shared: &SharedArgs, arguments: &ApplyArguments) -> Result<(), Failure> {
    let board = arguments.board.read(shared)?;
    let text = arguments.moves.join(" ");
    let notation = arguments.notation.of(&text);
    let moves = board.read_moves(&text, notation).map_err(Failure::input)?;
    let end = board.play(&moves).map_err(Failure::input)?;
    if !shared.json {
        print_line(end);
        return Ok(());
    }
    let written = board.write_moves(&moves, notation);
    let goal = shared.goal(Some(board.tray()))?;
    print_line(json!({
        "board": board.to_string(),
        "moves": written.map_err(Failure::input)?,
        "length": moves.len(),
        "result": end.to_string(),
        "solved": end == *goal.board(),
    }));
    Ok(())
}
