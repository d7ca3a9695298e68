//! `solver explain`: shows the values of heuristics for a board, and the reasons for these values.

mod picture;

use std::path::PathBuf;

use clap::Args;
use command::options::Asked;
use command::words::counted;
use command::{Failure, SharedArgs, print_line};
use lab::Explanation;
use puzzle::{Board, Drawing, Goal};
use serde_json::json;
use session::request::{Explain, Search, Solve};
use session::{Control, Request, Response};

use crate::board::BoardArgs;
use crate::caller::{Caller, MAX_PROVED_CELLS, MAX_TIME, OpenArgs};
use crate::laboratory::factory;
use crate::show::write_svg;

#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    asked: Asked<Explain>,
    /// SVG file to write, or - for standard output; the picture shows the board with the terms of
    /// each heuristic
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    open: OpenArgs,
}

/// Explains a board. Returns 1 if it has no solution.
pub(crate) fn run(shared: SharedArgs, arguments: &ExplainArguments) -> Result<u8, Failure> {
    let board = arguments.board.read(&shared)?;
    let request: Explain = arguments.asked.question(&shared, [board.field])?;
    let mut caller = Caller::new(shared, &arguments.open, false);
    caller.session.factory = factory(&caller.shared);
    let (read, goal) = caller.session.subject(&request.subject)?;
    let board = &read.board;
    let solve = Request::Solve(Solve {
        subject: request.subject.clone(),
        search: Search {
            max_time: Some(MAX_TIME),
            threads: Some(caller.shared.thread_count() as u64),
            ..Search::default()
        },
        ..Solve::default()
    });
    let Some(Response::Explanations(seen)) = caller.ask(&Request::Explain(request))? else {
        return Ok(1);
    };
    // The true distance, if it is found quickly.
    if board.tray().cells() > MAX_PROVED_CELLS && !arguments.open.build {
        caller.session.limits.build_time = [0.0; 2];
    }
    let silent = Control::new(command::cancel(), None);
    let distance = match caller.session.call(&solve, &silent) {
        Ok(Response::Report(report)) => report.length,
        _ => None,
    };
    let shared = &caller.shared;
    let object = json!({
        "board": board.to_string(),
        "goal": goal.to_string(),
        "distance": distance,
        "heuristics": seen,
    });
    if let Some(file) = &arguments.svg {
        let svg = picture::svg(&goal, board, &seen, distance);
        write_svg(shared, file, &svg, &object)?;
    } else if shared.json {
        print_line(object);
    } else {
        print_words(&goal, board, &seen, distance);
    }
    Ok(0)
}

fn print_words(goal: &Goal, board: &Board, seen: &[Explanation], distance: Option<u32>) {
    print_line(Drawing::new(goal).text(board, false).trim_end());
    print_line(match distance {
        Some(distance) => format!("{} from the goal", counted(distance.into(), "move")),
        None => "distance to the goal: not found within 2 s".to_owned(),
    });
    for own in seen {
        let kind = if own.is_consistent {
            ""
        } else {
            ", not consistent"
        };
        let mark = if own.is_largest {
            "  <- the largest"
        } else {
            ""
        };
        let (value, name) = (own.value, &own.heuristic);
        print_line(format_args!("\n{value:3}  {name}{kind}{mark}"));
        for term in &own.terms {
            print_line(format_args!("     {:3}  {}", term.value, term.words));
        }
        print_line(format_args!("          ({})", own.source));
    }
}
