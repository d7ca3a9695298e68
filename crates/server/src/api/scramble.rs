//! `/v1/scramble`: random boards.

#![allow(unused_qualifications, reason = "the parameter macro generates some")]

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::Uri;
use puzzle::{Scrambler, write_letters};
use serde::{Deserialize, Serialize};
use solver::Cancel;
use utoipa::{IntoParams, ToSchema};

use super::body::{read_json, read_query};
use super::problems::SearchProblem;
use super::response::{RouteResult, json, json_text};
use crate::app::{App, SharedApp};
use crate::log::Call;
use crate::problem::Problem;
use crate::request::{BoardText, Puzzle};

/// Maximum number of random moves per request, for all boards together.
const MAX_MOVES: u64 = 1_000_000;
/// Maximum number of cells per request, for all boards together.
const MAX_CELLS: u64 = 1_000_000;

/// Options for random boards.
#[derive(Clone, Default, Debug, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
#[schema(example = json!({"size": "4x4", "number": 2, "seed": 7}))]
pub(crate) struct ScrambleRequest {
    /// Columns x rows; the default is 4x4.
    #[schema(example = "4x4")]
    #[param(example = "4x4")]
    size: Option<String>,
    /// `blank-last` (the default), `blank-first`, `snail`, `columns`, or a board.
    #[param(value_type = Option<String>, example = "blank-first")]
    goal: Option<BoardText>,
    /// Number of boards; the default is 1.
    #[schema(minimum = 0, maximum = 10000)]
    #[param(minimum = 0, maximum = 10000)]
    number: Option<u64>,
    /// Number of random moves from the goal; by default all solvable boards are equally likely.
    #[schema(minimum = 0, maximum = 1000000)]
    #[param(minimum = 0, maximum = 1000000)]
    moves: Option<u64>,
    /// Seed: the same seed produces the same boards. The default differs each time.
    #[schema(minimum = 0, format = "uint64")]
    #[param(minimum = 0, format = "uint64")]
    seed: Option<u64>,
}

/// A random board.
#[derive(Serialize, ToSchema)]
#[schema(as = Scrambled)]
pub(crate) struct RandomBoard {
    /// The seed.
    seed: u64,
    /// Number of the board, from 1.
    number: u64,
    /// The board.
    board: String,
    /// The random moves from the goal, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    scramble: Option<String>,
}

/// Random solvable boards.
#[utoipa::path(
    post,
    path = "/v1/scramble",
    tag = "advice",
    request_body = ScrambleRequest,
    responses((status = 200, description = "The boards", body = Vec<RandomBoard>), SearchProblem)
)]
pub(crate) async fn post(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let request = read_json(&app, request).await?;
    scramble(app, call, request).await
}

/// Random solvable boards.
#[utoipa::path(
    get,
    path = "/v1/scramble",
    tag = "advice",
    params(ScrambleRequest),
    responses((status = 200, description = "The boards", body = Vec<RandomBoard>), SearchProblem)
)]
pub(crate) async fn get(State(app): SharedApp, call: Call, uri: Uri) -> RouteResult {
    scramble(app, call, read_query(&uri)?).await
}

async fn scramble(app: Arc<App>, call: Call, request: ScrambleRequest) -> RouteResult {
    let puzzle = Puzzle::new(&app.config, request.size, request.goal, None, None)?;
    let goal = puzzle.goal(None)?;
    let (number, moves) = (request.number.unwrap_or(1), request.moves);
    let cells = number.saturating_mul(goal.tray().cells() as u64);
    let all_moves = number.saturating_mul(moves.unwrap_or(0));
    let most = app.config.max_boards as u64;
    if number > most || cells > MAX_CELLS || all_moves > MAX_MOVES || moves > Some(MAX_MOVES) {
        return Err(Problem::input(format!(
            "too much for one request: at most {most} boards, {MAX_CELLS} cells and {MAX_MOVES} moves \
             together"
        )));
    }
    let seed = request
        .seed
        .unwrap_or_else(|| RandomState::new().hash_one(0) >> 11);
    let search = app.searches.admit(&call, false)?;
    let work = move |cancel: &Cancel| {
        let mut scrambler = Scrambler::new(seed);
        let draw = |number| {
            let (board, scramble) = match moves {
                None => (
                    goal.board_of(&scrambler.draw(goal.tray(), goal.blank())),
                    None,
                ),
                Some(count) => {
                    let moves = scrambler.walk(goal.board(), count as usize);
                    let board = goal.board().play(&moves).ok();
                    (board, Some(write_letters(&moves)))
                }
            };
            RandomBoard {
                seed,
                number,
                board: board.as_ref().unwrap_or(goal.board()).to_string(),
                scramble,
            }
        };
        let numbers = (1..=number).take_while(|_| !cancel.is_cancelled());
        Ok(json_text(&numbers.map(draw).collect::<Vec<_>>()))
    };
    let text = search.run(Duration::from_secs(1), work).await?;
    search.call.log.add(number, 0);
    Ok(json(text))
}
