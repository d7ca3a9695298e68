//! Many boards: read as they come, answered in their order as they are done.
//!
//! Nothing runs ahead of a client that does not read: boards are read, and searched, only while
//! there is room for their answers. So such a client holds neither a thread nor more than
//! [`WINDOW`] answers.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use axum::response::Response;
use futures_util::future::{Either, Ready, ready};
use futures_util::stream::{self, FuturesOrdered};
use futures_util::{FutureExt as _, StreamExt as _};
use puzzle::board_text::{ListReader, ListedBoard, ListedText};
use puzzle::{Board, Tray};
use serde::Deserialize;
use solver::Report;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, sleep_until};

use super::body::{cut_short, parse_json, too_large, too_slow};
use super::json_text;
use super::solve::{typed, with_id};
use crate::answer::Listeners;
use crate::app::App;
use crate::config::{Config, time};
use crate::problem::Problem;
use crate::request::{Asked, BoardText};
use crate::searches::Search;

/// Boards of a list that are waiting, being searched or answered ahead of the first one that is
/// not: so many that a hard board does not keep the other threads waiting.
const WINDOW: usize = 256;
/// The longest line that is read: room for the largest board many times over.
const LONGEST_LINE: usize = 1 << 16;
/// About how much is handed to the connection at once.
const PIECE: usize = 1 << 14;
/// About the most bytes of answers of a list that are held; solutions that are written down are
/// many.
const HELD: usize = 2 << 20;
/// About the bytes of a solution that is written down.
const SOLUTION: usize = 128;
/// Time between two looks whether there is room for the list's next board.
const LOOK: Duration = Duration::from_millis(20);

/// How the reports are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// One a line.
    Lines,
    /// A JSON array.
    Array,
}

/// Where boards come from.
pub(crate) enum Boards {
    Given(std::vec::IntoIter<BoardText>),
    Body(Box<BodyList>),
}

/// A list that is being read.
pub(crate) struct BodyList {
    chunks: BodyDataStream,
    /// What is read, but no whole line yet.
    rest: Vec<u8>,
    /// Whether a line that is too long is being skipped.
    is_skipping: bool,
    reader: Reader,
    ready: std::collections::VecDeque<Given>,
    read: usize,
    most: usize,
    timeout: Duration,
    is_ended: bool,
}

enum Reader {
    Text(ListReader),
    /// JSON lines, and how many there were.
    Json(usize),
}

/// A board as it was given.
enum Given {
    Listed(ListedText),
    Text(BoardText, Option<usize>),
    Wrong(Problem, Option<usize>),
}

impl Boards {
    /// Those of a JSON object.
    pub(crate) fn given(boards: Vec<BoardText>) -> Boards {
        Boards::Given(boards.into_iter())
    }

    /// Text, one a line or in rows.
    pub(crate) fn lines(
        body: Body,
        config: &Config,
        size: Option<Tray>,
        leading_id: bool,
    ) -> Boards {
        Boards::read(
            body,
            config,
            Reader::Text(ListReader::new(size, leading_id)),
        )
    }

    /// JSON, one a line.
    pub(crate) fn json_lines(body: Body, config: &Config) -> Boards {
        Boards::read(body, config, Reader::Json(0))
    }

    fn read(body: Body, config: &Config, reader: Reader) -> Boards {
        Boards::Body(Box::new(BodyList {
            chunks: body.into_data_stream(),
            rest: Vec::new(),
            is_skipping: false,
            reader,
            ready: std::collections::VecDeque::new(),
            read: 0,
            most: config.max_list,
            timeout: time(config.read_timeout),
            is_ended: false,
        }))
    }

    /// Whether a board is there.
    fn is_ready(&self) -> bool {
        match self {
            Boards::Given(boards) => boards.len() > 0,
            Boards::Body(list) => !list.ready.is_empty(),
        }
    }

    /// The next board that is there; `None` until more was read.
    fn pop(&mut self) -> Option<Given> {
        match self {
            Boards::Given(boards) => boards.next().map(|board| Given::Text(board, None)),
            Boards::Body(list) => list.ready.pop_front(),
        }
    }

