//! Opens tables of solvers within the limits of the service, and converts the library's errors to
//! problems.

use std::collections::HashSet;
use std::sync::Arc;

use pdb_gen::{Calibration, TableStore, estimate_memory, size};
use pdb_table::{Encoding, TableDirectory};
use puzzle::{Goal, HeuristicSpec, TableId};
use session::request::Tables;
use solver::{
    Cancel, Control, Keep, OpenError, OpenEvent, OpenOptions, SharedTable, Solver, SolverError,
};

use crate::config::Config;
use crate::problem::Problem;

/// Chooses, opens and builds tables. Each call receives the tables that are already open.
pub(crate) struct Opener {
    directory: Option<TableDirectory>,
    max_bytes: u64,
    max_seconds: f64,
    max_disk: u64,
}

impl Opener {
    pub(crate) fn new(config: &Config) -> Opener {
        Opener {
            directory: config.tables.as_ref().map(TableDirectory::new),
            max_bytes: config.table_bytes(),
            max_seconds: config.max_build_time,
            max_disk: config.max_disk << 20,
        }
    }

    /// Chooses the tables of the given partition or, without one, the best tables within the
    /// limits.
    pub(crate) fn choose(
        &self,
        goal: &Goal,
        tables: &Tables,
        given: &[SharedTable],
    ) -> Result<(HeuristicSpec, Option<String>), Problem> {
        let (spec, reason) = tables.choose(goal, &self.options(given))?;
        if tables.is_named() {
            self.check(spec.name(), std::slice::from_ref(&spec), given)?;
        }
        Ok((spec, reason))
    }

    /// Rejects specifications whose tables together need too much memory or take too long to build.
    pub(crate) fn check(
        &self,
        name: &str,
        specs: &[HeuristicSpec],
        given: &[SharedTable],
    ) -> Result<(), Problem> {
        for spec in specs {
            Solver::check_room(spec).map_err(Problem::input)?;
        }
        let ids: HashSet<TableId> = specs.iter().flat_map(HeuristicSpec::tables).collect();
        let ids: Vec<TableId> = ids.into_iter().collect();
        let missing = self.options(given).check(name, &ids);
        missing.map_err(|error| self.problem(error.into()))?;
        Ok(())
    }

    /// The tables of a specification. `both_sides` adds the tables that searches from the goal
    /// need.
    pub(crate) fn tables(
        &self,
        spec: &HeuristicSpec,
        both_sides: bool,
        given: &[SharedTable],
    ) -> Vec<TableId> {
        let others = self.options(given).both_sides(both_sides).other_goals(spec);
        HeuristicSpec::tables_of([spec].into_iter().chain(&others))
    }

    /// Opens a solver, and builds its missing tables. `both_sides` adds the tables that searches
    /// from the goal need. [`Self::keep`] describes `comes_first`.
    /// Errors: the tables need too much time or memory, or are damaged, or the search was
    /// cancelled.
    pub(crate) fn open(
        &self,
        goal: &Goal,
        spec: HeuristicSpec,
        given: &[SharedTable],
        comes_first: bool,
        both_sides: bool,
        cancel: &Cancel,
    ) -> Result<Solver, Problem> {
        let warn = |event: &OpenEvent| {
            if let OpenEvent::NotKept(id, error) = event {
                tracing::warn!(table = id.name(), %error, "cannot store a table");
            }
        };
        let options = self.options(given).keep(self.keep(comes_first));
        let options = options.control(Control::new(cancel.clone(), Some(Arc::new(warn))));
        let solver = Solver::open(goal.clone(), spec, &options.both_sides(both_sides));
        solver.map_err(|error| self.problem(error))
    }

    pub(crate) fn memory_of<'a>(&self, tables: impl Iterator<Item = &'a TableId>) -> u64 {
        let directory = self.directory.as_ref();
        let memory = |&id| {
            let file = directory.and_then(|files| files.file_of(id));
            let encoding = file.map_or(Encoding::default_for(id.kind()), |(encoding, _)| encoding);
            estimate_memory(id, encoding)
        };
        tables.map(memory).sum()
    }

    fn options(&self, given: &[SharedTable]) -> OpenOptions {
        let mut options = OpenOptions::in_memory()
            .given(given.to_vec())
            .max_build_seconds(self.max_seconds)
            .max_memory(Some(self.max_bytes))
            .max_bytes(Some(self.max_bytes));
        options.directory.clone_from(&self.directory);
        options
    }

    /// Limits the size of the directory: a built table is written only if the files, including the
    /// new one, stay within the limit. The limit is `max_disk` bytes for tables with priority
    /// (`comes_first`), and half of it for other tables.
    fn keep(&self, comes_first: bool) -> Keep {
        let Some(directory) = self.directory.clone() else {
            return Keep::All;
        };
        let most = match comes_first {
            true => self.max_disk,
            false => self.max_disk / 2,
        };
        Keep::If(Arc::new(move |id| {
            let files = std::fs::read_dir(directory.path());
            let files = files.into_iter().flatten().flatten();
            let lengths = files.filter_map(|file| file.metadata().ok().map(|data| data.len()));
            let taken: u64 = lengths.sum();
            let store = TableStore::new(directory.clone());
            taken + store.forecast(id, &Calibration::UNIT).file <= most
        }))
    }

    fn problem(&self, error: OpenError) -> Problem {
        match error {
            OpenError::Damaged(error) => Problem::damaged(error),
            OpenError::Missing(missing) => Problem::slow_tables(format!(
                "{missing}, maximum {} s: choose smaller parts",
                self.max_seconds
            )),
            OpenError::TooLarge(error) => Problem::memory(format!(
                "the tables of {} need {} of memory, maximum {}: choose smaller parts",
                error.name,
                size(error.needed),
                size(error.free)
            )),
            OpenError::Cancelled => Problem::cancelled(),
            OpenError::Solver(SolverError::Build(error)) => Problem::slow_tables(error),
            OpenError::Solver(SolverError::Table(error)) => Problem::damaged(error),
            OpenError::Solver(error) => Problem::input(error),
            error => Problem::memory(error),
        }
    }
}
