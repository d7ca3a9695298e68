//! One board's answer: from its text to the words or the JSON object that are printed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cli::{Failure, SharedArgs, explain, free_memory, interrupted, print_error, print_line};
use pdb_table::{Control, Encoding, TableDirectory};
use puzzle::board_text::{ListedBoard, parse_listed};
use puzzle::{Board, HeuristicSpec, Metric, Notation, Tray};
use serde::Serialize;
use solver::{
    Limits, MultiSolver, OpenError, OpenEvent, SearchStats, Solution, Solutions, SolveError,
    Solver, Source, ThreadPermits, count_runs,
};

use crate::all_solutions::{AllSolutionsArgs, Multiplicity};
use crate::batch::Job;
use crate::status_line::StatusLine;

/// The longest that missing tables may take to build, by estimate, before the user is asked to do it.
const PATIENCE_SECONDS: f64 = 2.0;
/// The same in the multi-tile metric, whose default tables take about 3 s by estimate, from above, on one thread.
const MULTI_PATIENCE_SECONDS: f64 = 4.0;

/// Smaller tables are found in the processor's caches, and so are their pages.
const LOAD_FROM: u64 = 8 << 20;

/// Everything that answering takes: the options, and the solvers opened so far.
pub(crate) struct Session {
    pub(crate) shared: SharedArgs,
    pub(crate) directory: TableDirectory,
    pub(crate) leading_id: bool,
    pub(crate) notation: Notation,
    pub(crate) max_nodes: Option<u64>,
    pub(crate) max_time: Option<Duration>,
    /// Threads that one board may have.
    pub(crate) threads_per_board: usize,
    pub(crate) variety: AllSolutionsArgs,
    pub(crate) screen: StatusLine,
    /// Whether boards come one a line from a list.
    pub(crate) in_list: bool,
    /// Threads without a board of their own.
    pub(crate) crew: ThreadPermits,
    /// One solver for each size that was met.
    pub(crate) solvers: Mutex<HashMap<Tray, Opened>>,
}

type Opened = Result<Arc<AnySolver>, Failure>;

/// A solver in the metric asked for.
pub(crate) enum AnySolver {
    Single(Solver),
    Multi(MultiSolver),
}

impl AnySolver {
    fn solve_within(&self, board: &Board, limits: Limits) -> Result<Solution, SolveError> {
        match self {
            AnySolver::Single(solver) => solver.solve_within(board, limits),
            AnySolver::Multi(solver) => solver.solve_within(board, limits),
        }
    }

    /// All solutions of a board that is solved already.
    pub(crate) fn solutions_beside(
        &self,
        board: &Board,
        shortest: &Solution,
        within: u32,
        most: usize,
        limits: Limits,
    ) -> Result<Solutions, SolveError> {
        match self {
            AnySolver::Single(solver) => {
                solver.solutions_beside(board, shortest, within, most, limits)
            }
            AnySolver::Multi(solver) => solver.solutions_beside(board, shortest, most, limits),
        }
    }

    /// The length of a solution in the metric.
    pub(crate) fn length(&self, solution: &Solution) -> usize {
        match self {
            AnySolver::Single(_) => solution.moves.len(),
            AnySolver::Multi(_) => count_runs(&solution.moves),
        }
    }
}

/// The answer as `--json` prints it; fields that do not apply are absent.
#[derive(Serialize, Default)]
pub(crate) struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    optimal: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    #[serde(flatten)]
    variety: Option<Multiplicity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expanded: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    h0: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip)]
    exit: u8,
}

#[derive(Serialize, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Status {
    Solved,
    Unsolvable,
    Limit,
    #[default]
    Error,
}

impl Answer {
    pub(crate) fn exit(&self) -> u8 {
        self.exit
    }

    pub(crate) fn error(failure: &Failure) -> Answer {
        Answer {
            message: Some(failure.message().to_owned()),
            exit: failure.exit(),
            ..Answer::default()
        }
    }

    fn with_effort(self, effort: SearchStats) -> Answer {
        Answer {
            nodes: Some(effort.generated),
            expanded: Some(effort.expanded),
            h0: Some(effort.h0),
            bound: Some(effort.bound),
            ..self
        }
    }

    fn with_time(self, time: Duration) -> Answer {
        Answer {
            ms: Some((time.as_secs_f64() * 1e6).round() / 1e3),
            ..self
        }
    }

    /// All solutions, and what all searches took.
    pub(crate) fn with_variety(
        self,
        first: Option<String>,
        variety: Multiplicity,
        effort: SearchStats,
    ) -> Answer {
        Answer {
            moves: first.or_else(|| self.moves.clone()),
            variety: Some(variety),
            ..self.with_effort(effort)
        }
    }

    /// A limit came before all solutions were found.
    pub(crate) fn with_unfinished_variety(self, reason: String, effort: SearchStats) -> Answer {
        Answer {
            status: Status::Limit,
            message: Some(reason),
            exit: 1,
            ..self.with_effort(effort)
        }
    }
}

