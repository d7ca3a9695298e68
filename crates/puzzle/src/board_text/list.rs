//! Reader of lists of boards: groups the lines that belong to one board.

use std::collections::VecDeque;

use super::error::TextError;
use super::grid::Grid;
use super::lexer::{Token, closing, has_brackets, is_bar, is_frame, number, tokens};
use super::listed::{ListedBoard, parse_listed, read_listed};
use crate::board::BoardError;
use crate::tray::Tray;

/// Without a size, a line with at least this many numbers is a whole board, and a shorter line is a
/// row.
const WHOLE_BOARD: usize = 9;

/// Longest text of an array, in bytes. The largest board fits. An unclosed array ends when its text
/// exceeds this length.
const MAX_ARRAY: usize = 1 << 13;

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
/// - A blank line, the end of the list and a whole board end the preceding rows. Rows that repeat a
///   number or differ in length are not a board. The reader limits the number of such rows: to the
///   height of the previous board if its width equals the length of the longest row, otherwise to
///   that length.
/// - An array (`[[1, 2, 3],`) ends when its brackets are closed, or at a line that cannot belong to
///   it.
/// - Comments (`#`) and the lines of a drawn frame are skipped.
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
/// assert_eq!(boards[1].first_line(), 3);
/// # Ok::<(), puzzle::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ListReader {
    size: Option<Tray>,
    leading_id: bool,
    /// Number of lines read.
    line: usize,
    rows: Rows,
    array: Option<ListArray>,
    /// Size of the last complete board that was written as several rows.
    last_size: Option<Tray>,
    ready: VecDeque<ListedText>,
}

/// The text of one board of a list, valid or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedText {
    text: String,
    first: usize,
    last: usize,
    /// Whether the text was joined from several lines of the list, each a row of the board.
    is_rows: bool,
    size: Option<Tray>,
    leading_id: bool,
}

impl ListedText {
    /// The text; rows from several lines are separated by slashes.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Number of the first line, from 1.
    #[must_use]
    pub fn first_line(&self) -> usize {
        self.first
    }

    /// Number of the last line, from 1.
    #[must_use]
    pub fn last_line(&self) -> usize {
        self.last
    }

    /// Parses the text with the `size` of the reader. The `leading_id` of the reader also applies,
    /// unless the text was joined from rows.
    ///
    /// # Errors
    /// Those of [`parse_listed`]; [`TextError::Rows`] and [`TextError::TooFewRows`] for wrong
    /// sizes.
    pub fn parse(&self) -> Result<ListedBoard, BoardError> {
        let grid = Grid::read(&self.text)?;
        if !self.is_rows {
            return read_listed(&grid, self.size, self.leading_id);
        }
        let (first, last, found) = (self.first, self.last, grid.numbers.len());
        let is_short = |tray: Tray| tray.height() < tray.width() || grid.rows.len() == 1;
        let board = grid.board(self.size).map_err(|error| match error {
            BoardError::Size { expected: tray, .. } | BoardError::Count { tray, .. } => {
                BoardError::Text(TextError::Rows {
                    first,
                    last,
                    found,
                    tray,
                })
            }
            BoardError::Tiles {
                tray, too_large, ..
            } if self.size.is_none() && !too_large.is_empty() && is_short(tray) => {
                let tile = too_large.iter().map(|&(number, _)| number).max();
                BoardError::Text(TextError::TooFewRows {
                    first,
                    last,
                    found,
                    tile: tile.unwrap_or(0),
                })
            }
            error => error,
        })?;
        Ok(board.into())
    }
}

