//! SVG documents.

use std::fmt::Write as _;

use super::Drawing;
use super::animation::Animation;
use super::colours::{INK, Rgb, TRAY};
use crate::board::Board;
use crate::moves::MoveError;
use crate::tray::Direction;

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
    use crate::{Colours, Drawing, Goal, Tray};

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
