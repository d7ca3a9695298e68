//! The routes, one file per route or group of routes.

mod advice;
mod body;
mod bundles;
mod events;
mod explain;
mod list;
mod openapi;
mod problems;
mod response;
mod schema;
mod scramble;
mod service;
mod solve;
mod tables;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::page::{self, no_route};

pub(crate) use service::health_text;

/// All routes, and their OpenAPI description.
pub(crate) fn routes(app: Arc<App>) -> Router {
    let (router, mut description) = OpenApiRouter::with_openapi(openapi::Description::openapi())
        .routes(routes!(solve::solve))
        .routes(routes!(solve::anytime))
        .routes(routes!(solve::cancel))
        .routes(routes!(advice::hint))
        .routes(routes!(advice::rate))
        .routes(routes!(advice::probe))
        .routes(routes!(explain::explain))
        .routes(routes!(scramble::post, scramble::get))
        .routes(routes!(tables::tables))
        .routes(routes!(bundles::file))
        .routes(routes!(bundles::version))
        .routes(routes!(service::health))
        .routes(routes!(service::ready))
        .routes(routes!(service::metrics))
        .routes(routes!(service::openapi))
        .split_for_parts();
    // Without a list of servers, clients use the address from which they fetched the description.
    description.servers = None;
    let text: Arc<str> = openapi::text(&description, &app.config).into();
    router
        .route("/", get(page::index).with_state(Arc::clone(&app.page)))
        // For a missing file the answer is 404, whatever the method.
        .route(
            "/{*path}",
            get(page::file)
                .with_state(Arc::clone(&app.page))
                .fallback(no_route),
        )
        .layer(axum::Extension(service::OpenApiText(text)))
        .with_state(app)
}
