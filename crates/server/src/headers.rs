//! Names of the service's own headers, and functions that read and set headers.

use axum::http::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;

/// The header that identifies a request in the log.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The header with the id of a search, for `DELETE /v1/searches/{id}`.
pub(crate) const SEARCH_ID: HeaderName = HeaderName::from_static("search-id");
/// The header with the reason why the default tables were not used.
pub(crate) const TABLES_REASON: HeaderName = HeaderName::from_static("tables-reason");

/// Sets a header if the text is a valid header value.
pub(crate) fn set(response: &mut Response, name: HeaderName, text: &str) {
    if let Ok(value) = HeaderValue::try_from(text) {
        response.headers_mut().insert(name, value);
    }
}

/// The entries of a header whose value is a list. The header can occur several times.
pub(crate) fn entries<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(name).iter();
    let lists = values.filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(str::trim)
}

/// Whether the client's Accept header lists a type.
pub(crate) fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let mut ranges = entries(headers, &ACCEPT).filter_map(|range| range.split(';').next());
    ranges.any(|range| range.trim().eq_ignore_ascii_case(kind))
}
