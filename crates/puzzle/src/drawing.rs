//! Pictures of boards: SVG, animated SVG of moves, and text for a terminal.
//!
//! Equal input gives equal bytes on every machine.

mod animation;
mod colours;
mod svg;

use std::time::Duration;

use crate::board::Board;
use crate::goal::Goal;
pub use colours::Colours;
use colours::Rgb;

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
        }
    }

    /// Side of a cell, in pixels.
    fn cell(&self) -> usize {
        self.cell_size.clamp(16, 512) as usize
    }

    /// Colour of the tile with this number.
    fn colour_of(&self, number: u16) -> Rgb {
        let cell = self.goal.cell_of(number);
        let class = cell.and_then(|cell| self.colours.class(&self.goal, cell));
        class.map_or(colours::GREY, |class| {
            colours::rainbow(class, self.colours.count(&self.goal))
        })
    }
}

impl Drawing {
    /// A board as lines of text. With `ansi` the text has 256 colours. Without `ansi` it is plain
    /// text that [`Board::parse`] can read.
    #[must_use]
    pub fn text(&self, board: &Board, ansi: bool) -> String {
        let tray = board.tray();
        let digits = tray.last().to_string().len();
        let rule = |ends: [&str; 3]| {
            let cells = vec!["─".repeat(digits + 2); tray.width()];
            format!("{}{}{}\n", ends[0], cells.join(ends[1]), ends[2])
        };
        let mut text = rule(["┌", "┬", "┐"]);
        for (row, numbers) in board.numbers().chunks(tray.width()).enumerate() {
            if row > 0 {
                text += &rule(["├", "┼", "┤"]);
            }
            for &number in numbers {
                text += "│";
                text += &match number {
                    0 => " ".repeat(digits + 2),
                    _ if ansi => {
                        let ground = ansi_index(self.colour_of(number));
                        format!("\x1b[38;5;16;48;5;{ground}m {number:>digits$} \x1b[0m")
                    }
                    _ => format!(" {number:>digits$} "),
                };
            }
            text += "│\n";
        }
        text + &rule(["└", "┴", "┘"])
    }
}

/// Levels of the colour cube of 256-colour terminals.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

fn nearest_level(part: u8) -> usize {
    let distance = |&level: &usize| LEVELS[level].abs_diff(part);
    (0..LEVELS.len()).min_by_key(distance).unwrap_or(0)
}

fn ansi_index(colour: Rgb) -> usize {
    let [r, g, b] = colour.map(nearest_level);
    16 + 36 * r + 6 * g + b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Tray};

    #[test]
    fn drawings_are_read_back_at_every_size() {
        for width in 1..=Tray::MAX_SIDE {
            for height in 1..=Tray::MAX_SIDE {
                let Ok(tray) = Tray::new(width, height) else {
                    continue;
                };
                for goal in [Goal::blank_last(tray), Goal::blank_first(tray)] {
                    let drawing = Drawing::new(&goal);
                    let text = drawing.text(goal.board(), false);
                    let read = Board::parse(&text, Some(tray));
                    assert_eq!(read.as_ref(), Ok(goal.board()), "{text}");
                    let lengths = text.lines().map(|line| line.chars().count());
                    let length = 1 + width * (tray.last().to_string().len() + 3);
                    assert!(lengths.clone().all(|found| found == length), "{text}");
                    assert_eq!(lengths.count(), 2 * height + 1);
                    // Colours add only escape sequences to the text.
                    let coloured = drawing.text(goal.board(), true);
                    let mut plain = String::new();
                    for (at, part) in coloured.split("\x1b[").enumerate() {
                        let shown = part.split_once('m').filter(|_| at > 0);
                        plain += shown.map_or(part, |(_, shown)| shown);
                    }
                    assert_eq!(plain, text);
                }
            }
        }
    }

    #[test]
    fn terminals_have_a_cube_of_six_levels_per_axis() {
        for (colour, index) in [
            ([0, 0, 0], 16),
            ([255, 255, 255], 231),
            ([255, 0, 0], 196),
            ([0, 255, 0], 46),
            ([0, 0, 255], 21),
            ([95, 135, 175], 67),
            ([96, 130, 170], 67),
            ([47, 48, 120], 24),
        ] {
            assert_eq!(ansi_index(colour), index, "{colour:?}");
        }
    }

    #[test]
    fn drawings_are_pinned() {
        let goal = Goal::blank_last(Tray::new(2, 1).unwrap());
        let mut drawing = Drawing::new(&goal);
        drawing.colours = Colours::Plain;
        let text = drawing.text(goal.board(), true);
        let cell = "\u{1b}[38;5;16;48;5;188m 1 \u{1b}[0m";
        assert_eq!(text, format!("┌───┬───┐\n│{cell}│   │\n└───┴───┘\n"));
    }
}
