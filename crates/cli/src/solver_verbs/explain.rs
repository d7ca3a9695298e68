//! `solver explain`: shows the values of heuristics for a board, and the reasons for these values.

mod picture;

use std::path::PathBuf;

use clap::Args;
use command::words::counted;
use command::{Failure, SharedArgs, print_line};
use lab::{Explanation, HeuristicChoice, Position};
use puzzle::{Board, Drawing, Goal};
use serde_json::json;
use solver::{Mode, SolveOptions};

use crate::answer::can_be_solved;
use crate::board::BoardArgs;
use crate::laboratory::{factory, heuristics};
use crate::opener::Opener;
use crate::search::{MAX_TIME, OpenArgs};
use crate::show::write_svg;

#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    board: BoardArgs,
    /// Heuristics: zero, misplaced, manhattan, linear-conflict, inversion-distance,
    /// walking-distance, or partitions of pattern databases such as 6-6-3, fringe or
    /// blank-compressed:6-6-3; A+B is the maximum of A and B [default: all heuristics that are
    /// available for the size]
    #[arg(long, value_name = "NAME,...")]
    heuristics: Vec<String>,
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
    let goal = shared.goal(Some(board.tray()))?;
    let choices = heuristics(&match arguments.heuristics.is_empty() {
        true => HeuristicChoice::names_at_hand(board.tray()),
        false => arguments.heuristics.clone(),
    })?;
    if !can_be_solved(&shared, &goal, &board)? {
        return Ok(1);
    }
    let Some(state) = goal.state(&board) else {
        return Err(Failure::input(
            "the size of the goal differs from that of the board",
        ));
    };
    let position = Position::new(&state).map_err(Failure::input)?;
    let opener = Opener::new(Mode::Optimal, shared, arguments.open.clone(), false)?;
    let factory = factory(&opener.shared);
    let made = choices.iter().map(|own| factory.heuristic(own, &goal));
    let made = made.collect::<Result<Vec<_>, _>>();
    let made = made.map_err(Failure::input_unless_interrupted)?;
    let seen = Explanation::of(&made, &position, &goal);
    let distance = distance(&opener, &goal, &board);
    let shared = &opener.shared;
    let object = json!({
        "board": board.to_string(),
        "goal": goal.to_string(),
        "distance": distance,
        "heuristics": seen,
    });
    if let Some(file) = &arguments.svg {
        let svg = picture::svg(&goal, &board, &seen, distance);
        write_svg(shared, file, &svg, &object)?;
    } else if shared.json {
        print_line(object);
    } else {
        print_words(&goal, &board, &seen, distance);
    }
    Ok(0)
}

/// The true distance, if it is found quickly.
fn distance(opener: &Opener, goal: &Goal, board: &Board) -> Option<u32> {
    // If tables are missing, easy boards are solved without them.
    let solver = opener.open(goal);
    let solver = solver.or_else(|_| opener.open_without_tables(goal));
    let solver = solver.ok()?;
    let options = SolveOptions::default().cancel(&command::cancel());
    let options = options.threads(opener.shared.thread_count());
    let options = options.max_time(MAX_TIME);
    let solution = solver.solve_with(board, &options).ok()?;
    solution.is_optimal.then_some(solution.length)
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
