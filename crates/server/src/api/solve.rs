//! `POST /v1/solve` and `POST /v1/anytime`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::{BodyType, body_type, read_json, read_query, wrong_type};
use super::events;
use super::list::{self, Boards, Form};
use super::objects::{EventObject, MetricName, ModeName, NotationName, ReportObject};
use super::{json, json_text};
use crate::answer::Listeners;
use crate::app::App;
use crate::config::Config;
use crate::log::Call;
use crate::problem::{AnyProblem, Problem, SearchProblem};
use crate::request::{Asked, BoardText, InPath, Limits, Puzzle, Wishes};
use crate::searches::{SEARCH_ID, Search, SearchId};
use crate::solvers::TABLES_REASON;

/// What is to be solved, and how.
#[derive(Clone, Default, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"board": "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", "max_time": 10}))]
pub(crate) struct SolveRequest {
    /// The board.
    board: Option<BoardText>,
    /// Or many boards, answered in this order.
    #[schema(max_items = 10000)]
    boards: Option<Vec<BoardText>>,
    /// Columns x rows, where the board does not say it.
    #[schema(example = "4x4")]
    size: Option<String>,
    /// `blank-last` (the default), `blank-first`, or a board.
    goal: Option<BoardText>,
    /// What counts as a move.
    #[schema(value_type = Option<MetricName>)]
    metric: Option<String>,
    /// The tables, by the sizes of their parts or by name; by default those of the size.
    #[schema(example = "6-6-3")]
    partition: Option<String>,
    /// What kind of answer is wanted.
    #[schema(value_type = Option<ModeName>)]
    mode: Option<String>,
    /// How moves are written.
    #[schema(value_type = Option<NotationName>)]
    notation: Option<String>,
    /// Seconds that a board may take.
    #[schema(exclusive_minimum = 0.0, example = 10)]
    max_time: Option<f64>,
    /// Nodes that a board may take.
    #[schema(minimum = 1, format = "uint64")]
    max_nodes: Option<u64>,
    /// Threads that search a board; 0 for as many as there may be.
    threads: Option<u64>,
    /// Of the mode anytime: bytes that the search may take besides the tables.
    #[schema(minimum = 1048576)]
    max_memory: Option<u64>,
    /// Of the mode anytime: where there is a choice, it is made by this number.
    #[schema(format = "uint64")]
    seed: Option<u64>,
    /// Of the mode optimal: all solutions of up to this number of moves more than a shortest one
    /// are wanted. Of the mode anytime: the search ends at a solution that is longer than the
    /// proved bound by at most this share of it.
    #[schema(minimum = 0)]
    within: Option<f64>,
    /// Of the mode optimal: all shortest solutions are wanted.
    all: Option<bool>,
    /// Of the mode optimal: only the number of all solutions is wanted.
    count: Option<bool>,
    /// Of the mode optimal, with `all` or `within`: how many solutions are written down.
    #[schema(minimum = 1, maximum = 10000)]
    most: Option<u64>,
    /// Of the mode strategic: a short solution instead of one that is easy to follow.
    short: Option<bool>,
    /// Of the mode strategic: with the steps of the solution.
    explain: Option<bool>,
    /// Only for lists; not a field of the JSON object.
    #[schema(ignore)]
    leading_id: Option<bool>,
}

impl SolveRequest {
    fn asked(&self, config: &Config, mode: Option<&str>) -> Result<Asked, Problem> {
        let puzzle = Puzzle::new(
            config,
            self.size.as_deref(),
            self.goal.as_ref(),
            self.metric.as_deref(),
            self.partition.as_deref(),
        )?;
        let limits = Limits::new(config, self.max_time, self.max_nodes, self.threads)?;
        let wishes = Wishes {
            mode: mode.or(self.mode.as_deref()),
            notation: self.notation.as_deref(),
            max_memory: self.max_memory,
            seed: self.seed,
            within: self.within,
            all: self.all,
            count: self.count,
            most: self.most,
            short: self.short,
            explain: self.explain,
        };
        Asked::new(config, puzzle, limits, &wishes)
    }
}

