//! The facade: a goal and its tables, ready to solve boards.

use pdb_gen::{BuildError, build};
use pdb_table::{Control, Encoding, Table, TableError};
use puzzle::{Board, Direction, Goal, HeuristicSpec, State, TableId, TableKind, Tray, Unsolvable};

use crate::lookup::{General, Heuristic, OneBit};
use crate::move_table::{DuplicatePruning, PruningSchedule};
use crate::packed_board::PackedBoard;
use crate::row_index::RowWord;
use crate::search::{Limits, Report, Request, search};
use crate::table_set::{AnyBytes, DamagedTable};

/// Solves boards for one goal with one set of tables. Can be shared between threads.
pub struct Solver {
    goal: Goal,
    spec: HeuristicSpec,
    tables: Tables,
    ladder: PruningSchedule,
}

/// The tables, made ready for boards of a size.
enum Tables {
    /// Up to 16 cells.
    Small(Heuristic<u64>),
    /// More.
    Large(Heuristic<u128>),
}

/// A shortest solution, replayed and found to reach the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The tiles' moves; their number is proved optimal.
    pub moves: Vec<Direction>,
    /// What the search cost.
    pub effort: SearchStats,
}

/// Solutions of a board, see [`Solver::solutions`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solutions {
    /// Moves of a shortest one.
    pub length: usize,
    /// How many there are with 0, 1, 2, ... moves more.
    pub counts: Vec<u64>,
    /// The tiles' moves of the first ones: shorter ones first, equally long ones in the order in which moves are tried. Each
    /// was replayed and found to reach the goal.
    pub moves: Vec<Vec<Direction>>,
    /// What finding them cost.
    pub effort: SearchStats,
}

/// What a search cost and knew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchStats {
    /// Generated nodes: every child of an expanded node but the one that undoes the last move, counted before
    /// pruning when depth-first search comes to it, over all iterations, the root not included.
    pub generated: u64,
    /// Expanded nodes: those whose children were generated.
    pub expanded: u64,
    /// The heuristic's value of the board.
    pub h0: u32,
    /// No solution is shorter than this.
    pub bound: u32,
}

/// A board that was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The board is of another size than the goal.
    #[error("the board is {found}, but the goal is {expected}")]
    Size {
        /// The board's size.
        found: Tray,
        /// The goal's size.
        expected: Tray,
    },
    /// The goal cannot be reached.
    #[error("{0}")]
    Unsolvable(Unsolvable),
    /// The limits were reached first.
    #[error("stopped after {} nodes: no solution is shorter than {} moves", .0.generated, .0.bound)]
    Limit(SearchStats),
    /// A table is not what its own values imply.
    #[error(transparent)]
    Damaged(#[from] DamagedTable),
}

/// A solver that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// A table could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A table is not the one needed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// More than a search has room for.
    #[error("{0} partitions with their images are too many: at most 32, of 128 parts together")]
    Views(usize),
    /// The spec is for another goal.
    #[error("the tables' spec is for another size or blank cell than the goal's")]
    OtherGoal,
    /// The spec is for the other metric.
    #[error("the tables' spec is for the other metric: single moves or runs of tiles")]
    OtherMetric,
}

impl Solver {
    /// Builds the tables of a spec in memory.
    ///
    /// # Errors
    /// [`SolverError`].
    pub fn build(goal: Goal, spec: HeuristicSpec) -> Result<Solver, SolverError> {
        Solver::with_tables(goal, spec, |id| {
            let table =
                build(id, Encoding::default_for(id.kind()), &Control::default())?.into_table();
            Ok::<_, SolverError>(table)
        })
    }

