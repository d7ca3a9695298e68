//! Iterative deepening (Korf 1985): searches with growing bounds on the length of the solution, in
//! either metric.

use puzzle::{Direction, State};

use crate::calls::{Limits, NodeCount, Request, SearchOutcome, SearchStatus, Side};
use crate::tables::DamagedTable;

/// A search of one board that can do one iteration.
pub(crate) trait Iterate {
    /// The estimate of the board.
    fn h0(&self) -> i32;

    /// Searches all paths from the board whose estimates stay within the bound, up to the first
    /// solution where one is wanted. `status` is that at the beginning of the iteration.
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
    /// The moves of the tiles of the solutions that are wanted.
    pub(crate) solutions: Vec<Vec<Direction>>,
    /// The number of solutions found, by length.
    pub(crate) lengths: Vec<u64>,
    /// Whether a limit ended it.
    pub(crate) is_stopped: bool,
}

/// Runs a search that is ready to begin.
pub(crate) type Deepen<'b> =
    dyn FnMut(&mut dyn Iterate) -> Result<SearchOutcome, DamagedTable> + 'b;

/// Searches with growing bounds, up to the first with a solution. `sides` are the board and, where
/// there are tables for it, the board seen from its goal: [`State::inverse`]. Each bound that one
/// of them completes holds for both.
pub(crate) fn deepen(
    sides: &mut [(Side, &mut dyn Iterate)],
    state: &State,
    request: Request,
    limits: Limits,
) -> Result<SearchOutcome, DamagedTable> {
    let h0s = sides.iter().map(|(_, search)| search.h0());
    let h0 = h0s.max().unwrap_or_default();
    let mut outcome = SearchOutcome {
        is_finished: true,
        solutions: Vec::new(),
        lengths: Vec::new(),
        side: Side::Start,
        bound: h0 as u32,
        h0: h0 as u32,
        iterations: Vec::new(),
    };
    if state.is_goal() {
        // The way from the goal to the goal has no moves, and every other one goes through it.
        outcome.solutions.push(Vec::new());
        outcome.lengths.push(1);
        return Ok(outcome);
    }
    let mut bound = match request {
        Request::Shortest(_) => h0.max(limits.from as i32),
        Request::UpTo { length, .. } => i32::try_from(length).unwrap_or(i32::MAX),
    };
    let mut choice = SideChoice::new(sides.len());
    let (mut generated, mut last) = (0, [0, 0]);
    loop {
        if limits.is_too_long(bound as u32) {
            (outcome.is_finished, outcome.bound) = (false, bound as u32);
            return Ok(outcome);
        }
        let mut next = bound;
        for place in choice.places() {
            let (side, search) = &mut sides[place];
            let status = SearchStatus {
                bound: match request {
                    Request::Shortest(_) => bound as u32,
                    Request::UpTo { shortest, .. } => shortest,
                },
                generated,
                last,
                threads: 1,
                longest: request.longest(),
                ..SearchStatus::default()
            };
            let found = search.iterate(bound, request, status)?;
            generated += found.nodes.generated;
            last = [found.nodes.generated, last[0]];
            outcome
                .iterations
                .push(found.nodes.of_iteration(*side, bound));
            outcome.bound = status.bound;
            if found.is_stopped {
                outcome.is_finished = false;
                return Ok(outcome);
            }
            if request.longest().is_some() || !found.solutions.is_empty() {
                (outcome.solutions, outcome.lengths) = (found.solutions, found.lengths);
                outcome.side = *side;
                return Ok(outcome);
            }
            choice.record(place, found.nodes.generated);
            // The state is solvable: if nothing was pruned and nothing found, the values are wrong.
            let above = found.next.filter(|&above| above > bound);
            next = next.max(above.ok_or(DamagedTable(None))?);
        }
        choice.end_bound();
        bound = next;
    }
}

/// Which sides search the next bound: both while neither is known to be the better one and that
/// costs little, then the one that is expected to need fewer nodes.
struct SideChoice {
    /// The nodes that each side is expected to need at the next bound.
    expected: Vec<f64>,
    is_trial: bool,
}

impl SideChoice {
    fn new(sides: usize) -> Self {
        SideChoice {
            expected: vec![0.0; sides],
            is_trial: true,
        }
    }

    /// The sides that search the next bound, the better one first.
    fn places(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.expected.len()).collect();
        places.sort_by(|&a, &b| self.expected[a].total_cmp(&self.expected[b]));
        places.truncate(if self.is_trial { places.len() } else { 1 });
        places
    }

    /// A side has generated this many nodes at the bound.
    fn record(&mut self, place: usize, generated: u64) {
        self.expected[place] = generated as f64;
    }

    /// All sides that search the bound have been recorded.
    fn end_bound(&mut self) {
        let least = self.expected.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.expected.iter().copied().fold(0.0, f64::max);
        let is_clear = most >= CLEAR_FROM && most >= CLEAR_RATIO * least;
        self.is_trial &= most <= MOST_IN_TRIAL && !is_clear;
        for nodes in &mut self.expected {
            *nodes *= GROWTH;
        }
    }
}

// Chosen together by the mean nodes of the published list felner1000, with 6-6-3, 7-8 and `best`.

/// Nodes of a bound after which only one side goes on.
const MOST_IN_TRIAL: f64 = 200.0;
/// A side is better if the other needs at least this many times its nodes.
const CLEAR_RATIO: f64 = 1.5;
/// The ratio counts once a side needs this many nodes.
const CLEAR_FROM: f64 = 20.0;
/// The factor by which the nodes of a side are expected to grow from bound to bound. It is higher
/// than usual, so the search returns to the other side only if this one grows faster.
const GROWTH: f64 = 10.0;
