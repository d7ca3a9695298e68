//! `solver rate`: rates a game move by move.

use clap::Args;
use command::table::aligned;
use command::words::counted;
use command::{Failure, SharedArgs, print_line};
use puzzle::Notation;
use serde_json::json;
use session::request::Rate;
use session::{Request, Response};
use solver::{Rating, TileMove};

use crate::boards::{MovesArgs, numbers, write_in_json, written};
use crate::caller::{BoardQuestion, MAX_RATING_TIME, within};

#[derive(Args, Debug)]
pub(crate) struct RateArguments {
    #[command(flatten)]
    question: BoardQuestion<Rate>,
    #[command(flatten)]
    moves: MovesArgs,
}

/// Rates a game. Returns 1 if the board has no solution, or none was found.
pub(crate) fn run(shared: SharedArgs, arguments: &RateArguments) -> Result<u8, Failure> {
    let moves = Some(arguments.moves.field());
    let (board, mut request, caller) = arguments.question.read(shared, moves)?;
    request.search = within(&request.search, &board, MAX_RATING_TIME);
    let guess = || Notation::guess(&request.moves.0);
    let notation = request.notation.unwrap_or_else(guess);
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
    let head = ["", "tile", "lost", "to go", ""]
        .map(str::to_owned)
        .to_vec();
    let start = about(rating.is_exact, rating.distance);
    let start = ["0", "", "", &start, ""].map(str::to_owned).to_vec();
    let rows = (1..).zip(&rating.steps).map(|(number, rated)| {
        let better = rated.better.as_ref();
        vec![
            format!("{number}"),
            named(&rated.step, notation),
            Some(rated.lost)
                .filter(|&lost| lost > 0)
                .map_or(String::new(), |lost| lost.to_string()),
            about(rated.distance == rated.lower_bound, rated.distance),
            better.map_or(String::new(), |better| {
                format!("better: {}", named(better, notation))
            }),
        ]
    });
    let rows: Vec<Vec<String>> = [head, start].into_iter().chain(rows).collect();
    aligned(&rows, |column| [0, 2, 3].contains(&column))
        .iter()
        .for_each(print_line);
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
