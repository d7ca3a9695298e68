//! `solver hint`: gives a hint in four levels of detail.

use clap::{Args, ValueEnum};
use command::options::{Asked, about};
use command::words::counted;
use command::{Failure, SharedArgs, print_line};
use puzzle::Notation;
use serde_json::json;
use session::request::Solve;
use session::{Request, Response};
use solver::{Hint, TileMove};

use crate::boards::{BoardArgs, name, numbers, write_in_json, written};
use crate::caller::{Caller, MAX_TIME, OpenArgs, within};

#[derive(Args, Debug)]
pub(crate) struct HintArguments {
    #[command(flatten)]
    board: BoardArgs,
    /// Level of the hint: 1 prints the distance to the goal, 2 also the tile to move, 3 also the
    /// move, 4 also all other good moves
    #[arg(long, value_name = "1..4", default_value_t = 1, conflicts_with = "level",
          value_parser = clap::value_parser!(u8).range(1..=4))]
    step: u8,
    /// Level of the hint by name, instead of --step
    #[arg(long, value_name = "LEVEL")]
    level: Option<HelpLevel>,
    #[arg(long, help = about::<Solve>("notation"), default_value = "tile")]
    notation: Notation,
    #[command(flatten)]
    asked: Asked<session::request::Hint>,
    #[command(flatten)]
    open: OpenArgs,
}

/// Level of help.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
enum HelpLevel {
    /// The distance to the goal
    Distance,
    /// The distance, and the tile to move
    Tile,
    /// The distance, the tile and its direction
    Move,
    /// The distance, a good move, and all other good moves
    All,
}

impl HelpLevel {
    /// The options for the higher levels, if any.
    fn more_help(self) -> Option<&'static str> {
        match self {
            HelpLevel::Distance => Some("--step 2 (which tile), 3 (the move), 4 (all good moves)"),
            HelpLevel::Tile => Some("--step 3 (the move), 4 (all good moves)"),
            HelpLevel::Move => Some("--step 4 (all good moves)"),
            HelpLevel::All => None,
        }
    }
}

impl HintArguments {
    fn level(&self) -> HelpLevel {
        // The parser checks the range.
        self.level
            .unwrap_or(HelpLevel::value_variants()[usize::from(self.step) - 1])
    }
}

/// Prints a hint. Returns 1 if the board has no solution, or none was found.
pub(crate) fn run(shared: SharedArgs, arguments: &HintArguments) -> Result<u8, Failure> {
    let board = arguments.board.read(&shared)?;
    let mut request = arguments.asked.question(&shared, [board.field])?;
    request.search = within(&request.search, &board.read.board, MAX_TIME);
    let caller = Caller::new(shared, &arguments.open, false);
    let Some(Response::Hint(advice)) = caller.ask(&Request::Hint(request))? else {
        return Ok(1);
    };
    let (hint, notation) = (&advice.found, arguments.notation);
    if caller.shared.json {
        let mut object = json!(advice);
        let steps: Vec<&TileMove> = hint.moves.iter().collect();
        write_in_json(&mut object["moves"], &steps, notation);
        let solution = board.read.board.write_moves(&hint.solution, notation);
        object["solution"] = json!(solution.map_err(Failure::input)?);
        print_line(object);
    } else {
        let lines = lines(hint, arguments.level(), notation);
        lines.into_iter().for_each(print_line);
        if let Some(more) = arguments.level().more_help() {
            if hint.distance > 0 && !caller.shared.quiet {
                print_line(format_args!("more help: {more}"));
            }
        }
    }
    Ok(0)
}

/// The text of a hint at a level, one line per fact.
fn lines(hint: &Hint, level: HelpLevel, notation: Notation) -> Vec<String> {
    let mut lines = vec![distance_line(hint)];
    let Some(best) = hint.moves.first() else {
        return lines;
    };
    match level {
        HelpLevel::Distance => {}
        HelpLevel::Tile => lines.push(tile_line(best)),
        HelpLevel::Move | HelpLevel::All => lines.push(move_line(best, notation)),
    }
    if level >= HelpLevel::All {
        lines.push(all_line(hint, notation));
    }
    lines
}

/// The distance to the goal.
fn distance_line(hint: &Hint) -> String {
    match (hint.distance, hint.distance == hint.lower_bound) {
        (0, _) => "already solved".to_owned(),
        (distance, true) => format!("{} to the goal", counted(distance.into(), "move")),
        (distance, false) => format!(
            "{} to the goal by the best solution found; no solution is shorter than {}",
            counted(distance.into(), "move"),
            hint.lower_bound
        ),
    }
}

/// The tile to move.
fn tile_line(step: &TileMove) -> String {
    format!("move {}{}", tiles(step), numbers(step))
}

/// The noun before the tile numbers.
fn tiles(step: &TileMove) -> &'static str {
    match step.tiles.len() {
        1 => "tile ",
        _ => "tiles ",
    }
}

/// The tile to move and its direction.
fn move_line(step: &TileMove, notation: Notation) -> String {
    format!("move {}{}", tiles(step), described(step, notation))
}

/// All good moves.
fn all_line(hint: &Hint, notation: Notation) -> String {
    let all = hint.moves.iter().map(|step| described(step, notation));
    let all: Vec<String> = all.collect();
    match (&all[..], hint.is_exact) {
        ([_], true) => "it is the only good move".to_owned(),
        ([_], false) => "it is the only good move known".to_owned(),
        (all, true) => format!("all good moves: {}", all.join(", ")),
        (all, false) => format!("good moves known: {}", all.join(", ")),
    }
}

/// A move such as `12 up (U)`.
fn described(step: &TileMove, notation: Notation) -> String {
    let way = step.moves.first().map_or("", |&way| name(way));
    let tiles = numbers(step);
    match notation {
        Notation::Numbers => format!("{tiles} {way}"),
        _ => format!("{tiles} {way} ({})", written(step, notation)),
    }
}
