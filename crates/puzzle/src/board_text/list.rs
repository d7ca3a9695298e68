//! Reader of lists of boards: groups the lines that belong to one board.

use std::collections::VecDeque;

use super::clean;
use super::forms::{self, is_cell};
use super::grid::{Grid, agreed_size};
use super::lexer::{Token, is_bar, is_frame, tokens};
use super::listed::{ListedBoard, read_listed};
use super::parse::{is_object, of_object};
use super::reading::{self, parse_listed};
use super::rows::{Header, ListArray, Row, Rows};
use crate::board::BoardError;
use crate::names::count_of;
use crate::tray::Tray;

/// Without a size, a line with at least this many numbers is a whole board, and a shorter line is a
/// row.
const WHOLE_BOARD: usize = 9;

/// Longest text of an array, in bytes. The largest board fits. An unclosed array ends when its text
/// exceeds this length.
const MAX_ARRAY: usize = 1 << 13;

/// Number of lines of one word each after which they are no board: more than the cells of the
/// largest board and a header.
const MAX_WORDS: usize = Tray::MAX_SIDE * Tray::MAX_SIDE + 2;

/// Groups the lines of a list into boards.
///
/// [`Self::push`] adds a line; [`Self::pop`] returns the text of a board once it is complete:
///
/// - A line is a whole board, and complete at once, if it shows rows (slashes, nested brackets,
///   semicolons) or has at least as many numbers as the size has cells. Without a size, a line of 9
///   numbers or more is a whole board. A line of 9 to 20 numbers is a row instead in these cases:
///   - more than half of its numbers are too large for a board with one cell per number;
///   - it has bars, and is not a board;
///   - it is as long as the preceding rows, and repeats none of their numbers;
///   - it is as long as the preceding rows, and is not a board.
/// - A line with fewer numbers is a row. With a size, rows form a board when their number equals
///   the height of the size. Without a size, two or more rows of equal length with the numbers 0 to
///   N-1 are a board. A square board is complete at once. Any other board is complete when the next
///   line cannot extend it.
/// - Numbers on lines of their own before rows are the size of the board or the number of boards.
///   Without rows after them, they are the numbers of a board.
/// - A blank line, the end of the list and a whole board end the preceding rows. If the size is
///   known, a board can contain blank lines. Rows that repeat a number or differ in length are not a board. The reader limits the number of such rows: to the
///   height of the previous board if its width equals the length of the longest row, otherwise to
///   that length.
/// - An array (`[[1, 2, 3],`) ends when its brackets are closed, or at a line that cannot belong to
///   it.
/// - Comments (`#`, `//`, `%`) and the lines of a drawn frame are skipped.
///
/// Each line that is neither skipped nor blank is part of the text of exactly one board. The texts
/// are returned in the order of their lines.
///
/// ```
/// use puzzle::board_text::ListReader;
/// let mut reader = ListReader::new(None, false);
/// let mut boards = Vec::new();
/// for line in "1 2/0 3 1\n\n1 2 3\n4 5 6\n7 _ 8".lines() {
///     reader.push(line);
///     boards.extend(std::iter::from_fn(|| reader.pop()));
/// }
/// reader.finish();
/// boards.extend(std::iter::from_fn(|| reader.pop()));
/// assert_eq!(boards[0].parse()?.known_length, Some(1));
/// assert_eq!(boards[1].text(), "1 2 3/4 5 6/7 _ 8");
/// assert_eq!(boards[1].first_line, 3);
/// # Ok::<(), puzzle::BoardError>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct ListReader {
    size: Option<Tray>,
    leading_id: bool,
    /// Number of lines read.
    line: usize,
    rows: Rows,
    /// Number of rows before the last blank line.
    gap: usize,
    /// What the lines before the rows say about the next board.
    header: Header,
    array: Option<ListArray>,
    /// Comments since the last board that are rows if `#` is the blank.
    comments: Vec<Row>,
    /// Size of the last complete board that was written as several rows.
    last_size: Option<Tray>,
    ready: VecDeque<ListedText>,
}

