//! Reads requests and writes answers.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use serde_json::error::Category;
use serde_json::{Map, Value};
use session::Kind;
use tokio::time::timeout;

use crate::config::Config;
use crate::problem::Problem;

pub(crate) type RouteResult = Result<Response, Problem>;

/// The header with the id of a search, for `DELETE /v1/searches/{id}`.
pub(crate) const SEARCH_ID: HeaderName = HeaderName::from_static("search-id");
/// The header with the reason why the default tables were not used.
pub(crate) const TABLES_REASON: HeaderName = HeaderName::from_static("tables-reason");
/// Maximum bytes of a partition's text: enough to list all tiles of the largest board.
pub(crate) const MAX_PARTITION: usize = 2000;

/// Body types that the service reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BodyType {
    Json,
    /// A list of boards: lines of JSON if `are_json`, else lines of text.
    Lines {
        are_json: bool,
    },
}

/// Body type from the headers. Without Content-Type, it is JSON.
/// Errors: another type, or a compressed body.
pub(crate) fn body_type(headers: &HeaderMap, takes_lists: bool) -> Result<BodyType, Problem> {
    let wrong = |detail: String| Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail);
    let mut codings = headers.get_all(CONTENT_ENCODING).iter();
    if codings.any(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(wrong(
            "the body has a Content-Encoding: expected none".to_owned(),
        ));
    }
    let Some(value) = headers.get(CONTENT_TYPE) else {
        return Ok(BodyType::Json);
    };
    let found = String::from_utf8_lossy(value.as_bytes());
    let essence = found.split(';').next().unwrap_or_default().trim();
    match &*essence.to_ascii_lowercase() {
        "application/json" => Ok(BodyType::Json),
        "application/x-ndjson" | "application/ndjson" | "application/jsonl" if takes_lists => {
            Ok(BodyType::Lines { are_json: true })
        }
        "text/plain" if takes_lists => Ok(BodyType::Lines { are_json: false }),
        _ => {
            let found: String = found.chars().take(100).collect();
            let lists = match takes_lists {
                true => ", or of a list application/x-ndjson or text/plain",
                false => "",
            };
            Err(wrong(format!(
                "the Content-Type is `{found}`: expected application/json{lists}"
            )))
        }
    }
}

/// Reads the complete JSON object of a request.
pub(crate) async fn read_json(
    config: &Config,
    request: Request,
) -> Result<Map<String, Value>, Problem> {
    if request.uri().query().is_some_and(|query| !query.is_empty()) {
        return Err(Problem::unreadable(
            "options belong in the JSON object, not in the address: move them there",
        ));
    }
    body_type(request.headers(), false)?;
    let most = config.max_body;
    let bytes = timeout(config.read_timeout, to_bytes(request.into_body(), most)).await;
    let bytes = bytes.map_err(|_| too_slow(config.read_timeout))?;
    let bytes = bytes.map_err(|error| {
        // The message of the limit is `length limit exceeded`.
        match std::error::Error::source(&error) {
            Some(source) if source.to_string().contains("limit") => too_large(most),
            _ => cut_short(&error),
        }
    })?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|error| match error.classify() {
        Category::Data => Problem::input(error),
        _ if bytes.is_empty() => Problem::unreadable("the body is empty: expected a JSON object"),
        _ => Problem::unreadable(format_args!("the body is not JSON: {error}")),
    })?;
    let fields = match value {
        Value::Object(fields) => fields,
        Value::Array(_) => {
            return Err(Problem::input(
                "the body is an array: expected a JSON object",
            ));
        }
        _ => return Err(Problem::input("expected a JSON object")),
    };
    check_partition(&fields).map(|()| fields)
}

fn check_partition(fields: &Map<String, Value>) -> Result<(), Problem> {
    let partition = fields.get("partition").and_then(Value::as_str);
    match partition.is_some_and(|name| name.len() > MAX_PARTITION) {
        true => Err(Problem::input(format_args!(
            "partition is longer than the maximum of {MAX_PARTITION} bytes"
        ))),
        false => Ok(()),
    }
}

/// Reads the options of the question `ask` from the address.
pub(crate) fn read_query(uri: &Uri, ask: &str) -> Result<Map<String, Value>, Problem> {
    let query = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri);
    let query = query.map_err(|error| Problem::input(error.body_text()))?.0;
    let fields = session::Request::fields(ask).unwrap_or_default();
    let option = |(name, text): (String, String)| {
        let field = fields.iter().find(|field| field.name == name);
        let is_text = field.is_some_and(|field| {
            let kind = field.kind;
            !matches!(kind, Kind::Whole | Kind::Number | Kind::Time | Kind::Flag)
        });
        let value = serde_json::from_str(&text).ok().filter(|_| !is_text);
        (name, value.unwrap_or(Value::String(text)))
    };
    let fields = query.into_iter().map(option).collect();
    check_partition(&fields).map(|()| fields)
}

pub(crate) fn cut_short(error: &axum::Error) -> Problem {
    Problem::unreadable(format_args!("cannot read the body to its end: {error}"))
}

pub(crate) fn too_large(most: usize) -> Problem {
    let detail = format!("the body is larger than the maximum of {most} bytes: send less at once");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
}

pub(crate) fn too_slow(limit: Duration) -> Problem {
    let seconds = limit.as_secs_f64();
    let detail = format!("the body did not arrive within {seconds} s");
    Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
}

/// Whether the client's Accept header lists a type.
pub(crate) fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let values = headers.get_all(ACCEPT).iter();
    let lists = values.filter_map(|value| value.to_str().ok());
    let mut ranges = lists.flat_map(|list| list.split(','));
    ranges.any(|range| {
        let range = range.split(';').next().unwrap_or_default();
        range.trim().eq_ignore_ascii_case(kind)
    })
}

/// Serialises an object as JSON. All objects of this service can be serialised.
pub(crate) fn text_of(object: &impl Serialize) -> String {
    serde_json::to_string(object).unwrap_or_default()
}

/// A JSON answer with a final newline.
pub(crate) fn json(text: String) -> Response {
    typed(Body::from(text + "\n"), "application/json")
}

pub(crate) fn typed(body: Body, kind: &'static str) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static(kind))], body).into_response()
}

/// Sets a header if the text is a valid header value.
pub(crate) fn with(mut response: Response, name: HeaderName, text: &str) -> Response {
    if let Ok(value) = HeaderValue::try_from(text) {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Adds the reason for tables other than the default ones.
pub(crate) fn with_reason(response: Response, reason: Option<String>) -> Response {
    match reason {
        Some(reason) => with(response, TABLES_REASON, &reason),
        None => response,
    }
}
