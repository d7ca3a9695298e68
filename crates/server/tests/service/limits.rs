//! Limits for clients.

use std::io::Read as _;
use std::time::Duration;

use serde_json::json;

use super::client::{Connection, EASY, HARD, NO_LIMIT, Service, until};

const JSON: (&str, &str) = ("Content-Type", "application/json");

/// Begins a search that does not end, as the client `client`.
fn begin(service: &Service, client: &str) -> Connection {
    let hard = json!({ "board": HARD, "partition": "manhattan", "max_time": NO_LIMIT });
    let mut connection = service.connect();
    let headers = [JSON, ("X-Client", client)];
    connection.send("POST", "/v1/solve", &headers, hard.to_string().as_bytes());
    connection
}

#[test]
fn invalid_bodies_are_rejected() {
    let service = Service::with(|config| config.max_body = 100_000);
    let deep = "[".repeat(50_000);
    let cases: [(&[u8], u16); 7] = [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"{\"board\":\"\xff\xfe\"}", 400),
        (deep.as_bytes(), 400),
        (b"{\"board\":\"1 0\",\"max_nodes\":1e400}", 400),
        (
            b"{\"board\":\"1 0\",\"max_nodes\":99999999999999999999}",
            422,
        ),
    ];
    for (body, status) in cases {
        for path in ["/v1/solve", "/v1/hint", "/v1/anytime"] {
            service
                .send("POST", path, &[JSON], body)
                .problem(status, "error");
        }
    }
    let send = |kind: &str, coding: &str, body: &[u8]| {
        let headers = [("Content-Type", kind), ("Content-Encoding", coding)];
        service.send("POST", "/v1/solve", &headers, body)
    };
    let (json, easy) = ("application/json", json!({ "board": EASY }).to_string());
    send(json, "identity", &vec![b' '; 100_001]).problem(413, "error");
    send("text/html", "identity", b"x").problem(415, "error");
    send(json, "gzip", b"{}").problem(415, "error");
    assert_eq!(send(json, "identity", easy.as_bytes()).ok()["length"], 31);
    let in_address = service.post("/v1/solve?max_time=3", &json!({ "board": EASY }));
    in_address.problem(400, "error");
    let long = "x".repeat(300_000);
    let answer = service.send("GET", "/healthz", &[("X-Long", &long)], b"");
    assert_eq!(answer.status, 431);
    let path = format!("/{}", "x".repeat(70_000));
    assert_eq!(service.get(&path).status, 414);
}

#[test]
fn searches_are_bounded() {
    let service = Service::with(|config| {
        (config.workers, config.max_searches) = (1, 3);
        (config.max_searches_per_client, config.client_header) = (2, Some("X-Client".to_owned()));
    });
    let running = begin(&service, "a");
    until("it runs", || service.running() == 1.0);
    // The trusted proxy has written the last entry.
    let waiting = begin(&service, "b, a");
    until("it waits", || service.waiting() == 1.0);
    let refused = begin(&service, "a").answer();
    assert!(refused.problem(429, "busy").contains("of this client"));
    assert!(
        refused
            .header("retry-after")
            .unwrap()
            .parse::<u64>()
            .unwrap()
            >= 1
    );
    drop(waiting);
    until("it no longer waits", || service.waiting() == 0.0);
    // The limit is three searches. Client `a` uses the only worker; `b` and `c` use additional
    // threads.
    let others = [begin(&service, "b"), begin(&service, "c")];
    until("all run", || service.running() == 3.0);
    let detail = begin(&service, "d").answer().problem(429, "busy");
    assert!(!detail.contains("client"), "{detail}");
    drop((others, running));
    until("they end", || service.running() == 0.0);
    assert_eq!(
        service.metric("solver_server_requests_total{status=\"429\"}"),
        2.0
    );
}

#[test]
fn searches_that_do_not_start_in_time_are_rejected() {
    let service = Service::with(|config| {
        (config.workers, config.max_wait) = (1, Duration::from_millis(200));
    });
    let _running = begin(&service, "a");
    until("it runs", || service.running() == 1.0);
    let detail = begin(&service, "a").answer().problem(429, "busy");
    assert!(detail.contains("did not start"), "{detail}");
}

#[test]
fn connections_are_bounded() {
    let service = Service::with(|config| config.max_connections = 2);
    let mut open = [service.connect(), service.connect()];
    for connection in &mut open {
        connection.send("GET", "/healthz", &[], b"");
        assert_eq!(connection.answer().status, 200);
    }
    let refused = service.get("/v1/tables");
    refused.problem(429, "busy");
    assert_eq!(refused.header("connection"), Some("close"));
    // A health check is still answered.
    assert_eq!(service.get("/healthz").ok()["status"], "ok");
    drop(open);
    until("a place is free", || {
        service.get("/v1/tables").status == 200
    });
}

#[test]
fn slow_senders_time_out() {
    let service = Service::with(|config| config.head_timeout = Duration::from_millis(300));
    // A slow head, and an idle connection.
    let mut head = service.connect();
    head.write(b"POST /v1/solve HTTP/1.1\r\nHost:");
    for mut connection in [head, service.connect()] {
        connection.0.read_to_end(&mut Vec::new()).unwrap();
    }
    // A slow body, and a slow list.
    let service = Service::with(|config| config.read_timeout = Duration::from_millis(300));
    let mut body = service.connect();
    body.write(b"POST /v1/solve HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\n{\"board\"");
    body.answer().problem(408, "error");
    let mut list = service.connect();
    let text = b"POST /v1/solve HTTP/1.1\r\nHost: test\r\nContent-Type: text/plain\r\n\
                 Content-Length: 100\r\n\r\n2 0/3 1\n";
    list.write(text);
    let lines = list.answer().lines();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[1]["message"].as_str().unwrap().contains("0.3 s"),
        "{lines:?}"
    );
}

#[test]
fn slow_readers_do_not_delay_other_clients() {
    let service = Service::with(|config| config.workers = 1);
    let request = json!({ "boards": vec![EASY; 1000], "within": 4 });
    let mut connection = service.connect();
    connection.send("POST", "/v1/solve", &[JSON], request.to_string().as_bytes());
    // The searches pause while the answer is not read.
    let boards = || service.metric("solver_server_boards_total");
    until("the searches pause", || {
        let before = boards();
        std::thread::sleep(Duration::from_millis(300));
        before > 0.0 && boards() == before
    });
    assert!(
        boards() < 1000.0,
        "all answers fit into the connection's buffers"
    );
    until("nothing runs", || {
        service.running() + service.waiting() == 0.0
    });
    let easy = json!({ "board": EASY });
    assert_eq!(service.post("/v1/solve", &easy).ok()["length"], 31);
    // The searches continue once the answer is read.
    assert_eq!(connection.answer().lines().len(), 1000);
}
