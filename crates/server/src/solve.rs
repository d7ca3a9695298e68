//! `POST /v1/solve`, `POST /v1/anytime` and `DELETE /v1/searches/{id}`.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::sse::{Event as SentEvent, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use serde_json::{Map, Value, json};
use session::request::Solve;
use session::{BoardText, Cancel, Control, Event, Spelling};
use solver::Mode;
use tokio::sync::mpsc;
use tracing::Span;

use crate::answer::{self, silent};
use crate::app::{App, SharedApp};
use crate::body::{
    BodyType, RouteResult, SEARCH_ID, TABLES_REASON, accepts, body_type, json as json_answer,
    read_json, read_query, text_of, with,
};
use crate::client::Call;
use crate::list::{self, Boards, ListForm};
use crate::problem::Problem;
use crate::queue::lock;
use crate::searches::Search;

/// Time between two progress events.
const PROGRESS: Duration = Duration::from_millis(200);
/// Maximum number of events that wait to be sent; further ones are dropped.
const MAX_EVENTS: usize = 64;
/// Time without events after which a comment is sent, so that no proxy closes the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// `POST /v1/solve`
pub(crate) async fn solve(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let wants_events = accepts(request.headers(), "text/event-stream");
    let form = ListForm::accepted(request.headers());
    if let BodyType::Lines { are_json } = body_type(request.headers(), true)? {
        return solve_list(&app, call, request, are_json, form);
    }
    let mut fields = read_json(&app.config, request).await?;
    if fields.contains_key("leading_id") {
        return Err(Problem::input(
            "leading_id is only for lists of type text/plain: leave it out",
        ));
    }
    let boards = fields.remove("boards").filter(|boards| !boards.is_null());
    match (fields.get("board"), boards) {
        (Some(_), None) => {
            let request = Solve::from_fields(fields, Spelling::Snake)?;
            solve_one(app, call, request, wants_events).await
        }
        (None, Some(boards)) => {
            let boards = texts(boards)?;
            let (found, most) = (boards.len(), app.config.max_boards);
            if found > most {
                let detail = format!("boards has {found} boards, maximum {most} per request");
                return Err(Problem::input(detail));
            }
            list::answer(
                &app,
                call,
                list_request(fields)?,
                Boards::given(boards),
                form,
            )
        }
        _ => Err(Problem::input("expected either board or boards")),
    }
}

/// `POST /v1/anytime`
pub(crate) async fn anytime(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let fields = read_json(&app.config, request).await?;
    if !fields.contains_key("board") || fields.contains_key("boards") {
        return Err(Problem::input("expected board, without boards"));
    }
    let mut request = Solve::from_fields(fields, Spelling::Snake)?;
    if let Some(mode) = request.mode.filter(|mode| *mode != Mode::Anytime) {
        return Err(Problem::input(format_args!(
            "mode is `{mode}`: expected anytime or no mode; /v1/solve has the other modes"
        )));
    }
    request.mode = Some(Mode::Anytime);
    solve_one(app, call, request, true).await
}

/// `DELETE /v1/searches/{id}`
pub(crate) async fn cancel(State(app): SharedApp, Path(id): Path<String>) -> RouteResult {
    match app.searches.cancel(&id) {
        true => Ok(StatusCode::NO_CONTENT.into_response()),
        false => Err(Problem::missing("search not found, or already ended")),
    }
}

/// The options of a list, whose boards are elsewhere.
fn list_request(mut fields: Map<String, Value>) -> Result<Solve, Problem> {
    fields.insert("board".to_owned(), Value::String(String::new()));
    Ok(Solve::from_fields(fields, Spelling::Snake)?)
}

/// The boards of an array.
fn texts(boards: Value) -> Result<Vec<BoardText>, Problem> {
    let text = |board| match board {
        Value::String(text) => Some(BoardText(text)),
        board @ Value::Array(_) => Some(BoardText(board.to_string())),
        _ => None,
    };
    let texts = match boards {
        Value::Array(boards) => boards.into_iter().map(text).collect(),
        _ => None,
    };
    texts.ok_or_else(|| Problem::input("boards must be an array of texts or arrays"))
}

