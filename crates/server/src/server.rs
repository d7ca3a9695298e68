//! Connections: accepted, bounded, timed, and ended.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use crate::app::{App, router};
use crate::client::Client;
use crate::config::{Config, time};
use crate::metrics::Rejection;
use crate::timed_stream::TimedStream;

/// The most bytes of a request's head, and of what is read ahead of its body.
const MAX_BUFFER: usize = 64 << 10;
/// The most headers of a request.
const MAX_HEADERS: usize = 100;
/// Connections that are told at once that there are too many; others are just closed.
const MAX_REFUSALS: usize = 64;
/// The longest that one of them takes.
const REFUSAL: Duration = Duration::from_secs(1);
/// The longest that a client which is still sending has to read why it is refused: closing with
/// bytes unread would take the answer back.
const LINGER: Duration = Duration::from_secs(1);
/// The most bytes that are read from it meanwhile.
const MAX_UNREAD: usize = 4 << 20;
/// Time that searches have to end after they were cancelled.
const LAST: Duration = Duration::from_secs(2);
/// Time until the next try when the system gives no connection, such as for want of files.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// The service, listening.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    router: Router,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("listener", &self.listener)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// Starts the threads of searches, and listens.
    ///
    /// # Errors
    /// A line that says what the configuration names and cannot be had.
    pub async fn bind(config: Config) -> Result<Server, String> {
        let address = config.listen;
        let app = tokio::task::spawn_blocking(|| App::new(config)).await;
        let app = Arc::new(app.map_err(|error| error.to_string())??);
        let (router, _) = router(&app)?;
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|error| format!("--listen {address}: {error}"))?;
        Ok(Server {
            app,
            listener,
            router,
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// The system does not say.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until `stop` is done, then lets those that were begun end, and cancels what
    /// takes longer than [`Config::grace`].
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Server {
            app,
            listener,
            router,
        } = self;
        warm_up(&app);
        let connections = Connections::new(&app, router);
        let mut stop = pin!(stop);
        loop {
            tokio::select! {
                biased;
                () = &mut stop => break,
                accepted = listener.accept() => match accepted {
                    Ok((stream, peer)) => connections.take(stream, peer),
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be accepted");
                        sleep(ACCEPT_AGAIN).await;
                    }
                },
            }
        }
        drop(listener);
        app.searches.begin_closing();
        tracing::info!("stopping");
        let grace = time(app.config.grace);
        let mut ended = pin!(connections.end());
        if timeout(grace, &mut ended).await.is_err() {
            tracing::info!("cancelling what is left");
            app.cancel.cancel();
            app.searches.close();
            let _ = timeout(LAST, ended).await;
        }
        app.cancel.cancel();
        app.searches.close();
        tracing::info!("stopped");
    }
}

/// Opens the tables that most requests need, so that none waits for them.
fn warm_up(app: &Arc<App>) {
    let app = Arc::clone(app);
    tokio::task::spawn_blocking(move || {
        for size in ["4x4", "3x3"] {
            let goal = puzzle::Goal::parse("blank-last", size.parse().ok());
            let Ok(goal) = goal else { continue };
            if let Err(problem) = app
                .solvers
                .open(&goal, puzzle::Metric::Single, None, &app.cancel)
            {
                tracing::warn!(size, problem = problem.detail, "tables could not be opened");
            }
        }
    });
}

/// All connections.
struct Connections {
    app: Arc<App>,
    router: Router,
    http: http1::Builder,
    graceful: GracefulShutdown,
    room: Arc<Semaphore>,
    refusals: Arc<Semaphore>,
    by_client: Arc<Mutex<HashMap<Client, usize>>>,
    /// Closed when the connections must end at once.
    ended: watch::Sender<()>,
}

/// What a connection holds while it is open.
struct Held {
    app: Arc<App>,
    client: Client,
    by_client: Arc<Mutex<HashMap<Client, usize>>>,
    _room: OwnedSemaphorePermit,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.app.metrics.connections.dec();
        let mut by_client = self
            .by_client
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = by_client.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                by_client.remove(&self.client);
            }
        }
    }
}

