//! The rules of the puzzle: boards, goals, moves, without tables.

use puzzle::board_text::{self, ListedBoard, ListedText, Note};
use puzzle::{
    Board, BoardError, Direction, Drawing, Goal, HeuristicSpec, Metric, MoveError, MoveFault,
    Notation, Scrambler, Tray, Unsolvable, invert_text, write_letters,
};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::json_error::{JsonAnswer, JsonError, to_json};
use crate::request::Request;

/// Maximum number of random boards per call, a few megabytes of text.
const MAX_BOARDS: u64 = 100_000;
/// Maximum number of random moves, summed over all boards of a call. In the laboratory, the limit
/// applies to each set of boards.
pub(crate) const MAX_MOVES: u64 = 10_000_000;

/// A board as hosts receive it. The last three fields are those of a text that has them.
#[derive(Serialize, Debug)]
pub(crate) struct WrittenBoard {
    board: String,
    size: String,
    columns: usize,
    rows: usize,
    tiles: Vec<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl WrittenBoard {
    /// The board.
    pub(crate) fn new(board: &Board) -> WrittenBoard {
        ListedBoard::from(board.clone()).into()
    }
}

impl From<ListedBoard> for WrittenBoard {
    fn from(read: ListedBoard) -> WrittenBoard {
        let tray = read.board.tray();
        WrittenBoard {
            board: read.board.to_string(),
            size: tray.to_string(),
            columns: tray.width(),
            rows: tray.height(),
            tiles: read.board.numbers().to_vec(),
            goal: read.goal.map(|goal| goal.board().to_string()),
            known: read.known_length,
            notes: read.notes.iter().map(Note::to_string).collect(),
        }
    }
}

/// Reads a size.
pub(crate) fn read_size(size: Option<&str>) -> Result<Option<Tray>, JsonError> {
    let size = size.map(|size| size.parse().map_err(JsonError::input));
    size.transpose()
}

/// Parses a goal. The default goal is `blank-last`, the default size is 4x4.
pub(crate) fn read_goal(goal: Option<&str>, size: Option<Tray>) -> Result<Goal, JsonError> {
    let goal = Goal::parse(goal.unwrap_or("blank-last"), size);
    goal.map_err(|error| JsonError::input(format!("goal: {error}")))
}

fn read_board(board: &str, size: Option<Tray>) -> Result<Board, JsonError> {
    Board::parse(board, size).map_err(JsonError::input)
}

/// Parses the name of a notation. Without a name, guesses the notation of `moves`.
fn read_notation(notation: Option<&str>, moves: &str) -> Result<Notation, JsonError> {
    match notation {
        Some(name) => name.parse().map_err(JsonError::input),
        None => Ok(Notation::guess(moves)),
    }
}

/// Parses moves of a board. The error contains the wrong move and its place in the text.
fn read_moves(
    board: &Board,
    text: &str,
    notation: Notation,
) -> Result<(Vec<Direction>, Board), JsonError> {
    let read = board.trace_moves(text, notation);
    read.map_err(|fault| JsonError::of_object(&WrittenFault::new(&fault, text)))
}

/// Error in a text of moves.
#[derive(Serialize)]
struct WrittenFault {
    code: &'static str,
    message: String,
    fault: FaultFields,
}

/// The first wrong move of a text.
#[derive(Serialize)]
struct FaultFields {
    reason: &'static str,
    number: usize,
    start: usize,
    end: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<char>,
    tiles: Vec<u16>,
}

impl WrittenFault {
    fn new(fault: &MoveFault, text: &str) -> WrittenFault {
        let (reason, number, direction) = match fault.error {
            MoveError::NotNeighbouring { position, .. } => ("apart", position, None),
            MoveError::Frame {
                direction,
                position,
                ..
            } => ("edge", position, Some(direction.letter())),
            MoveError::Count { position } => ("count", position, None),
            MoveError::Word { position, .. } | MoveError::Number { position, .. } => {
                ("unknown", position, None)
            }
            // A variant that is added later needs its own reason.
            _ => ("unknown", 0, None),
        };
        // Hosts count in units of UTF-16.
        let units = |end: usize| text[..end].encode_utf16().count();
        WrittenFault {
            code: "error",
            message: fault.error.to_string(),
            fault: FaultFields {
                reason,
                number,
                start: units(fault.span.start),
                end: units(fault.span.end),
                direction,
                tiles: fault.board.numbers().to_vec(),
            },
        }
    }
}

/// Parses a board in any notation.
#[wasm_bindgen]
pub fn parse(board: &str, size: Option<String>) -> JsonAnswer {
    let read = board_text::parse(board, read_size(size.as_deref())?);
    to_json(&WrittenBoard::from(read.map_err(JsonError::input)?))
}

/// Parses a list of boards. An invalid entry has an error in place of the board.
#[wasm_bindgen]
pub fn parse_list(text: &str, size: Option<String>) -> JsonAnswer {
    let texts = board_text::list(text, read_size(size.as_deref())?);
    let entry = |listed: &ListedText| {
        let read = listed.parse();
        ListEntry {
            line: listed.first_line(),
            text: listed.text(),
            error: read.as_ref().err().map(BoardError::to_string),
            board: read.ok().map(WrittenBoard::from),
        }
    };
    to_json(&texts.iter().map(entry).collect::<Vec<_>>())
}

/// An entry of a list.
#[derive(Serialize)]
struct ListEntry {
    line: usize,
    text: String,
    #[serde(flatten)]
    board: Option<WrittenBoard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Parses a goal, which is written as a name or as a board.
#[wasm_bindgen]
pub fn goal(goal: &str, size: Option<String>) -> JsonAnswer {
    let goal = read_goal(Some(goal), read_size(size.as_deref())?)?;
    to_json(&WrittenBoard::new(goal.board()))
}

/// Whether a board can be solved. If not, the answer contains the reason, and two tiles whose swap
/// makes the board solvable.
#[wasm_bindgen]
pub fn solvability(board: &str, goal: Option<String>) -> JsonAnswer {
    let board = read_board(board, None)?;
    let goal = read_goal(goal.as_deref(), Some(board.tray()))?;
    let state = goal.state(&board);
    let state = state.ok_or_else(|| JsonError::input("board and goal have different tiles"))?;
    let reason = state.check_solvable().err();
    let (is_odd, blank_distance) = match reason {
        Some(Unsolvable::Parity {
            odd_arrangement,
            blank_distance,
            ..
        }) => (Some(odd_arrangement), Some(blank_distance)),
        _ => (None, None),
    };
    to_json(&Solvability {
        solvable: reason.is_none(),
        message: reason.map(|reason| reason.describe(&goal, &board)),
        swap: reason.and_then(|reason| reason.swap_numbers(&goal)),
        is_odd,
        blank_distance,
        reachable_goals: reason.map(|_| goal.reachable_names(&board)),
    })
}

/// Whether a board can be solved.
#[derive(Serialize)]
struct Solvability {
    solvable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    swap: Option<[u16; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_odd: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blank_distance: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reachable_goals: Option<Vec<&'static str>>,
}

/// Random boards, as printed by `solver scramble --json`.
#[wasm_bindgen]
pub fn scramble(request: &str) -> JsonAnswer {
    let request = Request::read(request, "size, goal, number, moves, seed")?;
    let goal = read_goal(request.text("goal")?, read_size(request.text("size")?)?)?;
    let number = request.whole("number")?.unwrap_or(1);
    let walk = request.whole("moves")?;
    let seed = request.whole("seed")?.unwrap_or(0);
    let moves = walk.unwrap_or(0);
    if number > MAX_BOARDS || number.saturating_mul(moves) > MAX_MOVES {
        return Err(JsonError::input(format!(
            "{number} boards of {moves} moves are too many for one call: at most {MAX_BOARDS} boards, \
             and ten million moves together"
        )));
    }
    let mut scrambler = Scrambler::new(seed);
    let mut boards = Vec::new();
    for number in 1..=number {
        let (board, scramble) = match walk {
            None => {
                let state = scrambler.draw(goal.tray(), goal.blank());
                (goal.board_of(&state), None)
            }
            Some(count) => {
                let moves = scrambler.walk(goal.board(), count as usize);
                (goal.board().play(&moves).ok(), Some(write_letters(&moves)))
            }
        };
        boards.push(RandomBoard {
            seed,
            number,
            board: board.as_ref().unwrap_or(goal.board()).to_string(),
            scramble,
        });
    }
    to_json(&boards)
}

/// A random board.
#[derive(Serialize)]
struct RandomBoard {
    seed: u64,
    number: u64,
    board: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    scramble: Option<String>,
}

/// The board after moves, as printed by `solver apply --json`.
#[wasm_bindgen]
pub fn apply(request: &str) -> JsonAnswer {
    let request = Request::read(request, "board, moves, goal, notation")?;
    let board = read_board(request.needed_text("board")?, None)?;
    let goal = read_goal(request.text("goal")?, Some(board.tray()))?;
    let text = request.needed_text("moves")?;
    let notation = read_notation(request.text("notation")?, text)?;
    let (moves, result) = read_moves(&board, text, notation)?;
    to_json(&MovesResult {
        board: board.to_string(),
        moves: text.to_owned(),
        length: moves.len(),
        result: result.to_string(),
        solved: &result == goal.board(),
    })
}

/// The board after moves.
#[derive(Serialize)]
struct MovesResult {
    board: String,
    moves: String,
    length: usize,
    result: String,
    solved: bool,
}

/// Moves in another notation.
#[wasm_bindgen]
pub fn convert(request: &str) -> JsonAnswer {
    let request = Request::read(request, "board, moves, from, to")?;
    let board = read_board(request.needed_text("board")?, None)?;
    let text = request.needed_text("moves")?;
    let from = read_notation(request.text("from")?, text)?;
    let to = request.needed_text("to")?.parse();
    let to = to.map_err(JsonError::input)?;
    let (moves, _) = read_moves(&board, text, from)?;
    board.write_moves(&moves, to).map_err(JsonError::input)
}

/// The moves that undo the given moves.
#[wasm_bindgen]
pub fn invert(moves: &str, notation: Option<String>) -> JsonAnswer {
    invert_text(moves, read_notation(notation.as_deref(), moves)?).map_err(JsonError::input)
}

/// Draws a board as text or SVG, or a board and its moves as an animated SVG.
#[wasm_bindgen]
pub fn draw(request: &str) -> JsonAnswer {
    let request = Request::read(request, "board, goal, style, moves")?;
    let board = read_board(request.needed_text("board")?, None)?;
    let goal = read_goal(request.text("goal")?, Some(board.tray()))?;
    let drawing = Drawing::new(&goal);
    let style = request.text("style")?.unwrap_or("text");
    match (style, request.text("moves")?) {
        ("text", None) => Ok(drawing.text(&board, false)),
        ("svg", None) => Ok(drawing.svg(&board)),
        ("svg", Some(text)) => {
            let (moves, _) = read_moves(&board, text, Notation::guess(text))?;
            let svg = drawing.animated_svg(&board, &moves);
            svg.map_err(JsonError::input)
        }
        ("text", Some(_)) => Err(JsonError::input("moves are drawn in the style svg only")),
        (style, _) => Err(JsonError::input(format!(
            "`{style}` is no style: text or svg"
        ))),
    }
}

/// Names of the partitions from which the default of a size is chosen, the largest first. The
/// partitions are not parsed, because parsing needs all presets, which would add 25 kB to the
/// module.
#[wasm_bindgen]
pub fn partitions(size: &str, metric: Option<String>) -> JsonAnswer {
    let tray = size.parse().map_err(JsonError::input)?;
    let metric = metric.as_deref().unwrap_or("single").parse();
    let metric: Metric = metric.map_err(JsonError::input)?;
    to_json(&HeuristicSpec::default_names(metric, tray))
}
