//! `POST /v1/solve`, `POST /v1/anytime` and `DELETE /v1/searches/{id}`.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::sse::{Event as SentEvent, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use puzzle::Goal;
use puzzle::board_text::ListedBoard;
use serde_json::{Map, Value, json};
use session::request::{Solve, Tables};
use session::{Cancel, Control, Event, Failure, Spelling, report};
use solver::{Mode, Report, Status};
use tokio::sync::mpsc;
use tracing::Span;

use crate::app::{App, SharedApp};
use crate::body::{
    BodyType, RouteResult, accepts, body_type, json as answer, read_json, read_query, text_of,
    with_reason,
};
use crate::call::Call;
use crate::list::{self, Entries};
use crate::problem::Problem;
use crate::queue::lock;

/// Time between two progress events.
const PROGRESS: Duration = Duration::from_millis(200);
/// Maximum number of events that wait to be sent; further ones are dropped.
const MAX_EVENTS: usize = 64;
/// Time without events after which a comment is sent, so that no proxy closes the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// `POST /v1/solve`
pub(crate) async fn solve(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let headers = request.headers().clone();
    let wants_events = accepts(&headers, "text/event-stream");
    if let BodyType::Lines { are_json } = body_type(&headers, true)? {
        let mut fields = read_query(request.uri(), "solve")?;
        if fields.contains_key("board") || fields.contains_key("boards") {
            return Err(Problem::input("the boards of a list must be in its body"));
        }
        let leading_id = fields.remove("leading_id").unwrap_or(Value::Bool(false));
        let leading_id = leading_id.as_bool();
        let leading_id =
            leading_id.ok_or_else(|| Problem::input("leading_id must be true or false"))?;
        let options = list_request(fields)?;
        let text = (!are_json).then_some((options.subject.size, leading_id));
        let entries = Entries::of_body(request.into_body(), text, &app.config);
        return list::answer(&app, call, options, entries, &headers);
    }
    let mut fields = read_json(&app.config, request).await?;
    if fields.contains_key("leading_id") {
        return Err(Problem::input(
            "leading_id is only for lists of type text/plain",
        ));
    }
    let boards = fields.remove("boards").filter(|boards| !boards.is_null());
    match (fields.get("board"), boards) {
        (Some(_), None) => {
            let request = Solve::from_fields(fields, Spelling::Snake)?;
            solve_one(app, call, request, wants_events).await
        }
        (None, Some(boards)) => {
            let boards = boards.as_array();
            let boards = boards.ok_or_else(|| Problem::input("boards must be an array"))?;
            let (found, most) = (boards.len(), app.config.max_boards);
            if found > most {
                let detail = format!("boards has {found} boards, maximum {most} per request");
                return Err(Problem::input(detail));
            }
            let entries = Entries::given(boards);
            list::answer(&app, call, list_request(fields)?, entries, &headers)
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
        let detail = format!("mode is `{mode}`: /v1/anytime has only anytime, /v1/solve all modes");
        return Err(Problem::input(detail));
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

async fn solve_one(app: Arc<App>, call: Call, request: Solve, has_events: bool) -> RouteResult {
    // An invalid request does not wait for its turn.
    let (read, goal) = app.session.subject(&request.subject)?;
    app.session.question(&request, &Control::default())?;
    let is_large = request.mode == Some(Mode::Anytime);
    let search = app.searches.admit(call, is_large)?;
    let (sender, receiver) = mpsc::channel(MAX_EVENTS);
    let events = has_events.then(|| sender.clone());
    let work = move |cancel: &Cancel| {
        let control = match events {
            Some(events) => Control::new(cancel.clone(), Some(Arc::new(listener(events)))),
            None => Control::stopped_by(cancel),
        };
        report_of(&app, &request, &read, &goal, &control)
    };
    if !has_events {
        let (report, reason) = search.run(work).await?;
        Span::current()
            .record("boards", 1)
            .record("nodes", report.nodes);
        return Ok(with_reason(search.named(answer(text_of(&report))), reason));
    }
    let first = ("search", json!({ "id": search.id() }).to_string());
    let response = search.named(event_stream(first, receiver));
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
            Event::Progress { bound, nodes, ms } => {
                let mut last = lock(&last);
                if last.is_some_and(|last| last.elapsed() < PROGRESS) {
                    return;
                }
                *last = Some(Instant::now());
                let ms = (ms * 1e3).round() / 1e3;
                (
                    "progress",
                    json!({ "bound": bound, "nodes": nodes, "ms": ms }).to_string(),
                )
            }
            _ => return,
        };
        // For a slow client, events are lost; the last report has the best solution.
        let _ = sender.try_send(named);
    }
}

fn event_stream(first: NamedText, receiver: mpsc::Receiver<NamedText>) -> Response {
    let rest = stream::unfold(receiver, |mut receiver| async move {
        Some((receiver.recv().await?, receiver))
    });
    let events = stream::iter([first]).chain(rest).map(|(name, data)| {
        let event = SentEvent::default().event(name).data(data);
        Ok::<_, Infallible>(event)
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    Sse::new(events).keep_alive(keep_alive).into_response()
}

/// Solves a board on a search thread. Returns the report, and the reason why its tables are not the
/// default ones. Boards without a solution, and searches that reach a limit, also have a report.
/// Errors: the options do not suit the board, the tables cannot be opened, or the search was
/// cancelled before it found a solution.
pub(crate) fn report_of(
    app: &App,
    request: &Solve,
    read: &ListedBoard,
    goal: &Goal,
    control: &Control<Event>,
) -> Result<(Report, Option<String>), Failure> {
    let (session, silent) = (&app.session, Control::stopped_by(&control.cancel));
    let mut question = session.question(request, &silent)?;
    let whole = |answer| {
        let whole = report(answer, &read.notes, &control.cancel);
        whole.or_else(Failure::into_report)
    };
    if let Some(refusal) = question.refusal(goal, &read.board) {
        return Ok((whole(refusal)?, None));
    }
    let is_anytime = question.options.mode == Mode::Anytime;
    if is_anytime && control.has_listener() && !session.is_open(goal, &request.tables) {
        // The first solution needs no tables, and does not wait for them.
        let mut first = question.clone();
        first.options = first.options.mode(Mode::Strategic);
        let mut tables = Tables::default();
        tables.metric = request.tables.metric;
        let opened = session.open_for(&first, goal, &tables, &silent)?;
        let mut report = opened.solver.answer(&read.board, &first).report;
        if report.status == Status::Solved {
            (report.status, report.mode) = (Status::Improved, Some(Mode::Anytime));
            let report = Box::new(report.with_time(Duration::ZERO));
            control.report(&Event::Improved { report });
        }
    }
    let opened = session.open_for(&question, goal, &request.tables, control)?;
    // The times in events begin after the tables have been opened.
    let begun = Instant::now();
    question = session.question(request, control)?;
    if is_anytime {
        let own = question.options.max_memory.unwrap_or(u64::MAX);
        let share = app.memory_of_search()?;
        question.options = question.options.max_memory(own.min(share));
    }
    let answer = opened.solver.answer(&read.board, &question);
    let nodes = answer.report.nodes.unwrap_or(0);
    app.metrics.board(nodes, begun.elapsed());
    Ok((whole(answer)?, opened.reason.clone()))
}
