//! Effect of a slide on a shape, in a table's orientation.

use puzzle::{Cell, CellSet, Direction, Tray};

use super::cell_room::CellMask;

/// A tile's slide into the blank's cell.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slide<M> {
    /// The tile's cell and the blank's cell.
    pub(crate) flip: M,
    /// The cells before the first cell of `flip`, in reading order.
    pub(crate) below: M,
    /// The cells between the two cells of the slide in reading order; the tile passes them.
    pub(crate) between: M,
    /// The cell that the tile leaves to the blank.
    pub(crate) from: u8,
    /// Whether the tile moves back in reading order.
    pub(crate) is_back: bool,
}

impl<M: CellMask> Slide<M> {
    pub(crate) fn new(from: Cell, hole: Cell) -> Self {
        let (low, high) = (from.min(hole), from.max(hole));
        let below = CellSet::first(low.index());
        let between = CellSet::first(high.index()).difference(below.with(low));
        Slide {
            flip: M::new(CellSet::EMPTY.with(low).with(high)),
            below: M::new(below),
            between: M::new(between),
            from: from.index() as u8,
            is_back: from > hole,
        }
    }
}

/// Number of directions in which the blank can move.
pub(crate) const MOVES: usize = 4;

/// Number of moves from all cells of the largest tray with tables. It is a power of two, so the
/// compiler reduces an index modulo `ROOM` with a mask.
const ROOM: usize = MOVES * CellSet::MAX_CELLS;

/// All slides, in the orientation of one table.
pub(crate) struct Slides<M>(Box<[Slide<M>; ROOM]>);

impl<M: CellMask> Slides<M> {
    /// `order` is the order of the blank's moves on the board; `map` maps cells to the table's
    /// orientation.
    pub(crate) fn new(tray: Tray, order: [Direction; MOVES], map: impl Fn(Cell) -> Cell) -> Self {
        let mut slides = Box::new([Slide::default(); ROOM]);
        for hole in tray.iter() {
            let moves = &mut slides[MOVES * hole.index()..][..MOVES];
            for (slide, &direction) in moves.iter_mut().zip(&order) {
                if let Some(from) = tray.step(hole, direction) {
                    *slide = Slide::new(map(from), map(hole));
                }
            }
        }
        Slides(slides)
    }

    /// The slide with the number `number`, which is [`MOVES`] times the blank's cell plus the
    /// number of the move.
    #[inline(always)]
    pub(crate) fn get(&self, number: u16) -> &Slide<M> {
        &self.0[usize::from(number) % ROOM]
    }
}