/// Solves a board, or many.
///
/// One board (`board`) is answered by one report; a board without a solution, and one whose search
/// reached a limit, has a report too. With `Accept: text/event-stream` the answer is a stream of
/// events: `search` (with the id), `progress`, and `report` at the end.
///
/// Many boards are answered by one report a line, in their order, each as soon as it and those
/// before it are done. They come as `boards`, or as a list: a body of the type `text/plain` with
/// one board a line or in rows, or `application/x-ndjson` with a JSON text, array, or object with
/// `board` on each line. Options of a list stand in the address; one more of `text/plain` is
/// `leading_id=true`: lines begin with a number that is not part of the board. A board that cannot
/// be read has a line with the status `error`. With `Accept: application/json` the reports are one
/// JSON array.
#[utoipa::path(
    post,
    path = "/v1/solve",
    tag = "solving",
    request_body(content(
        (SolveRequest = "application/json"),
        (String = "text/plain"),
        (String = "application/x-ndjson")
    )),
    responses(
        (
            status = 200,
            description = "The report, or one report a line",
            headers(
                ("Search-Id" = String, description = "For DELETE /v1/searches/{id}"),
                ("Tables-Reason" = String, description = "Of one report: why the tables are not \
                 the usual ones of the size")
            ),
            content(
                (ReportObject = "application/json"),
                (ReportObject = "application/x-ndjson"),
                (EventObject = "text/event-stream")
            )
        ),
        SearchProblem
    )
)]
pub(crate) async fn solve(
    State(app): State<Arc<App>>,
    call: Call,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    match body_type(&parts.headers) {
        Some(BodyType::Json) => {}
        Some(BodyType::Lines { are_json }) => {
            let request: SolveRequest = read_query(&parts.uri)?;
            if request.board.is_some() || request.boards.is_some() {
                return Err(Problem::input(
                    "the boards of a list stand in its body alone",
                ));
            }
            let asked = request.asked(&app.config, None)?;
            let leading_id = request.leading_id.unwrap_or(false);
            let boards = match are_json {
                true => Boards::json_lines(body, &app.config),
                false => Boards::lines(body, &app.config, asked.puzzle.size, leading_id),
            };
            let search = app.searches.admit(&call)?.large(asked.is_large());
            return Ok(list::answer(
                &app,
                search,
                boards,
                asked,
                list_form(&parts.headers),
            ));
        }
        None => {
            let expected = "application/json, or of a list application/x-ndjson or text/plain";
            return Err(wrong_type(&parts.headers, expected));
        }
    }
    let mut request: SolveRequest = read_json(&app, &parts, body).await?;
    if request.leading_id.is_some() {
        return Err(Problem::input(
            "leading_id is for lists of the type text/plain: leave it out",
        ));
    }
    let asked = request.asked(&app.config, None)?;
    match (request.board.take(), request.boards.take()) {
        (Some(board), None) => {
            let board = asked.puzzle.board(&board)?;
            // What is wrong with the goal is told before the search waits for its turn.
            asked.puzzle.goal(Some(board.tray()))?;
            let search = app.searches.admit(&call)?.large(asked.is_large());
            match wants_events(&parts.headers) {
                true => Ok(events::answer(&app, search, board, asked)),
                false => one(&app, search, board, asked).await,
            }
        }
        (None, Some(boards)) => {
            let most = app.config.max_boards;
            if boards.len() > most {
                let found = boards.len();
                return Err(Problem::input(format!(
                    "boards has {found} boards, and {most} are the most of a request"
                )));
            }
            let search = app.searches.admit(&call)?.large(asked.is_large());
            let (boards, form) = (Boards::given(boards), list_form(&parts.headers));
            Ok(list::answer(&app, search, boards, asked, form))
        }
        _ => Err(Problem::input("expected either board or boards")),
    }
}

