//! Clients of the service. Limits apply per client, and the searches of clients take turns.

use std::fmt;
use std::io::{Error, ErrorKind};
use std::net::{IpAddr, Ipv6Addr};
use std::os::fd::AsFd as _;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use tokio::io::Interest;
use tokio::net::TcpStream;

use crate::app::App;
use crate::problem::Problem;

/// Maximum length of a client's name, in characters.
const LONGEST_NAME: usize = 64;

/// A client: its address, or its name in a proxy's header.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client(Arc<str>);

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Client {
    fn from(name: &str) -> Client {
        Client(name.into())
    }
}

impl Client {
    /// The client of a request. Of an IPv6 address only the first 64 bits are used, because a
    /// client can choose the others. If the header is a list, its last entry is the name: the
    /// trusted proxy added that entry, but the client can write the earlier ones.
    pub(crate) fn of(headers: &HeaderMap, header: Option<&str>, address: IpAddr) -> Client {
        let value = header.and_then(|name| headers.get_all(name).iter().next_back());
        let name = value.and_then(|value| value.as_bytes().rsplit(|byte| *byte == b',').next());
        let name = match (name, address.to_canonical()) {
            (Some(name), _) => String::from_utf8_lossy(name.trim_ascii()).into_owned(),
            (None, IpAddr::V6(address)) => {
                format!("{}/64", Ipv6Addr::from_bits(address.to_bits() >> 64 << 64))
            }
            (None, address) => address.to_string(),
        };
        let short: String = name.chars().take(LONGEST_NAME).collect();
        Client::from(&*short)
    }
}

/// The other end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    /// A second handle of the connection, which is never read.
    watch: Option<Arc<TcpStream>>,
}

impl Peer {
    pub(crate) fn new(stream: &TcpStream, address: IpAddr) -> Peer {
        let copy = stream.as_fd().try_clone_to_owned();
        let copy = copy.and_then(|handle| TcpStream::from_std(handle.into()));
        Peer {
            address,
            watch: copy.ok().map(Arc::new),
        }
    }

    /// Completes when the peer has closed the connection, or its direction to the service. hyper
    /// does not detect this while bytes of the peer are unread, such as a pipelined request.
    pub(crate) async fn gone(&self) {
        let Some(watch) = &self.watch else {
            return std::future::pending().await;
        };
        while let Ok(ready) = watch.ready(Interest::READABLE).await {
            if ready.is_read_closed() {
                return;
            }
            // Waits for the next event.
            let _ = watch.try_io(Interest::READABLE, || {
                Err::<(), _>(Error::from(ErrorKind::WouldBlock))
            });
        }
    }
}

/// The sender of a request.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) client: Client,
    pub(crate) peer: Peer,
}

impl FromRequestParts<Arc<App>> for Call {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Call, Problem> {
        // The server inserts the peer before any handler runs.
        let peer = parts.extensions.get::<Peer>().cloned();
        let peer = peer.ok_or_else(Problem::defect)?;
        let header = app.config.client_header.as_deref();
        Ok(Call {
            client: Client::of(&parts.headers, header, peer.address),
            peer,
        })
    }
}
