//! `solver apply`: makes moves on a board.

use clap::Args;
use command::options::Asked;
use command::{Failure, SharedArgs, print_line};
use serde_json::json;
use session::request::Apply;
use session::{Request, Response, Session};

use crate::board::BoardArgs;
use crate::board::MovesArgs;

#[derive(Args, Debug)]
pub(crate) struct ApplyArguments {
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    moves: MovesArgs,
    #[command(flatten)]
    asked: Asked<Apply>,
}

/// Makes moves and prints the board after them.
pub(crate) fn run(shared: &SharedArgs, arguments: &ApplyArguments) -> Result<(), Failure> {
    let fields = [arguments.board.read(shared)?.field, arguments.moves.field()];
    let request = Request::Apply(arguments.asked.question(shared, fields)?);
    match Session::default().call(&request, &Default::default())? {
        Response::Moves(end) if !shared.json => print_line(end.result),
        end => print_line(json!(end)),
    }
    Ok(())
}