/// The text of one board of a list, valid or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedText {
    text: String,
    /// Number of the first line, from 1.
    pub first_line: usize,
    /// Number of the last line, from 1.
    pub last_line: usize,
    kind: Kind,
    size: Option<Tray>,
    leading_id: bool,
    header: Header,
}

/// Kind of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A whole board.
    Whole,
    /// Several lines, each a row of the board.
    Rows,
    /// Numbers on lines of their own, without a board. The last of them.
    Alone(u32),
}

impl ListedText {
    /// The text; rows from several lines are separated by slashes.
    #[must_use]
    pub fn text(&self) -> String {
        self.text.lines().collect::<Vec<_>>().join("/")
    }

    /// Parses the text with the `size` of the reader. The `leading_id` of the reader also applies,
    /// unless the text was joined from rows.
    ///
    /// # Errors
    /// Those of [`parse`](super::parse) and [`parse_listed`](super::parse_listed), with the numbers
    /// of the lines for wrong sizes.
    pub fn parse(&self) -> Result<ListedBoard, BoardError> {
        let size = agreed_size(self.header.size, self.size)?;
        let read = match self.kind {
            Kind::Alone(number) => {
                return BoardError::text(format!(
                    "{number} on line {} is read as a size or a count of boards, but no rows of a \
                     board follow it",
                    self.last_line
                ));
            }
            Kind::Rows => {
                let read = reading::read(&self.text, size, None);
                read.map_err(|error| self.of_lines(error, size))
            }
            Kind::Whole => match of_object(&self.text, size) {
                Some(object) => object,
                None => parse_listed(&self.text, size, self.leading_id),
            },
        };
        let mut listed = read?;
        listed.notes.splice(0..0, self.header.notes.iter().copied());
        let own = self.header.goal(listed.board.tray());
        listed.goal = listed.goal.or(own);
        Ok(listed)
    }

    /// An error of rows, with the numbers of their lines.
    fn of_lines(&self, error: BoardError, size: Option<Tray>) -> BoardError {
        let Ok(grid) = Grid::read(&self.text) else {
            return error;
        };
        let numbers = count_of(grid.numbers.len(), "number");
        let rows = match (self.first_line, self.last_line) {
            (first, last) if first == last => format!("the row on line {first} has {numbers}"),
            (first, last) => format!("the rows on lines {first} to {last} have {numbers}"),
        };
        let is_short = |tray: Tray| tray.height() < tray.width() || grid.rows.len() == 1;
        match error {
            BoardError::Size { expected: tray, .. } | BoardError::Count { tray, .. } => {
                let (cells, height) = (tray.cells(), count_of(tray.height(), "row"));
                BoardError::Text(format!(
                    "a board of {tray} has {cells} numbers in {height}, {rows}"
                ))
            }
            BoardError::Tiles {
                tray,
                ref too_large,
                ..
            } if size.is_none() && is_short(tray) => match too_large.iter().max() {
                Some((tile, _)) => BoardError::NoSize(format!("{rows}: too few for tile {tile}")),
                None => error,
            },
            error => error,
        }
    }
}

/// All texts of a list that is one text. `size` is as in [`ListReader::new`].
#[must_use]
pub fn list(text: &str, size: Option<Tray>) -> Vec<ListedText> {
    let mut reader = ListReader::new(size, false);
    text.lines().for_each(|line| reader.push(line));
    reader.finish();
    reader.ready.into()
}

impl ListReader {
    /// A reader at the start of a list. `size` and `leading_id` are as in
    /// [`parse_listed`](super::parse_listed).
    #[must_use]
    pub fn new(size: Option<Tray>, leading_id: bool) -> Self {
        ListReader {
            size,
            leading_id,
            ..ListReader::default()
        }
    }

    /// The next complete text; `None` if more lines are needed.
    pub fn pop(&mut self) -> Option<ListedText> {
        self.ready.pop_front()
    }

