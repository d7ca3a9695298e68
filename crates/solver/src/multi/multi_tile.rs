//! The search in the multi-tile metric: iterative deepening over its heuristics.

use std::ops::ControlFlow;

use pdb_table::{SharedTable, TableError};
use puzzle::{HeuristicSpec, State};

use super::heuristic::MultiHeuristic;
use super::line_crossings::LineCrossings;
use super::parallel::iterate_in_parallel;
use super::search::{BoundEnd, Run, RunSearch, StartNode, single_moves};
use super::table::{RunGeometry, TableHeuristic};
use crate::calls::{Limits, Request, SearchOutcome, SearchStatus};
use crate::tables::{DamagedTable, TableSet};

/// The tables of a specification, all of kind [`puzzle::TableKind::MultiTile`], if it has any.
pub(crate) struct MultiTile {
    pub(crate) tables: TableSet<RunGeometry>,
}

impl MultiTile {
    /// `tables` are those of the specification.
    pub(crate) fn new(spec: &HeuristicSpec, tables: &[SharedTable]) -> Result<Self, TableError> {
        let tables = TableSet::new(spec, tables)?;
        Ok(MultiTile { tables })
    }

    /// The estimate that a search from a state begins with.
    pub(crate) fn estimate(&self, state: &State) -> Result<u32, DamagedTable> {
        let start = match TableHeuristic::new(&self.tables) {
            Some(tables) => StartNode::root(&tables, state),
            None => StartNode::root(&LineCrossings::new(state.tray()), state),
        };
        Ok(start?.estimate() as u32)
    }

    /// Searches. All solutions are searched for by one thread, and are the shortest ones only.
    pub(crate) fn search(
        &self,
        state: &State,
        request: Request,
        limits: Limits,
    ) -> Result<SearchOutcome, DamagedTable> {
        match TableHeuristic::new(&self.tables) {
            Some(tables) => deepen(&tables, state, request, limits),
            None => deepen(&LineCrossings::new(state.tray()), state, request, limits),
        }
    }
}

/// Searches with growing bounds, up to the first with a solution.
fn deepen(
    guide: &impl MultiHeuristic,
    state: &State,
    request: Request,
    limits: Limits,
) -> Result<SearchOutcome, DamagedTable> {
    let start = StartNode::root(guide, state)?;
    let h0 = start.estimate();
    let (least, most, after_each) = match request {
        Request::Shortest(_) => (limits.from as i32, 1, ControlFlow::Break(())),
        Request::UpTo { shortest, most, .. } => (shortest as i32, most, ControlFlow::Continue(())),
    };
    let may_share = after_each.is_break() && limits.nodes.is_none();
    let mut bound = h0.max(least);
    let mut search = RunSearch::new(guide, state.tray(), state.goal_blank().index(), limits);
    let (mut solutions, mut count) = (Vec::new(), 0);
    let (mut iterations, mut last) = (Vec::new(), [0, 0]);
    let is_finished = loop {
        if limits.is_too_long(bound as u32) {
            break false;
        }
        let nodes_before = search.nodes;
        let before = nodes_before.generated;
        search.status = SearchStatus {
            bound: bound as u32,
            generated: before,
            last,
            threads: 1,
            longest: request.longest(),
            ..SearchStatus::default()
        };
        let hear = |runs: &[Run]| {
            count += 1;
            if solutions.len() < most {
                solutions.push(single_moves(runs));
            }
            after_each
        };
        let permits = limits
            .permits
            .filter(|_| may_share && before > PARALLEL_FROM);
        let helpers = permits.map_or(Vec::new(), |permits| permits.take_up_to(MAX_HELPERS));
        let iteration = if helpers.is_empty() {
            search.iterate(&start, bound, hear)
        } else {
            iterate_in_parallel(&mut search, &start, bound, 1 + helpers.len(), hear)
        };
        let nodes = search.nodes.since(nodes_before);
        last = [nodes.generated, last[0]];
        if !state.is_goal() {
            iterations.push(nodes.of_iteration(bound));
        }
        match iteration {
            BoundEnd::Exhausted(_) if count > 0 => break true,
            BoundEnd::Exhausted(Some(next)) if next > bound => bound = next,
            // Nothing was pruned and nothing found, although the state is solvable: the values are
            // wrong.
            BoundEnd::Exhausted(_) => return Err(DamagedTable(None)),
            BoundEnd::Limited | BoundEnd::Ended => break after_each.is_break() && count > 0,
        }
    };
    let mut lengths = vec![0; bound as usize];
    lengths.push(count);
    Ok(SearchOutcome {
        is_finished,
        solutions,
        lengths,
        bound: bound as u32,
        h0: h0 as u32,
        iterations,
    })
}

/// Nodes generated up to a bound from which on the next is shared out between threads: some
/// milliseconds of work.
const PARALLEL_FROM: u64 = 20_000;

/// Threads that help with one board, at most.
const MAX_HELPERS: usize = 255;
