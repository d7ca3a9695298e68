//! `POST /v1/explain`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use lab::Explanation;
use puzzle::{Metric, Notation};
use serde::{Deserialize, Serialize};
use solver::{Cancel, Report, SolveOptions, check_board};
use utoipa::ToSchema;

use super::body::read_json;
use super::objects::{ExplanationsObject, or_report};
use super::solve::{with_id, with_reason};
use super::{json, json_text};
use crate::app::App;
use crate::explanations::PATIENCE;
use crate::log::Call;
use crate::problem::{Problem, SearchProblem};
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

/// What is answered.
#[derive(Serialize)]
struct Explained {
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
    let (parts, body) = request.into_parts();
    let asked: ExplainRequest = read_json(&app, &parts, body).await?;
    let (config, size) = (&app.config, asked.size.as_deref());
    let puzzle = Puzzle::new(config, size, asked.goal.as_ref(), None, None)?;
    let board = puzzle.board(&asked.board)?;
    let goal = puzzle.goal(Some(board.tray()))?;
    let limit = Limits::new(config, None, None, None)?.max_time;
    let search = app.searches.admit(&call)?;
    let work = move |cancel: &Cancel| {
        let state = match check_board(&goal, &board) {
            Ok(state) => state,
            Err(error) => {
                let report = Report::failure(&goal, &board, &error, Notation::Tile);
                return Ok((json_text(&report), None));
            }
        };
        let (solvers, names) = (&app.solvers, &asked.heuristics);
        let seen = app
            .explanations
            .explain(solvers, &goal, &state, names, cancel)?;
        // Where it is found soon.
        let opened = app.solvers.open(&goal, Metric::Single, None, cancel)?;
        let options = SolveOptions::default()
            .cancel(cancel)
            .max_time(PATIENCE.min(limit));
        let found = opened.solver.solve_with(&board, &options).ok();
        if cancel.is_cancelled() {
            return Err(Problem::cancelled());
        }
        let object = Explained {
            board: board.to_string(),
            goal: goal.to_string(),
            distance: found.map(|found| found.length),
            heuristics: seen,
        };
        Ok((json_text(&object), opened.reason.clone()))
    };
    let (text, reason) = search.run(limit, work).await?;
    search.call.log.add(1, 0);
    Ok(with_reason(with_id(json(text), &search), reason))
}

or_report!(
    ExplanationsOrReport,
    Explanations(ExplanationsObject),
    "Explanations, or why there are none."
);
