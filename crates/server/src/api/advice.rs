//! `POST /v1/hint`, `/v1/rate` and `/v1/probe`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use puzzle::{Board, Notation};
use serde::{Deserialize, Serialize};
use solver::{Advice, Answer, Cancel, Report, Solver};
use utoipa::ToSchema;

use super::body::read_json;
use super::objects::{HintObject, MetricName, ProbeObject, RatingObject, or_report};
use super::solve::{with_id, with_reason};
use super::{json, json_text};
use crate::answer::reported;
use crate::app::App;
use crate::config::Config;
use crate::log::Call;
use crate::problem::{Problem, SearchProblem};
use crate::request::{BoardText, Limits, Puzzle};

/// The most moves of a game that is rated: each may take a search.
const MAX_GAME: usize = 10_000;

/// Fields that all requests about one board have, besides their own.
macro_rules! board_request {
    ($(#[$meta:meta])* $name:ident, with limits, { $($own:tt)* }) => {
        board_request! {
            $(#[$meta])* $name, |asked| (asked.max_time, asked.max_nodes, asked.threads), {
                $($own)*
                /// Seconds that the answer may take.
                #[schema(exclusive_minimum = 0.0)]
                max_time: Option<f64>,
                /// Nodes that the answer may take.
                #[schema(minimum = 1, format = "uint64")]
                max_nodes: Option<u64>,
                /// Threads that search; 0 for as many as there may be.
                threads: Option<u64>,
            }
        }
    };
    ($(#[$meta:meta])* $name:ident, |$asked:ident| $limits:expr, { $($own:tt)* }) => {
        #[derive(Debug, Deserialize, ToSchema)]
        #[serde(deny_unknown_fields)]
        $(#[$meta])*
        pub(crate) struct $name {
            /// The board.
            board: BoardText,
            /// Columns x rows, where the board does not say it.
            size: Option<String>,
            /// `blank-last` (the default), `blank-first`, or a board.
            goal: Option<BoardText>,
            /// What counts as a move.
            #[schema(value_type = Option<MetricName>)]
            metric: Option<String>,
            /// The tables; by default those of the size.
            partition: Option<String>,
            $($own)*
        }

        impl $name {
            fn subject(&self, config: &Config) -> Result<Subject, Problem> {
                let puzzle = Puzzle::new(
                    config,
                    self.size.as_deref(),
                    self.goal.as_ref(),
                    self.metric.as_deref(),
                    self.partition.as_deref(),
                )?;
                let $asked = self;
                let (max_time, max_nodes, threads) = $limits;
                let limits = Limits::new(config, max_time, max_nodes, threads)?;
                let board = puzzle.board(&self.board)?;
                puzzle.goal(Some(board.tray()))?;
                Ok(Subject { board, puzzle, limits })
            }
        }
    };
}

board_request! {
    /// A board of which one wants to know more.
    #[schema(example = json!({"board": "8 6 7/2 5 4/3 0 1"}))]
    HintRequest, with limits, {}
}

board_request! {
    /// A game to judge.
    #[schema(example = json!({"board": "1 2 3/4 0 6/7 5 8", "moves": "LRUL"}))]
    RateRequest, with limits, {
        /// The moves, in any notation.
        moves: String,
        /// How the moves are written, where it cannot be guessed.
        #[schema(value_type = Option<super::objects::NotationName>)]
        notation: Option<String>,
    }
}

board_request! {
    /// A board to look up.
    #[schema(example = json!({"board": "8 6 7/2 5 4/3 0 1"}))]
    ProbeRequest, |_asked| (None, None, None), {}
}

/// What advice is about.
struct Subject {
    board: Board,
    puzzle: Puzzle,
    limits: Limits,
}

/// Has a thread find advice. A board that cannot be solved has its report instead.
async fn answer<T: Serialize>(
    app: Arc<App>,
    call: Call,
    subject: Subject,
    ask: impl FnOnce(&Solver, &Subject, &Cancel) -> Result<Advice<T>, Box<Answer>> + Send + 'static,
) -> Result<Response, Problem> {
    let search = app.searches.admit(&call)?;
    let limit = subject.limits.max_time;
    let work = move |cancel: &Cancel| {
        let Subject { board, puzzle, .. } = &subject;
        let goal = puzzle.goal(Some(board.tray()))?;
        if let Err(error) = solver::check_board(&goal, board) {
            let report = Report::failure(&goal, board, &error, Notation::Tile);
            return Ok((json_text(&report), None));
        }
        let opened = app
            .solvers
            .open(&goal, puzzle.metric, puzzle.partition.as_deref(), cancel)?;
        let advice = ask(&opened.solver, &subject, cancel);
        if cancel.is_cancelled() {
            return Err(Problem::cancelled());
        }
        let text = match advice {
            Ok(advice) => json_text(&advice),
            Err(answer) => json_text(&reported(*answer)?),
        };
        Ok((text, opened.reason.clone()))
    };
    let (text, reason) = search.run(limit, work).await?;
    search.call.log.add(1, 0);
    Ok(with_reason(with_id(json(text), &search), reason))
}

/// How far the goal is, and which moves are good ones.
///
/// A board that has no solution, or for which none is found within the limits, has a report
/// instead, with `status` and `message`.
#[utoipa::path(
    post,
    path = "/v1/hint",
    tag = "advice",
    request_body = HintRequest,
    responses(
        (status = 200, description = "The hint, or a report", headers(
            ("Tables-Reason" = String, description = "Why its tables are not the usual ones")
        ), content(
            (HintOrReport = "application/json")
        )),
        SearchProblem
    )
)]
pub(crate) async fn hint(
    State(app): State<Arc<App>>,
    call: Call,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let asked: HintRequest = read_json(&app, &parts, body).await?;
    let subject = asked.subject(&app.config)?;
    answer(app, call, subject, |solver, subject, cancel| {
        let options = subject.limits.options().cancel(cancel);
        let found = solver.hint(&subject.board, &options);
        solver.advice(&subject.board, None, found)
    })
    .await
}

or_report!(
    HintOrReport,
    Hint(HintObject),
    "A hint, or why there is none."
);

/// Judges moves that were made.
///
/// A board that has no solution, or for which none is found within the limits, has a report
/// instead.
#[utoipa::path(
    post,
    path = "/v1/rate",
    tag = "advice",
    request_body = RateRequest,
    responses(
        (status = 200, description = "The rating, or a report", headers(
            ("Tables-Reason" = String, description = "Why its tables are not the usual ones")
        ), content(
            (RatingOrReport = "application/json")
        )),
        SearchProblem
    )
)]
pub(crate) async fn rate(
    State(app): State<Arc<App>>,
    call: Call,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let asked: RateRequest = read_json(&app, &parts, body).await?;
    let subject = asked.subject(&app.config)?;
    let notation = asked.notation.as_deref().map(str::parse).transpose();
    let notation = notation.map_err(Problem::input)?;
    let notation = notation.unwrap_or_else(|| Notation::guess(&asked.moves));
    let moves = subject.board.read_moves(&asked.moves, notation);
    let moves = moves.map_err(Problem::input)?;
    if moves.len() > MAX_GAME {
        return Err(Problem::input(format!(
            "the game has {} moves, and {MAX_GAME} are the most",
            moves.len()
        )));
    }
    answer(app, call, subject, move |solver, subject, cancel| {
        let options = subject.limits.options().cancel(cancel);
        let found = solver.rate(&subject.board, &moves, &options);
        solver.advice(&subject.board, Some(&asked.moves), found)
    })
    .await
}

or_report!(
    RatingOrReport,
    Rating(RatingObject),
    "A rating, or why there is none."
);

/// What the tables say of a board, without a search.
///
/// A board that has no solution has a report instead.
#[utoipa::path(
    post,
    path = "/v1/probe",
    tag = "advice",
    request_body = ProbeRequest,
    responses(
        (status = 200, description = "The entries and values, or a report", headers(
            ("Tables-Reason" = String, description = "Why its tables are not the usual ones")
        ), content(
            (ProbeOrReport = "application/json")
        )),
        SearchProblem
    )
)]
pub(crate) async fn probe(
    State(app): State<Arc<App>>,
    call: Call,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let asked: ProbeRequest = read_json(&app, &parts, body).await?;
    let subject = asked.subject(&app.config)?;
    answer(app, call, subject, |solver, subject, _| {
        let board = &subject.board;
        let mut advice = solver.advice(board, None, solver.probe(board))?;
        // The probe has it.
        advice.board = None;
        Ok(advice)
    })
    .await
}

or_report!(
    ProbeOrReport,
    Probe(ProbeObject),
    "A probe, or why there is none."
);
