//! Senders of requests. Limits apply per client, and the searches of clients take turns.

use std::io::{Error, ErrorKind};
use std::net::{IpAddr, Ipv6Addr};
use std::os::fd::AsFd as _;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use tokio::io::Interest;
use tokio::net::TcpStream;

use crate::problem::Problem;

/// Maximum length of a client's name, in characters.
const LONGEST_NAME: usize = 64;

/// The name of a client: its address, or its name in a proxy's header.
pub(crate) type Client = Arc<str>;

/// The other end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    address: IpAddr,
    /// The header in which a trusted proxy names the client.
    header: Option<String>,
    /// A second handle of the connection, which is never read.
    watch: Option<Arc<TcpStream>>,
}

impl Peer {
    pub(crate) fn new(stream: &TcpStream, address: IpAddr, header: Option<String>) -> Peer {
        let copy = stream.as_fd().try_clone_to_owned();
        let watch = copy.and_then(|handle| TcpStream::from_std(handle.into()));
        Peer {
            address: address.to_canonical(),
            header,
            watch: watch.ok().map(Arc::new),
        }
    }

    /// The client of a request. Of an IPv6 address only the first 64 bits are used, because a
    /// client can choose the others. If the header is a list, its last entry is the name: the
    /// trusted proxy added that entry, but the client can write the earlier ones.
    pub(crate) fn client(&self, headers: &HeaderMap) -> Client {
        let header = self.header.as_ref();
        let value = header.and_then(|name| headers.get_all(name).iter().next_back());
        let name = value.and_then(|value| value.as_bytes().rsplit(|byte| *byte == b',').next());
        let name = match (name, self.address) {
            (Some(name), _) => String::from_utf8_lossy(name.trim_ascii()).into_owned(),
            (None, IpAddr::V6(address)) => {
                Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).to_string()
            }
            (None, address) => address.to_string(),
        };
        name.chars().take(LONGEST_NAME).collect::<String>().into()
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
            let unread = || Err::<(), _>(Error::from(ErrorKind::WouldBlock));
            let _ = watch.try_io(Interest::READABLE, unread);
        }
    }
}

/// The sender of a request.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) client: Client,
    pub(crate) peer: Peer,
}

impl<S: Sync> FromRequestParts<S> for Call {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Call, Problem> {
        // The server inserts the peer before any handler runs.
        let peer = parts.extensions.get::<Peer>().cloned();
        let peer = peer.ok_or_else(Problem::defect)?;
        let client = peer.client(&parts.headers);
        Ok(Call { client, peer })
    }
}
