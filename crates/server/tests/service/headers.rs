//! CORS headers and request ids.

use serde_json::json;

use super::client::{Answer, EASY, Service};

const ORIGIN: (&str, &str) = ("Origin", "https://example.org");
const JSON: (&str, &str) = ("Content-Type", "application/json");

/// Checks that a list header contains all names in `wanted`.
#[track_caller]
fn lists(answer: &Answer, header: &str, wanted: &[&str]) {
    let found = answer.header(header).unwrap_or_default();
    let found: Vec<String> = found
        .split(',')
        .map(|name| name.trim().to_lowercase())
        .collect();
    for wanted in wanted {
        let wanted = wanted.to_lowercase();
        assert!(found.contains(&wanted), "{wanted}: {header}: {found:?}");
    }
}

#[test]
fn other_origins_are_rejected_by_default() {
    let service = Service::new();
    let answer = service.send("GET", "/healthz", &[ORIGIN], b"");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), None);
    let answer = service.send("OPTIONS", "/v1/solve", &[ORIGIN], b"");
    answer.problem(405, "error");
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[test]
fn any_origin_can_be_allowed() {
    let service = Service::with(|config| config.allow_origin = vec!["*".to_owned()]);
    let asked = [
        ORIGIN,
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "content-type"),
    ];
    let before = service.send("OPTIONS", "/v1/solve", &asked, b"");
    assert_eq!((before.status, before.body.len()), (200, 0));
    assert_eq!(before.header("access-control-allow-origin"), Some("*"));
    let methods = ["GET", "HEAD", "POST", "DELETE"];
    lists(&before, "access-control-allow-methods", &methods);
    let headers = [
        "Accept",
        "Content-Type",
        "Range",
        "If-Range",
        "If-None-Match",
        "X-Request-Id",
    ];
    lists(&before, "access-control-allow-headers", &headers);
    let body = json!({ "board": EASY }).to_string();
    let answer = service.send("POST", "/v1/solve", &[ORIGIN, JSON], body.as_bytes());
    assert_eq!(answer.ok()["length"], 31);
    let exposed = [
        "ETag",
        "Search-Id",
        "Tables-Reason",
        "Retry-After",
        "Link",
        "Content-Range",
        "X-Request-Id",
    ];
    lists(&answer, "access-control-expose-headers", &exposed);
    // Partial answers and problems also allow all origins.
    let path = "/v1/bundles/6-6-3/manifest.json";
    let part = service.send("GET", path, &[ORIGIN, ("Range", "bytes=0-9")], b"");
    assert_eq!((part.status, part.body.len()), (206, 10));
    let missing = service.send("GET", "/v1/nothing", &[ORIGIN], b"");
    missing.problem(404, "error");
    for answer in [&answer, &part, &missing] {
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
    }
}

#[test]
fn listed_origins_are_allowed() {
    let origins = ["https://example.org", "http://127.0.0.1:8080"];
    let service = Service::with(|config| config.allow_origin = origins.map(str::to_owned).into());
    for origin in origins {
        let answer = service.send("GET", "/v1/tables", &[("Origin", origin)], b"");
        assert_eq!(answer.header("access-control-allow-origin"), Some(origin));
        lists(&answer, "vary", &["Origin"]);
    }
    for origin in ["https://example.org:444", "https://other.org", "null"] {
        let answer = service.send("GET", "/v1/tables", &[("Origin", origin)], b"");
        assert_eq!(answer.header("access-control-allow-origin"), None);
        lists(&answer, "vary", &["Origin"]);
    }
}

#[test]
fn answers_have_a_request_id() {
    let service = Service::new();
    let mut own = Vec::new();
    for (path, status) in [("/healthz", 200), ("/v1/nothing", 404), ("/v1/solve", 405)] {
        let answer = service.get(path);
        assert_eq!(answer.status, status);
        own.push(answer.header("x-request-id").unwrap().to_owned());
    }
    own.sort();
    own.dedup();
    assert_eq!(own.len(), 3);
    let named = |name: &str| {
        let answer = service.send("GET", "/healthz", &[("X-Request-Id", name)], b"");
        answer.header("x-request-id").unwrap().to_owned()
    };
    let longest = "x".repeat(64);
    for name in ["7", "a1b2-c3/d4:5_6.7=", &longest] {
        assert_eq!(named(name), name);
    }
    for name in ["", "two words", "caf\u{e9}", "a\"b", &"x".repeat(65)] {
        let given = named(name);
        assert!(given != name && !given.is_empty(), "{name}: {given}");
    }
}
