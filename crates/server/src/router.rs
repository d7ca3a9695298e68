//! The router: all routes, with the layers around them, and their description in OpenAPI 3.1: the
//! routes of `openapi.json`, and the schemas of the contract.

use std::fs::read_dir;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CACHE_CONTROL, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use serde_json::{Value, json};
use session::{lock, schema};
use tower::ServiceBuilder;
use tower_http::ServiceBuilderExt as _;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, Any, CorsLayer};
use tower_http::request_id::{MakeRequestUuid, RequestId};
use tower_http::services::ServeDir;
use tower_http::trace::TraceLayer;
use tracing::field::Empty;
use tracing::{Span, info_span};

use crate::app::{App, SharedApp};
use crate::body::{Problem, RouteResult, json as answer, typed};
use crate::config::Config;
use crate::queue::Client;
use crate::solve;

/// The OpenAPI description, with the limits of the configuration.
fn openapi(config: &Config) -> String {
    // The file is valid; a test reads the description.
    let mut text: Value = serde_json::from_str(include_str!("openapi.json")).unwrap_or_default();
    text["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    let schemas = &mut text["components"]["schemas"];
    for (name, schema) in schema::objects() {
        schemas[name] = schema;
    }
    let asks = ["Solve", "Hint", "Rate", "Probe", "Explain", "Scramble"];
    for ask in asks {
        schemas[format!("{ask}Request")] = request(&ask.to_lowercase(), config);
    }
    describe_solve(schemas, config);
    let fields = schemas["ScrambleRequest"]["properties"].as_object();
    let parameters = fields
        .into_iter()
        .flatten()
        .map(|(name, schema)| json!({ "name": name, "in": "query", "schema": schema }));
    text["paths"]["/v1/scramble"]["get"]["parameters"] = parameters.collect();
    serde_json::to_string_pretty(&text).unwrap_or_default()
}

/// The schema of a question, with an example and the limits of the configuration.
fn request(ask: &str, config: &Config) -> Value {
    let mut schema = schema::request(ask);
    let limits = [
        ("max_memory", "maximum", json!(config.max_memory << 20)),
        ("max_time", "maximum", json!(config.max_time.as_secs_f64())),
        ("number", "maximum", json!(config.max_boards)),
        ("size", "pattern", json!("^[1-9][0-9]?x[1-9][0-9]?$")),
        ("threads", "maximum", json!(config.max_threads.max(1))),
    ];
    for (field, keyword, limit) in limits {
        if let Some(field) = schema.pointer_mut(&format!("/properties/{field}")) {
            field[keyword] = limit;
        }
    }
    schema["example"] = match ask {
        "rate" => json!({ "board": "1 2 3/4 0 6/7 5 8", "moves": "LRUL" }),
        "scramble" => json!({ "size": "4x4", "number": 2, "seed": 7 }),
        _ => json!({ "board": "8 6 7/2 5 4/3 0 1" }),
    };
    schema
}

/// The schema of /v1/anytime is that of /v1/solve, reduced to the fields that suit the mode anytime.
/// A request of /v1/solve has `board` or `boards`.
fn describe_solve(schemas: &mut Value, config: &Config) {
    let solve = &mut schemas["SolveRequest"];
    let mut anytime = solve.clone();
    anytime["dependentSchemas"] = json!({});
    for (option, condition) in solve["dependentSchemas"].as_object().into_iter().flatten() {
        let modes = condition["properties"]["mode"]["enum"].as_array();
        if !modes.is_some_and(|modes| modes.contains(&json!("anytime"))) {
            anytime["properties"]
                .as_object_mut()
                .and_then(|fields| fields.remove(option));
        }
    }
    anytime["properties"]["mode"] = json!({ "const": "anytime" });
    let about = "Boards to solve, instead of `board`. They are answered in this order.";
    let boards = &mut solve["properties"]["boards"];
    *boards = json!({ "type": "array", "description": about, "maxItems": config.max_boards });
    boards["items"] = anytime["properties"]["board"].clone();
    solve["oneOf"] = json!([{ "required": ["board"] }, { "required": ["boards"] }]);
    if let Some(fields) = solve.as_object_mut() {
        fields.remove("required");
    }
    schemas["AnytimeRequest"] = anytime;
}

/// Directory of the built page in a clone of the repository.
const BUILT: &str = "crates/page/dist";
/// Time for which browsers can cache the rules of a route for pages of other sites.
const MAX_AGE: Duration = Duration::from_secs(2 * 60 * 60);
/// Headers with which the page can use several threads.
const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const EMBEDDER: HeaderName = HeaderName::from_static("cross-origin-embedder-policy");
/// Cache-Control of files whose name contains a hash of the contents, and of other files.
const KEEP: &str = "public, max-age=31536000, immutable";
const REVALIDATE: &str = "no-cache";

/// Builds the router.
/// Errors: a configured directory cannot be used.
pub(crate) fn router(app: &Arc<App>) -> Result<Router, String> {
    let mut router = Router::new()
        .route("/v1/solve", post(solve::solve))
        .route("/v1/anytime", post(solve::anytime))
        .route("/v1/searches/{id}", delete(solve::cancel))
        .route("/v1/hint", post(solve::advise))
        .route("/v1/rate", post(solve::advise))
        .route("/v1/probe", post(solve::advise))
        .route("/v1/explain", post(solve::advise))
        .route("/v1/scramble", get(solve::scramble).post(solve::scramble))
        .route("/v1/tables", get(tables))
        .route("/healthz", get(async || health()))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(description))
        .method_not_allowed_fallback(no_method)
        .with_state(Arc::clone(app));
    if let Some(folder) = &app.config.bundles {
        bundles(folder).map_err(|error| format!("--bundles {}: {error}", folder.display()))?;
        router = router.nest_service("/v1/bundles", files(folder, REVALIDATE));
    }
    let built = Some(Path::new(BUILT)).filter(|built| built.join("index.html").is_file());
    let page = app.config.page.as_deref();
    router = match page.or(built) {
        Some(page) if page.join("index.html").is_file() => router
            .nest_service("/assets", files(&page.join("assets"), KEEP))
            .fallback_service(files(page, REVALIDATE)),
        Some(page) => return Err(format!("--page {}: index.html not found", page.display())),
        None => {
            let links = get(|| async { Html(include_str!("links.html")) });
            router.route("/", links).fallback(no_route)
        }
    };
    let metrics = Arc::clone(&app.metrics);
    let log = move |response: &axum::http::Response<_>, time: Duration, span: &Span| {
        let (status, ms) = (response.status().as_u16(), time.as_secs_f64() * 1e3);
        metrics.count(status);
        if !span.is_disabled() {
            tracing::info!(status, ms, "request");
        }
    };
    let trace = TraceLayer::new_for_http().make_span_with(span);
    let panics = CatchPanicLayer::custom(|_| Problem::defect().into_response());
    let layers = ServiceBuilder::new()
        .set_x_request_id(MakeRequestUuid)
        .layer(trace.on_response(log))
        .propagate_x_request_id()
        .option_layer(cors(&app.config.allow_origin))
        .layer(panics);
    Ok(router.layer(layers))
}

