//! Interface of heuristics for a search in the multi-tile metric.

use puzzle::{Direction, State};

use crate::tables::DamagedTable;

/// A state as one part of a heuristic sees it and as the search carries it.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct AbstractState {
    /// Row of a table, or number of an abstract state.
    pub(super) row: u32,
    /// Rank in the row.
    pub(super) rank: u32,
    /// The value there.
    pub(super) h: i32,
}

/// The line that a run goes along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Axis {
    Vertical,
    Horizontal,
}

impl Axis {
    pub(super) const BOTH: [Axis; 2] = [Axis::Vertical, Axis::Horizontal];

    pub(super) const fn of(direction: Direction) -> Axis {
        match direction {
            Direction::Up | Direction::Down => Axis::Vertical,
            Direction::Left | Direction::Right => Axis::Horizontal,
        }
    }

    /// The two ways along it.
    pub(super) const fn directions(self) -> [Direction; 2] {
        match self {
            Axis::Vertical => [Direction::Up, Direction::Down],
            Axis::Horizontal => [Direction::Left, Direction::Right],
        }
    }
}

/// A heuristic in parts, each of which is a lower bound by itself; the estimate is their maximum.
pub(super) trait MultiHeuristic: Sync {
    /// Number of parts, at least one.
    fn parts(&self) -> usize;

    /// A state as each part sees it.
    fn roots(&self, state: &State) -> Result<Vec<AbstractState>, DamagedTable>;

    /// The state after the blank went one cell in a direction, where it met `tile`. Its value is
    /// not set.
    fn step(&self, part: usize, from: AbstractState, blank: Direction, tile: u16) -> AbstractState;

    /// The value of a state one move away from one of value `near`.
    fn read(&self, part: usize, state: AbstractState, near: i32) -> i32;

    /// Least number of moves, by a part's value, if the next one goes along the other
    /// axis than the `last`; `None` before the first move.
    fn bound(&self, part: usize, h: i32, last: Option<Axis>) -> i32;
}
