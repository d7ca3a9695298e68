//! Health, readiness, metrics and description of the service.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::problems::AnyProblem;
use super::response::{RouteResult, json, json_text, typed};
use crate::app::SharedApp;
use crate::lock::lock;
use crate::problem::Problem;

/// Health of the service.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The version of the service.
    version: &'static str,
}

/// Reports that the service is alive. Never waits for searches.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "service",
    responses((status = 200, description = "The service is alive", body = Health), AnyProblem)
)]
pub(crate) async fn health() -> Response {
    json(health_text())
}

/// Reports whether the service accepts requests.
///
/// The answer is 503 before the default tables are open, and after the stop signal.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "service",
    responses((status = 200, description = "The service is ready", body = Health), AnyProblem)
)]
pub(crate) async fn ready(State(app): SharedApp) -> RouteResult {
    if app.is_stopping.load(Ordering::Relaxed) {
        return Err(Problem::closing());
    }
    if !app.is_warm.load(Ordering::Relaxed) {
        return Err(Problem::starting());
    }
    Ok(json(health_text()))
}

pub(crate) fn health_text() -> String {
    json_text(&Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
    })
}

/// Metrics in the text format of Prometheus (OpenMetrics).
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "service",
    responses(
        (status = 200, description = "Metrics", body = String,
         content_type = "application/openmetrics-text"),
        AnyProblem
    )
)]
pub(crate) async fn metrics(State(app): SharedApp) -> Response {
    let connections = lock(&app.connections).taken() as i64;
    let (waiting, running) = app.searches.counts();
    let bytes = app.solvers.bytes() as i64;
    let text = app
        .metrics
        .text([connections, waiting as i64, running as i64, bytes]);
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    typed(Body::from(text), kind)
}

#[derive(Clone)]
pub(crate) struct OpenApiText(pub(crate) Arc<str>);

/// The description of this service in OpenAPI 3.1.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "service",
    responses(
        (status = 200, description = "OpenAPI 3.1", body = Object, content_type = "application/json"),
        AnyProblem
    )
)]
pub(crate) async fn openapi(Extension(text): Extension<OpenApiText>) -> Response {
    json(text.0.to_string())
}
