//! The search in the multi-tile metric: the tables of a specification, and one iteration on one
//! thread or several.

use std::ops::ControlFlow;

use pdb_table::{SharedTable, TableError};
use puzzle::{HeuristicSpec, State};

use super::MultiHeuristic;
use super::line_crossings::LineCrossings;
use super::parallel::iterate_in_parallel;
use super::search::{BoundEnd, Run, RunSearch, StartNode, single_moves};
use super::table::{RunGeometry, TableHeuristic};
use crate::calls::{Limits, NodeCount, Request, SearchStatus};
use crate::deepening::{Deepen, Iterate, IterationResult};
use crate::tables::{DamagedTable, TableSet};

/// The tables of a specification, if there are any, all of kind [`puzzle::TableKind::MultiTile`].
pub(crate) struct MultiTile {
    pub(crate) tables: TableSet<RunGeometry>,
}

impl MultiTile {
    /// `tables` are the tables of the specification. The new search shares data with `like`, a
    /// search on the same tray.
    pub(crate) fn new(
        spec: &HeuristicSpec,
        tables: &[SharedTable],
        like: Option<&Self>,
    ) -> Result<Self, TableError> {
        let tables = TableSet::new(spec, tables, like.map(|like| &like.tables))?;
        Ok(MultiTile { tables })
    }

    /// The initial estimate of a search from a state.
    pub(crate) fn estimate(&self, state: &State) -> Result<u32, DamagedTable> {
        let start = match TableHeuristic::new(&self.tables) {
            Some(tables) => StartNode::root(&tables, state),
            None => StartNode::root(&LineCrossings::new(state.tray()), state),
        };
        Ok(start?.estimate() as u32)
    }

    /// Begins the search of a board and passes it to `deepen`. A request for all shortest solutions
    /// uses one thread; longer solutions cannot be requested in this metric.
    pub(crate) fn search(
        &self,
        state: &State,
        limits: Limits,
        deepen: &mut Deepen,
    ) -> Result<(), DamagedTable> {
        match TableHeuristic::new(&self.tables) {
            Some(tables) => deepen(&mut MultiTileSearch::new(&tables, state, limits)?),
            None => {
                let lines = LineCrossings::new(state.tray());
                deepen(&mut MultiTileSearch::new(&lines, state, limits)?)
            }
        }
    }
}

/// A search of one board.
struct MultiTileSearch<'a, H> {
    root: StartNode,
    search: RunSearch<'a, H>,
}

impl<'a, H: MultiHeuristic> MultiTileSearch<'a, H> {
    fn new(heuristic: &'a H, state: &State, limits: Limits<'a>) -> Result<Self, DamagedTable> {
        let goal_blank = state.goal_blank().index();
        Ok(MultiTileSearch {
            root: StartNode::root(heuristic, state)?,
            search: RunSearch::new(heuristic, state.tray(), goal_blank, limits),
        })
    }
}

impl<H: MultiHeuristic> Iterate for MultiTileSearch<'_, H> {
    fn h0(&self) -> i32 {
        self.root.estimate()
    }

    fn node_cost(&self) -> f64 {
        1.0
    }

    fn iterate(
        &mut self,
        bound: i32,
        request: Request,
        status: SearchStatus,
    ) -> Result<IterationResult, DamagedTable> {
        let (root, search) = (&self.root, &mut self.search);
        search.status = status;
        search.nodes = NodeCount {
            generated: status.generated,
            expanded: 0,
        };
        let before = search.nodes;
        let (most, after_each) = match request {
            Request::Shortest(_) => (1, ControlFlow::Break(())),
            Request::UpTo { most, .. } => (most, ControlFlow::Continue(())),
        };
        let (mut solutions, mut count) = (Vec::new(), 0);
        let hear = |runs: &[Run]| {
            count += 1;
            if solutions.len() < most {
                solutions.push(single_moves(runs));
            }
            after_each
        };
        let may_share = after_each.is_break()
            && search.limits.nodes.is_none()
            && status.generated > PARALLEL_FROM;
        let permits = search.limits.permits.filter(|_| may_share);
        let helpers = permits.map_or(Vec::new(), |permits| permits.take_up_to(MAX_HELPERS));
        let end = if helpers.is_empty() {
            search.iterate(root, bound, hear)
        } else {
            iterate_in_parallel(search, root, bound, 1 + helpers.len(), hear)
        };
        let mut lengths = vec![0; bound as usize];
        lengths.push(count);
        Ok(IterationResult {
            nodes: search.nodes.since(before),
            next: match end {
                BoundEnd::Exhausted(next) => next,
                BoundEnd::Limited | BoundEnd::Ended => None,
            },
            solutions,
            lengths,
            // One thread may find the requested solution while another thread reaches the limit.
            // The search then does not count as stopped.
            is_stopped: end == BoundEnd::Limited && (count == 0 || after_each.is_continue()),
        })
    }
}

/// An iteration uses several threads if earlier iterations generated more than this number of
/// nodes, which takes a few milliseconds.
const PARALLEL_FROM: u64 = 20_000;

/// Maximum number of threads that help with one board.
const MAX_HELPERS: usize = 255;