    /// Number of lines read, which is the number of the last line.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Adds the next line, with or without its line break.
    pub fn push(&mut self, line: &str) {
        self.line += 1;
        // Some editors start a file with a byte order mark.
        let line = line
            .trim_start_matches('\u{feff}')
            .trim_end_matches(['\n', '\r']);
        let trimmed = line.trim();
        if is_comment(trimmed) || is_frame(trimmed) {
            let grid = trimmed.strip_prefix('#').map(Grid::read);
            if let (Some(Ok(grid)), ..Tray::MAX_SIDE) = (grid, self.comments.len()) {
                self.comments.push(Row::new(self.line, line, grid.numbers));
            }
            return;
        }
        if let Some(array) = &mut self.array {
            let is_part = !trimmed.is_empty() && array.push(trimmed, self.line);
            self.end_array(!is_part);
            if is_part {
                return;
            }
        }
        if trimmed.is_empty() {
            self.blank_line();
        } else {
            self.push_fresh(line);
        }
    }

    /// Counts a line that cannot be read as text. Such a line ends rows and arrays, like a blank
    /// line.
    pub fn skip(&mut self) {
        self.line += 1;
        self.finish();
    }

    /// Ends the list.
    pub fn finish(&mut self) {
        self.end_array(true);
        self.end_rows();
    }

    /// The size of the next board, if known.
    fn known_size(&self) -> Option<Tray> {
        self.header.size.or(self.size)
    }

    /// Adds a line that is not inside an array.
    fn push_fresh(&mut self, line: &str) {
        let trimmed = line.trim();
        if let Ok(size) = trimmed.parse() {
            self.end_rows();
            return self.header.set_size(size);
        }
        if let Some(array) = ListArray::begin(trimmed, self.line) {
            self.end_rows();
            self.array = Some(array);
            return self.end_array(false);
        }
        match self.row(line) {
            Some(numbers) => self.push_row(Row::new(self.line, line, numbers)),
            None => self.push_whole(trimmed),
        }
    }

    /// Adds a line that is a whole board, or faulty.
    fn push_whole(&mut self, line: &str) {
        let board = || parse_listed(line, self.size, self.leading_id);
        match self.rows.are_words().then(board) {
            Some(Ok(listed)) => self.read_header(Some(listed.board.tray())),
            _ => self.end_rows(),
        }
        self.give(line.to_owned(), self.line, self.line, Kind::Whole);
    }

    /// The numbers of a row; `None` for a whole board or a faulty line.
    fn row(&self, line: &str) -> Option<Vec<u32>> {
        let line = line.trim().trim_end_matches('/');
        let is_nested = tokens(line).filter(|token| matches!(token, Token::Open(_)));
        if is_nested.count() > 1 || is_object(line) {
            return None;
        }
        // With more than one blank, `#` is not a blank but begins a comment.
        let is_row = |grid: &Grid| {
            grid.numbers.iter().filter(|&&number| number == 0).count() < 2
                || clean::comment_start(line).is_none()
        };
        let plain = || Grid::read(&clean::plain(line)).ok().filter(is_row);
        let unjoined = || Grid::read(&line.replace(['-', '.', ':'], " ")).ok();
        let is_joined = line.starts_with(|c: char| c.is_ascii_digit()) && !line.contains(' ');
        let grid = Grid::read(line).ok().or_else(plain);
        let grid = grid.or_else(|| unjoined().filter(|_| is_joined));
        let Some(grid) = grid.or_else(|| forms::digit_words(line)) else {
            let code = clean::uncommented(line);
            return match code.len() < line.len() && !code.trim().is_empty() {
                true => self.row(&code),
                false => (self.is_word_row(line)).then(Vec::new),
            };
        };
        if grid.rows.len() > 1 || line.contains('/') {
            return None;
        }
        let found = grid.numbers.len();
        let is_row = match self.known_size() {
            Some(tray) => found < tray.cells() && !self.is_whole_word(line),
            None if found < WHOLE_BOARD => !self.is_whole_word(line),
            None if found > Tray::MAX_SIDE => false,
            None => {
                let is_too_large = |number: &&u32| **number >= found as u32;
                let too_large = grid.numbers.iter().filter(is_too_large).count();
                let is_board = || read_listed(&grid, None, self.leading_id).is_ok();
                let continues = self.rows.width() == Some(found);
                let is_new = || !self.rows.numbers().any(|n| grid.numbers.contains(&n));
                too_large * 2 > found
                    || (continues && (is_new() || !is_board()))
                    || (line.contains(is_bar) && !is_board())
            }
        };
        (is_row && reading::sized(line).is_none()).then_some(grid.numbers)
    }

