//! Searches a board from its start, from its goal, or from the side that needs fewer nodes.
//!
//! A state is a permutation s: s(c) is the piece on cell c, and pieces are named by their goal
//! cells. The blank is on cell b, and its goal cell is g. A move of the blank from cell x to a
//! neighbour y changes the state to s∘(x y). A path of the blank b = x0, x1, ..., xn = g solves s if
//! and only if s∘(x0 x1)∘...∘(xn-1 xn) = id, which is s⁻¹∘(xn xn-1)∘...∘(x1 x0) = id: the same path
//! backwards solves the inverse state s⁻¹ ([`State::inverse`]), whose blank is on g and has the goal
//! cell b. So a solution of either state, reversed and with every move inverted, solves the other,
//! in both metrics, and a bound that is proved for one is proved for the other. The nodes of the two
//! searches differ. The inverse needs tables for goal cell b, or for a cell that a symmetry of the
//! tray maps to b.
//!
//! With [`Side::Auto`] easy boards are searched from the start alone. From a bound of some size on,
//! both sides search each bound until one is clearly cheaper; in long searches the sides are
//! compared again ([`crate::deepening`]). Files of tables for the other side are opened when the
//! boards that need them have spent as many nodes from the start as opening costs, so lists of easy
//! boards do not wait. All decisions count nodes and use no clock: with one thread, node counts are
//! the same in every run.
//!
//! Searches for all solutions, and for solutions of up to 11 moves more than the optimum, use the
//! side that found a shortest solution. A search from the start omits paths through the goal, and
//! one from the goal omits paths back to the start. Such paths are at least 12 moves longer than a
//! shortest solution, since a path from a board back to itself has at least 12 moves.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use puzzle::{Cell, Direction, HeuristicSpec, State, Symmetry};

use crate::calls::{Limits, Request, SearchOutcome, Side, SolveError};
use crate::deepening::Deepening;
use crate::metric_search::MetricSearch;
use crate::tables::DamagedTable;

/// The search with the tables of the solver's goal, and searches with tables for other goal cells
/// of the blank. A search from the goal exchanges board and goal, so the blank's cell on the board
/// becomes the blank's goal cell.
pub(crate) struct Sides {
    pub(crate) start: MetricSearch,
    /// The heuristic's name.
    name: String,
    goal_blank: Cell,
    others: Vec<OtherGoal>,
}

/// A search with tables for another goal cell of the blank. The search is created when the boards
/// that can use it have paid for opening its tables, so easy boards do not wait.
struct OtherGoal {
    goal_blank: Cell,
    /// Cost of opening the tables, in nodes of searches from the start; 0 for tables in memory.
    opening: u64,
    /// Nodes from the start that these boards have spent before the search was created.
    spent: AtomicU64,
    search: OnceLock<MadeSearch>,
    make: Box<MakeSearch>,
}

impl OtherGoal {
    /// Nodes that boards must still spend before opening the tables pays.
    fn unpaid(&self) -> u64 {
        match self.search.get() {
            Some(_) => 0,
            None => self
                .opening
                .saturating_sub(self.spent.load(Ordering::Relaxed)),
        }
    }
}

/// Creates a search with tables for another goal cell of the blank. The parameter is
/// `Sides::start`; the new search may share its data.
type MakeSearch = dyn Fn(&MetricSearch) -> MadeSearch + Send + Sync;

/// A search; `None` if its tables can no longer be opened.
pub(crate) type MadeSearch = Result<Option<MetricSearch>, DamagedTable>;

/// The inverse of a board: start and goal are exchanged.
struct Inverse<'a> {
    search: &'a MetricSearch,
    state: State,
    /// The symmetry that was applied to `state`. It maps the blank's cell on the original board to
    /// the blank's goal cell in the tables of `search`.
    symmetry: Symmetry,
}

impl Sides {
    pub(crate) fn new(spec: &HeuristicSpec, start: MetricSearch) -> Self {
        Sides {
            start,
            name: spec.name().to_owned(),
            goal_blank: spec.goal_blank(),
            others: Vec::new(),
        }
    }

    /// Adds a search with tables for another goal cell of the blank, on the same tray and in the
    /// same metric.
    pub(crate) fn add(&mut self, other: Sides) {
        self.others.push(OtherGoal {
            goal_blank: other.goal_blank,
            opening: 0,
            spent: AtomicU64::new(0),
            search: OnceLock::from(Ok(Some(other.start))),
            make: Box::new(|_| Ok(None)),
        });
        self.others.extend(other.others);
    }

