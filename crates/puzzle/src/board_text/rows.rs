//! Rows of a list that may become a board.

use super::clean;
use super::lexer::{Token, closing, has_brackets, number, tokens};
use super::reading::Note;
use crate::goal::Goal;
use crate::tray::{Cell, Tray};

/// A line that may be a row of a board.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) line: usize,
    /// The line, with its spaces.
    pub(super) text: String,
    /// Its numbers; none if it is a word of another kind.
    pub(super) numbers: Vec<u32>,
}

impl Row {
    pub(super) fn new(line: usize, text: &str, numbers: Vec<u32>) -> Row {
        Row {
            line,
            text: text.to_owned(),
            numbers,
        }
    }

    /// Whether the line is one word: a number, or a row with one character per cell.
    pub(super) fn is_word(&self) -> bool {
        self.text.split_whitespace().count() == 1 && self.numbers.len() < 2
    }

    /// The number of a line with a single number, which can be negative.
    pub(super) fn value(&self) -> Option<i64> {
        self.text.trim().parse().ok().filter(|_| self.is_word())
    }

    /// Number of characters, if each of them can be a cell: letters, digits, marks, at most one
    /// space.
    fn characters(&self) -> Option<usize> {
        let is_cell = |c: char| c.is_alphanumeric() || "_-*. ".contains(c);
        let is_row = self.text.chars().all(is_cell) && self.text.matches(' ').count() < 2;
        is_row.then(|| self.text.chars().count())
    }
}

/// Rows that may become a board.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows(pub(super) Vec<Row>);

impl Rows {
    /// Length of the first row, if any.
    pub(super) fn width(&self) -> Option<usize> {
        self.0.first().map(|row| row.numbers.len())
    }

    /// Whether each line is one word. A row of the same length with one space belongs to them.
    pub(super) fn are_words(&self) -> bool {
        let length = self.0.first().and_then(Row::characters);
        let is_fixed = || self.0.iter().all(|row| row.characters() == length) && length > Some(1);
        self.0.iter().any(Row::is_word)
            && (self.0.iter().all(Row::is_word) || (length.is_some() && is_fixed()))
    }

