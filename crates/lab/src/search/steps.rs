//! Destinations of the blank from each cell.

use puzzle::{Direction, Tray};

/// Default order in which the blank's moves are tried.
pub const DEFAULT_ORDER: [Direction; 4] = [
    Direction::Up,
    Direction::Left,
    Direction::Right,
    Direction::Down,
];

/// The blank's moves from each cell of a tray, in the order in which a search tries them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Steps {
    /// Five lists per cell of the blank. Each of the first four applies after a move in one
    /// direction, in the order of [`Direction::ALL`], and omits the reverse move. The fifth
    /// contains all moves.
    lists: Box<[StepList]>,
}

/// The moves from a cell, except the reverse move.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct StepList {
    count: u8,
    steps: [Step; 4],
}

/// A move of the blank.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Step {
    /// The blank's cell after the move.
    pub(crate) cell: u8,
    /// Index of the list of moves that follow this move.
    pub(crate) list: u16,
}

impl Steps {
    /// The moves on a tray of up to 256 cells.
    pub(crate) fn new(tray: Tray, order: [Direction; 4]) -> Self {
        let moved = |direction: Direction| {
            let place = Direction::ALL.iter().position(|&own| own == direction);
            place.unwrap_or(0)
        };
        let lists = tray.iter().flat_map(|cell| {
            let before = Direction::ALL.into_iter().map(Some).chain([None]);
            before.map(move |before| {
                let mut list = StepList::default();
                for direction in order {
                    if before.map(Direction::opposite) == Some(direction) {
                        continue;
                    }
                    if let Some(to) = tray.step(cell, direction) {
                        list.steps[usize::from(list.count)] = Step {
                            cell: to.index() as u8,
                            list: (5 * to.index() + moved(direction)) as u16,
                        };
                        list.count += 1;
                    }
                }
                list
            })
        });
        Steps {
            lists: lists.collect(),
        }
    }

    /// Number of the list of all moves from the cell `blank`.
    pub(crate) fn first(blank: u8) -> u16 {
        5 * u16::from(blank) + 4
    }

    /// A list by its number.
    #[inline]
    pub(crate) fn list(&self, number: u16) -> &[Step] {
        let list = &self.lists[usize::from(number)];
        &list.steps[..usize::from(list.count)]
    }

    /// The moves from a cell except the move to `back`; all moves if `back` is not a neighbour.
    pub(crate) fn without(&self, blank: u8, back: u8) -> impl Iterator<Item = u8> {
        let list = self.list(Steps::first(blank)).iter();
        list.map(|step| step.cell).filter(move |&cell| cell != back)
    }
}
