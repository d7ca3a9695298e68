//! `POST /v1/hint`, `/v1/rate`, `/v1/probe` and `/v1/explain`, and `/v1/scramble`.

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::Method;
use puzzle::board_text::Note;
use serde_json::json;
use session::request::{Scramble, Solve, Subject};
use session::{Control, Event, Failure, Fields as _, Request as Question, Response, Spelling};

use crate::app::{App, Sender, SharedApp};
use crate::body::{Problem, RouteResult, read_json, read_query, text_of};

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
    heuristics: &Response,
    control: &Control<Event>,
) -> Result<String, Failure> {
    let (read, goal) = app.session.subject(subject)?;
    let mut solve = Solve::default();
    solve.subject.clone_from(subject);
    solve.search.max_time = Some(DISTANCE_TIME.min(app.config.max_time));
    let distance = match app.session.call(&Question::Solve(solve), control) {
        Ok(Response::Report(report)) => report.length,
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
