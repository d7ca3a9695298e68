//! Whether there is still somebody to play with. A terminal that is closed gives no keys any more,
//! only errors, and reading from it may go on for ever.

#[cfg(unix)]
pub(super) use unix::{is_gone, watch};

/// Systems that end the programs of a terminal together with it.
#[cfg(not(unix))]
pub(super) fn is_gone() -> bool {
    false
}

/// There is nothing to watch: see [`is_gone`].
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

    /// How often the terminal is looked at.
    const INTERVAL: Duration = Duration::from_millis(250);

    /// Whether the terminal at standard input is closed.
    pub(in super::super) fn is_gone() -> bool {
        let input = io::stdin();
        let mut looked_at = [PollFd::new(&input, PollFlags::empty())];
        let at_once = Timespec::default();
        let closed = PollFlags::HUP | PollFlags::ERR;
        poll(&mut looked_at, Some(&at_once)).is_ok() && looked_at[0].revents().intersects(closed)
    }

    /// Whether the terminal was given to other programs after the shell that started this one had
    /// ended: no shell gives it back, and no key is heard.
    fn is_abandoned(parent: Option<Pid>) -> bool {
        getppid() != parent && tcgetpgrp(io::stdin()) != Ok(getpgrp())
    }

    /// Calls a function on another thread when there is nobody to play with any more. Without a
    /// thread nothing is watched.
    pub(in super::super) fn watch(end: impl FnOnce() + Send + 'static) {
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
