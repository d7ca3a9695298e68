//! The queue of searches, fair between clients, and the threads that work it off.
//!
//! Clients take turns: each turn is one board. So one client's thousand boards delay another's one
//! by no more than the boards that are being searched.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::client::Client;

/// What a thread does for a board. Sends its result away itself.
pub(crate) type Work = Box<dyn FnOnce() + Send>;

/// Work by client, and whose turn it is.
#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    ready: Condvar,
}

#[derive(Default)]
struct State {
    /// None of these is empty.
    waiting: HashMap<Client, VecDeque<(u64, Work)>>,
    /// Each client that waits, once.
    turns: VecDeque<Client>,
    length: usize,
    running: usize,
    is_closed: bool,
}

impl Queue {
    /// Starts this many threads, which end when the queue is closed.
    pub(crate) fn start(self: &Arc<Self>, workers: usize, nice: i32) -> std::io::Result<()> {
        for number in 0..workers {
            let queue = Arc::clone(self);
            let name = format!("search-{number}");
            thread::Builder::new().name(name).spawn(move || {
                yield_to_others(nice);
                queue.work();
            })?;
        }
        Ok(())
    }

    fn work(&self) {
        while let Some(work) = self.next() {
            // Whoever waits for the result learns of a panic by the channel that it drops.
            let _ = catch_unwind(AssertUnwindSafe(work));
            self.lock().running -= 1;
        }
    }

    /// Adds work of a client, as part of a request.
    pub(crate) fn push(&self, client: Client, request: u64, work: Work) {
        let mut state = self.lock();
        let waiting = state.waiting.entry(client).or_default();
        waiting.push_back((request, work));
        if waiting.len() == 1 {
            state.turns.push_back(client);
        }
        state.length += 1;
        drop(state);
        self.ready.notify_one();
    }

    /// Drops all work of a request that has not begun; whether there was some.
    pub(crate) fn remove(&self, client: Client, request: u64) -> bool {
        let mut state = self.lock();
        let Some(waiting) = state.waiting.get_mut(&client) else {
            return false;
        };
        let before = waiting.len();
        let (gone, kept): (VecDeque<_>, _) =
            waiting.drain(..).partition(|(other, _)| *other == request);
        *waiting = kept;
        let after = waiting.len();
        if after == 0 {
            state.waiting.remove(&client);
            state.turns.retain(|other| *other != client);
        }
        state.length -= before - after;
        drop(state);
        // What the work holds is freed without the lock.
        !gone.is_empty()
    }

    /// Boards that wait, and boards that are being searched.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let state = self.lock();
        (state.length, state.running)
    }

    /// Drops what waits, and ends the threads after what they are doing.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        let waiting = std::mem::take(&mut state.waiting);
        state.turns.clear();
        state.length = 0;
        state.is_closed = true;
        drop(state);
        drop(waiting);
        self.ready.notify_all();
    }

    fn next(&self) -> Option<Work> {
        let is_idle = |state: &mut State| state.turns.is_empty() && !state.is_closed;
        let state = self.ready.wait_while(self.lock(), is_idle);
        let state = &mut *state.unwrap_or_else(PoisonError::into_inner);
        let client = state.turns.pop_front()?;
        let waiting = state.waiting.get_mut(&client)?;
        let (_, work) = waiting.pop_front()?;
        match waiting.is_empty() {
            true => drop(state.waiting.remove(&client)),
            false => state.turns.push_back(client),
        }
        state.length -= 1;
        state.running += 1;
        Some(work)
    }

    /// Nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets the threads that answer requests come first: they have little to do, and a health check
/// that waits for a search to give up its core would take tens of milliseconds.
fn yield_to_others(nice: i32) {
    // On Linux this is the priority of the calling thread and of those that it starts, elsewhere
    // that of the process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, nice);
    #[cfg(not(target_os = "linux"))]
    let _ = nice;
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn clients_take_turns() {
        let queue = Queue::default();
        let (sender, receiver) = channel();
        let push = |client: u128, name: &'static str| {
            let sender = sender.clone();
            let work = Box::new(move || sender.send(name).unwrap());
            queue.push(Client::number(client), 1, work);
        };
        for name in ["a1", "a2", "a3"] {
            push(1, name);
        }
        push(2, "b1");
        for name in ["c1", "c2"] {
            push(3, name);
        }
        assert_eq!(queue.counts(), (6, 0));
        for _ in 0..6 {
            queue.next().unwrap()();
        }
        let order: Vec<&str> = receiver.try_iter().collect();
        assert_eq!(order, ["a1", "b1", "c1", "a2", "c2", "a3"]);
    }

    #[test]
    fn removed_work_is_not_done() {
        let queue = Queue::default();
        let (sender, receiver) = channel();
        for request in [1, 2, 1] {
            let sender = sender.clone();
            let work = Box::new(move || sender.send(request).unwrap());
            queue.push(Client::number(1), request, work);
        }
        assert!(queue.remove(Client::number(1), 1));
        assert!(!queue.remove(Client::number(1), 1));
        assert!(!queue.remove(Client::number(2), 2));
        assert_eq!(queue.counts().0, 1);
        queue.next().unwrap()();
        assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [2]);
        queue.close();
        assert!(queue.next().is_none());
    }
}
