//! `POST /v1/solve` and `POST /v1/anytime`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use serde_json::{Map, Value};
use session::request::Solve;
use session::{BoardText, Fields, Spelling};
use solver::{Cancel, Mode};

use super::body::{BodyType, body_type, read_json, read_query, wrong_type};
use super::events;
use super::list::{self, Boards, ListForm};
use super::problems::{AnyProblem, SearchProblem};
use super::response::{BoardJson, RouteResult, about_board};
use super::schema::{EventObject, ReportObject, SolveRequest};
use crate::answer;
use crate::app::{App, SharedApp};
use crate::headers::accepts;
use crate::log::Call;
use crate::problem::Problem;
use crate::request::{InPath, SolveSettings};
use crate::searches::SearchId;

/// Solves one or many boards.
///
/// One board (`board`) is answered by one report, even if it has no solution or its search reaches
/// a limit. With `Accept: text/event-stream` the answer is a stream of events: `search` (with the
/// id), `progress`, and finally `report`.
///
/// Many boards are answered by one report per line, in the order of the boards. Each report is sent
/// as soon as its board and all earlier boards are finished. The boards are sent as `boards`, or as
/// a list. A list is a body of type `text/plain` or `application/x-ndjson`. In `text/plain`, each
/// line is a board or a row of a board. In `application/x-ndjson`, each line is a JSON string, a
/// JSON array, or a JSON object with `board`. The options of a list are query parameters. For
/// `text/plain`, `leading_id=true` means that each line starts with a number that is not part of
/// the board. A board that cannot be read is answered by a line with the status `error`. With
/// `Accept: application/json` the reports form one JSON array.
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
            description = "The report, or one report per line",
            headers(
                ("Search-Id" = String, description = "For DELETE /v1/searches/{id}"),
                ("Tables-Reason" = String, description = "For one report: why the tables are \
                 not the default ones of the size")
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
pub(crate) async fn solve(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let wants_events = accepts(request.headers(), "text/event-stream");
    let form = ListForm::accepted(request.headers());
    match body_type(request.headers()) {
        Some(BodyType::Json) => {}
        Some(BodyType::Lines { are_json }) => {
            return solve_list(&app, &call, request, are_json, form);
        }
        None => {
            let expected = "application/json, or of a list application/x-ndjson or text/plain";
            return Err(wrong_type(request.headers(), expected));
        }
    }
    let mut fields = read_json(&app, request).await?;
    if fields.contains_key("leading_id") {
        return Err(Problem::input(
            "leading_id is only for lists of type text/plain: leave it out",
        ));
    }
    let boards = fields.remove("boards").filter(|boards| !boards.is_null());
    match (fields.get("board"), boards) {
        (Some(_), None) => {
            let request = solve_request(fields)?;
            let settings = SolveSettings::new(&app.session, &request)?;
            let placed = settings
                .puzzle
                .board(&app.session, &request.subject.board)?;
            let search = app.searches.admit(&call, settings.is_large())?;
            if wants_events {
                return Ok(events::answer(&app, search, placed, settings));
            }
            let limit = settings.max_time();
            let work = move |cancel: &Cancel| {
                answer::solve(&app, &placed, &settings, cancel, None).map(BoardJson::from)
            };
            about_board(search, limit, work).await
        }
        (None, Some(boards)) => {
            let boards = texts(boards)?;
            let most = app.config.max_boards;
            if boards.len() > most {
                let found = boards.len();
                return Err(Problem::input(format!(
                    "boards has {found} boards, maximum {most} per request"
                )));
            }
            let settings = SolveSettings::new(&app.session, &list_request(fields)?)?;
            let search = app.searches.admit(&call, settings.is_large())?;
            let boards = Boards::of_request(boards, &app.config);
            Ok(list::answer(&app, search, boards, settings, form))
        }
        _ => Err(Problem::input("expected either board or boards")),
    }
}

fn solve_request(fields: Map<String, Value>) -> Result<Solve, Problem> {
    Ok(Solve::from_fields(fields, Spelling::Snake)?)
}

/// The options of a list, whose boards are elsewhere.
fn list_request(mut fields: Map<String, Value>) -> Result<Solve, Problem> {
    fields.insert("board".to_owned(), Value::String(String::new()));
    solve_request(fields)
}

/// The boards of an array.
fn texts(boards: Value) -> Result<Vec<BoardText>, Problem> {
    let Value::Array(boards) = boards else {
        return Err(Problem::input("boards must be an array of boards"));
    };
    let text = |board| match board {
        Value::String(text) => Ok(BoardText(text)),
        board @ Value::Array(_) => Ok(BoardText(board.to_string())),
        _ => Err(Problem::input("boards must be an array of texts or arrays")),
    };
    boards.into_iter().map(text).collect()
}

fn solve_list(
    app: &Arc<App>,
    call: &Call,
    request: Request,
    are_json: bool,
    form: ListForm,
) -> RouteResult {
    let mut fields = read_query(request.uri(), "solve")?;
    if fields.contains_key("board") || fields.contains_key("boards") {
        return Err(Problem::input("the boards of a list must be in its body"));
    }
    let leading_id = match fields.remove("leading_id") {
        None => false,
        Some(Value::Bool(leading_id)) => leading_id,
        Some(_) => return Err(Problem::input("leading_id must be true or false")),
    };
    let settings = SolveSettings::new(&app.session, &list_request(fields)?)?;
    let body = request.into_body();
    let boards = match are_json {
        true => Boards::json_lines(body, &app.config),
        false => Boards::text(body, &app.config, settings.puzzle.size, leading_id),
    };
    let search = app.searches.admit(call, settings.is_large())?;
    Ok(list::answer(app, search, boards, settings, form))
}

/// Solves a board immediately, then improves the solution.
///
/// The answer is a stream of events: `search` (with the id), `improved` with a report for each
/// better solution, `progress`, and finally `report` or `problem`.
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
pub(crate) async fn anytime(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let fields = read_json(&app, request).await?;
    if !fields.contains_key("board") || fields.contains_key("boards") {
        return Err(Problem::input("expected board, without boards"));
    }
    let mut request = solve_request(fields)?;
    if let Some(mode) = request.mode.filter(|mode| *mode != Mode::Anytime) {
        return Err(Problem::input(format!(
            "mode is `{mode}`: expected anytime or no mode; /v1/solve has the other modes"
        )));
    }
    request.mode = Some(Mode::Anytime);
    let settings = SolveSettings::new(&app.session, &request)?;
    let placed = settings
        .puzzle
        .board(&app.session, &request.subject.board)?;
    let search = app.searches.admit(&call, settings.is_large())?;
    Ok(events::answer(&app, search, placed, settings))
}

/// Cancels a search.
///
/// If the search has found a solution, the request that started the search is answered with the
/// solution. Otherwise it is answered with an error, whose code is `cancelled`. Closing the
/// connection also cancels a search.
#[utoipa::path(
    delete,
    path = "/v1/searches/{id}",
    tag = "solving",
    params(("id" = String, Path, description = "Id of the search, from the header Search-Id",
            example = "0123456789abcdef0123456789abcdef")),
    responses(
        (status = 204, description = "Cancelled"),
        (status = 404, description = "Search not found, or already ended", body = Problem,
         content_type = "application/problem+json"),
        AnyProblem
    )
)]
pub(crate) async fn cancel(State(app): SharedApp, InPath(id): InPath<String>) -> RouteResult {
    let id = SearchId::parse(&id);
    match id.is_some_and(|id| app.searches.cancel(id)) {
        true => Ok(StatusCode::NO_CONTENT.into_response()),
        false => Err(Problem::missing("search not found, or already ended")),
    }
}
