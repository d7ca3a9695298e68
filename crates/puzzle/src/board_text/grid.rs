//! Parser of numbers and rows, and their conversion to a board.

use super::error::TextError;
use super::lexer::{Token, closing, has_brackets, is_frame, number, tokens};
use crate::board::{Board, BoardError};
use crate::message::printable;
use crate::tray::Tray;

/// The numbers of a text, with the rows that the text shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    pub(crate) numbers: Vec<u32>,
    /// Row lengths; one entry if the text shows no rows.
    pub(crate) rows: Vec<usize>,
    /// Indices of blanks that are marks, such as `_`, and not the number 0.
    pub(crate) marks: Vec<usize>,
    /// Whether each line is one number. `rows` then has one entry.
    pub(crate) is_column: bool,
    /// Index and word of each number that does not fit in 32 bits.
    too_large: Vec<(usize, String)>,
}

impl Grid {
    /// Reads numbers and rows. Rows end at slashes and line breaks. They also end at semicolons if
    /// more than one number precedes the first semicolon. In arrays, rows end only at slashes,
    /// semicolons and closing brackets, and text after the array belongs to the last row. Empty
    /// rows and drawn frames are ignored. Two bars with only spaces between them denote the blank.
    pub(crate) fn read(text: &str) -> Result<Grid, TextError> {
        let mut reader = GridReader {
            is_array: has_brackets(text),
            has_semicolon_rows: has_semicolon_rows(text),
            ..GridReader::default()
        };
        if reader.is_array {
            reader.read_line(text)?;
        } else {
            for line in text.split(['\n', '\r']) {
                if !is_frame(line) {
                    reader.read_line(line)?;
                    reader.end_row();
                }
            }
        }
        reader.finish()
    }

    /// The tray size that the rows imply; `None` if there is only one row.
    fn shown_size(&self) -> Result<Option<Tray>, BoardError> {
        if self.rows.len() < 2 {
            return Ok(None);
        }
        let expected = self.rows[0];
        if let Some(odd) = self.rows.iter().position(|&length| length != expected) {
            // If all other rows agree, the first row is the odd one.
            let is_first =
                self.rows.len() > 2 && self.rows[2..].iter().all(|&row| row == self.rows[1]);
            let (odd, other) = if is_first && odd == 1 {
                (0, 1)
            } else {
                (odd, 0)
            };
            return Err(TextError::Ragged {
                row: odd + 1,
                found: self.rows[odd],
                other: other + 1,
                expected: self.rows[other],
            }
            .into());
        }
        Ok(Some(Tray::new(expected, self.rows.len())?))
    }

    /// The error for a count of numbers that is not a square.
    pub(super) fn not_square(&self, found: usize) -> BoardError {
        let lacks_blank = Tray::square(found + 1).is_some() && !self.numbers.contains(&0);
        BoardError::NotSquare { found, lacks_blank }
    }

    /// All numbers as a board. Without a size and without rows, their count must be a square.
    pub(crate) fn board(&self, size: Option<Tray>) -> Result<Board, BoardError> {
        let found = self.numbers.len();
        let tray = match (self.shown_size()?, size) {
            (Some(found), Some(expected)) if found != expected => {
                return Err(BoardError::Size { found, expected });
            }
            (Some(tray), _) | (None, Some(tray)) => tray,
            (None, None) => Tray::square(found).ok_or_else(|| self.not_square(found))?,
        };
        match found == tray.cells() {
            true => self.board_at(0, tray),
            false => Err(BoardError::Count { found, tray }),
        }
    }

    /// The numbers from `start` on as a board. The caller ensures that there are enough numbers.
    pub(crate) fn board_at(&self, start: usize, tray: Tray) -> Result<Board, BoardError> {
        let cells = start..start + tray.cells();
        let too_large = self.too_large.iter().find(|(at, _)| cells.contains(at));
        if let Some((at, word)) = too_large {
            let (word, position) = (word.clone(), at + 1);
            return Err(BoardError::Text(TextError::TooLarge {
                word,
                position,
                tray,
            }));
        }
        Board::new(tray, &self.numbers[cells])
    }