    /// Takes the tables of a spec from `open`, which is asked once for each. Their sums are not checked here, see
    /// [`Table::check_payload`].
    ///
    /// # Errors
    /// Those of `open`, and [`SolverError`] for tables that are not the ones asked for.
    pub fn with_tables<D, E>(
        goal: Goal,
        spec: HeuristicSpec,
        mut open: impl FnMut(TableId) -> Result<Table<D>, E>,
    ) -> Result<Solver, E>
    where
        D: AsRef<[u8]> + Send + Sync + 'static,
        E: From<SolverError>,
    {
        if (goal.tray(), goal.blank()) != (spec.tray(), spec.goal_blank()) {
            return Err(SolverError::OtherGoal.into());
        }
        if spec
            .patterns()
            .any(|(_, kind)| kind == TableKind::MultiTile)
        {
            return Err(SolverError::OtherMetric.into());
        }
        let views = spec.views();
        let parts: usize = views.iter().map(|view| view.patterns().len()).sum();
        if views.len() > MAX_VIEWS || parts > MAX_PARTS {
            return Err(SolverError::Views(views.len()).into());
        }
        let open = |id| {
            let table = open(id).map_err(Opened::Caller)?;
            Ok(table.map_data(AnyBytes::new))
        };
        let opened = if goal.tray().cells() <= 16 {
            Heuristic::new(&spec, open).map(Tables::Small)
        } else {
            Heuristic::new(&spec, open).map(Tables::Large)
        };
        let tables = opened.map_err(Opened::into_error)?;
        Ok(Solver {
            ladder: PruningSchedule::new(spec.tray(), spec.order()),
            goal,
            spec,
            tables,
        })
    }

