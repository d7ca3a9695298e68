//! `POST /v1/hint`, `/v1/rate`, `/v1/probe` and `/v1/explain`, and `/v1/scramble`.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::Uri;
use lab::{Explanation, HeuristicChoice, HeuristicError, Position};
use puzzle::Goal;
use puzzle::board_text::{ListedBoard, Note};
use serde::Serialize;
use serde_json::{Map, Value};
use session::request::{Explain, Scramble, Search, Solve, Subject};
use session::{Cancel, Control, Event, Failure, Request as Question, Response, Spelling};
use solver::{PatternTable, check_board};
use tracing::Span;

use crate::answer::silent;
use crate::app::{App, SharedApp};
use crate::body::{RouteResult, json, read_json, read_query, text_of};
use crate::client::Call;
use crate::problem::Problem;
use crate::queue::lock;
use crate::solve::with_reason;

/// Maximum number of cells of the random boards of a request, for all boards together.
const MAX_RANDOM_CELLS: u64 = 1_000_000;
/// Time limit of the search for the distance in an explanation.
const DISTANCE_TIME: Duration = Duration::from_secs(2);
/// The heuristic whose table build cannot be cancelled.
const WALKING: &str = "walking-distance";
/// Maximum number of cells of a tray for which [`WALKING`] is allowed. Building its tables takes up
/// to 0.1 s for these trays, and 2 s for 5x4.
const MAX_WALKING_CELLS: usize = 16;
const MAX_HEURISTICS: usize = 32;

/// `POST /v1/hint`, `/v1/rate` and `/v1/probe`: the question is the last part of the path.
pub(crate) async fn advise(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let ask = request.uri().path().trim_start_matches("/v1/").to_owned();
    let fields = read_json(&app.config, request).await?;
    let question = Question::read(&ask, fields, Spelling::Snake)?;
    let subject = match &question {
        Question::Hint(request) => &request.subject,
        Question::Rate(request) => &request.subject,
        Question::Probe(request) => &request.subject,
        _ => return Err(Problem::defect()),
    };
    let subject = subject.clone();
    answer(app, call, &subject, move |app, control| {
        Ok(text_of(&app.session.call(&question, control)?))
    })
    .await
}

/// Answers a request about a board on a search thread; for a board without a solution the answer is
/// a report.
async fn answer(
    app: Arc<App>,
    call: Call,
    subject: &Subject,
    ask: impl FnOnce(&App, &Control<Event>) -> Result<String, Failure> + Send + 'static,
) -> RouteResult {
    // An invalid board does not wait for its turn.
    app.session.subject(subject)?;
    let search = app.searches.admit(call, false)?;
    let work = move |cancel: &Cancel| {
        let reason = Arc::new(Mutex::new(None));
        let kept = Arc::clone(&reason);
        let listener = move |event: &Event| {
            if let Event::Opened { reason, .. } = event {
                lock(&kept).clone_from(reason);
            }
        };
        let control = Control::new(cancel.clone(), Some(Arc::new(listener)));
        let text = ask(&app, &control)
            .or_else(|failure| failure.into_report().map(|report| text_of(&report)))?;
        let reason = lock(&reason).take();
        Ok((text, reason))
    };
    let (text, reason) = search.run(work).await?;
    Span::current().record("boards", 1);
    Ok(with_reason(search.named(json(text)), reason))
}