    /// Like [`Self::add`], for a search that is made when boards have spent `opening` nodes.
    pub(crate) fn add_lazily(
        &mut self,
        goal_blank: Cell,
        opening: u64,
        make: impl Fn(&MetricSearch) -> MadeSearch + Send + Sync + 'static,
    ) {
        self.others.push(OtherGoal {
            goal_blank,
            opening,
            spent: AtomicU64::new(0),
            search: OnceLock::new(),
            make: Box::new(make),
        });
    }

    /// Whether a search for this goal cell of the blank exists.
    pub(crate) fn has(&self, goal_blank: Cell) -> bool {
        let mut others = self.others.iter();
        self.goal_blank == goal_blank || others.any(|other| other.goal_blank == goal_blank)
    }

    /// The searches with tables for other goal cells of the blank. Creates the searches that do not
    /// exist yet.
    pub(crate) fn others(&self) -> impl Iterator<Item = Result<&MetricSearch, DamagedTable>> {
        let searches = self.others.iter().map(|other| self.made(other));
        searches.filter_map(Result::transpose)
    }

    fn made<'a>(&self, other: &'a OtherGoal) -> Result<Option<&'a MetricSearch>, DamagedTable> {
        let search = other.search.get_or_init(|| (other.make)(&self.start));
        search.as_ref().map(Option::as_ref).map_err(Clone::clone)
    }

    /// Searches a board from the requested side.
    pub(crate) fn search(
        &self,
        state: &State,
        request: Request,
        limits: Limits,
    ) -> Result<SearchOutcome, SolveError> {
        let mut deepening = Deepening::new(state, request, limits);
        match limits.side {
            Side::Start => self.start.search(state, limits, &mut |start| {
                deepening.run(&mut [(Side::Start, start)])
            })?,
            Side::Goal => {
                let inverse = self.inverse(state)?;
                let inverse = inverse.ok_or_else(|| self.no_goal_tables(state))?;
                inverse.search.search(&inverse.state, limits, &mut |goal| {
                    deepening.run(&mut [(Side::Goal, goal)])
                })?;
            }
            Side::Auto => self.start.search(state, limits, &mut |start| {
                let (other, opening) = match self.goal_search(state) {
                    Some((_, Some(other))) => (Some(other), other.unpaid()),
                    Some((_, None)) => (None, 0),
                    None => (None, u64::MAX),
                };
                let spent = deepening.run_alone(start, opening)?;
                if deepening.is_over {
                    if let Some(other) = other {
                        other.spent.fetch_add(spent, Ordering::Relaxed);
                    }
                    return Ok(());
                }
                let Some(inverse) = self.inverse(state)? else {
                    return deepening.run(&mut [(Side::Start, start)]);
                };
                let search = inverse.search;
                search.search(&inverse.state, limits, &mut |goal| {
                    deepening.run(&mut [(Side::Start, start), (Side::Goal, goal)])
                })
            })?,
        }
        let mut outcome = deepening.outcome;
        if outcome.side == Side::Goal {
            if let Some(inverse) = self.inverse(state)? {
                for moves in &mut outcome.solutions {
                    inverse.turn_round(moves);
                }
            }
        }
        Ok(outcome)
    }

    fn no_goal_tables(&self, state: &State) -> SolveError {
        let (tray, blank) = (state.tray(), state.blank());
        SolveError::NoGoalTables {
            tables: self.name.clone(),
            row: tray.row(blank) + 1,
            column: tray.column(blank) + 1,
        }
    }

    fn inverse(&self, state: &State) -> Result<Option<Inverse<'_>>, DamagedTable> {
        let Some((symmetry, other)) = self.goal_search(state) else {
            return Ok(None);
        };
        let search = match other {
            Some(other) => self.made(other)?,
            None => Some(&self.start),
        };
        Ok(search.map(|search| Inverse {
            search,
            state: state.inverse().map(symmetry),
            symmetry,
        }))
    }

    /// Finds tables for a search of this board from the goal: a symmetry must map the blank's cell
    /// on the board to the blank's goal cell in the tables. Returns the symmetry, and the search
    /// that has these tables; `None` in place of the search means `self.start`.
    fn goal_search(&self, state: &State) -> Option<(Symmetry, Option<&OtherGoal>)> {
        let tray = state.tray();
        let to = |cell| Symmetry::of(tray).find(|by| by.map(tray, state.blank()) == cell);
        if self.start.tables().next().is_none() {
            // Without tables the search is the same for every goal cell.
            return Some((Symmetry::Identity, None));
        }
        if let Some(symmetry) = to(self.goal_blank) {
            return Some((symmetry, None));
        }
        let mut others = self.others.iter();
        others.find_map(|other| Some((to(other.goal_blank)?, Some(other))))
    }
}

impl Inverse<'_> {
    /// Turns a solution of the inverse board into a solution of the original board.
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
