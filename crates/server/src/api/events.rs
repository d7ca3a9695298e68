//! A search as a stream of server-sent events.
//!
//! What happens between two looks of a slow client is one event of progress, and the best solutions
//! found since, of which no more than [`MAX_IMPROVED`] are kept.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::future::{BoxFuture, ready};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use puzzle::Board;
use serde_json::json;
use solver::{Cancel, Report, SearchStatus};
use tokio::sync::Notify;

use super::response::{BoardJson, json_text, with_id};
use crate::answer::{self, Listeners};
use crate::app::App;
use crate::lock::lock;
use crate::log::milliseconds;
use crate::problem::Problem;
use crate::request::SolveSettings;
use crate::searches::Search;

/// Time between two events of progress.
const PROGRESS: Duration = Duration::from_millis(200);
/// Time without events after which a comment is sent, so that nobody on the way ends the
/// connection.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// The most better solutions that wait to be sent.
const MAX_IMPROVED: usize = 64;

/// Events of a search that are not sent yet.
#[derive(Default)]
struct EventBuffer {
    events: Mutex<Events>,
    news: Notify,
}

#[derive(Default)]
struct Events {
    improved: VecDeque<String>,
    progress: Option<(SearchStatus, Duration)>,
    /// When there was progress last.
    progress_at: Option<Instant>,
}

impl EventBuffer {
    fn improve(&self, report: &Report) {
        let text = json_text(report);
        let mut events = lock(&self.events);
        if events.improved.len() == MAX_IMPROVED {
            events.improved.pop_front();
        }
        events.improved.push_back(text);
        drop(events);
        self.news.notify_one();
    }

    fn progress(&self, status: &SearchStatus, time: Duration) {
        let mut events = lock(&self.events);
        if events.progress_at.is_some_and(|at| at.elapsed() < PROGRESS) {
            return;
        }
        (events.progress, events.progress_at) = (Some((*status, time)), Some(Instant::now()));
        drop(events);
        self.news.notify_one();
    }

    /// The next event that waits.
    fn next(&self) -> Option<Event> {
        let mut events = lock(&self.events);
        if let Some(text) = events.improved.pop_front() {
            return Some(Event::default().event("improved").data(text));
        }
        let (status, time) = events.progress.take()?;
        let object = json!({
            "bound": status.bound,
            "nodes": status.generated,
            "ms": milliseconds(time),
        });
        Some(Event::default().event("progress").data(object.to_string()))
    }
}

/// A stream that is being sent.
struct EventStream {
    search: Arc<Search>,
    buffer: Arc<EventBuffer>,
    result: Option<BoxFuture<'static, Result<BoardJson, Problem>>>,
    last: Option<Event>,
}

/// Solves a board, and sends events meanwhile.
pub(crate) fn answer(
    app: &Arc<App>,
    search: Search,
    board: Board,
    settings: SolveSettings,
) -> Response {
    let buffer = Arc::new(EventBuffer::default());
    let (for_improved, for_progress) = (Arc::clone(&buffer), Arc::clone(&buffer));
    let listeners = Listeners {
        improved: Some(Arc::new(move |report| for_improved.improve(&report))),
        progress: Some(Arc::new(move |status: &SearchStatus, time| {
            for_progress.progress(status, time);
        })),
    };
    let (limit, shared) = (settings.limits.max_time, Arc::clone(app));
    let work = move |cancel: &Cancel| {
        answer::solve(&shared, &board, &settings, cancel, listeners).map(BoardJson::from)
    };
    let search = Arc::new(search);
    let (id, running) = (search.id, Arc::clone(&search));
    let stream = EventStream {
        search,
        buffer,
        result: Some(async move { running.run(limit, work).await }.boxed()),
        last: None,
    };
    let object = json!({ "id": id.to_string() }).to_string();
    let first = Event::default().event("search").data(object);
    let rest = stream::unfold(stream, |mut stream| async move {
        let event = stream.next().await?;
        Some((event, stream))
    });
    let events = stream::once(ready(first)).chain(rest);
    let events = events.map(Ok::<_, Infallible>).boxed();
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    let response = Sse::new(events).keep_alive(keep_alive);
    with_id(response.into_response(), id)
}

impl EventStream {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.buffer.next() {
                return Some(event);
            }
            if let Some(last) = self.last.take() {
                return Some(last);
            }
            let result = self.result.as_mut()?;
            tokio::select! {
                result = result => {
                    self.result = None;
                    // Events of the buffer come first.
                    let (name, text) = match result {
                        Ok(answer) => {
                            self.search.call.log.add(1, answer.nodes);
                            ("report", answer.text)
                        }
                        Err(problem) => ("problem", json_text(&problem)),
                    };
                    self.last = Some(Event::default().event(name).data(text));
                }
                () = self.buffer.news.notified() => {}
            }
        }
    }
}
