//! Look-ups of single patterns in tables in memory, for programs that compose their own heuristics.

use std::fmt;
use std::sync::Arc;

use pdb_table::{Encoding, EntryPosition, Table, TableError};
use puzzle::{Cell, Ranking, State, Symmetry, TableKind, Tray};

use super::cell_room::{CellRoom, Cells25, Cells64, Placement as _};
use super::heuristic::root_values;
use super::lookup::{General, SlideGeometry, TableLookup};
use super::slide::Slide;
use super::table_set::{CheckedTable, Geometry, Part};

/// Numbering of the entries of all tables with the same kind, number of tiles and tray. Clones
/// share the same memory, up to a few megabytes.
#[derive(Clone)]
pub struct PatternGeometry(ByRoom<Arc<SlideGeometry<Cells25>>, Arc<SlideGeometry<Cells64>>>);

/// A table in memory for look-ups of patterns. Clones share the same memory.
#[derive(Clone)]
pub struct PatternTable(ByRoom<SharedCheckedTable<Cells25>, SharedCheckedTable<Cells64>>);

type SharedCheckedTable<W> = Arc<CheckedTable<SlideGeometry<W>>>;

/// A type in two variants: for trays of up to 25 cells, and for larger trays.
#[derive(Clone)]
enum ByRoom<A, B> {
    Small(A),
    Large(B),
}

/// Runs the same code on either variant; `=> form` wraps the result in the same variant.
macro_rules! either {
    ($by_room:expr, $form:pat => form $done:expr) => {
        match $by_room {
            ByRoom::Small($form) => ByRoom::Small($done),
            ByRoom::Large($form) => ByRoom::Large($done),
        }
    };
    ($by_room:expr, $form:pat => $done:expr) => {
        match $by_room {
            ByRoom::Small($form) => $done,
            ByRoom::Large($form) => $done,
        }
    };
}

/// A pattern and its table, which may be stored in another orientation.
///
/// ```
/// use pdb_gen::build;
/// use pdb_table::{Control, Encoding};
/// use puzzle::{Board, Direction, Goal, Pattern, TableKind};
/// use solver::{PatternGeometry, PatternLookup, PatternTable};
///
/// let goal = Goal::blank_last("3x3".parse()?);
/// let tiles = goal.tray().iter().take(4).collect(); // 1, 2, 3 and 4
/// let pattern = Pattern::new(goal.tray(), tiles, goal.blank())?;
/// let (id, symmetry) = pattern.table(TableKind::ZeroAware);
///
/// let geometry = PatternGeometry::new(id.tray(), id.tiles().len(), id.kind())?;
/// let table = build(id, Encoding::OneBit, &Control::default())?.into_table();
/// let table = PatternTable::new(table, &geometry)?;
/// let lookup = PatternLookup::new(&table, symmetry);
///
/// let state = goal.state(&Board::parse("1 2 3/0 4 6/7 5 8", None)?).unwrap();
/// let root = lookup.root(&state).unwrap();
/// assert_eq!(root.value(), 1);
/// let hole = state.blank();
/// let from = goal.tray().step(hole, Direction::Right).unwrap(); // the 4
/// assert_eq!(lookup.after(root, from, hole).value(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PatternLookup(ByRoom<SlidePart<Cells25>, SlidePart<Cells64>>);

type SlidePart<W> = Part<SlideGeometry<W>>;

/// Cells of a pattern's tiles, in the orientation of its table, and the value that the table stores
/// for these cells.
#[derive(Clone, Copy, Default, Debug)]
pub struct PatternState {
    /// A placement. On trays of up to 25 cells it uses the low half only.
    placement: u128,
    value: u8,
}

impl PatternState {
    /// The table's value: a lower bound on the moves of the pattern's tiles.
    #[inline]
    #[must_use]
    pub fn value(self) -> u8 {
        self.value
    }
}

impl PatternGeometry {
    /// The geometry of tables of the single-tile metric. Takes O(shapes × cells) time.
    ///
    /// # Errors
    /// [`TableError::TooLarge`] if the digits of the tiles do not fit in a word; no table has that
    /// number of tiles.
    ///
    /// # Panics
    /// If no table can have this tray and this number of tiles (see [`Ranking::new`]).
    pub fn new(tray: Tray, tiles: usize, kind: TableKind) -> Result<Self, TableError> {
        let ranking = Ranking::new(tray, tiles, kind);
        Ok(PatternGeometry(match tray.cells() <= SMALL_CELLS {
            true => ByRoom::Small(Arc::new(SlideGeometry::new(ranking)?)),
            false => ByRoom::Large(Arc::new(SlideGeometry::new(ranking)?)),
        }))
    }

    /// The ranking of the tables' entries.
    #[must_use]
    pub fn ranking(&self) -> &Ranking {
        either!(&self.0, geometry => geometry.ranking())
    }
}

