//! A board searched from its start, from its goal, or from whichever of them needs fewer nodes.

use puzzle::{Cell, Direction, State, Symmetry};

use crate::calls::{Limits, Request, SearchOutcome, Side};
use crate::deepening::{Deepen, Deepening};
use crate::metric_search::MetricSearch;
use crate::tables::DamagedTable;

/// The search of a goal, and those of other goal cells of the blank: a board seen from its goal has
/// its blank's cell as that of its goal.
pub(crate) struct Sides {
    pub(crate) start: MetricSearch,
    goal_blank: Cell,
    others: Vec<(Cell, MetricSearch)>,
}

/// A board seen from its goal.
struct Inverse<'a> {
    search: &'a MetricSearch,
    state: State,
    /// The symmetry that maps the blank's goal cell to one that has tables.
    symmetry: Symmetry,
}

impl Sides {
    pub(crate) fn new(goal_blank: Cell, start: MetricSearch) -> Self {
        Sides {
            start,
            goal_blank,
            others: Vec::new(),
        }
    }

    /// Adds the search of another goal cell of the blank, on the same tray and in the same metric.
    pub(crate) fn add(&mut self, other: Sides) {
        self.others.push((other.goal_blank, other.start));
        self.others.extend(other.others);
    }

    /// Searches a board from the side that is asked for, as far as there are tables for it.
    pub(crate) fn search(
        &self,
        state: &State,
        request: Request,
        limits: Limits,
    ) -> Result<SearchOutcome, DamagedTable> {
        let inverse = match (limits.side, request) {
            (Side::Start, _) | (_, Request::UpTo { .. }) => None,
            (Side::Auto | Side::Goal, _) => self.inverse(state),
        };
        let mut deepening = Deepening::new(state, request, limits);
        let from_start = |run: &mut Deepen| self.start.search(state, limits, run);
        let Some(inverse) = inverse else {
            from_start(&mut |start| deepening.run(Side::Start, start))?;
            return Ok(deepening.outcome);
        };
        let from_goal = |run: &mut Deepen| inverse.search.search(&inverse.state, limits, run);
        if limits.side == Side::Goal {
            from_goal(&mut |goal| deepening.run(Side::Goal, goal))?;
        } else {
            from_start(&mut |start| {
                deepening.run_alone(start)?;
                match deepening.is_over {
                    true => Ok(()),
                    false => from_goal(&mut |goal| deepening.run_both(start, goal)),
                }
            })?;
        }
        let mut outcome = deepening.outcome;
        if outcome.side == Side::Goal {
            for moves in &mut outcome.solutions {
                inverse.turn_round(moves);
            }
        }
        Ok(outcome)
    }

    fn inverse(&self, state: &State) -> Option<Inverse<'_>> {
        let inverse = state.inverse();
        let tray = state.tray();
        let own = (self.goal_blank, &self.start);
        let others = self.others.iter().map(|(cell, search)| (*cell, search));
        std::iter::once(own)
            .chain(others)
            .find_map(|(cell, search)| {
                let mut symmetries = Symmetry::of(tray);
                let symmetry = symmetries.find(|by| by.map(tray, state.blank()) == cell)?;
                Some(Inverse {
                    search,
                    state: inverse.map(symmetry),
                    symmetry,
                })
            })
    }
}

impl Inverse<'_> {
    /// Makes a solution of the inverse one of the board.
    fn turn_round(&self, moves: &mut [Direction]) {
        moves.reverse();
        for direction in moves {
            let turned = direction.opposite();
            let mut all = Direction::ALL.into_iter();
            let own = all.find(|&own| self.symmetry.map_direction(own) == turned);
            *direction = own.unwrap_or(turned);
        }
    }
}
