//! The boards of a request, read incrementally from its body.

use std::collections::VecDeque;
use std::mem::take;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use futures_util::StreamExt as _;
use puzzle::Tray;
use puzzle::board_text::{ListReader, ListedText};
use session::BoardText;
use tokio::time::timeout;

use crate::api::body::{cut_short, too_large, too_slow};
use crate::config::{Config, time};
use crate::problem::Problem;

/// Maximum line length in bytes: many times the length of the largest board's line.
const LONGEST_LINE: usize = 1 << 16;

/// Boards that have been read, and the body that contains the unread ones.
pub(crate) struct Boards {
    ready: VecDeque<ListEntry>,
    is_ended: bool,
    chunks: BodyDataStream,
    /// The start of an incomplete line.
    rest: Vec<u8>,
    /// Whether an overlong line is being skipped.
    is_skipping: bool,
    syntax: Syntax,
    read: usize,
    most: usize,
    timeout: Duration,
}

enum Syntax {
    Text(Box<ListReader>),
    /// JSON lines, and the number of lines read so far.
    Json(usize),
}

/// The text of a board, or the error that prevented reading it.
pub(crate) struct ListEntry {
    /// Line number, from 1.
    pub(crate) line: Option<usize>,
    pub(crate) board: Result<EntryBoard, Problem>,
}

pub(crate) enum EntryBoard {
    Listed(ListedText),
    Text(BoardText),
}

impl Boards {
    /// The boards of a JSON object.
    pub(crate) fn of_request(boards: Vec<BoardText>, config: &Config) -> Boards {
        let entry = |board| ListEntry {
            line: None,
            board: Ok(EntryBoard::Text(board)),
        };
        Boards {
            ready: boards.into_iter().map(entry).collect(),
            is_ended: true,
            ..Boards::json_lines(Body::empty(), config)
        }
    }

    /// The boards of a text, one board per line or per group of lines.
    pub(crate) fn text(
        body: Body,
        config: &Config,
        size: Option<Tray>,
        leading_id: bool,
    ) -> Boards {
        let reader = ListReader::new(size, leading_id);
        Boards::new(body, config, Syntax::Text(Box::new(reader)))
    }

    /// The boards of a body with one JSON value per line.
    pub(crate) fn json_lines(body: Body, config: &Config) -> Boards {
        Boards::new(body, config, Syntax::Json(0))
    }

    fn new(body: Body, config: &Config, syntax: Syntax) -> Boards {
        Boards {
            ready: VecDeque::new(),
            is_ended: false,
            chunks: body.into_data_stream(),
            rest: Vec::new(),
            is_skipping: false,
            syntax,
            read: 0,
            most: config.max_list,
            timeout: time(config.read_timeout),
        }
    }

    pub(crate) fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Removes the next board that has been read; `None` if there is none.
    pub(crate) fn pop(&mut self) -> Option<ListEntry> {
        self.ready.pop_front()
    }

    /// Whether all boards have been read and removed.
    pub(crate) fn is_ended(&self) -> bool {
        self.is_ended && self.ready.is_empty()
    }

    pub(crate) fn end(&mut self) {
        self.is_ended = true;
        self.ready.clear();
    }

    /// Reads more boards. Dropping the future loses nothing.
    pub(crate) async fn more(&mut self) {
        match timeout(self.timeout, self.chunks.next()).await {
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

    fn take(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, others) = bytes.split_at(end);
            bytes = &others[1..];
            let mut whole = take(&mut self.rest);
            whole.extend_from_slice(&line[..line.len().min(LONGEST_LINE + 1)]);
            if !take(&mut self.is_skipping) {
                self.line(&whole);
            }
        }
        let room = (LONGEST_LINE + 1).saturating_sub(self.rest.len());
        if !self.is_skipping {
            self.rest.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
        if self.rest.len() > LONGEST_LINE {
            let whole = take(&mut self.rest);
            self.line(&whole);
            self.is_skipping = true;
        }
    }

    fn line(&mut self, line: &[u8]) {
        let text = match line.len() > LONGEST_LINE {
            true => {
                let detail = format!("the line is longer than {LONGEST_LINE} bytes");
                Err(Problem::input(detail))
            }
            false => {
                std::str::from_utf8(line).map_err(|_| Problem::input("the line is not UTF-8 text"))
            }
        };
        let (line, board) = match &mut self.syntax {
            Syntax::Text(reader) => match text {
                Ok(text) => {
                    reader.push(text);
                    return self.pop_listed();
                }
                Err(problem) => {
                    reader.skip();
                    (reader.line(), Err(problem))
                }
            },
            Syntax::Json(lines) => {
                *lines += 1;
                // A JSON text is a board's text; the reader reads arrays and objects.
                let board = match text.map(str::trim) {
                    Ok("") => return,
                    Ok(text) => Ok(serde_json::from_str(text).unwrap_or(text.to_owned()).into()),
                    Err(problem) => Err(problem),
                };
                (*lines, board.map(EntryBoard::Text))
            }
        };
        self.pop_listed();
        let line = Some(line);
        self.ready.push_back(ListEntry { line, board });
    }

    fn pop_listed(&mut self) {
        if let Syntax::Text(reader) = &mut self.syntax {
            let listed = std::iter::from_fn(|| reader.pop());
            self.ready.extend(listed.map(|listed| ListEntry {
                line: Some(listed.first_line),
                board: Ok(EntryBoard::Listed(listed)),
            }));
        }
    }

    fn finish(&mut self) {
        self.is_ended = true;
        let rest = take(&mut self.rest);
        if !rest.is_empty() && !self.is_skipping {
            self.line(&rest);
        }
        if let Syntax::Text(reader) = &mut self.syntax {
            reader.finish();
        }
        self.pop_listed();
    }

    /// Ends the list with a problem, which becomes the last line of the answer.
    fn fail(&mut self, problem: Problem) {
        self.is_ended = true;
        let board = Err(problem);
        self.ready.push_back(ListEntry { line: None, board });
    }
}
