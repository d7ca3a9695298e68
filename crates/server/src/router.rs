//! The router: all routes, with the layers around them.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CACHE_CONTROL, HOST, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use axum::http::{Method, Uri, Version};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use tower_http::ServiceBuilderExt as _;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{AllowOrigin, Any, CorsLayer};
use tower_http::request_id::{MakeRequestId, RequestId};
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::TraceLayer;
use tracing::Span;

use crate::app::App;
use crate::bundles::{KEEP, REVALIDATE};
use crate::client::{Client, Peer};
use crate::metrics::RequestLabels;
use crate::problem::Problem;
use crate::{advice, bundles, solve, state};

/// Directory of the built page in a clone of the repository.
const BUILT: &str = "crates/wasm/web/dist";
/// Time for which browsers can cache the rules of a route for pages of other sites.
const MAX_AGE: Duration = Duration::from_secs(2 * 60 * 60);
/// Headers with which the page can use several threads, and others of the page.
const PAGE_HEADERS: [(HeaderName, &str); 3] = [
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-embedder-policy"),
        "require-corp",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

/// Builds the router.
/// Errors: the directory of the page has no page.
pub(crate) fn router(app: &Arc<App>) -> Result<Router, String> {
    let description = get(state::description).layer(CompressionLayer::new());
    let router = Router::new()
        .route("/v1/solve", post(solve::solve))
        .route("/v1/anytime", post(solve::anytime))
        .route("/v1/searches/{id}", delete(solve::cancel))
        .route("/v1/hint", post(advice::advise))
        .route("/v1/rate", post(advice::advise))
        .route("/v1/probe", post(advice::advise))
        .route("/v1/explain", post(advice::explain))
        .route(
            "/v1/scramble",
            post(advice::scramble).get(advice::get_scramble),
        )
        .route("/v1/tables", get(state::tables))
        .route("/v1/bundles/{name}/{file}", get(bundles::file))
        .route("/v1/bundles/{name}/{version}/{file}", get(bundles::version))
        .route("/healthz", get(state::health))
        .route("/readyz", get(state::ready))
        .route("/metrics", get(state::metrics))
        .route("/openapi.json", description)
        .method_not_allowed_fallback(no_method)
        .with_state(Arc::clone(app));
    let header = app.config.client_header.clone();
    let layers = tower::ServiceBuilder::new()
        .set_x_request_id(RequestIds::default())
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(move |request: &Request| span(request, header.as_deref()))
                .on_response(|response: &Response, time: Duration, span: &Span| {
                    if !span.is_disabled() {
                        let (status, ms) = (response.status().as_u16(), time.as_secs_f64() * 1e3);
                        tracing::info!(status, ms, "request");
                    }
                }),
        )
        .propagate_x_request_id()
        .option_layer(cors(&app.config.allow_origin)?)
        .layer(from_fn_with_state(Arc::clone(app), count))
        .layer(CatchPanicLayer::custom(|_| {
            Problem::defect().into_response()
        }));
    Ok(with_page(router, app.config.page.as_deref())?.layer(layers))
}

/// The name of a request's route. Unknown paths have none: clients could invent any number of them.
fn route(request: &Request) -> &str {
    let path = request.extensions().get::<MatchedPath>();
    path.map_or("none", MatchedPath::as_str)
}

/// The span of a request in the log. Monitoring systems request some routes every few seconds.
fn span(request: &Request, header: Option<&str>) -> Span {
    let id = request.extensions().get::<RequestId>();
    let id = id
        .and_then(|id| id.header_value().to_str().ok())
        .unwrap_or_default();
    let peer = request.extensions().get::<Peer>();
    let client = peer.map(|peer| Client::of(request.headers(), header, peer.address));
    let client = client.map(|client| client.to_string());
    let (method, route) = (request.method().as_str(), route(request));
    match route {
        "/healthz" | "/readyz" | "/metrics" => {
            tracing::debug_span!("request", id, client, method, route)
        }
        _ => {
            use tracing::field::Empty;
            tracing::info_span!(
                "request",
                id,
                client,
                method,
                route,
                boards = Empty,
                nodes = Empty
            )
        }
    }
}

