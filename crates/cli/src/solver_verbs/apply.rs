//! `solver apply`: makes moves on a board.

use clap::Args;
use command::{Failure, SharedArgs, print_line};
use serde_json::json;

use crate::board::BoardArgs;
use crate::moves::MovesArgs;

#[derive(Args, Debug)]
pub(crate) struct ApplyArguments {
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    moves: MovesArgs,
}

/// Makes moves and prints the board after them.
pub(crate) fn run(shared: &SharedArgs, arguments: &ApplyArguments) -> Result<(), Failure> {
    let board = arguments.board.read(shared)?;
    let moves = arguments.moves.legal(&board)?;
    let end = board.play(&moves).map_err(Failure::input)?;
    if !shared.json {
        print_line(end);
        return Ok(());
    }
    let written = board.write_moves(&moves, arguments.moves.notation());
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
