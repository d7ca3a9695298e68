//! Pictures of boards: SVG, animated SVG of moves, and text for a terminal.
//!
//! Equal input gives equal bytes on every machine.

mod animation;
mod colours;

use std::fmt::Write as _;
use std::time::Duration;

use crate::board::Board;
use crate::goal::Goal;
use crate::moves::MoveError;
use crate::tray::Direction;
use animation::Animation;
pub use colours::Colours;
use colours::{INK, Rgb, TRAY};

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

impl Drawing {
    /// An SVG picture of a board.
    #[must_use]
    pub fn svg(&self, board: &Board) -> String {
        document(self, board, None)
    }

    /// An SVG picture that plays the moves repeatedly by CSS, in browsers and `<img>`. If the user
    /// has requested reduced motion, or the viewer does not support CSS animations, the picture
    /// shows the board without motion. A page may contain several such pictures.
    ///
    /// # Errors
    /// [`MoveError::Frame`] at the first move that no tile can make.
    pub fn animated_svg(&self, board: &Board, moves: &[Direction]) -> Result<String, MoveError> {
        let animation = Animation::new(self, board, moves)?;
        Ok(document(self, board, Some(&animation)))
    }
}

/// The SVG document of a board, optionally with the animation of its tiles.
fn document(drawing: &Drawing, board: &Board, animation: Option<&Animation>) -> String {
    let (tray, cell) = (board.tray(), drawing.cell());
    let (frame, gap) = (cell / 8, cell / 32 + 1);
    let [width, height] = [tray.width(), tray.height()].map(|cells| cells * cell + 2 * frame);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{board}</title>\n"
    );
    svg += &animation.map_or_else(String::new, Animation::style);
    let font = match tray.last().index() {
        ..100 => cell * 7 / 16,
        _ => cell * 3 / 8,
    };
    // Writing to a String cannot fail.
    let _ = write!(
        svg,
        "<rect width=\"{width}\" height=\"{height}\" rx=\"{frame}\" fill=\"{}\"/>\n\
         <g transform=\"translate({frame} {frame})\" font-family=\"system-ui,'Segoe \
         UI','DejaVu Sans',Arial,sans-serif\" font-weight=\"600\" font-size=\"{font}\" \
         text-anchor=\"middle\">\n",
        hex(TRAY)
    );
    for (place, &number) in tray.iter().zip(board.numbers()) {
        if number == 0 {
            continue;
        }
        let [x, y] = [tray.column(place), tray.row(place)].map(|at| at * cell);
        let moved = animation.map_or_else(String::new, |animation| animation.attribute(number));
        let _ = writeln!(
            svg,
            "<g transform=\"translate({x} {y})\"{moved}><rect x=\"{gap}\" y=\"{gap}\" \
             width=\"{side}\" height=\"{side}\" rx=\"{round}\" fill=\"{fill}\"/><text \
             x=\"{half}\" y=\"{half}\" dy=\".35em\" fill=\"{ink}\">{number}</text></g>",
            side = cell - 2 * gap,
            round = cell / 10,
            half = cell / 2,
            fill = hex(drawing.colour_of(number)),
            ink = hex(INK),
        );
    }
    svg + "</g>\n</svg>\n"
}

fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tray;

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

    #[test]
    fn the_document_is_pinned() {
        let goal = Goal::blank_last(Tray::new(2, 2).unwrap());
        let mut drawing = Drawing::new(&goal);
        drawing.colours = Colours::Rows;
        let svg = drawing.svg(&"1 0/3 2".parse().unwrap());
        let expected = "\
<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"144\" height=\"144\" viewBox=\"0 0 144 144\" role=\"img\">
<title>1 0/3 2</title>
<rect width=\"144\" height=\"144\" rx=\"8\" fill=\"#2e3440\"/>
<g transform=\"translate(8 8)\" font-family=\"system-ui,'Segoe UI','DejaVu Sans',Arial,sans-serif\" \
         font-weight=\"600\" font-size=\"28\" text-anchor=\"middle\">
<g transform=\"translate(0 0)\"><rect x=\"3\" y=\"3\" width=\"58\" height=\"58\" rx=\"6\" fill=\"#f47070\"/>\
         <text x=\"32\" y=\"32\" dy=\".35em\" fill=\"#111111\">1</text></g>
<g transform=\"translate(0 64)\"><rect x=\"3\" y=\"3\" width=\"58\" height=\"58\" rx=\"6\" fill=\"#b270f4\"/>\
         <text x=\"32\" y=\"32\" dy=\".35em\" fill=\"#111111\">3</text></g>
<g transform=\"translate(64 64)\"><rect x=\"3\" y=\"3\" width=\"58\" height=\"58\" rx=\"6\" fill=\"#f47070\"/>\
         <text x=\"32\" y=\"32\" dy=\".35em\" fill=\"#111111\">2</text></g>
</g>
</svg>
";
        assert_eq!(svg, expected);
    }

    #[test]
    fn sizes_follow_the_cell() {
        let text = |width: usize, cell_size| {
            let goal = Goal::blank_last(Tray::new(width, 10).unwrap());
            let mut drawing = Drawing::new(&goal);
            drawing.cell_size = cell_size;
            drawing.svg(goal.board())
        };
        // Three-digit numbers, on 101 cells or more, are written smaller.
        assert!(text(10, 160).contains("font-size=\"70\""));
        assert!(text(11, 160).contains("font-size=\"60\""));
        let svg = text(11, 160);
        assert!(svg.contains("width=\"1800\" height=\"1640\""));
        assert!(svg.contains("<rect x=\"6\" y=\"6\" width=\"148\" height=\"148\" rx=\"16\""));
        assert!(svg.contains("<title>1 2 3 4 5 6 7 8 9 10 11/12 "));
        assert!(text(10, 1).contains("width=\"164\"") && text(10, 9999).contains("width=\"5248\""));
    }
}
