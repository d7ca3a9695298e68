//! What is at `/`: the page of the browser frontend if there is one, else a short page of links.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::HOST;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::{Html, IntoResponse as _, Response};

use super::body::InPath;
use crate::app::App;
use crate::problem::Problem;

/// The page itself.
pub(crate) async fn index(
    State(app): State<Arc<App>>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let page = app.page.answer("index.html", &method, &headers);
    page.unwrap_or_else(|| Html(links(&headers)).into_response())
}

/// The page of links. Behind a proxy with TLS its script knows the address, which the header Host
/// does not tell.
fn links(headers: &HeaderMap) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-._:[]".contains(sign);
    let host = host.filter(|host| !host.is_empty() && host.chars().all(is_plain));
    LINKS.replace("ADDRESS", host.unwrap_or("localhost"))
}

/// A file of the page.
pub(crate) async fn file(
    State(app): State<Arc<App>>,
    InPath(path): InPath<String>,
    uri: Uri,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let name = match path.ends_with('/') {
        true => format!("{path}index.html"),
        false => path,
    };
    match app.page.answer(&name, &method, &headers) {
        Some(response) => response,
        None => no_route(uri).await.into_response(),
    }
}

pub(crate) async fn no_route(uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(100).collect();
    Problem::missing(format!(
        "there is no {path}: GET /openapi.json says what there is"
    ))
}

const LINKS: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>solver-server</title>
<h1>solver-server</h1>
<p>Solves sliding-tile puzzles.</p>
<pre>curl <span id="address">http://ADDRESS</span>/v1/solve --json '{"board": "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"}'</pre>
<script>document.getElementById("address").textContent = location.origin</script>
<ul>
<li><a href="/openapi.json">openapi.json</a>: what there is, in OpenAPI 3.1
<li><a href="/v1/scramble">/v1/scramble</a>: a random board
<li><a href="/v1/tables">/v1/tables</a>: the tables
<li><a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a>, <a href="/metrics">/metrics</a>: the service
</ul>
"#;
