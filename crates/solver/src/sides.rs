//! A board searched from its start, from its goal, or from whichever of them needs fewer nodes.

use puzzle::{Cell, Direction, State, Symmetry};

use crate::calls::{Limits, Request, SearchOutcome, Side};
use crate::deepening::{Iterate, deepen};
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
        let Some(inverse) = inverse else {
            return self.start.search(state, limits, &mut |search| {
                deepen(&mut [(Side::Start, search)], state, request, limits)
            });
        };
        let from_goal = |run: &mut dyn FnMut(&mut dyn Iterate) -> _| {
            inverse.search.search(&inverse.state, limits, run)
        };
        let mut outcome = if limits.side == Side::Goal {
            from_goal(&mut |goal| deepen(&mut [(Side::Goal, goal)], state, request, limits))?
        } else {
            self.start.search(state, limits, &mut |start| {
                from_goal(&mut |goal| {
                    let (start, goal): (&mut dyn Iterate, &mut dyn Iterate) = (start, goal);
                    let sides = &mut [(Side::Start, start), (Side::Goal, goal)];
                    deepen(sides, state, request, limits)
                })
            })?
        };
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
