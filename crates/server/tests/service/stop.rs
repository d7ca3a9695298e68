//! Cancelled searches, event streams, and stopping the service.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use pdb_table::{Encoding, LockAttempt, TableDirectory, try_lock};
use puzzle::{Goal, HeuristicSpec};
use serde_json::json;
use tempfile::TempDir;

use super::client::{EASY, HARD, NEAR, NO_LIMIT, Service, until};

const JSON: (&str, &str) = ("Content-Type", "application/json");

/// A directory of tables, and the lock of the first table of a partition. The service cannot build
/// this table until the lock is dropped.
fn locked(partition: &str) -> (TempDir, File) {
    let directory = tempfile::tempdir().unwrap();
    let goal = Goal::parse("blank-last", "4x4".parse().ok()).unwrap();
    let id = HeuristicSpec::parse(partition, &goal).unwrap().tables()[0];
    let tables = TableDirectory::new(directory.path());
    let mut path = tables
        .file(id, Encoding::default_for(id.kind()), false)
        .into_os_string();
    path.push(".lock");
    let lock = File::create(&path).unwrap();
    let attempt = try_lock(&lock, path.as_ref());
    assert!(matches!(attempt, LockAttempt::Taken));
    (directory, lock)
}

/// Waits until the port is closed. Another test can get the port next, for a short time.
fn until_closed(service: &Service) {
    until("the port is closed", || {
        TcpStream::connect(service.address).is_err()
    });
}

#[test]
fn running_requests_finish() {
    let (directory, lock) = locked("4-4-4-3");
    let mut service = Service::with(|config| {
        (config.tables, config.grace) = (
            Some(directory.path().to_owned()),
            Duration::from_secs(NO_LIMIT),
        );
    });
    let mut connection = service.connect();
    let request = json!({ "board": NEAR, "partition": "4-4-4-3" });
    connection.send("POST", "/v1/solve", &[JSON], request.to_string().as_bytes());
    until("it runs", || service.running() == 1.0);
    service.begin_to_stop();
    until_closed(&service);
    drop(lock);
    let answer = connection.answer();
    assert_eq!(answer.ok()["length"], 2);
    assert_eq!(answer.header("connection"), Some("close"));
    service.wait();
}

#[test]
fn a_draining_service_answers_but_is_not_ready() {
    let mut service = Service::with(|config| config.drain = 3600);
    let is_ready = || service.get("/readyz").status == 200;
    until("it is ready", is_ready);
    service.begin_to_stop();
    until("it is not ready", || service.get("/readyz").status == 503);
    service.get("/readyz").problem(503, "busy");
    assert_eq!(service.get("/healthz").status, 200);
    let easy = json!({ "board": EASY });
    assert_eq!(service.post("/v1/solve", &easy).ok()["length"], 31);
    // This service ends with the process.
    std::mem::forget(service);
    let mut service = Service::with(|config| config.drain = 1);
    service.begin_to_stop();
    service.wait();
    until_closed(&service);
}

#[test]
fn a_service_is_ready_when_the_default_tables_are_open() {
    let (directory, lock) = locked("6-6-3");
    let service = Service::with(|config| config.tables = Some(directory.path().to_owned()));
    let detail = service.get("/readyz").problem(503, "busy");
    assert!(detail.contains("starting"), "{detail}");
    assert_eq!(service.get("/healthz").status, 200);
    drop(lock);
    until("it is ready", || service.get("/readyz").status == 200);
}

#[test]
fn long_requests_are_cancelled() {
    let mut service = Service::with(|config| config.grace = Duration::from_millis(300));
    let mut connections = [service.connect(), service.connect(), service.connect()];
    let hard = json!({ "board": HARD, "partition": "manhattan", "max_time": NO_LIMIT });
    for connection in &mut connections {
        connection.send("POST", "/v1/solve", &[JSON], hard.to_string().as_bytes());
    }
    until("all requests run or wait", || {
        service.running() + service.waiting() == 3.0
    });
    service.begin_to_stop();
    for connection in &mut connections {
        connection.answer().problem(503, "busy");
    }
    service.wait();
}

#[test]
fn the_command_stops_at_a_signal() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_solver-server"));
    command
        .args(["--log-format", "json"])
        .args(["--log", "warn,server=info,solver_server=info"])
        .env("SOLVER_SERVER_LISTEN", "127.0.0.1:0");
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut logs = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut log = || -> serde_json::Value {
        let line = logs.next().unwrap().unwrap();
        serde_json::from_str(&line).unwrap()
    };
    let address = log()["address"].as_str().unwrap().to_owned();
    let stream = TcpStream::connect(address).unwrap();
    let mut connection = super::client::Connection(BufReader::new(stream));
    // The log has no line for health checks.
    connection.send("GET", "/healthz", &[], b"");
    assert_eq!(connection.answer().status, 200);
    let body = json!({ "board": EASY }).to_string();
    connection.send("POST", "/v1/solve", &[JSON], body.as_bytes());
    assert_eq!(connection.answer().ok()["length"], 31);
    let line = log();
    let request = &line["span"];
    assert_eq!(
        (&line["status"], &request["client"]),
        (&200.into(), &"127.0.0.1".into())
    );
    assert_eq!(request["route"], "/v1/solve");
    assert_eq!(&request["nodes"], &39);
    assert!(!line.to_string().contains("8 6 7"), "boards are not logged");
    let killed = Command::new("kill")
        .arg(child.id().to_string())
        .status()
        .unwrap();
    assert!(killed.success());
    assert!(child.wait().unwrap().success());
    for (flag, value) in [
        ("--max-time", "0"),
        ("--listen", "nowhere"),
        ("--nice", "77"),
        ("--log", "server=loud"),
        ("--page", "/nowhere"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_solver-server"));
        let refused = command.args([flag, value]).output().unwrap();
        let message = String::from_utf8(refused.stderr).unwrap();
        assert!(
            !refused.status.success() && message.contains(flag),
            "{message}"
        );
    }
}

fn hard() -> serde_json::Value {
    json!({ "board": HARD, "partition": "manhattan", "max_time": NO_LIMIT })
}

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
        (config.max_build_time, config.max_tables) = (Duration::from_secs(1000), 1 << 14);
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
