//! Reads requests and writes answers, and errors as problem objects (RFC 9457).

use std::error::Error;
use std::fmt::Display;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use http_body_util::LengthLimitError;
use serde::Serialize;
use serde_json::{Map, Value};
use session::{Cause, Code, Failure, Kind};
use tokio::time::timeout;

use crate::config::Config;

/// Seconds after which a busy service may have room, or a stopping one may have restarted.
const RETRY: u64 = 5;
/// Maximum length of a detail in characters.
const MAX_DETAIL: usize = 1000;

/// Error of a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Problem {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    /// The value found, the expected value, and the remedy.
    pub(crate) detail: String,
    /// `error`, `cancelled`, `table`, `memory`, `busy` or `defect`.
    code: &'static str,
    /// For 429 and 503: seconds after which to retry, as in the header Retry-After.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
}

impl Problem {
    /// The detail can quote a request of any content and length. Its control characters are
    /// replaced, and it is cut after [`MAX_DETAIL`] characters.
    fn of(status: StatusCode, code: &'static str, detail: impl Display) -> Problem {
        let plain = |sign: char| if sign.is_control() { '\u{fffd}' } else { sign };
        let text = detail.to_string();
        let mut detail: String = text.chars().take(MAX_DETAIL).map(plain).collect();
        if detail.len() < text.len() {
            detail += "...";
        }
        Problem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Unknown"),
            status: status.as_u16(),
            detail,
            code,
            retry_after: matches!(status.as_u16(), 429 | 503).then_some(RETRY),
        }
    }

    pub(crate) fn new(status: StatusCode, detail: impl Display) -> Problem {
        Problem::of(status, "error", detail)
    }

    /// The request cannot be read.
    pub(crate) fn unreadable(detail: impl Display) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    /// The request is invalid.
    pub(crate) fn input(detail: impl Display) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    pub(crate) fn missing(detail: impl Display) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }

    /// The service is starting or stopping.
    pub(crate) fn unavailable(state: &str) -> Problem {
        let detail = format_args!("the service is {state}: try again later");
        Problem::of(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
    }

    pub(crate) fn defect() -> Problem {
        let detail = "the service failed on this request. This is a defect, please report it";
        Problem::of(StatusCode::INTERNAL_SERVER_ERROR, "defect", detail)
    }

    /// Too many requests.
    pub(crate) fn busy(reason: &str) -> Problem {
        let detail = format_args!("{reason}: try again later");
        Problem::of(StatusCode::TOO_MANY_REQUESTS, "busy", detail)
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        const INPUT: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
        match (failure.cause, failure.code) {
            (Cause::Damage, _) => {
                // The message contains a path, so only the log shows it.
                tracing::error!(error = %failure, "cannot use a table");
                let detail = "a table of the service is damaged: the service log names the file";
                Problem::of(StatusCode::INTERNAL_SERVER_ERROR, "table", detail)
            }
            (Cause::Shortage, _) => {
                let detail = format_args!("{failure}: try again later");
                Problem::of(StatusCode::SERVICE_UNAVAILABLE, "memory", detail)
            }
            (_, Code::Cancelled) => Problem::of(StatusCode::CONFLICT, "cancelled", failure),
            // A request cannot raise the limit.
            (_, Code::Table) => {
                let detail = failure.message.replace(", or raise max_build_time", "");
                Problem::of(INPUT, "table", detail)
            }
            (_, Code::Memory) => Problem::of(INPUT, "memory", failure),
            _ => Problem::input(failure),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let kind = (CONTENT_TYPE, "application/problem+json");
        let headers = [kind, (CACHE_CONTROL, "no-store")];
        let retry = self.retry_after.map(|seconds| [(RETRY_AFTER, seconds)]);
        let text = serde_json::to_string(&self).unwrap_or_default() + "\n";
        (status, headers, retry, text).into_response()
    }
}

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
