//! Boards and goals in requests.

use std::borrow::Cow;

use puzzle::{Board, Tray};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::problem::Problem;

/// A board or a goal in a request.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(
    untagged,
    expecting = "expected a board: a text such as `1 2 3/4 5 6/7 8 0`, or an array of numbers"
)]
#[schema(example = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13")]
pub(crate) enum BoardText {
    /// A text in any usual form, such as `1 2 3/4 5 6/7 8 0`.
    Text(String),
    /// Numbers in reading order, 0 for the blank.
    Numbers(Vec<u32>),
    /// Rows of numbers.
    Rows(Vec<Vec<u32>>),
}

impl BoardText {
    pub(crate) fn text(&self) -> Cow<'_, str> {
        let join = |numbers: &[u32]| {
            let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
            words.join(" ")
        };
        match self {
            BoardText::Text(text) => Cow::Borrowed(text),
            BoardText::Numbers(numbers) => Cow::Owned(join(numbers)),
            BoardText::Rows(rows) => {
                let rows: Vec<String> = rows.iter().map(|row| join(row)).collect();
                Cow::Owned(rows.join("/"))
            }
        }
    }

    pub(crate) fn read(&self, size: Option<Tray>) -> Result<Board, Problem> {
        if let BoardText::Rows(rows) = self {
            // The array determines the size. `Board::parse` would read the text of a single row as
            // a square board.
            let width = rows.first().map_or(0, Vec::len);
            let tray = Tray::new(width, rows.len()).ok();
            let tray = tray.filter(|tray| size.is_none_or(|size| size == *tray));
            let is_whole = rows.iter().all(|row| row.len() == width);
            if let Some(tray) = tray.filter(|_| is_whole) {
                return Board::new(tray, &rows.concat()).map_err(Problem::input);
            }
        }
        Board::parse(&self.text(), size).map_err(Problem::input)
    }
}
