//! The facade: a goal and its tables, ready to solve boards in either metric.

use std::fmt;
use std::sync::Arc;

use pdb_gen::{BuildError, BuildEvent, build};
use pdb_table::{Control, Encoding, Table, TableError};
use puzzle::{Board, Direction, Goal, HeuristicSpec, Metric, State, TableId};

use crate::anytime::{Anytime, BeamEnd, BeamTask};
use crate::list::ordered_map;
use crate::multi::MultiTile;
use crate::options::{Call, Mode, SolveOptions};
use crate::probe::{self, Probe};
use crate::question::Question;
use crate::report::Report;
use crate::search::{self, Limits, Request, ThreadPermits};
use crate::single::SingleTile;
use crate::solution::{LimitReached, Method, SearchStats, Solution, Solutions, SolveError};
use crate::strategic;
use crate::table_set::{AnyBytes, DamagedTable};

/// Solves boards for one goal with one set of tables, in the metric of its specification. Can be
/// shared between threads.
///
/// ```
/// use puzzle::{Board, Goal, HeuristicSpec, Metric};
/// use solver::Solver;
///
/// let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
/// let goal = Goal::blank_last(board.tray());
/// let single = HeuristicSpec::parse("8", &goal)?; // 4x4: "6-6-3"
/// let multi = HeuristicSpec::builder(&goal).metric(Metric::Multi).parse_default()?;
/// for (spec, length) in [(single, 31), (multi, 20)] {
///     let solver = Solver::build(goal.clone(), spec)?;
///     assert_eq!(solver.solve(&board)?.length, length); // proved optimal
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    goal: Goal,
    spec: HeuristicSpec,
    engine: Engine,
}

/// The tables and the search of a metric.
enum Engine {
    Single(SingleTile),
    Multi(MultiTile),
}

/// A solver that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// A table could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A table is not the one needed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table is not among those that are given.
    #[error("{table} is missing: {name} needs it")]
    NotGiven {
        /// The table.
        table: String,
        /// The name of the partition.
        name: String,
    },
    /// A table that is given is not one of the specification's.
    #[error("{table} is not a table of {name}: expected {expected}")]
    NotNeeded {
        /// The table.
        table: String,
        /// The name of the partition.
        name: String,
        /// The tables that it needs, or `none`.
        expected: String,
    },
    /// A table is given twice.
    #[error("{0} is given twice")]
    GivenTwice(String),
    /// More than a search has room for.
    #[error("{0} partitions with their images are too many: at most 32, of 128 parts together")]
    Views(usize),
    /// The specification is for another goal.
    #[error("the tables' specification is for another size or blank cell than the goal's")]
    OtherGoal,
}

impl Solver {
    /// Builds the tables of a specification in memory.
    ///
    /// # Errors
    /// [`SolverError`].
    pub fn build(goal: Goal, spec: HeuristicSpec) -> Result<Solver, SolverError> {
        Solver::build_with(goal, spec, &Control::default())
    }

    /// [`Self::build`] with a listener, and stopped by a token.
    ///
    /// # Errors
    /// [`SolverError`]; [`BuildError::Cancelled`] when it was stopped.
    pub fn build_with(
        goal: Goal,
        spec: HeuristicSpec,
        control: &Control<BuildEvent>,
    ) -> Result<Solver, SolverError> {
        Solver::with_tables(goal, spec, |id| {
            let table = build(id, Encoding::default_for(id.kind()), control)?.into_table();
            Ok::<_, SolverError>(table)
        })
    }

