//! Connections: accepting, limits, timeouts and shutdown.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use puzzle::Goal;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tower_service::Service as _;

use crate::api::health_text;
use crate::app::App;
use crate::client::Client;
use crate::config::{Config, time};
use crate::lock::lock;
use crate::log::Peer;
use crate::metrics::Rejection;
use crate::places::Places;
use crate::problem::Problem;
use crate::queue::yield_to_others;
use crate::router::{MAX_BUFFER, router};
use crate::timed_stream::TimedStream;

const MAX_HEADERS: usize = 100;
/// Maximum number of connections beyond the limit that are answered at the same time. Further
/// connections are closed without an answer.
const MAX_REFUSALS: usize = 64;
/// Like [`MAX_REFUSALS`], for the connections of one client.
const MAX_REFUSALS_PER_CLIENT: usize = 4;
/// Time limit for the answer on a rejected connection.
const REFUSAL: Duration = Duration::from_secs(1);
/// Time limit for the first bytes of a request on a rejected connection.
const REFUSED_HEAD: Duration = Duration::from_millis(500);
/// Time in which a client that is still sending can read the rejection. Closing a connection with
/// unread bytes would discard the answer.
const LINGER: Duration = Duration::from_secs(1);
/// Maximum number of bytes read from the client during [`LINGER`].
const MAX_UNREAD: usize = 4 << 20;
/// Time for searches to end after they are cancelled.
const LAST: Duration = Duration::from_secs(2);
/// Time until the next attempt if the system cannot accept a connection, for example because no
/// file descriptor is free.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// A listening service.
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
    /// Starts the search threads, and listens.
    ///
    /// # Errors
    /// The address, or a configured directory, file or option, cannot be used.
    pub async fn bind(config: Config) -> Result<Server, String> {
        let address = config.listen;
        let app = tokio::task::spawn_blocking(|| App::new(config)).await;
        let app = Arc::new(app.map_err(|error| error.to_string())??);
        let router = router(&app)?;
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|error| format!("--listen {address}: {error}"))?;
        Ok(Server {
            app,
            listener,
            router,
        })
    }

    /// The address on which the service listens.
    ///
    /// # Errors
    /// The system does not report the address.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until [`Config::drain`] seconds after `stop` completes. Then waits for
    /// running requests, and cancels them after [`Config::grace`] seconds.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let app = &self.app;
        warm_up(app);
        let connections = Connections::new(app, self.router);
        let mut stop = pin!(async {
            stop.await;
            app.is_stopping.store(true, Ordering::Relaxed);
            tracing::info!("stopping");
            sleep(Duration::from_secs(app.config.drain)).await;
        });
        loop {
            tokio::select! {
                biased;
                () = &mut stop => break,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, peer)) => connections.take(stream, peer),
                    Err(error) => {
                        tracing::warn!(%error, "cannot accept a connection");
                        sleep(ACCEPT_AGAIN).await;
                    }
                },
            }
        }
        drop(self.listener);
        app.searches.begin_closing();
        let grace = time(app.config.grace);
        let mut ended = pin!(connections.end());
        if timeout(grace, &mut ended).await.is_err() {
            tracing::info!("cancelling the remaining searches");
            app.cancel.cancel();
            app.searches.close();
            let _ = timeout(LAST, ended).await;
        }
        app.cancel.cancel();
        app.searches.close();
        tracing::info!("stopped");
    }
}

/// Opens the tables of common requests in advance, on a thread with the low priority of searches.
/// The threads that build the tables inherit this priority.
fn warm_up(app: &Arc<App>) {
    let shared = Arc::clone(app);
    let started = std::thread::Builder::new().spawn(move || {
        yield_to_others(shared.config.nice);
        for size in ["4x4", "3x3"] {
            let Ok(goal) = Goal::parse("blank-last", size.parse().ok()) else {
                continue;
            };
            let (solvers, cancel) = (&shared.solvers, &shared.cancel);
            if let Err(problem) = solvers.open(&goal, &Default::default(), cancel) {
                tracing::warn!(size, problem = problem.detail, "cannot open tables");
            }
        }
        shared.is_warm.store(true, Ordering::Relaxed);
    });
    if let Err(error) = started {
        tracing::warn!(%error, "cannot open tables in advance; they are opened on demand");
        app.is_warm.store(true, Ordering::Relaxed);
    }
}