/// The answer of `/v1/explain`.
#[derive(Serialize)]
struct ExplainAnswer {
    board: String,
    goal: String,
    distance: Option<u32>,
    heuristics: Vec<Explanation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// `POST /v1/explain`
pub(crate) async fn explain(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let request = Explain::from_fields(read_json(&app.config, request).await?, Spelling::Snake)?;
    let subject = request.subject.clone();
    answer(app, call, &subject, move |app, control| {
        let (read, goal) = app.session.subject(&request.subject)?;
        let heuristics = explained(app, &read, &goal, request.heuristics, control)?;
        let distance = Question::Solve(Solve {
            subject: request.subject,
            search: Search {
                max_time: Some(DISTANCE_TIME.min(app.config.max_time)),
                ..Search::default()
            },
            ..Solve::default()
        });
        // The distance is absent if it is not found within the time limit.
        let distance = match app.session.call(&distance, control) {
            Ok(Response::Report(report)) => report.length,
            _ if control.is_cancelled() => return Err(Failure::cancelled()),
            _ => None,
        };
        Ok(text_of(&ExplainAnswer {
            board: read.board.to_string(),
            goal: goal.to_string(),
            distance: distance,
            heuristics,
            notes: read.notes.iter().map(Note::to_string).collect(),
        }))
    })
    .await
}

/// Explains heuristics; without names those that are quickly available for the board's size. Their
/// tables are those of the session, which limits memory and build time.
fn explained(
    app: &App,
    read: &ListedBoard,
    goal: &Goal,
    mut names: Vec<String>,
    control: &Control<Event>,
) -> Result<Vec<Explanation>, Failure> {
    let (session, board) = (&app.session, &read.board);
    let state = check_board(goal, board).map_err(|error| Failure::of_error(goal, board, error))?;
    let position = Position::new(&state).map_err(Failure::input)?;
    let is_default = names.is_empty();
    let has_walks = goal.tray().cells() <= MAX_WALKING_CELLS;
    if is_default {
        names = HeuristicChoice::names_at_hand(goal.tray());
        names.retain(|name| {
            let specs = name
                .parse::<HeuristicChoice>()
                .and_then(|own| own.specs(goal));
            let fits = specs.is_ok_and(|specs| session.check_specs(name, &specs).is_ok());
            fits && (has_walks || name != WALKING)
        });
    }
    let all = names.iter().flat_map(|name| name.split('+'));
    if all.clone().count() > MAX_HEURISTICS {
        let detail = format!("too many heuristics: maximum {MAX_HEURISTICS}");
        return Err(Failure::input(detail));
    }
    if !has_walks && all.map(str::trim).any(|name| name == WALKING) {
        return Err(Failure::input(format!(
            "{WALKING} takes too long for this size"
        )));
    }
    let choices = names.iter().map(|name| name.parse::<HeuristicChoice>());
    let choices = choices.collect::<Result<Vec<_>, _>>()?;
    let specs = choices.iter().map(|choice| choice.specs(goal));
    let specs = specs.collect::<Result<Vec<_>, _>>()?.concat();
    let name = names.join(", ");
    session.check_specs(&name, &specs)?;
    let mut tables = Vec::new();
    for (number, spec) in specs.into_iter().enumerate() {
        let opened = session.open_spec(goal, format!("{number} {name}"), spec, control)?;
        tables.extend(opened.tables.iter().cloned());
    }
    let factory = app.walks.with_tables(move |id, geometry| {
        let table = tables.iter().find(|table| table.id() == id)?;
        PatternTable::new(table.clone(), geometry).ok()
    });
    let made = choices.iter().map(|choice| factory.heuristic(choice, goal));
    // Walking distance cannot be created for some long trays; the default list omits it there.
    let made =
        made.filter(|made| !is_default || !matches!(made, Err(HeuristicError::WalkingDistance(_))));
    let made = made.collect::<Result<Vec<_>, HeuristicError>>()?;
    match control.is_cancelled() {
        true => Err(Failure::cancelled()),
        false => Ok(Explanation::of(&made, &position, goal)),
    }
}

/// `POST /v1/scramble`
pub(crate) async fn scramble(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let fields = read_json(&app.config, request).await?;
    random_boards(app, call, fields).await
}

/// `GET /v1/scramble`
pub(crate) async fn get_scramble(State(app): SharedApp, call: Call, uri: Uri) -> RouteResult {
    random_boards(app, call, read_query(&uri, "scramble")?).await
}

async fn random_boards(app: Arc<App>, call: Call, fields: Map<String, Value>) -> RouteResult {
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
    let search = app.searches.admit(call, false)?;
    let work = move |cancel: &Cancel| {
        let boards = app
            .session
            .call(&Question::Scramble(request), &silent(cancel))?;
        Ok(text_of(&boards))
    };
    Ok(json(search.run(work).await?))
}
