//! The multi-tile metric: a move slides a run of one or more tiles in one line towards the blank,
//! and counts as one move.
//!
//! Additive tables of the single-tile metric are not lower bounds in this metric: a run can move
//! tiles of several patterns for the cost of one move. The heuristic is the maximum of full-cost
//! tables made for the metric ([`puzzle::TableKind::MultiTile`]). On trays too large for any table,
//! the heuristic uses the number of tiles that must cross each line between rows or columns.

pub(crate) mod line_crossings;
pub(crate) mod multi_tile;
mod parallel;
mod search;
pub(crate) mod table;

use puzzle::{Direction, State};

use crate::tables::DamagedTable;

/// A state as seen by one part of a heuristic.
#[derive(Clone, Copy, Default, Debug)]
struct AbstractState {
    /// Row of the part's table. `LineCrossings`, which has no tables, stores the blank's row or
    /// column on the tray instead.
    row: u32,
    /// Rank in the row.
    rank: u32,
    /// The value of the state.
    h: i32,
}

/// The axis along which a run moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Axis {
    Vertical,
    Horizontal,
}

impl Axis {
    const BOTH: [Axis; 2] = [Axis::Vertical, Axis::Horizontal];

    const fn of(direction: Direction) -> Axis {
        match direction {
            Direction::Up | Direction::Down => Axis::Vertical,
            Direction::Left | Direction::Right => Axis::Horizontal,
        }
    }

    /// The two directions along the axis.
    const fn directions(self) -> [Direction; 2] {
        match self {
            Axis::Vertical => [Direction::Up, Direction::Down],
            Axis::Horizontal => [Direction::Left, Direction::Right],
        }
    }
}

/// A heuristic that consists of parts. Each part computes a lower bound; the estimate is the
/// maximum of these bounds.
trait MultiHeuristic: Sync {
    /// Number of parts, at least one.
    fn parts(&self) -> usize;

    /// The state as seen by each part.
    fn roots(&self, state: &State) -> Result<Vec<AbstractState>, DamagedTable>;

    /// The state after the blank and `tile` have exchanged places. `blank` is the direction of the
    /// blank. The value of the returned state is not set.
    fn step(&self, part: usize, from: AbstractState, blank: Direction, tile: u16) -> AbstractState;

    /// The value of `state`. `near` is the value of a state one move away.
    fn read(&self, part: usize, state: AbstractState, near: i32) -> i32;

    /// Lower bound of the remaining moves that follows from `h`, the value of a part. The bound
    /// holds if the next move is not along the axis `last`, which is `None` before the first move.
    fn bound(&self, part: usize, h: i32, last: Option<Axis>) -> i32;
}