struct Connections {
    app: Arc<App>,
    router: Router,
    http: http1::Builder,
    graceful: GracefulShutdown,
    /// Places for connections that exceed `App::connections`.
    refusals: Arc<Mutex<Places>>,
    /// Closed when all connections must end immediately.
    ended: watch::Sender<()>,
}

struct Place {
    client: Client,
    places: Arc<Mutex<Places>>,
}

impl Place {
    fn take(places: &Arc<Mutex<Places>>, client: Client) -> Option<Place> {
        lock(places).take(client).ok()?;
        let places = Arc::clone(places);
        Some(Place { client, places })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.places).free(self.client);
    }
}

impl Connections {
    fn new(app: &Arc<App>, router: Router) -> Connections {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(time(app.config.head_timeout))
            .max_buf_size(MAX_BUFFER)
            .max_headers(MAX_HEADERS);
        let refusals = Places::of_connections(&app.config, MAX_REFUSALS, MAX_REFUSALS_PER_CLIENT);
        Connections {
            app: Arc::clone(app),
            router,
            http,
            graceful: GracefulShutdown::new(),
            refusals: Arc::new(Mutex::new(refusals)),
            ended: watch::Sender::new(()),
        }
    }

    fn take(&self, stream: TcpStream, peer: SocketAddr) {
        let client = Client::at(peer.ip());
        let Some(place) = Place::take(&self.app.connections, client) else {
            return self.refuse(stream, client);
        };
        // Each answer is written in one piece, so the system need not wait for more bytes before
        // sending it.
        let _ = stream.set_nodelay(true);
        let write_timeout = time(self.app.config.write_timeout);
        let stream = TimedStream::new(stream, write_timeout);
        let (router, socket) = (self.router.clone(), stream.socket());
        let peer = Peer {
            address: peer.ip(),
            socket: socket.clone(),
        };
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(peer.clone());
            router.clone().call(request)
        });
        let connection = self.http.serve_connection(TokioIo::new(stream), service);
        let connection = self.graceful.watch(connection);
        let mut ended = self.ended.subscribe();
        tokio::spawn(async move {
            let _place = place;
            tokio::select! {
                result = connection => {
                    if let Err(error) = result {
                        tracing::debug!(%error, "a connection broke");
                    }
                    let _ = timeout(LINGER, socket.drain(MAX_UNREAD)).await;
                }
                _ = ended.changed() => {}
            }
        });
    }

    /// Answers one request on a connection that exceeds the limits: a health check with 200, any
    /// other request with 429.
    fn refuse(&self, mut stream: TcpStream, client: Client) {
        let Some(place) = Place::take(&self.refusals, client) else {
            return self.app.metrics.reject(Rejection::Connections);
        };
        let app = Arc::clone(&self.app);
        tokio::spawn(async move {
            let _place = place;
            let answer = async {
                let mut head = [0; 1024];
                let read = timeout(REFUSED_HEAD, stream.read(&mut head)).await;
                let head = &head[..read.map_or(Ok(0), |read| read)?];
                let text = match head.starts_with(b"GET /healthz ") {
                    true => last_answer("200 OK", "application/json", "", &health_text()),
                    false => {
                        app.metrics.reject(Rejection::Connections);
                        let problem = Problem::busy("too many connections: try again later", 1);
                        let kind = "application/problem+json";
                        let again = "Retry-After: 1\r\n";
                        last_answer("429 Too Many Requests", kind, again, &problem.to_line())
                    }
                };
                stream.write_all(text.as_bytes()).await?;
                stream.shutdown().await?;
                // Reads the rest of the request until the client closes the connection. If the
                // server closed it before all received bytes are read, the answer would be lost.
                let mut unread = [0; 1024];
                while stream.read(&mut unread).await? > 0 {}
                Ok::<_, std::io::Error>(())
            };
            let _ = timeout(REFUSAL, answer).await;
        });
    }

    /// Waits until all connections have ended. Dropping the future ends the remaining connections.
    async fn end(self) {
        self.graceful.shutdown().await;
    }
}

/// An answer that closes the connection.
fn last_answer(status: &str, kind: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{headers}\
         Connection: close\r\n\r\n{body}"
    )
}
