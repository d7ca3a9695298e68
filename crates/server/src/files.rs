//! File downloads: whole files, ranges, and status 304 for files that the client already has.

use std::fs::File;
use std::io::{self, Error, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_RANGES, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, IF_NONE_MATCH, IF_RANGE,
    RANGE,
};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use pdb_table::{hex, open_regular};
use sha2::{Digest as _, Sha256};

use crate::headers;
use crate::problem::{Code, Problem};

/// Bytes that are hashed or sent at once.
const PIECE: usize = 1 << 16;

/// Cache-Control of files whose contents never change at the same address.
pub(crate) const KEEP: &str = "public, max-age=31536000, immutable";
/// Cache-Control of files that the client must revalidate by their ETag.
pub(crate) const REVALIDATE: &str = "no-cache";

/// A file and its SHA-256.
pub(crate) struct StaticFile {
    pub(crate) sha256: String,
    pub(crate) length: u64,
    bytes: FileBytes,
}

enum FileBytes {
    InMemory(Bytes),
    OnDisk(PathBuf),
}

impl StaticFile {
    pub(crate) fn in_memory(bytes: Vec<u8>) -> StaticFile {
        StaticFile {
            sha256: hex(&Sha256::digest(&bytes)),
            length: bytes.len() as u64,
            bytes: FileBytes::InMemory(bytes.into()),
        }
    }

    /// A file that is read from disk for each request.
    pub(crate) fn on_disk(path: &Path) -> io::Result<StaticFile> {
        let mut file = open(path)?;
        let (mut sum, mut length) = (Sha256::new(), 0);
        let mut piece = vec![0; PIECE];
        loop {
            match file.read(&mut piece)? {
                0 => break,
                read => {
                    sum.update(&piece[..read]);
                    length += read as u64;
                }
            }
        }
        Ok(StaticFile {
            sha256: hex(&sum.finalize()),
            length,
            bytes: FileBytes::OnDisk(path.to_owned()),
        })
    }

    /// Bytes from `start`, at most up to `end`.
    /// Errors: the file cannot be read, or has become shorter.
    fn piece(&self, start: u64, end: u64) -> io::Result<Bytes> {
        let length = (end - start).min(PIECE as u64) as usize;
        match &self.bytes {
            FileBytes::InMemory(bytes) => Ok(bytes.slice(start as usize..start as usize + length)),
            FileBytes::OnDisk(path) => {
                let mut file = open(path)?;
                file.seek(SeekFrom::Start(start))?;
                let mut piece = vec![0; length];
                file.read_exact(&mut piece)?;
                Ok(piece.into())
            }
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    open_regular(path)?.ok_or_else(|| Error::other("not a file"))
}

/// Answers with the file, the requested range, or 304.
pub(crate) fn answer(
    file: Arc<StaticFile>,
    kind: &'static str,
    method: &Method,
    headers: &HeaderMap,
) -> Response {
    let etag = format!("\"{}\"", file.sha256);
    let length = file.length;
    let mut response = Response::new(Body::empty());
    headers::set(&mut response, ETAG, &etag);
    headers::set(&mut response, ACCEPT_RANGES, "bytes");
    let is_tag = |tag: &str| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag;
    if headers::entries(headers, &IF_NONE_MATCH).any(is_tag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    headers::set(&mut response, CONTENT_TYPE, kind);
    // A client that has another version of the file receives the whole file.
    let is_same = headers.get(IF_RANGE).is_none_or(|value| *value == etag);
    let range = headers
        .get(RANGE)
        .filter(|_| is_same && method == Method::GET);
    let range = range.and_then(|range| parse_range(range.to_str().ok()?, length));
    if range.as_ref().is_some_and(Range::is_empty) {
        let detail = format!("the file has {length} bytes, none of them in the range");
        let problem = Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, Code::Error, detail);
        let mut response = problem.into_response();
        headers::set(&mut response, CONTENT_RANGE, &format!("bytes */{length}"));
        return response;
    }
    if let Some(range) = &range {
        let text = format!("bytes {}-{}/{length}", range.start, range.end - 1);
        headers::set(&mut response, CONTENT_RANGE, &text);
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    let Range { start, end } = range.unwrap_or(0..length);
    response
        .headers_mut()
        .insert(CONTENT_LENGTH, (end - start).into());
    if method != Method::HEAD {
        *response.body_mut() = pieces(file, start, end);
    }
    response
}

fn pieces(file: Arc<StaticFile>, start: u64, end: u64) -> Body {
    Body::from_stream(stream::unfold(
        (file, start),
        move |(file, at)| async move {
            if at >= end {
                return None;
            }
            let read = Arc::clone(&file);
            let piece = tokio::task::spawn_blocking(move || read.piece(at, end));
            let piece = piece.await.unwrap_or_else(|error| Err(Error::other(error)));
            let length = piece.as_ref().map_or(end - at, |piece| piece.len() as u64);
            Some((piece, (file, at + length)))
        },
    ))
}

/// Parses the header Range for a file of `length` bytes. An empty range means that the file
/// contains none of the requested bytes. `None` means the whole file: the header is malformed or
/// contains several ranges.
fn parse_range(range: &str, length: u64) -> Option<Range<u64>> {
    let (first, last) = range.strip_prefix("bytes=")?.trim().split_once('-')?;
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // Numbers that are too large become the maximum.
        is_number.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let (first, last) = (first.trim(), last.trim());
    match (number(first), number(last)) {
        (Some(start), Some(last)) if start <= last => {
            Some(start..last.saturating_add(1).min(length))
        }
        (Some(start), None) if last.is_empty() => Some(start..length),
        (None, Some(count)) if first.is_empty() => Some(length.saturating_sub(count)..length),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let cases = [
            ("bytes=0-9", Some(0..10)),
            ("bytes=90-", Some(90..100)),
            ("bytes=-10", Some(90..100)),
            ("bytes=-1000", Some(0..100)),
            ("bytes=95-1000", Some(95..100)),
            ("bytes=0-99999999999999999999999", Some(0..100)),
            ("bytes=100-", Some(100..100)),
            ("bytes=-0", Some(100..100)),
            ("bytes=9-3", None),
            ("bytes=0-1,3-4", None),
            ("bytes=", None),
            ("bytes=a-b", None),
            ("lines=1-2", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_range(text, 100), expected, "{text}");
        }
    }
}