    /// Whether no more comes.
    fn is_ended(&self) -> bool {
        match self {
            Boards::Given(boards) => boards.len() == 0,
            Boards::Body(list) => list.is_ended && list.ready.is_empty(),
        }
    }

    /// Reads more. May be given up at any time, and nothing is lost.
    async fn more(&mut self) {
        if let Boards::Body(list) = self {
            list.more().await;
        }
    }

    /// Reads no more.
    fn end(&mut self) {
        match self {
            Boards::Given(boards) => *boards = Vec::new().into_iter(),
            Boards::Body(list) => {
                list.is_ended = true;
                list.ready.clear();
            }
        }
    }
}

impl BodyList {
    async fn more(&mut self) {
        let next = tokio::time::timeout(self.timeout, self.chunks.next());
        match next.await {
            Err(_) => self.fail(too_slow(self.timeout)),
            Ok(None) => self.finish(),
            Ok(Some(Err(error))) => self.fail(cut_short(error)),
            Ok(Some(Ok(chunk))) => {
                self.read += chunk.len();
                if self.read > self.most {
                    return self.fail(too_large(self.most));
                }
                self.take(&chunk);
            }
        }
    }

    /// Takes bytes, line by line.
    fn take(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, others) = bytes.split_at(end);
            bytes = &others[1..];
            let mut whole = std::mem::take(&mut self.rest);
            whole.extend_from_slice(&line[..line.len().min(LONGEST_LINE + 1)]);
            match std::mem::take(&mut self.is_skipping) {
                true => {}
                false => self.line(&whole),
            }
        }
        let room = (LONGEST_LINE + 1).saturating_sub(self.rest.len());
        if !self.is_skipping {
            self.rest.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
        if self.rest.len() > LONGEST_LINE {
            let whole = std::mem::take(&mut self.rest);
            self.line(&whole);
            self.is_skipping = true;
        }
    }

    fn line(&mut self, line: &[u8]) {
        let text = match line {
            _ if line.len() > LONGEST_LINE => {
                let detail = format!("the line is longer than {LONGEST_LINE} bytes");
                Err(Problem::input(detail))
            }
            line => {
                std::str::from_utf8(line).map_err(|_| Problem::input("the line is not UTF-8 text"))
            }
        };
        match &mut self.reader {
            Reader::Text(reader) => match text {
                Ok(text) => {
                    // Some editors begin a file with a mark.
                    reader.push(text.strip_prefix('\u{feff}').unwrap_or(text));
                    self.pop_listed();
                }
                Err(problem) => {
                    reader.skip();
                    let line = reader.line();
                    self.pop_listed();
                    self.ready.push_back(Given::Wrong(problem, Some(line)));
                }
            },
            Reader::Json(lines) => {
                *lines += 1;
                let number = Some(*lines);
                let given = match text.map(str::trim) {
                    Ok("") => return,
                    Ok(text) => {
                        let board = match text.starts_with('{') {
                            true => parse_json(text.as_bytes()).map(|BoardObject { board }| board),
                            false => parse_json(text.as_bytes()),
                        };
                        match board {
                            Ok(board) => Given::Text(board, number),
                            Err(problem) => Given::Wrong(problem, number),
                        }
                    }
                    Err(problem) => Given::Wrong(problem, number),
                };
                self.ready.push_back(given);
            }
        }
    }

    fn pop_listed(&mut self) {
        if let Reader::Text(reader) = &mut self.reader {
            self.ready
                .extend(std::iter::from_fn(|| reader.pop()).map(Given::Listed));
        }
    }

    fn finish(&mut self) {
        self.is_ended = true;
        let rest = std::mem::take(&mut self.rest);
        if !rest.is_empty() && !self.is_skipping {
            self.line(&rest);
        }
        if let Reader::Text(reader) = &mut self.reader {
            reader.finish();
        }
        self.pop_listed();
    }

    /// The answer says in its last line why it ends.
    fn fail(&mut self, problem: Problem) {
        self.is_ended = true;
        self.ready.push_back(Given::Wrong(problem, None));
    }
}

/// A line of JSON that is an object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardObject {
    board: BoardText,
}

/// A report's text and its nodes.
type Answer = (u64, String);

