//! The facade of the multi-tile metric.

use std::ops::ControlFlow;

use pdb_gen::build;
use pdb_table::{Control, Encoding, Table};
use puzzle::{
    Board, Direction, Goal, HeuristicSpec, Metric, PartitionError, State, TableId, TableKind,
};

use super::heuristic::MultiHeuristic;
use super::line_crossings::LineCrossings;
use super::parallel::iterate_in_parallel;
use super::search::{BoundEnd, Run, RunSearch, StartNode, single_moves};
use super::table::{RunGeometry, TableHeuristic};
use crate::single::{Opened, solvable_state};
use crate::table_set::{AnyBytes, TableSet};
use crate::{
    DamagedTable, Limits, SearchStats, SearchStatus, Solution, Solutions, SolveError, SolverError,
};

/// Solves boards for one goal in the multi-tile metric. Can be shared between threads.
pub struct MultiSolver {
    goal: Goal,
    spec: HeuristicSpec,
    tables: TableSet<RunGeometry>,
    threads: usize,
}

/// The number of moves in the multi-tile metric: of stretches of equal directions. In a solution of [`MultiSolver`] no two
/// moves go along the same line after each other.
#[must_use]
pub fn count_runs(moves: &[Direction]) -> usize {
    let changes = moves.windows(2).filter(|pair| pair[0] != pair[1]).count();
    changes + usize::from(!moves.is_empty())
}

impl MultiSolver {
    /// Builds the tables of a spec in memory.
    ///
    /// # Errors
    /// [`SolverError`].
    pub fn build(goal: Goal, spec: HeuristicSpec) -> Result<MultiSolver, SolverError> {
        MultiSolver::with_tables(goal, spec, |id| {
            let table =
                build(id, Encoding::default_for(id.kind()), &Control::default())?.into_table();
            Ok::<_, SolverError>(table)
        })
    }

    /// Takes the tables of a spec, whose kind must be [`TableKind::MultiTile`], from `open`, which is asked once for each. Their
    /// sums are not checked here, see [`Table::check_payload`].
    ///
    /// # Errors
    /// Those of `open`, and [`SolverError`] for tables that are not the ones asked for.
    pub fn with_tables<D, E>(
        goal: Goal,
        spec: HeuristicSpec,
        mut open: impl FnMut(TableId) -> Result<Table<D>, E>,
    ) -> Result<MultiSolver, E>
    where
        D: AsRef<[u8]> + Send + Sync + 'static,
        E: From<SolverError>,
    {
        if (goal.tray(), goal.blank()) != (spec.tray(), spec.goal_blank()) {
            return Err(SolverError::OtherGoal.into());
        }
        if spec
            .patterns()
            .any(|(_, kind)| kind != TableKind::MultiTile)
        {
            return Err(SolverError::OtherMetric.into());
        }
        let opened = TableSet::new(&spec, |id| {
            let table = open(id).map_err(Opened::Caller)?;
            Ok(table.map_data(AnyBytes::new))
        });
        let tables = opened.map_err(Opened::into_error)?;
        Ok(MultiSolver {
            goal,
            spec,
            tables,
            threads: 1,
        })
    }

    /// The goal.
    #[must_use]
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// What the heuristic is made of.
    #[must_use]
    pub fn spec(&self) -> &HeuristicSpec {
        &self.spec
    }

    /// Finds a shortest solution. Time grows exponentially with what the heuristic does not know.
    ///
    /// # Errors
    /// [`SolveError`]; never [`SolveError::Limit`].
    pub fn solve(&self, board: &Board) -> Result<Solution, SolveError> {
        self.solve_within(board, Limits::default())
    }

