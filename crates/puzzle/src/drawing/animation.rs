//! How the tiles of a drawing move: CSS keyframes, one animation a tile.

use std::fmt::Write as _;
use std::time::Duration;

use super::Drawing;
use crate::{Board, Cell, Direction, MoveError};

/// The moves of a drawing.
pub(super) struct Animation {
    /// Begins the names, which are global in a page: a number made of everything that the
    /// animation depends on.
    name: String,
    /// The places of each tile that moves.
    tiles: Vec<Path>,
    /// Duration in milliseconds.
    length: u64,
}

/// Where a tile is: pairs of a time in milliseconds and a place in pixels, in order of time.
struct Path {
    number: u16,
    stops: Vec<(u64, [usize; 2])>,
}

const MINUTE: Duration = Duration::from_secs(60);

impl Animation {
    pub(super) fn new(
        drawing: &Drawing,
        board: &Board,
        moves: &[Direction],
    ) -> Result<Animation, MoveError> {
        let millis = |time: Duration| time.min(MINUTE).as_millis() as u64;
        let (step, pause) = (millis(drawing.move_time).max(1), millis(drawing.pause));
        let tray = board.tray();
        let cell = drawing.cell();
        let place = |at: Cell| [tray.column(at) * cell, tray.row(at) * cell];
        let (_, numbers) = board.play_numbers(moves)?;
        // By the tile's number; tiles without stops never move.
        let mut paths: Vec<Vec<(u64, [usize; 2])>> = vec![Vec::new(); tray.cells()];
        let mut blank = board.find(0).unwrap_or(tray.last());
        let mut time = pause;
        for (&direction, number) in moves.iter().zip(numbers) {
            let from = tray.step(blank, direction.opposite()).unwrap_or(blank);
            let path = &mut paths[usize::from(number)];
            if path.is_empty() {
                path.push((0, place(from)));
            }
            path.push((time, place(from)));
            time += step;
            path.push((time, place(blank)));
            blank = from;
        }
        let length = time + pause;
        let paths = (0_u16..).zip(paths).filter(|(_, stops)| !stops.is_empty());
        let mut tiles: Vec<Path> = paths
            .map(|(number, stops)| Path { number, stops })
            .collect();
        for Path { stops, .. } in &mut tiles {
            let end = stops.last().map(|&(_, place)| (length, place));
            stops.extend(end);
            stops.dedup();
        }
        let letters: String = moves.iter().map(|m| m.letter()).collect();
        let name = fnv(&format!("{board} {letters} {step} {pause} {cell}"));
        Ok(Animation {
            name: format!("p{name:08x}"),
            tiles,
            length,
        })
    }

    /// The style sheet; nothing without moves.
    pub(super) fn style(&self) -> String {
        let mut css = String::new();
        if self.tiles.is_empty() {
            return css;
        }
        let (name, length) = (&self.name, self.length);
        // Writing to a String cannot fail.
        let _ = writeln!(
            css,
            "<style>\n.{name}{{animation:{length}ms ease-in-out infinite}}\n\
             @media (prefers-reduced-motion:reduce){{.{name}{{animation:none!important}}}}"
        );
        for tile in &self.tiles {
            let _ = write!(css, "@keyframes {name}-{}{{", tile.number);
            let mut stops = tile.stops.iter().peekable();
            while let Some(&(time, place)) = stops.next() {
                css += &self.percent(time);
                match stops.peek() {
                    // A tile that waits: one place at both times.
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

    /// Attributes of a tile's group.
    pub(super) fn attribute(&self, number: u16) -> String {
        let mut tiles = self.tiles.iter();
        if tiles.all(|tile| tile.number != number) {
            return String::new();
        }
        let name = &self.name;
        format!(" class=\"{name}\" style=\"animation-name:{name}-{number}\"")
    }

    /// A time as a share of the whole, to a millionth of a percent.
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
