//! `POST /v1/explain`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use lab::Explanation;
use puzzle::Metric;
use serde::{Deserialize, Serialize};
use solver::SolveOptions;
use utoipa::ToSchema;

use super::advice::answer;
use super::body::read_json;
use super::objects::ExplanationsOrReport;
use super::problems::SearchProblem;
use super::response::json_text;
use crate::app::App;
use crate::explanations::PATIENCE;
use crate::log::Call;
use crate::problem::Problem;
use crate::request::{BoardText, Limits, Puzzle};

/// A board to explain.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"board": "3 2 1/4 5 6/7 8 0", "heuristics": ["manhattan", "linear-conflict"]}))]
pub(crate) struct ExplainRequest {
    /// The board.
    board: BoardText,
    /// Columns x rows, where the board does not say it.
    size: Option<String>,
    /// `blank-last` (the default), `blank-first`, or a board.
    goal: Option<BoardText>,
    /// Heuristics by name: zero, misplaced, manhattan, linear-conflict, inversion-distance,
    /// walking-distance, or partitions such as 6-6-3; joined by + their maximum. By default all
    /// that are at hand for the size.
    #[schema(max_items = 32)]
    #[serde(default)]
    heuristics: Vec<String>,
}

/// The answer, which [`ExplanationsObject`](super::objects::ExplanationsObject) describes.
#[derive(Serialize)]
struct ExplainAnswer {
    board: String,
    goal: String,
    distance: Option<u32>,
    heuristics: Vec<Explanation>,
}

/// What heuristics see on a board.
///
/// A board that has no solution has a report instead.
#[utoipa::path(
    post,
    path = "/v1/explain",
    tag = "advice",
    request_body = ExplainRequest,
    responses(
        (status = 200, description = "What each heuristic sees, or a report", headers(
            ("Tables-Reason" = String, description = "Of the search for the distance")
        ), content(
            (ExplanationsOrReport = "application/json")
        )),
        SearchProblem
    )
)]
pub(crate) async fn explain(
    State(app): State<Arc<App>>,
    call: Call,
    request: Request,
) -> Result<Response, Problem> {
    let request: ExplainRequest = read_json(&app, request).await?;
    let puzzle = Puzzle::new(&app.config, request.size, request.goal, None, None)?;
    let board = puzzle.board(&request.board)?;
    let goal = puzzle.goal(Some(board.tray()))?;
    let limit = Limits::new(&app.config, None, None, None)?.max_time;
    let names = request.heuristics;
    answer(
        app,
        call,
        goal,
        board,
        limit,
        move |app, goal, board, state, cancel| {
            let solvers = &app.solvers;
            let heuristics = app
                .explanations
                .explain(solvers, goal, state, &names, cancel)?;
            // Where it is found soon.
            let opened = solvers.open(goal, Metric::Single, None, cancel)?;
            let options = SolveOptions::default().cancel(cancel);
            let options = options.max_time(PATIENCE.min(limit));
            let found = opened.solver.solve_with(board, &options).ok();
            let object = ExplainAnswer {
                board: board.to_string(),
                goal: goal.to_string(),
                distance: found.map(|found| found.length),
                heuristics,
            };
            Ok((json_text(&object), opened.reason.clone()))
        },
    )
    .await
}
