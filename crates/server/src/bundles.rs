//! Packed tables for download, as folders that `pdb-gen pack` has written.

use std::fs::read;
use std::path::PathBuf;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, LINK};
use pdb_table::bundle::{MANIFEST_NAME, Manifest};
use pdb_table::hex;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use tower::ServiceExt as _;
use tower_http::services::ServeDir;

use crate::app::{App, SharedApp};
use crate::body::{RouteResult, with};
use crate::problem::Problem;

/// Cache-Control of files whose address contains a hash of the contents.
pub(crate) const KEEP: &str = "public, max-age=31536000, immutable";
/// Cache-Control of other files.
pub(crate) const REVALIDATE: &str = "no-cache";

/// A bundle.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Bundle {
    name: String,
    /// Address of the manifest.
    manifest: String,
    /// Address of this version of the bundle, whose files never change.
    version: String,
    #[serde(skip)]
    folder: PathBuf,
}

impl Bundle {
    /// The bundles of a directory: its subfolders with a manifest. Clients check the sums of files.
    /// Errors: the directory or a manifest cannot be read, or a name is no part of an address.
    pub(crate) fn all(directory: Option<&std::path::Path>) -> Result<Vec<Bundle>, String> {
        let Some(directory) = directory else {
            return Ok(Vec::new());
        };
        let failed =
            |error: &dyn std::fmt::Display| format!("--bundles {}: {error}", directory.display());
        let mut bundles = Vec::new();
        for entry in directory.read_dir().map_err(|error| failed(&error))? {
            let folder = entry.map_err(|error| failed(&error))?.path();
            let Ok(manifest) = read(folder.join(MANIFEST_NAME)) else {
                continue;
            };
            Manifest::from_text(&manifest, false).map_err(|error| failed(&error))?;
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let is_plain = |sign: u8| sign.is_ascii_alphanumeric() || b"-_.".contains(&sign);
            if !name.bytes().all(is_plain) {
                return Err(failed(&format_args!(
                    "`{name}` has characters other than letters"
                )));
            }
            let root = format!("/v1/bundles/{name}");
            bundles.push(Bundle {
                manifest: format!("{root}/{MANIFEST_NAME}"),
                version: format!("{root}/{}", &hex(&Sha256::digest(&manifest))[..16]),
                name: name.into_owned(),
                folder,
            });
        }
        bundles.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(bundles)
    }
}

/// `GET /v1/bundles/{name}/{file}`: caches must revalidate the file.
pub(crate) async fn file(
    State(app): SharedApp,
    Path((name, file)): Path<(String, String)>,
    request: Request,
) -> RouteResult {
    let bundle = app.bundle(&name)?;
    let link = format!("<{}/{file}>; rel=\"canonical\"", bundle.version);
    let response = bundle.answer(request, REVALIDATE).await?;
    Ok(with(response, LINK, &link))
}

/// `GET /v1/bundles/{name}/{version}/{file}`: the file never changes.
pub(crate) async fn version(
    State(app): SharedApp,
    Path((name, version, _)): Path<(String, String, String)>,
    request: Request,
) -> RouteResult {
    let bundle = app.bundle(&name)?;
    match bundle.version.rsplit('/').next() == Some(&version) {
        true => bundle.answer(request, KEEP).await,
        false => Err(Problem::missing(format_args!(
            "the bundle has another version: its manifest is {}",
            bundle.manifest
        ))),
    }
}

impl App {
    fn bundle(&self, name: &str) -> Result<&Bundle, Problem> {
        let found = self.bundles.iter().find(|bundle| bundle.name == name);
        found.ok_or_else(|| Problem::missing("bundle not found: GET /v1/tables lists the bundles"))
    }
}

impl Bundle {
    /// Answers with the file in the last part of the path.
    async fn answer(&self, mut request: Request, cache: &str) -> RouteResult {
        let path = request.uri().path();
        let file = path
            .rsplit_once('/')
            .map_or(path, |(folder, _)| &path[folder.len()..]);
        let file = file
            .parse()
            .map_err(|_| Problem::missing("file not found"))?;
        *request.uri_mut() = file;
        let served = ServeDir::new(&self.folder).oneshot(request).await;
        let response = served.unwrap_or_else(|never| match never {}).map(Body::new);
        match response.status() {
            StatusCode::NOT_FOUND => Err(Problem::missing(format_args!(
                "file not found: {} lists the files",
                self.manifest
            ))),
            _ => Ok(with(response, CACHE_CONTROL, cache)),
        }
    }
}
