//! Requests with searches: admission, ids, cancellation and end.
//!
//! A [`Search`] belongs to one request and is dropped with its answer: after the answer has been
//! sent, or when the client disconnects. All work of the request then ends.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::response::Response;
use session::{Cancel, Control, Event, Failure, lock};
use solver::number_of_threads;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::body::{Problem, RouteResult, SEARCH_ID, TABLES_REASON, json, with};
use crate::config::Config;
use crate::queue::{Client, Queue, Work};

/// The service cancels a search that exceeds the maximum time limit by this time, for tables.
const EXTRA_TIME: Duration = Duration::from_secs(30);

pub(crate) struct Searches {
    pub(crate) queue: Arc<Queue>,
    config: Config,
    by_id: Mutex<HashMap<String, (Client, Cancel)>>,
    is_closing: AtomicBool,
}

impl Searches {
    /// Starts the search threads.
    pub(crate) fn start(config: &Config) -> std::io::Result<Searches> {
        let queue = Arc::new(Queue::new(number_of_threads(config.workers)));
        queue.start(config.nice)?;
        Ok(Searches {
            queue,
            config: config.clone(),
            by_id: Mutex::default(),
            is_closing: AtomicBool::default(),
        })
    }

    /// Admits a request. `is_large`: whether each of its boards can use `--max-memory` bytes.
    /// Errors: too many searches, or the service is stopping.
    pub(crate) fn admit(
        self: &Arc<Self>,
        client: Client,
        is_large: bool,
    ) -> Result<Search, Problem> {
        if self.is_closing.load(Ordering::Relaxed) {
            return Err(Problem::unavailable("stopping"));
        }
        // Computed with random keys, so that one id does not reveal another.
        let [number, low] = [0, 1].map(|part| RandomState::new().hash_one(part));
        let (id, cancel) = (format!("{number:016x}{low:016x}"), Cancel::default());
        let mut by_id = lock(&self.by_id);
        let most = [
            self.config.max_searches,
            self.config.max_searches_per_client,
        ];
        let own = by_id.values().filter(|(other, _)| *other == client);
        let found = [(by_id.len(), ""), (own.count(), " of this client")];
        for (most, (found, whose)) in most.into_iter().zip(found) {
            if found >= most {
                let busy = format!("the maximum of {most} searches{whose} are running or waiting");
                return Err(Problem::busy(&busy));
            }
        }
        by_id.insert(id.clone(), (client.clone(), cancel.clone()));
        Ok(Search {
            id,
            number,
            client,
            cancel,
            searches: Arc::clone(self),
            is_large,
        })
    }

    /// Cancels a search. Returns whether the id exists.
    pub(crate) fn cancel(&self, id: &str) -> bool {
        let by_id = lock(&self.by_id);
        let found = by_id.get(id);
        found.inspect(|(_, cancel)| cancel.cancel()).is_some()
    }

    /// Rejects new searches.
    pub(crate) fn begin_closing(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
    }

    /// Cancels all searches, and ends the search threads.
    pub(crate) fn close(&self) {
        self.begin_closing();
        let by_id = lock(&self.by_id);
        by_id.values().for_each(|(_, cancel)| cancel.cancel());
        self.queue.close();
    }
}

/// The searches of one request. Dropping it cancels them and removes their waiting work.
pub(crate) struct Search {
    pub(crate) id: String,
    number: u64,
    client: Client,
    pub(crate) cancel: Cancel,
    searches: Arc<Searches>,
    is_large: bool,
}

impl Search {
    /// Submits work to the search threads, to run at this client's turn.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (sender, receiver) = oneshot::channel();
        let cancel = self.cancel.clone();
        let work = move || {
            if !cancel.is_cancelled() {
                // The client may have disconnected.
                let _ = sender.send(work(&cancel));
            }
        };
        self.searches.queue.push(Work {
            client: self.client.clone(),
            request: self.number,
            is_large: self.is_large,
            run: Box::new(work),
        });
        receiver
    }

    /// Runs the single work item of a request. Fails if the item did not start in time, was
    /// cancelled, or panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Problem> {
        let searches = &self.searches;
        let mut result = self.submit(work);
        let answer = match timeout(searches.config.max_wait, &mut result).await {
            Err(_) if searches.queue.remove(&self.client, self.number) => {
                let seconds = searches.config.max_wait.as_secs_f64();
                let busy = format!("the search did not start within {seconds} s");
                return Err(Problem::busy(&busy));
            }
            // Started work ends at its time limit, unless the program has a defect.
            Err(_) => timeout(searches.config.max_time + EXTRA_TIME, result).await,
            answer => answer,
        };
        match answer {
            Ok(Ok(Ok(answer))) => Ok(answer),
            Ok(Ok(Err(failure))) if !self.cancel.is_cancelled() => Err(failure.into()),
            _ => Err(self.lost()),
        }
    }

    /// Runs the single work item of a request, and answers with its text. Headers contain the id of
    /// the search, and the reason why the default tables were not used.
    pub(crate) async fn answer(
        &self,
        work: impl FnOnce(&Control<Event>) -> Result<String, Failure> + Send + 'static,
    ) -> RouteResult {
        let reason = Arc::new(Mutex::new(None));
        let kept = Arc::clone(&reason);
        let listener = move |event: &Event| {
            if let Event::Opened { reason, .. } = event {
                lock(&kept).clone_from(reason);
            }
        };
        let work =
            move |cancel: &Cancel| work(&Control::new(cancel.clone(), Some(Arc::new(listener))));
        let answer = self.named(json(self.run(work).await?));
        let reason = lock(&reason).take();
        Ok(with(answer, TABLES_REASON, reason.as_deref()))
    }

    /// The reason why work has sent no result.
    pub(crate) fn lost(&self) -> Problem {
        match self.searches.is_closing.load(Ordering::Relaxed) {
            true => Problem::unavailable("stopping"),
            false if self.cancel.is_cancelled() => Failure::cancelled().into(),
            false => Problem::defect(),
        }
    }

    /// Adds the id of the search to the headers of an answer.
    pub(crate) fn named(&self, answer: Response) -> Response {
        with(answer, SEARCH_ID, Some(&self.id))
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.cancel.cancel();
        self.searches.queue.remove(&self.client, self.number);
        lock(&self.searches.by_id).remove(&self.id);
    }
}
