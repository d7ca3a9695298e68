//! Boards drawn as text.

use super::Drawing;
use super::colours::Rgb;
use crate::board::Board;

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
pub(super) const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

pub(super) fn nearest_level(part: u8) -> usize {
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
        drawing.colours = crate::Colours::Plain;
        let text = drawing.text(goal.board(), true);
        let cell = "\u{1b}[38;5;16;48;5;188m 1 \u{1b}[0m";
        assert_eq!(text, format!("┌───┬───┐\n│{cell}│   │\n└───┴───┘\n"));
    }
}
