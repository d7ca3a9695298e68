//! The client of a request, by which limits and turns are shared.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::IpAddr;

use axum::http::HeaderMap;

/// A client, by its address or by what a proxy says of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client(u128);

impl Client {
    /// A client by its address. Of IPv6 the first 64 bits count: the rest is the client's choice.
    pub(crate) fn at(address: IpAddr) -> Client {
        let bits = match address.to_canonical() {
            IpAddr::V4(address) => u128::from(u32::from(address)),
            IpAddr::V6(address) => u128::from(address) >> 64 << 64,
        };
        Client(bits)
    }

    /// A client by its name.
    pub(crate) fn named(name: &[u8]) -> Client {
        let mut hash = DefaultHasher::new();
        name.hash(&mut hash);
        // Not the value of any address.
        Client(u128::from(hash.finish()) | 1 << 100 | 1 << 63)
    }

    /// The name of a client in a header, if it is there. Of a list the last entry counts, which the
    /// proxy next to this service has added; those before are what the client says.
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
