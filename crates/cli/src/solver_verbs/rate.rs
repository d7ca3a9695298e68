//! `solver rate`: rates a game move by move.

use clap::Args;
use command::words::counted;
use command::{Failure, SharedArgs, print_line};
use puzzle::Notation;
use serde_json::json;
use solver::{Rating, Solver, TileMove};

use crate::advice::ask;
use crate::board::BoardArgs;
use crate::moves::{MovesArgs, numbers, write_in_json, written};
use crate::search::{MAX_RATING_TIME, MAX_RATING_TIME_HELP, SearchArgs};

#[derive(Args, Debug)]
#[command(mut_arg("max_time", |arg| arg.help(MAX_RATING_TIME_HELP)))]
pub(crate) struct RateArguments {
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    moves: MovesArgs,
    #[command(flatten)]
    search: SearchArgs,
}

/// Rates a game. Returns 1 if the board has no solution, or none was found.
pub(crate) fn run(shared: SharedArgs, arguments: &RateArguments) -> Result<u8, Failure> {
    let board = arguments.board.read(&shared)?;
    let goal = shared.goal(Some(board.tray()))?;
    let moves = arguments.moves.legal(&board)?;
    let search = &arguments.search;
    let ask_rating = |solver: &Solver, options: &_| solver.rate(&board, &moves, options);
    let advice = ask(shared, search, (&goal, &board), MAX_RATING_TIME, ask_rating)?;
    let Some(advice) = advice else { return Ok(1) };
    let rating = &advice.found;
    let notation = arguments.moves.notation();
    if advice.shared.json {
        let mut fields = json!(rating);
        let steps: Vec<&TileMove> = rating.steps.iter().map(|rated| &rated.step).collect();
        write_in_json(&mut fields["steps"], &steps, notation);
        let objects = fields["steps"].as_array_mut().into_iter().flatten();
        for (object, rated) in objects.zip(&rating.steps) {
            if let Some(better) = &rated.better {
                object["better"]["moves"] = json!(written(better, notation));
            }
        }
        let asked = json!({ "board": board.to_string(), "moves": arguments.moves.text() });
        advice.print_object(asked, fields);
    } else {
        if !advice.shared.quiet {
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
pub(crate) fn summary(rating: &Rating) -> Vec<String> {
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
