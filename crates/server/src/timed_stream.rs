//! A connection that fails if the peer stops reading or disconnects.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// Time between two checks of whether the peer is still connected.
const LOOK: Duration = Duration::from_millis(50);

/// A stream that fails if nothing can be written for some time.
#[derive(Debug)]
pub(crate) struct TimedStream {
    inner: Arc<TcpStream>,
    limit: Duration,
    timer: Pin<Box<Sleep>>,
    /// Whether a write waits for the peer. The timer runs during the wait.
    is_waiting: bool,
}

/// The socket of a connection. It detects a disconnected peer even if nothing reads or writes.
#[derive(Clone, Debug)]
pub(crate) struct Socket(Arc<TcpStream>);

impl Socket {
    /// Shuts down the output. Then reads and discards input until the peer shuts down its output or
    /// has sent more than `most` bytes.
    pub(crate) async fn drain(&self, most: usize) -> io::Result<()> {
        rustix::net::shutdown(&*self.0, rustix::net::Shutdown::Write)?;
        let (mut unread, mut left) = (vec![0; 16 << 10], most);
        while left > 0 {
            self.0.readable().await?;
            match self.0.try_read(&mut unread) {
                Ok(0) => break,
                Ok(read) => left = left.saturating_sub(read),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Waits until the peer has closed the connection or its sending half.
    pub(crate) async fn closed(&self) {
        loop {
            // `ready` completes immediately if data can be read. That data may be a pipelined
            // request.
            let state = self.0.ready(Interest::READABLE).now_or_never();
            match state {
                Some(Ok(ready)) if ready.is_read_closed() => return,
                Some(Err(_)) => return,
                _ => sleep(LOOK).await,
            }
        }
    }
}

impl TimedStream {
    pub(crate) fn new(inner: TcpStream, limit: Duration) -> TimedStream {
        TimedStream {
            inner: Arc::new(inner),
            limit,
            timer: Box::pin(sleep(limit)),
            is_waiting: false,
        }
    }

    pub(crate) fn socket(&self) -> Socket {
        Socket(Arc::clone(&self.inner))
    }

    /// Returns the result of a write, or an error if the peer is too slow.
    fn timed<T>(
        &mut self,
        context: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.is_waiting = false;
            return polled;
        }
        if !self.is_waiting {
            self.is_waiting = true;
            self.timer.as_mut().reset(Instant::now() + self.limit);
        }
        ready!(self.timer.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.inner.poll_read_ready(context))?;
            match self.inner.try_read(buffer.initialize_unfilled()) {
                Ok(read) => {
                    buffer.advance(read);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[io::IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = loop {
            match self.inner.poll_write_ready(context)? {
                Poll::Pending => break Poll::Pending,
                Poll::Ready(()) => match self.inner.try_write_vectored(slices) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    written => break Poll::Ready(written),
                },
            }
        };
        self.timed(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = rustix::net::shutdown(&*self.inner, rustix::net::Shutdown::Write);
        Poll::Ready(shut.map_err(io::Error::from))
    }
}
