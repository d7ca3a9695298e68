//! The service's own headers, and those that hold lists.

use axum::http::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;

/// The header with the name of a request, by which its line in the log is found.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The header with the id by which a search can be cancelled.
pub(crate) const SEARCH_ID: HeaderName = HeaderName::from_static("search-id");
/// The header that says why smaller tables than the usual ones are used, or none.
pub(crate) const TABLES_REASON: HeaderName = HeaderName::from_static("tables-reason");

/// Sets a header, if the text can be the value of one.
pub(crate) fn set(response: &mut Response, name: HeaderName, text: &str) {
    if let Ok(value) = HeaderValue::try_from(text) {
        response.headers_mut().insert(name, value);
    }
}

/// The entries of a header that is a list, and may be there several times.
pub(crate) fn entries<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(name).iter();
    let lists = values.filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(str::trim)
}

/// Whether a client lists a type as one that it takes.
pub(crate) fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let mut ranges = entries(headers, &ACCEPT).filter_map(|range| range.split(';').next());
    ranges.any(|range| range.trim().eq_ignore_ascii_case(kind))
}
