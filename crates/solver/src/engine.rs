//! The facade: a goal and its tables, ready to solve boards.

use pdb_gen::{BuildError, build};
use pdb_table::{Encoding, Table, TableError};
use puzzle::{Board, Direction, Goal, Kind, Plan, TableId, Tray, Unsolvable};

use crate::heuristic::{AnyProbe, DamagedTable, Heuristic, OneBitProbe, TableBytes};
use crate::search::{Limits, Report, search};

/// Solves boards for one goal with one set of tables. Can be shared between threads.
pub struct Solver {
    goal: Goal,
    plan: Plan,
    heuristic: Heuristic,
}

/// A shortest solution, replayed and found to reach the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The tiles' moves; their number is proved optimal.
    pub moves: Vec<Direction>,
    /// What the search cost.
    pub effort: Effort,
}

/// What a search cost and knew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
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
    Limit(Effort),
    /// A table is not what its own values imply.
    #[error(transparent)]
    Damaged(#[from] DamagedTable),
}

/// A solver that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetUpError {
    /// A table could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A table is not the one needed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The plan is for another goal.
    #[error("the tables' plan is for another size or blank cell than the goal's")]
    OtherGoal,
    /// The plan is for the other metric.
    #[error("the tables' plan is for the other metric: single moves or runs of tiles")]
    OtherMetric,
}

impl Solver {
    /// Builds the tables of a plan in memory.
    ///
    /// # Errors
    /// [`SetUpError`].
    pub fn build(goal: Goal, plan: Plan) -> Result<Solver, SetUpError> {
        Solver::with_tables(goal, plan, |id| {
            let table = build(id, Encoding::default_for(id.kind), &mut ())?.into_table();
            Ok::<_, SetUpError>(table)
        })
    }

    /// Takes the tables of a plan from `open`, which is asked once for each. Their sums are not checked here, see
    /// [`Table::check_payload`].
    ///
    /// # Errors
    /// Those of `open`, and [`SetUpError`] for tables that are not the ones asked for.
    pub fn with_tables<D, E>(
        goal: Goal,
        plan: Plan,
        mut open: impl FnMut(TableId) -> Result<Table<D>, E>,
    ) -> Result<Solver, E>
    where
        D: AsRef<[u8]> + Send + Sync + 'static,
        E: From<SetUpError>,
    {
        if (goal.tray(), goal.blank()) != (plan.tray(), plan.goal_blank()) {
            return Err(SetUpError::OtherGoal.into());
        }
        if plan.patterns().any(|(_, kind)| kind == Kind::Runs) {
            return Err(SetUpError::OtherMetric.into());
        }
        let opened = Heuristic::new(&plan, |id| {
            let table = open(id).map_err(Opened::Caller)?;
            Ok(table.map_data(TableBytes::new))
        });
        let heuristic = opened.map_err(|error| match error {
            Opened::Caller(error) => error,
            Opened::Table(error) => SetUpError::Table(error).into(),
        })?;
        Ok(Solver {
            goal,
            plan,
            heuristic,
        })
    }

    /// The goal.
    #[must_use]
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// What the heuristic is made of.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Finds a shortest solution. Time grows exponentially with what the heuristic does not know.
    ///
    /// # Errors
    /// [`SolveError`]; never [`SolveError::Limit`].
    pub fn solve(&self, board: &Board) -> Result<Solution, SolveError> {
        self.solve_within(board, Limits::default())
    }

    /// Finds a shortest solution unless a limit is reached first.
    ///
    /// # Errors
    /// [`SolveError`].
    pub fn solve_within(&self, board: &Board, limits: Limits) -> Result<Solution, SolveError> {
        let expected = self.goal.tray();
        let found = board.tray();
        let state = self
            .goal
            .state(board)
            .ok_or(SolveError::Size { found, expected })?;
        state.check_solvable().map_err(SolveError::Unsolvable)?;
        let order = self.plan.order();
        let run = match (self.heuristic.is_complete(), self.heuristic.is_one_bit()) {
            (true, true) => search::<OneBitProbe, false>,
            (true, false) => search::<AnyProbe, false>,
            (false, _) => search::<AnyProbe, true>,
        };
        let Report {
            moves,
            bound,
            h0,
            generated,
            expanded,
        } = run(&self.heuristic, &state, order, limits)?;
        let effort = Effort {
            generated,
            expanded,
            h0,
            bound,
        };
        let moves = moves.ok_or(SolveError::Limit(effort))?;
        // Every answer is replayed: whatever was in the tables, what is returned does solve the board. And with an
        // admissible heuristic IDA* finds a solution exactly as long as its last bound.
        let is_as_long = moves.len() == bound as usize;
        match board.play(&moves) {
            Ok(end) if is_as_long && end == *self.goal.board() => Ok(Solution { moves, effort }),
            _ => Err(DamagedTable(None).into()),
        }
    }
}

enum Opened<E> {
    Caller(E),
    Table(TableError),
}

impl<E> From<TableError> for Opened<E> {
    fn from(error: TableError) -> Self {
        Opened::Table(error)
    }
}
