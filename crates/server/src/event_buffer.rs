//! Buffer for the unsent events of a search.
//!
//! For a slow client, the buffer stores the latest progress event and at most [`MAX_IMPROVED`] of
//! the solutions found since the client last read.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::json;
use solver::{Report, SearchStatus};
use tokio::sync::Notify;

use crate::lock::lock;
use crate::log::milliseconds;

/// Time between two progress events.
const PROGRESS: Duration = Duration::from_millis(200);
/// Maximum number of improved solutions that wait to be sent.
const MAX_IMPROVED: usize = 64;

/// The listener of a search. The times of events exclude waiting for a thread and opening the
/// tables. The first solution of an anytime search is found before the tables are opened, and its
/// time is 0.
#[derive(Default)]
pub(crate) struct EventBuffer {
    events: Mutex<Events>,
    pub(crate) news: Notify,
}

#[derive(Default)]
struct Events {
    improved: VecDeque<String>,
    progress: Option<(SearchStatus, Duration)>,
    /// Time of the last progress event.
    progress_at: Option<Instant>,
}

impl EventBuffer {
    pub(crate) fn improve(&self, report: &Report) {
        // Reports can always be written as JSON.
        let text = serde_json::to_string(report).unwrap_or_default();
        let mut events = lock(&self.events);
        if events.improved.len() == MAX_IMPROVED {
            events.improved.pop_front();
        }
        events.improved.push_back(text);
        drop(events);
        self.news.notify_one();
    }

    pub(crate) fn progress(&self, status: SearchStatus, time: Duration) {
        let mut events = lock(&self.events);
        if events.progress_at.is_some_and(|at| at.elapsed() < PROGRESS) {
            return;
        }
        (events.progress, events.progress_at) = (Some((status, time)), Some(Instant::now()));
        drop(events);
        self.news.notify_one();
    }

    /// Removes the next event; returns its name and its data.
    pub(crate) fn next(&self) -> Option<(&'static str, String)> {
        let mut events = lock(&self.events);
        if let Some(text) = events.improved.pop_front() {
            return Some(("improved", text));
        }
        let (status, time) = events.progress.take()?;
        let object = json!({
            "bound": status.bound,
            "nodes": status.generated,
            "ms": milliseconds(time),
        });
        Some(("progress", object.to_string()))
    }
}