    /// The same solver with another way of pruning duplicate paths. Lengths and solutions stay the same, node counts do not.
    #[must_use]
    pub fn with_pruning(mut self, pruning: DuplicatePruning) -> Self {
        self.ladder.pruning = pruning;
        self
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

    /// All solutions of up to `within` moves more than a shortest one, and the moves of the first `most` of them, shorter ones
    /// first. A solution never undoes a move at once and ends when it first reaches the goal. Takes a search with the
    /// last bound more than [`Self::solve`], without pruning duplicate paths: time and number grow about fivefold with
    /// every two moves more.
    ///
    /// # Errors
    /// [`SolveError`].
    pub fn solutions(
        &self,
        board: &Board,
        within: u32,
        most: usize,
        limits: Limits,
    ) -> Result<Solutions, SolveError> {
        let shortest = self.solve_within(board, limits)?;
        self.solutions_beside(board, &shortest, within, most, limits)
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
        within: u32,
        most: usize,
        limits: Limits,
    ) -> Result<Solutions, SolveError> {
        let state = solvable_state(&self.goal, board)?;
        let spent = shortest.effort;
        let length = shortest.moves.len();
        let nodes = limits
            .nodes
            .map(|most| most.saturating_sub(spent.generated));
        let request = Request::UpTo {
            length: (length as u32).saturating_add(within),
            shortest: length as u32,
            most,
        };
        let report = self.search(&state, request, Limits { nodes, ..limits })?;
        let effort = SearchStats {
            generated: spent.generated + report.nodes.generated,
            expanded: spent.expanded + report.nodes.expanded,
            ..spent
        };
        if !report.is_finished {
            return Err(SolveError::Limit(effort));
        }
        let is_sound =
            |moves: &Vec<Direction>| board.play(moves).is_ok_and(|end| end == *self.goal.board());
        let first = report.lengths.iter().position(|&count| count > 0);
        if first != Some(length) || !report.solutions.iter().all(is_sound) {
            return Err(DamagedTable(None).into());
        }
        let mut counts: Vec<u64> = report.lengths.into_iter().skip(length).collect();
        // None are longer than the longest that was met, whatever was asked for.
        counts.resize(counts.len().max(within.min(MAX_COUNTS) as usize + 1), 0);
        Ok(Solutions {
            length,
            counts,
            moves: report.solutions,
            effort,
        })
    }

    fn search(
        &self,
        state: &State,
        request: Request,
        limits: Limits,
    ) -> Result<Report, DamagedTable> {
        let ladder = &self.ladder;
        match &self.tables {
            Tables::Small(tables) => run::<u64, _>(tables, state, ladder, request, limits),
            Tables::Large(tables) if state.tray().cells() <= 25 => {
                run::<[u8; 25], _>(tables, state, ladder, request, limits)
            }
            // No table is that large: there are no views, only Manhattan distance.
            Tables::Large(tables) => {
                search::<[u16; 400], _, General, 1, 1>(tables, state, ladder, request, limits)
            }
        }
    }

    /// Finds a shortest solution unless a limit is reached first.
    ///
    /// # Errors
    /// [`SolveError`].
    pub fn solve_within(&self, board: &Board, limits: Limits) -> Result<Solution, SolveError> {
        let state = solvable_state(&self.goal, board)?;
        let report = self.search(&state, Request::Shortest, limits)?;
        let effort = SearchStats::of(&report);
        if !report.is_finished {
            return Err(SolveError::Limit(effort));
        }
        let moves = report.solutions.into_iter().next().unwrap_or_default();
        // Every answer is replayed: whatever was in the tables, what is returned does solve the board. And with an
        // admissible heuristic IDA* finds a solution exactly as long as its last bound.
        let is_as_long = moves.len() == effort.bound as usize;
        match board.play(&moves) {
            Ok(end) if is_as_long && end == *self.goal.board() => Ok(Solution { moves, effort }),
            _ => Err(DamagedTable(None).into()),
        }
    }
}

/// Chooses the copy of the search with the least room that is enough: less room is less to copy
/// with every node. Measured against the next larger copy, one thread, cycles of the process:
/// (6, 12) gains 3 to 6 % with `fewest` and `small`, (6, 24) 10 % with 3-3-3-3-3+4-4-4-3. Nodes of
/// (2, 4) fill a cache line on 4x4. Room for 2 views and 8 parts gains nothing over (4, 8).
fn run<B: PackedBoard, W: RowWord>(
    tables: &Heuristic<W>,
    state: &State,
    ladder: &PruningSchedule,
    request: Request,
    limits: Limits,
) -> Result<Report, DamagedTable> {
    let (views, parts) = (tables.views(), tables.parts());
    let run = if tables.is_complete() && tables.is_one_bit() {
        match (views, parts) {
            (0..=2, 0..=4) => search::<B, W, OneBit, 2, 4>,
            (0..=4, 0..=8) => search::<B, W, OneBit, 4, 8>,
            (0..=6, 0..=12) => search::<B, W, OneBit, 6, 12>,
            (0..=6, 0..=24) => search::<B, W, OneBit, 6, 24>,
            (0..=8, 0..=32) => search::<B, W, OneBit, 8, 32>,
            _ => search::<B, W, OneBit, MAX_VIEWS, MAX_PARTS>,
        }
    } else {
        match (views, parts) {
            (0..=4, 0..=8) => search::<B, W, General, 4, 8>,
            _ => search::<B, W, General, MAX_VIEWS, MAX_PARTS>,
        }
    };
    run(tables, state, ladder, request, limits)
}

/// Counts of solutions are given for up to so many moves more than a shortest one, even where there are none.
const MAX_COUNTS: u32 = 1000;

/// The most views and parts of all views that a solver takes.
const MAX_VIEWS: usize = 32;
const MAX_PARTS: usize = 128;

impl SearchStats {
    fn of(report: &Report) -> SearchStats {
        SearchStats {
            generated: report.nodes.generated,
            expanded: report.nodes.expanded,
            h0: report.h0,
            bound: report.bound,
        }
    }
}

/// The state of a board that has a solution.
pub(crate) fn solvable_state(goal: &Goal, board: &Board) -> Result<State, SolveError> {
    let (found, expected) = (board.tray(), goal.tray());
    let state = goal.state(board);
    let state = state.ok_or(SolveError::Size { found, expected })?;
    state.check_solvable().map_err(SolveError::Unsolvable)?;
    Ok(state)
}

/// Why a table could not be taken: by whoever opens it, or for what it is.
pub(crate) enum Opened<E> {
    Caller(E),
    Table(TableError),
}

impl<E: From<SolverError>> Opened<E> {
    pub(crate) fn into_error(self) -> E {
        match self {
            Opened::Caller(error) => error,
            Opened::Table(error) => SolverError::Table(error).into(),
        }
    }
}

impl<E> From<TableError> for Opened<E> {
    fn from(error: TableError) -> Self {
        Opened::Table(error)
    }
}