impl ListReader {
    /// A reader at the start of a list. `size` and `leading_id` are as in [`parse_listed`].
    #[must_use]
    pub fn new(size: Option<Tray>, leading_id: bool) -> Self {
        ListReader {
            size,
            leading_id,
            line: 0,
            rows: Rows::default(),
            array: None,
            last_size: None,
            ready: VecDeque::new(),
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
        let line = line.trim();
        if line.starts_with('#') || is_frame(line) {
            return;
        }
        if let Some(mut array) = self.array.take() {
            if !line.is_empty() && array.push(line, self.line) {
                return self.end_or_keep_array(array);
            }
            self.end_array(array);
        }
        if line.is_empty() {
            self.end_rows();
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
        if let Some(array) = self.array.take() {
            self.end_array(array);
        }
        self.end_rows();
    }

    /// Adds a line that is not inside an array.
    fn push_fresh(&mut self, line: &str) {
        if let Some(array) = ListArray::begin(line, self.line) {
            self.end_rows();
            return self.end_or_keep_array(array);
        }
        match self.row(line) {
            Some(numbers) => self.push_row(Row {
                line: self.line,
                text: line.to_owned(),
                numbers,
            }),
            None => {
                self.end_rows();
                self.give(line.to_owned(), self.line, self.line, false);
            }
        }
    }

    /// The numbers of a row; `None` for a whole board or a faulty line.
    fn row(&self, line: &str) -> Option<Vec<u32>> {
        let is_nested = tokens(line).filter(|token| matches!(token, Token::Open(_)));
        if line.contains('/') || is_nested.count() > 1 {
            return None;
        }
        let grid = Grid::read(line).ok()?;
        if grid.rows.len() > 1 {
            return None;
        }
        let found = grid.numbers.len();
        let is_row = match self.size {
            Some(tray) => found < tray.cells(),
            None if found < WHOLE_BOARD => true,
            None if found > Tray::MAX_SIDE => false,
            None => {
                let is_too_large = |number: &&u32| **number >= found as u32;
                let too_large = grid.numbers.iter().filter(is_too_large).count();
                let is_board = || parse_listed(line, None, self.leading_id).is_ok();
                let continues = self.rows.width() == Some(found);
                let is_new = || !self.rows.numbers().any(|n| grid.numbers.contains(&n));
                too_large * 2 > found
                    || (continues && (is_new() || !is_board()))
                    || (line.contains(is_bar) && !is_board())
            }
        };
        is_row.then_some(grid.numbers)
    }

    fn push_row(&mut self, row: Row) {
        if self.rows.is_board() && !self.rows.continues_with(&row) {
            self.end_rows();
        }
        self.rows.0.push(row);
        if let Some(rows) = self.rows.end(self.size, self.last_size) {
            // The remaining rows start the next board.
            let rest = self.rows.0.split_off(rows);
            self.end_rows();
            for row in rest {
                self.push_row(row);
            }
        }
    }

    fn end_rows(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let (Some(first), Some(last)) = (rows.0.first(), rows.0.last()) else {
            return;
        };
        if rows.is_board() {
            self.last_size = Tray::new(first.numbers.len(), rows.0.len()).ok();
        }
        let texts: Vec<&str> = rows.0.iter().map(|row| row.text.as_str()).collect();
        self.give(texts.join("/"), first.line, last.line, true);
    }

    fn end_or_keep_array(&mut self, array: ListArray) {
        if array.is_closed() || array.text.len() > MAX_ARRAY {
            self.end_array(array);
        } else {
            self.array = Some(array);
        }
    }

    fn end_array(&mut self, array: ListArray) {
        self.give(array.text, array.first, array.last, false);
    }

    fn give(&mut self, text: String, first: usize, last: usize, is_rows: bool) {
        self.ready.push_back(ListedText {
            text,
            first,
            last,
            is_rows,
            size: self.size,
            leading_id: self.leading_id,
        });
    }
}

#[derive(Clone, Debug)]
struct Row {
    line: usize,
    text: String,
    numbers: Vec<u32>,
}

/// Rows that may become a board.
#[derive(Clone, Debug, Default)]
struct Rows(Vec<Row>);

impl Rows {
    /// Length of the first row, if any.
    fn width(&self) -> Option<usize> {
        self.0.first().map(|row| row.numbers.len())
    }

    fn numbers(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|row| row.numbers.iter().copied())
    }

    /// Whether all rows have the same length.
    fn are_even(&self) -> bool {
        let mut lengths = self.0.iter().map(|row| Some(row.numbers.len()));
        lengths.all(|length| length == self.width())
    }

    /// Whether a number is repeated.
    fn repeat(&self) -> bool {
        let mut numbers: Vec<u32> = self.numbers().collect();
        numbers.sort_unstable();
        numbers.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Whether two or more rows form a board.
    fn is_board(&self) -> bool {
        let count = self.numbers().count() as u32;
        self.0.len() > 1
            && self.are_even()
            && self.numbers().all(|number| number < count)
            && !self.repeat()
    }

    /// Whether `row` can extend these rows, which already form a board.
    fn continues_with(&self, row: &Row) -> bool {
        let count = self.numbers().count() as u32;
        self.width() == Some(row.numbers.len()) && row.numbers.iter().all(|&n| n >= count)
    }

    /// Number of rows after which the board ends; `None` if more rows may follow.
    fn end(&self, size: Option<Tray>, last_size: Option<Tray>) -> Option<usize> {
        let count = self.0.len();
        let after = |rows: usize| (count >= rows).then_some(rows);
        if let Some(tray) = size {
            return after(tray.height());
        }
        if self.is_board() {
            return (self.width() == Some(count)).then_some(count);
        }
        if self.are_even() && !self.repeat() {
            return after(Tray::MAX_SIDE);
        }
        let width = self.0.iter().map(|row| row.numbers.len()).max();
        let width = width.unwrap_or(0);
        let same = last_size.filter(|tray| tray.width() == width);
        after(same.map_or(width.max(2), Tray::height))
    }
}

/// An array on several lines.
#[derive(Clone, Debug, Default)]
struct ListArray {
    text: String,
    first: usize,
    last: usize,
    /// Brackets that are still open.
    open: Vec<char>,
    /// The content of the outer bracket.
    holds: Option<ArrayContent>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ArrayContent {
    Rows,
    Numbers,
}

impl ListArray {
    /// An array that starts on this line and continues on the next.
    fn begin(line: &str, number: usize) -> Option<ListArray> {
        if !has_brackets(line) {
            return None;
        }
        let mut array = ListArray {
            first: number,
            ..ListArray::default()
        };
        (array.push(line, number) && !array.is_closed()).then_some(array)
    }

    fn is_closed(&self) -> bool {
        self.open.is_empty()
    }

    /// Adds a line. Returns `false` without a change if the line cannot belong to the array.
    fn push(&mut self, line: &str, number: usize) -> bool {
        let (mut open, mut holds) = (self.open.clone(), self.holds);
        for token in tokens(line) {
            if !step(token, &mut open, &mut holds) {
                return false;
            }
        }
        (self.open, self.holds, self.last) = (open, holds, number);
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(line);
        true
    }
}

/// Updates the open brackets for a token; `false` if the token is not valid at this position.
fn step(token: Token<'_>, open: &mut Vec<char>, holds: &mut Option<ArrayContent>) -> bool {
    match (token, open.len()) {
        (Token::Open(bracket), depth) => {
            if depth == 1 {
                *holds = holds.or(Some(ArrayContent::Rows));
            }
            open.push(bracket);
            depth < 2 && *holds != Some(ArrayContent::Numbers)
        }
        (Token::Close(bracket), _) => open.pop().map(closing) == Some(bracket),
        (Token::Word(word), depth) => {
            if depth == 1 {
                *holds = holds.or(Some(ArrayContent::Numbers));
            }
            number(word).is_some() && (depth != 1 || *holds == Some(ArrayContent::Numbers))
        }
        (Token::Slash | Token::Bar, _) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests;
