//! `/v1/scramble`: random boards.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::Uri;
use serde_json::{Map, Value};
use session::request::Scramble;
use session::{Control, Fields, Request as Question, Spelling};
use solver::Cancel;

use super::body::{read_json, read_query};
use super::problems::SearchProblem;
use super::response::{RouteResult, json, json_text};
use super::schema::{RandomBoard, ScrambleRequest};
use crate::app::{App, SharedApp};
use crate::log::Call;
use crate::problem::Problem;

/// Maximum number of cells per request, for all boards together.
const MAX_CELLS: u64 = 1_000_000;

/// Random solvable boards.
#[utoipa::path(
    post,
    path = "/v1/scramble",
    tag = "advice",
    request_body = ScrambleRequest,
    responses((status = 200, description = "The boards", body = Vec<RandomBoard>), SearchProblem)
)]
pub(crate) async fn post(State(app): SharedApp, call: Call, request: Request) -> RouteResult {
    let request = read_json(&app, request).await?;
    scramble(app, call, request).await
}

/// Random solvable boards.
#[utoipa::path(
    get,
    path = "/v1/scramble",
    tag = "advice",
    responses((status = 200, description = "The boards", body = Vec<RandomBoard>), SearchProblem)
)]
pub(crate) async fn get(State(app): SharedApp, call: Call, uri: Uri) -> RouteResult {
    scramble(app, call, read_query(&uri, "scramble")?).await
}

async fn scramble(app: Arc<App>, call: Call, fields: Map<String, Value>) -> RouteResult {
    let mut request = Scramble::from_fields(fields, Spelling::Snake)?;
    let number = request.number.unwrap_or(1);
    let cells = request.place.goal()?.tray().cells() as u64;
    if number.saturating_mul(cells) > MAX_CELLS {
        return Err(Problem::input(format!(
            "too much for one request: at most {MAX_CELLS} cells together"
        )));
    }
    // By default each answer differs.
    request
        .seed
        .get_or_insert_with(|| RandomState::new().hash_one(0) >> 11);
    let search = app.searches.admit(&call, false)?;
    let work = move |cancel: &Cancel| {
        let control = Control::stopped_by(cancel);
        let boards = app.session.call(&Question::Scramble(request), &control)?;
        Ok(json_text(&boards))
    };
    let text = search.run(Duration::from_secs(1), work).await?;
    search.call.log.add(number, 0);
    Ok(json(text))
}
