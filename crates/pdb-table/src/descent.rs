//! Values of one-bit tables, found by walks to the goal.
//!
//! The row of an entry determines the parity of its value h, and the table stores the next bit of
//! h, so h mod 4 is known for every entry. Every move changes h by one, so the stored bit of a
//! neighbour shows whether the neighbour is nearer to the goal, and every entry except the goal has
//! such a neighbour.

use puzzle::{BlankClasses, Cell, CellSet, Ranking, Reindex, factorial};

use crate::encoding::Encoding;
use crate::table::Table;

/// The numbers of a table's rows.
pub trait RowNumbers {
    /// The row of a shape when the blank is on `blank`, a cell outside the shape.
    fn row_of(&self, shape: CellSet, blank: Cell) -> usize;
}

impl RowNumbers for Ranking {
    fn row_of(&self, shape: CellSet, blank: Cell) -> usize {
        self.row(self.shape_index(shape), blank)
    }
}

/// An entry of a table, and the cells of its tiles and of the blank in one of its positions.
#[derive(Clone, Copy, Debug)]
pub struct EntryPosition {
    /// The row.
    pub row: usize,
    /// The rank within the row.
    pub rank: u32,
    /// The cells of the pattern's tiles.
    pub shape: CellSet,
    /// A cell of the row's blank class.
    pub blank: Cell,
}

impl EntryPosition {
    /// The position of an entry, with the blank on the first cell of its class.
    pub(crate) fn of(ranking: &Ranking, row: usize, rank: u32) -> Self {
        let (shape, blank) = ranking.row_shape(row);
        EntryPosition {
            row,
            rank,
            shape,
            blank: first(blank),
        }
    }
}

/// The first cell of a blank class, which is never empty.
fn first(class: CellSet) -> Cell {
    class.lowest().unwrap_or(Cell::new(0))
}

/// A walk from an entry of a one-bit table to the goal. The number of its steps is the value of the
/// entry.
///
/// A walk reads one entry per call of [`Self::try_next`]. Callers who need several values alternate
/// their walks, so that the memory loads the entry of one while the others continue.
#[must_use]
#[expect(missing_debug_implementations, reason = "`RowNumbers` has none")]
pub struct Descent<'a> {
    payload: &'a [u8],
    row_entries: u64,
    rows: &'a dyn RowNumbers,
    reindex: &'a Reindex,
    classes: BlankClasses,
    goal_row: usize,
    /// Maximum number of steps: the largest value in the table's header.
    max: u8,
    at: EntryPosition,
    /// The value of the current entry modulo 4.
    value: u8,
    /// Number of steps until now.
    pub(crate) steps: u8,
    /// The moves left to try from the current entry: those of the tiles on the cells `from` to the
    /// cell `to`, then those to the cells `holes`.
    holes: CellSet,
    to: Cell,
    from: CellSet,
    /// The neighbour that the next call reads.
    next: Option<EntryPosition>,
}

impl<'a> Descent<'a> {
    /// The walk from an entry. `rows` and `reindex` must be those of the table.
    pub fn new<D: AsRef<[u8]>>(
        table: &'a Table<D>,
        rows: &'a dyn RowNumbers,
        reindex: &'a Reindex,
        start: EntryPosition,
    ) -> Self {
        let id = table.id();
        let mut descent = Descent {
            payload: table.payload(),
            row_entries: factorial(id.tiles().len()).into(),
            rows,
            reindex,
            classes: BlankClasses::new(id.tray(), id.kind()),
            goal_row: rows.row_of(id.tiles(), first(id.blank())),
            max: table.header().histogram.max(),
            at: start,
            value: id.parity(start.shape, CellSet::EMPTY.with(start.blank)),
            steps: 0,
            holes: CellSet::EMPTY,
            to: start.blank,
            from: CellSet::EMPTY,
            next: None,
        };
        descent.value += 2 * descent.bit(&start);
        descent.go_to(start);
        descent
    }

    /// Reads the neighbour that the previous call has chosen, and moves there if it is nearer to
    /// the goal. Then chooses the next one and returns the index of its byte in the payload, which
    /// the caller may prefetch; `None` when the walk has ended.
    pub fn try_next(&mut self) -> Option<usize> {
        if let Some(next) = self.next.take() {
            let wanted = (self.value + 3) % 4;
            if self.bit(&next) == wanted / 2 {
                self.value = wanted;
                self.steps += 1;
                self.go_to(next);
            }
        }
        if self.is_at_goal() || self.steps == self.max {
            return None;
        }
        while self.from.is_empty() {
            self.to = self.holes.lowest()?;
            self.holes = self.holes.without(self.to);
            let around = self.classes.grown(CellSet::EMPTY.with(self.to));
            self.from = around.intersection(self.at.shape);
        }
        let from = self.from.lowest()?;
        self.from = self.from.without(from);
        let shape = self.at.shape.without(from).with(self.to);
        let places = (
            self.at.shape.count_before(from),
            shape.count_before(self.to),
        );
        let next = EntryPosition {
            row: self.rows.row_of(shape, from),
            rank: self.reindex.apply(places.0, places.1, self.at.rank),
            shape,
            blank: from,
        };
        self.next = Some(next);
        Some((self.entry(&next) / 8) as usize)
    }

    fn go_to(&mut self, at: EntryPosition) {
        self.at = at;
        self.holes = self.classes.containing(at.shape, at.blank);
        self.from = CellSet::EMPTY;
    }

    /// Walks to the end.
    pub fn finish(mut self) -> Self {
        while self.try_next().is_some() {}
        self
    }

    /// The value of the first entry, after the end of the walk. `None` if the walk did not reach
    /// the goal, because the table is damaged or the entry is unreachable.
    #[must_use]
    pub fn value(&self) -> Option<u8> {
        self.is_at_goal().then_some(self.steps)
    }

    /// The payload of the table.
    #[must_use]
    pub fn payload(&self) -> &'a [u8] {
        self.payload
    }

    fn is_at_goal(&self) -> bool {
        (self.at.row, self.at.rank) == (self.goal_row, 0)
    }

    fn entry(&self, at: &EntryPosition) -> u64 {
        at.row as u64 * self.row_entries + u64::from(at.rank)
    }

    /// The stored bit; 0 outside the table.
    fn bit(&self, at: &EntryPosition) -> u8 {
        let bit = Encoding::OneBit.read(self.payload, self.entry(at));
        bit.unwrap_or(0)
    }
}
