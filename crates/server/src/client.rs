//! Clients of the service. Limits apply per client, and the searches of clients take turns.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::IpAddr;

use axum::http::HeaderMap;

/// A client, identified by its address or by the name in a proxy's header.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client(u128);

impl Client {
    /// The client with an address. Only the first 64 bits of an IPv6 address are used, because a
    /// client can choose the other 64.
    pub(crate) fn at(address: IpAddr) -> Client {
        let bits = match address.to_canonical() {
            IpAddr::V4(address) => u128::from(u32::from(address)),
            IpAddr::V6(address) => u128::from(address) >> 64 << 64,
        };
        Client(bits)
    }

    /// Identifies a client by its name.
    pub(crate) fn named(name: &[u8]) -> Client {
        let mut hash = DefaultHasher::new();
        name.hash(&mut hash);
        // No address has both bit 63 and bit 100 set, so no name is mistaken for an address.
        Client(u128::from(hash.finish()) | 1 << 100 | 1 << 63)
    }

    /// The name of a client in a header. If the header is a list, its last entry is the name: the
    /// trusted proxy added that entry, but the client can write the earlier ones.
    pub(crate) fn name<'a>(headers: &'a HeaderMap, header: &str) -> Option<&'a [u8]> {
        let value = headers.get_all(header).iter().next_back()?;
        let name = value.as_bytes().rsplit(|byte| *byte == b',').next()?;
        Some(name.trim_ascii())
    }

    #[cfg(test)]
    pub(crate) fn number(number: u128) -> Client {
        Client(number)
    }
}
