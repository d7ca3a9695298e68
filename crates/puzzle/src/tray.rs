//! Trays: size, cells and adjacency.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::names::{UnknownName, printable};

/// A cell of the tray, numbered `0..N` in reading order.
///
/// In patterns, a `Cell` also names the tile whose goal cell it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[must_use]
pub struct Cell(u16);

impl Cell {
    /// The cell with this index in reading order. The index is truncated to 16 bits, which are
    /// enough for every tray.
    #[inline]
    pub const fn new(index: usize) -> Self {
        Cell(index as u16)
    }

    /// The index in reading order.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Cell {
    /// The index.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One of the four directions on the tray.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[must_use]
pub enum Direction {
    /// Towards the first row.
    Up,
    /// Towards the last row.
    Down,
    /// Towards the first column.
    Left,
    /// Towards the last column.
    Right,
}

impl Direction {
    /// All four directions, in the order of their discriminants.
    pub const ALL: [Direction; 4] = [
        Direction::Up,
        Direction::Down,
        Direction::Left,
        Direction::Right,
    ];

    /// The opposite direction.
    #[inline]
    pub const fn opposite(self) -> Self {
        match self {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
        }
    }

    /// `U`, `D`, `L` or `R`.
    #[must_use]
    pub const fn letter(self) -> char {
        b"UDLR"[self as usize] as char
    }

    /// The direction with this letter, in either case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let mut all = Direction::ALL.into_iter();
        all.find(|direction| direction.letter() == letter.to_ascii_uppercase())
    }
}

impl fmt::Display for Direction {
    /// The letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.letter())
    }
}

impl FromStr for Direction {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut letters = text.chars();
        let direction = letters.next().and_then(Direction::from_letter);
        direction
            .filter(|_| letters.next().is_none())
            .ok_or_else(|| UnknownName::new("direction", text, &["U", "D", "L", "R"]))
    }
}

/// The size of a board: `width` columns by `height` rows. Trays are ordered by their number of
/// cells, then by their width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[must_use]
pub struct Tray {
    cells: u16,
    width: u8,
    height: u8,
}

/// Error: an invalid tray size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrayError {
    /// The text is not two numbers joined by `x`.
    #[error(
        "size `{0}` is not two numbers of 1 to {max} joined by x, such as 4x4 or 5x3 (5 columns, 3 \
         rows)",
        max = Tray::MAX_SIDE
    )]
    Form(String),
    /// A side is outside `1..=20`, or there are fewer than two cells: the requested columns and rows.
    #[error(
        "a {0}x{1} tray is not supported: each side must be 1 to {max}, with at least 2 cells",
        max = Tray::MAX_SIDE
    )]
    Side(usize, usize),
}

impl Tray {
    /// Longest side of a tray, in cells.
    pub const MAX_SIDE: usize = 20;

    /// A tray of `width` columns and `height` rows, each from 1 to 20, with at least two cells.
    pub fn new(width: usize, height: usize) -> Result<Self, TrayError> {
        let sides = 1..=Self::MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) || width * height < 2 {
            return Err(TrayError::Side(width, height));
        }
        Ok(Tray {
            cells: (width * height) as u16,
            width: width as u8,
            height: height as u8,
        })
    }

    /// The square tray with this number of cells, if there is one.
    #[must_use]
    pub fn square(cells: usize) -> Option<Self> {
        let tray = Tray::new(cells.isqrt(), cells.isqrt()).ok()?;
        (tray.cells() == cells).then_some(tray)
    }

    /// Number of columns.
    #[inline]
    #[must_use]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    #[inline]
    #[must_use]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Number of cells, `width * height`.
    #[inline]
    #[must_use]
    pub const fn cells(self) -> usize {
        self.cells as usize
    }

    /// All cells in reading order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        (0..self.cells()).map(Cell::new)
    }

    /// The last cell in reading order.
    pub const fn last(self) -> Cell {
        Cell::new(self.cells() - 1)
    }

    /// The cell in this column and row, both counted from 0.
    #[inline]
    pub const fn cell(self, column: usize, row: usize) -> Cell {
        Cell::new(row * self.width() + column)
    }

    /// Column of a cell, from 0.
    #[inline]
    #[must_use]
    pub const fn column(self, cell: Cell) -> usize {
        cell.index() % self.width()
    }

    /// Row of a cell, from 0.
    #[inline]
    #[must_use]
    pub const fn row(self, cell: Cell) -> usize {
        cell.index() / self.width()
    }

    /// The neighbour of `cell` in this direction, or `None` at the edge of the tray.
    #[inline]
    #[must_use]
    pub fn step(self, cell: Cell, direction: Direction) -> Option<Cell> {
        let (column, row) = (self.column(cell), self.row(cell));
        match direction {
            Direction::Up if row > 0 => Some(self.cell(column, row - 1)),
            Direction::Down if row + 1 < self.height() => Some(self.cell(column, row + 1)),
            Direction::Left if column > 0 => Some(self.cell(column - 1, row)),
            Direction::Right if column + 1 < self.width() => Some(self.cell(column + 1, row)),
            _ => None,
        }
    }

    /// The neighbours of `cell`, in the order of [`Direction::ALL`].
    pub fn neighbours(self, cell: Cell) -> impl Iterator<Item = Cell> {
        Direction::ALL
            .into_iter()
            .filter_map(move |direction| self.step(cell, direction))
    }

    /// The direction from a cell to its neighbour; `None` if the cells are not adjacent.
    #[must_use]
    pub fn direction(self, from: Cell, to: Cell) -> Option<Direction> {
        Direction::ALL
            .into_iter()
            .find(|&direction| self.step(from, direction) == Some(to))
    }

    /// Manhattan distance between two cells.
    #[inline]
    #[must_use]
    pub const fn distance(self, a: Cell, b: Cell) -> usize {
        self.column(a).abs_diff(self.column(b)) + self.row(a).abs_diff(self.row(b))
    }

    /// Checkerboard colour of a cell, 0 or 1; cell 0 has colour 0.
    #[inline]
    #[must_use]
    pub const fn colour(self, cell: Cell) -> usize {
        (self.column(cell) + self.row(cell)) & 1
    }
}