impl Session {
    /// Refuses options that no board could be solved with, before any board is read.
    pub(crate) fn check_options(&self) -> Result<(), Failure> {
        self.variety.check(self.shared.metric())?;
        // Without a size a goal in one row or a partition may be meant for the sizes that the boards will show.
        let Some(size) = self.size() else {
            return Ok(());
        };
        let goal = self.shared.goal(Some(size))?;
        self.shared.spec(&goal).map_err(Failure::input)?;
        Ok(())
    }

    /// The size that the options fix: `--size`, or that of a goal of its own.
    fn size(&self) -> Option<Tray> {
        let of_goal = || {
            let goal = self
                .shared
                .goal_is_board()
                .then(|| self.shared.goal(None))?;
            Some(goal.ok()?.tray())
        };
        self.shared.size.or_else(of_goal)
    }

    /// Answers one board.
    pub(crate) fn answer(&self, job: &Job) -> Answer {
        let mut answer = match self.try_answer(job) {
            Ok(answer) => answer,
            Err(failure) => Answer::error(&failure),
        };
        if answer.status == Status::Error {
            answer.line = job.line;
            if answer.board.is_none() {
                let text = job.text.as_ref().ok();
                answer.board = text.map(|text| text.trim().chars().take(2000).collect());
            }
        }
        answer
    }

    fn try_answer(&self, job: &Job) -> Result<Answer, Failure> {
        let text = job.text.as_ref().map_err(Failure::input)?;
        let size = self.size();
        let listed = if self.in_list {
            parse_listed(text, size, self.leading_id)
        } else {
            Board::parse(text, size).map(|board| ListedBoard {
                board,
                id: None,
                known_length: None,
            })
        };
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !self.in_list && is_number {
            let message =
                format!("the board is a single number, {text}: put the whole board in quotes");
            return Err(Failure::input(message));
        }
        let ListedBoard {
            board,
            known_length,
            ..
        } = listed.map_err(|error| Failure::input(explain(&error)))?;
        let answer = self.solve(&board, job.line)?;
        match (known_length, answer.length) {
            (Some(known), Some(found)) if known as usize != found => Ok(Answer {
                status: Status::Error,
                message: Some(format!(
                    "solved in {found} moves, but the line says {known}"
                )),
                exit: 2,
                ..answer
            }),
            _ => Ok(answer),
        }
    }

    fn solve(&self, board: &Board, line: Option<usize>) -> Result<Answer, Failure> {
        let solver = match self.unsolvable(board)? {
            Some(answer) => return Ok(answer),
            None => self.solver(board.tray())?,
        };
        let name = line.map(|line| format!("line {line}"));
        let watch = self.screen.watch(name, self.max_time);
        let limits = Limits {
            nodes: self.max_nodes,
            progress: Some(&watch),
            crew: Some(&self.crew),
            ..Limits::default()
        };
        let solved = solver.solve_within(board, limits);
        let answer = Answer {
            board: Some(board.to_string()),
            tables: Some(self.table_name(board.tray())),
            ..Answer::default()
        };
        let answer = match solved {
            Ok(solution) => {
                let answer = Answer {
                    status: Status::Solved,
                    length: Some(solver.length(&solution)),
                    optimal: Some(true),
                    moves: board.write_moves(&solution.moves, self.notation).ok(),
                    ..answer.with_effort(solution.effort)
                };
                if self.variety.are_wanted() {
                    let longest = self.variety.longest(solver.length(&solution));
                    watch.turn_to(format!("all solutions of up to {longest} moves"));
                    let solved = (&*solver, &solution);
                    self.variety
                        .add_to(answer, board, solved, self.notation, limits)?
                } else {
                    answer
                }
            }
            Err(error @ SolveError::Limit(effort)) => Answer {
                status: Status::Limit,
                message: Some(error.to_string()),
                exit: 1,
                ..answer.with_effort(effort)
            },
            Err(error @ SolveError::Damaged(_)) => return Err(Failure::table(error)),
            Err(error) => return Err(Failure::input(error)),
        };
        Ok(answer.with_time(watch.begun().elapsed()))
    }

    /// The answer for a board that cannot be solved, which needs no tables.
    fn unsolvable(&self, board: &Board) -> Result<Option<Answer>, Failure> {
        let goal = self.shared.goal(Some(board.tray()))?;
        let state = goal.state(board).ok_or_else(|| {
            let (found, expected) = (board.tray(), goal.tray());
            Failure::input(SolveError::Size { found, expected })
        })?;
        Ok(state.check_solvable().err().map(|reason| Answer {
            board: Some(board.to_string()),
            status: Status::Unsolvable,
            message: Some(reason.describe(&goal)),
            exit: 1,
            ..Answer::default()
        }))
    }

    fn table_name(&self, tray: Tray) -> String {
        let name = self.shared.partition.clone();
        name.unwrap_or_else(|| HeuristicSpec::default_name(self.shared.metric(), tray))
    }

