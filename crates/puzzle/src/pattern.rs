//! Patterns: the tiles that one table looks at, and the identity of that table.

use std::fmt;
use std::str::FromStr;

use crate::rank::MAX_TILES;
use crate::{Cell, CellSet, Regions, State, Symmetry, Tray};

/// What a table counts and how it treats the blank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Moves of the pattern's tiles, by the region that the blank is in (Clausecker & Reinefeld 2019). Additive.
    ZeroAware,
    /// The minimum of that over the regions (Korf & Felner 2002). Additive.
    BlankCompressed,
    /// All moves, by the blank's cell (Culberson & Schaeffer 1998). Not additive.
    Full,
    /// The same in the multi-tile metric: a move is a run of one or more tiles in one line, and costs 1. Not additive.
    Runs,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [
        Kind::ZeroAware,
        Kind::BlankCompressed,
        Kind::Full,
        Kind::Runs,
    ];

    /// The name on command lines and in file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::ZeroAware => "zero-aware",
            Kind::BlankCompressed => "blank-compressed",
            Kind::Full => "full",
            Kind::Runs => "runs",
        }
    }

    /// Whether tables of disjoint patterns may be added up.
    #[must_use]
    pub const fn is_additive(self) -> bool {
        !self.has_blank()
    }

    /// Whether the blank's cell is part of an entry.
    #[must_use]
    pub const fn has_blank(self) -> bool {
        matches!(self, Kind::Full | Kind::Runs)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name of no kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("kind `{0}` is not known: zero-aware, blank-compressed, full or runs")]
pub struct KindError(String);

impl FromStr for Kind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Self, KindError> {
        Kind::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| KindError(text.to_owned()))
    }
}

/// A pattern that no table can be made for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The tray is a single line or too large.
    #[error(
        "no tables for a {0} tray: it must have at least 2 rows and 2 columns, and at most {max} cells",
        max = CellSet::MAX_CELLS
    )]
    Tray(Tray),
    /// No tile, or too many.
    #[error("a pattern of {found} tiles on a {tray} tray: 1 to {most} are possible")]
    Tiles {
        /// The pattern's tiles.
        found: usize,
        /// The size.
        tray: Tray,
        /// The most a pattern may have there.
        most: usize,
    },
    /// The blank is listed as a tile.
    #[error("the blank's goal cell cannot be part of a pattern")]
    Blank,
    /// A tile beyond the tray.
    #[error("cell {} is not on a {tray} tray", cell.index())]
    Outside {
        /// The cell.
        cell: Cell,
        /// The size.
        tray: Tray,
    },
}

/// Tiles, named by goal cells, of a goal with its blank on a certain cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    tray: Tray,
    tiles: CellSet,
    goal_blank: Cell,
}

impl Pattern {
    /// The most tiles a pattern may have on this tray.
    #[must_use]
    pub fn most_tiles(tray: Tray) -> usize {
        MAX_TILES.min(tray.cells() - 1)
    }

    /// Whether any pattern is possible on this tray.
    ///
    /// # Errors
    /// [`PatternError::Tray`].
    pub fn check_tray(tray: Tray) -> Result<(), PatternError> {
        let fits = tray.width() > 1 && tray.height() > 1 && tray.cells() <= CellSet::MAX_CELLS;
        if fits {
            Ok(())
        } else {
            Err(PatternError::Tray(tray))
        }
    }