/// Ids of requests that have none.
#[derive(Clone, Default)]
struct RequestIds(Arc<AtomicU64>);

impl MakeRequestId for RequestIds {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        let id = format!("{:x}-{number}", std::process::id());
        HeaderValue::try_from(id).ok().map(RequestId::new)
    }
}

/// Sites whose pages can use the service; by default none. The service has no cookies or passwords
/// that pages of other sites could misuse.
fn cors(origins: &[String]) -> Result<Option<CorsLayer>, String> {
    let values = origins.iter().map(HeaderValue::try_from);
    let values = values.collect::<Result<Vec<_>, _>>();
    let values = values.map_err(|error| format!("--allow-origin: {error}"))?;
    let allowed = match origins.iter().any(|origin| origin == "*") {
        true => AllowOrigin::any(),
        false => AllowOrigin::list(values),
    };
    let layer = CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::DELETE])
        .allow_headers(Any)
        .expose_headers(Any)
        .max_age(MAX_AGE);
    Ok((!origins.is_empty()).then_some(layer))
}

/// Counts requests, and rejects those without exactly one Host header.
async fn count(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let route = route(&request).to_owned();
    let method = match *request.method() {
        Method::GET | Method::HEAD | Method::POST | Method::DELETE | Method::OPTIONS => {
            request.method().to_string()
        }
        _ => "other".to_owned(),
    };
    let hosts = request.headers().get_all(HOST).iter().count();
    let response = match hosts {
        1 => next.run(request).await,
        0 if request.version() != Version::HTTP_11 => next.run(request).await,
        _ => {
            let detail = format!("the request has {hosts} Host headers: expected one");
            Problem::unreadable(detail).into_response()
        }
    };
    let status = response.status().as_u16();
    let labels = RequestLabels {
        route,
        method,
        status,
    };
    app.metrics.requests.get_or_create(&labels).inc();
    response
}

/// Serves the page at `/`, or links if it was not built.
fn with_page(router: Router, directory: Option<&Path>) -> Result<Router, String> {
    let built = Some(Path::new(BUILT)).filter(|built| built.join("index.html").is_file());
    let Some(directory) = directory.or(built) else {
        let links = get(|| async { Html(include_str!("links.html")) });
        return Ok(router.route("/", links).fallback(no_route));
    };
    if !directory.join("index.html").is_file() {
        return Err(format!(
            "--page {}: index.html not found: build the page first (npm run build in \
             crates/wasm/web)",
            directory.display()
        ));
    }
    // Names in `assets` contain a hash of the contents.
    let files = [("assets", KEEP), ("", REVALIDATE)].map(|(folder, cache)| {
        let missing = get(no_route).fallback(no_route);
        let files = ServeDir::new(directory.join(folder)).precompressed_br();
        let headers = PAGE_HEADERS.map(|(name, value)| {
            SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
        });
        let [opener, embedder, sniffing] = headers;
        tower::ServiceBuilder::new()
            .layer(opener)
            .layer(embedder)
            .layer(sniffing)
            .layer(SetResponseHeaderLayer::if_not_present(
                CACHE_CONTROL,
                HeaderValue::from_static(cache),
            ))
            .service(
                files
                    .call_fallback_on_method_not_allowed(true)
                    .fallback(missing),
            )
    });
    let [assets, others] = files;
    Ok(router
        .nest_service("/assets", assets)
        .fallback_service(others))
}

async fn no_method(method: Method, uri: Uri) -> Problem {
    let method: String = method.as_str().chars().take(20).collect();
    let path: String = uri.path().chars().take(100).collect();
    let detail = format!("{path} does not accept {method}: GET /openapi.json lists its methods");
    Problem::new(axum::http::StatusCode::METHOD_NOT_ALLOWED, detail)
}

/// The answer for unknown paths.
pub(crate) async fn no_route(uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(100).collect();
    Problem::missing(format_args!(
        "not found: {path}; GET /openapi.json lists the routes"
    ))
}
