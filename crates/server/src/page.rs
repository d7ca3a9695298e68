//! The page of the browser frontend, if there is one: its files.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, HeaderName, HeaderValue, VARY,
};
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse as _, Response};

use crate::files::{self, Stored};
use crate::problem::Problem;

/// Where the page is built, in a clone of the repository.
const BUILT: &str = "crates/wasm/web/dist";
/// The most files that a page may have.
const MAX_FILES: usize = 10_000;

/// The files of the page, by their paths; all that there are when the service starts.
#[derive(Default)]
pub(crate) struct Page {
    files: BTreeMap<String, Arc<Stored>>,
}

impl Page {
    /// The page of a directory, by default of that where a clone of the repository has it built.
    ///
    /// # Errors
    /// The directory cannot be read, or has no page.
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
                "--page {}: there is no index.html: build the page first (npm run build in \
                 crates/wasm/web)",
                directory.display()
            )),
        }
    }

    fn add(&mut self, directory: &Path, prefix: &str) -> std::io::Result<()> {
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let name = entry.file_name();
            // Hidden files are nobody's business.
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else {
                continue;
            };
            let (path, key) = (entry.path(), format!("{prefix}{name}"));
            match entry.file_type()? {
                kind if kind.is_dir() => self.add(&path, &format!("{key}/"))?,
                kind if kind.is_file() => {
                    if self.files.len() == MAX_FILES {
                        return Err(std::io::Error::other("it has too many files"));
                    }
                    self.files.insert(key, Arc::new(Stored::on_disk(&path)?));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The answer of a file, if there is one.
    pub(crate) fn answer(
        &self,
        name: &str,
        method: &Method,
        headers: &HeaderMap,
    ) -> Option<Response> {
        let plain = self.files.get(name)?;
        let compressed = self.files.get(&format!("{name}.br"));
        let takes_compressed = headers
            .get_all(ACCEPT_ENCODING)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .any(|coding| matches!(coding.trim(), "br") || coding.trim().starts_with("br;q=0."));
        let found = compressed.filter(|_| takes_compressed);
        let stored = Arc::clone(found.unwrap_or(plain));
        let answer = files::answer(stored, content_type(name), method, headers);
        let mut response = answer.unwrap_or_else(Problem::into_response);
        let mut set = |header: HeaderName, value: &'static str| {
            let value = HeaderValue::from_static(value);
            response.headers_mut().insert(header, value);
        };
        if found.is_some() {
            set(CONTENT_ENCODING, "br");
        }
        if compressed.is_some() {
            set(VARY, "accept-encoding");
        }
        // Names in `assets` have the sum of their contents in them.
        set(
            CACHE_CONTROL,
            match name.starts_with("assets/") {
                true => "public, max-age=31536000, immutable",
                false => "no-cache",
            },
        );
        // So that the page can have several threads.
        set(
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        );
        set(
            HeaderName::from_static("cross-origin-embedder-policy"),
            "require-corp",
        );
        set(HeaderName::from_static("x-content-type-options"), "nosniff");
        Some(response)
    }
}

/// The type of a file by its name.
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
