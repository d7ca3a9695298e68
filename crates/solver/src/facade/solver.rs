//! The facade: a goal and its tables, ready to solve boards in either metric.

mod answers;

use std::fmt;
use std::sync::OnceLock;

use pdb_gen::{BuildError, build};
use pdb_table::{Code, Control, Encoding, SharedTable, Table, TableError, codes, hex};
use puzzle::{Board, Direction, Goal, HeuristicSpec, Metric, TableId, Tray, binomial, factorial};
use sha2::{Digest as _, Sha256};

use super::probe::{self, Probe};
use crate::anytime;
use crate::calls::{
    Call, LimitReached, Limits, Method, Mode, Problem, Request, SearchOutcome, SearchRecord,
    SearchStats, Side, Solution, Solutions, SolveError, SolveOptions,
};
use crate::machine::has_bit_counting;
use crate::metric_search::MetricSearch;
use crate::sides::Sides;
use crate::strategic;
use crate::tables::DamagedTable;

/// Solves boards for one goal with one set of tables, in the metric of the tables' specification.
/// Threads can share a solver.
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
    pub(crate) search: Sides,
    /// In the multi-tile metric: single-tile tables that guide the beams of anytime searches, made
    /// for the first such search.
    guide: OnceLock<Option<Box<Solver>>>,
}

/// Partition of the tables that guide beams in the multi-tile metric: parts of up to five tiles
/// that are built in less than a second.
fn guide_partition(tray: Tray) -> Option<String> {
    const MAX_ENTRIES: u64 = 16_000_000;
    let (cells, tiles) = (tray.cells(), tray.cells() - 1);
    // Products of 64 bits, also on processors with 32.
    let entries = |size: usize| {
        tiles.div_ceil(size) as u64 * binomial(cells, size) * u64::from(factorial(size))
    };
    let size = (2..=tiles.min(5))
        .rev()
        .find(|&size| entries(size) <= MAX_ENTRIES)?;
    let sizes = (0..tiles.div_ceil(size)).map(|part| size.min(tiles - part * size).to_string());
    Some(sizes.collect::<Vec<_>>().join("-"))
}

/// Reason why a solver could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// A table could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A table does not match the specification.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A required table was not given.
    #[error("{table} is missing: {name} needs it")]
    NotGiven {
        /// The table.
        table: String,
        /// The name of the partition.
        name: String,
    },
    /// A given table does not belong to the specification.
    #[error("{table} is not a table of {name}: expected {expected}")]
    NotNeeded {
        /// The table.
        table: String,
        /// The name of the partition.
        name: String,
        /// The tables that the partition needs, or `none`.
        expected: String,
    },
    /// A table was given twice.
    #[error("{0} is given twice")]
    GivenTwice(String),
    /// The specification is for another goal.
    #[error("the specification of the tables has another size or blank cell than the goal")]
    OtherGoal,
}

codes! {
    SolverError {
        SolverError::Build(error) => error.code(),
        SolverError::OtherGoal => Code::Input,
        _ => Code::Table,
    }
}

impl Solver {
    /// Builds the tables of a specification in memory, without those for searches from the goal,
    /// which [`Solver::build`] adds.
    ///
    /// # Errors
    /// [`SolverError`].
    pub fn build_one_side(goal: Goal, spec: HeuristicSpec) -> Result<Solver, SolverError> {
        Solver::with_tables(goal, spec, |id| {
            let table = build(id, Encoding::default_for(id.kind()), &Control::default())?;
            Ok::<_, SolverError>(table.into_table())
        })
    }

