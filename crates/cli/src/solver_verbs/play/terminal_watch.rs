//! Detects a closed terminal, from which reads return errors or never return.

#[cfg(unix)]
pub(super) use unix::{is_gone, watch};

/// On systems other than Unix, closing a terminal ends its programs.
#[cfg(not(unix))]
pub(super) fn is_gone() -> bool {
    false
}

/// Does nothing: see [`is_gone`].
#[cfg(not(unix))]
pub(super) fn watch(_: impl FnOnce() + Send + 'static) {}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::thread;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{Pid, getpgrp, getppid};
    use rustix::termios::tcgetpgrp;

    /// Interval between checks of the terminal.
    const INTERVAL: Duration = Duration::from_millis(250);

    /// Whether the terminal at standard input is closed.
    pub(crate) fn is_gone() -> bool {
        let input = io::stdin();
        let mut polled = [PollFd::new(&input, PollFlags::empty())];
        let no_timeout = Timespec::default();
        let closed = PollFlags::HUP | PollFlags::ERR;
        poll(&mut polled, Some(&no_timeout)).is_ok() && polled[0].revents().intersects(closed)
    }

    /// Whether the parent shell has ended and the terminal belongs to other programs. Then this
    /// program never gets the terminal back, and no key arrives.
    fn is_abandoned(parent: Option<Pid>) -> bool {
        getppid() != parent && tcgetpgrp(io::stdin()) != Ok(getpgrp())
    }

    /// Calls a function on another thread when the terminal is closed. Does nothing if no thread
    /// can be started.
    pub(crate) fn watch(end: impl FnOnce() + Send + 'static) {
        let parent = getppid();
        let look = move || {
            while !is_gone() && !is_abandoned(parent) {
                thread::sleep(INTERVAL);
            }
            end();
        };
        let _ = thread::Builder::new().spawn(look);
    }
}
