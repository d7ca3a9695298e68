//! Values of a board in one-bit tables, found by descents to the goal.
//!
//! The shape determines the parity of a value and the table stores the next bit, so values are
//! known modulo 4. Every entry has a neighbour that is nearer to the goal by one.
//! `Table::value_by_descent` waits for memory at every neighbour that it reads. Here the descents
//! of all parts of a board alternate, and each descent prefetches its next entry.

use puzzle::{Cell, CellSet, Tray};

use super::cell_room::{CellMask as _, CellRoom, Placement as _};
use super::lookup::{General, SlideGeometry, TableLookup};
use super::slide::Slide;
use super::table_set::{Location, Part};

/// The placements and values of parts at their locations; `None` for a part with a damaged table.
pub(crate) fn root_values<'p, W: CellRoom>(
    lookups: &[TableLookup<W>],
    parts: impl Iterator<Item = (&'p Part<SlideGeometry<W>>, Location)>,
) -> Vec<Option<(W::Word, u8)>> {
    let roots = lookups.iter().zip(parts);
    let roots = roots.map(|(lookup, (part, at))| RootLookup::new(lookup, part, &at));
    let roots: Vec<RootLookup<W>> = roots.collect();
    let one_bit = roots.iter().filter(|root| root.lookup.one_bit);
    let mut descended = descend(&one_bit.collect::<Vec<_>>()).into_iter();
    let values = roots.iter().map(|root| {
        let h = match root.lookup.one_bit {
            true => descended.next().flatten(),
            false => root.lookup.byte(root.entry),
        };
        h.map(|h| (root.placement.plus(h.into()), h))
    });
    values.collect()
}

/// The look-up of a part's entry at the root of a search. The descent begins at this entry.
struct RootLookup<'a, 'b, W: CellRoom> {
    lookup: &'a TableLookup<'b, W>,
    /// The placement without its value.
    placement: W::Word,
    entry: usize,
    tray: Tray,
    /// The blank's cell in the table's orientation.
    blank: Cell,
    /// The parity of the value.
    parity: u8,
    goal_entry: usize,
    /// Maximum number of steps: the largest value in the table's header.
    max_steps: u8,
}

impl<'a, 'b, W: CellRoom> RootLookup<'a, 'b, W> {
    /// `lookup` is the look-up of the part's table.
    fn new(lookup: &'a TableLookup<'b, W>, part: &Part<SlideGeometry<W>>, at: &Location) -> Self {
        let table = &part.table.table;
        let id = table.id();
        RootLookup {
            lookup,
            placement: lookup.placement(at.shape, at.rank),
            entry: lookup.entry(at.row, at.rank),
            tray: id.tray(),
            blank: at.blank,
            parity: id.parity(at.shape, CellSet::EMPTY.with(at.blank)),
            goal_entry: part.table.goal_entry(),
            max_steps: table.header().histogram.max(),
        }
    }
}

/// The values at `roots`, which must all be on the same tray. A value is `None` if its descent does
/// not end at the goal within `max_steps` steps, as in a damaged table.
fn descend<W: CellRoom>(roots: &[&RootLookup<W>]) -> Vec<Option<u8>> {
    let Some(first) = roots.first() else {
        return Vec::new();
    };
    let grid = RegionGrid::new(first.tray);
    let descents = roots.iter().map(|root| Descent::new(root, &grid));
    let mut descents: Vec<Descent<W>> = descents.collect();
    let mut unfinished: Vec<usize> = (0..descents.len()).collect();
    while !unfinished.is_empty() {
        unfinished.retain(|&index| descents[index].try_next(&grid));
    }
    let values = descents.iter();
    values
        .map(|d| (d.entry == d.root.goal_entry).then_some(d.steps))
        .collect()
}

struct Descent<'t, 'a, 'b, W: CellRoom> {
    root: &'t RootLookup<'a, 'b, W>,
    placement: W::Word,
    entry: usize,
    /// The current value modulo 4.
    value: u8,
    steps: u8,
    /// The slides left to try from the current entry, as pairs of cells (from, to).
    slides: Vec<(Cell, Cell)>,
    /// Result of the slide whose entry was prefetched: the cell that the tile left, the placement
    /// and the entry.
    next: Option<(Cell, W::Word, usize)>,
}

impl<'t, 'a, 'b, W: CellRoom> Descent<'t, 'a, 'b, W> {
    fn new(root: &'t RootLookup<'a, 'b, W>, grid: &RegionGrid) -> Self {
        let mut descent = Descent {
            root,
            placement: root.placement,
            entry: root.entry,
            value: 2 * root.lookup.bit(root.entry) + root.parity,
            steps: 0,
            slides: Vec::new(),
            next: None,
        };
        grid.list_slides(
            root.placement.shape().set(),
            root.blank,
            &mut descent.slides,
        );
        descent
    }

    /// Reads the prefetched entry and prefetches the next one. Returns `false` when the descent
    /// ends.
    fn try_next(&mut self, grid: &RegionGrid) -> bool {
        let lookup = self.root.lookup;
        if let Some((from, placement, entry)) = self.next.take() {
            let wanted = (self.value + 3) % 4;
            if lookup.bit(entry) == wanted / 2 {
                (self.placement, self.entry, self.value) = (placement, entry, wanted);
                self.steps += 1;
                grid.list_slides(placement.shape().set(), from, &mut self.slides);
            }
        }
        if self.entry == self.root.goal_entry || self.steps == self.root.max_steps {
            return false;
        }
        let Some((from, hole)) = self.slides.pop() else {
            return false;
        };
        let (placement, entry) = lookup.after::<General>(self.placement, &Slide::new(from, hole));
        lookup.prefetch::<General>(entry);
        self.next = Some((from, placement, entry));
        true
    }
}

/// The neighbours of each cell of a tray.
struct RegionGrid {
    all: CellSet,
    neighbours: Vec<CellSet>,
}

impl RegionGrid {
    fn new(tray: Tray) -> Self {
        RegionGrid {
            all: CellSet::all(tray),
            neighbours: tray
                .iter()
                .map(|cell| tray.neighbours(cell).collect())
                .collect(),
        }
    }

    /// Lists all slides of a shape's tiles into the blank's region. Bits of the shape above the
    /// tray's cells are ignored.
    fn list_slides(&self, shape: CellSet, blank: Cell, slides: &mut Vec<(Cell, Cell)>) {
        slides.clear();
        let shape = shape.intersection(self.all);
        let free = self.all.difference(shape);
        let mut region = CellSet::EMPTY.with(blank);
        let mut edge = region;
        while let Some(cell) = edge.lowest() {
            let neighbours = self.neighbours[cell.index()];
            let new = neighbours.intersection(free).difference(region);
            region = region.union(new);
            edge = edge.union(new).without(cell);
            for from in neighbours.intersection(shape).iter() {
                slides.push((from, cell));
            }
        }
    }
}
