//! Errors of requests, as problem objects (RFC 9457).

use std::fmt::Display;

use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use session::{Cause, Code, Failure};

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