impl Connections {
    fn new(app: &Arc<App>, router: Router) -> Connections {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(time(app.config.head_timeout))
            .max_buf_size(MAX_BUFFER)
            .max_headers(MAX_HEADERS);
        Connections {
            app: Arc::clone(app),
            router,
            http,
            graceful: GracefulShutdown::new(),
            room: Arc::new(Semaphore::new(app.config.max_connections)),
            refusals: Arc::new(Semaphore::new(MAX_REFUSALS)),
            by_client: Arc::default(),
            ended: watch::Sender::new(()),
        }
    }

    /// Serves a connection, if there is room for it.
    fn take(&self, stream: TcpStream, peer: SocketAddr) {
        let client = Client::at(peer.ip());
        let Some(held) = self.hold(client) else {
            return self.refuse(stream);
        };
        // Answers are written whole, and small ones should not wait.
        let _ = stream.set_nodelay(true);
        let write_timeout = time(self.app.config.write_timeout);
        let stream = TimedStream::new(stream, write_timeout);
        let (router, presence) = (self.router.clone(), stream.presence());
        let other_side = presence.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let mut router = router.clone();
            let mut request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(client);
            request.extensions_mut().insert(presence.clone());
            async move {
                let response: Result<Response, Infallible> =
                    tower_service::Service::call(&mut router, request).await;
                response
            }
        });
        let connection = self.http.serve_connection(TokioIo::new(stream), service);
        let connection = self.graceful.watch(connection);
        let mut ended = self.ended.subscribe();
        tokio::spawn(async move {
            let _held = held;
            tokio::select! {
                result = connection => {
                    if let Err(error) = result {
                        tracing::debug!(%error, "a connection broke");
                    }
                    let _ = timeout(LINGER, other_side.drain(MAX_UNREAD)).await;
                }
                _ = ended.changed() => {}
            }
        });
    }

    fn hold(&self, client: Client) -> Option<Held> {
        let config = &self.app.config;
        let room = Arc::clone(&self.room).try_acquire_owned().ok()?;
        let mut by_client = self
            .by_client
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let count = by_client.entry(client).or_default();
        // Behind a proxy all connections are from one address.
        if *count >= config.max_connections_per_client && config.client_header.is_none() {
            return None;
        }
        *count += 1;
        drop(by_client);
        self.app.metrics.connections.inc();
        Some(Held {
            app: Arc::clone(&self.app),
            client,
            by_client: Arc::clone(&self.by_client),
            _room: room,
        })
    }

    /// Says that there are too many connections, if that takes no more than a moment.
    fn refuse(&self, mut stream: TcpStream) {
        self.app.metrics.reject(Rejection::Connections);
        let Ok(room) = Arc::clone(&self.refusals).try_acquire_owned() else {
            return;
        };
        tokio::spawn(async move {
            let _room = room;
            let refuse = async {
                stream.write_all(TOO_MANY.as_bytes()).await?;
                stream.shutdown().await?;
                // Until the client has read it: closing with bytes unread would take it back.
                let mut unread = [0; 1024];
                while stream.read(&mut unread).await? > 0 {}
                Ok::<_, std::io::Error>(())
            };
            let _ = timeout(REFUSAL, refuse).await;
        });
    }

    /// Waits until all connections have ended.
    async fn end(self) {
        let Connections {
            graceful, ended, ..
        } = self;
        graceful.shutdown().await;
        drop(ended);
    }
}

const TOO_MANY: &str = "HTTP/1.1 429 Too Many Requests\r\n\
    Content-Type: application/problem+json\r\n\
    Content-Length: 143\r\n\
    Retry-After: 1\r\n\
    Connection: close\r\n\
    \r\n\
    {\"type\":\"about:blank\",\"title\":\"Too Many Requests\",\"status\":429,\
    \"detail\":\"too many connections: try again later\",\"code\":\"busy\",\"retry_after\":1}\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_has_the_length_that_it_says() {
        let (head, body) = TOO_MANY.split_once("\r\n\r\n").unwrap();
        assert!(
            head.contains(&format!("Content-Length: {}\r\n", body.len())),
            "{}",
            body.len()
        );
        assert!(serde_json::from_str::<serde_json::Value>(body).is_ok());
    }
}
