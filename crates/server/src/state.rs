//! Health, metrics, tables and description of the service.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};

use crate::app::SharedApp;
use crate::body::{RouteResult, json as answer, typed};
use crate::openapi;
use crate::problem::Problem;

/// `GET /healthz`: never waits for searches.
pub(crate) async fn health() -> Response {
    let health = json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") });
    answer(health.to_string())
}

/// `GET /readyz`: 503 before the default tables are open, and after the stop signal.
pub(crate) async fn ready(State(app): SharedApp) -> RouteResult {
    if app.is_stopping.load(Ordering::Relaxed) {
        return Err(Problem::stopping());
    }
    match app.is_warm.load(Ordering::Relaxed) {
        true => Ok(health().await),
        false => Err(Problem::unavailable("starting")),
    }
}

/// `GET /metrics`
pub(crate) async fn metrics(State(app): SharedApp) -> Response {
    let (waiting, running) = app.searches.queue.counts();
    // The state itself has one of the copies.
    let connections = Arc::strong_count(&app.connections) - 1;
    let bytes = app.session.open_bytes() as usize;
    let text = app.metrics.text([connections, waiting, running, bytes]);
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    typed(text.into(), kind)
}

/// `GET /v1/tables`
pub(crate) async fn tables(State(app): SharedApp) -> Response {
    let solvers = app.session.open_tables().into_iter().map(|open| {
        let (size, goal) = (open.goal.size.clone(), open.goal.board.clone());
        let mut solver = json!(open);
        (solver["size"], solver["goal"]) = (size.into(), goal.into());
        solver
    });
    let solvers: Vec<Value> = solvers.collect();
    answer(json!({ "solvers": solvers, "bundles": app.bundles }).to_string())
}

/// `GET /openapi.json`
pub(crate) async fn description(State(app): SharedApp) -> Response {
    answer(openapi::text(&app.config))
}
