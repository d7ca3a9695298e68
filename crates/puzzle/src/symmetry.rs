//! Reflections and rotations of a tray.

use std::fmt;
use std::str::FromStr;

use crate::names::UnknownName;
use crate::tray::{Cell, Direction, Tray};

/// A symmetry of the plane that maps rectangles onto rectangles: an optional reflection in the main
/// diagonal, then optional reflections of columns and of rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symmetry {
    transpose: bool,
    flip_columns: bool,
    flip_rows: bool,
}

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry::new(false, false, false);
    /// The reflection in the main diagonal.
    pub const TRANSPOSE: Symmetry = Symmetry::new(true, false, false);
    /// All eight symmetries, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::IDENTITY,
        Symmetry::new(false, true, false),
        Symmetry::new(false, false, true),
        Symmetry::new(false, true, true),
        Symmetry::TRANSPOSE,
        Symmetry::new(true, true, false),
        Symmetry::new(true, false, true),
        Symmetry::new(true, true, true),
    ];

    const fn new(transpose: bool, flip_columns: bool, flip_rows: bool) -> Self {
        Symmetry {
            transpose,
            flip_columns,
            flip_rows,
        }
    }

    /// The names of [`Self::ALL`], in order.
    const NAMES: [&'static str; 8] = [
        "identity",
        "left-right",
        "top-bottom",
        "half-turn",
        "transpose",
        "turn-right",
        "turn-left",
        "anti-transpose",
    ];

    /// The name, as `Display` writes and `FromStr` reads it. On a tray of W columns and H rows the
    /// cell in column x and row y is mapped to:
    ///
    /// | name | column, row | |
    /// | --- | --- | --- |
    /// | `identity` | x, y | nothing changes |
    /// | `left-right` | W-1-x, y | a mirror with a vertical axis |
    /// | `top-bottom` | x, H-1-y | a mirror with a horizontal axis |
    /// | `half-turn` | W-1-x, H-1-y | |
    /// | `transpose` | y, x | a mirror in the diagonal from the top left |
    /// | `turn-right` | H-1-y, x | a quarter turn, clockwise |
    /// | `turn-left` | y, W-1-x | a quarter turn, counterclockwise |
    /// | `anti-transpose` | H-1-y, W-1-x | a mirror in the diagonal from the top right |
    #[must_use]
    pub const fn name(self) -> &'static str {
        let (transpose, rows) = (self.transpose as usize, self.flip_rows as usize);
        Symmetry::NAMES[4 * transpose + 2 * rows + self.flip_columns as usize]
    }

    /// The symmetries that map `tray` onto itself: eight for a square, four otherwise.
    pub fn of(tray: Tray) -> impl Iterator<Item = Symmetry> {
        Symmetry::ALL
            .into_iter()
            .filter(move |s| s.map_tray(tray) == tray)
    }

    /// The symmetries of `tray` that leave `cell` in place, the identity first.
    pub fn keeping(tray: Tray, cell: Cell) -> impl Iterator<Item = Symmetry> {
        Symmetry::of(tray).filter(move |s| s.map(tray, cell) == cell)
    }

    /// The first cell of each class that does not contain `cell`. Two cells are in the same class
    /// if a symmetry of `tray` maps one to the other.
    ///
    /// ```
    /// use puzzle::{Cell, Symmetry};
    ///
    /// let tray = "4x4".parse()?;
    /// let edge_and_middle = [1, 5].map(Cell::new);
    /// assert_eq!(Symmetry::other_classes(tray, Cell::new(15)), edge_and_middle);
    /// # Ok::<(), puzzle::TrayError>(())
    /// ```
    #[must_use]
    pub fn other_classes(tray: Tray, cell: Cell) -> Vec<Cell> {
        let first = |cell: Cell| Symmetry::of(tray).map(|s| s.map(tray, cell)).min();
        let own = first(cell);
        let cells = tray.iter();
        let others = cells.filter(|&other| Some(other) != own && first(other) == Some(other));
        others.collect()
    }

    /// The image of `tray`.
    #[must_use]
    pub fn map_tray(self, tray: Tray) -> Tray {
        if self.transpose {
            // Exchanging the sides of a valid tray gives a valid tray.
            Tray::new(tray.height(), tray.width()).unwrap_or(tray)
        } else {
            tray
        }
    }

    /// The image of `cell`, a cell of `tray`. The image is a cell of [`Self::map_tray`].
    #[must_use]
    pub fn map(self, tray: Tray, cell: Cell) -> Cell {
        let (mut column, mut row) = (tray.column(cell), tray.row(cell));
        if self.transpose {
            (column, row) = (row, column);
        }
        let image = self.map_tray(tray);
        if self.flip_columns {
            column = image.width() - 1 - column;
        }
        if self.flip_rows {
            row = image.height() - 1 - row;
        }
        image.cell(column, row)
    }

    /// The image of `direction`.
    #[must_use]
    pub fn map_direction(self, direction: Direction) -> Direction {
        use Direction::{Down, Left, Right, Up};
        let turned = match (self.transpose, direction) {
            (true, Up) => Left,
            (true, Left) => Up,
            (true, Down) => Right,
            (true, Right) => Down,
            (false, same) => same,
        };
        match turned {
            Left | Right if self.flip_columns => turned.opposite(),
            Up | Down if self.flip_rows => turned.opposite(),
            same => same,
        }
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Symmetry {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut all = Symmetry::ALL.into_iter();
        all.find(|symmetry| symmetry.name() == text)
            .ok_or_else(|| UnknownName::new("symmetry", text, &Symmetry::NAMES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_the_mapping_of_cells() {
        let (w, h) = (5, 3);
        let tray = Tray::new(w, h).unwrap();
        let place = |name: &str, x: usize, y: usize| match name {
            "identity" => (x, y),
            "left-right" => (w - 1 - x, y),
            "top-bottom" => (x, h - 1 - y),
            "half-turn" => (w - 1 - x, h - 1 - y),
            "transpose" => (y, x),
            "turn-right" => (h - 1 - y, x),
            "turn-left" => (y, w - 1 - x),
            "anti-transpose" => (h - 1 - y, w - 1 - x),
            other => panic!("{other}"),
        };
        for (symmetry, name) in Symmetry::ALL.into_iter().zip(Symmetry::NAMES) {
            assert_eq!(symmetry.to_string(), name);
            assert_eq!(name.parse(), Ok(symmetry));
            for cell in tray.iter() {
                let image = symmetry.map(tray, cell);
                let (x, y) = place(name, tray.column(cell), tray.row(cell));
                assert_eq!(image, symmetry.map_tray(tray).cell(x, y));
            }
        }
        assert!("turn".parse::<Symmetry>().is_err());
    }

    #[test]
    fn symmetries_are_bijections_that_keep_neighbours() {
        for (width, height, count) in [(4, 4, 8), (5, 3, 4), (2, 2, 8), (1, 6, 4)] {
            let tray = Tray::new(width, height).unwrap();
            assert_eq!(Symmetry::of(tray).count(), count);
            for symmetry in Symmetry::ALL {
                let image = symmetry.map_tray(tray);
                let mut hit = vec![false; tray.cells()];
                for cell in tray.iter() {
                    hit[symmetry.map(tray, cell).index()] = true;
                    for direction in Direction::ALL {
                        let there = tray
                            .step(cell, direction)
                            .map(|next| symmetry.map(tray, next));
                        let other =
                            image.step(symmetry.map(tray, cell), symmetry.map_direction(direction));
                        assert_eq!(there, other);
                    }
                }
                assert!(hit.into_iter().all(|h| h));
            }
        }
    }

    #[test]
    fn other_classes_have_one_cell_per_orbit() {
        let others = |size: &str, cell: usize| -> Vec<usize> {
            let tray: Tray = size.parse().unwrap();
            let cells = Symmetry::other_classes(tray, Cell::new(cell));
            cells.into_iter().map(Cell::index).collect()
        };
        let nothing: [usize; 0] = [];
        assert_eq!(others("2x2", 3), nothing);
        assert_eq!(others("3x3", 8), [1, 4]);
        assert_eq!(others("3x3", 4), [0, 1]);
        assert_eq!(others("4x4", 0), [1, 5]);
        assert_eq!(others("4x4", 14), [0, 5]);
        assert_eq!(others("5x5", 24), [1, 2, 6, 7, 12]);
        assert_eq!(others("6x6", 35), [1, 2, 7, 8, 14]);
        assert_eq!(others("3x2", 5), [1]);
        assert_eq!(others("5x3", 0), [1, 2, 5, 6, 7]);
        assert_eq!(others("1x6", 5), [1, 2]);
    }
}
