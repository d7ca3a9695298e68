//! Lists of boards: read incrementally, and answered in order.
//!
//! The service reads and searches boards only while there is room for their answers. A client that
//! does not read its answers therefore occupies no thread, and at most [`WINDOW`] of its answers
//! are stored.

mod boards;

use std::io::{Error, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::stream::{self, FuturesOrdered};
use futures_util::{FutureExt as _, StreamExt as _};
use solver::{Cancel, Report};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, sleep_until};

use super::response::{json_text, typed, with_id};
use crate::answer;
use crate::app::App;
use crate::config::time;
use crate::headers::accepts;
use crate::problem::Problem;
use crate::request::SolveSettings;
use crate::searches::Search;

pub(crate) use boards::Boards;
use boards::{EntryBoard, ListEntry};

/// Maximum number of boards that are read but not yet answered. While one thread searches a hard
/// board, the next boards keep the other threads busy.
const WINDOW: usize = 256;
/// Approximate bytes per write to the connection.
const PIECE: usize = 1 << 14;
/// Target size of a list's unsent answers, in bytes. The number of boards that are read ahead
/// depends on it, but is at least one per search thread. Answers with many solutions can therefore
/// exceed the target.
const HELD: usize = 2 << 20;
/// Approximate bytes of one written solution.
const SOLUTION: usize = 128;
/// Time between two attempts to obtain a place for the next board of the list.
const LOOK: Duration = Duration::from_millis(20);

/// Form of the answer: one report per line, or one JSON array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ListForm {
    Lines,
    Array,
}

impl ListForm {
    /// The form that the client accepts.
    pub(crate) fn accepted(headers: &HeaderMap) -> ListForm {
        let accepts_lines = accepts(headers, "application/x-ndjson");
        match accepts(headers, "application/json") && !accepts_lines {
            true => ListForm::Array,
            false => ListForm::Lines,
        }
    }
}

/// The number of nodes of a report, and the report's text.
type ReportText = (u64, String);

struct ListAnswer {
    app: Arc<App>,
    search: Search,
    boards: Boards,
    settings: Arc<SolveSettings>,
    form: ListForm,
    answers: FuturesOrdered<oneshot::Receiver<ReportText>>,
    taken: usize,
    written: usize,
    /// Maximum number of boards that are read but not yet answered.
    window: usize,
    deadline: Instant,
    /// Time at which the next board started to wait for a place.
    no_place_since: Option<Instant>,
    is_ended: bool,
}

pub(crate) fn answer(
    app: &Arc<App>,
    search: Search,
    boards: Boards,
    settings: SolveSettings,
    form: ListForm,
) -> Response {
    let kind = match form {
        ListForm::Lines => "application/x-ndjson",
        ListForm::Array => "application/json",
    };
    let id = search.id;
    let list = ListAnswer {
        app: Arc::clone(app),
        search,
        boards,
        window: window(&settings, app.config.worker_count()),
        settings: Arc::new(settings),
        form,
        answers: FuturesOrdered::new(),
        taken: 0,
        written: 0,
        deadline: Instant::now() + time(app.config.max_list_time),
        no_place_since: None,
        is_ended: false,
    };
    let pieces = stream::unfold(list, |mut list| async move {
        let socket = list.search.call.socket.clone();
        let piece = tokio::select! {
            biased;
            piece = list.piece() => Ok(piece?),
            // Until the list has been read completely, only this branch detects a closed
            // connection.
            () = socket.closed() => {
                list.is_ended = true;
                list.search.cancel.cancel();
                Err(Error::from(ErrorKind::ConnectionReset))
            }
        };
        Some((piece, list))
    });
    with_id(typed(Body::from_stream(pieces), kind), id)
}

/// Maximum number of boards that are read but not yet answered. Usually it is [`WINDOW`]. If
/// answers can contain many solutions, it is smaller, but at least one per search thread.
fn window(settings: &SolveSettings, workers: usize) -> usize {
    let most = settings.question.all.map_or(0, |all| all.most);
    let answer = most.saturating_mul(SOLUTION);
    let room = HELD.checked_div(answer).unwrap_or(WINDOW);
    room.clamp(workers.min(WINDOW), WINDOW)
}

impl ListAnswer {
    /// The next part of the answer; `None` at its end.
    async fn piece(&mut self) -> Option<Bytes> {
        if self.is_ended {
            return None;
        }
        let mut piece = String::new();
        loop {
            if self.boards.is_ready() && !self.search.resume() {
                self.wait_for_place().await;
                continue;
            }
            self.no_place_since = None;
            self.fill();
            if self.answers.is_empty() {
                self.search.rest();
            }
            if self.answers.is_empty() && self.boards.is_ended() {
                self.search.finish();
                self.is_ended = true;
                if self.form == ListForm::Array {
                    piece.push_str(if self.written == 0 { "[]\n" } else { "\n]\n" });
                }
                return (!piece.is_empty()).then(|| piece.into());
            }
            let has_room = self.answers.len() < self.window && !self.boards.is_ended();
            tokio::select! {
                biased;
                () = sleep_until(self.deadline) => self.end_by_time(),
                answer = self.answers.next(), if !self.answers.is_empty() => {
                    self.write(&mut piece, answer.and_then(Result::ok));
                    while piece.len() < PIECE {
                        self.fill();
                        match self.answers.next().now_or_never() {
                            Some(Some(answer)) => self.write(&mut piece, answer.ok()),
                            _ => break,
                        }
                    }
                    return Some(piece.into());
                }
                () = self.boards.more(), if has_room => {}
            }
        }
    }

