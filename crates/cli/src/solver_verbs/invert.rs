//! `solver invert`: prints the moves that undo given moves.

use clap::Args;
use command::options::Asked;
use command::{Failure, SharedArgs, print_line};
use serde_json::json;
use session::request::Invert;
use session::{Request, Response, Session};

use crate::board::MovesArgs;

#[derive(Args, Debug)]
pub(crate) struct InvertArguments {
    #[command(flatten)]
    moves: MovesArgs,
    #[command(flatten)]
    asked: Asked<Invert>,
}

/// Prints the inverse of the moves.
pub(crate) fn run(shared: &SharedArgs, arguments: &InvertArguments) -> Result<(), Failure> {
    let moves = arguments.moves.field();
    let request = Request::Invert(arguments.asked.question(shared, [moves.clone()])?);
    match Session::default().call(&request, &Default::default())? {
        Response::Text(inverse) if !shared.json => print_line(inverse),
        inverse => print_line(json!({ "moves": moves.1, "inverse": inverse })),
    }
    Ok(())
}