/// The files of a folder, compressed if there is a compressed file beside them.
fn files(folder: &Path, cache: &'static str) -> Router {
    let files = ServeDir::new(folder).precompressed_br();
    let files = files.call_fallback_on_method_not_allowed(true);
    let files = files.fallback(get(no_route).fallback(no_route));
    let headers = ServiceBuilder::new()
        .insert_response_header_if_not_present(CACHE_CONTROL, HeaderValue::from_static(cache))
        .override_response_header(OPENER, HeaderValue::from_static("same-origin"))
        .override_response_header(EMBEDDER, HeaderValue::from_static("require-corp"));
    Router::new().fallback_service(headers.service(files))
}

/// The span of a request in the log. Monitoring systems request some routes every few seconds.
fn span(request: &Request) -> Span {
    let id = request.extensions().get::<RequestId>();
    let id = id.and_then(|id| id.header_value().to_str().ok());
    let client = request.extensions().get::<Client>().map(|client| &**client);
    let method = request.method().as_str();
    // Unknown paths have no route.
    let route = request.extensions().get::<MatchedPath>();
    match route.map(MatchedPath::as_str) {
        Some("/healthz" | "/readyz" | "/metrics") => Span::none(),
        route => info_span!("request", id, client, method, route, nodes = Empty),
    }
}

/// Sites whose pages can use the service; by default none. The service has no cookies or passwords
/// that pages of other sites could misuse.
fn cors(origins: &[HeaderValue]) -> Option<CorsLayer> {
    let allowed = match origins.iter().any(|origin| origin == "*") {
        true => AllowOrigin::any(),
        false => AllowOrigin::list(origins.to_vec()),
    };
    let layer = CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::DELETE])
        .allow_headers(Any)
        .expose_headers(Any)
        .max_age(MAX_AGE);
    (!origins.is_empty()).then_some(layer)
}

async fn no_method(method: Method, uri: Uri) -> Problem {
    let detail = format!("{uri} does not accept {method}: GET /openapi.json lists its methods");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail)
}

async fn no_route(uri: Uri) -> Problem {
    let path = uri.path();
    Problem::missing(format!(
        "not found: {path}; GET /openapi.json lists the routes"
    ))
}

/// `GET /healthz`: never waits for searches.
pub(crate) fn health() -> Response {
    let health = json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") });
    answer(health.to_string())
}

/// `GET /readyz`: 503 before the default tables are open, and after the stop signal.
async fn ready(State(app): SharedApp) -> RouteResult {
    match *lock(&app.unready) {
        Some(state) => Err(Problem::unavailable(state)),
        None => Ok(health()),
    }
}

/// `GET /metrics`
async fn metrics(State(app): SharedApp) -> Response {
    let (waiting, running) = app.searches.queue.counts();
    // The state itself has one of the copies.
    let connections = Arc::strong_count(&app.connections) - 1;
    let bytes = app.session.open_bytes() as usize;
    let text = app.metrics.text([connections, waiting, running, bytes]);
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    typed(text.into(), kind)
}

/// `GET /v1/tables`
async fn tables(State(app): SharedApp) -> Response {
    let solvers = app.session.open_tables();
    let folder = app.config.bundles.as_deref();
    let bundles = folder.map_or_else(Vec::new, |folder| bundles(folder).unwrap_or_default());
    answer(json!({ "solvers": solvers, "bundles": bundles }).to_string())
}

/// The bundles of packed tables in a folder, which `pdb-gen pack` has written.
fn bundles(folder: &Path) -> std::io::Result<Vec<Value>> {
    let entries = read_dir(folder)?.flatten();
    let bundles = entries.filter(|entry| entry.path().join("manifest.json").is_file());
    let names = bundles.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    let bundle = |name: String| {
        let manifest = format!("/v1/bundles/{name}/manifest.json");
        json!({ "name": name, "manifest": manifest })
    };
    Ok(names.into_iter().map(bundle).collect())
}

/// `GET /openapi.json`
async fn description(State(app): SharedApp) -> Response {
    answer(openapi(&app.config))
}
