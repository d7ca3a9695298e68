//! Lists of boards: read incrementally, and answered in order.
//!
//! The service reads and searches boards only while there is room for their answers. A client that
//! does not read its answers therefore occupies no thread, and at most [`WINDOW`] of its answers
//! are stored.

mod boards;

use std::io::Error;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use futures_util::stream::{self, FuturesOrdered};
use futures_util::{FutureExt as _, StreamExt as _};
use session::request::Solve;
use session::{Cancel, Control, Failure};
use solver::Report;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};
use tracing::Instrument as _;

use crate::answer::{self, silent};
use crate::app::App;
use crate::body::{RouteResult, accepts, text_of, typed};
use crate::client::Call;
use crate::problem::Problem;
use crate::searches::Search;
use crate::solve::is_large;

pub(crate) use boards::Boards;
use boards::{Entry, EntryBoard};

/// Maximum number of boards that are read but not yet answered. While one thread searches a hard
/// board, the next boards keep the other threads busy.
const WINDOW: usize = 256;
/// Approximate bytes per write to the connection.
const PIECE: usize = 1 << 14;
/// Maximum number of pieces that wait to be sent.
const PIECES: usize = 4;
/// Target size of a list's unsent answers, in bytes. The number of boards that are read ahead
/// depends on it, but is at least one per search thread.
const HELD: usize = 2 << 20;
/// Approximate bytes of one written solution.
const SOLUTION: usize = 128;

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

struct List {
    app: Arc<App>,
    search: Search,
    request: Arc<Solve>,
    boards: Boards,
    form: ListForm,
    answers: FuturesOrdered<oneshot::Receiver<ReportText>>,
    /// Maximum number of boards that are read but not yet answered.
    window: usize,
    taken: usize,
    written: usize,
    nodes: u64,
    piece: String,
    sender: mpsc::Sender<Bytes>,
}

/// Solves the boards of a list with the options of `request`.
pub(crate) fn answer(
    app: &Arc<App>,
    call: Call,
    request: Solve,
    boards: Boards,
    form: ListForm,
) -> RouteResult {
    if let Some(size) = request.subject.size {
        app.session.check_cells(size)?;
    }
    let question = app.session.question(&request, &Control::default())?;
    // If answers can contain many solutions, fewer boards are read ahead.
    let most = question.all.map_or(0, |all| all.most);
    let room = HELD.checked_div(most.saturating_mul(SOLUTION));
    let least = app.config.worker_count().min(WINDOW);
    let search = app.searches.admit(call, is_large(&request))?;
    let (sender, receiver) = mpsc::channel(PIECES);
    let list = List {
        app: Arc::clone(app),
        request: Arc::new(request),
        boards,
        form,
        answers: FuturesOrdered::new(),
        window: room.unwrap_or(WINDOW).clamp(least, WINDOW),
        taken: 0,
        written: 0,
        nodes: 0,
        piece: String::new(),
        sender,
        search,
    };
    let pieces = stream::unfold(receiver, |mut receiver| async move {
        Some((Ok::<_, Error>(receiver.recv().await?), receiver))
    });
    let kind = match form {
        ListForm::Lines => "application/x-ndjson",
        ListForm::Array => "application/json",
    };
    let response = list.search.named(typed(Body::from_stream(pieces), kind));
    tokio::spawn(list.run().in_current_span());
    Ok(response)
}

impl List {
    /// Answers all boards. Ends early if the client disconnects.
    async fn run(mut self) {
        // The place for the last line, if the client does not read its answer in time.
        let Ok(last) = self.sender.clone().reserve_owned().await else {
            return;
        };
        let deadline = Instant::now() + self.app.config.max_list_time;
        let (sender, peer) = (self.sender.clone(), self.search.call.peer.clone());
        let end = tokio::select! {
            biased;
            end = timeout_at(deadline, self.answer_all()) => end,
            () = sender.closed() => return,
            () = peer.gone() => return,
        };
        match end {
            Ok(None) => return,
            Ok(Some(())) => self.search.finish(),
            Err(_) => {
                let seconds = self.app.config.max_list_time.as_secs_f64();
                let detail = format!(
                    "the list took more than the maximum of {seconds} s: send the rest in a new list"
                );
                let text = text_of(&self.wrong(detail, None, None));
                self.write((0, text));
            }
        }
        if self.form == ListForm::Array {
            self.piece
                .push_str(if self.written == 0 { "[]\n" } else { "\n]\n" });
        }
        tracing::info!(boards = self.written, nodes = self.nodes, "list");
        last.send(std::mem::take(&mut self.piece).into());
    }