impl fmt::Display for Tray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Tray {
    type Err = TrayError;

    fn from_str(text: &str) -> Result<Self, TrayError> {
        let form = || TrayError::Form(printable(text));
        let (width, height) = text.trim().split_once(['x', 'X', '×']).ok_or_else(form)?;
        let side = |digits: &str| digits.trim().parse::<usize>().map_err(|_| form());
        Tray::new(side(width)?, side(height)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed_and_bad_ones_rejected() {
        let tray: Tray = "5x3".parse().unwrap();
        assert_eq!((tray.width(), tray.height(), tray.cells()), (5, 3, 15));
        assert_eq!(tray.to_string(), "5x3");
        for bad in ["", "4", "x", "4x", "0x4", "21x2", "1x1", "4x4x4", "-1x3"] {
            assert!(bad.parse::<Tray>().is_err(), "{bad}");
        }
        for bad in ["-3x3", "3x", "4", "99999999999999999999x3"] {
            let message = bad.parse::<Tray>().unwrap_err().to_string();
            assert!(
                message.contains("two numbers of 1 to 20 joined by x, such as"),
                "{message}"
            );
        }
    }

    #[test]
    fn steps_agree_with_distance_and_colour() {
        let tray = Tray::new(5, 3).unwrap();
        for a in tray.iter() {
            for b in tray.iter() {
                let touching = tray.direction(a, b).is_some();
                assert_eq!(touching, tray.distance(a, b) == 1);
                assert_eq!(tray.distance(a, b) % 2, tray.colour(a) ^ tray.colour(b));
            }
        }
    }

    #[test]
    fn cells_and_directions() {
        let tray = Tray::new(5, 3).unwrap();
        assert_eq!(
            (tray.last(), tray.cell(2, 1)),
            (Cell::new(14), Cell::new(7))
        );
        assert_eq!((tray.column(Cell::new(7)), tray.row(Cell::new(7))), (2, 1));
        assert_eq!(tray.distance(Cell::new(0), tray.last()), 6);
        assert_eq!(
            (tray.colour(Cell::new(0)), tray.colour(Cell::new(5))),
            (0, 1)
        );
        assert_eq!(Cell::new(7).to_string(), "7");
        let neighbours: Vec<usize> = tray.neighbours(Cell::new(7)).map(Cell::index).collect();
        assert_eq!(neighbours, [2, 12, 6, 8]);
        let corner: Vec<usize> = tray.neighbours(tray.last()).map(Cell::index).collect();
        assert_eq!(corner, [9, 13]);
        for (letter, direction) in "UDLR".chars().zip(Direction::ALL) {
            assert_eq!(
                (direction.letter(), direction.to_string()),
                (letter, letter.to_string())
            );
            assert_eq!(Direction::from_letter(letter), Some(direction));
            assert_eq!(
                Direction::from_letter(letter.to_ascii_lowercase()),
                Some(direction)
            );
            let (from, back) = (Cell::new(7), direction.opposite());
            let to = tray.step(from, direction).unwrap();
            assert_eq!(
                (tray.direction(from, to), tray.direction(to, from)),
                (Some(direction), Some(back))
            );
        }
        assert_eq!(Direction::from_letter('X'), None);
        assert_eq!(tray.direction(Cell::new(4), Cell::new(5)), None);
        assert_eq!(tray.direction(Cell::new(4), Cell::new(4)), None);
        let sizes = ["1x2", "2x1", "20x20"].map(|size| size.parse::<Tray>().unwrap().cells());
        assert_eq!(sizes, [2, 2, 400]);
        assert_eq!(" 3 × 2 ".parse::<Tray>(), Tray::new(3, 2));
        assert_eq!("1x1".parse::<Tray>(), Err(TrayError::Side(1, 1)));
    }
}
