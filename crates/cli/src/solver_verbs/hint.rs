//! `solver hint`: gives a hint in four levels of detail.

use clap::{Args, ValueEnum};
use command::options::about;
use command::words::counted;
use command::{Failure, SharedArgs, print_line};
use puzzle::Notation;
use serde_json::json;
use session::request::Solve;
use session::{Request, Response};
use solver::{Hint, TileMove};

use crate::boards::{name, numbers, write_in_json, written};
use crate::caller::{BoardQuestion, MAX_TIME, within};

#[derive(Args, Debug)]
pub(crate) struct HintArguments {
    #[command(flatten)]
    question: BoardQuestion<session::request::Hint>,
    /// Level of the hint, by number or name: 1 (distance) prints the distance to the goal, 2 (tile)
    /// also the tile to move, 3 (move) also the move, 4 (all) also all other good moves
    #[arg(
        long,
        value_name = "1..4",
        visible_alias = "level",
        default_value = "1",
        hide_possible_values = true
    )]
    step: HelpLevel,
    #[arg(long, help = about::<Solve>("notation"), default_value = "tile")]
    notation: Notation,
}

/// Level of help.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
enum HelpLevel {
    #[value(alias = "1")]
    Distance,
    #[value(alias = "2")]
    Tile,
    #[value(alias = "3")]
    Move,
    #[value(alias = "4")]
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

/// Prints a hint. Returns 1 if the board has no solution, or none was found.
pub(crate) fn run(shared: SharedArgs, arguments: &HintArguments) -> Result<u8, Failure> {
    let (board, mut request, caller) = arguments.question.read(shared, None)?;
    request.search = within(&request.search, &board, MAX_TIME);
    let Some(Response::Hint(advice)) = caller.ask(&Request::Hint(request))? else {
        return Ok(1);
    };
    let (hint, notation) = (&advice.found, arguments.notation);
    if caller.shared.json {
        let mut object = json!(advice);
        let steps: Vec<&TileMove> = hint.moves.iter().collect();
        write_in_json(&mut object["moves"], &steps, notation);
        let solution = board.write_moves(&hint.solution, notation);
        object["solution"] = json!(solution.map_err(Failure::input)?);
        print_line(object);
    } else {
        let lines = lines(hint, arguments.step, notation);
        lines.into_iter().for_each(print_line);
        if let Some(more) = arguments.step.more_help() {
            if hint.distance > 0 && !caller.shared.quiet {
                print_line(format_args!("more help: {more}"));
            }
        }
    }
    Ok(0)
}

/// The text of a hint at a level, one line per fact.
fn lines(hint: &Hint, level: HelpLevel, notation: Notation) -> Vec<String> {
    let distance = counted(hint.distance.into(), "move");
    let mut lines = vec![match (hint.distance, hint.distance == hint.lower_bound) {
        (0, _) => "already solved".to_owned(),
        (_, true) => format!("{distance} to the goal"),
        (_, false) => format!(
            "{distance} to the goal by the best solution found; no solution is shorter than {}",
            hint.lower_bound
        ),
    }];
    let Some(best) = hint.moves.first().filter(|_| level > HelpLevel::Distance) else {
        return lines;
    };
    let ending = if best.tiles.len() == 1 { "" } else { "s" };
    let step = match level {
        HelpLevel::Tile => numbers(best),
        _ => described(best, notation),
    };
    lines.push(format!("move tile{ending} {step}"));
    if level >= HelpLevel::All {
        let all = hint.moves.iter().map(|step| described(step, notation));
        let all: Vec<String> = all.collect();
        lines.push(match (&all[..], hint.is_exact) {
            ([_], true) => "it is the only good move".to_owned(),
            ([_], false) => "it is the only good move known".to_owned(),
            (all, true) => format!("all good moves: {}", all.join(", ")),
            (all, false) => format!("good moves known: {}", all.join(", ")),
        });
    }
    lines
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
