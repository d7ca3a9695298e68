//! Errors of requests, as problem objects (RFC 9457).

use std::fmt;

use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use session::Failure;
use utoipa::ToSchema;

/// Seconds after which a stopping service may have restarted.
const RETRY_CLOSING: u64 = 10;
/// Seconds after which memory may be free again.
const RETRY_MEMORY: u64 = 10;
/// Maximum length of a detail in characters.
const MAX_DETAIL: usize = 1000;

/// Error of a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// Always `about:blank`: the status determines the kind of problem.
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// The status in words.
    pub(crate) title: &'static str,
    /// The status code.
    pub(crate) status: u16,
    /// The value found, the expected value, and the remedy.
    pub(crate) detail: String,
    /// Error code for programs.
    pub(crate) code: Code,
    /// For 429 and 503: seconds after which to retry, as in the header Retry-After.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after: Option<u64>,
}

/// Error code for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Code {
    /// The request is invalid or exceeds a limit.
    Error,
    /// The search was cancelled.
    Cancelled,
    /// A table is damaged, or missing and too slow to build.
    Table,
    /// The requested tables need more memory than is allowed or free.
    Memory,
    /// The service is overloaded at present: try again later.
    Busy,
    /// The service has a defect.
    Defect,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: Code, detail: impl fmt::Display) -> Problem {
        Problem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Unknown"),
            status: status.as_u16(),
            detail: one_line(&detail.to_string()),
            code,
            retry_after: None,
        }
    }

    /// The body cannot be read.
    pub(crate) fn unreadable(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, Code::Error, detail)
    }

    /// The request is invalid.
    pub(crate) fn input(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, Code::Error, detail)
    }

    pub(crate) fn missing(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, Code::Error, detail)
    }

    /// The requested tables need too much memory.
    pub(crate) fn memory(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, Code::Memory, detail)
    }

    /// The system has too little free memory at present.
    pub(crate) fn no_memory(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, Code::Memory, detail).retry(RETRY_MEMORY)
    }

    /// The requested tables take too long to build.
    pub(crate) fn slow_tables(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, Code::Table, detail)
    }

    /// A table of the service is damaged. The error contains a path, so only the log shows it.
    pub(crate) fn damaged(error: impl fmt::Display) -> Problem {
        tracing::error!(%error, "cannot use a table");
        let detail = "a table of the service is damaged: the service log names the file";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, Code::Table, detail)
    }

    pub(crate) fn cancelled() -> Problem {
        let detail = "the search was cancelled";
        Problem::new(StatusCode::CONFLICT, Code::Cancelled, detail)
    }

    pub(crate) fn closing() -> Problem {
        let detail = "the service is stopping: try again later";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, Code::Busy, detail).retry(RETRY_CLOSING)
    }

    pub(crate) fn starting() -> Problem {
        let detail = "the service is starting: the default tables are being opened";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, Code::Busy, detail).retry(1)
    }

    pub(crate) fn defect() -> Problem {
        let detail = "the service failed on this request. This is a defect, please report it";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, Code::Defect, detail)
    }

    pub(crate) fn busy(detail: impl fmt::Display, retry_after: u64) -> Problem {
        Problem::new(StatusCode::TOO_MANY_REQUESTS, Code::Busy, detail).retry(retry_after)
    }

    /// The object as one line of JSON. Its strings and numbers can always be serialised.
    pub(crate) fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Sets the number of seconds after which to retry.
    fn retry(mut self, seconds: u64) -> Problem {
        self.retry_after = Some(seconds);
        self
    }
}

/// Replaces control characters, and cuts the text after [`MAX_DETAIL`] characters. The text can
/// quote a request of any content and length.
fn one_line(text: &str) -> String {
    let plain = |sign: char| if sign.is_control() { '\u{fffd}' } else { sign };
    let mut line: String = text.chars().take(MAX_DETAIL).map(plain).collect();
    if text.chars().nth(MAX_DETAIL).is_some() {
        line.push_str("...");
    }
    line
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        match failure.code {
            session::Code::Cancelled => Problem::cancelled(),
            session::Code::Table => Problem::damaged(failure),
            _ => Problem::input(failure),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let kind = [(CONTENT_TYPE, "application/problem+json")];
        let mut response = (status, kind, self.to_line()).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
