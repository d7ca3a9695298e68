//! Numbers on lines of their own before a board: its size, a count of boards, the goal's blank.

use super::note::Note;
use crate::goal::Goal;
use crate::tray::{Cell, Tray};

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