/// A report that is awaited, and the line of its board.
type Awaited = Either<Ready<Answer>, oneshot::Receiver<Answer>>;

/// A list that is being answered.
struct Answering {
    app: Arc<App>,
    search: Search,
    boards: Boards,
    asked: Arc<Asked>,
    form: Form,
    awaited: FuturesOrdered<Awaiting>,
    taken: usize,
    written: usize,
    /// How many boards may be ahead of the first that is not answered.
    window: usize,
    deadline: Instant,
    /// Since when the next board waits for a place.
    no_place_since: Option<Instant>,
    is_ended: bool,
}

/// [`Awaited`] as one type of future with one result.
struct Awaiting(Awaited);

impl Future for Awaiting {
    type Output = Option<Answer>;

    fn poll(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Answer>> {
        match &mut self.0 {
            Either::Left(ready) => ready.poll_unpin(context).map(Some),
            Either::Right(receiver) => receiver.poll_unpin(context).map(Result::ok),
        }
    }
}

/// The stream of reports.
pub(crate) fn answer(
    app: &Arc<App>,
    search: Search,
    boards: Boards,
    asked: Asked,
    form: Form,
) -> Response {
    let kind = match form {
        Form::Lines => "application/x-ndjson",
        Form::Array => "application/json",
    };
    let answering = Answering {
        app: Arc::clone(app),
        boards,
        window: window(&asked, app.config.worker_count()),
        asked: Arc::new(asked),
        form,
        awaited: FuturesOrdered::new(),
        taken: 0,
        written: 0,
        deadline: Instant::now() + time(app.config.max_list_time),
        no_place_since: None,
        is_ended: false,
        search,
    };
    let head = with_id(Response::new(Body::empty()), &answering.search);
    let pieces = stream::unfold(answering, |mut answering| async move {
        let presence = answering.search.call.presence.clone();
        let piece = tokio::select! {
            biased;
            piece = answering.piece() => Ok(piece?),
            // While the list is not read to its end, nobody else would see that.
            () = presence.gone() => {
                answering.is_ended = true;
                answering.search.cancel.cancel();
                Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset))
            }
        };
        Some((piece, answering))
    });
    let mut response = typed(Body::from_stream(pieces), kind);
    response.headers_mut().extend(head.into_parts().0.headers);
    response
}

/// How many boards may be ahead: [`WINDOW`], or as many as have room for their solutions, but
/// enough for all threads.
fn window(asked: &Asked, workers: usize) -> usize {
    let most = asked.question.all.map_or(0, |all| all.most);
    let answer = most.saturating_mul(SOLUTION);
    let room = HELD.checked_div(answer).unwrap_or(WINDOW);
    room.clamp(workers.min(WINDOW), WINDOW)
}