    /// Whether the lines are the rows of a square board with one character per cell.
    pub(super) fn are_square_words(&self) -> bool {
        let length = self.0.len();
        length > 2 && self.0.iter().all(|row| row.characters() == Some(length))
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|row| row.numbers.iter().copied())
    }

    /// The size that a first row of two numbers states, such as `3 2` before rows of three numbers.
    /// A row of the board itself does not repeat the numbers of another row.
    pub(super) fn stated_size(&self) -> Option<Tray> {
        let [first, second, others @ ..] = &self.0[..] else {
            return None;
        };
        let [a, b] = first.numbers[..] else {
            return None;
        };
        let mut rows = others.iter().chain([second]);
        let is_repeated =
            a == b || rows.any(|row| row.numbers.contains(&a) || row.numbers.contains(&b));
        let (a, b, width) = (a as usize, b as usize, second.numbers.len());
        let size = Tray::new(width, if a == width { b } else { a }).ok();
        let is_plain = |c: char| c.is_ascii_digit() || c.is_whitespace() || c == ',';
        let text = first.text.trim();
        // A comma at an end is an empty cell.
        let is_plain = text.chars().all(is_plain) && !text.starts_with(',') && !text.ends_with(',');
        let size = size.filter(|size| size.height() > 1 && is_plain);
        size.filter(|_| is_repeated && (width != 2 || a == b) && (a == width || b == width))
    }

    /// Whether rows differ in length or a number is repeated.
    pub(super) fn are_wrong(&self) -> bool {
        let mut lengths = self.0.iter().map(|row| Some(row.numbers.len()));
        let mut numbers: Vec<u32> = self.numbers().collect();
        numbers.sort_unstable();
        lengths.any(|length| length != self.width())
            || numbers.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Whether two or more rows form a board.
    pub(super) fn is_board(&self) -> bool {
        let count = self.numbers().count() as u32;
        self.0.len() > 1 && !self.are_wrong() && self.numbers().all(|number| number < count)
    }

    /// Whether `row` can extend these rows, which already form a board.
    pub(super) fn continues_with(&self, row: &Row) -> bool {
        let count = self.numbers().count() as u32;
        self.width() == Some(row.numbers.len()) && row.numbers.iter().all(|&n| n >= count)
    }

    /// Number of rows after which the board ends; `None` if more rows may follow.
    pub(super) fn end(&self, size: Option<Tray>, last_size: Option<Tray>) -> Option<usize> {
        let count = self.0.len();
        let after = |rows: usize| (count >= rows).then_some(rows);
        if let Some(tray) = size {
            return after(tray.height());
        }
        if self.is_board() {
            return (self.width() == Some(count)).then_some(count);
        }
        if !self.are_wrong() {
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
pub(super) struct ListArray {
    pub(super) text: String,
    pub(super) first: usize,
    pub(super) last: usize,
    /// Brackets that are still open.
    open: Vec<char>,
    /// Number of brackets around each number, once there is a number.
    numbers_at: Option<usize>,
}

impl ListArray {
    /// An array that starts on this line and continues on the next.
    pub(super) fn begin(line: &str, number: usize) -> Option<ListArray> {
        if !has_brackets(line) {
            return None;
        }
        let mut array = ListArray {
            first: number,
            ..ListArray::default()
        };
        (array.push(line, number) && !array.is_closed()).then_some(array)
    }

    pub(super) fn is_closed(&self) -> bool {
        self.open.is_empty()
    }

    /// Adds a line. Returns `false` without a change if the line cannot belong to the array.
    pub(super) fn push(&mut self, line: &str, number: usize) -> bool {
        let code = clean::uncommented(line);
        self.push_plain(line, line, number)
            || self.push_plain(line, &clean::plain(line), number)
            || self.push_plain(&code, &clean::plain(&code), number)
    }

    fn push_plain(&mut self, line: &str, plain: &str, number: usize) -> bool {
        let (mut open, mut numbers_at) = (self.open.clone(), self.numbers_at);
        if !tokens(plain).all(|token| step(token, &mut open, &mut numbers_at)) {
            return false;
        }
        (self.open, self.numbers_at, self.last) = (open, numbers_at, number);
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(line);
        true
    }
}

/// Updates the open brackets for a token; `false` if the token is not valid at this position. All
/// numbers are at one depth, `numbers_at`.
fn step(token: Token<'_>, open: &mut Vec<char>, numbers_at: &mut Option<usize>) -> bool {
    match (token, open.len()) {
        (Token::Open(bracket), depth) => {
            open.push(bracket);
            numbers_at.is_none_or(|numbers| depth < numbers)
        }
        (Token::Close(bracket), _) => open.pop().map(closing) == Some(bracket),
        (Token::Word(word), depth) => {
            number(word).is_some() && (depth == 0 || *numbers_at.get_or_insert(depth) == depth)
        }
        (Token::Slash | Token::Bar, _) => false,
        _ => true,
    }
}

/// What the lines before a board say about it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Header {
    pub(super) size: Option<Tray>,
    pub(super) notes: Vec<Note>,
}

impl Header {
    /// Reads the numbers before a board. `square` is the board's size, if it is a square board with
    /// the rows that follow. `None` if a number has no meaning.
    pub(super) fn read(values: &[i64], square: Tray) -> Option<Header> {
        let mut header = Header::default();
        let tiles = square.cells() as i64 - 1;
        let sides = (square.width() as i64, square.height() as i64);
        match *values {
            [found, blank] if found == tiles && blank <= tiles && blank != sides.0 => {
                let last = usize::try_from(blank).unwrap_or(square.last().index());
                header.size = Some(square);
                header.notes.push(Note::GoalBlank(Cell::new(last)));
            }
            [width, height] if width == sides.0 && height != width => {
                let height = usize::try_from(height).ok()?;
                header.set_size(Tray::new(square.width(), height).ok()?);
            }
            // Counts, of which the last may be the size instead.
            _ => {
                for (at, &value) in (1..).zip(values) {
                    match at == values.len() && (value, value) == sides {
                        true => header.set_size(square),
                        false => header.notes.push(Note::Count(u32::try_from(value).ok()?)),
                    }
                }
            }
        }
        Some(header)
    }

    pub(super) fn set_size(&mut self, size: Tray) {
        self.size = Some(size);
        self.notes.push(Note::Size(size));
    }

    /// Adds a header that follows this one.
    pub(super) fn join(&mut self, next: Header) {
        self.size = next.size.or(self.size);
        self.notes.extend(next.notes);
    }

    /// The goal that the header states.
    pub(super) fn goal(&self, tray: Tray) -> Option<Goal> {
        self.notes.iter().find_map(|note| match *note {
            Note::GoalBlank(cell) if cell <= tray.last() => Some(Goal::with_blank(tray, cell)),
            _ => None,
        })
    }
}
