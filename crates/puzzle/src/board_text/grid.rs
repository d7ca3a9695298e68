//! Parser of numbers and rows, and their conversion to a board.

use super::lexer::{Token, closing, has_brackets, is_frame, number, tokens};
use crate::board::{Board, BoardError, Read};
use crate::names::{count_of, printable};
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
    /// Index of the first number after the last row.
    row_start: usize,
}

impl Grid {
    /// Reads numbers and rows. Rows end at slashes and line breaks. They also end at semicolons if
    /// more than one number precedes the first semicolon. In arrays, rows end only at slashes,
    /// semicolons and closing brackets, and text after the array belongs to the last row. Empty
    /// rows and drawn frames are ignored. Two bars with only spaces between them denote the blank.
    pub(crate) fn read(text: &str) -> Read<Grid> {
        let is_array = has_brackets(text);
        let has_semicolon_rows = has_semicolon_rows(text);
        let mut grid = Grid::default();
        // Brackets that are still open.
        let mut open = Vec::new();
        for line in text.split(|c| !is_array && matches!(c, '\n' | '\r')) {
            if !is_array && is_frame(line) {
                continue;
            }
            // After a bar and optional spaces: whether there is at least one space. `None` after
            // any other token.
            let mut empty_cell = None;
            for token in tokens(line) {
                let after_bar: Option<bool> = empty_cell.take();
                match token {
                    Token::Word(word) => grid.push_word(word)?,
                    Token::Open(bracket) => open.push(bracket),
                    Token::Close(bracket) => {
                        if open.pop().map(closing) != Some(bracket) {
                            return BoardError::text(format!(
                                "bracket `{bracket}` was never opened"
                            ));
                        }
                        grid.end_row();
                    }
                    Token::Slash => grid.end_row(),
                    Token::Semicolon if has_semicolon_rows => grid.end_row(),
                    Token::Bar => {
                        if after_bar == Some(true) {
                            grid.push(None);
                        }
                        empty_cell = Some(false);
                    }
                    Token::Space | Token::Line => empty_cell = after_bar.map(|_| true),
                    Token::Semicolon | Token::Other => {}
                }
            }
            if !is_array {
                grid.end_row();
            }
        }
        if let Some(bracket) = open.last() {
            return BoardError::text(format!("bracket `{bracket}` is not closed"));
        }
        let found = grid.numbers.len();
        if found == 0 {
            return BoardError::text(
                "the board is empty: give its numbers in reading order, 0 for the blank",
            );
        }
        match grid.rows.last_mut() {
            Some(last) => *last += found - grid.row_start,
            None => grid.end_row(),
        }
        // One number per line is a flat board. A column of tiles is read only if the size asks for
        // it, or if slashes separate its numbers and no square has this many cells.
        let rows = grid.rows.len();
        if rows == found && rows > 1 && (!text.contains('/') || Tray::square(found).is_some()) {
            grid.is_column = true;
            grid.rows = vec![found];
        }
        Ok(grid)
    }

    /// The tray size that the rows imply; `None` if there is only one row.
    fn shown_size(&self) -> Read<Option<Tray>> {
        let [first, second, ref others @ ..] = self.rows[..] else {
            return Ok(None);
        };
        let Some(odd) = self.rows.iter().position(|&length| length != first) else {
            return Ok(Some(Tray::new(first, self.rows.len())?));
        };
        // If all other rows agree, the first row is the odd one.
        let is_first = odd == 1 && !others.is_empty() && others.iter().all(|&row| row == second);
        let (odd, other) = if is_first { (0, 1) } else { (odd, 0) };
        let (found, expected) = (self.rows[odd], self.rows[other]);
        let advice = match found + 1 == expected {
            true => ": one number is missing; write the blank as 0 or _",
            false => "",
        };
        BoardError::text(format!(
            "row {} has {}, but row {} has {expected}{advice}",
            odd + 1,
            count_of(found, "number"),
            other + 1
        ))
    }

    /// The error for a count of numbers that is not a square.
    pub(super) fn not_square(&self, found: usize) -> BoardError {
        let lacks_blank = Tray::square(found + 1).is_some() && !self.numbers.contains(&0);
        BoardError::NoSize(format!(
            "{} without rows {} no square board: 9 make a 3x3, 16 a 4x4{}",
            count_of(found, "number"),
            if found == 1 { "makes" } else { "make" },
            if lacks_blank {
                "; write the blank as 0 or _"
            } else {
                ""
            }
        ))
    }

    /// All numbers as a board. Without a size and without rows, their count must be a square.
    pub(crate) fn board(&self, size: Option<Tray>) -> Read<Board> {
        let found = self.numbers.len();
        let tray = agreed_size(self.shown_size()?, size)?;
        let tray = tray.or_else(|| Tray::square(found));
        let tray = tray.ok_or_else(|| self.not_square(found))?;
        match found == tray.cells() {
            true => self.board_at(0, tray),
            false => Err(BoardError::Count { found, tray }),
        }
    }

    /// The numbers from `start` on as a board. The caller ensures that there are enough numbers.
    pub(crate) fn board_at(&self, start: usize, tray: Tray) -> Read<Board> {
        let cells = start..start + tray.cells();
        match self.too_large.iter().find(|(at, _)| cells.contains(at)) {
            Some((at, word)) => BoardError::text(format!(
                "word {} `{word}` is not a tile of a {tray} board (0 to {})",
                at + 1,
                tray.last()
            )),
            None => Board::new(tray, &self.numbers[cells]),
        }
    }

    /// Adds a cell: a number, or the blank for `None`.
    pub(super) fn push(&mut self, cell: Option<u32>) {
        if cell.is_none() {
            self.marks.push(self.numbers.len());
        }
        self.numbers.push(cell.unwrap_or(0));
    }

    fn push_word(&mut self, word: &str) -> Read<()> {
        let index = self.numbers.len();
        let number = number(word).ok_or_else(|| {
            BoardError::Word(format!(
                "word {} `{}` (row {} column {}) is neither a tile's number nor a blank: write the \
                 blank as 0 or _, as in 1 2 3/4 0 5/6 7 8",
                index + 1,
                printable(word),
                self.rows.len() + 1,
                index - self.row_start + 1
            ))
        })?;
        if number == u32::MAX {
            self.too_large.push((index, printable(word)));
        }
        let is_digits = word.starts_with(|c: char| c.is_ascii_digit());
        self.push(is_digits.then_some(number));
        Ok(())
    }

    /// Ends a row, unless it is empty.
    pub(super) fn end_row(&mut self) {
        let end = self.numbers.len();
        if end > self.row_start {
            self.rows.push(end - self.row_start);
            self.row_start = end;
        }
    }
}

/// The size that the text shows, or else the size that the caller requests; they must not differ.
pub(super) fn agreed_size(found: Option<Tray>, expected: Option<Tray>) -> Read<Option<Tray>> {
    match (found, expected) {
        (Some(found), Some(expected)) if found != expected => {
            Err(BoardError::Size { found, expected })
        }
        _ => Ok(found.or(expected)),
    }
}

/// Whether semicolons end rows, as in `1 2 3; 4 5 6`, or only separate numbers, as in `1;2;3`.
fn has_semicolon_rows(text: &str) -> bool {
    let words = |text| tokens(text).filter(|token| matches!(token, Token::Word(_)));
    text.split_once(';')
        .is_some_and(|(first, _)| words(first).count() > 1)
}
