//! Connections: accepting, limits, timeouts and shutdown.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::routing::get;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use session::request::Open;
use session::{Control, Request as Question, lock};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tower::ServiceExt as _;

use crate::app::App;
use crate::body::Problem;
use crate::config::Config;
use crate::queue::{Client, yield_to_others};
use crate::router::{health, router};

/// Maximum bytes of a request head.
const MAX_HEAD: usize = 64 << 10;
const MAX_HEADERS: usize = 100;
/// Maximum length of a client's name, in characters.
const LONGEST_NAME: usize = 64;
/// Maximum number of connections beyond the limit that are answered at the same time. Further
/// connections are closed without an answer.
const MAX_REFUSALS: usize = 64;
/// Time for the head of a request on a connection beyond the limit.
const REFUSED_HEAD: Duration = Duration::from_millis(500);
/// Time for searches to end after they are cancelled.
const LAST: Duration = Duration::from_secs(2);

/// A listening service.
#[allow(missing_debug_implementations, reason = "it has no useful text")]
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    router: Router,
}

impl Server {
    /// Starts the search threads, and listens.
    ///
    /// # Errors
    /// The address, or a configured directory, file or option, cannot be used.
    pub async fn bind(config: Config) -> Result<Server, String> {
        let address = config.listen.clone();
        let app = App::new(config).map_err(|error| format!("cannot start threads: {error}"))?;
        let app = Arc::new(app);
        let router = router(&app)?;
        let listener = TcpListener::bind(&address).await;
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
    /// running requests, and cancels them after [`Config::grace`].
    pub async fn run(mut self, stop: impl Future<Output = ()>) {
        let app = &self.app;
        warm_up(app);
        let graceful = GracefulShutdown::new();
        let mut stop = pin!(async {
            stop.await;
            *lock(&app.unready) = Some("stopping");
            tracing::info!("stopping");
            sleep(Duration::from_secs(app.config.drain)).await;
        });
        loop {
            tokio::select! {
                biased;
                () = &mut stop => break,
                // It waits if the system cannot accept a connection.
                (stream, peer) = Listener::accept(&mut self.listener) => {
                    self.serve(stream, peer.ip(), &graceful);
                }
            }
        }
        drop(self.listener);
        app.searches.begin_closing();
        let mut ended = pin!(graceful.shutdown());
        if timeout(app.config.grace, &mut ended).await.is_err() {
            tracing::info!("cancelling the remaining searches");
            app.searches.close();
            let _ = timeout(LAST, ended).await;
        }
        app.cancel.cancel();
        app.searches.close();
        tracing::info!("stopped");
    }
    /// Answers the requests of a connection. Beyond the limit of connections, one request is
    /// answered: a health check with 200, others with 429.
    fn serve(&self, stream: TcpStream, address: IpAddr, graceful: &GracefulShutdown) {
        let app = &self.app;
        let open = Arc::clone(&app.connections);
        // The state has one of the copies, and this function another one.
        let number = Arc::strong_count(&open) - 1;
        if number > app.config.max_connections + MAX_REFUSALS {
            return;
        }
        let is_refused = number > app.config.max_connections;
        let (router, head_timeout) = match is_refused {
            true => (refusals(), REFUSED_HEAD),
            false => (self.router.clone(), app.config.head_timeout),
        };
        // Each answer is written in one piece, so the system need not wait for more bytes.
        let _ = stream.set_nodelay(true);
        let header = app.config.client_header.clone();
        let service = router.map_request(move |mut request: Request<Incoming>| {
            let client = client(request.headers(), header.as_deref(), address);
            request.extensions_mut().insert(client);
            request.map(Body::new)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(head_timeout)
            .keep_alive(!is_refused)
            .max_buf_size(MAX_HEAD)
            .max_headers(MAX_HEADERS)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _open = open;
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke");
            }
        });
    }
}

/// The client of a request. Of an IPv6 address only the first 64 bits are used, because a client
/// can choose the others. If the header is a list, its last entry is the name: the trusted proxy
/// added that entry, but the client can write the earlier ones.
fn client(headers: &HeaderMap, header: Option<&str>, address: IpAddr) -> Client {
    let value = header.and_then(|name| headers.get_all(name).iter().next_back());
    let name = value.and_then(|value| value.as_bytes().rsplit(|byte| *byte == b',').next());
    let name = match (name, address.to_canonical()) {
        (Some(name), _) => String::from_utf8_lossy(name.trim_ascii()).into_owned(),
        (None, IpAddr::V6(address)) => {
            Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).to_string()
        }
        (None, address) => address.to_string(),
    };
    let short: String = name.chars().take(LONGEST_NAME).collect();
    short.into()
}

/// The routes of connections beyond the limit.
fn refusals() -> Router {
    let busy = || async { Problem::busy("too many connections are open") };
    Router::new()
        .route("/healthz", get(async || health()))
        .fallback(busy)
}

/// Opens the tables of common requests in advance, on a thread with the low priority of searches.
/// The threads that build the tables inherit this priority.
fn warm_up(app: &Arc<App>) {
    let shared = Arc::clone(app);
    std::thread::spawn(move || {
        yield_to_others(shared.config.nice);
        for size in ["4x4", "3x3"] {
            let mut open = Open::default();
            open.place.size = size.parse().ok();
            let control = Control::stopped_by(&shared.cancel);
            if let Err(failure) = shared.session.call(&Question::Open(open), &control) {
                tracing::warn!(size, %failure, "cannot open tables");
            }
        }
        let mut unready = lock(&shared.unready);
        *unready = unready.filter(|state| *state != "starting");
    });
}