    /// Creates a solver. Calls `open` once for each table of the specification. Payload checksums
    /// are not verified here, see [`Table::check_payload`].
    ///
    /// # Errors
    /// The errors of `open`, and [`SolverError`].
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
        let mut tables = Vec::new();
        for id in spec.tables() {
            let table = open(id)?;
            table.check_id(id).map_err(SolverError::Table)?;
            tables.push(table.shared());
        }
        let search = MetricSearch::new(&spec, &tables, None).map_err(SolverError::Table)?;
        let search = Sides::new(&spec, search);
        Ok(Solver {
            goal,
            spec,
            search,
            guide: OnceLock::new(),
        })
    }

    /// Adds the tables for another goal cell of the blank. They are used in searches from the goal
    /// ([`SolveOptions::side`]). Such a search needs tables whose goal cell is the cell of the
    /// board's blank, or the image of this cell under a symmetry of the tray. If the solver's own
    /// goal cell is one of these cells, no other tables are needed.
    ///
    /// # Errors
    /// [`SolverError::OtherGoal`] if the tray or the metric differs.
    pub fn add_goal(&mut self, other: Solver) -> Result<(), SolverError> {
        let has_same = other.spec.tray() == self.spec.tray() && other.metric() == self.metric();
        if !has_same {
            return Err(SolverError::OtherGoal);
        }
        self.search.add(other.search);
        Ok(())
    }

    /// The goal.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The specification of the heuristic.
    #[must_use]
    pub fn spec(&self) -> &HeuristicSpec {
        &self.spec
    }

    /// The tables of the specification, in the specification's order.
    #[must_use]
    pub fn tables(&self) -> Vec<SharedTable> {
        distinct(self.search.start.tables())
    }

    /// The tables for other goal cells of the blank. Tables that the specification also contains
    /// are left out. Opens the tables that no board has needed yet.
    ///
    /// # Errors
    /// [`DamagedTable`].
    pub fn other_tables(&self) -> Result<Vec<SharedTable>, DamagedTable> {
        let others = self.search.others().collect::<Result<Vec<_>, _>>()?;
        let mut tables = distinct(others.into_iter().flat_map(MetricSearch::tables));
        let own = self.tables();
        tables.retain(|table| own.iter().all(|own| own.id() != table.id()));
        Ok(tables)
    }

    /// The metric, which is the unit of lengths.
    pub fn metric(&self) -> Metric {
        self.spec.metric()
    }

    /// The heuristic's value of a board, without a search. It is a lower bound on the length of a
    /// solution. Takes a few microseconds.
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
        let problem = self.problem(board)?;
        Ok(self.search.start.estimate(&problem.state)?)
    }

    /// Checks a board and prepares it for this solver.
    fn problem<'a>(&'a self, board: &'a Board) -> Result<Problem<'a>, SolveError> {
        Problem::new(&self.goal, self.metric(), board)
    }

    /// All values of the heuristic for a board, without a search. The result contains, for each
    /// pattern of each view, the number of the entry in the table, the stored entry, and the value.
    /// The look-ups share no code with the search and take a few microseconds per pattern.
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
        let state = self.problem(board)?.state;
        let find = |id| self.search.start.find(id);
        Ok(probe::probe(&self.goal, &self.spec, &state, find)?)
    }

    /// Finds a shortest solution. Time grows exponentially with the error of the heuristic.
    ///
    /// # Errors
    /// [`SolveError`]; never [`SolveError::Limit`].
    pub fn solve(&self, board: &Board) -> Result<Solution, SolveError> {
        self.solve_with(board, &SolveOptions::default())
    }

    /// Finds a solution of the kind that [`SolveOptions::mode`] requests.
    ///
    /// # Errors
    /// [`SolveError`]; [`SolveError::Limit`] only if a shortest solution was requested.
    pub fn solve_with(
        &self,
        board: &Board,
        options: &SolveOptions,
    ) -> Result<Solution, SolveError> {
        let problem = self.problem(board)?;
        let call = Call::begin(options);
        match options.mode {
            Mode::Optimal => self.shortest(&problem, &call),
            Mode::Strategic => self.strategic(&problem, &call),
            Mode::Anytime => anytime::solve(&self.search, &|| self.guide(), &problem, &call),
        }
    }

    /// The search whose tables guide the beams of anytime searches.
    fn guide(&self) -> Option<&Sides> {
        if self.metric() == Metric::Single {
            return Some(&self.search);
        }
        let guide = self.guide.get_or_init(|| {
            let spec =
                HeuristicSpec::parse(&guide_partition(self.goal.tray())?, &self.goal).ok()?;
            let solver = Solver::build_one_side(self.goal.clone(), spec).ok()?;
            Some(Box::new(solver))
        });
        guide.as_ref().map(|solver| &solver.search)
    }

    /// Counts all solutions that are at most `within` moves longer than a shortest one. Returns the
    /// moves of the first `max_solutions` of them, shorter ones first. A solution never undoes a
    /// move directly and ends when it first reaches the goal.
    ///
    /// Needs one search more than [`Self::solve`]. The search does not prune duplicates, and its
    /// bound is the length of the longest requested solutions. The time and the number of solutions
    /// grow about fivefold per two additional moves. The search begins at the start if `within` is
    /// 12 or more, otherwise at the side that found a shortest solution.
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
        let problem = self.problem(board)?;
        let call = Call::begin(options);
        let shortest = self.shortest(&problem, &call)?;
        let length = shortest.length;
        let request = Request::UpTo {
            length: length.saturating_add(within),
            shortest: length,
            most: max_solutions,
        };
        let mut iterations = shortest.stats.iterations.clone();
        let limits = Limits {
            side: match iterations.last() {
                Some(last) if within < SHORTEST_CYCLE => last.side,
                _ => Side::Start,
            },
            ..call.limits(shortest.stats.generated)
        };
        let outcome = self.search.search(&problem.state, request, limits)?;
        iterations.extend(outcome.iterations);
        let stats = SearchStats::new(shortest.stats.h0, iterations);
        if !outcome.is_finished {
            return Err(LimitReached::error(length, Some(shortest), stats));
        }
        let first = outcome.lengths.iter().position(|&count| count > 0);
        let mut solutions = outcome.solutions.iter();
        let are_sound = solutions.all(|moves| problem.is_solved_by(moves));
        if first != Some(length as usize) || !are_sound {
            return Err(DamagedTable(None).into());
        }
        let mut counts: Vec<u64> = outcome.lengths.into_iter().skip(length as usize).collect();
        // The search counted all requested solutions, so lengths above the longest solution found
        // have the count 0.
        counts.resize(counts.len().max(within.min(MAX_COUNTS) as usize + 1), 0);
        Ok(Solutions {
            length,
            counts,
            moves: outcome.solutions,
            stats,
        })
    }

    /// Returns a solution of `length` moves, or `None` if no solution has this length. `length`
    /// must be a proved lower bound. A stopped search returns [`SolveError::Limit`]. Adds the
    /// generated nodes to `generated`.
    pub(crate) fn at_most(
        &self,
        board: &Board,
        length: u32,
        call: &Call,
        generated: &mut u64,
    ) -> Result<Option<Vec<Direction>>, SolveError> {
        let problem = self.problem(board)?;
        let limits = Limits {
            from: length,
            until: Some(length + 1),
            ..call.limits(*generated)
        };
        let (outcome, stats) = self.search_shortest(&problem, call, limits)?;
        *generated += stats.generated;
        match outcome.is_finished {
            // `first_solution` also rejects a shorter solution, which would contradict the proved
            // lower bound.
            true => Ok(Some(first_solution(&problem, outcome, length)?)),
            false if outcome.bound > length => Ok(None),
            false => Err(LimitReached::error(length, None, stats)),
        }
    }

    fn shortest(&self, problem: &Problem, call: &Call) -> Result<Solution, SolveError> {
        let record = self.open_record(problem, call.options)?;
        let mut limits = call.limits(0);
        limits.until = call.options.at_least;
        if record.is_some() {
            (limits.side, limits.record) = (Side::Start, record.as_ref());
        }
        let (outcome, stats) = self.search_shortest(problem, call, limits)?;
        if let Some(record) = record {
            record.close()?;
        }
        let lower_bound = outcome.bound;
        if !outcome.is_finished {
            return Err(LimitReached::error(lower_bound, None, stats));
        }
        // With an admissible heuristic, the length of the solution that IDA* finds equals the last
        // bound.
        let moves = first_solution(problem, outcome, lower_bound)?;
        Ok(Solution {
            is_optimal: true,
            stats,
            ..problem.solution(moves, Method::Search, lower_bound)
        })
    }

    /// Opens the record of a search. Its first line names everything on which the tasks of the
    /// search depend.
    fn open_record(
        &self,
        problem: &Problem,
        options: &SolveOptions,
    ) -> Result<Option<SearchRecord>, SolveError> {
        let path = options.record.as_ref().filter(|_| cfg!(feature = "file"));
        let (Some(path), Metric::Single) = (path, self.metric()) else {
            return Ok(None);
        };
        let mut sums = Sha256::new();
        for table in self.tables() {
            sums.update(table.header().payload_sha256);
        }
        let search = format!(
            "sliding-tile-pdb search 1, version {}, board {}, goal {}, {} {:?}, pruning {}, tables {}{}",
            env!("CARGO_PKG_VERSION"),
            problem.board,
            self.goal.board(),
            self.spec.name(),
            self.spec.order(),
            options.pruning,
            hex(&sums.finalize()),
            if has_bit_counting() {
                ""
            } else {
                ", any processor"
            },
        );
        Ok(Some(SearchRecord::open(path, &search, options.recheck)?))
    }

    fn search_shortest(
        &self,
        problem: &Problem,
        call: &Call,
        limits: Limits,
    ) -> Result<(SearchOutcome, SearchStats), SolveError> {
        let request = Request::Shortest(call.options.pruning);
        let mut outcome = self.search.search(&problem.state, request, limits)?;
        let iterations = std::mem::take(&mut outcome.iterations);
        let stats = SearchStats::new(outcome.h0, iterations);
        Ok((outcome, stats))
    }

    /// An immediate solution. Its lower bound is the heuristic's value.
    fn strategic(&self, problem: &Problem, call: &Call) -> Result<Solution, SolveError> {
        let (goal, state) = (problem.goal, &problem.state);
        let moves = match call.options.short {
            true => strategic::short_until(goal, state, &|| call.is_over()),
            false => strategic::explain(goal, state).map(|found| found.moves),
        };
        let Some(moves) = moves.filter(|moves| problem.is_solved_by(moves)) else {
            // Not reached: these methods solve every solvable state.
            return self.shortest(problem, call);
        };
        let lower_bound = self.search.start.estimate(state)?;
        let solution = problem.solution(moves, Method::Strategic, lower_bound);
        Ok(Solution {
            is_optimal: solution.length == lower_bound,
            stats: SearchStats::new(lower_bound, Vec::new()),
            ..solution
        })
    }
}

