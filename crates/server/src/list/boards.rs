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

use crate::body::{cut_short, too_large, too_slow};
use crate::config::Config;

/// Maximum line length in bytes: many times the length of the largest board's line.
const LONGEST_LINE: usize = 1 << 16;

/// Boards that have been read, and the body that contains the unread ones.
pub(crate) struct Boards {
    ready: VecDeque<Entry>,
    is_ended: bool,
    chunks: BodyDataStream,
    /// The start of an incomplete line.
    rest: Vec<u8>,
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

/// An entry, with the number of its line from 1.
pub(crate) struct Entry {
    pub(crate) line: Option<usize>,
    pub(crate) board: EntryBoard,
}

pub(crate) enum EntryBoard {
    Listed(ListedText),
    Text(BoardText),
    /// Why the entry cannot be read.
    Wrong(String),
}

impl Boards {
    /// The boards of a JSON object.
    pub(crate) fn given(boards: Vec<BoardText>) -> Boards {
        let entry = |board| Entry {
            line: None,
            board: EntryBoard::Text(board),
        };
        Boards {
            ready: boards.into_iter().map(entry).collect(),
            is_ended: true,
            chunks: Body::empty().into_data_stream(),
            rest: Vec::new(),
            syntax: Syntax::Json(0),
            read: 0,
            most: 0,
            timeout: Duration::MAX,
        }
    }

    /// The boards of a body: with `text`, the size and whether each line begins with a number, a
    /// text with one board per line or per group of lines; otherwise one JSON value per line.
    pub(crate) fn of_body(
        body: Body,
        text: Option<(Option<Tray>, bool)>,
        config: &Config,
    ) -> Boards {
        let reader = |(size, leading_id)| Box::new(ListReader::new(size, leading_id));
        Boards {
            is_ended: false,
            chunks: body.into_data_stream(),
            syntax: text.map_or(Syntax::Json(0), |text| Syntax::Text(reader(text))),
            most: config.max_list,
            timeout: config.read_timeout,
            ..Boards::given(Vec::new())
        }
    }

    /// Removes the next board that has been read; `None` if there is none.
    pub(crate) fn pop(&mut self) -> Option<Entry> {
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
            Err(_) => self.fail(too_slow(self.timeout).detail),
            Ok(Some(Err(error))) => self.fail(cut_short(&error).detail),
            Ok(Some(Ok(chunk))) => {
                self.read += chunk.len();
                if self.read > self.most {
                    return self.fail(too_large(self.most).detail);
                }
                self.take(&chunk);
            }
            Ok(None) => {
                self.is_ended = true;
                let rest = take(&mut self.rest);
                if !rest.is_empty() {
                    self.line(&rest);
                }
                if let Syntax::Text(reader) = &mut self.syntax {
                    reader.finish();
                }
                self.pop_listed();
            }
        }
    }

    fn take(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let mut whole = take(&mut self.rest);
            whole.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end + 1..];
            self.line(&whole);
        }
        self.rest.extend_from_slice(bytes);
        if self.rest.len() > LONGEST_LINE {
            self.fail(format!("a line is longer than {LONGEST_LINE} bytes"));
        }
    }

    fn line(&mut self, line: &[u8]) {
        let text = std::str::from_utf8(line);
        let (number, board) = match (&mut self.syntax, text) {
            (Syntax::Text(reader), Ok(text)) => {
                reader.push(text);
                return self.pop_listed();
            }
            (Syntax::Text(reader), Err(_)) => {
                reader.skip();
                (reader.line(), None)
            }
            (Syntax::Json(lines), text) => {
                *lines += 1;
                // A JSON text is a board's text; the reader reads arrays and objects.
                let board = match text.map(str::trim) {
                    Ok("") => return,
                    Ok(text) => Some(serde_json::from_str(text).unwrap_or(text.to_owned())),
                    Err(_) => None,
                };
                (*lines, board)
            }
        };
        self.pop_listed();
        let wrong = || EntryBoard::Wrong("the line is not UTF-8 text".to_owned());
        self.ready.push_back(Entry {
            line: Some(number),
            board: board.map_or_else(wrong, |text| EntryBoard::Text(text.into())),
        });
    }

    fn pop_listed(&mut self) {
        if let Syntax::Text(reader) = &mut self.syntax {
            let listed = std::iter::from_fn(|| reader.pop());
            self.ready.extend(listed.map(|listed| Entry {
                line: Some(listed.first_line()),
                board: EntryBoard::Listed(listed),
            }));
        }
    }

    /// Ends the list with an error, which becomes the last line of the answer.
    fn fail(&mut self, detail: String) {
        if !self.is_ended {
            self.is_ended = true;
            self.ready.push_back(Entry {
                line: None,
                board: EntryBoard::Wrong(detail),
            });
        }
    }
}
