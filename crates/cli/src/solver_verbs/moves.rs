//! `solver apply`, `solver invert` and `solver check`: make moves, undo them, and check a solution.

use clap::Args;
use command::options::Asked;
use command::words::{counted, with_fields};
use command::{Failure, SharedArgs, print_line};
use puzzle::{Board, Direction, Goal, Metric, Notation};
use serde_json::{Value, json};
use session::request::{Apply, Invert, Rate, Solve};
use session::{Control, Request, Response, Session};

use crate::boards::{BoardArgs, MovesArgs};
use crate::caller::{BoardQuestion, Caller, MAX_TIME, within};

#[derive(Args, Debug)]
pub(crate) struct ApplyArguments {
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    moves: MovesArgs,
    #[command(flatten)]
    asked: Asked<Apply>,
}

/// Makes moves and prints the board after them.
pub(crate) fn apply(shared: &SharedArgs, arguments: &ApplyArguments) -> Result<(), Failure> {
    let fields = [arguments.board.read(shared)?.field, arguments.moves.field()];
    let request = Request::Apply(arguments.asked.question(shared, fields)?);
    match Session::default().call(&request, &Default::default())? {
        Response::Moves(end) if !shared.json => print_line(end.result),
        end => print_line(json!(end)),
    }
    Ok(())
}

#[derive(Args, Debug)]
pub(crate) struct InvertArguments {
    #[command(flatten)]
    moves: MovesArgs,
    #[command(flatten)]
    asked: Asked<Invert>,
}

/// Prints the inverse of the moves.
pub(crate) fn invert(shared: &SharedArgs, arguments: &InvertArguments) -> Result<(), Failure> {
    let moves = arguments.moves.field();
    let request = Request::Invert(arguments.asked.question(shared, [moves.clone()])?);
    match Session::default().call(&request, &Default::default())? {
        Response::Text(inverse) if !shared.json => print_line(inverse),
        inverse => print_line(json!({ "moves": moves.1, "inverse": inverse })),
    }
    Ok(())
}

#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    question: BoardQuestion<Rate>,
    #[command(flatten)]
    moves: MovesArgs,
}

/// Result of the check.
struct Verdict {
    words: String,
    /// Whether the moves solve the board.
    solves: bool,
    /// Fields of the JSON output, besides `board`, `moves` and `solves`.
    object: Value,
}

/// Checks a solution. Returns 0 if it solves the board, else 1.
pub(crate) fn check(shared: SharedArgs, arguments: &CheckArguments) -> Result<u8, Failure> {
    let moves = Some(arguments.moves.field());
    let (board, request, caller) = arguments.question.read(shared, moves)?;
    let verdict = verdict(&caller, &request, &board)?;
    if caller.shared.json {
        let (board, moves) = (board.to_string(), &request.moves.0);
        let object = json!({ "board": board, "moves": moves, "solves": verdict.solves });
        print_line(with_fields(object, verdict.object));
    } else {
        print_line(verdict.words);
    }
    Ok(u8::from(!verdict.solves))
}

fn verdict(caller: &Caller, request: &Rate, board: &Board) -> Result<Verdict, Failure> {
    let apply = Request::Apply(Apply {
        subject: request.subject.clone(),
        moves: request.moves.clone(),
        notation: request.notation,
    });
    let end = match caller.session.call(&apply, &Control::default()) {
        Ok(Response::Moves(end)) => end,
        Ok(_) => return Err(Failure::input("no moves were made")),
        Err(failure) => match &failure.fault {
            Some(fault) if ["apart", "edge"].contains(&fault.reason) => {
                return Ok(Verdict {
                    words: format!("not legal: {failure}"),
                    solves: false,
                    object: json!({ "legal": false, "message": failure.message }),
                });
            }
            _ => return Err(failure.into()),
        },
    };
    let (_, goal) = caller.session.subject(&request.subject)?;
    let text = &request.moves.0;
    let notation = request.notation.unwrap_or_else(|| Notation::guess(text));
    let moves = board.read_moves(text, notation).map_err(Failure::input)?;
    let metric = request.tables.metric();
    let length = metric.length(&moves) as u64;
    if !end.solved {
        let words = match moves_to_goal(board, &goal, &moves) {
            Some(early) => format!(
                "the goal is reached after {}, and left",
                counted(early, "move")
            ),
            None => "the goal is not reached".to_owned(),
        };
        return Ok(Verdict {
            words: format!("legal, but {words}: it ends with {}", end.result),
            solves: false,
            object: json!({ "legal": true, "length": length, "result": end.result }),
        });
    }
    let (bound, optimal) = shortest(caller, request, board)?;
    let excess = length.saturating_sub(bound);
    let size = of_metric(length, metric);
    let words = match (optimal, excess) {
        (true, 0) => format!("{size}: optimal"),
        (true, _) => format!("{size}: {excess} more than the optimal {bound}"),
        (false, 0) => format!("{size}: optimal, as no solution is shorter than {bound}"),
        (false, _) => format!(
            "{size}: at most {excess} more than optimal; no solution is shorter than {bound}"
        ),
    };
    let is_optimal = (optimal || excess == 0).then_some(excess == 0);
    Ok(Verdict {
        words: format!("solves the board in {words}"),
        solves: true,
        object: json!({
            "legal": true,
            "length": length,
            "optimal": is_optimal,
            "bound": bound,
            "excess": excess,
        }),
    })
}

/// The number of moves after which the board is first at the goal; `None` if it never is.
fn moves_to_goal(board: &Board, goal: &Goal, moves: &[Direction]) -> Option<u64> {
    let mut now = board.clone();
    let is_goal_after = |&direction: &Direction| {
        now = now.play(&[direction]).unwrap_or_else(|_| now.clone());
        now == *goal.board()
    };
    moves
        .iter()
        .position(is_goal_after)
        .map(|before| before as u64 + 1)
}

/// A lower bound of the number of moves, and whether a solution of that length was found.
fn shortest(caller: &Caller, request: &Rate, board: &Board) -> Result<(u64, bool), Failure> {
    let solve = Request::Solve(Solve {
        subject: request.subject.clone(),
        tables: request.tables.clone(),
        search: within(&request.search, board, MAX_TIME),
        ..Solve::default()
    });
    match caller.session.call(&solve, &caller.control(None)) {
        Ok(Response::Report(report)) => Ok((report.length.unwrap_or(0).into(), true)),
        Ok(_) => Err(Failure::input("no solution was asked for")),
        Err(failure) => match failure.report.as_ref().and_then(|report| report.bound) {
            Some(bound) => Ok((bound.into(), false)),
            None => Err(failure.into()),
        },
    }
}

fn of_metric(length: u64, metric: Metric) -> String {
    match metric {
        Metric::Single => counted(length, "move"),
        Metric::Multi => format!("{} of the multi-tile metric", counted(length, "move")),
    }
}
