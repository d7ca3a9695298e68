//! `POST /v1/explain`.

use axum::extract::{Request, State};
use lab::Explanation;
use puzzle::board_text::Note;
use serde::Serialize;
use session::request::{Explain, Search, Tables};
use session::{Fields, Spelling};
use solver::{SolveOptions, check_board};

use super::advice::{Asked, answer};
use super::body::read_json;
use super::problems::SearchProblem;
use super::response::{RouteResult, json_text};
use super::schema::{ExplainRequest, ExplanationsOrReport};
use crate::app::SharedApp;
use crate::explanations::DISTANCE_TIME;
use crate::log::Call;
use crate::problem::Problem;

/// The answer.
#[derive(Serialize)]
struct ExplainAnswer {
    board: String,
    goal: String,
    distance: Option<u32>,
    heuristics: Vec<Explanation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
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
    let request = Explain::from_fields(read_json(&app, request).await?, Spelling::Snake)?;
    let (tables, search) = (Tables::default(), Search::default());
    let asked = Asked::new(&app, &request.subject, &tables, &search)?;
    let names = request.heuristics;
    answer(app, call, asked, move |app, asked, cancel| {
        let (solvers, goal) = (&app.solvers, &asked.placed.goal);
        let board = &asked.placed.read.board;
        let state = check_board(goal, board).map_err(Problem::input)?;
        let heuristics = app
            .explanations
            .explain(solvers, goal, &state, &names, cancel)?;
        // The distance is absent if it is not found within the time limit.
        let opened = solvers.open(goal, &asked.tables, cancel)?;
        let options = SolveOptions::default().cancel(cancel);
        let options = options.max_time(DISTANCE_TIME.min(asked.max_time()));
        let found = opened.solver.solve_with(board, &options).ok();
        let object = ExplainAnswer {
            board: board.to_string(),
            goal: goal.to_string(),
            distance: found.map(|found| found.length),
            heuristics,
            notes: asked
                .placed
                .read
                .notes
                .iter()
                .map(Note::to_string)
                .collect(),
        };
        Ok((json_text(&object), opened.reason.clone()))
    })
    .await
}
