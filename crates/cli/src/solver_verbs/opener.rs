//! Opens solvers with tables from the user's tables directory.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use command::{BuildBar, Failure, SharedArgs, explain_partition, interrupted};
use pdb_gen::free_memory;
use pdb_table::TableDirectory;
use puzzle::{Board, Goal, HeuristicSpec, MoveOrder, TableId, Tray};
use solver::{
    BuildEvent, Control, Missing, Mode, OpenError, OpenEvent, OpenOptions, Side, Solution,
    SolveError, SolveOptions, Solver,
};

use crate::answer::outcome;
use crate::mode::with_memory;
use crate::search::OpenArgs;
use crate::status_line::{StatusLine, lock};

/// Above this number of cells, default tables are optional: boards are either easy without them, or
/// too hard even with them.
const EXPECTED_CELLS: usize = 25;

pub(crate) struct Opener {
    pub(crate) shared: SharedArgs,
    directory: TableDirectory,
    args: OpenArgs,
    order: Option<MoveOrder>,
    /// Whether the tables for other goal cells of the blank are opened and built too. Searches from
    /// the goal need them.
    both_sides: bool,
    /// Whether many boards will be solved.
    for_list: bool,
    /// Mode of the searches.
    mode: Mode,
    pub(crate) status_line: Arc<StatusLine>,
}

impl Opener {
    /// Starts the thread pool, and finds the tables directory. Strategic mode needs no directory.
    pub(crate) fn new(
        mode: Mode,
        shared: SharedArgs,
        args: OpenArgs,
        for_list: bool,
    ) -> Result<Self, Failure> {
        shared.start_threads()?;
        let directory = match mode {
            Mode::Strategic => None,
            _ => Some(shared.directory()?),
        };
        Ok(Opener {
            directory: directory.unwrap_or_else(|| TableDirectory::new("")),
            status_line: Arc::new(StatusLine::new(!shared.quiet && !shared.json)),
            shared,
            args,
            order: None,
            both_sides: true,
            for_list,
            mode,
        })
    }

    /// Sets the order in which the blank's moves are tried, if given.
    pub(crate) fn with_order(self, order: Option<MoveOrder>) -> Self {
        Opener { order, ..self }
    }

    /// Sets the side from which boards are searched. Except for [`Side::Start`], the tables for
    /// other goal cells of the blank are opened too.
    pub(crate) fn with_side(self, side: Side) -> Self {
        Opener {
            both_sides: side != Side::Start,
            ..self
        }
    }

    /// The file of a table, if there is one.
    pub(crate) fn file(&self, id: TableId) -> Option<PathBuf> {
        self.directory.file_of(id).map(|(_, file)| file)
    }

    /// The solver for this goal. Strategic mode opens no tables. If tables are missing
    /// and slow to build, the result depends on the mode:
    ///
    /// - Anytime mode uses the best tables that exist or can be built quickly.
    /// - Optimal mode uses no tables if the tray has more than [`EXPECTED_CELLS`] cells and the
    ///   user requested no partition. Otherwise it fails.
    pub(crate) fn open(&self, goal: &Goal) -> Result<Solver, Failure> {
        if self.mode == Mode::Strategic {
            return self.open_without_tables(goal);
        }
        let spec = self.ordered(self.shared.spec(goal)?);
        match self.try_open(goal, spec) {
            Ok(solver) => Ok(solver),
            Err(OpenError::Missing(missing)) if self.can_do_without(goal.tray()) => {
                self.open_instead(goal, &missing)
            }
            // After Ctrl-C a result without tables is still useful.
            Err(OpenError::Cancelled) if interrupted() => self.open_without_tables(goal),
            Err(error) => Err(self.refuse(goal, error)),
        }
    }

    /// Whether a solver is opened although tables are missing.
    fn can_do_without(&self, tray: Tray) -> bool {
        let is_large = tray.cells() > EXPECTED_CELLS && self.shared.partition.is_none();
        self.mode == Mode::Anytime || is_large
    }

    /// The solver without tables.
    pub(crate) fn open_without_tables(&self, goal: &Goal) -> Result<Solver, Failure> {
        let builder = HeuristicSpec::builder(goal).kind(self.shared.kind());
        let spec = builder.parse_table_free();
        let spec = spec.map_err(|error| Failure::input(explain_partition(&error)))?;
        let solver = self.try_open(goal, self.ordered(spec));
        solver.map_err(|error| self.refuse(goal, error))
    }

    /// The tables directory, and the time limit for building missing tables.
    fn options(&self) -> OpenOptions {
        OpenOptions::new(self.directory.path())
            .max_build_seconds(match self.args.build {
                true => f64::INFINITY,
                false => OpenOptions::usual_seconds(self.shared.metric()),
            })
            .max_memory(free_memory())
            .threads(self.shared.thread_count())
            .both_sides(self.both_sides)
            .load_from(self.for_list.then_some(OpenOptions::LOAD_FROM))
    }

