//! Request bodies.

use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderMap, StatusCode, Uri};
use futures_util::StreamExt as _;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;
use serde_json::{Map, Value};
use session::Kind;
use tokio::time::timeout;

use crate::app::App;
use crate::config::time;
use crate::memory::Reservation;
use crate::problem::{Code, Problem};

/// Body types that the service reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BodyType {
    Json,
    /// A list of boards: lines of JSON if `are_json`, else lines of text.
    Lines {
        are_json: bool,
    },
}

/// Body type from the header Content-Type. Without this header, the type is JSON.
pub(crate) fn body_type(headers: &HeaderMap) -> Option<BodyType> {
    let Some(value) = headers.get(CONTENT_TYPE) else {
        return Some(BodyType::Json);
    };
    let essence = value.to_str().ok()?.split(';').next()?.trim();
    let essence = essence.to_ascii_lowercase();
    match &*essence {
        "application/json" => Some(BodyType::Json),
        "application/x-ndjson" | "application/ndjson" | "application/jsonl" => {
            Some(BodyType::Lines { are_json: true })
        }
        "text/plain" => Some(BodyType::Lines { are_json: false }),
        _ => None,
    }
}

pub(crate) fn wrong_type(headers: &HeaderMap, expected: &str) -> Problem {
    let found = headers
        .get(CONTENT_TYPE)
        .map_or(&b""[..], HeaderValue::as_bytes);
    let found: String = String::from_utf8_lossy(found).chars().take(100).collect();
    Problem::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Code::Error,
        format!("the Content-Type is `{found}`: expected {expected}"),
    )
}

/// Reads the complete JSON body of a request.
pub(crate) async fn read_json(app: &App, request: Request) -> Result<Map<String, Value>, Problem> {
    let (parts, body) = request.into_parts();
    if body_type(&parts.headers) != Some(BodyType::Json) {
        return Err(wrong_type(&parts.headers, "application/json"));
    }
    if parts.uri.query().is_some_and(|query| !query.is_empty()) {
        return Err(Problem::unreadable(
            "options belong in the JSON object, not in the address: move them there",
        ));
    }
    let limit = time(app.config.read_timeout);
    let bytes = timeout(limit, read_bytes(app, &parts.headers, body));
    let (bytes, _room) = bytes.await.map_err(|_| too_slow(limit))??;
    // A damaged array is no JSON; another one is a wrong value.
    match bytes.trim_ascii_start().first() {
        Some(b'[') => {
            parse_json::<IgnoredAny>(&bytes)?;
            let detail = "the body is an array: expected a JSON object";
            Err(Problem::input(detail))
        }
        _ => parse_json(&bytes),
    }
}

/// Reads the options of the question `ask` from the address.
pub(crate) fn read_query(uri: &Uri, ask: &str) -> Result<Map<String, Value>, Problem> {
    let query = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri);
    let query = query.map_err(|error| Problem::input(error.body_text()))?.0;
    let fields = session::Request::fields(ask).unwrap_or_default();
    let is_text = |name: &str| {
        let field = fields.iter().find(|field| field.name == name);
        field.is_some_and(|field| {
            let kind = field.kind;
            !matches!(kind, Kind::Whole | Kind::Number | Kind::Time | Kind::Flag)
        })
    };
    let option = |(name, text): (String, String)| {
        let value = (!is_text(&name))
            .then(|| serde_json::from_str(&text).ok())
            .flatten();
        (name, value.unwrap_or(Value::String(text)))
    };
    Ok(query.into_iter().map(option).collect())
}

pub(crate) fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(bytes).map_err(|error| match error.classify() {
        Category::Data => Problem::input(error),
        _ if bytes.is_empty() => Problem::unreadable("the body is empty: expected a JSON object"),
        _ => Problem::unreadable(format!("the body is not JSON: {error}")),
    })
}

/// Reads a request body. Returns the body and the memory reservation for it.
async fn read_bytes<'a>(
    app: &'a App,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Vec<u8>, Reservation<'a>), Problem> {
    let most = app.config.max_body;
    let length = headers.get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most as u64) {
        return Err(too_large(most));
    }
    // If the length is unknown, memory for the maximum length is reserved.
    let room = app.solvers.memory.reserve(length.unwrap_or(most as u64))?;
    let mut chunks = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(cut_short)?;
        if bytes.len() + chunk.len() > most {
            return Err(too_large(most));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok((bytes, room))
}

pub(crate) fn cut_short(error: axum::Error) -> Problem {
    Problem::unreadable(format!("cannot read the body to its end: {error}"))
}

pub(crate) fn too_large(most: usize) -> Problem {
    let detail = format!("the body is larger than the maximum of {most} bytes: send less at once");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, Code::Error, detail)
}

pub(crate) fn too_slow(limit: Duration) -> Problem {
    let seconds = limit.as_secs_f64();
    let detail = format!("the body did not arrive within {seconds} s");
    Problem::new(StatusCode::REQUEST_TIMEOUT, Code::Error, detail)
}
