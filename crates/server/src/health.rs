//! Health check of a running service, for containers without another HTTP client.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// Time limit for connecting, and for each read.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Asks the service at an address whether it is healthy.
///
/// # Errors
/// The status of the answer if it is not 200, or the reason why there is no answer.
pub fn check_health(listen: SocketAddr) -> Result<(), String> {
    // A service that listens on all addresses is reached at the loopback address.
    let ip = match listen.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    let address = SocketAddr::new(ip, listen.port());
    let status = status(address).map_err(|error| format!("http://{address}/healthz: {error}"))?;
    match status.starts_with("HTTP/1.1 200 ") {
        true => Ok(()),
        false => Err(format!(
            "http://{address}/healthz: expected 200, found `{status}`"
        )),
    }
}

/// The first line of the answer.
fn status(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    write!(
        stream,
        "GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream.take(4096).read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    Ok(answer.lines().next().unwrap_or_default().to_owned())
}