    /// The same solver with so many threads at work on each board that takes long. Lengths are the same, node counts and
    /// which of the shortest solutions is found are not.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> MultiSolver {
        MultiSolver { threads, ..self }
    }

    /// Finds a shortest solution unless a limit is reached first. The solution has the single moves of the tiles;
    /// [`count_runs`] counts those of the metric, and so does [`SearchStats::bound`]. Threads are only shared out where no limit
    /// of nodes is set.
    ///
    /// # Errors
    /// [`SolveError`].
    pub fn solve_within(&self, board: &Board, limits: Limits) -> Result<Solution, SolveError> {
        let state = solvable_state(&self.goal, board)?;
        let threads = match limits.nodes {
            Some(_) => 1,
            None => self.threads,
        };
        let mut found = None;
        let solved = |runs: &[Run]| {
            found = Some(single_moves(runs));
            ControlFlow::Break(())
        };
        let (effort, _) = self.search(&state, 0, limits, threads, solved)?;
        let moves = found.ok_or(SolveError::Limit(effort))?;
        self.check(board, &moves, effort)?;
        Ok(Solution { moves, effort })
    }

    /// All shortest solutions, and the single moves of the first `most` of them, on one thread. [`Solutions::length`] is in runs, and
    /// [`Solutions::counts`] has one number.
    ///
    /// # Errors
    /// [`SolveError`].
    pub fn solutions(
        &self,
        board: &Board,
        most: usize,
        limits: Limits,
    ) -> Result<Solutions, SolveError> {
        let shortest = self.solve_within(board, limits)?;
        self.solutions_beside(board, &shortest, most, limits)
    }

    /// [`Self::solutions`] of a board that is solved already: the search for `shortest` is not done again, but its nodes
    /// count, also towards the limit.
    ///
    /// # Errors
    /// [`SolveError`]; [`SolveError::Damaged`] also when `shortest` is no shortest solution of the board.
    pub fn solutions_beside(
        &self,
        board: &Board,
        shortest: &Solution,
        most: usize,
        limits: Limits,
    ) -> Result<Solutions, SolveError> {
        let state = solvable_state(&self.goal, board)?;
        let spent = shortest.effort;
        let length = count_runs(&shortest.moves);
        let nodes = limits
            .nodes
            .map(|most| most.saturating_sub(spent.generated));
        let limits = Limits { nodes, ..limits };
        let (mut moves, mut count) = (Vec::new(), 0);
        let solved = |runs: &[Run]| {
            count += 1;
            if moves.len() < most {
                moves.push(single_moves(runs));
            }
            ControlFlow::Continue(())
        };
        let (effort, is_complete) = self.search(&state, length as i32, limits, 1, solved)?;
        let effort = SearchStats {
            generated: spent.generated + effort.generated,
            expanded: spent.expanded + effort.expanded,
            ..effort
        };
        if !is_complete {
            return Err(SolveError::Limit(effort));
        }
        if effort.bound as usize != length {
            return Err(DamagedTable(None).into());
        }
        for moves in &moves {
            self.check(board, moves, effort)?;
        }
        Ok(Solutions {
            length,
            counts: vec![count],
            moves,
            effort,
        })
    }

    /// Whatever was in the tables, what is returned does solve the board in as many runs as the bound says.
    fn check(
        &self,
        board: &Board,
        moves: &[Direction],
        effort: SearchStats,
    ) -> Result<(), SolveError> {
        let is_as_long = count_runs(moves) == effort.bound as usize;
        match board.play(moves) {
            Ok(end) if is_as_long && end == *self.goal.board() => Ok(()),
            _ => Err(DamagedTable(None).into()),
        }
    }

    /// Searches up to the first bound from `least` on with a solution; `solved` hears of each and may end the search. Also whether that bound
    /// was gone through to the end.
    fn search(
        &self,
        state: &State,
        least: i32,
        limits: Limits,
        threads: usize,
        solved: impl FnMut(&[Run]) -> ControlFlow<()> + Send,
    ) -> Result<(SearchStats, bool), SolveError> {
        let found = match TableHeuristic::new(&self.tables) {
            Some(tables) => deepen(&tables, state, least, limits, threads, solved),
            None => deepen(
                &LineCrossings::new(state.tray()),
                state,
                least,
                limits,
                threads,
                solved,
            ),
        };
        Ok(found?)
    }
}

/// Searches with growing bounds, the first at least `least`.
fn deepen(
    guide: &impl MultiHeuristic,
    state: &State,
    least: i32,
    limits: Limits,
    threads: usize,
    mut solved: impl FnMut(&[Run]) -> ControlFlow<()> + Send,
) -> Result<(SearchStats, bool), DamagedTable> {
    let start = StartNode::root(guide, state)?;
    let h0 = start.estimate();
    let mut bound = h0.max(least);
    let mut search = RunSearch::new(guide, state.tray(), state.goal_blank().index(), limits);
    let mut is_solved = false;
    let mut last = [0, 0];
    let is_complete = loop {
        let before = search.nodes.generated;
        search.status = SearchStatus {
            bound: bound as u32,
            generated: before,
            in_iteration: 0,
            last,
            threads: 1,
        };
        let hear = |runs: &[Run]| {
            is_solved = true;
            solved(runs)
        };
        let iteration = if threads > 1 && before > PARALLEL_FROM {
            iterate_in_parallel(&mut search, &start, bound, threads, hear)
        } else {
            search.iterate(&start, bound, hear)
        };
        last = [search.nodes.generated - before, last[0]];
        match iteration {
            BoundEnd::Exhausted(_) if is_solved => break true,
            BoundEnd::Exhausted(Some(next)) if next > bound => bound = next,
            // Nothing was pruned and nothing found, although the state is solvable: the values are wrong.
            BoundEnd::Exhausted(_) => return Err(DamagedTable(None)),
            BoundEnd::Limited | BoundEnd::Ended => break false,
        }
    };
    let effort = SearchStats {
        generated: search.nodes.generated,
        expanded: search.nodes.expanded,
        h0: h0 as u32,
        bound: bound as u32,
    };
    Ok((effort, is_complete))
}

/// Nodes generated up to a bound from which on the next is shared out between threads: some milliseconds of work.
const PARALLEL_FROM: u64 = 20_000;
