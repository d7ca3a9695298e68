//! The identity of a table: what its entries are.

use std::fmt;

use crate::cell_set::CellSet;
use crate::goal::State;
use crate::pattern::Pattern;
use crate::symmetry::Symmetry;
use crate::table_kind::{BlankClasses, TableKind};
use crate::tray::{Cell, Tray};

/// What a table holds: two tables with the same identity have the same entries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableId {
    tray: Tray,
    kind: TableKind,
    tiles: CellSet,
    blank: CellSet,
}

impl Pattern {
    /// The table of this pattern, and the symmetry that brings the pattern to the table's
    /// orientation. Symmetric patterns share a table: of all images the one with the smallest tile
    /// mask is stored.
    #[must_use]
    pub fn table(&self, kind: TableKind) -> (TableId, Symmetry) {
        let tray = self.tray();
        // A blank-compressed table counts from the region that the blank is in at the goal.
        let classes = BlankClasses::new(tray, kind.swept());
        let blank = classes.containing(self.tiles(), self.goal_blank());
        let image = |symmetry| (self.tiles().map(symmetry, tray), blank.map(symmetry, tray));
        let best = Symmetry::of(tray).min_by_key(|&symmetry| image(symmetry));
        let symmetry = best.unwrap_or(Symmetry::IDENTITY);
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

impl TableId {
    /// The identity with these parts, where they agree with each other: the tray can have tables,
    /// the tiles are a pattern, and `blank` is one of the blank's classes in the goal.
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

    /// The size.
    #[must_use]
    pub fn tray(&self) -> Tray {
        self.tray
    }

    /// What is counted.
    #[must_use]
    pub fn kind(&self) -> TableKind {
        self.kind
    }

    /// The tiles, by goal cell.
    #[must_use]
    pub fn tiles(&self) -> CellSet {
        self.tiles
    }

    /// Where the blank may be in the goal: a region of the cells outside the tiles, or one cell
    /// where the kind keeps the blank's cell.
    #[must_use]
    pub fn blank(&self) -> CellSet {
        self.blank
    }

    /// What the values of a row are modulo 2, in tables where they change by exactly one: the row
    /// with this shape and these cells of the blank.
    #[must_use]
    pub fn parity(&self, shape: CellSet, blank: CellSet) -> u8 {
        let colour = |shape, blank| self.kind.colour(self.tray, shape, blank);
        (colour(shape, blank) ^ colour(self.tiles, self.blank)) as u8
    }

    /// The name: size, kind, tiles (goal cells from 0) and the blank's first cell, such as
    /// `4x4-zero-aware-1.2.3.4.5.6-blank0`. Files are named so.
    #[must_use]
    pub fn name(&self) -> String {
        self.to_string()
    }

    /// The state in which all tiles are at home and the blank on the first cell it may have.
    #[must_use]
    pub fn goal(&self) -> State {
        State::goal(self.tray, self.blank.lowest().unwrap_or(self.tray.last()))
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
        // The same tiles with the blank in another region of the goal are another table.
        let other = Pattern::new(tray, first.tiles(), Cell::new(15)).unwrap();
        assert_ne!(
            other.table(TableKind::ZeroAware).0,
            first.table(TableKind::ZeroAware).0
        );
        // Within a region the blank's cell does not matter, unless all moves count.
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
        assert!(id.goal().is_goal());
        assert_eq!(Some(id.goal().goal_blank()), id.blank().lowest());
        // Half a region is no class of the blank.
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
