//! `solver invert`: the moves that undo moves.

use clap::Args;
use cli::{Failure, SharedArgs, print_line};
use puzzle::invert_text;
use serde_json::json;

use crate::search::GivenNotationArgs;

/// The arguments of `invert`.
#[derive(Args, Debug)]
pub(crate) struct InvertArguments {
    /// Moves, such as U2RD: a solution becomes the scramble that it solves
    #[arg(value_name = "MOVES", required = true)]
    moves: Vec<String>,
    #[command(flatten)]
    notation: GivenNotationArgs,
}

/// Prints the moves that lead back.
pub(crate) fn run(shared: &SharedArgs, arguments: &InvertArguments) -> Result<(), Failure> {
    let text = arguments.moves.join(" ");
    let inverse = invert_text(&text, arguments.notation.of(&text)).map_err(Failure::input)?;
    if shared.json {
        print_line(json!({ "moves": text, "inverse": inverse }));
    } else {
        print_line(inverse);
    }
    Ok(())
}