impl PatternTable {
    /// Prepares a table for look-ups. Checks its number of entries and its goal entry, but not its
    /// payload checksum: see [`Table::check_payload`].
    ///
    /// # Errors
    /// [`TableError::WrongTable`] if the geometry does not match the table or the table is of the
    /// multi-tile metric; [`TableError`] if a check fails.
    pub fn new<D>(table: Table<D>, geometry: &PatternGeometry) -> Result<Self, TableError>
    where
        D: AsRef<[u8]> + Send + Sync + 'static,
    {
        let ranking = geometry.ranking();
        let serves = either!(&geometry.0, geometry => geometry.serves(table.id()));
        if !serves || table.header().encoding == Encoding::Mod3 {
            return Err(TableError::WrongTable {
                found: table.id().name(),
                expected: format!(
                    "a {} table of {} tiles on {}",
                    ranking.kind(),
                    ranking.tiles(),
                    ranking.tray()
                ),
            });
        }
        let table = table.shared();
        Ok(PatternTable(either!(&geometry.0, geometry => form {
            Arc::new(CheckedTable::new(table, Arc::clone(geometry))?)
        })))
    }

    /// Numbering of the table's entries.
    #[must_use]
    pub fn geometry(&self) -> PatternGeometry {
        PatternGeometry(either!(&self.0, checked => form Arc::clone(&checked.geometry)))
    }

    /// The table itself.
    #[must_use]
    pub fn table(&self) -> &Table<impl AsRef<[u8]>> {
        either!(&self.0, checked => &checked.table)
    }
}

/// Largest number of cells of trays of the small variant.
const SMALL_CELLS: usize = 25;

impl PatternLookup {
    /// `symmetry` maps the pattern to the table's orientation, as in [`puzzle::Pattern::table`].
    #[must_use]
    pub fn new(table: &PatternTable, symmetry: Symmetry) -> Self {
        PatternLookup(either!(&table.0, table => form Part::new(table, symmetry)))
    }

    /// The cells of the pattern's tiles in a state, and the pattern's value. The state must be on
    /// the pattern's tray. Returns `None` only if the table is damaged. Takes O(cells) time or,
    /// with a one-bit table, O(cells + value).
    #[must_use]
    pub fn root(&self, state: &State) -> Option<PatternState> {
        either!(&self.0, part => {
            let at = Part::locate_all(std::iter::once(part), state).pop()?;
            part.state(at)
        })
    }

    /// Like [`Self::root`], for a board given by `cell_of`, which maps a tile's goal cell to the
    /// tile's current cell.
    #[must_use]
    pub fn root_at(&self, cell_of: impl Fn(Cell) -> Cell, blank: Cell) -> Option<PatternState> {
        either!(&self.0, part => part.state(part.locate(cell_of, blank)))
    }

    /// The state after one of the pattern's tiles moves from `from` to the blank's cell, `hole`.
    /// Both are cells of the board. If the move is impossible, the result is meaningless. Takes
    /// O(1) time.
    ///
    /// # Panics
    /// May panic if the move is impossible.
    #[inline]
    #[must_use]
    pub fn after(&self, state: PatternState, from: Cell, hole: Cell) -> PatternState {
        let (placement, change) = match &self.0 {
            ByRoom::Small(part) => {
                let (after, change) = part.after(state.placement as u64, from, hole);
                (after.into(), change)
            }
            ByRoom::Large(part) => part.after(state.placement, from, hole),
        };
        PatternState {
            placement,
            value: state.value.wrapping_add(change as u8),
        }
    }
}

impl<W: CellRoom> SlidePart<W> {
    /// Look-ups in the part's table. The value is only a few machine words, so it is not stored.
    #[inline(always)]
    fn lookup(&self) -> TableLookup<'_, W> {
        TableLookup::new(&self.table)
    }

    fn state(&self, at: EntryPosition) -> Option<PatternState>
    where
        W::Word: Into<u128>,
    {
        let placement = self.lookup().placement(at.shape, at.rank);
        let value = root_values(&[(self, at)]).pop()??;
        Some(PatternState {
            placement: placement.plus(value.into()).into(),
            value,
        })
    }

    /// The placement after a slide, and the change of the value.
    #[inline]
    fn after(&self, placement: W::Word, from: Cell, hole: Cell) -> (W::Word, i32) {
        let lookup = self.lookup();
        let slide = Slide::new(self.table_cell(from), self.table_cell(hole));
        let (placement, entry) = lookup.after::<General>(placement, &slide);
        let change = lookup.change::<General>(placement, entry);
        (placement.plus(change), change)
    }
}

impl fmt::Debug for PatternGeometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranking = self.ranking();
        f.debug_struct("PatternGeometry")
            .field("tray", &ranking.tray())
            .field("tiles", &ranking.tiles())
            .field("kind", &ranking.kind())
            .finish()
    }
}

impl fmt::Debug for PatternTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.table().id();
        f.debug_tuple("PatternTable").field(&id.name()).finish()
    }
}

impl fmt::Debug for PatternLookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PatternLookup")
            .field(
                "table",
                &either!(&self.0, part => part.table.table.id().name()),
            )
            .field("symmetry", &either!(&self.0, part => part.symmetry))
            .finish()
    }
}
