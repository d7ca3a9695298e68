//! Request log: one line per request, written after the last byte of the answer.

use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, HttpBody};
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::Method;
use axum::http::header::CONTENT_LENGTH;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http_body::{Frame, SizeHint};

use crate::client::Client;
use crate::config::Config;
use crate::headers::{self, REQUEST_ID};
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::timed_stream::Socket;

/// Maximum length of a request id that the client sets.
const LONGEST_ID: usize = 64;

pub(crate) struct Log {
    metrics: Arc<Metrics>,
    client_header: Option<String>,
    requests: AtomicU64,
    /// First part of request ids; differs between processes.
    start: u32,
}

impl Log {
    pub(crate) fn new(config: &Config, metrics: &Arc<Metrics>) -> Arc<Log> {
        Arc::new(Log {
            metrics: Arc::clone(metrics),
            client_header: config.client_header.clone(),
            requests: AtomicU64::new(0),
            start: RandomState::new().hash_one(0) as u32,
        })
    }

    /// Creates the [`Call`] of a request, with the client, the connection and the log of the
    /// request.
    fn begin(&self, request: &Request, peer: Peer) -> Call {
        let header = self.client_header.as_deref();
        let name = header.and_then(|header| Client::name(request.headers(), header));
        let plain_name = name.and_then(|name| plain(std::str::from_utf8(name).ok()?));
        // Uses the request id of the client or, without one, a new id.
        let given = request.headers().get(&REQUEST_ID);
        let given = given.and_then(|id| plain(id.to_str().ok()?));
        let id = given.unwrap_or_else(|| {
            let number = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
            format!("{:08x}-{number}", self.start)
        });
        let route = request.extensions().get::<MatchedPath>();
        let log = RequestLog {
            metrics: Arc::clone(&self.metrics),
            id,
            client: plain_name.unwrap_or_else(|| peer.address.to_string()),
            method: method_name(request.method()),
            // Unknown paths are not logged as routes: clients could invent any number of them.
            route: route.map_or("none", |route| route.as_str()).to_owned(),
            begun: Instant::now(),
            status: AtomicU16::new(0),
            boards: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            is_whole: AtomicBool::new(false),
        };
        Call {
            client: name.map_or_else(|| Client::at(peer.address), Client::named),
            socket: peer.socket,
            log: Arc::new(log),
        }
    }
}

/// The peer of a connection.
#[derive(Clone)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    pub(crate) socket: Socket,
}

#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) client: Client,
    pub(crate) socket: Socket,
    pub(crate) log: Arc<RequestLog>,
}

impl<S: Sync> FromRequestParts<S> for Call {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Call, Problem> {
        // The server inserts the `Call` before any handler runs.
        parts.extensions.get().cloned().ok_or_else(Problem::defect)
    }
}

pub(crate) struct RequestLog {
    metrics: Arc<Metrics>,
    id: String,
    /// The client's address, or its name in the proxy's header.
    client: String,
    method: &'static str,
    route: String,
    begun: Instant,
    status: AtomicU16,
    boards: AtomicU64,
    nodes: AtomicU64,
    /// Whether the whole answer was handed to the connection.
    is_whole: AtomicBool,
}

/// Milliseconds, rounded to a thousandth.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

impl RequestLog {
    /// Adds answered boards, and the nodes of their searches.
    pub(crate) fn add(&self, boards: u64, nodes: u64) {
        self.boards.fetch_add(boards, Ordering::Relaxed);
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }
}

impl Drop for RequestLog {
    fn drop(&mut self) {
        let status = self.status.load(Ordering::Relaxed);
        self.metrics.request(&self.route, self.method, status);
        let end = match self.is_whole.load(Ordering::Relaxed) {
            true => "whole",
            // The client disconnected, or the service is stopping.
            false => "cut",
        };
        macro_rules! line {
            ($level:ident) => {
                tracing::$level!(
                    id = self.id,
                    client = self.client,
                    method = self.method,
                    route = self.route,
                    status,
                    ms = milliseconds(self.begun.elapsed()),
                    boards = self.boards.load(Ordering::Relaxed),
                    nodes = self.nodes.load(Ordering::Relaxed),
                    end,
                    "request"
                )
            };
        }
        // Monitoring systems request these routes every few seconds.
        match &*self.route {
            "/healthz" | "/readyz" | "/metrics" => line!(debug),
            _ => line!(info),
        }
    }
}

fn plain(text: &str) -> Option<String> {
    let is_plain = |sign: u8| sign.is_ascii_alphanumeric() || b"-_.:/+=@".contains(&sign);
    let is_short = (1..=LONGEST_ID).contains(&text.len());
    (is_short && text.bytes().all(is_plain)).then(|| text.to_owned())
}

/// Assigns a request id, and logs the request at its end.
pub(crate) async fn log(State(all): State<Arc<Log>>, mut request: Request, next: Next) -> Response {
    let Some(peer) = request.extensions_mut().remove::<Peer>() else {
        return Problem::defect().into_response();
    };
    let call = all.begin(&request, peer);
    let log = Arc::clone(&call.log);
    request.extensions_mut().insert(call);
    let mut response = next.run(request).await;
    headers::set(&mut response, REQUEST_ID, &log.id);
    log.status
        .store(response.status().as_u16(), Ordering::Relaxed);
    let length = response.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    response.map(|inner| {
        if inner.is_end_stream() || log.method == "HEAD" {
            log.is_whole.store(true, Ordering::Relaxed);
        }
        let left = inner.size_hint().exact().or(length);
        Body::new(LoggedBody { inner, left, log })
    })
}

fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// A body that records its end.
struct LoggedBody {
    inner: Body,
    /// Bytes left to send, if known. At 0 the answer is complete, because the server does not poll
    /// the body again.
    left: Option<u64>,
    log: Arc<RequestLog>,
}

impl HttpBody for LoggedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.inner).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            let sent = frame.data_ref().map_or(0, |data| data.len() as u64);
            self.left = self.left.map(|left| left.saturating_sub(sent));
        }
        let is_end = matches!(polled, Poll::Ready(None)) || self.left == Some(0);
        if is_end {
            self.log.is_whole.store(true, Ordering::Relaxed);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
