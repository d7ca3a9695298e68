//! The service: what all requests share, and the router.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::Router;
use axum::extract::{FromRequestParts, Request};
use axum::http::header::{CONNECTION, CONTENT_ENCODING, HOST, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Uri, Version};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use pdb_table::Cancel;
use puzzle::Board;
use solver::Report;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::openapi::OpenApi;

use crate::answer::{self, Listeners};
use crate::api;
use crate::bundles::Bundles;
use crate::client::Client;
use crate::config::Config;
use crate::cors;
use crate::explanations::Explanations;
use crate::log::{Log, RequestLog, log};
use crate::metrics::Metrics;
use crate::page::Page;
use crate::problem::{Code, Problem};
use crate::request::Asked;
use crate::searches::{Call, Searches};
use crate::server::MAX_BUFFER;
use crate::solvers::Solvers;
use crate::timed_stream::Presence;

/// What all requests share.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) solvers: Solvers,
    pub(crate) searches: Arc<Searches>,
    pub(crate) bundles: Bundles,
    pub(crate) explanations: Explanations,
    pub(crate) page: Page,
    /// Ends builds.
    pub(crate) cancel: Cancel,
    /// Whether the usual tables are open, as far as they can be.
    pub(crate) is_warm: AtomicBool,
    /// Whether the service was told to stop.
    pub(crate) is_stopping: AtomicBool,
}

impl App {
    /// What the configuration says.
    ///
    /// # Errors
    /// A directory that it names cannot be read, or has something damaged.
    pub(crate) fn new(config: Config) -> Result<App, String> {
        let (metrics, cancel) = (Arc::new(Metrics::new()), Cancel::default());
        let searches = Searches::start(&config, &metrics);
        Ok(App {
            solvers: Solvers::new(&config),
            searches: searches.map_err(|error| format!("threads cannot be started: {error}"))?,
            bundles: Bundles::open(config.bundles.as_deref())?,
            explanations: Explanations::default(),
            page: Page::open(config.page.as_deref())?,
            metrics,
            cancel,
            is_warm: AtomicBool::new(false),
            is_stopping: AtomicBool::new(false),
            config,
        })
    }

    /// Solves a board, as [`answer::solve`] does.
    pub(crate) fn solve(
        &self,
        board: &Board,
        asked: &Asked,
        cancel: &Cancel,
        listeners: Listeners,
    ) -> Result<Report, Problem> {
        let (config, metrics, solvers) = (&self.config, &self.metrics, &self.solvers);
        answer::solve(config, metrics, solvers, board, asked, cancel, listeners)
    }
}

/// The routes, with what is around all of them, and the OpenAPI text.
///
/// # Errors
/// The configuration lets in an origin that is none.
pub(crate) fn router(app: &Arc<App>) -> Result<(Router, OpenApi), String> {
    let (router, openapi) = api::router(Arc::clone(app));
    let router = router
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(CatchPanicLayer::custom(|_| {
            Problem::defect().into_response()
        }))
        .layer(from_fn_with_state(Arc::clone(app), refuse_early));
    // Around problems, too, which pages read as other answers.
    let router = match cors::layer(&app.config)? {
        Some(cors) => router.layer(cors),
        None => router,
    };
    let shared_log = Log::new(&app.config, &app.metrics);
    Ok((router.layer(from_fn_with_state(shared_log, log)), openapi))
}

pub(crate) async fn no_route(uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(100).collect();
    Problem::missing(format!(
        "there is no {path}: GET /openapi.json says what there is"
    ))
}

async fn no_method(method: Method, uri: Uri) -> Problem {
    let (method, path) = (method.as_str(), uri.path());
    let method: String = method.chars().take(20).collect();
    let path: String = path.chars().take(100).collect();
    let detail = format!("{path} does not take {method}: GET /openapi.json says what it takes");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, Code::Error, detail)
}

/// Rejects requests by their head. While the service stops, connections end with their answers, and
/// only /metrics and answers that were begun continue.
async fn refuse_early(
    axum::extract::State(app): axum::extract::State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
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

/// Checks what holds for all routes.
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
        let detail = format!("the headers are larger than {MAX_BUFFER} bytes, which is the most");
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

impl FromRequestParts<Arc<App>> for Call {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Call, Problem> {
        let header = app.config.client_header.as_deref();
        let named = header.and_then(|header| Client::named(&parts.headers, header));
        let client = named.or_else(|| parts.extensions.get::<Client>().copied());
        let log = parts.extensions.get::<Arc<RequestLog>>().cloned();
        let presence = parts.extensions.get::<Presence>().cloned();
        match (client, presence, log) {
            (Some(client), Some(presence), Some(log)) => Ok(Call {
                client,
                presence,
                log,
            }),
            // All are put there before any handler runs.
            _ => Err(Problem::defect()),
        }
    }
}
