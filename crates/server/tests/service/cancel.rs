//! Cancelled searches, and event streams.

use serde_json::json;

use super::client::{HARD, NO_LIMIT, Service, until};

fn hard() -> serde_json::Value {
    json!({ "board": HARD, "partition": "manhattan", "max_time": NO_LIMIT })
}

const JSON: (&str, &str) = ("Content-Type", "application/json");

#[test]
fn a_closed_connection_cancels() {
    let service = Service::new();
    let body = hard().to_string();
    let mut streamed = hard();
    streamed["boards"] = json!([HARD, HARD, HARD]);
    streamed.as_object_mut().unwrap().remove("board");
    let streamed = streamed.to_string();
    let events = [JSON, ("Accept", "text/event-stream")];
    let cases: [(&str, &[_], &str); 4] = [
        ("/v1/solve", &[JSON], &body),
        ("/v1/hint", &[JSON], &body),
        ("/v1/solve", &events, &body),
        ("/v1/solve", &[JSON], &streamed),
    ];
    for (path, headers, body) in cases {
        let mut connection = service.connect();
        connection.send("POST", path, headers, body.as_bytes());
        until("it runs", || service.running() >= 1.0);
        drop(connection);
        until("it ends", || service.running() + service.waiting() == 0.0);
    }
}

#[test]
fn a_search_is_cancelled_by_its_id() {
    let service = Service::new();
    let mut connection = service.connect();
    let headers = [JSON, ("Accept", "text/event-stream")];
    let body = hard().to_string();
    connection.send("POST", "/v1/solve", &headers, body.as_bytes());
    let head = connection.head();
    assert_eq!(head.header("content-type"), Some("text/event-stream"));
    let (name, data) = connection.event().unwrap();
    assert_eq!(
        (&*name, data["id"].as_str()),
        ("search", head.header("search-id"))
    );
    let (name, data) = connection.event().unwrap();
    assert_eq!(name, "progress");
    assert!(data["bound"].as_u64() >= Some(58), "{data}");
    let path = format!("/v1/searches/{}", head.header("search-id").unwrap());
    assert_eq!(service.send("DELETE", &path, &[], b"").status, 204);
    let last = std::iter::from_fn(|| connection.event()).last().unwrap();
    assert_eq!(
        (&*last.0, &last.1["code"]),
        ("problem", &"cancelled".into())
    );
    for unknown in [&path, "/v1/searches/0", "/v1/searches/%ff"] {
        let answer = service.send("DELETE", unknown, &[], b"");
        assert!(matches!(answer.status, 400 | 404), "{answer:?}");
    }
}

#[test]
fn better_solutions_are_reported() {
    let service = Service::new();
    let mut connection = service.connect();
    let body = json!({ "board": HARD, "partition": "6-5-4", "max_time": 2, "within": 0.2 });
    connection.send("POST", "/v1/anytime", &[JSON], body.to_string().as_bytes());
    assert_eq!(connection.head().status, 200);
    let events: Vec<_> = std::iter::from_fn(|| connection.event()).collect();
    assert_eq!(events[0].0, "search");
    // The first solution does not wait for the tables.
    let (name, first) = &events[1];
    assert_eq!(
        (&**name, &first["tables"]),
        ("improved", &"manhattan".into())
    );
    assert_eq!(first["ms"], 0.0);
    let improved = events.iter().filter(|(name, _)| name == "improved");
    let lengths: Vec<_> = improved
        .map(|(_, report)| report["length"].as_u64())
        .collect();
    assert!(lengths.is_sorted_by(|a, b| a >= b), "{lengths:?}");
    let (name, report) = events.last().unwrap();
    assert_eq!((&**name, &report["status"]), ("report", &"solved".into()));
    assert_eq!(
        (&report["tables"], report["length"].as_u64()),
        (&"6-5-4".into(), lengths[lengths.len() - 1])
    );
    let wrong = json!({ "board": HARD, "mode": "optimal" });
    service.post("/v1/anytime", &wrong).problem(422, "error");
}

#[test]
fn tables_without_a_waiting_request_are_not_built() {
    let service = Service::with(|config| {
        (config.max_build_time, config.max_tables) =
            (std::time::Duration::from_secs(1000), 1 << 14);
    });
    let request = |partition: &str| {
        let mut connection = service.connect();
        let body = json!({ "board": HARD, "partition": partition }).to_string();
        connection.send("POST", "/v1/solve", &[JSON], body.as_bytes());
        connection
    };
    // One request builds tables; the other waits for its turn.
    let requests = [request("7-8"), request("8-7")];
    until("they run", || service.running() == 2.0);
    drop(requests);
    until("they end", || service.running() == 0.0);
    let open = service.get("/v1/tables").text();
    assert!(!open.contains("7-8") && !open.contains("8-7"), "{open}");
}
