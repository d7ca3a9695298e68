//! Threads that the host provides as workers. Each worker has its own instance of the module, and
//! all instances share one memory.
//!
//! The host starts workers, each of which calls [`work`], and then calls [`start`]. Rayon
//! distributes parallel work among them.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};

use rayon::{ThreadBuilder, ThreadPoolBuilder};
use wasm_bindgen::prelude::*;

/// Threads of the pool that no worker runs yet.
static WAITING: Mutex<VecDeque<ThreadBuilder>> = Mutex::new(VecDeque::new());
static CHANGED: Condvar = Condvar::new();

/// Creates a pool of `threads` threads. The same number of workers must have called [`work`] or be
/// about to call it. Returns when all threads have started.
#[wasm_bindgen(js_name = start_threads)]
pub fn start(threads: usize) -> Result<(), String> {
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.spawn_handler(|thread| {
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push_back(thread);
        CHANGED.notify_one();
        Ok(())
    });
    pool.build_global().map_err(|error| error.to_string())
}

/// Runs one thread of the pool. Does not return: the pool exists as long as the module.
#[wasm_bindgen]
pub fn work() {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let thread = loop {
        if let Some(thread) = waiting.pop_front() {
            break thread;
        }
        let woken = CHANGED.wait(waiting);
        waiting = woken.unwrap_or_else(PoisonError::into_inner);
    };
    drop(waiting);
    thread.run();
}
