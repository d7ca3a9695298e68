//! The description of the service, and its metrics.

use serde_json::Value;

use super::client::{NO_LIMIT, Service};

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
