//! The HTTP service over a loopback connection: bodies for every route, and invalid requests. No
//! request is answered by a 5xx status, and every answer is complete.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{LazyLock, mpsc};
use std::time::Duration;

use server::{Config, Server};
use solver::Report;

use crate::text::assert_one_line;

/// Routes, selected by the first byte.
const ROUTES: [(&str, &str, &str); 16] = [
    ("POST", "/v1/solve", "application/json"),
    ("POST", "/v1/hint", "application/json"),
    ("POST", "/v1/rate", "application/json"),
    ("POST", "/v1/probe", "application/json"),
    ("POST", "/v1/explain", "application/json"),
    ("POST", "/v1/scramble", "application/json"),
    ("POST", "/v1/anytime", "application/json"),
    ("POST", "/v1/solve?size=3x3", "text/plain"),
    ("POST", "/v1/solve", "application/x-ndjson"),
    (
        "POST",
        "/v1/solve?metric=multi&leading_id=true",
        "text/plain; charset=utf-8",
    ),
    ("GET", "/v1/scramble?", ""),
    ("GET", "/v1/", ""),
    ("POST", "/v1/solve?", "text/plain"),
    ("DELETE", "/v1/searches/", ""),
    ("PUT", "/v1/solve", "application/json"),
    ("POST", "/v1/solve", ""),
];
/// Maximum length of a body, and of the text that is appended to a route, in bytes.
const MAX_BODY: usize = 4096;
const MAX_QUERY: usize = 200;
/// Timeout for an answer. Only a hang takes this long: the time limits of the service are short.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(600);

/// Address of the service, which runs for the lifetime of the process.
static SERVICE: LazyLock<SocketAddr> = LazyLock::new(|| {
    let (started, address) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let server = Server::bind(config()).await.expect("a service");
            started
                .send(server.address().expect("an address"))
                .expect("somebody waits");
            server.run(std::future::pending()).await;
        });
    });
    address.recv().expect("the service starts")
});

/// Configuration with small limits, so that no request takes long.
fn config() -> Config {
    let mut config = Config::default();
    config.listen = "127.0.0.1:0".to_owned();
    config.workers = 1;
    config.nice = 0;
    config.default_time = Duration::from_millis(2);
    config.max_time = Duration::from_millis(4);
    config.max_list_time = Duration::from_millis(50);
    config.max_boards = 8;
    config.max_cells = 36;
    config.max_memory = 1;
    config.max_tables = 8;
    config.max_build_time = Duration::from_millis(2);
    config.max_body = 2048;
    config.max_list = 2048;
    config.read_timeout = Duration::from_millis(500);
    config
}

/// If the first byte is 0xf0 or more, the rest of the input is sent unchanged on its own
/// connection. A smaller first byte selects the route and the content type of a request, and the
/// rest of the input is the request's body. If the route ends with `?` or `/`, the rest begins with
/// a line that is appended to the route; the body is the text after this line.
pub fn http(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    match choice {
        0xf0.. => send_raw(rest),
        _ => send(ROUTES[usize::from(choice) % ROUTES.len()], rest),
    }
}

/// Sends bytes on a new connection, and returns everything that the service answers before it
/// closes the connection. `ends` closes the connection for writing after the bytes.
fn exchange(bytes: &[u8], ends: bool) -> Vec<u8> {
    let mut stream = TcpStream::connect(*SERVICE).expect("the service takes connections");
    let timeout = stream.set_read_timeout(Some(ANSWER_TIMEOUT));
    timeout.expect("a time that is not 0");
    // Write errors are ignored: the service can answer a request with an error, and close the
    // connection, before it has read the whole request.
    let _ = stream.write_all(bytes);
    if ends {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut answer = Vec::new();
    // If the connection is reset, the answer ends there.
    let _ = stream.read_to_end(&mut answer);
    answer
}

fn send((method, path, kind): (&str, &str, &str), rest: &[u8]) {
    let mut request = format!("{method} {path}").into_bytes();
    let mut body = &rest[..rest.len().min(MAX_BODY)];
    if path.ends_with(['?', '/']) {
        let (query, left) = match body.iter().position(|&byte| byte == b'\n') {
            Some(end) => (&body[..end], &body[end + 1..]),
            None => (body, &[][..]),
        };
        // Characters that are invalid in an address are left out; other inputs test them.
        let is_sign = |byte: &&u8| byte.is_ascii_graphic() && **byte != b'#';
        request.extend(query.iter().filter(is_sign).take(MAX_QUERY));
        body = left;
    }
    request.extend(b" HTTP/1.1\r\nHost: fuzz\r\nConnection: close\r\n");
    if !kind.is_empty() {
        request.extend(format!("Content-Type: {kind}\r\n").bytes());
    }
    request.extend(format!("Content-Length: {}\r\n\r\n", body.len()).bytes());
    request.extend(body);
    let answer = String::from_utf8(exchange(&request, false)).expect("answers are texts");
    check(&answer);
}

/// Checks an answer: its head, a body of the stated length, and its contents.
fn check(answer: &str) {
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head is whole");
    let status = head
        .strip_prefix("HTTP/1.1 ")
        .and_then(|rest| rest.get(..3));
    let status: u16 = status.expect("a status").parse().expect("a number");
    assert!(status < 500, "{answer}");
    let field = |name: &str| {
        let mut fields = head.lines().filter_map(|line| line.split_once(": "));
        let field = fields.find(|(found, _)| found.eq_ignore_ascii_case(name));
        field.map_or("", |(_, value)| value)
    };
    let body = match field("transfer-encoding") {
        "chunked" => joined(body),
        _ => body.to_owned(),
    };
    if let Ok(length) = field("content-length").parse::<usize>() {
        assert_eq!(body.len(), length, "{answer}");
    }
    let json = |text: &str| -> serde_json::Value {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    match field("content-type") {
        "application/problem+json" => {
            let problem = json(&body);
            assert_eq!(problem["status"], status);
            assert_one_line(problem["detail"].as_str().expect("a detail"));
            assert!(problem["code"].is_string());
        }
        "application/json" => drop(json(&body)),
        "application/x-ndjson" => {
            for line in body.lines() {
                serde_json::from_str::<Report>(line)
                    .map(drop)
                    .unwrap_or_else(|_| assert!(json(line)["detail"].is_string(), "{line}"));
            }
        }
        _ => assert!(status < 400 || body.is_empty(), "{answer}"),
    }
}

/// A chunked body without the lengths of its chunks.
fn joined(mut chunks: &str) -> String {
    let mut body = String::new();
    loop {
        let (length, rest) = chunks.split_once("\r\n").expect("a chunk has a length");
        let length = usize::from_str_radix(length, 16).expect("a length of a chunk");
        body += &rest[..length];
        chunks = rest[length..].strip_prefix("\r\n").expect("a chunk ends");
        if length == 0 {
            return body;
        }
    }
}

/// Sends arbitrary bytes. The answer may be one HTTP answer, several or none.
fn send_raw(bytes: &[u8]) {
    let answer = exchange(bytes, true);
    if !answer.is_empty() {
        let start = String::from_utf8_lossy(&answer[..answer.len().min(200)]);
        assert!(
            start.starts_with("HTTP/1.1 ") || start.starts_with("HTTP/1.0 "),
            "{start}"
        );
        assert!(!start["HTTP/1.1 ".len()..].starts_with('5'), "{start}");
    }
}
