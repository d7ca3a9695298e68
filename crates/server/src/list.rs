//! Lists of boards: read incrementally, and answered in order.
//!
//! The service reads and searches boards only while there is room for their answers. A client that
//! does not read its answers therefore occupies no thread, and at most [`WINDOW`] of its answers
//! are stored.

use std::collections::VecDeque;
use std::io::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::HeaderMap;
use futures_util::future::ready;
use futures_util::{FutureExt as _, Stream, StreamExt as _, TryStreamExt as _, stream};
use http_body_util::Limited;
use puzzle::Tray;
use puzzle::board_text::{ListReader, ListedBoard};
use serde_json::Value;
use session::request::Solve;
use session::{BoardText, Cancel, Control, Failure};
use solver::{Mode, Report, number_of_threads};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::io::StreamReader;
use tracing::Span;

use crate::app::App;
use crate::body::{Problem, RouteResult, accepts, cut_short, text_of, too_slow, typed};
use crate::config::Config;
use crate::queue::Client;
use crate::searches::Search;

/// Maximum number of boards that are read but not yet answered. While one thread searches a hard
/// board, the next boards keep the other threads busy.
const WINDOW: usize = 256;
/// Maximum number of reports per write to the connection.
const PIECE: usize = 64;
/// Target size of a list's unsent answers, in bytes. The number of boards that are read ahead
/// depends on it, but is at least one per search thread.
const HELD: usize = 2 << 20;
/// Approximate bytes of one written solution.
const SOLUTION: usize = 128;
const LINES: &str = "application/x-ndjson";
const ARRAY: &str = "application/json";
/// Maximum line length in bytes: many times the length of the largest board's line.
const LONGEST_LINE: u64 = 1 << 16;

/// Solves the boards of a list with the options of `request`. The answer has one report per line,
/// or is one JSON array if the client accepts only JSON.
pub(crate) fn answer(
    app: &Arc<App>,
    client: Client,
    request: Solve,
    entries: Entries,
    headers: &HeaderMap,
) -> RouteResult {
    let question = app.session.question(&request, &Control::default())?;
    // If answers can contain many solutions, fewer boards are read ahead.
    let most = question.all.map_or(0, |all| all.most);
    let room = HELD.checked_div(most.saturating_mul(SOLUTION));
    let least = number_of_threads(app.config.workers).min(WINDOW);
    let window = room.unwrap_or(WINDOW).clamp(least, WINDOW);
    let is_large = question.mode() == Mode::Anytime;
    let search = app.searches.admit(client, is_large)?;
    let (most, limit) = (app.config.max_boards, app.config.max_list_time);
    let [takes_lines, takes_array] = [LINES, ARRAY].map(|kind| accepts(headers, kind));
    let is_array = takes_array && !takes_lines;
    let kind = if is_array { ARRAY } else { LINES };
    let (app, search, request) = (Arc::clone(app), Arc::new(search), Arc::new(request));
    let (own, options) = (Arc::clone(&search), Arc::clone(&request));
    let end = Instant::now() + limit;
    let last = async move {
        let seconds = limit.as_secs_f64();
        let detail = format!("the list took more than the maximum of {seconds} s");
        (Instant::now() >= end).then(|| text_of(&wrong(&options, detail)))
    };
    let end = sleep_until(end).map(move |()| own.cancel.cancel());
    let response = search.named(typed(Body::empty(), kind));
    let boards = entries.stream(Arc::clone(&search), most);
    let answers = boards.map(move |entry| {
        let (app, request) = (Arc::clone(&app), Arc::clone(&request));
        let own = Arc::clone(&request);
        let answer = search
            .submit(move |cancel: &Cancel| text_of(&report_of_entry(&app, &own, entry, cancel)));
        let search = Arc::clone(&search);
        answer.map(move |answer| {
            let lost = |_| text_of(&wrong(&request, search.lost().detail));
            answer.unwrap_or_else(lost)
        })
    });
    let answers = answers.buffered(window).take_until(Box::pin(end));
    let last = stream::once(last).filter_map(ready);
    let (mut written, span) = (0, Span::current());
    let pieces = answers.chain(last).map(Some).chain(stream::iter([None]));
    let pieces = pieces.ready_chunks(PIECE).map(move |reports| {
        let mut piece = String::new();
        for report in reports {
            match (&report, is_array) {
                (Some(_), true) => piece += if written == 0 { "[\n" } else { ",\n" },
                (None, true) => piece += if written == 0 { "[]\n" } else { "\n]\n" },
                _ => {}
            }
            let Some(text) = report else {
                tracing::info!(parent: &span, boards = written, "list");
                continue;
            };
            piece += &text;
            piece += if is_array { "" } else { "\n" };
            written += 1;
        }
        Ok::<_, Error>(piece)
    });
    Ok(response.map(|_| Body::from_stream(pieces)))
}

/// The report of a board.
fn report_of_entry(app: &App, request: &Solve, entry: Entry, cancel: &Cancel) -> Report {
    let (session, subject) = (&app.session, &request.subject);
    let text = BoardText(entry.text);
    let read = match entry.read {
        Some(read) => read.map_err(Failure::input),
        None => session.board(&text, subject.size),
    };
    let report = read.and_then(|read| {
        let (read, goal) = session.place(read, subject.goal.as_ref())?;
        let control = Control::stopped_by(cancel);
        let report = app.report(request, &read, &goal, &control, false)?;
        Ok(report.compared_with(read.known_length))
    });
    let mut report = report.unwrap_or_else(|failure| {
        let mut report = wrong(request, Problem::from(failure).detail);
        let short: String = text.0.trim().chars().take(2000).collect();
        report.board = Some(short).filter(|text| !text.is_empty());
        report
    });
    report.line = entry.line;
    report
}

