//! Requests with searches: admission, ids, cancellation and end.
//!
//! A [`Search`] belongs to one request and is dropped with its answer: after the answer has been
//! sent, or when the client disconnects. All work of the request then ends.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use solver::Cancel;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use crate::config::{Config, time};
use crate::lock::lock;
use crate::log::Call;
use crate::metrics::{Metrics, Rejection};
use crate::places::{PlaceLimit, Places};
use crate::problem::Problem;
use crate::queue::{Queue, Work};

/// The service cancels a search that exceeds its time limit by this time. The search can need the
/// additional time for building tables, which the time limit excludes.
const EXTRA_TIME: Duration = Duration::from_secs(30);

pub(crate) struct Searches {
    queue: Arc<Queue>,
    metrics: Arc<Metrics>,
    max_wait: Duration,
    admissions: Mutex<Admissions>,
    numbers: AtomicU64,
    /// Random keys from which search ids are computed, so that one id does not reveal another.
    keys: [RandomState; 2],
    is_closing: AtomicBool,
}

struct Admissions {
    /// Places in use, and their limits.
    places: Places,
    /// All searches, including lists that hold no place at present.
    by_id: HashMap<SearchId, Cancel>,
}

/// The id of a search, which only its client knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SearchId(u128);

impl fmt::Display for SearchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl SearchId {
    pub(crate) fn parse(text: &str) -> Option<SearchId> {
        let is_plain = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u128::from_str_radix(text, 16).ok();
        number.filter(|_| is_plain).map(SearchId)
    }
}

impl Searches {
    /// Starts the search threads.
    pub(crate) fn start(config: &Config, metrics: &Arc<Metrics>) -> std::io::Result<Arc<Searches>> {
        let queue = Arc::new(Queue::new(config.worker_count()));
        queue.start(config.nice)?;
        Ok(Arc::new(Searches {
            queue,
            metrics: Arc::clone(metrics),
            max_wait: time(config.max_wait),
            admissions: Mutex::new(Admissions {
                places: Places::new(config.max_searches, config.max_searches_per_client),
                by_id: HashMap::new(),
            }),
            numbers: AtomicU64::new(0),
            keys: [RandomState::new(), RandomState::new()],
            is_closing: AtomicBool::new(false),
        }))
    }

    /// Admits a request. `is_large`: whether each of its boards can use `--max-memory` bytes.
    /// Errors: too many searches, or the service is stopping.
    pub(crate) fn admit(self: &Arc<Self>, call: &Call, is_large: bool) -> Result<Search, Problem> {
        let client = call.client;
        if self.is_closing() {
            return Err(Problem::closing());
        }
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let [high, low] = self.keys.each_ref().map(|key| key.hash_one(number));
        let id = SearchId(u128::from(high) << 64 | u128::from(low));
        let cancel = Cancel::default();
        let mut admissions = lock(&self.admissions);
        if let Err(limit) = admissions.places.take(client) {
            let Places {
                most,
                most_of_client,
                ..
            } = admissions.places;
            drop(admissions);
            let (reason, most, whose) = match limit {
                PlaceLimit::OfAll => (Rejection::Searches, most, ""),
                PlaceLimit::OfClient => (Rejection::Client, most_of_client, " of this client"),
            };
            self.metrics.reject(reason);
            let detail = format!(
                "the maximum of {most} searches{whose} are running or waiting: try again later"
            );
            return Err(Problem::busy(detail, self.retry_after()));
        }
        admissions.by_id.insert(id, cancel.clone());
        drop(admissions);
        Ok(Search {
            id,
            number,
            call: call.clone(),
            cancel,
            searches: Arc::clone(self),
            is_large,
            has_place: AtomicBool::new(true),
            is_finished: AtomicBool::new(false),
        })
    }

    /// Cancels a search. Returns whether the id exists.
    pub(crate) fn cancel(&self, id: SearchId) -> bool {
        let cancel = lock(&self.admissions).by_id.get(&id).cloned();
        if let Some(cancel) = &cancel {
            cancel.cancel();
        }
        cancel.is_some()
    }

    /// Numbers of waiting boards and of running searches.
    pub(crate) fn counts(&self) -> (usize, usize) {
        self.queue.counts()
    }

