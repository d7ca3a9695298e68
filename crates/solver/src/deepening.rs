//! Iterative deepening (Korf 1985): searches with growing bounds on the length of the solution, in
//! either metric.

use puzzle::{Direction, State};

use crate::calls::{Limits, NodeCount, Request, SearchOutcome, SearchStatus};
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

/// What an iteration came to.
pub(crate) struct IterationResult {
    pub(crate) nodes: NodeCount,
    /// The smallest estimate above the bound.
    pub(crate) next: Option<i32>,
    /// The moves of the tiles of the solutions that are wanted.
    pub(crate) solutions: Vec<Vec<Direction>>,
    /// How many solutions were met, by length.
    pub(crate) lengths: Vec<u64>,
    /// Whether a limit ended it.
    pub(crate) is_stopped: bool,
}

/// What is done with a search that is ready to begin.
pub(crate) type Deepen<'b> =
    dyn FnMut(&mut dyn Iterate) -> Result<SearchOutcome, DamagedTable> + 'b;

/// Searches with growing bounds, up to the first with a solution.
pub(crate) fn deepen(
    search: &mut dyn Iterate,
    state: &State,
    request: Request,
    limits: Limits,
) -> Result<SearchOutcome, DamagedTable> {
    let h0 = search.h0();
    let mut outcome = SearchOutcome {
        is_finished: true,
        solutions: Vec::new(),
        lengths: Vec::new(),
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
    let (mut generated, mut last) = (0, [0, 0]);
    loop {
        if limits.is_too_long(bound as u32) {
            (outcome.is_finished, outcome.bound) = (false, bound as u32);
            return Ok(outcome);
        }
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
        outcome.iterations.push(found.nodes.of_iteration(bound));
        outcome.bound = status.bound;
        if found.is_stopped {
            outcome.is_finished = false;
            return Ok(outcome);
        }
        if request.longest().is_some() || !found.solutions.is_empty() {
            (outcome.solutions, outcome.lengths) = (found.solutions, found.lengths);
            return Ok(outcome);
        }
        // Where nothing was pruned and nothing found, although the state is solvable, the values
        // are wrong.
        let next = found.next.filter(|&next| next > bound);
        bound = next.ok_or(DamagedTable(None))?;
    }
}
