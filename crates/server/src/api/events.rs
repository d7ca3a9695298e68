//! A search as a stream of server-sent events.
//!
//! What happens between two looks of a slow client is one event of progress, and the best solutions
//! found since, of which no more than [`MAX_IMPROVED`] are kept.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use puzzle::Board;
use serde_json::json;
use solver::{Report, SearchStatus};
use tokio::sync::Notify;

use super::json_text;
use super::solve::with_id;
use crate::answer::Listeners;
use crate::app::App;
use crate::problem::Problem;
use crate::request::Asked;
use crate::searches::Search;

/// Time between two events of progress.
const PROGRESS: Duration = Duration::from_millis(200);
/// Time without events after which a comment is sent, so that nobody on the way ends the
/// connection.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// The most better solutions that wait to be sent.
const MAX_IMPROVED: usize = 64;

/// What the search has told and the client has not heard.
#[derive(Default)]
struct Told {
    state: Mutex<State>,
    news: Notify,
}

#[derive(Default)]
struct State {
    improved: VecDeque<String>,
    progress: Option<(SearchStatus, Duration)>,
    told_at: Option<Instant>,
}

impl Told {
    /// Nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn improve(&self, report: &Report) {
        let text = json_text(report);
        let mut state = self.lock();
        if state.improved.len() == MAX_IMPROVED {
            state.improved.pop_front();
        }
        state.improved.push_back(text);
        drop(state);
        self.news.notify_one();
    }

    fn progress(&self, status: &SearchStatus, time: Duration) {
        let mut state = self.lock();
        if state.told_at.is_some_and(|at| at.elapsed() < PROGRESS) {
            return;
        }
        (state.progress, state.told_at) = (Some((*status, time)), Some(Instant::now()));
        drop(state);
        self.news.notify_one();
    }

    /// The next event that waits.
    fn next(&self) -> Option<Event> {
        let mut state = self.lock();
        if let Some(text) = state.improved.pop_front() {
            return Some(Event::default().event("improved").data(text));
        }
        let (status, time) = state.progress.take()?;
        let object = json!({
            "bound": status.bound,
            "nodes": status.generated,
            "ms": (time.as_secs_f64() * 1e6).round() / 1e3,
        });
        Some(Event::default().event("progress").data(object.to_string()))
    }
}

/// A stream that is being sent.
struct Sending {
    search: Arc<Search>,
    told: Arc<Told>,
    result: Option<BoxFuture<'static, Result<(u64, String), Problem>>>,
    last: Option<Event>,
    /// The first event, which has the id.
    first: Option<Event>,
}

/// Solves a board, and tells how.
pub(crate) fn answer(app: &Arc<App>, search: Search, board: Board, asked: Asked) -> Response {
    let told = Arc::new(Told::default());
    let (for_improved, for_progress) = (Arc::clone(&told), Arc::clone(&told));
    let listeners = Listeners {
        improved: Some(Arc::new(move |report| for_improved.improve(&report))),
        progress: Some(Arc::new(move |status: &SearchStatus, time| {
            for_progress.progress(status, time);
        })),
    };
    let (limit, shared) = (asked.limits.max_time, Arc::clone(app));
    let work = move |cancel: &solver::Cancel| {
        let report = shared.solve(&board, &asked, cancel, listeners)?.report;
        Ok((report.nodes.unwrap_or(0), json_text(&report)))
    };
    let search = Arc::new(search);
    let id = json!({ "id": search.id.to_string() }).to_string();
    let running = Arc::clone(&search);
    let sending = Sending {
        told,
        result: Some(async move { running.run(limit, work).await }.boxed()),
        last: None,
        first: Some(Event::default().event("search").data(id)),
        search: Arc::clone(&search),
    };
    let events = stream::unfold(sending, |mut sending| async move {
        let event = sending.next().await?;
        Some((Ok::<_, Infallible>(event), sending))
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    let response = Sse::new(events.boxed()).keep_alive(keep_alive);
    with_id(response.into_response(), &search)
}

impl Sending {
    async fn next(&mut self) -> Option<Event> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            if let Some(event) = self.told.next() {
                return Some(event);
            }
            if let Some(last) = self.last.take() {
                return Some(last);
            }
            let result = self.result.as_mut()?;
            tokio::select! {
                result = result => {
                    self.result = None;
                    // What was told before comes first.
                    self.last = Some(match result {
                        Ok((nodes, text)) => {
                            self.search.call.log.add(1, nodes);
                            Event::default().event("report").data(text)
                        }
                        Err(problem) => {
                            Event::default().event("problem").data(json_text(&problem))
                        }
                    });
                }
                () = self.told.news.notified() => {}
            }
        }
    }
}