    /// Whether a line is a row with one character per cell: distinct letters, digits and marks.
    fn is_word_row(&self, line: &str) -> bool {
        let signs: Vec<char> = line.chars().collect();
        let is_new = |(at, c): (usize, &char)| is_cell(*c) && !signs[..at].contains(c);
        (2..=Tray::MAX_SIDE).contains(&signs.len())
            && signs.iter().enumerate().all(is_new)
            && !self.is_whole_word(line)
    }

    /// Whether a word is a whole board with one character per cell.
    fn is_whole_word(&self, line: &str) -> bool {
        let cells = line.chars().count();
        let is_whole = match self.known_size() {
            Some(tray) => cells == tray.cells() && cells > 1,
            None => cells >= WHOLE_BOARD,
        };
        is_whole && line.chars().all(is_cell) && reading::read(line, self.size, None).is_ok()
    }

    fn push_row(&mut self, row: Row) {
        self.rows.0.push(row);
        if self.rows.are_words() {
            return self.end_complete_words();
        }
        let Some(row) = self.rows.0.pop() else {
            return;
        };
        if self.rows.are_words() {
            let side = row.numbers.len();
            self.read_header(Tray::new(side, side).ok());
        }
        if self.rows.is_board() && !self.rows.continues_with(&row) {
            self.end_rows();
        }
        self.rows.0.push(row);
        if let Some(size) = self.rows.stated_size() {
            self.rows.0.remove(0);
            self.header.set_size(size);
        }
        if self.gap > 0 {
            let own = Rows(self.rows.0[self.gap..].to_vec());
            if self.is_whole(&own) || self.rows.are_wrong() {
                return self.split(self.gap);
            } else if self.known_size().is_some() {
                // Whether the rows before the blank line belong to the board depends on the next
                // line.
                return;
            }
        }
        if let Some(rows) = self.rows.end(self.known_size(), self.last_size) {
            self.split(rows);
        }
    }

    /// Ends the first rows. The remaining rows start the next board.
    fn split(&mut self, rows: usize) {
        let rest = self.rows.0.split_off(rows);
        self.gap = 0;
        self.end_rows();
        for row in rest {
            self.push_row(row);
        }
    }

    /// Whether these rows are a board without further rows.
    fn is_whole(&self, rows: &Rows) -> bool {
        match self.known_size() {
            Some(size) => rows.0.len() >= size.height(),
            None => rows.is_board(),
        }
    }

    /// Ends the rows, unless they are too few: the board then has blank lines, or an error that
    /// the next rows show. A second blank line ends them in any case.
    fn blank_line(&mut self) {
        let rows = self.rows.0.len();
        if self.rows.are_words() {
            // One or two numbers can be a size or a count.
            let is_header = rows < 3 && self.rows.0.iter().all(|row| row.value().is_some());
            if !self.end_words() && !is_header {
                self.end_rows();
            }
            return;
        }
        if self.is_whole(&self.rows) || rows == self.gap || self.rows.are_wrong() {
            if rows > self.known_size().map_or(rows, Tray::height) {
                self.split(self.gap);
            }
            return self.end_rows();
        }
        self.gap = rows;
    }