    /// Answers all boards but for the last unsent piece; `None` if the client has disconnected.
    async fn answer_all(&mut self) -> Option<()> {
        loop {
            self.fill();
            if self.answers.is_empty() && self.boards.is_ended() {
                return Some(());
            }
            let has_room = self.answers.len() < self.window && !self.boards.is_ended();
            tokio::select! {
                biased;
                answer = self.answers.next(), if !self.answers.is_empty() => {
                    self.add(answer.and_then(Result::ok));
                    while self.piece.len() < PIECE {
                        self.fill();
                        match self.answers.next().now_or_never() {
                            Some(Some(answer)) => self.add(answer.ok()),
                            _ => break,
                        }
                    }
                    let permit = self.sender.reserve().await.ok()?;
                    permit.send(std::mem::take(&mut self.piece).into());
                }
                () = self.boards.more(), if has_room => {}
            }
        }
    }

    /// Submits the boards read so far to the search threads.
    fn fill(&mut self) {
        while self.answers.len() < self.window {
            let Some(Entry { line, board }) = self.boards.pop() else {
                return;
            };
            let most = self.app.config.max_boards;
            let end = match () {
                () if self.search.cancel.is_cancelled() => Some(self.search.lost().detail),
                () if self.taken < most => None,
                () => Some(format!(
                    "the list has more than the maximum of {most} boards"
                )),
            };
            if let Some(detail) = end {
                // The answers of the boards already read come before this one.
                self.boards.end();
                return self.push_wrong(detail, None);
            }
            self.taken += 1;
            if let EntryBoard::Wrong(detail) = board {
                self.push_wrong(detail, line);
                continue;
            }
            let (app, request) = (Arc::clone(&self.app), Arc::clone(&self.request));
            self.answers
                .push_back(self.search.submit(move |cancel: &Cancel| {
                    let mut report = solve(&app, &request, board, cancel);
                    report.line = line;
                    (report.nodes.unwrap_or(0), text_of(&report))
                }));
        }
    }

    /// Adds an error as the answer of the next board.
    fn push_wrong(&mut self, detail: String, line: Option<usize>) {
        let text = text_of(&self.wrong(detail, None, line));
        let (sender, receiver) = oneshot::channel();
        // The receiver exists, so sending cannot fail.
        let _ = sender.send((0, text));
        self.answers.push_back(receiver);
    }

    fn wrong(&self, detail: String, text: Option<&str>, line: Option<usize>) -> Report {
        wrong(&self.request, detail, text, line)
    }

    /// Writes the answer of the next board; `None` if its work has sent no result.
    fn add(&mut self, answer: Option<ReportText>) {
        let lost = || {
            (
                0,
                text_of(&self.wrong(self.search.lost().detail, None, None)),
            )
        };
        let answer = answer.unwrap_or_else(lost);
        self.write(answer);
    }

    fn write(&mut self, (nodes, text): ReportText) {
        if self.form == ListForm::Array {
            self.piece
                .push_str(if self.written == 0 { "[\n" } else { ",\n" });
        }
        self.piece.push_str(&text);
        if self.form == ListForm::Lines {
            self.piece.push('\n');
        }
        (self.nodes, self.written) = (self.nodes + nodes, self.written + 1);
    }
}

/// The report of a board.
fn solve(app: &App, request: &Solve, board: EntryBoard, cancel: &Cancel) -> Report {
    let session = &app.session;
    let (text, read) = match board {
        EntryBoard::Listed(listed) => (listed.text(), listed.parse().map_err(Failure::input)),
        EntryBoard::Text(board) => {
            let read = session.board(&board, request.subject.size);
            (board.0, read)
        }
        EntryBoard::Wrong(detail) => (String::new(), Err(Failure::input(detail))),
    };
    let report = read.and_then(|read| {
        let (read, goal) = session.place(read, request.subject.goal.as_ref())?;
        let (report, _) = answer::solve(app, request, &read, &goal, &silent(cancel))?;
        Ok(report.compared_with(read.known_length))
    });
    report
        .unwrap_or_else(|failure| wrong(request, Problem::from(failure).detail, Some(&text), None))
}

/// The report for a board that cannot be solved because of `detail`.
fn wrong(request: &Solve, detail: String, text: Option<&str>, line: Option<usize>) -> Report {
    let mut report = Report::error(detail).with_mode(request.mode.unwrap_or_default());
    report.board = text.map(|text| text.trim().chars().take(2000).collect());
    report.line = line;
    report
}
