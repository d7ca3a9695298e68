//! Error responses in the OpenAPI description.

use std::collections::BTreeMap;

use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{Content, Ref, RefOr};
use utoipa::{IntoResponses, PartialSchema as _};

type Responses = BTreeMap<String, RefOr<Response>>;

/// Error responses of every request.
pub(crate) struct AnyProblem;

/// Error responses of a request with a search.
pub(crate) struct SearchProblem;

impl IntoResponses for AnyProblem {
    fn responses() -> Responses {
        let malformed = "The request is not valid HTTP, or its body is incomplete.";
        let closing = "The service is stopping, or has too little memory: try again after the \
                       seconds of\nRetry-After.";
        responses(&[
            (400, malformed),
            (414, "The path is longer than 64 KiB."),
            (431, "The request head is too large."),
            (500, "The service has a defect or a damaged table."),
            (503, closing),
        ])
    }
}

impl IntoResponses for SearchProblem {
    fn responses() -> Responses {
        let input = "The board, goal, moves or options are invalid or exceed a limit.";
        let busy = "Too many searches: try again after the seconds of Retry-After.";
        let mut all = AnyProblem::responses();
        all.extend(responses(&[
            (400, "The body is incomplete or not JSON."),
            (408, "The body did not arrive in time."),
            (409, "The search was cancelled."),
            (413, "The body is too large."),
            (415, "The body type is not supported."),
            (422, input),
            (429, busy),
        ]));
        all
    }
}

/// Responses by status, with their descriptions.
fn responses(problems: &[(u16, &str)]) -> Responses {
    let problem = Content::new(Some(Ref::from_schema_name("Problem")));
    let seconds = HeaderBuilder::new().schema(u64::schema());
    let seconds = seconds.description(Some("Seconds")).build();
    let response = |&(status, description): &(u16, &str)| {
        let mut response = ResponseBuilder::new().description(description);
        // If a path is too long, hyper answers without a problem object.
        if status != 414 {
            response = response.content("application/problem+json", problem.clone());
        }
        if matches!(status, 429 | 503) {
            response = response.header("Retry-After", seconds.clone());
        }
        (status.to_string(), response.build().into())
    };
    problems.iter().map(response).collect()
}
