//! The queue of searches, fair between clients, and the search threads.
//!
//! Clients take turns, one board per turn. One client can use all workers. While all workers are
//! busy, a client without a running search can use one of [`SPARE`] additional threads, so its
//! first board rarely waits for other clients. The additional threads share the cores with the
//! workers.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use session::lock;

/// Number of search threads in addition to the workers. Only clients without a running search use
/// them.
pub(crate) const SPARE: usize = 16;

/// The name of a client: its address, or its name in a proxy's header.
pub(crate) type Client = Arc<str>;

/// The work of one board. Its closure sends the result.
pub(crate) struct Work {
    pub(crate) client: Client,
    pub(crate) request: u64,
    /// Whether the work can use `--max-memory` bytes. The queue limits the number of large work
    /// items that run at once.
    pub(crate) is_large: bool,
    pub(crate) run: Box<dyn FnOnce() + Send>,
}

/// Waiting work by client, and the order of turns.
pub(crate) struct Queue {
    workers: usize,
    state: Mutex<QueueState>,
    ready: Condvar,
}

#[derive(Default)]
struct QueueState {
    /// Clients in the order of their turns.
    waiting: VecDeque<ClientWork>,
    /// The client of each running work item, and whether the item is large.
    running: Vec<(Client, bool)>,
    is_closed: bool,
}

/// A client and its waiting work, which is never empty.
type ClientWork = (Client, VecDeque<Work>);

impl Queue {
    pub(crate) fn new(workers: usize) -> Queue {
        Queue {
            workers,
            state: Mutex::default(),
            ready: Condvar::new(),
        }
    }

    /// Starts the threads. They end when the queue is closed.
    pub(crate) fn start(self: &Arc<Self>, nice: i32) -> std::io::Result<()> {
        for number in 0..self.workers + SPARE {
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
            let run = (work.client, work.is_large);
            // A panic closes the channel of the result, and the receiver detects that.
            let _ = catch_unwind(AssertUnwindSafe(work.run));
            self.finish(&run);
        }
    }

    fn finish(&self, run: &(Client, bool)) {
        let mut state = lock(&self.state);
        let place = state.running.iter().position(|other| other == run);
        place.map(|place| state.running.swap_remove(place));
        drop(state);
        // This thread takes the next work item. If two items can start now, another thread takes
        // the second one.
        self.ready.notify_one();
    }

    pub(crate) fn push(&self, work: Work) {
        let client = work.client.clone();
        let mut state = lock(&self.state);
        match state.of_client(&client) {
            Some(own) => own.1.push_back(work),
            None => state.waiting.push_back((client, VecDeque::from([work]))),
        }
        drop(state);
        self.ready.notify_one();
    }

    /// Removes the waiting work of a request. Returns whether any work was waiting.
    pub(crate) fn remove(&self, client: &Client, request: u64) -> bool {
        let mut state = lock(&self.state);
        let Some(own) = state.of_client(client) else {
            return false;
        };
        let all = own.1.drain(..);
        let (gone, kept): (VecDeque<_>, _) = all.partition(|work| work.request == request);
        own.1 = kept;
        state.waiting.retain(|own| !own.1.is_empty());
        drop(state);
        // The lock is released before the removed work is dropped.
        !gone.is_empty()
    }