    /// Opens a solver, and reports tables built for it.
    fn try_open(&self, goal: &Goal, spec: HeuristicSpec) -> Result<Solver, OpenError> {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let options = self.options().control(self.control(&kept));
        let solver = Solver::open(goal.clone(), spec, &options);
        let kept = lock(&kept);
        let built = match kept.as_slice() {
            [] => return solver,
            [id] => id.name(),
            tables => format!("{} tables", tables.len()),
        };
        let path = self.directory.path().display();
        let those = if kept.len() == 1 { "it" } else { "them" };
        self.status_line
            .print_error(format_args!("built {built} and stored {those} in {path}"));
        solver
    }

    /// Opens a solver although tables are missing. In anytime mode it uses the best tables that
    /// exist or can be built quickly, and in other modes no tables. Prints which tables are used.
    fn open_instead(&self, goal: &Goal, missing: &Missing) -> Result<Solver, Failure> {
        let chosen = match self.mode {
            Mode::Anytime => {
                let builder = HeuristicSpec::builder(goal).kind(self.shared.kind());
                let choice = self.options().choose(&builder, None);
                let choice = choice.map_err(|error| Failure::input(explain_partition(&error)))?;
                self.try_open(goal, self.ordered(choice.spec))
            }
            _ => Ok(self.open_without_tables(goal)?),
        };
        let solver = match chosen {
            Err(OpenError::Cancelled) if interrupted() => self.open_without_tables(goal)?,
            chosen => chosen.map_err(|error| self.refuse(goal, error))?,
        };
        // After Ctrl-C only the answer is printed.
        if !self.shared.quiet && !interrupted() {
            let (name, command) = (solver.spec().name(), self.shared.build_command(goal));
            self.status_line.print_error(format_args!(
                "{missing}: using {name}; for better answers give --build, or run {command}"
            ));
        }
        Ok(solver)
    }

    /// The specification with the requested order of moves.
    fn ordered(&self, spec: HeuristicSpec) -> HeuristicSpec {
        match self.order {
            Some(order) => spec.with_order(order),
            None => spec,
        }
    }

    fn refuse(&self, goal: &Goal, error: OpenError) -> Failure {
        let command = self.shared.build_command(goal);
        match error {
            error @ OpenError::Cancelled => Failure::interrupted(error),
            OpenError::Missing(missing) => Failure::table(format!(
                "{missing}: give --build to build them now, or run {command}"
            )),
            OpenError::Damaged(error) => {
                Failure::table(format!("{error}; rebuild it with {command}"))
            }
            error => Failure::table(error),
        }
    }

    /// Solves one board on all threads.
    pub(crate) fn solve(
        &self,
        board: &Board,
        options: SolveOptions,
    ) -> Result<Result<Solution, SolveError>, Failure> {
        let solver = self.open(&self.shared.goal(Some(board.tray()))?)?;
        let watch = Arc::new(self.status_line.watch(None));
        let options = watch.listen(options.threads(self.shared.thread_count()));
        outcome(solver.solve_with(board, &with_memory(options)))
    }

    /// A control that shows builds, collects the identifiers of stored tables in `kept`, and stops
    /// builds on Ctrl-C.
    fn control(&self, kept: &Arc<Mutex<Vec<TableId>>>) -> Control<OpenEvent> {
        if self.shared.quiet {
            return Control::stopped_by(&command::cancel());
        }
        let status_line = Arc::clone(&self.status_line);
        let kept = Arc::clone(kept);
        // Only builds that the user requested can take long, so other builds are not shown.
        let is_shown = self.args.build && !self.shared.json;
        let bar: Mutex<Option<(TableId, BuildBar)>> = Mutex::new(None);
        let listener = move |event: &OpenEvent| {
            let mut bar = lock(&bar);
            match event {
                OpenEvent::Progress(_) => return,
                OpenEvent::Building(_, BuildEvent::Note(line)) => {
                    // Builds that the user did not request take only a moment, so their notes are
                    // not printed.
                    if is_shown {
                        status_line.print_error(line);
                    }
                    return;
                }
                OpenEvent::Building(id, event) => {
                    if bar.as_ref().is_none_or(|(of, _)| of != id) {
                        *bar = Some((*id, BuildBar::new(&id.name(), !is_shown)));
                    }
                    return bar.iter().for_each(|(_, bar)| bar.show(event));
                }
                _ => {}
            }
            if let Some((_, bar)) = bar.take() {
                bar.clear();
            }
            if let OpenEvent::Kept(id) = event {
                lock(&kept).push(*id);
            } else if let Some(warning) = event.warning() {
                status_line.print_error(warning);
            }
        };
        Control::new(command::cancel(), Some(Arc::new(listener)))
    }
}