    /// Sleeps until the next attempt to obtain a place. Ends the list if it was cancelled or a time
    /// limit has passed.
    async fn wait_for_place(&mut self) {
        let since = *self.no_place_since.get_or_insert_with(Instant::now);
        if self.search.cancel.is_cancelled() {
            self.stop(self.search.lost());
        } else if Instant::now() >= self.deadline {
            self.end_by_time();
        } else if since.elapsed() >= self.search.max_wait() {
            self.stop(self.search.no_place());
        } else {
            sleep(LOOK).await;
        }
    }

    /// Submits the boards read so far to the search threads.
    fn fill(&mut self) {
        while self.answers.len() < self.window {
            let Some(entry) = self.boards.pop() else {
                return;
            };
            if self.search.cancel.is_cancelled() {
                return self.stop(Problem::cancelled());
            }
            let most = self.app.config.max_boards;
            if self.taken == most {
                let detail = format!("the list has more than the maximum of {most} boards");
                return self.stop(Problem::input(detail));
            }
            self.taken += 1;
            let ListEntry { line, board } = entry;
            let board = match board {
                Ok(board) => board,
                Err(problem) => {
                    self.push_wrong(problem, line);
                    continue;
                }
            };
            let (app, settings) = (Arc::clone(&self.app), Arc::clone(&self.settings));
            let work = move |cancel: &_| {
                let report = report(&app, &settings, line, board, cancel);
                (report.nodes.unwrap_or(0), json_text(&report))
            };
            self.answers.push_back(self.search.submit(work));
        }
    }

    /// Adds an error as the answer of the next board.
    fn push_wrong(&mut self, problem: Problem, line: Option<usize>) {
        let report = wrong(&self.settings, problem, None, line);
        let (sender, receiver) = oneshot::channel();
        // The receiver exists, so sending cannot fail.
        let _ = sender.send((0, json_text(&report)));
        self.answers.push_back(receiver);
    }

    /// Stops reading boards. The problem becomes the last answer, after the answers of the boards
    /// already read.
    fn stop(&mut self, problem: Problem) {
        self.boards.end();
        self.push_wrong(problem, None);
    }

    fn end_by_time(&mut self) {
        // Postpones the deadline, so that this function runs only once.
        self.deadline += Duration::from_secs(3600);
        let seconds = self.app.config.max_list_time;
        self.answers = FuturesOrdered::new();
        self.search.cancel.cancel();
        self.stop(Problem::input(format!(
            "the list took more than the maximum of {seconds} s: send the rest in a new list"
        )));
    }

    fn write(&mut self, piece: &mut String, answer: Option<ReportText>) {
        let (nodes, text) = answer.unwrap_or_else(|| {
            let report = wrong(&self.settings, self.search.lost(), None, None);
            (0, json_text(&report))
        });
        self.search.call.log.add(1, nodes);
        if self.form == ListForm::Array {
            piece.push_str(if self.written == 0 { "[\n" } else { ",\n" });
        }
        piece.push_str(&text);
        if self.form == ListForm::Lines {
            piece.push('\n');
        }
        self.written += 1;
    }
}

fn report(
    app: &App,
    settings: &SolveSettings,
    line: Option<usize>,
    board: EntryBoard,
    cancel: &Cancel,
) -> Report {
    let (text, read) = match board {
        EntryBoard::Listed(listed) => {
            let read = listed.parse().map_err(Problem::input);
            let read = read.and_then(|read| settings.puzzle.placed(&app.session, read));
            (listed.text(), read)
        }
        EntryBoard::Text(board) => {
            let placed = settings.puzzle.board(&app.session, &board);
            (board.0, placed)
        }
    };
    let report = read.and_then(|placed| {
        let answer = answer::solve(app, &placed, settings, cancel, None)?;
        Ok(answer.report.compared_with(placed.read.known_length))
    });
    match report {
        Ok(mut report) => {
            report.line = line;
            report
        }
        Err(problem) => wrong(settings, problem, Some(&text), line),
    }
}

/// The report for a board that cannot be solved because of `problem`.
fn wrong(
    settings: &SolveSettings,
    problem: Problem,
    text: Option<&str>,
    line: Option<usize>,
) -> Report {
    let mut report = Report::error(problem.detail).with_mode(settings.mode());
    report.board = text.map(|text| text.trim().chars().take(2000).collect());
    report.line = line;
    report
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::config::Config;
    use crate::request::session;
    use session::request::Solve;
    use session::{Fields, Spelling};

    #[test]
    fn long_answers_reduce_the_boards_ahead() {
        let config = Config::default();
        let window_of = |most: Option<u64>| {
            let object = json!({ "board": "", "all": most.map(|_| true), "most": most });
            let object = object.as_object().unwrap().clone();
            let request = Solve::from_fields(object, Spelling::Snake).unwrap();
            window(&SolveSettings::new(&session(&config), &request).unwrap(), 4)
        };
        let found = [None, Some(1), Some(1000), Some(10_000)].map(window_of);
        assert_eq!(found, [256, 256, 16, 4]);
    }
}
