//! Iterative deepening (Korf 1985): searches with growing bounds on the solution length, in either
//! metric.

use puzzle::{Direction, State};

use crate::calls::{Limits, NodeCount, Request, SearchOutcome, SearchStatus, Side};
use crate::tables::DamagedTable;

/// A search of one board, which runs one iteration at a time.
pub(crate) trait Iterate {
    /// The heuristic's value of the board.
    fn h0(&self) -> i32;

    /// The cost of a node, in the same unit for all searches of one board.
    fn node_cost(&self) -> f64;

    /// Searches all paths that begin at the board and whose estimates stay within the bound. Stops
    /// at the first solution if the request is for one solution. `status` is the status at the
    /// start of the iteration.
    fn iterate(
        &mut self,
        bound: i32,
        request: Request,
        status: SearchStatus,
    ) -> Result<IterationResult, DamagedTable>;
}

/// The result of an iteration.
pub(crate) struct IterationResult {
    pub(crate) nodes: NodeCount,
    /// The smallest estimate above the bound.
    pub(crate) next: Option<i32>,
    /// The tile moves of the requested solutions.
    pub(crate) solutions: Vec<Vec<Direction>>,
    /// The number of solutions found, by length.
    pub(crate) lengths: Vec<u64>,
    /// Whether a limit ended the iteration.
    pub(crate) is_stopped: bool,
}

/// Runs the iterations of a search that is ready to begin.
pub(crate) type Deepen<'b> = dyn FnMut(&mut dyn Iterate) -> Result<(), DamagedTable> + 'b;

/// A search with growing bounds, up to the first bound with a solution. It searches the board from
/// the start. If there are tables for the inverse of the board ([`State::inverse`]), it also
/// searches from the goal. A bound that one side completes is proved for both sides.
pub(crate) struct Deepening<'a> {
    request: Request,
    limits: Limits<'a>,
    choice: SideChoice,
    /// Bound proved earlier: no solution is shorter.
    proved: i32,
    /// The bound of the next iteration.
    bound: i32,
    /// Minimum bound of the iteration after the next one.
    next: i32,
    generated: u64,
    pub(crate) outcome: SearchOutcome,
    pub(crate) is_over: bool,
}

impl<'a> Deepening<'a> {
    pub(crate) fn new(state: &State, request: Request, limits: Limits<'a>) -> Self {
        let mut outcome = SearchOutcome {
            is_finished: true,
            solutions: Vec::new(),
            side: Side::Start,
            lengths: Vec::new(),
            bound: 0,
            h0: 0,
            iterations: Vec::new(),
        };
        let is_over = state.is_goal();
        if is_over {
            // The only solution of the goal is the empty path, because a solution ends when it
            // first reaches the goal.
            outcome.solutions.push(Vec::new());
            outcome.lengths.push(1);
        }
        Deepening {
            request,
            limits,
            choice: SideChoice::default(),
            proved: match request {
                Request::Shortest(_) => limits.from as i32,
                Request::UpTo { .. } => 0,
            },
            bound: 0,
            next: 0,
            generated: 0,
            outcome,
            is_over,
        }
    }

    /// Searches from the start while iterations need fewer nodes than `below`. For such cheap
    /// iterations, preparing a search from the goal costs more time than it saves.
    pub(crate) fn run_alone(
        &mut self,
        start: &mut dyn Iterate,
        below: u64,
    ) -> Result<(), DamagedTable> {
        self.run_while(&mut [(Side::Start, start)], Some(below))
    }

    /// Continues with these sides until the search ends.
    pub(crate) fn run(
        &mut self,
        sides: &mut [(Side, &mut dyn Iterate)],
    ) -> Result<(), DamagedTable> {
        self.run_while(sides, None)
    }

    fn begin(&mut self, search: &dyn Iterate) {
        let h0 = search.h0();
        self.outcome.h0 = h0 as u32;
        self.bound = match self.request {
            Request::Shortest(_) => h0,
            Request::UpTo { length, .. } => i32::try_from(length).unwrap_or(i32::MAX),
        };
        self.next = self.bound;
        self.outcome.bound = h0 as u32;
    }

    fn run_while(
        &mut self,
        sides: &mut [(Side, &mut dyn Iterate)],
        alone_below: Option<u64>,
    ) -> Result<(), DamagedTable> {
        if let (true, [(_, first), ..]) = (self.outcome.iterations.is_empty(), &*sides) {
            self.begin(*first);
        }
        while !self.is_over {
            // Iterations below the proved bound are cheap and show which side is better.
            let is_trial = alone_below.is_some() || sides.len() > 1 && !self.choice.is_decided;
            if !is_trial && self.bound < self.proved {
                self.choice.skip_bounds((self.proved - self.bound) / 2);
                self.bound = self.proved;
            }
            let proved = self.bound.max(self.proved) as u32;
            if self.limits.is_too_long(proved) {
                self.outcome.bound = proved;
                (self.outcome.is_finished, self.is_over) = (false, true);
                return Ok(());
            }
            for place in self.choice.places(sides.len()) {
                let (side, search) = &mut sides[place];
                self.iterate(place, *side, *search)?;
                if self.is_over {
                    return Ok(());
                }
            }
            if alone_below.is_some_and(|below| self.choice.sides[0].last[0] >= below) {
                return Ok(());
            }
            self.choice.end_bound();
            self.bound = self.next;
        }
        Ok(())
    }

