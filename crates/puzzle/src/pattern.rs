//! Patterns: the tiles of a table, and the identity of the table.

use std::fmt;

use crate::cell_set::CellSet;
use crate::ranking::{MAX_TILES, binomial};
use crate::symmetry::Symmetry;
use crate::table_kind::{BlankClasses, TableKind};
use crate::tray::{Cell, Tray};

/// Largest number of shapes of a pattern.
const MAX_SHAPES: u64 = 1 << 27;

/// Error: a pattern that cannot have a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The tray is a single row or column, or too large.
    #[error(
        "no tables for a {0} tray: it must have at least 2 rows and 2 columns, and at most {max} \
         cells",
        max = CellSet::MAX_CELLS
    )]
    Tray(Tray),
    /// The pattern has no tile, or too many.
    #[error("a pattern on a {tray} tray must have 1 to {max} tiles, not {found}")]
    Tiles {
        /// Number of tiles in the pattern.
        found: usize,
        /// The tray.
        tray: Tray,
        /// Largest number of tiles of a pattern on this tray.
        max: usize,
    },
    /// The pattern contains the blank.
    #[error("the blank's goal cell cannot be part of a pattern")]
    Blank,
    /// A cell that is not on the tray.
    #[error("cell {cell} is not on a {tray} tray")]
    Outside {
        /// The cell.
        cell: Cell,
        /// The tray.
        tray: Tray,
    },
}

/// A set of tiles, named by their goal cells, and the blank's goal cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern {
    tray: Tray,
    tiles: CellSet,
    goal_blank: Cell,
}

impl Pattern {
    /// Largest number of tiles of a pattern on this tray. It is at most [`MAX_TILES`] and less than
    /// the number of cells. The number of shapes is limited too, to 2^27, because a table with more
    /// shapes exceeds any memory. This limit allows 9 tiles on 6x6, 7 on 7x7 and 6 on 8x8.
    #[must_use]
    pub fn max_tiles(tray: Tray) -> usize {
        let most = MAX_TILES.min(tray.cells() - 1);
        let fits = |&tiles: &usize| binomial(tray.cells(), tiles) <= MAX_SHAPES;
        (1..=most).take_while(fits).last().unwrap_or(1)
    }

    /// Checks that the tray supports patterns.
    pub fn check_tray(tray: Tray) -> Result<(), PatternError> {
        let fits = tray.width() > 1 && tray.height() > 1 && tray.cells() <= CellSet::MAX_CELLS;
        fits.then_some(()).ok_or(PatternError::Tray(tray))
    }

    /// Creates a pattern, and checks its tiles and the blank.
    pub fn new(tray: Tray, tiles: CellSet, goal_blank: Cell) -> Result<Self, PatternError> {
        Pattern::check_tray(tray)?;
        let max = Pattern::max_tiles(tray);
        let outside = tiles.with(goal_blank).difference(CellSet::all(tray));
        if let Some(cell) = outside.lowest() {
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

    /// The tray.
    pub fn tray(&self) -> Tray {
        self.tray
    }

    /// The tiles, named by their goal cells.
    pub fn tiles(&self) -> CellSet {
        self.tiles
    }

    /// The blank's goal cell.
    pub fn goal_blank(&self) -> Cell {
        self.goal_blank
    }

    /// The image under a symmetry that maps the tray onto itself.
    #[must_use]
    pub fn map(&self, symmetry: Symmetry) -> Pattern {
        Pattern {
            tiles: self.tiles.map(symmetry, self.tray),
            goal_blank: symmetry.map(self.tray, self.goal_blank),
            ..*self
        }
    }

    /// The pattern's table, and the symmetry that maps the pattern to the table's orientation. All
    /// images of a pattern under symmetries share one table: the table of the image with the
    /// smallest tile mask.
    #[must_use]
    pub fn table(&self, kind: TableKind) -> (TableId, Symmetry) {
        let tray = self.tray;
        // For blank-compressed tables, `blank` is the region of the blank's goal cell, because
        // these tables are built from zero-aware rows.
        let classes = BlankClasses::new(tray, kind.swept());
        let blank = classes.containing(self.tiles, self.goal_blank);
        let image = |symmetry| (self.tiles.map(symmetry, tray), blank.map(symmetry, tray));
        let best = Symmetry::of(tray).min_by_key(|&symmetry| image(symmetry));
        let symmetry = best.unwrap_or(Symmetry::Identity);
        let (tiles, blank) = image(symmetry);
        let id = TableId {
            tray,
            kind,
            tiles,
            blank,
        };
        (id, symmetry)
    }
}

/// Identity of a table: two tables with the same identity have the same entries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableId {
    tray: Tray,
    kind: TableKind,
    tiles: CellSet,
    blank: CellSet,
}

impl TableId {
    /// The identity with these parts. `None` if the tray supports no tables, the tiles are not a
    /// pattern, or `blank` is not a blank class outside `tiles` (for blank-compressed tables: a
    /// region).
    #[must_use]
    pub fn new(tray: Tray, kind: TableKind, tiles: CellSet, blank: CellSet) -> Option<Self> {
        let goal_blank = blank.lowest()?;
        Pattern::new(tray, tiles, goal_blank).ok()?;
        let class = BlankClasses::new(tray, kind.swept()).containing(tiles, goal_blank);
        (class == blank).then_some(TableId {
            tray,
            kind,
            tiles,
            blank,
        })
    }

