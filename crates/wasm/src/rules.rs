//! The rules of the puzzle: boards, goals, moves, without tables.

use puzzle::{
    Board, Drawing, Goal, Notation, Scrambler, Tray, Unsolvable, invert_text, write_letters,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::failure::{Failure, from_json, to_json};

/// The largest number of boards that one call draws: some megabytes of text.
const MAX_BOARDS: u32 = 100_000;
/// The most random moves of one board.
const MAX_MOVES: u32 = 1_000_000;

/// A board as hosts see it.
#[derive(Serialize, Debug)]
pub struct WrittenBoard {
    board: String,
    size: String,
    columns: usize,
    rows: usize,
    tiles: Vec<u16>,
}

impl WrittenBoard {
    /// The board.
    #[must_use]
    pub fn new(board: &Board) -> WrittenBoard {
        let tray = board.tray();
        WrittenBoard {
            board: board.to_string(),
            size: tray.to_string(),
            columns: tray.width(),
            rows: tray.height(),
            tiles: board.numbers().to_vec(),
        }
    }
}

/// Reads a size.
///
/// # Errors
/// It is none.
pub fn read_size(size: Option<&str>) -> Result<Option<Tray>, Failure> {
    let size = size.map(|size| size.parse().map_err(Failure::input));
    size.transpose()
}

/// Reads a goal, by default `blank-last`; 4x4 where nothing says the size.
///
/// # Errors
/// It is none, or has another size.
pub fn read_goal(goal: Option<&str>, size: Option<Tray>) -> Result<Goal, Failure> {
    let goal = Goal::parse(goal.unwrap_or("blank-last"), size);
    goal.map_err(|error| Failure::input(format!("goal: {error}")))
}

/// The goal of a board, of its size.
fn goal_of(board: &Board, goal: Option<&str>) -> Result<Goal, Failure> {
    read_goal(goal, Some(board.tray()))
}

fn read_board(board: &str, size: Option<Tray>) -> Result<Board, Failure> {
    Board::parse(board, size).map_err(Failure::input)
}

/// Moves are written in this notation if nothing is said.
fn read_notation(notation: Option<&str>, moves: &str) -> Result<Notation, Failure> {
    match notation {
        Some(name) => name.parse().map_err(Failure::input),
        None => Ok(Notation::guess(moves)),
    }
}

/// Reads a board in any form.
///
/// # Errors
/// It is none.
pub fn parse(board: &str, size: Option<&str>) -> Result<String, Failure> {
    to_json(&WrittenBoard::new(&read_board(board, read_size(size)?)?))
}

/// A goal by its name, or as a board.
///
/// # Errors
/// It is none.
pub fn goal(goal: &str, size: Option<&str>) -> Result<String, Failure> {
    let goal = read_goal(Some(goal), read_size(size)?)?;
    to_json(&WrittenBoard::new(goal.board()))
}

/// Whether a board can be solved; if not why, and which swap would repair it.
///
/// # Errors
/// Board and goal are none, or of different sizes.
pub fn solvability(board: &str, goal: Option<&str>) -> Result<String, Failure> {
    let board = read_board(board, None)?;
    let goal = goal_of(&board, goal)?;
    let state = goal.state(&board);
    let state = state.ok_or_else(|| Failure::input("board and goal have different tiles"))?;
    let Err(reason) = state.check_solvable() else {
        return to_json(&json!({ "solvable": true }));
    };
    let mut object = json!({ "solvable": false, "message": reason.describe(&goal) });
    if let Some(swap) = reason.swap_numbers(&goal) {
        object["swap"] = json!(swap);
    }
    if let Unsolvable::Parity {
        odd_arrangement,
        blank_distance,
        ..
    } = reason
    {
        object["is_odd"] = odd_arrangement.into();
        object["blank_distance"] = blank_distance.into();
    }
    to_json(&object)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScrambleRequest {
    size: Option<String>,
    goal: Option<String>,
    number: Option<u32>,
    moves: Option<u32>,
    seed: u64,
}

/// Random boards, as `solver scramble --json` prints them.
///
/// # Errors
/// Size or goal are none, or more is asked for than fits.
pub fn scramble(request: &str) -> Result<String, Failure> {
    let request: ScrambleRequest = from_json(request)?;
    let goal = read_goal(request.goal.as_deref(), read_size(request.size.as_deref())?)?;
    let number = request.number.unwrap_or(1);
    let moves = request.moves.unwrap_or(0);
    if number > MAX_BOARDS || u64::from(number) * u64::from(moves) > u64::from(MAX_MOVES) * 10 {
        return Err(Failure::input(format!(
            "{number} boards of {moves} moves are too many for one call: at most {MAX_BOARDS} boards, \
             and ten million moves together"
        )));
    }
    let mut scrambler = Scrambler::new(request.seed);
    let mut boards = Vec::new();
    for number in 1..=number {
        let mut object = json!({ "seed": request.seed, "number": number });
        let board = match request.moves {
            None => {
                let state = scrambler.draw(goal.tray(), goal.blank());
                goal.board_of(&state)
            }
            Some(count) => {
                let moves = scrambler.walk(goal.board(), count as usize);
                object["scramble"] = write_letters(&moves).into();
                goal.board().play(&moves).ok()
            }
        };
        let board = board.unwrap_or_else(|| goal.board().clone());
        object["board"] = board.to_string().into();
        boards.push(object);
    }
    to_json(&boards)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ApplyRequest {
    board: String,
    moves: String,
    goal: Option<String>,
    notation: Option<String>,
}

/// Where moves lead, as `solver apply --json` prints it.
///
/// # Errors
/// The moves cannot be read, or not be made.
pub fn apply(request: &str) -> Result<String, Failure> {
    let request: ApplyRequest = from_json(request)?;
    let board = read_board(&request.board, None)?;
    let goal = goal_of(&board, request.goal.as_deref())?;
    let notation = read_notation(request.notation.as_deref(), &request.moves)?;
    let moves = board.read_moves(&request.moves, notation);
    let moves = moves.map_err(Failure::input)?;
    let result = board.play(&moves).map_err(Failure::input)?;
    to_json(&json!({
        "board": board.to_string(),
        "moves": request.moves,
        "length": moves.len(),
        "result": result.to_string(),
        "solved": &result == goal.board(),
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConvertRequest {
    board: String,
    moves: String,
    from: Option<String>,
    to: String,
}

/// Moves in another notation.
///
/// # Errors
/// The moves cannot be read, or not be made.
pub fn convert(request: &str) -> Result<String, Failure> {
    let request: ConvertRequest = from_json(request)?;
    let board = read_board(&request.board, None)?;
    let from = read_notation(request.from.as_deref(), &request.moves)?;
    let to: Notation = request.to.parse().map_err(Failure::input)?;
    let moves = board.read_moves(&request.moves, from);
    let moves = moves.map_err(Failure::input)?;
    board.write_moves(&moves, to).map_err(Failure::input)
}

/// The moves back.
///
/// # Errors
/// The moves cannot be read.
pub fn invert(moves: &str, notation: Option<&str>) -> Result<String, Failure> {
    invert_text(moves, read_notation(notation, moves)?).map_err(Failure::input)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawRequest {
    board: String,
    goal: Option<String>,
    style: Option<String>,
    moves: Option<String>,
}

/// A drawing of a board in characters or as SVG; with moves as SVG that plays them.
///
/// # Errors
/// There is no such style, or the moves cannot be made.
pub fn draw(request: &str) -> Result<String, Failure> {
    let request: DrawRequest = from_json(request)?;
    let board = read_board(&request.board, None)?;
    let drawing = Drawing::new(&goal_of(&board, request.goal.as_deref())?);
    match (request.style.as_deref().unwrap_or("text"), &request.moves) {
        ("text", None) => Ok(drawing.text(&board, false)),
        ("svg", None) => Ok(drawing.svg(&board)),
        ("svg", Some(text)) => {
            let moves = board.read_moves(text, Notation::guess(text));
            let moves = moves.map_err(Failure::input)?;
            drawing.animated_svg(&board, &moves).map_err(Failure::input)
        }
        ("text", Some(_)) => Err(Failure::input("moves are drawn in the style svg only")),
        (style, _) => Err(Failure::input(format!(
            "`{style}` is no style: text or svg"
        ))),
    }
}

/// The version of this package.
#[must_use]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The sum of bytes, in hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    pdb_table::hex(&Sha256::digest(bytes))
}

/// Checks the text of a manifest, and gives it back as one line of JSON.
///
/// # Errors
/// It is none, or not of a bundle in that form.
pub fn manifest(text: &[u8], is_single: bool) -> Result<String, Failure> {
    let manifest = pdb_table::bundle::Manifest::from_text(text, is_single);
    let manifest: Value = json!(manifest.map_err(Failure::table)?);
    to_json(&manifest)
}
