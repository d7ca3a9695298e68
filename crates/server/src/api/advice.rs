//! `POST /v1/hint`, `/v1/rate` and `/v1/probe`.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use puzzle::Notation;
use serde::Serialize;
use session::request::{Hint, Probe, Rate, Search, Subject, Tables};
use session::{Control, Fields, Spelling};
use solver::{Cancel, Report, SolveError, SolveOptions, Solver, check_board};

use super::body::read_json;
use super::problems::SearchProblem;
use super::response::{BoardJson, RouteResult, about_board, json_text};
use super::schema::{
    HintOrReport, HintRequest, ProbeOrReport, ProbeRequest, RateRequest, RatingOrReport,
};
use crate::answer::reported;
use crate::app::{App, SharedApp};
use crate::log::Call;
use crate::problem::Problem;
use crate::request::{Placed, Puzzle};

/// The board of a request for advice, with its tables and limits.
pub(crate) struct Asked {
    pub(crate) placed: Placed,
    pub(crate) tables: Tables,
    pub(crate) options: SolveOptions,
}

impl Asked {
    pub(crate) fn new(
        app: &App,
        subject: &Subject,
        tables: &Tables,
        search: &Search,
    ) -> Result<Asked, Problem> {
        Ok(Asked {
            placed: Puzzle::new(&app.session, subject, tables)?
                .board(&app.session, &subject.board)?,
            tables: tables.clone(),
            options: app.session.search_options(search, &Control::default())?,
        })
    }

    pub(crate) fn max_time(&self) -> Duration {
        self.options.max_time.unwrap_or(Duration::MAX)
    }
}

/// Computes advice on a search thread, with the tables of the request.
async fn advise<T: Serialize>(
    app: Arc<App>,
    call: Call,
    asked: Asked,
    moves: Option<String>,
    ask: impl FnOnce(&Solver, &Placed, &SolveOptions) -> Result<T, SolveError> + Send + 'static,
) -> RouteResult {
    answer(app, call, asked, move |app, asked, cancel| {
        let (placed, board) = (&asked.placed, &asked.placed.read.board);
        let open = app.solvers.open(&placed.goal, &asked.tables, cancel)?;
        let found = ask(&open.solver, placed, &asked.options.clone().cancel(cancel));
        let text = match open.solver.advice(board, moves.as_deref(), found) {
            Ok(advice) => json_text(&advice.with_notes(&placed.read.notes)),
            Err(answer) => json_text(&reported(*answer)?.with_notes(&placed.read.notes)),
        };
        Ok((text, open.reason.clone()))
    })
    .await
}

/// Answers a request about a board on a search thread. For an unsolvable board, the answer is a
/// report. For a solvable board, `ask` returns the text of the answer, and the reason if the
/// default tables were not used.
pub(crate) async fn answer<F>(app: Arc<App>, call: Call, asked: Asked, ask: F) -> RouteResult
where
    F: FnOnce(&App, &Asked, &Cancel) -> Result<(String, Option<String>), Problem>,
    F: Send + 'static,
{
    let search = app.searches.admit(&call, false)?;
    let limit = asked.max_time();
    let work = move |cancel: &Cancel| {
        let Placed { read, goal } = &asked.placed;
        let (text, reason) = match check_board(goal, &read.board) {
            Ok(_) => ask(&app, &asked, cancel)?,
            Err(error) => {
                let report = Report::failure(goal, &read.board, &error, Notation::Tile);
                (json_text(&report.with_notes(&read.notes)), None)
            }
        };
        if cancel.is_cancelled() {
            return Err(Problem::cancelled());
        }
        let nodes = 0;
        Ok(BoardJson {
            text,
            nodes,
            reason,
        })
    };
    about_board(search, limit, work).await
}

/// The distance to the goal, and the good moves.
///
/// If the board has no solution, or no solution is found within the limits, the answer is a report
/// with `status` and `message`.
#[utoipa::path(
    post,
    path = "/v1/hint",
    tag = "advice",
    request_body = HintRequest,
    responses(
        (status = 200, description = "The hint, or a report", body = HintOrReport, headers(
            ("Tables-Reason" = String, description = "Why the tables are not the default ones")
        )),
        SearchProblem
    )
)]
pub(crate) async fn hint(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let request = Hint::from_fields(read_json(&app, request).await?, Spelling::Snake)?;
    let asked = Asked::new(&app, &request.subject, &request.tables, &request.search)?;
    let hint = |solver: &Solver, placed: &Placed, options: &SolveOptions| {
        solver.hint(&placed.read.board, options)
    };
    advise(app, call, asked, None, hint).await
}

/// Rates the moves of a game.
///
/// If the board has no solution, or no solution is found within the limits, the answer is a report.
#[utoipa::path(
    post,
    path = "/v1/rate",
    tag = "advice",
    request_body = RateRequest,
    responses(
        (status = 200, description = "The rating, or a report", body = RatingOrReport, headers(
            ("Tables-Reason" = String, description = "Why the tables are not the default ones")
        )),
        SearchProblem
    )
)]
pub(crate) async fn rate(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let request = Rate::from_fields(read_json(&app, request).await?, Spelling::Snake)?;
    let asked = Asked::new(&app, &request.subject, &request.tables, &request.search)?;
    let moves = app.session.game(&asked.placed.read.board, &request)?;
    let rate = move |solver: &Solver, placed: &Placed, options: &SolveOptions| {
        solver.rate(&placed.read.board, &moves, options)
    };
    advise(app, call, asked, Some(request.moves.0), rate).await
}

/// The table entries and values for a board, without a search.
///
/// If the board has no solution, the answer is a report.
#[utoipa::path(
    post,
    path = "/v1/probe",
    tag = "advice",
    request_body = ProbeRequest,
    responses(
        (status = 200, description = "The entries and values, or a report",
         body = ProbeOrReport, headers(
            ("Tables-Reason" = String, description = "Why the tables are not the default ones")
        )),
        SearchProblem
    )
)]
pub(crate) async fn probe(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let request = Probe::from_fields(read_json(&app, request).await?, Spelling::Snake)?;
    let asked = Asked::new(&app, &request.subject, &request.tables, &Search::default())?;
    let probe =
        |solver: &Solver, placed: &Placed, _: &SolveOptions| solver.probe(&placed.read.board);
    advise(app, call, asked, None, probe).await
}