    /// A pattern, checked.
    ///
    /// # Errors
    /// [`PatternError`] says which rule is broken.
    pub fn new(tray: Tray, tiles: CellSet, goal_blank: Cell) -> Result<Self, PatternError> {
        Pattern::check_tray(tray)?;
        let most = Pattern::most_tiles(tray);
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
        if found == 0 || found > most {
            return Err(PatternError::Tiles { found, tray, most });
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

    /// The tiles.
    #[must_use]
    pub fn tiles(&self) -> CellSet {
        self.tiles
    }

    /// The table of this pattern, and the symmetry that brings the pattern to the table's orientation. Symmetric
    /// patterns share a table: of all images the one with the smallest tile mask is stored.
    #[must_use]
    pub fn table(&self, kind: Kind) -> (TableId, Symmetry) {
        let free = CellSet::all(self.tray).difference(self.tiles);
        let blank = match kind {
            Kind::Full | Kind::Runs => CellSet::EMPTY.with(self.goal_blank),
            _ => Regions::new(self.tray).region(free, self.goal_blank),
        };
        let image = |symmetry| {
            let tiles = self.tiles.map(symmetry, self.tray);
            (tiles, blank.map(symmetry, self.tray))
        };
        let best = Symmetry::of(self.tray).min_by_key(|&symmetry| image(symmetry));
        let symmetry = best.unwrap_or(Symmetry::IDENTITY);
        let (tiles, blank) = image(symmetry);
        let id = TableId {
            tray: self.tray,
            kind,
            tiles,
            blank,
        };
        (id, symmetry)
    }
}

/// What a table holds: two tables with the same identity have the same entries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableId {
    /// The size.
    pub tray: Tray,
    /// What is counted.
    pub kind: Kind,
    /// The tiles, by goal cell.
    pub tiles: CellSet,
    /// Where the blank may be in the goal: a region of the cells outside `tiles`, one cell for [`Kind::Full`]
    /// and [`Kind::Runs`].
    pub blank: CellSet,
}

impl TableId {
    /// Whether the parts agree with each other: the tray can have tables, the tiles are a pattern, and `blank`
    /// is one of the blank's classes in the goal.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let Some(goal_blank) = self.blank.lowest() else {
            return false;
        };
        Pattern::new(self.tray, self.tiles, goal_blank).is_ok() && {
            let free = CellSet::all(self.tray).difference(self.tiles);
            match self.kind {
                Kind::Full | Kind::Runs => self.blank.len() == 1,
                _ => Regions::new(self.tray).region(free, goal_blank) == self.blank,
            }
        }
    }

    /// The file name without its ending: size, kind, tiles (goal cells from 0) and the blank's first cell, such as
    /// `4x4-zero-aware-1.2.3.4.5.6-blank0`.
    #[must_use]
    pub fn name(&self) -> String {
        let cells: Vec<String> = self.tiles.iter().map(|c| c.index().to_string()).collect();
        let blank = self.blank.lowest().map_or(0, Cell::index);
        format!(
            "{}-{}-{}-blank{blank}",
            self.tray,
            self.kind,
            cells.join(".")
        )
    }

    /// The state in which all tiles are at home and the blank on the first cell it may have.
    #[must_use]
    pub fn goal(&self) -> State {
        State::goal(self.tray, self.blank.lowest().unwrap_or(self.tray.last()))
    }
}

impl PartialOrd for Tray {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Tray {
    /// By cells, then by width.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.cells(), self.width()).cmp(&(other.cells(), other.width()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(cells: &[usize]) -> CellSet {
        cells.iter().map(|&c| Cell::new(c)).collect()
    }

    #[test]
    fn symmetric_patterns_share_a_table() {
        let tray = Tray::new(4, 4).unwrap();
        let first = Pattern::new(tray, set(&[1, 4, 5, 8, 9, 12]), Cell::new(0)).unwrap();
        for kind in Kind::ALL {
            let (id, _) = first.table(kind);
            assert!(id.is_valid());
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
        // The same tiles with the blank in another region of the goal are another table.
        let other = Pattern::new(tray, first.tiles(), Cell::new(15)).unwrap();
        assert_ne!(
            other.table(Kind::ZeroAware).0,
            first.table(Kind::ZeroAware).0
        );
        // Within a region the blank's cell does not matter, unless all moves count.
        let near = Pattern::new(tray, first.tiles(), Cell::new(14)).unwrap();
        assert_eq!(other.table(Kind::ZeroAware), near.table(Kind::ZeroAware));
        assert_ne!(other.table(Kind::Full), near.table(Kind::Full));
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
        let large = Tray::new(6, 5).unwrap();
        assert!(Pattern::new(large, set(&[0]), Cell::new(4)).is_err());
    }
}