    pub(crate) fn begin_closing(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    pub(crate) fn close(&self) {
        self.begin_closing();
        for cancel in lock(&self.admissions).by_id.values() {
            cancel.cancel();
        }
        self.queue.close();
    }

    /// Seconds after which a retry is likely to succeed: the current waiting time of boards.
    fn retry_after(&self) -> u64 {
        let longest = self.queue.longest_wait().as_secs_f64().ceil();
        (longest as u64).clamp(1, 60)
    }
}

/// The searches of one request. Dropping the `Search` cancels them and removes their waiting work.
pub(crate) struct Search {
    pub(crate) id: SearchId,
    number: u64,
    pub(crate) call: Call,
    pub(crate) cancel: Cancel,
    searches: Arc<Searches>,
    is_large: bool,
    /// Changed only while `Searches::admissions` is locked.
    has_place: AtomicBool,
    is_finished: AtomicBool,
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
            client: self.call.client,
            request: self.number,
            is_large: self.is_large,
            run: Box::new(work),
        });
        receiver
    }

    /// Runs the single work item of a request. `limit` is the time limit of the work item. Fails if
    /// the item did not start in time, was cancelled, or panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&Cancel) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let answer = async {
            let begun = Instant::now();
            let mut result = self.submit(work);
            let answer = match timeout(self.searches.max_wait, &mut result).await {
                Ok(answer) => answer,
                Err(_) if self.searches.queue.remove(self.call.client, self.number) => {
                    self.is_finished.store(true, Ordering::Relaxed);
                    self.searches.metrics.reject(Rejection::Wait);
                    let seconds = begun.elapsed().as_secs();
                    let retry_after = seconds.max(self.searches.retry_after());
                    let detail =
                        format!("the search did not start within {seconds} s: try again later");
                    return Err(Problem::busy(detail, retry_after));
                }
                Err(_) => {
                    // Started work ends at its time limit, unless the program has a defect.
                    tokio::select! {
                        answer = &mut result => answer,
                        () = sleep(limit + EXTRA_TIME) => {
                            self.cancel.cancel();
                            result.await
                        }
                    }
                }
            };
            self.finish();
            match answer {
                Ok(Ok(answer)) => Ok(answer),
                Ok(Err(problem)) if !self.cancel.is_cancelled() => Err(problem),
                _ => Err(self.lost()),
            }
        };
        tokio::select! {
            biased;
            answer = answer => answer,
            // While pipelined requests wait in the connection, the connection is not read. Only
            // this branch then detects that the client has closed it.
            () = self.call.socket.closed() => {
                self.cancel.cancel();
                Err(Problem::cancelled())
            }
        }
    }

    /// Frees the place of a list that has no boards to search at present. A client that sends its
    /// list slowly then occupies no place in the meantime. The caller ensures that no board of the
    /// list is queued or searched.
    pub(crate) fn rest(&self) {
        let mut admissions = lock(&self.searches.admissions);
        if self.has_place.swap(false, Ordering::Relaxed) {
            admissions.places.free(self.call.client);
        }
    }

    /// Takes a place again if the list has none. Returns `false` if no place is free.
    pub(crate) fn resume(&self) -> bool {
        if self.has_place.load(Ordering::Relaxed) {
            return true;
        }
        let mut admissions = lock(&self.searches.admissions);
        let has_place = admissions.places.take(self.call.client).is_ok();
        self.has_place.store(has_place, Ordering::Relaxed);
        has_place
    }

    pub(crate) fn max_wait(&self) -> Duration {
        self.searches.max_wait
    }

    /// The problem for a list whose next board has waited too long for a place.
    pub(crate) fn no_place(&self) -> Problem {
        self.searches.metrics.reject(Rejection::Wait);
        let seconds = self.searches.max_wait.as_secs_f64();
        let detail = format!(
            "the next board of the list found no place within {seconds} s: send it and the rest later"
        );
        Problem::busy(detail, self.searches.retry_after())
    }

    /// The reason why work has sent no result.
    pub(crate) fn lost(&self) -> Problem {
        match () {
            () if self.searches.is_closing() => Problem::closing(),
            () if self.cancel.is_cancelled() => Problem::cancelled(),
            () => Problem::defect(),
        }
    }

    /// Marks the search as completed unless it was cancelled.
    pub(crate) fn finish(&self) {
        let is_whole = !self.cancel.is_cancelled();
        self.is_finished.store(is_whole, Ordering::Relaxed);
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.cancel.cancel();
        self.searches.queue.remove(self.call.client, self.number);
        lock(&self.searches.admissions).by_id.remove(&self.id);
        self.rest();
        if !self.is_finished.load(Ordering::Relaxed) {
            self.searches.metrics.cancelled.inc();
        }
    }
}