    /// Adds a cell: a number, or the blank for `None`.
    pub(super) fn push(&mut self, cell: Option<u32>) {
        if cell.is_none() {
            self.marks.push(self.numbers.len());
        }
        self.numbers.push(cell.unwrap_or(0));
    }

    /// Ends a row, unless it is empty.
    pub(super) fn end_row(&mut self) {
        let length = self.numbers.len() - self.rows.iter().sum::<usize>();
        if length > 0 {
            self.rows.push(length);
        }
    }
}

/// Whether semicolons end rows, as in `1 2 3; 4 5 6`, or only separate numbers, as in `1;2;3`.
fn has_semicolon_rows(text: &str) -> bool {
    let first = text.split_once(';').map(|(first, _)| first);
    first.is_some_and(|first| {
        let words = tokens(first).filter(|token| matches!(token, Token::Word(_)));
        words.count() > 1
    })
}

#[derive(Default)]
struct GridReader {
    grid: Grid,
    is_array: bool,
    has_semicolon_rows: bool,
    has_slash: bool,
    row_start: usize,
    /// Brackets that are still open.
    open: Vec<char>,
    /// After a bar and optional spaces: whether there is at least one space. `None` after any other
    /// token.
    empty_cell: Option<bool>,
}

impl GridReader {
    fn read_line(&mut self, line: &str) -> Result<(), TextError> {
        for token in tokens(line) {
            let empty_cell = self.empty_cell.take();
            match token {
                Token::Word(word) => self.push(word)?,
                Token::Open(open) => self.open.push(open),
                Token::Close(close) => {
                    if self.open.pop().map(closing) != Some(close) {
                        return Err(TextError::Unopened { bracket: close });
                    }
                    self.end_row();
                }
                Token::Slash => {
                    self.has_slash = true;
                    self.end_row();
                }
                Token::Semicolon if self.has_semicolon_rows => self.end_row(),
                Token::Bar => {
                    if empty_cell == Some(true) {
                        self.grid.push(None);
                    }
                    self.empty_cell = Some(false);
                }
                Token::Space | Token::Line => self.empty_cell = empty_cell.map(|_| true),
                Token::Semicolon | Token::Other => {}
            }
        }
        self.empty_cell = None;
        Ok(())
    }

    fn push(&mut self, word: &str) -> Result<(), TextError> {
        let index = self.grid.numbers.len();
        let number = number(word).ok_or_else(|| TextError::Word {
            word: printable(word),
            position: index + 1,
            row: self.grid.rows.len() + 1,
            column: index - self.row_start + 1,
        })?;
        if number == u32::MAX {
            self.grid.too_large.push((index, printable(word)));
        }
        let is_digits = word.starts_with(|c: char| c.is_ascii_digit());
        self.grid.push(is_digits.then_some(number));
        Ok(())
    }

    fn end_row(&mut self) {
        let end = self.grid.numbers.len();
        if end > self.row_start {
            self.grid.rows.push(end - self.row_start);
            self.row_start = end;
        }
    }

    fn finish(mut self) -> Result<Grid, TextError> {
        if self.grid.numbers.is_empty() && !self.is_array {
            return Err(TextError::Empty);
        }
        if let Some(&bracket) = self.open.last() {
            return Err(TextError::Unclosed { bracket });
        }
        let rest = self.grid.numbers.len() - self.row_start;
        match self.grid.rows.last_mut() {
            Some(last) if self.is_array => *last += rest,
            _ => self.end_row(),
        }
        let found = self.grid.numbers.len();
        if found == 0 {
            return Err(TextError::Empty);
        }
        // One number per line is a flat board. A column of tiles is read only if the size asks for
        // it, or if slashes separate its numbers and no square has this many cells.
        let rows = self.grid.rows.len();
        if rows == found && rows > 1 && (!self.has_slash || Tray::square(found).is_some()) {
            self.grid.is_column = true;
            self.grid.rows = vec![found];
        }
        Ok(self.grid)
    }
}
