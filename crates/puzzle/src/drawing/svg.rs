//! The SVG document.

use std::fmt::Write as _;

use super::Drawing;
use super::animation::Animation;
use super::colours::{INK, Rgb, TRAY};
use crate::Board;

/// A board, with the animation of its tiles.
pub(super) fn write(drawing: &Drawing, board: &Board, animation: Option<&Animation>) -> String {
    let (tray, cell) = (board.tray(), drawing.cell());
    let (frame, gap) = (cell / 8, cell / 32 + 1);
    let [width, height] = [tray.width(), tray.height()].map(|cells| cells * cell + 2 * frame);
    let title = match &drawing.title {
        Some(title) => escape(title),
        None => board.to_string(),
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{title}</title>\n"
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

/// A text as XML holds it; characters that XML has no way to hold are replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '\t' | '\n' => escaped.push(c),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
