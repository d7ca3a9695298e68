//! Limits for clients.

use std::io::Read as _;
use std::time::Duration;

use serde_json::json;

use super::client::{EASY, HARD, NO_LIMIT, Service, until};

const JSON: (&str, &str) = ("Content-Type", "application/json");

fn hard() -> Vec<u8> {
    let hard = json!({ "board": HARD, "partition": "manhattan", "max_time": NO_LIMIT });
    hard.to_string().into_bytes()
}

#[test]
fn invalid_bodies_are_rejected() {
    let service = Service::with(|config| config.max_body = 100_000);
    let deep = "[".repeat(50_000);
    let deep_board = format!("{{\"board\":{deep}");
    let cases: [(&[u8], u16); 9] = [
        (b"", 400),
        (b"{", 400),
        (b"\"board", 400),
        (b"{\"board\":\"\xff\xfe\"}", 400),
        (deep.as_bytes(), 400),
        (deep_board.as_bytes(), 400),
        (
            b"{\"board\":\"1 2 3/4 5 6/7 8 0\",\"max_nodes\":1e400}",
            400,
        ),
        (
            b"{\"board\":\"1 2 3/4 5 6/7 8 0\",\"max_nodes\":99999999999999999999}",
            422,
        ),
        (b"{\"board\":[1,2,3,99999999999]}", 422),
    ];
    for (body, status) in cases {
        for path in ["/v1/solve", "/v1/hint", "/v1/anytime"] {
            let answer = service.send("POST", path, &[JSON], body);
            assert_eq!(
                answer.status,
                status,
                "{path} {:.40?}: {}",
                body,
                answer.text()
            );
            answer.problem(status, "error");
        }
    }
    let large = vec![b' '; 100_001];
    service
        .send("POST", "/v1/solve", &[JSON], &large)
        .problem(413, "error");
    let mut chunked = service.connect();
    let headers = [JSON, ("Transfer-Encoding", "chunked")];
    chunked.send("POST", "/v1/solve", &headers, b"");
    for _ in 0..11 {
        chunked.write(format!("2710\r\n{}\r\n", " ".repeat(10_000)).as_bytes());
    }
    chunked.head();
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    let detail = service
        .send("POST", "/v1/solve", &form, b"board=1")
        .problem(415, "error");
    assert!(detail.contains("application/json"), "{detail}");
    service
        .post("/v1/solve?max_time=3", &json!({ "board": EASY }))
        .problem(400, "error");
    for length in [70_000, 300_000] {
        let long = "x".repeat(length);
        let answer = service.send("GET", "/healthz", &[("X-Long", &long)], b"");
        assert_eq!(answer.status, 431);
    }
    let path = format!("/{}", "x".repeat(70_000));
    assert_eq!(service.get(&path).status, 414);
    let gzip = [JSON, ("Content-Encoding", "gzip")];
    service
        .send("POST", "/v1/solve", &gzip, b"{}")
        .problem(415, "error");
    let identity = [JSON, ("Content-Encoding", "identity")];
    let easy = json!({ "board": EASY }).to_string();
    let answer = service.send("POST", "/v1/solve", &identity, easy.as_bytes());
    assert!(answer.ok()["length"] == 31 && answer.body.ends_with(b"\n"));
    // Serde would also accept an array, and read its elements as the fields of an object.
    let mut fields = vec![serde_json::Value::Null; 20];
    fields[0] = json!(EASY);
    let detail = service
        .post("/v1/solve", &json!(fields))
        .problem(422, "error");
    assert!(detail.contains("an array"), "{detail}");
    assert_eq!(service.get("/healthz").status, 200);
}

#[test]
fn searches_are_bounded() {
    let service = Service::with(|config| {
        (
            config.workers,
            config.max_searches,
            config.max_searches_per_client,
        ) = (1, 3, 2);
        config.client_header = Some("X-Client".to_owned());
    });
    let begin = |client: &str| {
        let mut connection = service.connect();
        connection.send("POST", "/v1/solve", &[JSON, ("X-Client", client)], &hard());
        connection
    };
    let running = begin("a");
    until("it runs", || service.running() == 1.0);
    let waiting = begin("a");
    until("it waits", || service.waiting() == 1.0);
    let refused = begin("a").answer();
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
    let others = [begin("b"), begin("c")];
    until("all run", || service.running() == 3.0);
    let detail = begin("d").answer().problem(429, "busy");
    assert!(!detail.contains("client"), "{detail}");
    drop(others);
    drop(running);
    until("it ends", || service.running() == 0.0);
    assert_eq!(
        service.metric("solver_server_rejected_total{reason=\"client\"}"),
        1.0
    );
}

#[test]
fn searches_that_do_not_start_in_time_are_rejected() {
    let service = Service::with(|config| (config.workers, config.max_wait) = (1, 0.2));
    let _running = service.begin_search();
    let answer = service.send("POST", "/v1/solve", &[JSON], &hard());
    assert!(answer.problem(429, "busy").contains("did not start"));
    assert!(service.metric("solver_server_rejected_total{reason=\"wait\"}") >= 1.0);
}

