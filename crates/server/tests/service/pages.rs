//! The page at `/`, pages of other sites, and headers of all answers.

use serde_json::{Value, json};

use crate::client::{EASY, NO_LIMIT, Service};

const ORIGIN: (&str, &str) = ("Origin", "https://example.org");
const JSON: (&str, &str) = ("Content-Type", "application/json");

#[test]
fn without_a_page_links_are_served() {
    let page = Service::new().get("/");
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert!(page.text().contains("/openapi.json"));
}

#[test]
fn the_page_has_the_headers_for_threads() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("index.html", "<title>page");
    write("assets/code-1a2b.js", "long code");
    write("assets/code-1a2b.js.br", "code");
    let path = directory.path().to_owned();
    let service = Service::with(|config| config.page = Some(path));
    let page = service.get("/");
    assert_eq!(page.text(), "<title>page");
    assert_eq!(
        page.header("cross-origin-opener-policy"),
        Some("same-origin")
    );
    assert_eq!(
        page.header("cross-origin-embedder-policy"),
        Some("require-corp")
    );
    let code = "/assets/code-1a2b.js";
    let plain = service.get(code);
    assert_eq!(
        (&*plain.text(), plain.header("content-encoding")),
        ("long code", None)
    );
    let headers = [("Accept-Encoding", "gzip, br")];
    let small = service.send("GET", code, &headers, b"");
    assert_eq!(
        (&*small.text(), small.header("content-encoding")),
        ("code", Some("br"))
    );
    assert!(small.header("cache-control").unwrap().contains("immutable"));
    for missing in [
        "/other.html",
        "/assets/none",
        "/..%2fpage.rs",
        "/%2e%2e/Cargo.toml",
    ] {
        service.get(missing).problem(404, "error");
    }
    service
        .send("POST", "/other", &[], b"")
        .problem(404, "error");
}

#[test]
fn pages_of_allowed_sites_can_use_the_service() {
    let origin = |answer: &super::client::Answer| {
        answer
            .header("access-control-allow-origin")
            .map(str::to_owned)
    };
    let closed = Service::new();
    assert_eq!(
        origin(&closed.send("GET", "/healthz", &[ORIGIN], b"")),
        None
    );
    closed
        .send("OPTIONS", "/v1/solve", &[ORIGIN], b"")
        .problem(405, "error");
    let open = Service::with(|config| config.allow_origin = vec!["*".parse().unwrap()]);
    let asked = [ORIGIN, ("Access-Control-Request-Method", "POST")];
    let before = open.send("OPTIONS", "/v1/solve", &asked, b"");
    assert_eq!((before.status, before.body.len()), (200, 0));
    assert_eq!(
        before.header("access-control-allow-methods"),
        Some("GET,HEAD,POST,DELETE")
    );
    assert_eq!(before.header("access-control-allow-headers"), Some("*"));
    let body = json!({ "board": EASY }).to_string();
    let answer = open.send("POST", "/v1/solve", &[ORIGIN, JSON], body.as_bytes());
    assert_eq!(answer.ok()["length"], 31);
    assert_eq!(answer.header("access-control-expose-headers"), Some("*"));
    // Problems also allow the origin.
    let missing = open.send("GET", "/v1/nothing", &[ORIGIN], b"");
    assert_eq!(
        (origin(&answer).as_deref(), origin(&missing).as_deref()),
        (Some("*"), Some("*"))
    );
    let listed = Service::with(|config| config.allow_origin = vec![ORIGIN.1.parse().unwrap()]);
    let of = |name| origin(&listed.send("GET", "/v1/tables", &[("Origin", name)], b""));
    assert_eq!(of(ORIGIN.1).as_deref(), Some(ORIGIN.1));
    for other in ["https://example.org:444", "https://other.org", "null"] {
        assert_eq!(of(other), None);
    }
}

#[test]
fn answers_have_a_request_id() {
    let service = Service::new();
    let id = |path: &str, headers: &[(&str, &str)]| {
        let answer = service.send("GET", path, headers, b"");
        answer.header("x-request-id").unwrap().to_owned()
    };
    let mut own = ["/healthz", "/v1/nothing", "/v1/solve"].map(|path| id(path, &[]));
    own.sort();
    assert!(own[0] != own[1] && own[1] != own[2]);
    assert_eq!(id("/healthz", &[("X-Request-Id", "a1b2-c3")]), "a1b2-c3");
}

#[test]
fn the_description_has_working_examples() {
    let service = Service::new();
    let text = service.get("/openapi.json").ok();
    let paths = text["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 14);
    for (path, methods) in paths {
        for operation in methods.as_object().unwrap().values() {
            let Some(body) = operation.get("requestBody") else {
                continue;
            };
            let reference = &body["content"]["application/json"]["schema"]["$ref"];
            let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
            let example = text.pointer(pointer).unwrap()["example"].clone();
            let answer = service.post(path, &example);
            assert_eq!(answer.status, 200, "{path} {example}: {}", answer.text());
        }
    }
    assert_no_dead_references(&text, &text);
    let request = &text["components"]["schemas"]["SolveRequest"];
    let most = &request["properties"]["max_time"]["maximum"];
    assert_eq!(*most, NO_LIMIT as f64);
    assert_eq!(request["oneOf"][1]["required"][0], "boards");
}

fn assert_no_dead_references(text: &Value, part: &Value) {
    if let Some(Value::String(reference)) = part.get("$ref") {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(text.pointer(pointer).is_some(), "{reference}");
    }
    let fields = part.as_object().into_iter().flatten().map(|field| field.1);
    let items = part.as_array().into_iter().flatten();
    fields
        .chain(items)
        .for_each(|part| assert_no_dead_references(text, part));
}

#[test]
fn health_and_metrics_describe_the_service() {
    let service = Service::new();
    assert_eq!(service.get("/healthz").ok()["status"], "ok");
    service.get("/v1/nowhere/at/all");
    let text = service.get("/metrics");
    let kind = text.header("content-type").unwrap();
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    let text = text.text();
    for name in [
        "requests_total",
        "solve_seconds_bucket",
        "connections",
        "tables_bytes",
    ] {
        assert!(
            text.contains(&format!("solver_server_{name}")),
            "{name}: {text}"
        );
    }
    let version = concat!("build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"} 1");
    assert!(text.contains(version), "{text}");
    assert!(!text.contains("nowhere"), "names of clients are no routes");
    assert!(text.ends_with("# EOF\n"));
}
