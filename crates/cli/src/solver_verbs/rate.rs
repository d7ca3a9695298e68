//! `solver rate`: rates a game move by move.

use clap::Args;
use command::options::Asked;
use command::words::counted;
use command::{Failure, SharedArgs, print_line};
use puzzle::Notation;
use serde_json::json;
use session::request::Rate;
use session::{Request, Response};
use solver::{Rating, TileMove};

use crate::boards::{BoardArgs, MovesArgs, numbers, write_in_json, written};
use crate::caller::{Caller, MAX_RATING_TIME, OpenArgs, within};

#[derive(Args, Debug)]
pub(crate) struct RateArguments {
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    moves: MovesArgs,
    #[command(flatten)]
    asked: Asked<Rate>,
    #[command(flatten)]
    open: OpenArgs,
}

/// Rates a game. Returns 1 if the board has no solution, or none was found.
pub(crate) fn run(shared: SharedArgs, arguments: &RateArguments) -> Result<u8, Failure> {
    let board = arguments.board.read(&shared)?;
    let fields = [board.field, arguments.moves.field()];
    let mut request: Rate = arguments.asked.question(&shared, fields)?;
    request.search = within(&request.search, &board.read.board, MAX_RATING_TIME);
    let guess = || Notation::guess(&request.moves.0);
    let notation = request.notation.unwrap_or_else(guess);
    let caller = Caller::new(shared, &arguments.open, false);
    let Some(Response::Rating(advice)) = caller.ask(&Request::Rate(request))? else {
        return Ok(1);
    };
    let rating = &advice.found;
    if caller.shared.json {
        let mut object = json!(advice);
        let steps: Vec<&TileMove> = rating.steps.iter().map(|rated| &rated.step).collect();
        write_in_json(&mut object["steps"], &steps, notation);
        let objects = object["steps"].as_array_mut().into_iter().flatten();
        for (object, rated) in objects.zip(&rating.steps) {
            if let Some(better) = &rated.better {
                object["better"]["moves"] = json!(written(better, notation));
            }
        }
        print_line(object);
    } else {
        if !caller.shared.quiet {
            print_steps(rating, notation);
        }
        summary(rating).into_iter().for_each(print_line);
    }
    Ok(0)
}

/// Prints one line per move.
fn print_steps(rating: &Rating, notation: Notation) {
    let named = rating
        .steps
        .iter()
        .map(|rated| named(&rated.step, notation));
    let named: Vec<String> = named.collect();
    let width = named.iter().map(String::len).max().unwrap_or(0).max(4);
    let digits = rating.length.to_string().len();
    print_line(format_args!(
        "{:digits$}  {:width$}  lost  to go",
        "", "tile"
    ));
    let start = about(rating.is_exact, rating.distance);
    print_line(format_args!(
        "{:digits$}  {:width$}  {:>4}  {start:>5}",
        0, "", ""
    ));
    for (number, (rated, named)) in (1..).zip(rating.steps.iter().zip(named)) {
        let lost = match rated.lost {
            0 => String::new(),
            lost => lost.to_string(),
        };
        let is_exact = rated.distance == rated.lower_bound;
        let better = rated.better.as_ref();
        let better = better.map(|better| format!("  better: {}", self::named(better, notation)));
        let line = format!(
            "{number:digits$}  {named:width$}  {lost:>4}  {:>5}{}",
            about(is_exact, rated.distance),
            better.unwrap_or_default()
        );
        print_line(line.trim_end());
    }
}

/// A distance, with `~` if it is not proved.
fn about(is_exact: bool, distance: u32) -> String {
    format!("{}{distance}", if is_exact { "" } else { "~" })
}

/// A move such as `12 U`.
fn named(step: &TileMove, notation: Notation) -> String {
    match notation {
        Notation::Numbers => numbers(step),
        _ => format!("{} {}", numbers(step), written(step, notation)),
    }
}

/// The figures of a rating, one per line.
fn summary(rating: &Rating) -> Vec<String> {
    let whose = match rating.is_exact {
        true => "the shortest solution has",
        false => "the best solution known has",
    };
    let quality = if rating.is_exact {
        "shortest"
    } else {
        "best known"
    };
    let made = counted(rating.length.into(), "move");
    let mut lines = vec![match rating.left {
        0 => format!("solved in {made}; {whose} {}", rating.distance),
        left => format!(
            "not solved: {made} made, {left} to go; {whose} {}",
            rating.distance
        ),
    }];
    lines.push(format!(
        "credit {} %: {} of {made} kept a {quality} solution; {} lost",
        rating.credit,
        rating.kept,
        counted(rating.lost.into(), "move")
    ));
    if let Some(worst) = rating.worst {
        let place = match worst.first == worst.last {
            true => format!("at move {}", worst.first),
            false => format!("in moves {} to {}", worst.first, worst.last),
        };
        let lost = counted(worst.lost.into(), "move");
        lines.push(format!("most was lost {place}: {lost}"));
    }
    if !rating.is_exact {
        lines.push(format!(
            "not proved: moves are judged by the best solutions found; none is shorter than {}",
            rating.lower_bound
        ));
    }
    lines
}
