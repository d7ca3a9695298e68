//! Answers that several routes share.

use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::Response;
use serde::Serialize;
use solver::Cancel;

use crate::answer::BoardAnswer;
use crate::headers::{self, SEARCH_ID, TABLES_REASON};
use crate::problem::Problem;
use crate::searches::{Search, SearchId};

pub(crate) type RouteResult = Result<Response, Problem>;

/// Serialises an object as JSON. All objects of this service can be serialised.
pub(crate) fn json_text(object: &impl Serialize) -> String {
    serde_json::to_string(object).unwrap_or_default()
}

/// A JSON answer with a final newline.
pub(crate) fn json(mut text: String) -> Response {
    text.push('\n');
    typed(Body::from(text), "application/json")
}

pub(crate) fn typed(body: Body, kind: &'static str) -> Response {
    let mut response = Response::new(body);
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

pub(crate) fn with_id(mut response: Response, id: SearchId) -> Response {
    headers::set(&mut response, SEARCH_ID, &id.to_string());
    response
}

/// JSON answer about one board.
pub(crate) struct BoardJson {
    pub(crate) text: String,
    /// Generated nodes of the board's search.
    pub(crate) nodes: u64,
    /// Reason for tables other than the default ones; `None` for the default tables.
    pub(crate) reason: Option<String>,
}

impl From<BoardAnswer> for BoardJson {
    fn from(answer: BoardAnswer) -> BoardJson {
        BoardJson {
            text: json_text(&answer.report),
            nodes: answer.report.nodes.unwrap_or(0),
            reason: answer.reason,
        }
    }
}

pub(crate) async fn about_board(
    search: Search,
    limit: Duration,
    work: impl FnOnce(&Cancel) -> Result<BoardJson, Problem> + Send + 'static,
) -> RouteResult {
    let answer = search.run(limit, work).await?;
    search.call.log.add(1, answer.nodes);
    let mut response = with_id(json(answer.text), search.id);
    if let Some(reason) = answer.reason {
        headers::set(&mut response, TABLES_REASON, &reason);
    }
    Ok(response)
}
