//! Reflections and rotations of a tray.

use crate::name_variants;
use crate::tray::{Cell, Direction, Tray};

/// A symmetry of the plane that maps rectangles onto rectangles: an optional reflection in the main
/// diagonal, then optional reflections of columns and of rows. The bits 4, 1 and 2 of the
/// discriminant stand for these reflections.
///
/// On a tray of W columns and H rows the cell in column x and row y is mapped to:
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Symmetry {
    /// The symmetry that changes nothing.
    Identity,
    /// The mirror with a vertical axis.
    LeftRight,
    /// The mirror with a horizontal axis.
    TopBottom,
    /// The half turn.
    HalfTurn,
    /// The reflection in the main diagonal.
    Transpose,
    /// The quarter turn, clockwise.
    TurnRight,
    /// The quarter turn, counterclockwise.
    TurnLeft,
    /// The reflection in the other diagonal.
    AntiTranspose,
}

name_variants! {
    "symmetry", Symmetry {
        Identity: "identity", LeftRight: "left-right", TopBottom: "top-bottom",
        HalfTurn: "half-turn", Transpose: "transpose", TurnRight: "turn-right",
        TurnLeft: "turn-left", AntiTranspose: "anti-transpose"
    }
}

impl Symmetry {
    const fn has(self, reflection: u8) -> bool {
        self as u8 & reflection != 0
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
    pub fn map_tray(self, tray: Tray) -> Tray {
        if self.has(4) {
            // Exchanging the sides of a valid tray gives a valid tray.
            Tray::new(tray.height(), tray.width()).unwrap_or(tray)
        } else {
            tray
        }
    }

    /// The image of `cell`, a cell of `tray`. The image is a cell of [`Self::map_tray`].
    pub fn map(self, tray: Tray, cell: Cell) -> Cell {
        let (mut column, mut row) = (tray.column(cell), tray.row(cell));
        if self.has(4) {
            (column, row) = (row, column);
        }
        let image = self.map_tray(tray);
        if self.has(1) {
            column = image.width() - 1 - column;
        }
        if self.has(2) {
            row = image.height() - 1 - row;
        }
        image.cell(column, row)
    }

    /// The image of `direction`.
    pub fn map_direction(self, direction: Direction) -> Direction {
        // Of the discriminants, bit 2 tells the axis, and bit 1 tells opposite directions apart.
        let turned = direction as usize ^ (usize::from(self.has(4)) << 1);
        let is_flipped = self.has(if turned < 2 { 2 } else { 1 });
        Direction::ALL[turned ^ usize::from(is_flipped)]
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
        for symmetry in Symmetry::ALL {
            let name = symmetry.name();
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