/// Solves a board at once, and better and better.
///
/// A stream of events: `search` (with the id), `improved` with a report for each better solution,
/// `progress`, and `report` at the end, or `problem`.
#[utoipa::path(
    post,
    path = "/v1/anytime",
    tag = "solving",
    request_body = SolveRequest,
    responses(
        (
            status = 200,
            description = "Events",
            headers(("Search-Id" = String, description = "For DELETE /v1/searches/{id}")),
            content_type = "text/event-stream",
            body = EventObject,
            example = "event: search\ndata: {\"id\":\"...\"}\n\n\
                       event: improved\ndata: {\"status\":\"improved\",...}\n\n\
                       event: report\ndata: {\"status\":\"solved\",...}\n\n"
        ),
        SearchProblem
    )
)]
pub(crate) async fn anytime(
    State(app): State<Arc<App>>,
    call: Call,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let request: SolveRequest = read_json(&app, &parts, body).await?;
    if let Some(mode) = request.mode.as_deref().filter(|mode| *mode != "anytime") {
        return Err(Problem::input(format!(
            "mode is `{mode}`: expected anytime, or leave it out; /v1/solve has the other modes"
        )));
    }
    let (Some(board), None, None) = (&request.board, &request.boards, request.leading_id) else {
        return Err(Problem::input(
            "expected board, and neither boards nor leading_id",
        ));
    };
    let asked = request.asked(&app.config, Some("anytime"))?;
    let board = asked.puzzle.board(board)?;
    asked.puzzle.goal(Some(board.tray()))?;
    let search = app.searches.admit(&call)?.large(asked.is_large());
    Ok(events::answer(&app, search, board, asked))
}

/// One board, one report.
async fn one(
    app: &Arc<App>,
    search: Search,
    board: puzzle::Board,
    asked: Asked,
) -> Result<Response, Problem> {
    let (limit, shared) = (asked.limits.max_time, Arc::clone(app));
    let work = move |cancel: &solver::Cancel| {
        let solved = shared.solve(&board, &asked, cancel, Listeners::default())?;
        let nodes = solved.report.nodes.unwrap_or(0);
        Ok((nodes, json_text(&solved.report), solved.reason))
    };
    let (nodes, text, reason) = search.run(limit, work).await?;
    search.call.log.add(1, nodes);
    Ok(with_reason(with_id(json(text), &search), reason))
}

/// An answer that says why its tables are not the usual ones, if they are not.
pub(crate) fn with_reason(mut response: Response, reason: Option<String>) -> Response {
    if let Some(Ok(reason)) = reason.map(HeaderValue::try_from) {
        response.headers_mut().insert(TABLES_REASON, reason);
    }
    response
}

/// An answer with the id of its search.
pub(crate) fn with_id(mut response: Response, search: &Search) -> Response {
    if let Ok(id) = HeaderValue::try_from(search.id.to_string()) {
        response.headers_mut().insert(SEARCH_ID, id);
    }
    response
}

/// Whether a header lists a type.
fn accepts(headers: &HeaderMap, wanted: &str) -> bool {
    let values = headers.get_all(ACCEPT).iter();
    let mut types = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|range| range.split(';').next());
    types.any(|range| range.trim().eq_ignore_ascii_case(wanted))
}

fn wants_events(headers: &HeaderMap) -> bool {
    accepts(headers, "text/event-stream")
}

fn list_form(headers: &HeaderMap) -> Form {
    let wants_lines = accepts(headers, "application/x-ndjson");
    match accepts(headers, "application/json") && !wants_lines {
        true => Form::Array,
        false => Form::Lines,
    }
}

/// Cancels a search.
///
/// What it has found until then is its answer, if that is a solution; else its answer is a problem
/// with the code `cancelled`. Closing the connection cancels it too.
#[utoipa::path(
    delete,
    path = "/v1/searches/{id}",
    tag = "solving",
    params(("id" = String, Path, description = "The search's id, from its header Search-Id",
            example = "0123456789abcdef0123456789abcdef")),
    responses(
        (status = 204, description = "Cancelled"),
        (status = 404, description = "There is no such search, or it has ended", body = Problem,
         content_type = "application/problem+json"),
        AnyProblem
    )
)]
pub(crate) async fn cancel(
    State(app): State<Arc<App>>,
    InPath(id): InPath<String>,
) -> Result<Response, Problem> {
    let id = SearchId::parse(&id);
    match id.is_some_and(|id| app.searches.cancel(id)) {
        true => Ok(axum::http::StatusCode::NO_CONTENT.into_response()),
        false => Err(Problem::missing("there is no such search, or it has ended")),
    }
}

/// A body of a type.
pub(crate) fn typed(body: Body, kind: &'static str) -> Response {
    let mut response = Response::new(body);
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
