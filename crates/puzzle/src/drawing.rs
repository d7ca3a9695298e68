//! Pictures of boards: SVG, animated SVG of moves, and text for a terminal.
//!
//! Equal input gives equal bytes on every machine.

mod animation;
mod colours;
mod svg;
mod terminal;

use std::time::Duration;

pub use colours::Colours;

use crate::goal::Goal;

/// Options of drawn boards.
///
/// ```
/// use puzzle::{Board, Colours, Drawing, Goal};
/// let board: Board = "1 2 3/4 0 6/7 5 8".parse()?;
/// let mut drawing = Drawing::new(&Goal::blank_last(board.tray()));
/// drawing.colours = Colours::Rows;
/// drawing.cell_size = 48;
/// let svg = drawing.svg(&board);
/// assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"156\""));
/// let moves = board.read_moves("UL", puzzle::Notation::Tile)?;
/// assert!(drawing.animated_svg(&board, &moves)?.contains("@keyframes"));
/// assert_eq!(drawing.text(&"1 2/0 3".parse()?, false), "\
/// ┌───┬───┐
/// │ 1 │ 2 │
/// ├───┼───┤
/// │   │ 3 │
/// └───┴───┘
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Drawing {
    /// The goal, which determines the colours of the tiles. Tiles that are not in the goal are
    /// grey.
    pub goal: Goal,
    /// The colour scheme.
    pub colours: Colours,
    /// Side of a cell of an SVG, in pixels: 64 by default, clamped to 16..=512.
    pub cell_size: u32,
    /// Time per move in an animation: 300 ms by default, at least 1 ms, at most a minute.
    pub move_time: Duration,
    /// Time for which an animation shows the first and the last board: 1.5 s by default, at most a
    /// minute.
    pub pause: Duration,
    /// Title for screen readers. By default, the title is the board's text.
    pub title: Option<String>,
}

impl Drawing {
    /// The default options for boards with this goal.
    #[must_use]
    pub fn new(goal: &Goal) -> Self {
        Drawing {
            goal: goal.clone(),
            colours: Colours::default(),
            cell_size: 64,
            move_time: Duration::from_millis(300),
            pause: Duration::from_millis(1500),
            title: None,
        }
    }

    /// Side of a cell, in pixels.
    fn cell(&self) -> usize {
        self.cell_size.clamp(16, 512) as usize
    }

    /// Colour of the tile with this number.
    fn colour_of(&self, number: u16) -> colours::Rgb {
        let cell = self.goal.cell_of(number);
        let class = cell.and_then(|cell| self.colours.class(&self.goal, cell));
        class.map_or(colours::GREY, |class| {
            colours::rainbow(class, self.colours.count(&self.goal))
        })
    }
}