fn solve_list(
    app: &Arc<App>,
    call: Call,
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
    let options = list_request(fields)?;
    let size = (!are_json).then_some((options.subject.size, leading_id));
    let boards = Boards::of_body(request.into_body(), size, &app.config);
    list::answer(app, call, options, boards, form)
}

/// Whether the search of a board can use `--max-memory` bytes.
pub(crate) fn is_large(request: &Solve) -> bool {
    request.mode == Some(Mode::Anytime)
}

async fn solve_one(app: Arc<App>, call: Call, request: Solve, wants_events: bool) -> RouteResult {
    // An invalid request does not wait for its turn.
    let (read, goal) = app.session.subject(&request.subject)?;
    app.session.question(&request, &Control::default())?;
    let search = app.searches.admit(call, is_large(&request))?;
    let id = search.id.clone();
    if wants_events {
        let (sender, receiver) = mpsc::channel(MAX_EVENTS);
        let listener = listener(sender.clone());
        let work = move |cancel: &Cancel| {
            let control = Control::new(cancel.clone(), Some(Arc::new(listener)));
            answer::solve(&app, &request, &read, &goal, &control)
        };
        tokio::spawn(async move {
            let last = tokio::select! {
                result = search.run(work) => match result {
                    Ok((report, _)) => ("report", text_of(&report)),
                    Err(problem) => ("problem", text_of(&problem)),
                },
                // The client has disconnected.
                () = sender.closed() => return,
            };
            // Frees the place of the search, even if the client does not read its answer.
            drop(search);
            let _ = sender.send(last).await;
        });
        return Ok(with(event_stream(&id, receiver), SEARCH_ID, &id));
    }
    let work = move |cancel: &Cancel| answer::solve(&app, &request, &read, &goal, &silent(cancel));
    let (report, reason) = search.run(work).await?;
    Span::current()
        .record("boards", 1)
        .record("nodes", report.nodes);
    let response = with(json_answer(text_of(&report)), SEARCH_ID, &id);
    Ok(with_reason(response, reason))
}

/// Adds the reason for tables other than the default ones.
pub(crate) fn with_reason(response: Response, reason: Option<String>) -> Response {
    match reason {
        Some(reason) => with(response, TABLES_REASON, &reason),
        None => response,
    }
}

/// Name and data of an event.
type NamedText = (&'static str, String);

/// Sends improved solutions, and progress at most every [`PROGRESS`].
fn listener(sender: mpsc::Sender<NamedText>) -> impl Fn(&Event) + Send + Sync {
    let last = Mutex::new(None::<Instant>);
    move |event| {
        let named = match event {
            Event::Improved { report } => ("improved", text_of(report)),
            Event::Progress { bound, nodes, ms } => {
                let mut last = lock(&last);
                if last.is_some_and(|last| last.elapsed() < PROGRESS) {
                    return;
                }
                *last = Some(Instant::now());
                let ms = (ms * 1e3).round() / 1e3;
                let status = json!({ "bound": bound, "nodes": nodes, "ms": ms });
                ("progress", status.to_string())
            }
            _ => return,
        };
        // For a slow client, events are lost; the last report has the best solution.
        let _ = sender.try_send(named);
    }
}

fn event_stream(id: &str, receiver: mpsc::Receiver<NamedText>) -> Response {
    let first = ("search", json!({ "id": id }).to_string());
    let rest = stream::unfold(receiver, |mut receiver| async move {
        Some((receiver.recv().await?, receiver))
    });
    let events = stream::iter([first]).chain(rest);
    let events =
        events.map(|(name, data)| Ok::<_, Infallible>(SentEvent::default().event(name).data(data)));
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    Sse::new(events).keep_alive(keep_alive).into_response()
}

impl Search {
    /// The header of this search.
    pub(crate) fn named(&self, response: Response) -> Response {
        with(response, SEARCH_ID, &self.id)
    }
}
