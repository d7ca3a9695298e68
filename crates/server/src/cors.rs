//! CORS: the sites whose pages can use the service; by default none. The service has no cookies or
//! passwords that pages of other sites could misuse.

use std::time::Duration;

use axum::http::Method;
use axum::http::header::{
    ACCEPT, ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG,
    HeaderName, HeaderValue, IF_NONE_MATCH, IF_RANGE, LINK, RANGE, RETRY_AFTER,
};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::config::{Config, origin};
use crate::headers::{REQUEST_ID, SEARCH_ID, TABLES_REASON};

/// Time for which browsers can cache the rules of a route.
const MAX_AGE: Duration = Duration::from_secs(2 * 60 * 60);
/// Headers that pages can send.
const ALLOWED: [HeaderName; 7] = [
    ACCEPT,
    CACHE_CONTROL,
    CONTENT_TYPE,
    IF_NONE_MATCH,
    IF_RANGE,
    RANGE,
    REQUEST_ID,
];
/// Headers that pages can read, besides those that browsers always expose.
const EXPOSED: [HeaderName; 9] = [
    ACCEPT_RANGES,
    CONTENT_LENGTH,
    CONTENT_RANGE,
    ETAG,
    LINK,
    RETRY_AFTER,
    SEARCH_ID,
    TABLES_REASON,
    REQUEST_ID,
];

/// The CORS layer; `None` if no origin is allowed.
pub(crate) fn layer(config: &Config) -> Result<Option<CorsLayer>, String> {
    let mut origins = Vec::new();
    for text in &config.allow_origin {
        let text = origin(text).map_err(|error| format!("--allow-origin: {error}"))?;
        origins.push(HeaderValue::try_from(text).map_err(|error| error.to_string())?);
    }
    if origins.is_empty() {
        return Ok(None);
    }
    let origins = match origins.iter().any(|origin| origin == "*") {
        true => AllowOrigin::any(),
        false => AllowOrigin::list(origins),
    };
    let layer = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::DELETE])
        .allow_headers(ALLOWED)
        .expose_headers(EXPOSED)
        .max_age(MAX_AGE);
    Ok(Some(layer))
}
