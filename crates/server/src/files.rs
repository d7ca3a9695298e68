//! Files that are sent: whole, in ranges, or not at all where the client has them.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_RANGES, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH,
    IF_RANGE, RANGE,
};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use pdb_table::{hex, open_regular};
use sha2::{Digest as _, Sha256};

use crate::headers;
use crate::problem::{Code, Problem};

/// Bytes that are summed or sent at once.
const PIECE: usize = 1 << 16;

/// Cache-Control of files that never change under their address.
pub(crate) const KEEP: &str = "public, max-age=31536000, immutable";
/// Cache-Control of files whose ETag says whether they are still the newest.
pub(crate) const REVALIDATE: &str = "no-cache";

/// A file, and the sum of its bytes.
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
    /// A file of these bytes.
    pub(crate) fn in_memory(bytes: Vec<u8>) -> StaticFile {
        StaticFile {
            sha256: hex(&Sha256::digest(&bytes)),
            length: bytes.len() as u64,
            bytes: FileBytes::InMemory(bytes.into()),
        }
    }

    /// A file that stays on the disk.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn on_disk(path: &Path) -> std::io::Result<StaticFile> {
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

    /// A piece of the file, from here to before there at most.
    ///
    /// # Errors
    /// The file cannot be read, or is shorter than it was.
    fn piece(&self, start: u64, end: u64) -> std::io::Result<Bytes> {
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

fn open(path: &Path) -> std::io::Result<File> {
    open_regular(path)?.ok_or_else(|| std::io::Error::other("not a file"))
}

/// The file, the bytes of it that are wanted, or that the client has it.
///
/// # Errors
/// A defect.
pub(crate) fn answer(
    file: Arc<StaticFile>,
    kind: &'static str,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let etag = format!("\"{}\"", file.sha256);
    let length = file.length;
    let mut response = Response::new(Body::empty());
    let tag = HeaderValue::try_from(&etag).map_err(|_| Problem::defect())?;
    let head = response.headers_mut();
    head.insert(ETAG, tag);
    head.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if lists(headers, &IF_NONE_MATCH, &etag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
    }
    head.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    // Bytes of another file than the client has the others of are of no use to it.
    let is_same = headers
        .get(IF_RANGE)
        .is_none_or(|value| value == etag.as_str());
    let wanted = headers
        .get(RANGE)
        .filter(|_| is_same && method == Method::GET);
    let wanted = wanted.and_then(|range| range.to_str().ok());
    let (start, end) = match wanted.map(|range| parse_range(range, length)) {
        None | Some(ByteRange::All) => (0, length),
        Some(ByteRange::None) => {
            let detail = format!("the file has {length} bytes, and none of those asked for");
            let status = StatusCode::RANGE_NOT_SATISFIABLE;
            let problem = Problem::new(status, Code::Error, detail);
            let mut response = problem.into_response();
            headers::set(&mut response, CONTENT_RANGE, &format!("bytes */{length}"));
            return Ok(response);
        }
        Some(ByteRange::Bytes(start, end)) => {
            let range = format!("bytes {start}-{}/{length}", end - 1);
            let range = HeaderValue::try_from(range).map_err(|_| Problem::defect())?;
            head.insert(CONTENT_RANGE, range);
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            (start, end)
        }
    };
    response
        .headers_mut()
        .insert(CONTENT_LENGTH, (end - start).into());
    if method != Method::HEAD {
        *response.body_mut() = pieces(file, start, end);
    }
    Ok(response)
}

/// Bytes of a file, piece by piece, as the client reads them.
fn pieces(file: Arc<StaticFile>, start: u64, end: u64) -> Body {
    Body::from_stream(stream::unfold(
        (file, start),
        move |(file, at)| async move {
            if at >= end {
                return None;
            }
            let read = Arc::clone(&file);
            let piece = tokio::task::spawn_blocking(move || read.piece(at, end));
            let piece = piece
                .await
                .unwrap_or_else(|error| Err(std::io::Error::other(error)));
            let length = piece.as_ref().map_or(end - at, |piece| piece.len() as u64);
            Some((piece, (file, at + length)))
        },
    ))
}

/// Whether a header has a tag in its list, or a star.
fn lists(headers: &HeaderMap, header: &HeaderName, etag: &str) -> bool {
    let is_tag = |tag: &str| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag;
    headers::entries(headers, header).any(is_tag)
}

/// Which bytes are wanted.
#[derive(PartialEq, Eq, Debug)]
enum ByteRange {
    All,
    None,
    /// From one to before another.
    Bytes(u64, u64),
}

/// Reads the header Range of a file of some length. Several ranges, and what cannot be read, are as
/// good as none: the whole file is always an answer.
fn parse_range(range: &str, length: u64) -> ByteRange {
    let Some((first, last)) = range
        .strip_prefix("bytes=")
        .and_then(|range| range.trim().split_once('-'))
    else {
        return ByteRange::All;
    };
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // One that is too large is as good as the largest.
        is_number.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let (first, last) = (first.trim(), last.trim());
    let (start, end) = match (number(first), number(last)) {
        (Some(start), Some(last)) if start <= last => (start, last.saturating_add(1).min(length)),
        (Some(start), None) if last.is_empty() => (start, length),
        (None, Some(count)) if first.is_empty() => (length.saturating_sub(count), length),
        _ => return ByteRange::All,
    };
    match start < end {
        true => ByteRange::Bytes(start, end),
        false => ByteRange::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let cases = [
            ("bytes=0-9", ByteRange::Bytes(0, 10)),
            ("bytes=90-", ByteRange::Bytes(90, 100)),
            ("bytes=-10", ByteRange::Bytes(90, 100)),
            ("bytes=-1000", ByteRange::Bytes(0, 100)),
            ("bytes=95-1000", ByteRange::Bytes(95, 100)),
            ("bytes=0-99999999999999999999999", ByteRange::Bytes(0, 100)),
            ("bytes=100-", ByteRange::None),
            ("bytes=-0", ByteRange::None),
            ("bytes=9-3", ByteRange::All),
            ("bytes=0-1,3-4", ByteRange::All),
            ("bytes=", ByteRange::All),
            ("bytes=a-b", ByteRange::All),
            ("lines=1-2", ByteRange::All),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_range(text, 100), expected, "{text}");
        }
    }
}
