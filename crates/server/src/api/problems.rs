//! The problems that requests may be answered, for the OpenAPI text.

use std::collections::BTreeMap;

use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{Content, Ref, RefOr};
use utoipa::{IntoResponses, PartialSchema as _};

type Responses = BTreeMap<String, RefOr<Response>>;

/// Those of any request.
pub(crate) struct AnyProblem;

/// Those of a request with a search.
pub(crate) struct SearchProblem;

impl IntoResponses for AnyProblem {
    fn responses() -> Responses {
        let malformed = "The request is no HTTP that is understood, or its body is cut short.";
        let closing = "The service is stopping, or has too little memory: try again after the \
                       seconds of\nRetry-After.";
        responses(&[
            (400, malformed),
            (414, "The path of the request is longer than 64 KiB."),
            (431, "The head of the request is too large."),
            (500, "A defect of the service, or a table of it is damaged."),
            (503, closing),
        ])
    }
}

impl IntoResponses for SearchProblem {
    fn responses() -> Responses {
        let input = "A board, goal, moves or options that make no sense, or ask for too much.";
        let busy = "Too many searches: try again after the seconds of Retry-After.";
        let mut all = AnyProblem::responses();
        all.extend(responses(&[
            (400, "The body is no JSON, or cut short."),
            (408, "The body did not arrive in time."),
            (409, "The search was cancelled."),
            (413, "The body is too large."),
            (415, "The body is of a type that is not read here."),
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
        // hyper answers paths that are too long, without a problem object.
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
