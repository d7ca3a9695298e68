//! The OpenAPI description.

use serde_json::{Value, json};

use super::client::{EASY, NO_LIMIT, Service};

#[test]
fn openapi_lists_all_routes_with_working_examples() {
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
    assert_eq!(
        request["properties"]["max_time"]["maximum"],
        NO_LIMIT as f64
    );
    assert!(request["properties"]["size"]["pattern"].is_string());
    assert_eq!(request["oneOf"][1]["required"][0], "boards");
    for path in [
        "/v1/solve",
        "/v1/hint",
        "/v1/rate",
        "/v1/probe",
        "/v1/explain",
    ] {
        let headers = &paths[path]["post"]["responses"]["200"]["headers"];
        assert_eq!(
            headers["Tables-Reason"]["schema"]["type"], "string",
            "{path}"
        );
    }
}

#[test]
fn options_match_their_described_modes() {
    let service = Service::new();
    let text = service.get("/openapi.json").ok();
    let schemas = &text["components"]["schemas"];
    let of_modes = schemas["SolveRequest"]["dependentSchemas"].as_object();
    let of_anytime = schemas["AnytimeRequest"]["properties"].as_object().unwrap();
    assert_eq!(of_modes.unwrap().len(), 9);
    for (option, schema) in of_modes.unwrap() {
        let (all, value) = match &**option {
            "most" => (true, json!(3)),
            "within" | "seed" => (false, json!(0)),
            "max_memory" => (false, json!(8 << 20)),
            "side" => (false, json!("start")),
            _ => (false, json!(true)),
        };
        let described = schema["properties"]["mode"]["enum"].as_array().unwrap();
        for mode in [
            json!(null),
            json!("optimal"),
            json!("strategic"),
            json!("anytime"),
        ] {
            let mut request = json!({ "board": EASY, "mode": mode, "max_nodes": 10_000 });
            if all {
                request["all"] = true.into();
            }
            request[option] = value.clone();
            let expected = if described.contains(&mode) { 200 } else { 422 };
            let answer = service.post("/v1/solve", &request);
            assert_eq!(answer.status, expected, "{request}: {}", answer.text());
        }
        let request = json!({ "board": EASY, "max_nodes": 10_000, option: value });
        let expected = if of_anytime.contains_key(option) {
            200
        } else {
            422
        };
        let answer = service.post("/v1/anytime", &request);
        assert_eq!(answer.status, expected, "{request}: {}", answer.text());
    }
    for field in ["boards", "leading_id"] {
        assert!(!of_anytime.contains_key(field), "{field}");
    }
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