    /// The tray.
    pub fn tray(&self) -> Tray {
        self.tray
    }

    /// The kind: which moves count, and how the blank is treated.
    pub fn kind(&self) -> TableKind {
        self.kind
    }

    /// The tiles, named by their goal cells.
    pub fn tiles(&self) -> CellSet {
        self.tiles
    }

    /// The cells on which the blank can be at the goal: a region outside the tiles, or one cell if
    /// entries depend on the blank's cell.
    pub fn blank(&self) -> CellSet {
        self.blank
    }

    /// Parity of all values in the row with this shape and these blank cells. It is valid only for
    /// tables whose values change by one with every counted move.
    #[must_use]
    pub fn parity(&self, shape: CellSet, blank: CellSet) -> u8 {
        let colour = |shape, blank| self.kind.colour(self.tray, shape, blank);
        (colour(shape, blank) ^ colour(self.tiles, self.blank)) as u8
    }

    /// Size, kind, tiles (goal cells from 0) and the blank's first cell, as in file names, such as
    /// `4x4-zero-aware-1.2.3.4.5.6-blank0`.
    #[must_use]
    pub fn name(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tray, kind, tiles) = (self.tray, self.kind, self.tiles);
        let blank = self.blank.lowest().map_or(0, Cell::index);
        write!(f, "{tray}-{kind}-{tiles}-blank{blank}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(cells: &[usize]) -> CellSet {
        cells.iter().map(|&c| Cell::new(c)).collect()
    }

    #[test]
    fn impossible_patterns_are_rejected() {
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
    fn max_tiles_per_tray() {
        let max = |width, height| Pattern::max_tiles(Tray::new(width, height).unwrap());
        assert_eq!(max(2, 2), 3);
        assert_eq!(max(4, 3), 11);
        assert_eq!(max(4, 4), MAX_TILES);
        // The limit is 2^27 shapes: C(36, 9) is below the limit, C(36, 10) is above it.
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

    #[test]
    fn symmetric_patterns_share_a_table() {
        let tray = Tray::new(4, 4).unwrap();
        let first = Pattern::new(tray, set(&[1, 4, 5, 8, 9, 12]), Cell::new(0)).unwrap();
        for kind in TableKind::ALL {
            let (id, _) = first.table(kind);
            assert_eq!(TableId::new(tray, kind, id.tiles, id.blank), Some(id));
            for symmetry in Symmetry::of(tray) {
                let tiles = first.tiles().map(symmetry, tray);
                let blank = symmetry.map(tray, Cell::new(0));
                let image = Pattern::new(tray, tiles, blank).unwrap();
                let (same, back) = image.table(kind);
                assert_eq!(same, id);
                assert_eq!(tiles.map(back, tray), id.tiles);
                assert!(id.blank.contains(back.map(tray, blank)));
            }
        }
        // If the blank's goal cell is in another region, the same tiles need another table.
        let other = Pattern::new(tray, first.tiles(), Cell::new(15)).unwrap();
        assert_ne!(
            other.table(TableKind::ZeroAware).0,
            first.table(TableKind::ZeroAware).0
        );
        // If the blank's goal cell moves within its region, the zero-aware table stays the same,
        // but the full-cost table does not.
        let near = Pattern::new(tray, first.tiles(), Cell::new(14)).unwrap();
        assert_eq!(
            other.table(TableKind::ZeroAware),
            near.table(TableKind::ZeroAware)
        );
        assert_ne!(
            other.table(TableKind::FullCost),
            near.table(TableKind::FullCost)
        );
    }

    #[test]
    fn identities_of_tables_are_checked_and_named() {
        let tray = Tray::new(3, 3).unwrap();
        let pattern = Pattern::new(tray, set(&[0, 1, 3]), Cell::new(8)).unwrap();
        let (id, _) = pattern.table(TableKind::ZeroAware);
        assert_eq!(
            id.name(),
            format!("3x3-zero-aware-{}-blank{}", id.tiles(), 2)
        );
        assert_eq!((id.tray(), id.kind()), (tray, TableKind::ZeroAware));
        // Half a region is not a class of the blank.
        let half = id.blank().lowest().map(|cell| CellSet::EMPTY.with(cell));
        assert_eq!(
            TableId::new(tray, id.kind(), id.tiles(), half.unwrap()),
            None
        );
        assert_eq!(
            TableId::new(tray, id.kind(), id.tiles(), CellSet::EMPTY),
            None
        );
        assert_eq!(id.parity(id.tiles(), id.blank()), 0);
        let moved = id.tiles().iter().find_map(|from| {
            let to = tray.neighbours(from).find(|&to| id.blank().contains(to))?;
            Some((id.tiles().without(from).with(to), from))
        });
        let (shape, from) = moved.unwrap();
        assert_eq!(id.parity(shape, CellSet::EMPTY.with(from)), 1);
    }
}