impl Answering {
    /// The next piece of the answer; `None` at its end.
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
            if self.awaited.is_empty() {
                self.search.rest();
            }
            if self.awaited.is_empty() && self.boards.is_ended() {
                self.search.finish();
                self.is_ended = true;
                if self.form == Form::Array {
                    piece.push_str(if self.written == 0 { "[]\n" } else { "\n]\n" });
                }
                return (!piece.is_empty()).then(|| piece.into());
            }
            let has_room = self.awaited.len() < self.window && !self.boards.is_ended();
            tokio::select! {
                biased;
                () = sleep_until(self.deadline) => self.end_by_time(),
                answer = self.awaited.next(), if !self.awaited.is_empty() => {
                    self.write(&mut piece, answer.flatten());
                    while piece.len() < PIECE {
                        self.fill();
                        match self.awaited.next().now_or_never() {
                            Some(Some(answer)) => self.write(&mut piece, answer),
                            _ => break,
                        }
                    }
                    return Some(piece.into());
                }
                () = self.boards.more(), if has_room => {}
            }
        }
    }

    /// Waits a moment for a place, in which nothing of the list is being searched.
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

    /// Has threads search the boards that are there.
    fn fill(&mut self) {
        while self.awaited.len() < self.window {
            let Some(given) = self.boards.pop() else {
                return;
            };
            if self.search.cancel.is_cancelled() {
                return self.stop(Problem::cancelled());
            }
            let most = self.app.config.max_boards;
            if self.taken == most {
                let detail = format!("the list has more than {most} boards, which are the most");
                return self.stop(Problem::input(detail));
            }
            self.taken += 1;
            let awaited = match given {
                Given::Wrong(problem, line) => {
                    let report = wrong(&self.asked, problem, None, line);
                    Either::Left(ready((0, json_text(&report))))
                }
                given => {
                    let (app, asked) = (Arc::clone(&self.app), Arc::clone(&self.asked));
                    let work = move |cancel: &_| {
                        let report = report(&app, &asked, given, cancel);
                        (report.nodes.unwrap_or(0), json_text(&report))
                    };
                    Either::Right(self.search.submit(work))
                }
            };
            self.awaited.push_back(Awaiting(awaited));
        }
    }

    /// Takes no more boards, and says why after those that were taken.
    fn stop(&mut self, problem: Problem) {
        self.boards.end();
        let report = wrong(&self.asked, problem, None, None);
        let answer = Either::Left(ready((0, json_text(&report))));
        self.awaited.push_back(Awaiting(answer));
    }

    fn end_by_time(&mut self) {
        // Far enough for the searches that end now.
        self.deadline += Duration::from_secs(3600);
        let seconds = self.app.config.max_list_time;
        self.awaited = FuturesOrdered::new();
        self.search.cancel.cancel();
        self.stop(Problem::input(format!(
            "the list took more than {seconds} s, which is the most: send the other boards in another"
        )));
    }

    fn write(&mut self, piece: &mut String, answer: Option<Answer>) {
        let (nodes, text) = answer.unwrap_or_else(|| {
            let report = wrong(&self.asked, self.search.lost(), None, None);
            (0, json_text(&report))
        });
        self.search.call.log.add(1, nodes);
        if self.form == Form::Array {
            piece.push_str(if self.written == 0 { "[\n" } else { ",\n" });
        }
        piece.push_str(&text);
        if self.form == Form::Lines {
            piece.push('\n');
        }
        self.written += 1;
    }
}

/// The report of a board of a list.
fn report(app: &App, asked: &Asked, given: Given, cancel: &solver::Cancel) -> Report {
    let (text, line) = match &given {
        Given::Listed(listed) => (listed.text().to_owned(), Some(listed.first_line())),
        Given::Text(text, line) => (text.text().into_owned(), *line),
        Given::Wrong(_, line) => (String::new(), *line),
    };
    let read = match given {
        Given::Listed(listed) => listed.parse().map_err(Problem::input),
        Given::Text(text, _) => asked.puzzle.board(&text).map(Board::into),
        Given::Wrong(problem, _) => Err(problem),
    };
    let solved = read.and_then(|listed: ListedBoard| {
        let listeners = Listeners::default();
        let solved = app.solve(&listed.board, asked, cancel, listeners)?;
        Ok(solved.report.compared_with(listed.known_length))
    });
    match solved {
        Ok(mut report) => {
            report.line = line;
            report
        }
        Err(problem) => wrong(asked, problem, Some(&text), line),
    }
}

/// The report of a board that cannot be solved for another reason than the puzzle's.
fn wrong(asked: &Asked, problem: Problem, text: Option<&str>, line: Option<usize>) -> Report {
    let mut report = Report::error(problem.detail).with_mode(asked.mode());
    report.board = text.map(|text| text.trim().chars().take(2000).collect());
    report.line = line;
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{Limits, Puzzle, Wishes};

    #[test]
    fn fewer_boards_are_ahead_where_answers_are_long() {
        let config = Config::default();
        let window_of = |most: Option<u64>| {
            let puzzle = Puzzle::new(&config, None, None, None, None).unwrap();
            let limits = Limits::new(&config, None, None, None).unwrap();
            let all = most.map(|_| true);
            let wishes = Wishes {
                all,
                most,
                ..Wishes::default()
            };
            window(&Asked::new(&config, puzzle, limits, &wishes).unwrap(), 4)
        };
        let found = [None, Some(1), Some(1000), Some(10_000)].map(window_of);
        assert_eq!(found, [256, 256, 16, 4]);
    }
}
