//! Threads of a host that gives them as workers with an instance of the module each, all over the
//! same memory.
//!
//! The host starts workers, each of which calls [`work`], and then [`start`] for all of them. Work
//! that is shared out goes to them by rayon.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};

use rayon::{ThreadBuilder, ThreadPoolBuilder};
use wasm_bindgen::prelude::*;

use crate::json_error::JsonError;

/// Threads of the pool that no worker has taken over yet.
static WAITING: Mutex<VecDeque<ThreadBuilder>> = Mutex::new(VecDeque::new());
static CHANGED: Condvar = Condvar::new();

/// Makes the pool of this many threads, for which as many workers must be in [`work`] or on their
/// way there. Returns when they have begun.
#[wasm_bindgen(js_name = start_threads)]
pub fn start(threads: usize) -> Result<(), JsonError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.spawn_handler(|thread| {
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push_back(thread);
        CHANGED.notify_one();
        Ok(())
    });
    pool.build_global().map_err(JsonError::input)
}

/// Works in the pool for as long as there is one, which is as long as the module.
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
