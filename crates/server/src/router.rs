//! The router: all routes, with the checks and layers around them.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, CONTENT_ENCODING, HOST, HeaderValue};
use axum::http::{Method, StatusCode, Uri, Version};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use tower_http::catch_panic::CatchPanicLayer;

use crate::api;
use crate::app::App;
use crate::cors;
use crate::log::{Log, log};
use crate::page::no_route;
use crate::problem::{Code, Problem};

/// Maximum bytes of a request head, and of a body that is read ahead.
pub(crate) const MAX_BUFFER: usize = 64 << 10;

/// Builds the router.
pub(crate) fn router(app: &Arc<App>) -> Result<Router, String> {
    let router = api::routes(Arc::clone(app))
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(CatchPanicLayer::custom(|_| {
            Problem::defect().into_response()
        }))
        .layer(from_fn_with_state(Arc::clone(app), refuse_early));
    // CORS also applies to problems, so that pages can read problems like other answers.
    let router = match cors::layer(&app.config)? {
        Some(cors) => router.layer(cors),
        None => router,
    };
    let shared_log = Log::new(&app.config, &app.metrics);
    Ok(router.layer(from_fn_with_state(shared_log, log)))
}

async fn no_method(method: Method, uri: Uri) -> Problem {
    let (method, path) = (method.as_str(), uri.path());
    let method: String = method.chars().take(20).collect();
    let path: String = path.chars().take(100).collect();
    let detail = format!("{path} does not accept {method}: GET /openapi.json lists its methods");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, Code::Error, detail)
}

/// Rejects requests whose head is not valid. While the service stops, it rejects all requests
/// except /metrics, finishes the answers that it has started, and closes each connection after its
/// answer.
async fn refuse_early(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if !app.searches.is_closing() {
        return match check_head(&app, &request) {
            Ok(()) => next.run(request).await,
            Err(problem) => problem.into_response(),
        };
    }
    let mut response = match request.uri().path() {
        "/metrics" => next.run(request).await,
        _ => Problem::closing().into_response(),
    };
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(CONNECTION, close);
    response
}

/// Checks that apply to all routes.
fn check_head(app: &App, request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    let hosts = headers.get_all(HOST).iter().count();
    if hosts > 1 || hosts == 0 && request.version() == Version::HTTP_11 {
        return Err(Problem::unreadable(format!(
            "the request has {hosts} Host headers: expected one"
        )));
    }
    let lengths = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len());
    if lengths.sum::<usize>() > MAX_BUFFER {
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        let detail = format!("the headers are larger than the maximum of {MAX_BUFFER} bytes");
        return Err(Problem::new(status, Code::Error, detail));
    }
    let mut codings = headers.get_all(CONTENT_ENCODING).iter();
    if codings.any(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::Error,
            "the body has a Content-Encoding: expected none",
        ));
    }
    match request.uri().path().starts_with("/v1/") {
        true => app.solvers.memory.check(0),
        false => Ok(()),
    }
}
