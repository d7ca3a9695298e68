//! `solver invert`: the moves that undo moves.

use clap::Args;
use cli::{Failure, SharedArgs, print_line};
use puzzle::{MoveError, Notation, invert_moves, read_letters, write_letters};
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
    let inverse = inverse(&text, arguments.notation.of(&text)).map_err(Failure::input)?;
    if shared.json {
        print_line(json!({ "moves": text, "inverse": inverse }));
    } else {
        print_line(inverse);
    }
    Ok(())
}

/// The inverse in the same notation. A tile that moves last moves first on the way back.
fn inverse(text: &str, notation: Notation) -> Result<String, MoveError> {
    if notation != Notation::Numbers {
        return Ok(write_letters(&invert_moves(&read_letters(text)?)));
    }
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_number = |word: &&str| word.parse::<u16>().is_ok_and(|number| number > 0);
    if let Some(other) = words.iter().position(|word| !is_number(word)) {
        let word = words[other].chars().take(20).collect();
        let position = other + 1;
        return Err(MoveError::Word { word, position });
    }
    words.reverse();
    Ok(words.join(" "))
}
