//! `GET /v1/bundles/...`: packed tables, with ranges and caching.
//!
//! Each file has two addresses. If the address contains the version of the bundle, caches can keep
//! the file for ever. If the address contains only the name of the bundle, caches must revalidate
//! the file.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, HeaderValue, LINK};
use axum::http::{HeaderMap, Method};
use solver::Cancel;

use super::problems::SearchProblem;
use super::response::RouteResult;
use crate::app::{App, SharedApp};
use crate::bundles::Files;
use crate::files::{self, KEEP, REVALIDATE};
use crate::log::Call;
use crate::problem::Problem;
use crate::request::InPath;

const TIME_LIMIT: Duration = Duration::from_secs(30);

/// A file of a bundle of packed tables; `manifest.json` lists the files.
///
/// The header Link contains an address of this file that includes the version of the bundle. The
/// file at that address never changes, so it can be cached for ever.
#[utoipa::path(
    get,
    path = "/v1/bundles/{name}/{file}",
    tag = "tables",
    params(
        ("name" = String, Path, description = "A bundle of /v1/tables", example = "6-6-3"),
        ("file" = String, Path, description = "The file", example = "manifest.json"),
        ("Range" = Option<String>, Header, description = "Range of bytes")
    ),
    responses(
        (status = 200, description = "The file",
         headers(("ETag" = String, description = "The SHA-256 of the file")),
         content((Object = "application/json"), (String = "application/octet-stream"))),
        (status = 206, description = "The requested range",
         content((String = "application/json"), (String = "application/octet-stream"))),
        (status = 304, description = "The file matches If-None-Match"),
        (status = 404, description = "File not found", body = Problem,
         content_type = "application/problem+json"),
        (status = 416, description = "The range is outside the file", body = Problem,
         content_type = "application/problem+json"),
        SearchProblem
    )
)]
pub(crate) async fn file(
    State(app): SharedApp,
    InPath((name, file)): InPath<(String, String)>,
    call: Call,
    method: Method,
    headers: HeaderMap,
) -> RouteResult {
    let bundle = find(&app, call, &name).await?;
    let mut response = answer(&bundle, &name, &file, REVALIDATE, &method, &headers)?;
    let version = &bundle.version;
    let link = format!("</v1/bundles/{name}/{version}/{file}>; rel=\"canonical\"");
    let link = HeaderValue::try_from(link).map_err(|_| Problem::defect())?;
    response.headers_mut().insert(LINK, link);
    Ok(response)
}

/// A file of one version of a bundle. The file never changes.
#[utoipa::path(
    get,
    path = "/v1/bundles/{name}/{version}/{file}",
    tag = "tables",
    params(
        ("name" = String, Path, description = "The bundle", example = "6-6-3"),
        ("version" = String, Path, description = "The first 16 digits of the manifest's SHA-256",
         example = "0123456789abcdef"),
        ("file" = String, Path, description = "The file", example = "manifest.json"),
        ("Range" = Option<String>, Header, description = "Range of bytes")
    ),
    responses(
        (status = 200, description = "The file",
         headers(("ETag" = String, description = "The SHA-256 of the file")),
         content((Object = "application/json"), (String = "application/octet-stream"))),
        (status = 206, description = "The requested range",
         content((String = "application/json"), (String = "application/octet-stream"))),
        (status = 304, description = "The file matches If-None-Match"),
        (status = 404, description = "File not found", body = Problem,
         content_type = "application/problem+json"),
        (status = 416, description = "The range is outside the file", body = Problem,
         content_type = "application/problem+json"),
        SearchProblem
    )
)]
pub(crate) async fn version(
    State(app): SharedApp,
    InPath((name, version, file)): InPath<(String, String, String)>,
    call: Call,
    method: Method,
    headers: HeaderMap,
) -> RouteResult {
    let bundle = find(&app, call, &name).await?;
    if bundle.version != version {
        return Err(Problem::missing(format!(
            "the bundle has another version: its manifest is /v1/bundles/{name}/manifest.json"
        )));
    }
    answer(&bundle, &name, &file, KEEP, &method, &headers)
}

/// Finds a bundle, and packs it if necessary.
async fn find(app: &Arc<App>, call: Call, name: &str) -> Result<Arc<Files>, Problem> {
    if let Some(files) = app.bundles.find(name) {
        return Ok(files);
    }
    if !app.bundles.can_pack(name) {
        let names = app.bundles.names().join(", ");
        return Err(Problem::missing(format!(
            "bundle not found: expected {names}"
        )));
    }
    let search = app.searches.admit(&call, false)?;
    let shared = Arc::clone(app);
    // Other requests can wait for the same bundle, so packing continues if this client disconnects.
    let work = move |_: &Cancel| shared.bundles.pack(&shared.solvers, &shared.cancel);
    search.run(TIME_LIMIT, work).await
}

/// Answers with a file of a bundle and the file's Cache-Control.
fn answer(
    bundle: &Files,
    name: &str,
    file: &str,
    cache: &'static str,
    method: &Method,
    headers: &HeaderMap,
) -> RouteResult {
    let content = bundle.find(file).ok_or_else(|| {
        Problem::missing(format!(
            "file not found: /v1/bundles/{name}/manifest.json lists the files"
        ))
    })?;
    let kind = match file.ends_with(".json") {
        true => "application/json",
        false => "application/octet-stream",
    };
    let mut response = files::answer(content, kind, method, headers);
    let cache = HeaderValue::from_static(cache);
    response.headers_mut().insert(CACHE_CONTROL, cache);
    Ok(response)
}
