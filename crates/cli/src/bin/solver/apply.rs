//! `solver apply`: where moves lead.

use clap::Args;
use cli::{Failure, SharedArgs, print_line};
use serde_json::json;

use crate::board::{BoardArgs, read_moves};
use crate::search::NotationArgs;

/// The arguments of `apply`.
#[derive(Args, Debug)]
pub(crate) struct ApplyArguments {
    #[command(flatten)]
    board: BoardArgs,
    /// Moves, such as U2RD
    #[arg(value_name = "MOVES", required = true)]
    moves: Vec<String>,
    #[command(flatten)]
    notation: NotationArgs,
}

/// Makes moves and prints the board after them.
pub(crate) fn run(shared: &SharedArgs, arguments: &ApplyArguments) -> Result<(), Failure> {
    let board = arguments.board.read(shared)?;
    let notation = arguments.notation.notation;
    let moves = read_moves(&board, &arguments.moves, notation)?;
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