/// Removes duplicate tables.
fn distinct<'a>(tables: impl Iterator<Item = &'a SharedTable>) -> Vec<SharedTable> {
    let mut found: Vec<SharedTable> = Vec::new();
    for table in tables {
        if found.iter().all(|known| known.id() != table.id()) {
            found.push(table.clone());
        }
    }
    found
}

/// The solution of a finished search, if it has the expected length and solves the board.
fn first_solution(
    problem: &Problem,
    outcome: SearchOutcome,
    length: u32,
) -> Result<Vec<Direction>, DamagedTable> {
    let moves = outcome.solutions.into_iter().next().unwrap_or_default();
    let is_sound = problem.metric.length(&moves) as u32 == length && problem.is_solved_by(&moves);
    is_sound.then_some(moves).ok_or(DamagedTable(None))
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("goal", &self.goal)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}

/// Minimum number of moves that lead from a board back to itself, if no move undoes the move before
/// it: three times round a square of 2x2 cells. (A test tries all shorter paths.) A search from the
/// start leaves out paths through the goal, and a search from the goal leaves out paths back to the
/// start. Every path that is left out consists of a solution and at least one such cycle, so it is
/// longer than a shortest solution by at least this number of moves. A search from either side
/// finds all solutions with a smaller excess.
const SHORTEST_CYCLE: u32 = 12;

/// [`Solutions::counts`] has trailing zeros at most up to this number of additional moves.
const MAX_COUNTS: u32 = 1000;