    /// Numbers of waiting boards and of running searches.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let state = lock(&self.state);
        let waiting = state.waiting.iter().map(|own| own.1.len());
        (waiting.sum(), state.running.len())
    }

    /// Drops waiting work, and ends the threads after their current work.
    pub(crate) fn close(&self) {
        let mut state = lock(&self.state);
        let waiting = std::mem::take(&mut state.waiting);
        state.is_closed = true;
        drop(state);
        drop(waiting);
        self.ready.notify_all();
    }

    fn next(&self) -> Option<Work> {
        let mut state = lock(&self.state);
        loop {
            if let Some(work) = state.take(self.workers) {
                return Some(work);
            }
            if state.is_closed {
                return None;
            }
            let waited = self.ready.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl QueueState {
    fn of_client(&mut self, client: &Client) -> Option<&mut ClientWork> {
        let mut waiting = self.waiting.iter_mut();
        waiting.find(|own| own.0 == *client)
    }

    /// Removes the next work item that can start.
    fn take(&mut self, workers: usize) -> Option<Work> {
        let running = &self.running;
        let large = running.iter().filter(|(_, is_large)| *is_large).count();
        // One more than the workers, for a client without a running search.
        let has_room = large < workers + 1;
        let mut waiting = self.waiting.iter().enumerate();
        let (turn, place) = waiting.find_map(|(turn, waiting)| {
            let is_running = running.iter().any(|(client, _)| *client == waiting.0);
            let can_start = !is_running || running.len() < workers;
            let mut works = waiting.1.iter();
            let place = works.position(|work| can_start && (has_room || !work.is_large))?;
            Some((turn, place))
        })?;
        let mut own = self.waiting.remove(turn)?;
        let work = own.1.remove(place)?;
        if !own.1.is_empty() {
            self.waiting.push_back(own);
        }
        self.running.push((work.client.clone(), work.is_large));
        Some(work)
    }
}

/// Lowers the priority of the calling thread below that of the threads that answer requests. With
/// equal priorities, a health check could wait tens of milliseconds for a core.
pub(crate) fn yield_to_others(nice: i32) {
    // On Linux this sets the priority of the calling thread and of the threads that it starts;
    // elsewhere it would set the priority of the process.
    if cfg!(target_os = "linux") {
        let _ = rustix::process::setpriority_process(None, nice);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// A queue for tests. Each work item sends its name to `names`.
    struct Trial {
        queue: Queue,
        sender: Sender<&'static str>,
        names: Receiver<&'static str>,
    }

    impl Trial {
        fn new(workers: usize) -> Trial {
            let (sender, names) = channel();
            Trial {
                queue: Queue::new(workers),
                sender,
                names,
            }
        }

        fn push(&self, client: &str, request: u64, is_large: bool, name: &'static str) {
            let sender = self.sender.clone();
            self.queue.push(Work {
                client: Client::from(client),
                request,
                is_large,
                run: Box::new(move || sender.send(name).unwrap()),
            });
        }

        /// Starts all work items that can start, and returns their names. An item counts as running
        /// until `finish` is called for its client.
        fn begun(&self) -> Vec<&'static str> {
            let take = || lock(&self.queue.state).take(self.queue.workers);
            std::iter::from_fn(take).for_each(|work| (work.run)());
            self.names.try_iter().collect()
        }
    }

    #[test]
    fn clients_take_turns() {
        let trial = Trial::new(6);
        for name in ["a1", "a2", "a3"] {
            trial.push("1", 1, false, name);
        }
        trial.push("2", 1, false, "b1");
        for name in ["c1", "c2"] {
            trial.push("3", 1, false, name);
        }
        assert_eq!(trial.queue.counts(), (6, 0));
        assert_eq!(trial.begun(), ["a1", "b1", "c1", "a2", "c2", "a3"]);
        assert_eq!(trial.queue.counts(), (0, 6));
    }

    #[test]
    fn busy_workers_do_not_delay_other_clients() {
        let trial = Trial::new(2);
        for name in ["a1", "a2", "a3"] {
            trial.push("1", 1, false, name);
        }
        assert_eq!(trial.begun(), ["a1", "a2"]);
        trial.push("2", 1, false, "b1");
        trial.push("2", 1, false, "b2");
        trial.push("3", 1, false, "c1");
        assert_eq!(trial.begun(), ["b1", "c1"]);
        trial.queue.finish(&("2".into(), false));
        assert_eq!(trial.begun(), ["b2"]);
        // The first client waits until a worker is free.
        for client in ["2", "3", "1"] {
            trial.queue.finish(&(client.into(), false));
        }
        assert_eq!(trial.begun(), ["a3"]);
    }

    #[test]
    fn large_work_is_bounded_across_clients() {
        let trial = Trial::new(2);
        for name in ["a1", "a2", "a3"] {
            trial.push("1", 1, true, name);
        }
        for (client, name) in [("2", "b1"), ("3", "c1"), ("4", "d1")] {
            trial.push(client, 1, true, name);
        }
        trial.push("4", 1, false, "d2");
        assert_eq!(trial.begun(), ["a1", "b1", "c1", "d2"]);
        trial.queue.finish(&("2".into(), true));
        trial.queue.finish(&("4".into(), false));
        assert_eq!(trial.begun(), ["d1"]);
    }
}