    /// The solver for boards of this size, opened when the first is met.
    fn solver(&self, tray: Tray) -> Result<Arc<AnySolver>, Failure> {
        let mut solvers = self.solvers.lock().unwrap_or_else(PoisonError::into_inner);
        let open = || self.open(tray).map(Arc::new);
        let opened = solvers.entry(tray).or_insert_with(open);
        opened.clone()
    }

    /// From how many bytes on tables are loaded and not mapped. Searches in large tables are up to 28 % faster then, but loading
    /// takes some 0.1 s a GB, so it is for lists, and takes memory.
    fn load_from(&self, spec: &HeuristicSpec) -> u64 {
        let files = spec.tables().into_iter().map(|id| {
            let usual = Encoding::default_for(id.kind());
            self.directory.file(id, usual, false)
        });
        let bytes = files.filter_map(|file| Some(std::fs::metadata(file).ok()?.len()));
        let bytes: u64 = bytes.sum();
        let fits = free_memory().is_some_and(|free| bytes < free / 2);
        if self.in_list && fits {
            LOAD_FROM
        } else {
            u64::MAX
        }
    }

    fn open(&self, tray: Tray) -> Result<AnySolver, Failure> {
        let goal = self.shared.goal(Some(tray))?;
        let spec = self.shared.spec(&goal).map_err(Failure::input)?;
        let command = self.shared.build_command(&goal).to_string();
        let source = Source {
            directory: self.directory.clone().loading_from(self.load_from(&spec)),
            patience: match self.shared.metric() {
                Metric::Single => PATIENCE_SECONDS,
                Metric::Multi => MULTI_PATIENCE_SECONDS,
            },
            threads: self.shared.thread_count(),
            memory: free_memory(),
        };
        let notice = |notice: OpenEvent| {
            if self.shared.quiet {
                return;
            }
            self.screen.print(|| match notice {
                OpenEvent::Kept(id) => {
                    let path = self.directory.path().display();
                    print_error(format_args!(
                        "solver: built {} and keeps it in {path}",
                        id.name()
                    ));
                }
                OpenEvent::NotKept(id, error) => print_error(format_args!(
                    "solver: built {} in memory; it could not be kept: {error}",
                    id.name()
                )),
            });
        };
        let control = Control::stopped_by(&cli::cancel());
        let opened = match self.shared.metric() {
            Metric::Single => {
                Solver::open(goal, spec, &source, &command, &control, notice).map(AnySolver::Single)
            }
            Metric::Multi => MultiSolver::open(goal, spec, &source, &command, &control, notice)
                .map(|solver| AnySolver::Multi(solver.with_threads(self.threads_per_board))),
        };
        opened.map_err(|error| match error {
            OpenError::SetUp(error) if interrupted() => Failure::interrupted(error.to_string()),
            error => Failure::table(error),
        })
    }

    /// Prints an answer: an object, or words.
    pub(crate) fn print(&self, answer: &Answer) {
        self.screen.print(|| self.print_now(answer));
    }

    fn print_now(&self, answer: &Answer) {
        if self.shared.json {
            match serde_json::to_string(answer) {
                Ok(object) => print_line(object),
                Err(error) => print_error(format_args!("solver: {error}")),
            }
            return;
        }
        let message = answer.message.as_deref().unwrap_or_default();
        let place = answer
            .line
            .map_or(String::new(), |line| format!("line {line}: "));
        match answer.status {
            Status::Error => print_error(format_args!("solver: {place}{message}")),
            Status::Unsolvable | Status::Limit => {
                if let (Some(length), Some(moves)) = (answer.length, &answer.moves) {
                    print_line(format_args!("{length} moves: {moves}"));
                }
                print_line(message);
            }
            Status::Solved => self.print_solved(answer),
        }
    }

    /// In a list, length and moves on one line; else the proof and the cost as well.
    fn print_solved(&self, answer: &Answer) {
        let length = answer.length.unwrap_or_default();
        let moves = answer.moves.as_deref().unwrap_or_default();
        let variety = answer.variety.as_ref();
        if self.in_list || self.shared.quiet {
            match variety {
                Some(variety) => {
                    variety.say_numbers(length);
                    variety.say_solutions(length, "  ");
                }
                None => print_line(format_args!("{length} {moves}").to_string().trim_end()),
            }
            return;
        }
        let name = answer.tables.as_deref().unwrap_or_default();
        let (nodes, expanded) = (answer.nodes.unwrap_or(0), answer.expanded.unwrap_or(0));
        let (ms, h0) = (answer.ms.unwrap_or(0.0), answer.h0.unwrap_or(0));
        if length == 0 {
            print_line("already solved: 0 moves");
            if let Some(variety) = variety {
                variety.say_counts(length);
            }
            return;
        }
        let plural = if length == 1 { "" } else { "s" };
        print_line(format_args!("{length} move{plural}: {moves}"));
        print_line(format_args!(
            "proved optimal: {name} says at least {h0}, and no path of fewer than {length} solves it"
        ));
        if let Some(variety) = variety {
            variety.say_counts(length);
            variety.say_solutions(length, "");
        }
        print_line(format_args!(
            "{nodes} nodes generated, {expanded} expanded, {ms} ms"
        ));
    }
}
