//! `POST /v1/solve` and `POST /v1/anytime`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use puzzle::Board;
use solver::{Cancel, Mode};

use super::body::{BodyType, body_type, read_json, read_query, wrong_type};
use super::events;
use super::list::{self, Boards, ListForm};
use super::objects::{EventObject, ReportObject};
use super::problems::{AnyProblem, SearchProblem};
use super::response::{BoardJson, RouteResult, about_board};
use crate::answer;
use crate::app::{App, SharedApp};
use crate::headers::accepts;
use crate::log::Call;
use crate::problem::Problem;
use crate::request::{BoardText, InPath, SolveRequest, SolveSettings};
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
    let mut request: SolveRequest = read_json(&app, request).await?;
    if request.leading_id.is_some() {
        return Err(Problem::input(
            "leading_id is only for lists of type text/plain: leave it out",
        ));
    }
    let (board, boards) = (request.board.take(), request.boards.take());
    let mut settings = request.settings(&app.config)?;
    match (board, boards) {
        (Some(board), None) => {
            let board = board_of(&mut settings, &board)?;
            let search = app.searches.admit(&call, settings.is_large())?;
            if wants_events {
                return Ok(events::answer(&app, search, board, settings));
            }
            let limit = settings.limits.max_time;
            let work = move |cancel: &Cancel| {
                answer::solve(&app, &board, &settings, cancel, None).map(BoardJson::from)
            };
            about_board(search, limit, work).await
        }
        (None, Some(boards)) => {
            let most = app.config.max_boards;
            if boards.len() > most {
                let found = boards.len();
                return Err(Problem::input(format!(
                    "boards has {found} boards, maximum {most} per request"
                )));
            }
            let search = app.searches.admit(&call, settings.is_large())?;
            let boards = Boards::of_request(boards, &app.config);
            Ok(list::answer(&app, search, boards, settings, form))
        }
        _ => Err(Problem::input("expected either board or boards")),
    }
}

fn solve_list(
    app: &Arc<App>,
    call: &Call,
    request: Request,
    are_json: bool,
    form: ListForm,
) -> RouteResult {
    let options: SolveRequest = read_query(request.uri())?;
    if options.board.is_some() || options.boards.is_some() {
        return Err(Problem::input("the boards of a list must be in its body"));
    }
    let leading_id = options.leading_id.unwrap_or(false);
    let settings = options.settings(&app.config)?;
    let body = request.into_body();
    let boards = match are_json {
        true => Boards::json_lines(body, &app.config),
        false => Boards::text(body, &app.config, settings.puzzle.size, leading_id),
    };
    let search = app.searches.admit(call, settings.is_large())?;
    Ok(list::answer(app, search, boards, settings, form))
}

/// The board of a single-board request. Errors in the goal are found before the search is queued.
fn board_of(settings: &mut SolveSettings, text: &BoardText) -> Result<Board, Problem> {
    let read = settings.puzzle.board(text)?;
    settings.puzzle.goal(Some(read.board.tray()))?;
    settings.notes = read.notes;
    Ok(read.board)
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
    let mut request: SolveRequest = read_json(&app, request).await?;
    if let Some(mode) = request.mode.as_deref().filter(|mode| *mode != "anytime") {
        return Err(Problem::input(format!(
            "mode is `{mode}`: expected anytime or no mode; /v1/solve has the other modes"
        )));
    }
    let board = request.board.take();
    let (Some(board), None, None) = (board, &request.boards, request.leading_id) else {
        return Err(Problem::input(
            "expected board, without boards and leading_id",
        ));
    };
    request.mode = Some(Mode::Anytime.name().to_owned());
    let mut settings = request.settings(&app.config)?;
    let board = board_of(&mut settings, &board)?;
    let search = app.searches.admit(&call, settings.is_large())?;
    Ok(events::answer(&app, search, board, settings))
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
