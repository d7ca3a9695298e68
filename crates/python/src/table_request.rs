//! Chooses the requested tables, then opens or builds them.

use std::mem;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use pdb_gen::free_memory;
use puzzle::{Goal, HeuristicSpec, HeuristicSpecBuilder, Metric, TableId, TableKind, Tray};
use solver::{Control, OpenError, OpenEvent, OpenOptions, SharedTable, Solver};

use crate::arguments::usual_goal;
use crate::call::WorkControl;
use crate::call_error::CallError;
use crate::open_solver::{OpenSolver, TableAndFile};

/// The tables that a caller requests.
#[derive(Clone, Debug)]
pub(crate) struct TableRequest {
    pub(crate) goal: Option<Goal>,
    pub(crate) size: Option<Tray>,
    pub(crate) metric: Metric,
    pub(crate) kind: Option<TableKind>,
    pub(crate) partition: Option<String>,
    /// Maximum estimated build time of missing tables, in seconds.
    pub(crate) max_build_time: Option<f64>,
}

/// The chosen tables of a request, before they are opened.
pub(crate) struct TablePlan {
    pub(crate) goal: Goal,
    pub(crate) spec: HeuristicSpec,
    /// See [`OpenSolver::reason`].
    reason: Option<String>,
    options: OpenOptions,
}

impl TableRequest {
    pub(crate) fn goal(&self) -> Result<Goal, CallError> {
        match &self.goal {
            Some(goal) => Ok(goal.clone()),
            None => usual_goal(self.size),
        }
    }

    /// A builder for specifications of the goal, with the request's kind and metric.
    pub(crate) fn builder<'a>(&self, goal: &'a Goal) -> HeuristicSpecBuilder<'a> {
        let builder = HeuristicSpec::builder(goal);
        let builder = match self.kind {
            Some(kind) => builder.kind(kind),
            None => builder,
        };
        builder.metric(self.metric)
    }

    /// Chooses the tables of the request's partition. Without a partition, the default of the size
    /// is used. If the missing tables of the default need too much time or memory, a partition of
    /// smaller parts is used. If that needs too much as well, no tables are used.
    pub(crate) fn plan(
        &self,
        directory: Option<&Path>,
        given: &[TableAndFile],
    ) -> Result<TablePlan, CallError> {
        let goal = self.goal()?;
        let free = free_memory();
        // A solver is used for many boards, which justifies a longer build. Both metrics therefore
        // use the build-time limit of the multi-tile metric.
        let (seconds, memory) = match self.partition {
            Some(_) => (f64::INFINITY, free),
            None => (
                OpenOptions::usual_seconds(Metric::Multi),
                free.map(|free| free / 2),
            ),
        };
        let options = directory.map_or_else(OpenOptions::in_memory, OpenOptions::new);
        let options = options
            .given(given.iter().map(|(table, _)| table.clone()).collect())
            .max_build_seconds(self.max_build_time.unwrap_or(seconds))
            .max_memory(memory)
            .load_from(Some(OpenOptions::LOAD_FROM));
        let choice = options.choose(&self.builder(&goal), self.partition.as_deref());
        let choice = choice.map_err(|error| CallError::input(format!("partition: {error}")))?;
        Solver::check_room(&choice.spec)?;
        Ok(TablePlan {
            goal,
            reason: choice.reason(),
            spec: choice.spec,
            // The limit of half the free memory applies only to choosing the default tables.
            // Loading the chosen tables can use all of the free memory.
            options: options.max_memory(free),
        })
    }
}

impl TablePlan {
    /// Total entries of all tables.
    pub(crate) fn entries(&self) -> u64 {
        self.spec.tables().iter().map(TableId::entries).sum()
    }

    /// Opens or builds the tables, and creates the solver.
    pub(crate) fn open(self, control: &WorkControl) -> Result<OpenSolver, CallError> {
        let warnings = Arc::new(Mutex::new(Vec::new()));
        let (counter, lines) = (Arc::clone(&control.counter), Arc::clone(&warnings));
        let listener = move |event: &OpenEvent| {
            if let OpenEvent::Progress(progress) = event {
                counter.reach(progress.found);
            }
            if let Some(line) = event.warning() {
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                lines.push(line);
            }
        };
        let events = Control::new(control.cancel.clone(), Some(Arc::new(listener)));
        let options = self.options.clone().control(events);
        let limit = options.budget.max_seconds;
        let solver = Solver::open(self.goal, self.spec, &options).map_err(|error| match error {
            OpenError::Missing(missing) => CallError::table(format!(
                "{missing}: raise max_build_time={limit}, or choose a partition of \
                 smaller parts"
            )),
            error => error.into(),
        })?;
        let with_file = |table: SharedTable| {
            let directory = options.directory.as_ref();
            let file = directory.and_then(|directory| directory.file_of(table.id()));
            (table, file.map(|(_, file)| file))
        };
        let mut lines = warnings.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(OpenSolver {
            tables: solver.tables().into_iter().map(with_file).collect(),
            solver,
            reason: self.reason,
            warnings: mem::take(&mut *lines),
        })
    }

    /// Creates the solver with these tables, in the order of the specification.
    pub(crate) fn solver(self, tables: Vec<TableAndFile>) -> Result<OpenSolver, CallError> {
        let shared: Vec<_> = tables.iter().map(|(table, _)| table.clone()).collect();
        Ok(OpenSolver {
            solver: Solver::of_tables(self.goal, self.spec, &shared)?,
            tables,
            reason: self.reason,
            warnings: Vec::new(),
        })
    }
}