    /// Ends lines of one word each if they are certainly complete.
    fn end_complete_words(&mut self) {
        let is_complete = match self.known_size() {
            Some(size) => self.rows.0.len() == size.cells() || self.rows.0.len() == size.height(),
            None => self.rows.are_square_words() || self.rows.0.len() > MAX_WORDS,
        };
        if is_complete && !self.end_words() && self.rows.0.len() > MAX_WORDS {
            self.end_rows();
        }
    }

    /// Ends lines of one word each, if they are a board, possibly after a header.
    fn end_words(&mut self) -> bool {
        let rows = std::mem::take(&mut self.rows.0);
        for start in 0..rows.len().min(3) {
            let (before, board) = rows.split_at(start);
            let text = joined(board);
            let Ok(read) = reading::read(&text, self.known_size(), None) else {
                continue;
            };
            let values: Option<Vec<i64>> = before.iter().map(Row::value).collect();
            let header = values.and_then(|values| Header::read(&values, read.board.tray()));
            if let (Some(header), Some(first), Some(last)) = (header, rows.first(), board.last()) {
                self.header.join(header);
                self.give(text, first.line, last.line, Kind::Rows);
                return true;
            }
        }
        self.rows.0 = rows;
        false
    }

    /// Reads lines of one word each as a header of a board of this size.
    fn read_header(&mut self, tray: Option<Tray>) {
        let rows = &mut self.rows.0;
        let is_number = |row: &&Row| row.value().is_some();
        let count = rows.iter().rev().take_while(is_number).take(2).count();
        let values = rows.split_off(rows.len() - count);
        self.end_rows();
        let values: Vec<i64> = values.iter().filter_map(Row::value).collect();
        if let Some(header) = tray.and_then(|tray| Header::read(&values, tray)) {
            self.header.join(header);
        }
    }

    fn end_rows(&mut self) {
        self.gap = 0;
        if self.rows.are_words() && self.end_words() {
            return;
        }
        let mut rows = std::mem::take(&mut self.rows);
        let Some(last) = rows.0.last() else {
            return;
        };
        if rows.is_board() {
            self.last_size = Tray::new(rows.0[0].numbers.len(), rows.0.len()).ok();
        }
        let number = last.value().and_then(|value| u32::try_from(value).ok());
        let kind = match number.filter(|_| rows.0.len() < 3 && rows.are_words()) {
            Some(number) if self.size.is_none() => Kind::Alone(number),
            _ => Kind::Rows,
        };
        let read = |rows: &[Row]| reading::read(&joined(rows), self.known_size(), None);
        if !self.comments.is_empty() && read(&rows.0).is_err() {
            let mut all = [&self.comments[..], &rows.0].concat();
            all.sort_by_key(|row| row.line);
            if read(&all).is_ok() {
                rows.0 = all;
            }
        }
        let lines = (rows.0[0].line, rows.0[rows.0.len() - 1].line);
        self.give(joined(&rows.0), lines.0, lines.1, kind);
    }

    /// Ends an array that is closed or too long, or with `is_cut` any array.
    fn end_array(&mut self, is_cut: bool) {
        let is_complete =
            |array: &mut ListArray| is_cut || array.is_closed() || array.text.len() > MAX_ARRAY;
        if let Some(array) = self.array.take_if(is_complete) {
            self.give(array.text, array.first, array.last, Kind::Whole);
        }
    }

    fn give(&mut self, text: String, first_line: usize, last_line: usize, kind: Kind) {
        self.comments.clear();
        self.ready.push_back(ListedText {
            text,
            first_line,
            last_line,
            kind,
            size: self.size,
            leading_id: self.leading_id,
            header: std::mem::take(&mut self.header),
        });
    }
}

fn joined(rows: &[Row]) -> String {
    let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
    texts.join("\n")
}

/// Whether a line is a comment.
fn is_comment(line: &str) -> bool {
    let is_text = |rest: &str| !rest.starts_with(|c: char| c == '/' || c.is_ascii_digit());
    line.starts_with(['#', '%']) || line.strip_prefix("//").is_some_and(is_text)
}

#[cfg(test)]
mod tests;
