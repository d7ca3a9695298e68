//! Connection to a partner: timely reads from it and writes to it. The bytes are counted here. The
//! end of the connection is also handled here, because timely itself can panic when a connection
//! ends.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::cluster::{Cluster, wait_for_end};

/// A connection to a partner.
pub(crate) struct Wire {
    stream: TcpStream,
    cluster: Arc<Cluster>,
    partner: usize,
}

/// Maximum time that this process needs to finish after a partner has finished and closed its
/// connection.
const GRACE: Duration = Duration::from_millis(1000);
/// Time between two checks of whether this process has finished.
const INTERVAL: Duration = Duration::from_millis(10);

impl Wire {
    pub(crate) fn new(stream: TcpStream, cluster: Arc<Cluster>, partner: usize) -> Self {
        if stream.peer_addr().is_ok_and(|peer| peer.ip().is_loopback()) {
            cluster.set_near(partner);
        }
        Wire {
            stream,
            cluster,
            partner,
        }
    }

    /// Handles the end of the connection. Returns if the build is finished. Otherwise the partner
    /// is lost, and the calling thread, which belongs to timely, waits until the process ends.
    fn closed(&self, how: &str) {
        for _ in 0..GRACE.as_millis() / INTERVAL.as_millis() {
            if self.cluster.is_finished() {
                return;
            }
            std::thread::sleep(INTERVAL);
        }
        self.cluster.lost(self.partner, how);
        wait_for_end();
    }
}

impl Read for Wire {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(bytes) {
                Ok(0) => self.closed("has closed the connection"),
                Ok(count) => {
                    self.cluster.hear(self.partner, count);
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => self.closed(&format!("is lost: {error}")),
            }
            return Ok(0);
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Ok(count) => {
                self.cluster.count_sent(count);
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.closed(&format!("is lost: {error}"));
                // `closed` returns only if the build is finished. These bytes are no longer needed.
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Self> {
        let stream = self.stream.try_clone()?;
        Ok(Wire::new(stream, Arc::clone(&self.cluster), self.partner))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        match self.stream.shutdown(how) {
            // The partner has closed the connection first.
            Err(error) if error.kind() == io::ErrorKind::NotConnected => Ok(()),
            done => done,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::time::Instant;

    use super::*;

    /// Both ends of a connection.
    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (stream, listener.accept().unwrap().0)
    }

    #[test]
    fn shutdown_succeeds_if_the_partner_was_first() {
        let (stream, partner) = pair();
        let cluster = Arc::new(Cluster::new(0, vec!["a:1".to_owned(), "b:1".to_owned()]));
        let own = stream.try_clone().unwrap();
        let wire = Wire::new(stream, Arc::clone(&cluster), 1);
        assert!(cluster.is_near(1));
        drop(partner);
        assert!(own.shutdown(Shutdown::Both).is_ok());
        let begin = Instant::now();
        // When both ends are shut down, the system reports that there is no connection.
        while own.shutdown(Shutdown::Both).is_ok() {
            assert!(begin.elapsed() < Duration::from_secs(600), "it hangs");
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(wire.shutdown(Shutdown::Both).is_ok());
    }
}
