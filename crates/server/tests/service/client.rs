//! A service under test, and a client that sends exact bytes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;
use server::{Config, Server};
use tokio::sync::oneshot;

/// A board of 80 moves. A search with Manhattan distance alone takes hours.
pub(crate) const HARD: &str = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
/// A board two moves from the goal.
pub(crate) const NEAR: &str = "1 2 3 4/5 6 7 8/9 10 11 12/13 0 14 15";
/// A board of 31 moves.
pub(crate) const EASY: &str = "8 6 7/2 5 4/3 0 1";

/// Only a hang takes this long, even on a busy machine.
pub(crate) const HANG_LIMIT: Duration = Duration::from_secs(600);
/// A time limit in seconds that is never reached. Requests have it too.
pub(crate) const NO_LIMIT: u64 = 3600;

/// A service on its own port. Dropping it stops the service.
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    pub(crate) fn new() -> Service {
        Service::with(|_| {})
    }

    pub(crate) fn with(configure: impl FnOnce(&mut Config)) -> Service {
        let mut config = Config::default();
        config.listen = "127.0.0.1:0".to_owned();
        config.workers = 2;
        let unlimited = Duration::from_secs(NO_LIMIT);
        (config.max_time, config.max_wait) = (unlimited, unlimited);
        (config.head_timeout, config.read_timeout) = (unlimited, unlimited);
        config.grace = Duration::from_millis(100);
        configure(&mut config);
        let (started, address) = std::sync::mpsc::channel();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build();
            runtime.unwrap().block_on(async {
                let server = Server::bind(config).await.unwrap();
                started.send(server.address().unwrap()).unwrap();
                server
                    .run(async {
                        let _ = stopped.await;
                    })
                    .await;
            });
        });
        Service {
            address: address.recv().unwrap(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Sends the stop signal.
    pub(crate) fn begin_to_stop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
    }

    /// Waits until the service has stopped.
    pub(crate) fn wait(&mut self) {
        self.thread.take().unwrap().join().unwrap();
    }

    pub(crate) fn connect(&self) -> Connection {
        let stream = TcpStream::connect(self.address).unwrap();
        // With this limit, no test waits for ever.
        stream.set_read_timeout(Some(HANG_LIMIT)).unwrap();
        Connection(BufReader::new(stream))
    }

    /// Sends one request on a new connection.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let mut connection = self.connect();
        connection.send(method, path, headers, body);
        connection.answer()
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        let json = [("Content-Type", "application/json")];
        self.send("POST", path, &json, body.to_string().as_bytes())
    }

    /// A value of /metrics.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let text = self.get("/metrics").text();
        let mut values = text.lines().filter_map(|line| line.strip_prefix(name));
        let value = values.find_map(|value| value.strip_prefix(' '));
        value.map_or(0.0, |value| value.parse().unwrap())
    }

    pub(crate) fn running(&self) -> f64 {
        self.metric("solver_server_searches_running")
    }

    pub(crate) fn waiting(&self) -> f64 {
        self.metric("solver_server_searches_waiting")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let joined = thread.join();
            assert!(joined.is_ok() || thread::panicking());
        }
    }
}

/// Waits until a condition holds.
#[track_caller]
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < HANG_LIMIT, "never: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A connection.
pub(crate) struct Connection(pub(crate) BufReader<TcpStream>);

impl Connection {
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).unwrap();
    }

    pub(crate) fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: test\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        // An early rejection can close the connection before everything has been sent.
        let stream = self.0.get_mut();
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(body);
    }

    /// Reads the head of an answer.
    pub(crate) fn head(&mut self) -> Answer {
        let status = self.line();
        let status = status.split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let line = self.line();
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(": ").unwrap();
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        Answer {
            status,
            headers,
            body: Vec::new(),
        }
    }

    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The next chunk of a chunked answer; `None` at its end.
    pub(crate) fn chunk(&mut self) -> Option<Vec<u8>> {
        let length = usize::from_str_radix(&self.line(), 16).unwrap();
        let mut chunk = vec![0; length + 2];
        self.0.read_exact(&mut chunk).unwrap();
        chunk.truncate(length);
        (length > 0).then_some(chunk)
    }

    /// Reads a whole answer.
    pub(crate) fn answer(&mut self) -> Answer {
        let mut answer = self.head();
        if answer.header("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = self.chunk() {
                answer.body.extend(chunk);
            }
        } else if let Some(length) = answer.header("content-length") {
            answer.body = vec![0; length.parse().unwrap()];
            self.0.read_exact(&mut answer.body).unwrap();
        }
        answer
    }

    /// The next event of a stream: its name and its data.
    pub(crate) fn event(&mut self) -> Option<(String, Value)> {
        loop {
            let chunk = String::from_utf8(self.chunk()?).unwrap();
            let Some(chunk) = chunk.strip_prefix("event: ") else {
                // A comment that keeps the connection alive.
                assert!(chunk.starts_with(':'), "{chunk}");
                continue;
            };
            let (name, data) = chunk.split_once("\ndata: ").unwrap();
            let data = data.strip_suffix("\n\n").unwrap();
            return Some((name.to_owned(), serde_json::from_str(data).unwrap()));
        }
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(other, _)| other == name)?;
        Some(&found.1)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The JSON object of a successful answer.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }

    /// The JSON lines.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let text = self.text();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Checks status and code of a problem; returns its detail.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, code: &str) -> String {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{text}");
        let kind = Some("application/problem+json");
        assert_eq!(self.header("content-type"), kind);
        let problem = self.json();
        assert_eq!(problem["status"], status);
        assert_eq!(problem["code"], code);
        problem["detail"].as_str().unwrap().to_owned()
    }
}
