//! `POST /v1/explain`.

use axum::extract::{Request, State};
use lab::Explanation;
use puzzle::Metric;
use serde::{Deserialize, Serialize};
use solver::{SolveOptions, check_board};
use utoipa::ToSchema;

use super::advice::{Subject, answer};
use super::body::read_json;
use super::objects::ExplanationsOrReport;
use super::problems::SearchProblem;
use super::response::{RouteResult, json_text};
use crate::app::SharedApp;
use crate::explanations::DISTANCE_TIME;
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
    /// Columns x rows, if the board does not determine them.
    size: Option<String>,
    /// `blank-last` (the default), `blank-first`, `snail`, `columns`, or a board.
    goal: Option<BoardText>,
    /// Names of heuristics: zero, misplaced, manhattan, linear-conflict, inversion-distance,
    /// walking-distance, or partitions such as 6-6-3; names joined by + mean the maximum of these
    /// heuristics. The default is all heuristics that are quickly available for the size.
    #[schema(max_items = 32)]
    #[serde(default)]
    heuristics: Vec<String>,
}

/// The answer, described by [`ExplanationsObject`](super::objects::ExplanationsObject).
#[derive(Serialize)]
struct ExplainAnswer {
    board: String,
    goal: String,
    distance: Option<u32>,
    heuristics: Vec<Explanation>,
}

/// Explains the values of heuristics on a board.
///
/// If the board has no solution, the answer is a report.
#[utoipa::path(
    post,
    path = "/v1/explain",
    tag = "advice",
    request_body = ExplainRequest,
    responses(
        (status = 200, description = "The explanations, or a report",
         body = ExplanationsOrReport, headers(
            ("Tables-Reason" = String, description = "Of the search for the distance")
        )),
        SearchProblem
    )
)]
pub(crate) async fn explain(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let request: ExplainRequest = read_json(&app, request).await?;
    let puzzle = Puzzle::new(&app.config, request.size, request.goal, None, None)?;
    let limits = Limits::new(&app.config, None, None, None, None)?;
    let subject = Subject::new(puzzle, &request.board, limits)?;
    let names = request.heuristics;
    answer(app, call, subject, move |app, subject, cancel| {
        let (solvers, goal, board) = (&app.solvers, &subject.goal, &subject.board);
        let state = check_board(goal, board).map_err(Problem::input)?;
        let heuristics = app
            .explanations
            .explain(solvers, goal, &state, &names, cancel)?;
        // The distance is absent if it is not found within the time limit.
        let opened = solvers.open(goal, Metric::Single, None, cancel)?;
        let options = SolveOptions::default().cancel(cancel);
        let options = options.max_time(DISTANCE_TIME.min(subject.limits.max_time));
        let found = opened.solver.solve_with(board, &options).ok();
        let object = ExplainAnswer {
            board: board.to_string(),
            goal: goal.to_string(),
            distance: found.map(|found| found.length),
            heuristics,
        };
        Ok((json_text(&object), opened.reason.clone()))
    })
    .await
}
