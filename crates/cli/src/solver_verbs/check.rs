//! `solver check`: checks a solution.

use clap::Args;
use command::words::{counted, with_fields};
use command::{Failure, SharedArgs, print_line};
use puzzle::{Board, Direction, Goal, Metric};
use serde_json::{Value, json};
use solver::{Mode, SolveError};

use crate::board::BoardArgs;
use crate::moves::MovesArgs;
use crate::opener::Opener;
use crate::search::{MAX_TIME, MAX_TIME_HELP, SearchArgs};

#[derive(Args, Debug)]
#[command(mut_arg("max_time", |arg| arg.help(MAX_TIME_HELP)))]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    moves: MovesArgs,
    #[command(flatten)]
    search: SearchArgs,
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
pub(crate) fn run(shared: SharedArgs, arguments: &CheckArguments) -> Result<u8, Failure> {
    let board = arguments.board.read(&shared)?;
    let goal = shared.goal(Some(board.tray()))?;
    let text = arguments.moves.text();
    let json = shared.json;
    let verdict = verdict(shared, arguments, &board, &goal)?;
    if json {
        let solves = verdict.solves;
        let object = json!({ "board": board.to_string(), "moves": text, "solves": solves });
        print_line(with_fields(object, verdict.object));
    } else {
        print_line(verdict.words);
    }
    Ok(u8::from(!verdict.solves))
}

fn verdict(
    shared: SharedArgs,
    arguments: &CheckArguments,
    board: &Board,
    goal: &Goal,
) -> Result<Verdict, Failure> {
    let moves = match arguments.moves.read(board)? {
        Ok(moves) => moves,
        Err(reason) => {
            return Ok(Verdict {
                words: format!("not legal: {reason}"),
                solves: false,
                object: json!({ "legal": false, "message": reason }),
            });
        }
    };
    let metric = shared.metric();
    let length = metric.length(&moves) as u64;
    let end = board.play(&moves).map_err(Failure::input)?;
    if end != *goal.board() {
        let reached = moves_to_goal(board, goal, &moves);
        let words = match reached {
            Some(early) => format!(
                "the goal is reached after {}, and left",
                counted(early, "move")
            ),
            None => "the goal is not reached".to_owned(),
        };
        return Ok(Verdict {
            words: format!("legal, but {words}: it ends with {end}"),
            solves: false,
            object: json!({ "legal": true, "length": length, "result": end.to_string() }),
        });
    }
    // If tables are missing, smaller ones are used, which prove a weaker bound.
    let open = arguments.search.open.clone();
    let opener = Opener::new(Mode::Anytime, shared, open, false)?;
    let opener = opener.with_side(arguments.search.side);
    let (bound, optimal) = shortest(&opener, arguments, board)?;
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
fn shortest(
    opener: &Opener,
    arguments: &CheckArguments,
    board: &Board,
) -> Result<(u64, bool), Failure> {
    let options = arguments.search.options_within(board.tray(), MAX_TIME);
    match opener.solve(board, options)? {
        Ok(solution) => Ok((solution.length.into(), true)),
        Err(SolveError::Limit(limit)) => Ok((limit.lower_bound.into(), false)),
        Err(error) => Err(Failure::table(error)),
    }
}

fn of_metric(length: u64, metric: Metric) -> String {
    match metric {
        Metric::Single => counted(length, "move"),
        Metric::Multi => format!("{} of the multi-tile metric", counted(length, "move")),
    }
}
