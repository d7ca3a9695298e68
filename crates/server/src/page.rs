//! The page at `/`: the browser frontend if it has been built, else a short page of links.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, HOST, HeaderName, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, Method, Uri};
use axum::response::{Html, IntoResponse as _, Response};

use crate::files::{self, KEEP, REVALIDATE, StaticFile};
use crate::headers;
use crate::problem::Problem;
use crate::request::InPath;

/// Directory of the built page in a clone of the repository.
const BUILT: &str = "crates/wasm/web/dist";
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const EMBEDDER_POLICY: HeaderName = HeaderName::from_static("cross-origin-embedder-policy");
const MAX_FILES: usize = 10_000;

/// The files of the page by path, listed when the service starts.
#[derive(Default)]
pub(crate) struct Page {
    files: BTreeMap<String, Arc<StaticFile>>,
}

impl Page {
    /// Opens the page in a directory; the default is the build directory in a clone of the
    /// repository.
    /// Errors: the directory cannot be read, or has no page.
    pub(crate) fn open(directory: Option<&Path>) -> Result<Page, String> {
        let mut page = Page::default();
        let built = Path::new(BUILT);
        let found = built.join("index.html").is_file().then_some(built);
        let Some(directory) = directory.or(found) else {
            return Ok(page);
        };
        let failed = |error: std::io::Error| format!("--page {}: {error}", directory.display());
        page.add(directory, "").map_err(failed)?;
        match page.files.contains_key("index.html") {
            true => Ok(page),
            false => Err(format!(
                "--page {}: index.html not found: build the page first (npm run build in \
                 crates/wasm/web)",
                directory.display()
            )),
        }
    }

    fn add(&mut self, directory: &Path, prefix: &str) -> std::io::Result<()> {
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let name = entry.file_name();
            // Hidden files are not served.
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else {
                continue;
            };
            let (path, key) = (entry.path(), format!("{prefix}{name}"));
            match entry.file_type()? {
                kind if kind.is_dir() => self.add(&path, &format!("{key}/"))?,
                kind if kind.is_file() => {
                    if self.files.len() == MAX_FILES {
                        return Err(std::io::Error::other("too many files"));
                    }
                    self.files
                        .insert(key, Arc::new(StaticFile::on_disk(&path)?));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn answer(&self, name: &str, method: &Method, headers: &HeaderMap) -> Option<Response> {
        let plain = self.files.get(name)?;
        let compressed = self.files.get(&format!("{name}.br"));
        let takes_compressed = headers::entries(headers, &ACCEPT_ENCODING)
            .any(|coding| coding == "br" || coding.starts_with("br;q=0."));
        let found = compressed.filter(|_| takes_compressed);
        let file = Arc::clone(found.unwrap_or(plain));
        let mut response = files::answer(file, content_type(name), method, headers);
        let mut set = |header, value| headers::set(&mut response, header, value);
        if found.is_some() {
            set(CONTENT_ENCODING, "br");
        }
        if compressed.is_some() {
            set(VARY, "accept-encoding");
        }
        // Names in `assets` contain a hash of the contents.
        let is_fixed = name.starts_with("assets/");
        set(CACHE_CONTROL, if is_fixed { KEEP } else { REVALIDATE });
        // With the next two headers, the page can use several threads.
        set(OPENER_POLICY, "same-origin");
        set(EMBEDDER_POLICY, "require-corp");
        set(X_CONTENT_TYPE_OPTIONS, "nosniff");
        Some(response)
    }
}

pub(crate) async fn index(
    State(page): State<Arc<Page>>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let answer = page.answer("index.html", &method, &headers);
    answer.unwrap_or_else(|| Html(links(&headers)).into_response())
}

/// The page of links. Its script inserts the address that the browser shows, because the service
/// cannot tell whether a proxy serves the page over https.
fn links(headers: &HeaderMap) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-._:[]".contains(sign);
    let host = host.filter(|host| !host.is_empty() && host.chars().all(is_plain));
    LINKS.replace("ADDRESS", host.unwrap_or("localhost"))
}

pub(crate) async fn file(
    State(page): State<Arc<Page>>,
    InPath(path): InPath<String>,
    uri: Uri,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let name = match path.ends_with('/') {
        true => format!("{path}index.html"),
        false => path,
    };
    match page.answer(&name, &method, &headers) {
        Some(response) => response,
        None => no_route(uri).await.into_response(),
    }
}

pub(crate) async fn no_route(uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(100).collect();
    Problem::missing(format!(
        "not found: {path}; GET /openapi.json lists the routes"
    ))
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
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
<li><a href="/openapi.json">openapi.json</a>: the description, in OpenAPI 3.1
<li><a href="/v1/scramble">/v1/scramble</a>: a random board
<li><a href="/v1/tables">/v1/tables</a>: the tables
<li><a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a>, <a href="/metrics">/metrics</a>: state
</ul>
"#;