    fn iterate(
        &mut self,
        place: usize,
        side: Side,
        search: &mut dyn Iterate,
    ) -> Result<(), DamagedTable> {
        let (request, bound) = (self.request, self.bound);
        let status = SearchStatus {
            bound: match request {
                Request::Shortest(_) => bound.max(self.proved) as u32,
                Request::UpTo { shortest, .. } => shortest,
            },
            generated: self.generated,
            last: self.choice.sides[place].last,
            threads: 1,
            longest: request.longest(),
            ..SearchStatus::default()
        };
        let found = search.iterate(bound, request, status)?;
        self.generated += found.nodes.generated;
        let outcome = &mut self.outcome;
        let iteration = found.nodes.of_iteration(side, bound);
        outcome.iterations.push(iteration);
        outcome.bound = status.bound;
        if found.is_stopped {
            if request.longest().is_none() {
                // If the other side has completed this bound, `self.next` is proved.
                outcome.bound = outcome.bound.max(self.next as u32);
            }
            (outcome.is_finished, self.is_over) = (false, true);
        } else if request.longest().is_some() || !found.solutions.is_empty() {
            (outcome.solutions, outcome.lengths) = (found.solutions, found.lengths);
            (outcome.side, self.is_over) = (side, true);
        } else {
            let cost = found.nodes.generated as f64 * search.node_cost();
            self.choice.record(place, found.nodes.generated, cost);
            // The state is solvable, so table values are wrong if an iteration prunes no node and
            // finds no solution.
            let above = found.next.filter(|&above| above > bound);
            self.next = self.next.max(above.ok_or(DamagedTable(None))?);
        }
        Ok(())
    }
}

/// Chooses the sides that search each bound. While iterations are cheap and neither side is clearly
/// better, both sides search. After that, only the side with the lower expected cost searches.
#[derive(Default)]
struct SideChoice {
    sides: [SideCost; 2],
    is_decided: bool,
}

/// The cost of a side.
#[derive(Clone, Copy, Default)]
struct SideCost {
    /// Nodes of this side's last two iterations, the latest first.
    last: [u64; 2],
    /// The cost of the iteration with the current bound: measured if `has_searched` is set,
    /// estimated otherwise.
    at_bound: f64,
    has_searched: bool,
}

impl SideChoice {
    /// Indices of the sides that still have to search the current bound. The side with the lower
    /// expected cost comes first. `sides` is the number of sides, 1 or 2.
    fn places(&self, sides: usize) -> Vec<usize> {
        let costs = &self.sides;
        let mut places: Vec<usize> = (0..sides).filter(|&at| !costs[at].has_searched).collect();
        places.sort_by(|&a, &b| costs[a].at_bound.total_cmp(&costs[b].at_bound));
        places.truncate(if self.is_decided { 1 } else { sides });
        places
    }

    /// Records the nodes and the cost of a side that has searched the bound.
    fn record(&mut self, place: usize, generated: u64, cost: f64) {
        let side = &mut self.sides[place];
        *side = SideCost {
            last: [generated, side.last[0]],
            at_bound: cost,
            has_searched: true,
        };
    }

    /// Decides whether one side is clearly better, and updates the expected costs for the next
    /// bound. [`Self::record`] must have been called for each side's iteration.
    fn end_bound(&mut self) {
        let [start, goal] = self.sides.map(|side| side.at_bound);
        let nodes = self.sides.map(|side| side.last[0]);
        self.is_decided |= nodes[0].max(nodes[1]) > MOST_IN_TRIAL
            || nodes[1] > 0 && start.max(goal) >= CLEAR_RATIO * start.min(goal);
        self.skip_bounds(1);
        for side in &mut self.sides {
            side.has_searched = false;
        }
    }

    /// Multiplies the costs of both sides by their expected growth over this number of bounds.
    fn skip_bounds(&mut self, bounds: i32) {
        for side in &mut self.sides {
            side.at_bound *= GROWTH.powi(bounds);
        }
    }
}

// The constants below were tuned together for a low mean node count on the published lists
// felner1000 and korf100, with the partitions 6-6-3 and 7-8 and the preset `best`.

/// After an iteration from the start with at least this number of nodes, the board is searched from
/// the goal too. Applies only if no tables must be opened for the search from the goal.
pub(crate) const ALONE_BELOW: u64 = 40;
/// If a side generates more than this number of nodes within one bound, only the side with the
/// lower expected cost searches the next bounds.
const MOST_IN_TRIAL: u64 = 250;
/// One side is clearly better if the costs of the two sides differ by at least this factor.
const CLEAR_RATIO: f64 = 1.1;
/// Expected factor by which the cost of a side grows from one bound to the next. It is higher than
/// the actual growth on most boards. The search therefore rarely changes sides: only if the cost of
/// the current side has grown by more than this factor.
const GROWTH: f64 = 9.0;
