//! `POST /v1/hint`, `/v1/rate` and `/v1/probe`.

use std::sync::Arc;

use axum::extract::{Request, State};
use puzzle::board_text::Note;
use puzzle::{Board, Goal, Notation};
use serde::{Deserialize, Serialize};
use solver::{Advice, Answer, Cancel, Report, SolveOptions, Solver, check_board};
use utoipa::ToSchema;

use super::body::read_json;
use super::objects::{HintOrReport, ProbeOrReport, RatingOrReport};
use super::problems::SearchProblem;
use super::response::{BoardJson, RouteResult, about_board, json_text};
use crate::answer::reported;
use crate::app::{App, SharedApp};
use crate::config::Config;
use crate::log::Call;
use crate::problem::Problem;
use crate::request::{BoardText, Limits, MetricName, NotationName, Puzzle, SideName, parse};

/// Maximum number of moves of a game to rate. Each move can need a search.
const MAX_GAME: usize = 10_000;

/// Declares a request about one board. `own` contains the fields in addition to the common ones.
macro_rules! board_request {
    ($(#[$meta:meta])* $name:ident, with limits, { $($own:tt)* }) => {
        board_request! {
            $(#[$meta])* $name,
            |request| (request.max_time, request.max_nodes, request.threads, &request.side), {
                $($own)*
                /// Time limit in seconds.
                #[schema(exclusive_minimum = 0.0)]
                max_time: Option<f64>,
                /// Maximum number of generated nodes.
                #[schema(minimum = 1, format = "uint64")]
                max_nodes: Option<u64>,
                /// Number of search threads; 0 is the maximum allowed.
                threads: Option<u64>,
                /// Starting point of the search.
                #[schema(value_type = Option<SideName>)]
                side: Option<String>,
            }
        }
    };
    ($(#[$meta:meta])* $name:ident, |$request:ident| $limits:expr, { $($own:tt)* }) => {
        #[derive(Debug, Deserialize, ToSchema)]
        #[serde(deny_unknown_fields)]
        $(#[$meta])*
        pub(crate) struct $name {
            /// The board.
            board: BoardText,
            /// Columns x rows, if the board does not determine them.
            size: Option<String>,
            /// `blank-last` (the default), `blank-first`, `snail`, `columns`, or a board.
            goal: Option<BoardText>,
            /// Definition of a move.
            #[schema(value_type = Option<MetricName>)]
            metric: Option<String>,
            /// The partition; the default depends on the size.
            partition: Option<String>,
            $($own)*
        }

        impl $name {
            fn subject(self, config: &Config) -> Result<Subject, Problem> {
                let $request = &self;
                let (max_time, max_nodes, threads, side) = $limits;
                let limits =
                    Limits::new(config, max_time, max_nodes, threads, side.as_deref())?;
                let puzzle =
                    Puzzle::new(config, self.size, self.goal, self.metric, self.partition)?;
                Subject::new(puzzle, &self.board, limits)
            }
        }
    };
}

board_request! {
    /// A board to analyse.
    #[schema(example = json!({"board": "8 6 7/2 5 4/3 0 1"}))]
    HintRequest, with limits, {}
}

board_request! {
    /// A game to rate.
    #[schema(example = json!({"board": "1 2 3/4 0 6/7 5 8", "moves": "LRUL"}))]
    RateRequest, with limits, {
        /// The moves, in any notation.
        moves: BoardText,
        /// Notation of the moves. By default it is guessed from the moves.
        #[schema(value_type = Option<NotationName>)]
        notation: Option<String>,
    }
}

board_request! {
    /// A board to probe.
    #[schema(example = json!({"board": "8 6 7/2 5 4/3 0 1"}))]
    ProbeRequest, |_request| (None, None, None, &None::<String>), {}
}

/// The board of a request for advice, with its tables and limits.
pub(crate) struct Subject {
    pub(crate) board: Board,
    /// Guesses about the form of the board's text.
    notes: Vec<Note>,
    pub(crate) goal: Arc<Goal>,
    puzzle: Puzzle,
    pub(crate) limits: Limits,
}

impl Subject {
    pub(crate) fn new(
        puzzle: Puzzle,
        board: &BoardText,
        limits: Limits,
    ) -> Result<Subject, Problem> {
        let read = puzzle.board(board)?;
        Ok(Subject {
            goal: puzzle.goal(Some(read.board.tray()))?,
            board: read.board,
            notes: read.notes,
            puzzle,
            limits,
        })
    }
}

type AdviceResult<T> = Result<Advice<T>, Box<Answer>>;

/// Computes advice on a search thread, with the tables of the request.
async fn advise<T: Serialize>(
    app: Arc<App>,
    call: Call,
    subject: Subject,
    ask: impl FnOnce(&Solver, &Board, &SolveOptions) -> AdviceResult<T> + Send + 'static,
) -> RouteResult {
    answer(app, call, subject, move |app, subject, cancel| {
        let (puzzle, board) = (&subject.puzzle, &subject.board);
        let partition = puzzle.partition.as_deref();
        let open = (app.solvers).open(&subject.goal, puzzle.metric, partition, cancel)?;
        let options = subject.limits.options().cancel(cancel);
        let text = match ask(&open.solver, board, &options) {
            Ok(advice) => json_text(&advice),
            Err(answer) => json_text(&reported(*answer)?),
        };
        Ok((text, open.reason.clone()))
    })
    .await
}

/// Answers a request about a board on a search thread. For an unsolvable board, the answer is a
/// report. For a solvable board, `ask` returns the text of the answer, and the reason if the
/// default tables were not used.
pub(crate) async fn answer<F>(app: Arc<App>, call: Call, subject: Subject, ask: F) -> RouteResult
where
    F: FnOnce(&App, &Subject, &Cancel) -> Result<(String, Option<String>), Problem>,
    F: Send + 'static,
{
    let search = app.searches.admit(&call, false)?;
    let limit = subject.limits.max_time;
    let work = move |cancel: &Cancel| {
        let (goal, board) = (&subject.goal, &subject.board);
        let (text, reason) = match check_board(goal, board) {
            Ok(_) => ask(&app, &subject, cancel)?,
            Err(error) => {
                let report = Report::failure(goal, board, &error, Notation::Tile);
                (json_text(&report), None)
            }
        };
        if cancel.is_cancelled() {
            return Err(Problem::cancelled());
        }
        let nodes = 0;
        Ok(BoardJson {
            text: noted(text, &subject.notes),
            nodes,
            reason,
        })
    };
    about_board(search, limit, work).await
}

/// A JSON object with the field `notes`, if there are notes.
fn noted(object: String, notes: &[Note]) -> String {
    let notes: Vec<String> = notes.iter().map(Note::to_string).collect();
    match object.strip_suffix('}') {
        Some(fields) if !notes.is_empty() => format!("{fields},\"notes\":{}}}", json_text(&notes)),
        _ => object,
    }
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
    let request: HintRequest = read_json(&app, request).await?;
    let subject = request.subject(&app.config)?;
    advise(app, call, subject, |solver, board, options| {
        solver.advice(board, None, solver.hint(board, options))
    })
    .await
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
    let mut request: RateRequest = read_json(&app, request).await?;
    let text = std::mem::take(&mut request.moves).text().to_owned();
    let notation = request.notation.take();
    let subject = request.subject(&app.config)?;
    let notation = parse(notation.as_deref())?.unwrap_or_else(|| Notation::guess(&text));
    let moves = subject.board.read_moves(&text, notation);
    let moves = moves.map_err(Problem::input)?;
    if moves.len() > MAX_GAME {
        return Err(Problem::input(format!(
            "the game has {} moves, maximum {MAX_GAME}",
            moves.len()
        )));
    }
    advise(app, call, subject, move |solver, board, options| {
        solver.advice(board, Some(&text), solver.rate(board, &moves, options))
    })
    .await
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
    let request: ProbeRequest = read_json(&app, request).await?;
    let subject = request.subject(&app.config)?;
    advise(app, call, subject, |solver, board, _| {
        let mut advice = solver.advice(board, None, solver.probe(board))?;
        // The probe in the answer already contains the board.
        advice.board = None;
        Ok(advice)
    })
    .await
}
