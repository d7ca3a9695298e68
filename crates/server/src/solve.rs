//! `POST /v1/solve`, `/v1/anytime`, `/v1/hint`, `/v1/rate`, `/v1/probe` and `/v1/explain`,
//! `/v1/scramble`, and `DELETE /v1/searches/{id}`.

use std::convert::Infallible;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::{Path, Request, State};
use axum::http::{Method, StatusCode};
use axum::response::sse::{Event as SentEvent, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use puzzle::board_text::Note;
use serde_json::{Value, json};
use session::request::{Scramble, Solve, Subject};
use session::{
    Cancel, Control, Event, Failure, Fields as _, Request as Question, Response as Answer,
    Spelling, lock,
};
use solver::Mode;
use tokio::sync::mpsc;
use tracing::Span;

use crate::app::{App, Sender, SharedApp};
use crate::body::{
    BodyType, Fields, Problem, RouteResult, accepts, body_type, read_json, read_query, text_of,
};
use crate::list::{self, Entries};
use crate::queue::Client;

/// Time between two progress events.
const PROGRESS: Duration = Duration::from_millis(200);
/// Maximum number of events that wait to be sent; further ones are dropped.
const MAX_EVENTS: usize = 64;
/// Time without events after which a comment is sent, so that no proxy closes the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// `POST /v1/solve`
pub(crate) async fn solve(State(app): SharedApp, client: Sender, request: Request) -> RouteResult {
    let headers = request.headers().clone();
    let kind = body_type(&headers)?;
    let (options, entries) = match kind {
        BodyType::Json => {
            let mut fields = read_json(&app.config, request).await?;
            let Some(boards) = fields.remove("boards") else {
                let wants_events = accepts(&headers, "text/event-stream");
                return solve_one(app, client.0, fields, wants_events).await;
            };
            let most = app.config.max_boards;
            let is_board = |board: &Value| board.is_string() || board.is_array();
            let are_boards = |all: &&Vec<Value>| all.len() <= most && all.iter().all(is_board);
            let boards = boards.as_array().filter(are_boards).ok_or_else(|| {
                Problem::input(format!("expected boards, at most {most} texts or arrays"))
            })?;
            (list_options(fields)?, Entries::given(boards))
        }
        _ => {
            let mut fields = read_query(request.uri(), "solve")?;
            let leading_id = fields.remove("leading_id") == Some(Value::Bool(true));
            let options = list_options(fields)?;
            let text = (kind == BodyType::Text).then_some((options.subject.size, leading_id));
            let entries = Entries::of_body(request.into_body(), text, &app.config);
            (options, entries)
        }
    };
    list::answer(&app, client.0, options, entries, &headers)
}

/// `POST /v1/anytime`
pub(crate) async fn anytime(
    State(app): SharedApp,
    client: Sender,
    request: Request,
) -> RouteResult {
    let mut fields = read_json(&app.config, request).await?;
    let mode = fields.insert("mode".to_owned(), "anytime".into());
    if mode.is_some_and(|mode| mode != "anytime") {
        let detail = "mode: expected anytime; /v1/solve has all modes";
        return Err(Problem::input(detail));
    }
    solve_one(app, client.0, fields, true).await
}

/// `DELETE /v1/searches/{id}`
pub(crate) async fn cancel(State(app): SharedApp, Path(id): Path<String>) -> RouteResult {
    match app.searches.cancel(&id) {
        true => Ok(StatusCode::NO_CONTENT.into_response()),
        false => Err(Problem::missing("search not found, or already ended")),
    }
}

/// The options of a list, whose boards are elsewhere.
fn list_options(mut fields: Fields) -> Result<Solve, Problem> {
    match fields.insert("board".to_owned(), "".into()) {
        None => Ok(Solve::from_fields(fields, Spelling::Snake)?),
        Some(_) => Err(Problem::input("expected either board or boards")),
    }
}

async fn solve_one(app: Arc<App>, client: Client, fields: Fields, has_events: bool) -> RouteResult {
    let request = Solve::from_fields(fields, Spelling::Snake)?;
    // An invalid request does not wait for its turn.
    let (read, goal) = app.session.subject(&request.subject)?;
    app.session.question(&request, &Control::default())?;
    let is_large = request.mode == Some(Mode::Anytime);
    let search = app.searches.admit(client, is_large)?;
    let span = Span::current();
    let work = move |control: &Control<Event>| {
        let report = app.report(&request, &read, &goal, control, has_events)?;
        span.record("nodes", report.nodes);
        Ok(text_of(&report))
    };
    if !has_events {
        return search.answer(work).await;
    }
    let (sender, receiver) = mpsc::channel(MAX_EVENTS);
    let events = Arc::new(listener(sender.clone()));
    let work = move |cancel: &Cancel| work(&Control::new(cancel.clone(), Some(events)));
    let first = json!({ "id": search.id }).to_string();
    let _ = sender.try_send(("search", first));
    let response = search.named(event_stream(receiver));
    tokio::spawn(async move {
        let last = tokio::select! {
            result = search.run(work) => match result {
                Ok(report) => ("report", report),
                Err(problem) => ("problem", text_of(&problem)),
            },
            // The client has disconnected.
            () = sender.closed() => return,
        };
        // Frees the place of the search, even if the client does not read its answer.
        drop(search);
        let _ = sender.send(last).await;
    });
    Ok(response)
}

/// Name and data of an event.
type NamedText = (&'static str, String);

/// Sends improved solutions, and progress at most every [`PROGRESS`].
fn listener(sender: mpsc::Sender<NamedText>) -> impl Fn(&Event) + Send + Sync {
    let last = Mutex::new(None::<Instant>);
    move |event| {
        let named = match event {
            Event::Improved { report } => ("improved", text_of(report)),
            Event::Progress { .. } => {
                let mut last = lock(&last);
                if last.is_some_and(|last| last.elapsed() < PROGRESS) {
                    return;
                }
                *last = Some(Instant::now());
                ("progress", text_of(event))
            }
            _ => return,
        };
        // For a slow client, events are lost; the last report has the best solution.
        let _ = sender.try_send(named);
    }
}

fn event_stream(receiver: mpsc::Receiver<NamedText>) -> Response {
    let events = stream::unfold(receiver, |mut receiver| async move {
        let (name, data) = receiver.recv().await?;
        let event = SentEvent::default().event(name).data(data);
        Some((Ok::<_, Infallible>(event), receiver))
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    Sse::new(events).keep_alive(keep_alive).into_response()
}

/// Maximum number of cells of the random boards of a request, for all boards together.
const MAX_RANDOM_CELLS: u64 = 1_000_000;
/// Time limit of the search for the distance in an explanation.
const DISTANCE_TIME: Duration = Duration::from_secs(2);

/// `POST /v1/hint`, `/v1/rate`, `/v1/probe` and `/v1/explain`: the question is the last part of the
/// path. For a board without a solution, the answer is a report.
pub(crate) async fn advise(State(app): SharedApp, client: Sender, request: Request) -> RouteResult {
    let ask = request.uri().path().trim_start_matches("/v1/").to_owned();
    let fields = read_json(&app.config, request).await?;
    let question = Question::read(&ask, fields, Spelling::Snake)?;
    let search = app.searches.admit(client.0, false)?;
    let work = move |control: &Control<Event>| {
        let answer = app.session.call(&question, control);
        match (answer, &question) {
            (Ok(heuristics), Question::Explain(request)) => {
                explained(&app, &request.subject, &heuristics, control)
            }
            (Ok(answer), _) => Ok(text_of(&answer)),
            (Err(failure), _) => Ok(text_of(&failure.into_report()?)),
        }
    };
    search.answer(work).await
}

/// The answer of `/v1/explain`. The distance is absent if it is not found within a time limit.
fn explained(
    app: &App,
    subject: &Subject,
    heuristics: &Answer,
    control: &Control<Event>,
) -> Result<String, Failure> {
    let (read, goal) = app.session.subject(subject)?;
    let mut solve = Solve::default();
    solve.subject.clone_from(subject);
    solve.search.max_time = Some(DISTANCE_TIME.min(app.config.max_time));
    let distance = match app.session.call(&Question::Solve(solve), control) {
        Ok(Answer::Report(report)) => report.length,
        _ if control.is_cancelled() => return Err(Failure::cancelled()),
        _ => None,
    };
    let (board, goal) = (read.board.to_string(), goal.to_string());
    let mut object = json!({ "board": board, "goal": goal, "distance": distance });
    object["heuristics"] = json!(heuristics);
    if !read.notes.is_empty() {
        object["notes"] = read.notes.iter().map(Note::to_string).collect();
    }
    Ok(object.to_string())
}

/// `GET` and `POST /v1/scramble`
pub(crate) async fn scramble(
    State(app): SharedApp,
    client: Sender,
    request: Request,
) -> RouteResult {
    let fields = match request.method() == Method::GET {
        true => read_query(request.uri(), "scramble")?,
        false => read_json(&app.config, request).await?,
    };
    let mut request = Scramble::from_fields(fields, Spelling::Snake)?;
    let cells = request.place.goal()?.tray().cells() as u64;
    if request.number.unwrap_or(1).saturating_mul(cells) > MAX_RANDOM_CELLS {
        return Err(Problem::input(format_args!(
            "too much for one request: at most {MAX_RANDOM_CELLS} cells together"
        )));
    }
    // By default each answer differs.
    let seed = || RandomState::new().hash_one(0) >> 11;
    request.seed.get_or_insert_with(seed);
    let question = Question::Scramble(request);
    let search = app.searches.admit(client.0, false)?;
    let work = move |control: &Control<Event>| {
        let boards = app.session.call(&question, control)?;
        Ok(text_of(&boards))
    };
    search.answer(work).await
}
