//! Animation of the tiles of a drawing: CSS keyframes, one animation per tile.

use std::fmt::Write as _;
use std::time::Duration;

use super::Drawing;
use crate::board::Board;
use crate::moves::{MoveError, Slide};
use crate::tray::{Cell, Direction};

/// The moves of a drawing.
pub(super) struct Animation {
    /// Prefix of the CSS names: a hash of the animation's inputs, because CSS names are global in a
    /// page.
    name: String,
    /// The stops of each tile, by number; none for a tile that does not move.
    tiles: Vec<Stops>,
    /// Duration, in milliseconds.
    length: u64,
}

/// Positions of a tile, in order of time. Each item is a time in milliseconds and a position in
/// pixels.
type Stops = Vec<(u64, [usize; 2])>;

const MINUTE: Duration = Duration::from_secs(60);
/// Time for which an animation shows the first and the last board, in milliseconds.
const PAUSE: u64 = 1500;

impl Animation {
    pub(super) fn new(
        drawing: &Drawing,
        board: &Board,
        moves: &[Direction],
    ) -> Result<Animation, MoveError> {
        let step = drawing.move_time.min(MINUTE).as_millis().max(1) as u64;
        let tray = board.tray();
        let cell = drawing.cell();
        let place = |at: Cell| [tray.column(at) * cell, tray.row(at) * cell];
        let (slides, _) = board.slides(moves)?;
        let mut time = PAUSE;
        let mut tiles: Vec<Stops> = vec![Vec::new(); tray.cells()];
        for Slide {
            number, from, to, ..
        } in slides
        {
            let stops = &mut tiles[usize::from(number)];
            if stops.is_empty() {
                stops.push((0, place(from)));
            }
            stops.extend([(time, place(from)), (time + step, place(to))]);
            time += step;
        }
        let length = time + PAUSE;
        for stops in &mut tiles {
            let end = stops.last().map(|&(_, place)| (length, place));
            stops.extend(end);
            stops.dedup();
        }
        let letters: String = moves.iter().map(|m| m.letter()).collect();
        let name = fnv(&format!("{board} {letters} {step} {PAUSE} {cell}"));
        Ok(Animation {
            name: format!("p{name:08x}"),
            tiles,
            length,
        })
    }

    /// The style sheet; empty if there are no moves.
    pub(super) fn style(&self) -> String {
        let mut css = String::new();
        if self.tiles.iter().all(Vec::is_empty) {
            return css;
        }
        let (name, length) = (&self.name, self.length);
        // Writing to a String cannot fail.
        let _ = writeln!(
            css,
            "<style>\n.{name}{{animation:{length}ms ease-in-out infinite}}\n\
             @media (prefers-reduced-motion:reduce){{.{name}{{animation:none!important}}}}"
        );
        for (number, stops) in self.tiles.iter().enumerate() {
            if stops.is_empty() {
                continue;
            }
            let _ = write!(css, "@keyframes {name}-{number}{{");
            let mut stops = stops.iter().peekable();
            while let Some(&(time, place)) = stops.next() {
                css += &self.percent(time);
                match stops.peek() {
                    // The tile does not move: the position is the same at both times.
                    Some(&&(_, next)) if next == place => css.push(','),
                    _ => {
                        let [x, y] = place;
                        let _ = write!(css, "{{transform:translate({x}px,{y}px)}}");
                    }
                }
            }
            css += "}\n";
        }
        css + "</style>\n"
    }

    /// Attributes of the SVG group of a tile.
    pub(super) fn attribute(&self, number: u16) -> String {
        let name = &self.name;
        match self.tiles[usize::from(number)].is_empty() {
            true => String::new(),
            false => format!(" class=\"{name}\" style=\"animation-name:{name}-{number}\""),
        }
    }

    /// A time as a percentage of the whole, with six decimals.
    fn percent(&self, time: u64) -> String {
        let millionths = u128::from(time) * 100_000_000 / u128::from(self.length.max(1));
        let text = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{text}%")
    }
}

/// The 32-bit hash of Fowler, Noll and Vo.
fn fnv(text: &str) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(0x811c_9dc5, step)
}

#[cfg(test)]
mod tests;
