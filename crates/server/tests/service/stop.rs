//! How the service stops.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use serde_json::json;

use super::client::{EASY, HARD, Service, until};

const JSON: (&str, &str) = ("Content-Type", "application/json");

fn hard(max_time: f64) -> Vec<u8> {
    let hard = json!({ "board": HARD, "partition": "manhattan", "max_time": max_time });
    hard.to_string().into_bytes()
}

#[test]
fn what_was_begun_is_ended() {
    let mut service = Service::with(|config| config.grace = 30.0);
    let mut connection = service.connect();
    connection.send("POST", "/v1/solve", &[JSON], &hard(1.0));
    until("it runs", || service.running() == 1.0);
    service.begin_to_stop();
    let answer = connection.answer();
    assert_eq!(answer.ok()["status"], "limit");
    assert_eq!(answer.header("connection"), Some("close"));
    service.wait();
    assert!(TcpStream::connect(service.address).is_err());
}

#[test]
fn what_takes_too_long_is_cancelled() {
    let mut service = Service::with(|config| config.grace = 0.3);
    let mut connections = [service.connect(), service.connect(), service.connect()];
    for connection in &mut connections {
        connection.send("POST", "/v1/solve", &[JSON], &hard(60.0));
    }
    until("they are there", || {
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
    // Health checks have no line.
    connection.send("GET", "/healthz", &[], b"");
    assert_eq!(connection.answer().status, 200);
    let body = json!({ "board": EASY }).to_string();
    connection.send("POST", "/v1/solve", &[JSON], body.as_bytes());
    assert_eq!(connection.answer().ok()["length"], 31);
    let line = log();
    assert_eq!(line["client"], "127.0.0.1");
    assert_eq!(
        (&line["route"], &line["status"]),
        (&"/v1/solve".into(), &200.into())
    );
    assert_eq!((&line["boards"], &line["nodes"]), (&1.into(), &39.into()));
    assert!(!line.to_string().contains("8 6 7"), "boards are not logged");
    #[cfg(target_os = "linux")]
    assert_priorities(child.id());
    let killed = Command::new("kill")
        .arg(child.id().to_string())
        .status()
        .unwrap();
    assert!(killed.success());
    assert!(child.wait().unwrap().success());
    for (flag, value) in [
        ("--max-time", "0"),
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

/// The main thread and those of the runtime have the usual priority; those that search and those
/// that build tables yield to them.
#[cfg(target_os = "linux")]
fn assert_priorities(process: u32) {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
    for thread in threads {
        let Ok(text) = std::fs::read_to_string(thread.unwrap().path().join("stat")) else {
            continue; // It has ended.
        };
        let (name, fields) = text.rsplit_once(") ").unwrap();
        let (number, name) = name.split_once(" (").unwrap();
        let nice = fields.split(' ').nth(16).unwrap();
        let is_first = number == process.to_string() || name.starts_with("tokio");
        assert_eq!(nice, if is_first { "0" } else { "5" }, "{name}");
    }
}
