//! Health check of a running service, for containers without another HTTP client.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// Time limit for connecting, and for each read.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum number of bytes of the answer that are read.
const ANSWER: u64 = 4096;

/// Asks the service at an address whether it is healthy.
///
/// # Errors
/// The answer if it is not 200, or the reason why there is no answer.
pub fn check_health(listen: SocketAddr) -> Result<(), String> {
    // A service that listens on all addresses is reached at the loopback address.
    let ip = match listen.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    let address = SocketAddr::new(ip, listen.port());
    let failed = |error: std::io::Error| format!("http://{address}/healthz: {error}");
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT).map_err(failed)?;
    stream.set_read_timeout(Some(TIMEOUT)).map_err(failed)?;
    stream.set_write_timeout(Some(TIMEOUT)).map_err(failed)?;
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(failed)?;
    let mut answer = Vec::new();
    let read = stream.take(ANSWER).read_to_end(&mut answer);
    read.map_err(failed)?;
    let answer = String::from_utf8_lossy(&answer);
    let status = answer.lines().next().unwrap_or_default();
    match status.starts_with("HTTP/1.1 200 ") {
        true => Ok(()),
        false => Err(format!(
            "http://{address}/healthz: expected 200, found `{status}`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// The result of a health check that receives this answer.
    fn checked(answer: &'static str) -> Result<(), String> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let service = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 1024];
            let read = stream.read(&mut request).unwrap();
            assert!(request[..read].starts_with(b"GET /healthz HTTP/1.1\r\n"));
            stream.write_all(answer.as_bytes()).unwrap();
        });
        let any = SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), address.port());
        let result = check_health(any);
        service.join().unwrap();
        result
    }

    #[test]
    fn only_status_200_is_healthy() {
        assert_eq!(
            checked("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
            Ok(())
        );
        let stopping = checked("HTTP/1.1 503 Service Unavailable\r\n\r\n").unwrap_err();
        assert!(stopping.contains("503"), "{stopping}");
        assert!(checked("").is_err());
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
        assert!(check_health(free.unwrap()).is_err());
    }
}
