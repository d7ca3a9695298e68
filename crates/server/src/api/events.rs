//! A search as a stream of server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::future::{BoxFuture, ready};
use futures_util::stream::BoxStream;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use serde_json::json;
use solver::Cancel;

use super::response::{BoardJson, json_text, with_id};
use crate::answer;
use crate::app::App;
use crate::event_buffer::EventBuffer;
use crate::problem::Problem;
use crate::request::{Placed, SolveSettings};
use crate::searches::Search;

/// Time without events after which a comment is sent, so that no proxy closes the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// Name and data of an event.
type NamedText = (&'static str, String);

struct EventStream {
    search: Arc<Search>,
    buffer: Arc<EventBuffer>,
    result: Option<BoxFuture<'static, Result<BoardJson, Problem>>>,
    last: Option<NamedText>,
}

/// Solves a board, and sends events during the search.
pub(crate) fn answer(
    app: &Arc<App>,
    search: Search,
    placed: Placed,
    settings: SolveSettings,
) -> Response {
    let buffer = Arc::new(EventBuffer::default());
    let limit = settings.max_time();
    let (shared, listener) = (Arc::clone(app), Arc::clone(&buffer));
    let work = move |cancel: &Cancel| {
        answer::solve(&shared, &placed, &settings, cancel, Some(listener)).map(BoardJson::from)
    };
    let search = Arc::new(search);
    let (id, running) = (search.id, Arc::clone(&search));
    let stream = EventStream {
        search,
        buffer,
        result: Some(async move { running.run(limit, work).await }.boxed()),
        last: None,
    };
    let first = ("search", json!({ "id": id.to_string() }).to_string());
    let rest = stream::unfold(stream, |mut stream| async move {
        let event = stream.next().await?;
        Some((event, stream))
    });
    let events = stream::once(ready(first)).chain(rest);
    let events = events.map(|(name, data)| Ok(Event::default().event(name).data(data)));
    let events = Sse::new(events.boxed() as BoxStream<'_, Result<Event, Infallible>>);
    let response = events.keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    with_id(response.into_response(), id)
}

impl EventStream {
    async fn next(&mut self) -> Option<NamedText> {
        loop {
            if let Some(event) = self.buffer.next().or_else(|| self.last.take()) {
                return Some(event);
            }
            let result = self.result.as_mut()?;
            tokio::select! {
                result = result => {
                    self.result = None;
                    // Buffered events are sent first.
                    self.last = Some(match result {
                        Ok(answer) => {
                            self.search.call.log.add(1, answer.nodes);
                            ("report", answer.text)
                        }
                        Err(problem) => ("problem", json_text(&problem)),
                    });
                }
                () = self.buffer.news.notified() => {}
            }
        }
    }
}
