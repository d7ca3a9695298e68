//! Reads requests and writes answers.

use std::error::Error;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use http_body_util::LengthLimitError;
use serde::Serialize;
use serde_json::{Map, Value};
use session::Kind;
use tokio::time::timeout;

use crate::config::Config;
use crate::problem::Problem;

/// The fields of a JSON object.
pub(crate) type Fields = Map<String, Value>;
pub(crate) type RouteResult = Result<Response, Problem>;

/// The header with the id of a search, for `DELETE /v1/searches/{id}`.
pub(crate) const SEARCH_ID: HeaderName = HeaderName::from_static("search-id");
/// The header with the reason why the default tables were not used.
pub(crate) const TABLES_REASON: HeaderName = HeaderName::from_static("tables-reason");

/// Body types that the service reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BodyType {
    Json,
    /// A list of boards, one JSON value per line.
    JsonLines,
    /// A list of boards, as a text.
    Text,
}

/// Body type from the headers. Without Content-Type, it is JSON.
/// Errors: another type, or a compressed body.
pub(crate) fn body_type(headers: &HeaderMap) -> Result<BodyType, Problem> {
    let text = |name| {
        headers
            .get(name)
            .map(|value| String::from_utf8_lossy(value.as_bytes()))
    };
    let kind = text(CONTENT_TYPE).unwrap_or("application/json".into());
    let essence = kind.split(';').next().unwrap_or_default().trim();
    let coding = text(CONTENT_ENCODING).unwrap_or("identity".into());
    match &*essence.to_ascii_lowercase() {
        _ if !coding.eq_ignore_ascii_case("identity") => {}
        "application/json" => return Ok(BodyType::Json),
        "application/x-ndjson" | "application/ndjson" => return Ok(BodyType::JsonLines),
        "application/jsonl" => return Ok(BodyType::JsonLines),
        "text/plain" => return Ok(BodyType::Text),
        _ => {}
    }
    let detail = "expected a body of the type application/json, or for lists application/x-ndjson \
                  or text/plain, without Content-Encoding";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail))
}

/// Reads the complete JSON object of a request.
pub(crate) async fn read_json(config: &Config, request: Request) -> Result<Fields, Problem> {
    if request.uri().query().is_some_and(|query| !query.is_empty()) {
        return Err(Problem::unreadable(
            "options belong in the JSON object, not in the address: move them there",
        ));
    }
    if body_type(request.headers())? != BodyType::Json {
        let detail = "expected a body of the type application/json";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    let read = to_bytes(request.into_body(), config.max_body);
    let bytes = match timeout(config.read_timeout, read).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(error)) => return Err(cut_short(&error)),
        Err(_) => return Err(too_slow(config.read_timeout)),
    };
    serde_json::from_slice(&bytes).map_err(|error| {
        Problem::unreadable(format_args!("the body is not a JSON object: {error}"))
    })
}

/// Reads the options of the question `ask` from the address.
pub(crate) fn read_query(uri: &Uri, ask: &str) -> Result<Fields, Problem> {
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
    Ok(query.into_iter().map(option).collect())
}

/// The body was not sent to its end, or is longer than the limit.
pub(crate) fn cut_short(error: &(dyn Error + 'static)) -> Problem {
    let mut cause = Some(error);
    while let Some(found) = cause {
        if found.is::<LengthLimitError>() {
            return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large");
        }
        cause = found.source();
    }
    Problem::unreadable(format_args!("cannot read the body to its end: {error}"))
}

pub(crate) fn too_slow(limit: Duration) -> Problem {
    let seconds = limit.as_secs_f64();
    let detail = format!("the body did not arrive within {seconds} s");
    Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
}

/// Whether the client's Accept header names a type.
pub(crate) fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let mut values = headers.get_all(ACCEPT).iter();
    values.any(|value| value.to_str().is_ok_and(|kinds| kinds.contains(kind)))
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

/// Sets a header if there is a text that is a valid header value.
pub(crate) fn with(mut response: Response, name: HeaderName, text: Option<&str>) -> Response {
    if let Some(Ok(value)) = text.map(HeaderValue::try_from) {
        response.headers_mut().insert(name, value);
    }
    response
}
