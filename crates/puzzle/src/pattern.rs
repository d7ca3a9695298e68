//! Patterns: the tiles that one table looks at, and the identity of that table.

use crate::cell_set::CellSet;
use crate::combinatorics::{MAX_TILES, binomial};
use crate::symmetry::Symmetry;
use crate::tray::{Cell, Tray};

/// The most shapes that a pattern may have.
const MAX_SHAPES: u64 = 1 << 27;

/// A pattern that no table can be made for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The tray is a single line or too large.
    #[error(
        "no tables for a {0} tray: it must have at least 2 rows and 2 columns, and at most {max} \
         cells",
        max = CellSet::MAX_CELLS
    )]
    Tray(Tray),
    /// No tile, or too many.
    #[error("a pattern of {found} tiles on a {tray} tray: 1 to {max} are possible")]
    Tiles {
        /// The pattern's tiles.
        found: usize,
        /// The size.
        tray: Tray,
        /// The largest number that a pattern may have there.
        max: usize,
    },
    /// The blank is listed as a tile.
    #[error("the blank's goal cell cannot be part of a pattern")]
    Blank,
    /// A tile beyond the tray.
    #[error("cell {cell} is not on a {tray} tray")]
    Outside {
        /// The cell.
        cell: Cell,
        /// The size.
        tray: Tray,
    },
}

/// Tiles, named by goal cells, of a goal with its blank on a certain cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern {
    tray: Tray,
    tiles: CellSet,
    goal_blank: Cell,
}

impl Pattern {
    /// The largest number of tiles that a pattern may have on this tray: up to [`MAX_TILES`], but
    /// one less than there are cells, and on trays of more than 25 cells no more than lead to
    /// 2^27 shapes, which no memory holds the tables of: 9 on 6x6, 7 on 7x7, 6 on 8x8.
    #[must_use]
    pub fn max_tiles(tray: Tray) -> usize {
        let most = MAX_TILES.min(tray.cells() - 1);
        let fits = |&tiles: &usize| binomial(tray.cells(), tiles) <= MAX_SHAPES;
        (1..=most).take_while(fits).last().unwrap_or(1)
    }

    /// Whether any pattern is possible on this tray.
    ///
    /// # Errors
    /// [`PatternError::Tray`].
    pub fn check_tray(tray: Tray) -> Result<(), PatternError> {
        let fits = tray.width() > 1 && tray.height() > 1 && tray.cells() <= CellSet::MAX_CELLS;
        fits.then_some(()).ok_or(PatternError::Tray(tray))
    }

    /// A pattern, checked.
    ///
    /// # Errors
    /// [`PatternError`] says which rule is broken.
    pub fn new(tray: Tray, tiles: CellSet, goal_blank: Cell) -> Result<Self, PatternError> {
        Pattern::check_tray(tray)?;
        let max = Pattern::max_tiles(tray);
        if let Some(cell) = tiles
            .with(goal_blank)
            .difference(CellSet::all(tray))
            .lowest()
        {
            return Err(PatternError::Outside { cell, tray });
        }
        if tiles.contains(goal_blank) {
            return Err(PatternError::Blank);
        }
        let found = tiles.len();
        if found == 0 || found > max {
            return Err(PatternError::Tiles { found, tray, max });
        }
        Ok(Pattern {
            tray,
            tiles,
            goal_blank,
        })
    }

    /// The size.
    #[must_use]
    pub fn tray(&self) -> Tray {
        self.tray
    }

    /// The tiles, by goal cell.
    #[must_use]
    pub fn tiles(&self) -> CellSet {
        self.tiles
    }

    /// The blank's goal cell.
    #[must_use]
    pub fn goal_blank(&self) -> Cell {
        self.goal_blank
    }

    /// The same tiles seen through a symmetry that maps the tray onto itself.
    #[must_use]
    pub fn map(&self, symmetry: Symmetry) -> Pattern {
        Pattern {
            tiles: self.tiles.map(symmetry, self.tray),
            goal_blank: symmetry.map(self.tray, self.goal_blank),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(cells: &[usize]) -> CellSet {
        cells.iter().map(|&c| Cell::new(c)).collect()
    }

    #[test]
    fn impossible_patterns_are_refused() {
        let tray = Tray::new(3, 3).unwrap();
        let new = |cells: &[usize]| Pattern::new(tray, set(cells), Cell::new(8));
        assert!(new(&[0, 1, 2, 3, 4, 5, 6, 7]).is_ok());
        assert!(new(&[]).is_err());
        assert_eq!(new(&[8]), Err(PatternError::Blank));
        assert!(matches!(new(&[9]), Err(PatternError::Outside { .. })));
        let line = Tray::new(5, 1).unwrap();
        assert!(Pattern::new(line, set(&[0]), Cell::new(4)).is_err());
        let large = Tray::new(13, 5).unwrap();
        assert!(Pattern::new(large, set(&[0]), Cell::new(4)).is_err());
    }

    #[test]
    fn images_keep_tiles_and_blank_together() {
        let tray = Tray::new(4, 4).unwrap();
        let pattern = Pattern::new(tray, set(&[1, 2, 7]), Cell::new(0)).unwrap();
        for symmetry in Symmetry::of(tray) {
            let image = pattern.map(symmetry);
            let wanted = Pattern::new(
                tray,
                pattern.tiles().map(symmetry, tray),
                symmetry.map(tray, Cell::new(0)),
            );
            assert_eq!(Ok(image), wanted);
        }
    }

    #[test]
    fn limits_of_patterns() {
        let max = |width, height| Pattern::max_tiles(Tray::new(width, height).unwrap());
        assert_eq!(max(2, 2), 3);
        assert_eq!(max(4, 3), 11);
        assert_eq!(max(4, 4), MAX_TILES);
        // 2^27 shapes: C(36, 9) fit, C(36, 10) do not.
        assert_eq!((binomial(36, 9) <= MAX_SHAPES, max(6, 6)), (true, 9));
        assert!(binomial(36, 10) > MAX_SHAPES);
        assert!(binomial(64, max(8, 8)) <= MAX_SHAPES);
        assert!(binomial(64, max(8, 8) + 1) > MAX_SHAPES);
        let sizes = [
            (8, 8, true),
            (13, 5, false),
            (2, 2, true),
            (1, 9, false),
            (9, 1, false),
        ];
        for (width, height, fits) in sizes {
            let tray = Tray::new(width, height).unwrap();
            assert_eq!(Pattern::check_tray(tray).is_ok(), fits, "{tray}");
        }
        let tray = Tray::new(4, 4).unwrap();
        let many = Pattern::new(tray, CellSet::first(13), Cell::new(15));
        let (found, max) = (13, MAX_TILES);
        assert_eq!(many, Err(PatternError::Tiles { found, tray, max }));
        assert!(Pattern::new(tray, CellSet::first(12), Cell::new(15)).is_ok());
    }
}