/// The report for a board that cannot be solved because of `detail`.
fn wrong(request: &Solve, detail: String) -> Report {
    Report::error(detail).with_mode(request.mode.unwrap_or_default())
}

/// An entry of a list.
struct Entry {
    /// Number of its line, from 1.
    line: Option<usize>,
    text: String,
    /// The board, or why it cannot be read; `None` if the text was not parsed yet.
    read: Option<Result<ListedBoard, String>>,
}

impl Entry {
    fn wrong(line: Option<usize>, detail: String) -> Entry {
        let (text, read) = (String::new(), Some(Err(detail)));
        Entry { line, text, read }
    }
}

/// Entries that have been read, and the body that contains the unread ones.
pub(crate) struct Entries {
    ready: VecDeque<Entry>,
    is_ended: bool,
    body: Pin<Box<dyn AsyncBufRead + Send>>,
    /// The reader of a text; `None` if each line is a JSON value.
    reader: Option<Box<ListReader>>,
    lines: usize,
    timeout: Duration,
}

impl Entries {
    /// The boards of a JSON array.
    pub(crate) fn given(boards: &[Value]) -> Entries {
        let text = |board: &Value| match board {
            Value::String(text) => text.clone(),
            board => board.to_string(),
        };
        let entry = |board| Entry {
            line: None,
            text: text(board),
            read: None,
        };
        Entries {
            ready: boards.iter().map(entry).collect(),
            is_ended: true,
            body: Box::pin(tokio::io::empty()),
            reader: None,
            lines: 0,
            timeout: Duration::MAX,
        }
    }

    /// The boards of a body: with `text`, the size and whether each line begins with a number, a
    /// text with one board per line or per group of lines; otherwise one JSON value per line.
    pub(crate) fn of_body(
        body: Body,
        text: Option<(Option<Tray>, bool)>,
        config: &Config,
    ) -> Entries {
        let reader = |(size, leading_id)| Box::new(ListReader::new(size, leading_id));
        let chunks = Body::new(Limited::new(body, config.max_list)).into_data_stream();
        Entries {
            is_ended: false,
            body: Box::pin(StreamReader::new(chunks.map_err(Error::other))),
            reader: text.map(reader),
            timeout: config.read_timeout,
            ..Entries::given(&[])
        }
    }

    /// The entries, as they arrive. The list ends with an error after `most` entries, and if the
    /// search is cancelled.
    fn stream(self, search: Arc<Search>, most: usize) -> impl Stream<Item = Entry> {
        let state = (self, search, 0);
        stream::unfold(state, move |(mut entries, search, taken)| async move {
            let mut end = None;
            while entries.ready.is_empty() && !entries.is_ended && end.is_none() {
                end = entries.more().await.err();
            }
            let entry = match end {
                None => entries.ready.pop_front()?,
                Some(end) => entries.ended(end),
            };
            let end = match () {
                () if search.cancel.is_cancelled() => Some(search.lost().detail),
                () if taken < most => None,
                () => Some(format!(
                    "the list has more than the maximum of {most} boards"
                )),
            };
            let entry = end.map_or(entry, |end| entries.ended(end));
            Some((entry, (entries, search, taken + 1)))
        })
    }

    /// Reads the next line.
    /// Errors: the list ends here, with an error that becomes the last line of the answer.
    async fn more(&mut self) -> Result<(), String> {
        let mut line = Vec::new();
        let mut body = (&mut self.body).take(LONGEST_LINE);
        let read = timeout(self.timeout, body.read_until(b'\n', &mut line)).await;
        let read = read.map_err(|_| too_slow(self.timeout).detail)?;
        read.map_err(|error| cut_short(&error).detail)?;
        if body.limit() == 0 {
            return Err(format!("a line is longer than {LONGEST_LINE} bytes"));
        }
        self.is_ended = line.is_empty();
        match &mut self.reader {
            Some(reader) if self.is_ended => reader.finish(),
            _ if self.is_ended => {}
            _ => self.line(std::str::from_utf8(&line).ok()),
        }
        self.pop_listed();
        Ok(())
    }

    /// Reads a line; `None` if it is not UTF-8.
    fn line(&mut self, text: Option<&str>) {
        self.lines += 1;
        let line = Some(self.lines);
        match (&mut self.reader, text) {
            (Some(reader), Some(text)) => reader.push(text),
            (None, Some(text)) if text.trim().is_empty() => {}
            // A JSON text is a board's text; the reader of boards reads arrays and objects.
            (None, Some(text)) => {
                let text = serde_json::from_str(text).unwrap_or(text.trim().to_owned());
                let read = None;
                self.ready.push_back(Entry { line, text, read });
            }
            (reader, None) => {
                reader.iter_mut().for_each(|reader| reader.skip());
                self.pop_listed();
                let wrong = Entry::wrong(line, "the line is not UTF-8 text".to_owned());
                self.ready.push_back(wrong);
            }
        }
    }

    fn pop_listed(&mut self) {
        while let Some(listed) = self.reader.as_mut().and_then(|reader| reader.pop()) {
            self.ready.push_back(Entry {
                line: Some(listed.first_line),
                text: listed.text(),
                read: Some(listed.parse().map_err(|error| error.to_string())),
            });
        }
    }

    /// Ends the list. The entry with the reason becomes the last line of the answer.
    fn ended(&mut self, detail: String) -> Entry {
        (self.ready, self.is_ended) = (VecDeque::new(), true);
        Entry::wrong(None, detail)
    }
}
