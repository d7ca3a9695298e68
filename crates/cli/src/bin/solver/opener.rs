//! Solvers over the user's tables directory.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use cli::{BuildBar, Failure, SharedArgs, free_memory, interrupted, print_error};
use pdb_table::TableDirectory;
use puzzle::{Board, Goal, Metric, MoveOrder, Notation, TableId, Tray};
use solver::{
    BuildEvent, Control, OpenError, OpenEvent, OpenOptions, Report, Solution, SolveError, Solver,
};

use crate::answer::Answer;
use crate::search::{OpenArgs, SearchArgs};
use crate::status_line::StatusLine;

/// The longest that missing tables may take to build, by estimate, before the user is asked to do
/// it.
const MAX_BUILD_SECONDS: f64 = 2.0;
/// The same in the multi-tile metric, whose default tables take at most about 3 s by estimate on
/// one thread.
const MAX_MULTI_BUILD_SECONDS: f64 = 4.0;

/// In a list files of this size are loaded. Smaller tables are found in the processor's caches, and
/// so are their pages.
const LOAD_FROM: u64 = 8 << 20;

/// Opens solvers as the options say.
pub(crate) struct Opener {
    pub(crate) shared: SharedArgs,
    directory: TableDirectory,
    args: OpenArgs,
    order: Option<MoveOrder>,
    /// Whether there will be many boards.
    for_list: bool,
    pub(crate) status_line: Arc<StatusLine>,
}

impl Opener {
    /// Finds the tables directory and starts the threads.
    pub(crate) fn new(shared: SharedArgs, args: OpenArgs, for_list: bool) -> Result<Self, Failure> {
        shared.start_threads()?;
        Ok(Opener {
            directory: shared.directory()?,
            status_line: Arc::new(StatusLine::new(!shared.quiet && !shared.json)),
            shared,
            args,
            order: None,
            for_list,
        })
    }

    /// Tries the blank's moves in this order, where there is one.
    pub(crate) fn with_order(self, order: Option<MoveOrder>) -> Self {
        Opener { order, ..self }
    }

    /// The file of a table, if there is one.
    pub(crate) fn file(&self, id: TableId) -> Option<PathBuf> {
        let mut files = self.directory.candidates(id).map(|(_, file)| file);
        files.find(|file| file.is_file())
    }

    /// The solver for boards of this size.
    pub(crate) fn open(&self, tray: Tray) -> Result<Solver, Failure> {
        let goal = self.shared.goal(Some(tray))?;
        let mut spec = self.shared.spec(&goal)?;
        if let Some(order) = self.order {
            spec = spec.with_order(order);
        }
        let command = self.shared.build_command(&goal).to_string();
        let options = OpenOptions::new(self.directory.path())
            .max_build_seconds(match spec.metric() {
                _ if self.args.build => f64::INFINITY,
                Metric::Single => MAX_BUILD_SECONDS,
                Metric::Multi => MAX_MULTI_BUILD_SECONDS,
            })
            .max_memory(free_memory())
            .threads(self.shared.thread_count())
            .load_from(self.for_list.then_some(LOAD_FROM))
            .control(self.control());
        Solver::open(goal, spec, &options).map_err(|error| match error {
            OpenError::Solver(error) if interrupted() => Failure::interrupted(error.to_string()),
            OpenError::Missing(missing) => Failure::table(format!(
                "{missing}: give --build to have them built now, or run {command}"
            )),
            OpenError::Damaged(error) => {
                Failure::table(format!("{error}; build it again with {command}"))
            }
            error => Failure::table(error),
        })
    }

    /// Solves one board on all threads.
    pub(crate) fn solve(
        &self,
        board: &Board,
        search: &SearchArgs,
    ) -> Result<Result<Solution, SolveError>, Failure> {
        let solver = self.open(board.tray())?;
        let options = search.options().threads(self.shared.thread_count());
        let options = options.progress(self.status_line.watch(None));
        outcome(solver.solve_with(board, &options))
    }

    /// Says which tables were built, and ends builds at Ctrl-C.
    fn control(&self) -> Control<OpenEvent> {
        if self.shared.quiet {
            return Control::stopped_by(&cli::cancel());
        }
        let status_line = Arc::clone(&self.status_line);
        let directory = self.directory.path().to_owned();
        // Builds that the user asked for may take long.
        let is_shown = self.args.build && !self.shared.json;
        let bar: Mutex<Option<(TableId, BuildBar)>> = Mutex::new(None);
        let listener = move |event: &OpenEvent| {
            let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
            if let OpenEvent::Building(_, BuildEvent::Note(line)) = event {
                // Other builds are over in a moment.
                if is_shown {
                    status_line.print(|| print_error(format_args!("solver: {line}")));
                }
                return;
            }
            if let OpenEvent::Building(id, event) = event {
                if bar.as_ref().is_none_or(|(of, _)| of != id) {
                    *bar = Some((*id, BuildBar::new(&id.name(), !is_shown)));
                }
                if let Some((_, bar)) = &*bar {
                    bar.show(event);
                }
                return;
            }
            if let Some((_, bar)) = bar.take() {
                bar.clear();
            }
            let line = match event {
                OpenEvent::Kept(id) => {
                    let (name, path) = (id.name(), directory.display());
                    format!("solver: built {name} and keeps it in {path}")
                }
                OpenEvent::NotKept(id, error) => {
                    let name = id.name();
                    format!("solver: built {name} in memory; it could not be kept: {error}")
                }
                _ => return,
            };
            status_line.print(|| print_error(line));
        };
        Control::new(cli::cancel(), Some(Arc::new(listener)))
    }
}

/// Says why there is no solution: with `--json` as the object that solving gives, else in words.
pub(crate) fn print_unsolved(shared: &SharedArgs, goal: &Goal, board: &Board, error: SolveError) {
    let report = Report::new(goal, board, &Err(error), Notation::Tile);
    Answer::from(report).print(shared, false);
}

/// A result to report, unless it is about the input or the tables.
pub(crate) fn outcome<T>(result: Result<T, SolveError>) -> Result<Result<T, SolveError>, Failure> {
    match result {
        Err(error @ SolveError::Damaged(_)) => Err(Failure::table(format!(
            "{error}; find out which with pdb-gen verify, and build it again"
        ))),
        Err(error @ SolveError::Size { .. }) => Err(Failure::input(error)),
        result => Ok(result),
    }
}
