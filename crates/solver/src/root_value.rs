//! Histogram of a board in one-bit tables: the number of steps down to the goal.
//!
//! The parity of a value is known from the shape and the table has the next bit, so values are known modulo 4 everywhere, and
//! from every entry some neighbour is nearer to the goal by one. `Table::value_by_descent` does the
//! same for one entry and waits for memory at every neighbour it looks at, so it is slower than this
//! one, in which the descents of all parts of a board go side by side: each asks for its next entry
//! and lets the others go on meanwhile.

use puzzle::{Cell, CellSet, Tray};

use crate::row_index::RowWord;
use crate::slide::Slide;
use crate::table_set::{General, Lookup, Placement};

/// Where a descent begins.
pub(crate) struct RootLookup<'a, 'b, W> {
    pub(crate) lookup: &'a Lookup<'b, W>,
    pub(crate) place: Placement,
    pub(crate) entry: usize,
    /// The blank's cell in the table's orientation.
    pub(crate) blank: Cell,
    /// The value modulo 2.
    pub(crate) parity: u8,
    pub(crate) goal_entry: usize,
    /// The most steps that the table's header allows.
    pub(crate) most: u8,
}

/// The values of all tops, `None` where a way down is longer than its table allows or ends elsewhere, as in a damaged table.
pub(crate) fn values<W: RowWord>(tray: Tray, tops: &[&RootLookup<W>]) -> Vec<Option<u8>> {
    if tops.is_empty() {
        // Trays that no table can have come here, too.
        return Vec::new();
    }
    let grid = Grid::new(tray);
    let mut descents: Vec<Descent<W>> = tops.iter().map(|top| Descent::new(top, &grid)).collect();
    let mut going: Vec<usize> = (0..descents.len()).collect();
    while !going.is_empty() {
        going.retain(|&index| descents[index].try_next(&grid));
    }
    let values = descents.iter();
    values
        .map(|d| (d.entry == d.top.goal_entry).then_some(d.steps))
        .collect()
}

struct Descent<'t, 'a, 'b, W> {
    top: &'t RootLookup<'a, 'b, W>,
    place: Placement,
    entry: usize,
    /// The value here modulo 4.
    value: u8,
    steps: u8,
    /// The slides from here that are left to try, from which cell to which.
    slides: Vec<(Cell, Cell)>,
    /// Where the slide that was asked for last leads: from which cell, place and entry.
    asked: Option<(Cell, Placement, usize)>,
}

impl<'t, 'a, 'b, W: RowWord> Descent<'t, 'a, 'b, W> {
    fn new(top: &'t RootLookup<'a, 'b, W>, grid: &Grid) -> Self {
        let mut descent = Descent {
            top,
            place: top.place,
            entry: top.entry,
            value: 2 * top.lookup.bit(top.entry) + top.parity,
            steps: 0,
            slides: Vec::new(),
            asked: None,
        };
        grid.list_slides(top.place.shape(), top.blank, &mut descent.slides);
        descent
    }

    /// Looks at the entry that was asked for, and asks for the next one. `false` when the way ends.
    fn try_next(&mut self, grid: &Grid) -> bool {
        let lookup = self.top.lookup;
        if let Some((from, place, entry)) = self.asked.take() {
            let wanted = (self.value + 3) % 4;
            if lookup.bit(entry) == wanted / 2 {
                (self.place, self.entry, self.value) = (place, entry, wanted);
                self.steps += 1;
                grid.list_slides(place.shape(), from, &mut self.slides);
            }
        }
        if self.entry == self.top.goal_entry || self.steps == self.top.most {
            return false;
        }
        let Some((from, hole)) = self.slides.pop() else {
            return false;
        };
        let (place, entry) = lookup.after_hop::<General>(self.place, &Slide::new(from, hole));
        lookup.prefetch::<General>(entry);
        self.asked = Some((from, place, entry));
        true
    }
}

/// Which cells of a tray touch.
struct Grid {
    all: CellSet,
    beside: Vec<CellSet>,
}

impl Grid {
    fn new(tray: Tray) -> Self {
        Grid {
            all: CellSet::all(tray),
            beside: tray
                .iter()
                .map(|cell| tray.neighbours(cell).collect())
                .collect(),
        }
    }

    /// All slides of a shape's tiles into the blank's region. Bits of the shape above the tray's cells do not matter.
    fn list_slides(&self, shape: u32, blank: Cell, slides: &mut Vec<(Cell, Cell)>) {
        slides.clear();
        let shape = CellSet::from_bits(shape).intersection(self.all);
        let free = self.all.difference(shape);
        let mut region = CellSet::EMPTY.with(blank);
        let mut edge = region;
        while let Some(cell) = edge.lowest() {
            let beside = self.beside[cell.index()];
            let new = beside.intersection(free).difference(region);
            region = region.union(new);
            edge = edge.union(new).without(cell);
            for from in beside.intersection(shape).iter() {
                slides.push((from, cell));
            }
        }
    }
}