#[test]
fn connections_are_bounded() {
    let service = Service::with(|config| config.max_connections_per_client = 2);
    let mut first = service.connect();
    let mut second = service.connect();
    for connection in [&mut first, &mut second] {
        connection.send("GET", "/healthz", &[], b"");
        assert_eq!(connection.answer().status, 200);
    }
    let mut third = service.connect();
    let refused = third.answer();
    refused.problem(429, "busy");
    assert_eq!(refused.header("connection"), Some("close"));
    // A health check is still answered.
    let mut check = service.connect();
    check.send("GET", "/healthz", &[], b"");
    let answer = check.answer();
    assert_eq!(answer.ok()["status"], "ok");
    assert_eq!(answer.header("connection"), Some("close"));
    drop(first);
    until("a place is free", || {
        let mut connection = service.connect();
        connection.send("GET", "/openapi.json", &[], b"");
        connection.answer().status == 200
    });
}

#[test]
fn slow_senders_time_out() {
    let service = Service::with(|config| {
        config.head_timeout = 0.3;
    });
    // A slow head, and an idle connection.
    let mut head = service.connect();
    head.write(b"POST /v1/solve HTTP/1.1\r\nHost:");
    let mut idle = service.connect();
    for connection in [&mut head, &mut idle] {
        let mut rest = Vec::new();
        connection.0.read_to_end(&mut rest).unwrap();
    }
    // A slow body.
    let service = Service::with(|config| config.read_timeout = 0.3);
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
    // Bodies that end early.
    let mut cut = service.connect();
    cut.write(b"POST /v1/solve HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\n{\"board\"");
    cut.0.get_mut().shutdown(std::net::Shutdown::Write).unwrap();
    let mut rest = Vec::new();
    cut.0.read_to_end(&mut rest).unwrap();
    until("the other connections are closed", || {
        service.metric("solver_server_connections") == 1.0
    });
}

#[test]
fn slow_readers_are_cancelled_and_closed() {
    let service = Service::with(|config| config.write_timeout = 0.5);
    // The answers have about 20 MB, which is more than the buffers of the system.
    let boards = vec![EASY; 4000];
    let request = json!({ "boards": boards, "within": 4 });
    let mut connection = service.connect();
    connection.send("POST", "/v1/solve", &[JSON], request.to_string().as_bytes());
    until("it begins", || {
        service.metric("solver_server_boards_total") > 100.0
    });
    until("the request is cancelled", || {
        service.metric("solver_server_cancelled_total") == 1.0
    });
    until("nothing runs", || {
        service.running() + service.waiting() == 0.0
    });
    until("the connection is closed", || {
        service.metric("solver_server_connections") == 1.0
    });
    assert!(service.metric("solver_server_boards_total") < 4000.0);
    drop(connection);
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
    assert_eq!(
        service.post("/v1/solve", &json!({ "board": EASY })).ok()["length"],
        31
    );
    // The searches continue once the answer is read.
    assert_eq!(connection.answer().lines().len(), 1000);
}

#[test]
fn requests_need_one_host_header() {
    let service = Service::new();
    let cases = [
        ("HTTP/1.1", "", 400),
        ("HTTP/1.1", "Host: a\r\nHost: b\r\n", 400),
        ("HTTP/1.0", "Host: a\r\nHost: b\r\n", 400),
        ("HTTP/1.1", "Host: a\r\n", 200),
        ("HTTP/1.0", "", 200),
    ];
    for (version, hosts, status) in cases {
        let mut connection = service.connect();
        connection.write(format!("GET /healthz {version}\r\n{hosts}\r\n").as_bytes());
        let answer = connection.answer();
        assert_eq!(
            answer.status,
            status,
            "{version} {hosts}: {}",
            answer.text()
        );
    }
}

#[test]
fn clients_with_hard_boards_do_not_delay_others() {
    let service = Service::with(|config| {
        config.client_header = Some("X-Client".to_owned());
    });
    let begin = |client: &str, path: &str, body: &serde_json::Value| {
        let mut connection = service.connect();
        let headers = [JSON, ("X-Client", client)];
        connection.send("POST", path, &headers, body.to_string().as_bytes());
        connection
    };
    let board = json!({ "board": HARD, "partition": "manhattan", "max_time": NO_LIMIT });
    let list =
        json!({ "boards": [HARD, HARD, HARD], "partition": "manhattan", "max_time": NO_LIMIT });
    let mut held = Vec::new();
    for client in ["a", "b", "c", "d"] {
        held.extend((0..4).map(|_| begin(client, "/v1/solve", &board)));
        held.push(begin(client, "/v1/solve", &list));
        held.push(begin(client, "/v1/anytime", &board));
    }
    // One client uses both workers, and each other client uses a spare thread.
    until("all clients have a thread", || service.running() >= 4.0);
    for path in ["/v1/solve", "/v1/hint"] {
        let answer = begin("e", path, &json!({ "board": EASY })).answer();
        assert_eq!(answer.ok()["board"].as_str().map(str::len), Some(17));
    }
    assert!(service.running() <= 6.0, "one client has only its share");
}

#[test]
fn invalid_addresses_are_rejected() {
    let service = Service::new();
    let cases = [
        ("GET", "/%ff", 400),
        ("GET", "/v1/bundles/%ff/manifest.json", 400),
        ("DELETE", "/v1/searches/%ff", 400),
        ("DELETE", "/v1/searches/0", 404),
        ("GET", "/v1/nothing", 404),
        ("POST", "/v1/nothing", 404),
        ("GET", "/%2e%2e/Cargo.toml", 404),
        ("GET", "/v1/solve", 405),
    ];
    for (method, path, status) in cases {
        let answer = service.send(method, path, &[], b"");
        assert_eq!(answer.status, status, "{method} {path}");
        answer.problem(status, "error");
    }
}
