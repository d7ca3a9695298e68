//! `solver invert`: prints the moves that undo given moves.

use clap::Args;
use command::{Failure, SharedArgs, print_line};
use puzzle::invert_text;
use serde_json::json;

use crate::moves::MovesArgs;

#[derive(Args, Debug)]
pub(crate) struct InvertArguments {
    #[command(flatten)]
    moves: MovesArgs,
}

/// Prints the inverse of the moves.
pub(crate) fn run(shared: &SharedArgs, arguments: &InvertArguments) -> Result<(), Failure> {
    let text = arguments.moves.text();
    let inverse = invert_text(&text, arguments.moves.notation()).map_err(Failure::input)?;
    if shared.json {
        print_line(json!({ "moves": text, "inverse": inverse }));
    } else {
        print_line(inverse);
    }
    Ok(())
}