    /// Takes the tables of a specification from `open`, which is asked once for each. Their sums
    /// are not checked here, see [`Table::check_payload`].
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
        let open = |id| {
            let table = open(id).map_err(OpenedBy::Caller)?;
            Ok(table.map_data(AnyBytes::new))
        };
        Solver::check_room(&spec)?;
        let engine = match spec.metric() {
            Metric::Single => SingleTile::new(&spec, open).map(Engine::Single),
            Metric::Multi => MultiTile::new(&spec, open).map(Engine::Multi),
        };
        let engine = engine.map_err(|error| match error {
            OpenedBy::Caller(error) => error,
            OpenedBy::Engine(error) => SolverError::Table(error).into(),
        })?;
        Ok(Solver { goal, spec, engine })
    }

    /// Whether a search has room for all that a specification has, which its tables do not tell.
    ///
    /// # Errors
    /// [`SolverError::Views`].
    pub fn check_room(spec: &HeuristicSpec) -> Result<(), SolverError> {
        match spec.metric() {
            Metric::Single if !SingleTile::has_room_for(spec) => {
                Err(SolverError::Views(spec.views().len()))
            }
            _ => Ok(()),
        }
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

    /// What lengths count.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.spec.metric()
    }

    /// The heuristic's value of a board, without a search: no solution is shorter. Takes some
    /// microseconds.
    ///
    /// # Errors
    /// [`SolveError`]; never [`SolveError::Limit`].
    ///
    /// ```
    /// use puzzle::{Board, Goal, HeuristicSpec};
    /// use solver::Solver;
    ///
    /// let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
    /// let goal = Goal::blank_last(board.tray());
    /// let spec = HeuristicSpec::parse("manhattan", &goal)?;
    /// assert_eq!(Solver::build(goal, spec)?.estimate(&board)?, 21);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimate(&self, board: &Board) -> Result<u32, SolveError> {
        let state = check_board(&self.goal, board)?;
        Ok(self.estimate_of(&state)?)
    }

    /// [`Self::estimate`] of a state of the goal that can be solved.
    pub(crate) fn estimate_of(&self, state: &State) -> Result<u32, DamagedTable> {
        // Without the searches, which are much code: those who only estimate do not link it.
        match &self.engine {
            Engine::Single(engine) => engine.estimate(state),
            Engine::Multi(engine) => engine.estimate(state),
        }
    }

    /// The engine of single moves, if that is the metric.
    pub(crate) fn single(&self) -> Option<&SingleTile> {
        match &self.engine {
            Engine::Single(engine) => Some(engine),
            Engine::Multi(_) => None,
        }
    }

    /// Everything that the heuristic knows of a board, without a search: for each view and part the
    /// entry that is looked up, where it stands in its table's file, and the value. Looks entries
    /// up in a plain way of its own, which shares no code with the search; takes some microseconds
    /// a part.
    ///
    /// # Errors
    /// [`SolveError`]; never [`SolveError::Limit`].
    ///
    /// ```
    /// use puzzle::{Board, Goal, HeuristicSpec};
    /// use solver::Solver;
    ///
    /// let board = Board::parse("2 8 3/0 6 4/7 1 5", None)?;
    /// let goal = Goal::blank_last(board.tray());
    /// let spec = HeuristicSpec::parse("1,2,3,4/5,6,7,8", &goal)?;
    /// let solver = Solver::build(goal, spec)?;
    /// let probe = solver.probe(&board)?;
    /// assert_eq!(probe.estimate, solver.estimate(&board)?);
    /// let sums: Vec<u32> = probe.views.iter().map(|view| view.sum).collect();
    /// assert_eq!(sums, [15, 17]); // the partition and its reflection
    /// let part = &probe.views[0].parts[1];
    /// assert_eq!((&part.tiles[..], part.value), (&[5, 6, 7, 8][..], 9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe(&self, board: &Board) -> Result<Probe, SolveError> {
        let state = check_board(&self.goal, board)?;
        let find = |id| match &self.engine {
            Engine::Single(engine) => engine.find(id),
            Engine::Multi(engine) => engine.find(id),
        };
        Ok(probe::probe(&self.goal, &self.spec, &state, find)?)
    }

    /// Finds a shortest solution. Time grows exponentially with what the heuristic does not know.
    ///
    /// # Errors
    /// [`SolveError`]; never [`SolveError::Limit`].
    pub fn solve(&self, board: &Board) -> Result<Solution, SolveError> {
        self.solve_with(board, &SolveOptions::default())
    }

    /// Finds a solution of the kind that the options ask for: [`SolveOptions::mode`].
    ///
    /// # Errors
    /// [`SolveError`]; [`SolveError::Limit`] only where a shortest solution is wanted.
    pub fn solve_with(
        &self,
        board: &Board,
        options: &SolveOptions,
    ) -> Result<Solution, SolveError> {
        let state = check_board(&self.goal, board)?;
        let call = Call::begin(options);
        match options.mode {
            Mode::Optimal => self.shortest(board, &state, &call, options),
            Mode::Strategic => self.strategic(board, &state, &call, options),
            Mode::Anytime => Anytime::solve(self, board, &state, &call, options),
        }
    }

    /// All solutions of up to `within` moves more than a shortest one, and the moves of the first
    /// `max_solutions` of them, shorter ones first. A solution never undoes a move at once and ends
    /// when it first reaches the goal. Takes a search with the last bound more than
    /// [`Self::solve`], without pruning duplicate paths: time and number grow about fivefold with
    /// every two moves more.
    ///
    /// # Errors
    /// [`SolveError`]; [`SolveError::LongerSolutions`] in the multi-tile metric if `within` is not
    /// 0.
    ///
    /// ```
    /// use puzzle::{Board, Goal, HeuristicSpec};
    /// use solver::{SolveOptions, Solver};
    ///
    /// let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
    /// let goal = Goal::blank_last(board.tray());
    /// let solver = Solver::build(goal.clone(), HeuristicSpec::parse("8", &goal)?)?;
    /// let found = solver.all_solutions(&board, 2, 10, &SolveOptions::default())?;
    /// assert_eq!((found.length, found.moves.len()), (31, 10));
    /// assert_eq!(found.counts, [40, 0, 207]); // of 31, 32 and 33 moves
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_solutions(
        &self,
        board: &Board,
        within: u32,
        max_solutions: usize,
        options: &SolveOptions,
    ) -> Result<Solutions, SolveError> {
        if within > 0 && self.metric() == Metric::Multi {
            return Err(SolveError::LongerSolutions);
        }
        let state = check_board(&self.goal, board)?;
        let call = Call::begin(options);
        let shortest = self.shortest(board, &state, &call, options)?;
        let length = shortest.length;
        let request = Request::UpTo {
            length: length.saturating_add(within),
            shortest: length,
            most: max_solutions,
        };
        let report = self.search(&state, request, call.limits(shortest.stats.generated))?;
        let mut iterations = shortest.stats.iterations.clone();
        iterations.extend(report.iterations);
        let stats = SearchStats::new(shortest.stats.h0, iterations);
        if !report.is_finished {
            return Err(SolveError::Limit(Box::new(LimitReached {
                lower_bound: length,
                shortest: Some(shortest),
                stats,
            })));
        }
        let first = report.lengths.iter().position(|&count| count > 0);
        let are_sound = report
            .solutions
            .iter()
            .all(|moves| self.solves(board, moves));
        if first != Some(length as usize) || !are_sound {
            return Err(DamagedTable(None).into());
        }
        let mut counts: Vec<u64> = report.lengths.into_iter().skip(length as usize).collect();
        // None are longer than the longest that was met, whatever was asked for.
        counts.resize(counts.len().max(within.min(MAX_COUNTS) as usize + 1), 0);
        Ok(Solutions {
            length,
            counts,
            moves: report.solutions,
            stats,
        })
    }

    /// Solves boards on the options' threads together and calls `on_report` with each board's
    /// number from 0 and its report, in the order of the boards. Boards may be without end: they
    /// are taken when threads are free for them, and no more when the options' token is cancelled.
    /// The limits are those of each board; threads without a board help with those that take long.
    ///
    /// The crate's page has an example.
    pub fn solve_list(
        &self,
        boards: impl IntoIterator<Item = Board, IntoIter: Send>,
        options: &SolveOptions,
        on_report: impl FnMut(usize, Report) + Send,
    ) {
        // Not those of the options: threads that are out of boards would stay there for ever.
        let permits = Arc::new(ThreadPermits::default());
        let boards = boards.into_iter();
        let boards = boards.take_while(|_| !options.cancel.is_cancelled());
        let question = Question::new(options.clone().permits(&permits));
        let solve = |board: Board| self.answer(&board, &question).report;
        ordered_map(boards, options.thread_count(), &permits, solve, on_report);
    }

    /// A solution of up to `length` moves, from a caller who knows that no solution is shorter;
    /// `None` if there is none. `generated` counts the nodes of the searches before this one, and
    /// takes those of this one in.
    ///
    /// # Errors
    /// [`SolveError`]; [`SolveError::Limit`] where it is left open.
    pub(crate) fn at_most(
        &self,
        board: &Board,
        length: u32,
        call: &Call,
        options: &SolveOptions,
        generated: &mut u64,
    ) -> Result<Option<Vec<Direction>>, SolveError> {
        let state = check_board(&self.goal, board)?;
        let limits = Limits {
            from: length,
            until: Some(length + 1),
            ..call.limits(*generated)
        };
        let report = self.search(&state, Request::Shortest(options.pruning), limits)?;
        let stats = SearchStats::new(report.h0, report.iterations);
        *generated += stats.generated;
        if !report.is_finished {
            // Ended by the length, or by a limit before.
            return match report.bound > length {
                true => Ok(None),
                false => Err(SolveError::Limit(Box::new(LimitReached {
                    lower_bound: length,
                    shortest: None,
                    stats,
                }))),
            };
        }
        let found = report.solutions.into_iter().next();
        match found {
            // A shorter one, too, is not what the proof before this search allows.
            Some(moves)
                if self.metric().length(&moves) as u32 != length || !self.solves(board, &moves) =>
            {
                Err(DamagedTable(None).into())
            }
            found => Ok(found),
        }
    }

    pub(crate) fn shortest(
        &self,
        board: &Board,
        state: &State,
        call: &Call,
        options: &SolveOptions,
    ) -> Result<Solution, SolveError> {
        let request = Request::Shortest(options.pruning);
        let report = self.search(state, request, call.limits(0))?;
        let stats = SearchStats::new(report.h0, report.iterations);
        let lower_bound = report.bound;
        if !report.is_finished {
            return Err(SolveError::Limit(Box::new(LimitReached {
                lower_bound,
                shortest: None,
                stats,
            })));
        }
        let moves = report.solutions.into_iter().next().unwrap_or_default();
        let length = self.metric().length(&moves) as u32;
        // With an admissible heuristic IDA* finds a solution exactly as long as its last bound.
        if length != lower_bound || !self.solves(board, &moves) {
            return Err(DamagedTable(None).into());
        }
        Ok(Solution {
            moves,
            length,
            lower_bound,
            is_optimal: true,
            method: Method::Search,
            stats,
        })
    }

    /// Moves as a solution of which nothing is proved.
    pub(crate) fn solution(&self, moves: Vec<Direction>, method: Method) -> Solution {
        Solution {
            length: self.metric().length(&moves) as u32,
            moves,
            lower_bound: 0,
            is_optimal: false,
            method,
            stats: SearchStats::default(),
        }
    }

    /// A beam search; `None` where there is nothing that it could go by.
    pub(crate) fn beam(
        &self,
        state: &State,
        task: BeamTask,
    ) -> Result<Option<BeamEnd>, DamagedTable> {
        match &self.engine {
            Engine::Single(engine) => engine.beam(state, task),
            Engine::Multi(_) => Ok(None),
        }
    }

    /// A solution at once. Its lower bound is the heuristic's estimate.
    fn strategic(
        &self,
        board: &Board,
        state: &State,
        call: &Call,
        options: &SolveOptions,
    ) -> Result<Solution, SolveError> {
        let moves = match options.short {
            true => strategic::short_until(&self.goal, state, &|| call.is_over()),
            false => strategic::explain(&self.goal, state).map(|found| found.moves),
        };
        let Some(moves) = moves.filter(|moves| self.solves(board, moves)) else {
            // Not reached: these methods solve every state that can be solved.
            return self.shortest(board, state, call, options);
        };
        let lower_bound = self.estimate_of(state)?;
        let solution = self.solution(moves, Method::Strategic);
        Ok(Solution {
            lower_bound,
            is_optimal: solution.length == lower_bound,
            stats: SearchStats::new(lower_bound, Vec::new()),
            ..solution
        })
    }

    /// Whether moves lead to the goal. Every answer is replayed: whatever was in the tables, what
    /// is returned does solve the board.
    pub(crate) fn solves(&self, board: &Board, moves: &[Direction]) -> bool {
        board.play(moves).is_ok_and(|end| end == *self.goal.board())
    }

    pub(crate) fn search(
        &self,
        state: &State,
        request: Request,
        limits: Limits,
    ) -> Result<search::SearchOutcome, DamagedTable> {
        match &self.engine {
            Engine::Single(engine) => engine.search(state, request, limits),
            Engine::Multi(engine) => engine.search(state, request, limits),
        }
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("goal", &self.goal)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}

/// Counts of solutions are given for up to this many moves more than a shortest one, even where
/// there are none.
const MAX_COUNTS: u32 = 1000;

/// Checks that a board can be solved, which needs no tables. The state is the board as the goal
/// sees it.
///
/// # Errors
/// [`SolveError::Size`] and [`SolveError::Unsolvable`].
pub fn check_board(goal: &Goal, board: &Board) -> Result<State, SolveError> {
    let (found, expected) = (board.tray(), goal.tray());
    let state = goal.state(board);
    let state = state.ok_or(SolveError::Size { found, expected })?;
    state.check_solvable().map_err(SolveError::Unsolvable)?;
    Ok(state)
}

/// Why a table could not be taken: by whoever opens it, or for what it is.
enum OpenedBy<E> {
    Caller(E),
    Engine(TableError),
}

impl<E> From<TableError> for OpenedBy<E> {
    fn from(error: TableError) -> Self {
        OpenedBy::Engine(error)
    }
}
