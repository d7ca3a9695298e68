//! The description of the service.

use serde_json::Value;

use super::client::Service;

#[test]
fn it_lists_every_route_and_its_examples_work() {
    let service = Service::new();
    let text = service.get("/openapi.json").ok();
    assert!(text["openapi"].as_str().unwrap().starts_with("3.1"));
    let paths = text["paths"].as_object().unwrap();
    let expected = [
        "/healthz",
        "/metrics",
        "/openapi.json",
        "/readyz",
        "/v1/anytime",
        "/v1/bundles/{name}/{file}",
        "/v1/bundles/{name}/{version}/{file}",
        "/v1/explain",
        "/v1/hint",
        "/v1/probe",
        "/v1/rate",
        "/v1/scramble",
        "/v1/searches/{id}",
        "/v1/solve",
        "/v1/tables",
    ];
    assert_eq!(paths.keys().collect::<Vec<_>>(), expected);
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            for status in ["431", "500", "503"] {
                assert!(responses.contains_key(status), "{method} {path}: {status}");
            }
            assert!(operation["summary"].is_string() || operation["description"].is_string());
            let Some(body) = operation.get("requestBody") else {
                continue;
            };
            for status in ["400", "408", "409", "413", "415", "422", "429"] {
                assert!(responses.contains_key(status), "{method} {path}: {status}");
            }
            let reference = &body["content"]["application/json"]["schema"]["$ref"];
            let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
            let schema = text.pointer(pointer).unwrap();
            let example = schema["example"].clone();
            let answer = service.post(path, &example);
            assert_eq!(answer.status, 200, "{path} {example}: {}", answer.text());
        }
    }
    assert_no_dead_references(&text, &text);
    let request = &text["components"]["schemas"]["SolveRequest"];
    assert_eq!(request["properties"]["threads"]["maximum"], 1);
    assert_eq!(request["properties"]["max_time"]["maximum"], 60.0);
    assert!(request["properties"]["size"]["pattern"].is_string());
    assert_eq!(request["oneOf"][1]["required"][0], "boards");
}

fn assert_no_dead_references(text: &Value, part: &Value) {
    match part {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                let pointer = reference.strip_prefix('#').unwrap();
                assert!(text.pointer(pointer).is_some(), "{reference}");
            }
            fields
                .values()
                .for_each(|field| assert_no_dead_references(text, field));
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| assert_no_dead_references(text, item)),
        _ => {}
    }
}

#[test]
fn the_service_says_how_it_is() {
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
    assert!(!text.contains("nowhere"), "names of clients are no routes");
    assert!(text.ends_with("# EOF\n"));
}
    let version = concat!("build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"} 1");
    assert!(text.contains(version), "{text}");
    #[cfg(target_os = "linux")]
    for (name, least) in [
        ("process_resident_memory_bytes", 1e6),
        ("process_open_fds", 5.0),
        ("process_cpu_seconds_total", 1e-3),
        ("process_start_time_seconds", 1.7e9),
    ] {
        let found = service.metric(name);
        assert!(found >= least, "{name}: {found}");
    }
