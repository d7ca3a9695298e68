//! Opens and builds tables, and makes solvers of them.

use std::sync::Arc;

use pdb_gen::{BuildEvent, build};
#[cfg(feature = "file")]
use pdb_gen::{NewTable, TableStore, TableStoreError};
use pdb_table::{Control, Encoding, SharedTable};
use puzzle::{Goal, HeuristicSpec, TableId};

use super::open_event::{OpenError, OpenEvent, OpenProgress};
#[cfg(feature = "file")]
use super::open_options::Keep;
use super::open_options::OpenOptions;
use crate::facade::{Solver, SolverError};

impl Solver {
    /// Builds the default set of tables of a specification in memory: its own, and those for
    /// searches from the goal that [`HeuristicSpec::usual_goals`] names.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn build(goal: Goal, spec: HeuristicSpec) -> Result<Solver, OpenError> {
        Solver::open(goal, spec, &OpenOptions::in_memory())
    }

    /// Opens a specification's tables. Missing tables are built if the estimated total time is
    /// within the options' limit. The built tables are kept in the directory if there is one. If
    /// the directory is not writable, they stay in memory. Afterwards, the tables of other goal
    /// cells are added as described for [`Solver::open_other_goals`]; the progress of their builds
    /// is reported separately.
    ///
    /// # Errors
    /// [`OpenError`].
    ///
    /// ```
    /// use pdb_table::Control;
    /// use puzzle::{Goal, HeuristicSpec};
    /// use solver::{OpenError, OpenEvent, OpenOptions, Solver};
    ///
    /// let directory = tempfile::tempdir()?; // use a permanent directory in practice
    /// let goal = Goal::blank_last("4x4".parse()?);
    /// let control = Control::listening(|event: &OpenEvent| {
    ///     if let OpenEvent::Kept(id) = event {
    ///         println!("built {}", id.name());
    ///     }
    /// });
    /// let options = OpenOptions::new(directory.path()).control(control);
    /// let solver = Solver::open(goal.clone(), HeuristicSpec::parse("4-4-4-3", &goal)?, &options)?;
    /// assert_eq!(solver.tables().len(), 4);
    /// assert!(!solver.other_tables()?.is_empty());
    ///
    /// // Tables that take long to build are returned to the caller, who may ask a user.
    /// let large = Solver::open(goal.clone(), HeuristicSpec::parse("7-8", &goal)?, &options);
    /// let Err(OpenError::Missing(missing)) = large else { panic!() };
    /// assert_eq!(missing.tables.len(), 2);
    /// assert!(missing.seconds > options.budget.max_seconds);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(
        goal: Goal,
        spec: HeuristicSpec,
        options: &OpenOptions,
    ) -> Result<Solver, OpenError> {
        // This choice precedes the build of the specification's missing tables, because their build
        // time counts towards the same budget.
        let others = options.other_goals(&spec);
        let tables = open_tables(&spec, options)?;
        let mut solver = Solver::of_tables(goal, spec, &tables)?;
        let options = solver.with_own_tables(options);
        solver.add_others(others, &options)?;
        Ok(solver)
    }

    /// A solver with existing tables; `tables` may contain further tables. Payload checksums are
    /// not verified here, see [`Table::check_payload`](pdb_table::Table::check_payload).
    ///
    /// # Errors
    /// [`SolverError`] if a table of the specification is missing.
    pub fn of_tables(
        goal: Goal,
        spec: HeuristicSpec,
        tables: &[SharedTable],
    ) -> Result<Solver, SolverError> {
        let name = spec.name().to_owned();
        Solver::with_tables(goal, spec, |id| {
            let table = tables.iter().find(|table| table.id() == id);
            table.cloned().ok_or_else(|| SolverError::NotGiven {
                table: id.name(),
                name: name.clone(),
            })
        })
    }
}

/// Index of a table among those of a specification; `None` for a table of another goal cell of the
/// blank.
///
/// # Errors
/// [`SolverError::NotNeeded`] for any other table.
pub fn place_of(spec: &HeuristicSpec, id: TableId) -> Result<Option<usize>, SolverError> {
    let tables = spec.tables();
    let place = tables.iter().position(|needed| *needed == id);
    if place.is_some() || HeuristicSpec::tables_of(&spec.other_goals()).contains(&id) {
        return Ok(place);
    }
    Err(SolverError::NotNeeded {
        table: id.name(),
        name: spec.name().to_owned(),
        expected: match &tables[..] {
            [] => "none".to_owned(),
            tables => {
                let names: Vec<String> = tables.iter().map(TableId::name).collect();
                names.join(", ")
            }
        },
    })
}

/// The tables of a specification, in the specification's order, opened or built as described for
/// [`Solver::open`].
///
/// # Errors
/// [`OpenError`].
pub(super) fn open_tables(
    spec: &HeuristicSpec,
    options: &OpenOptions,
) -> Result<Vec<SharedTable>, OpenError> {
    let ids = spec.tables();
    #[cfg(feature = "file")]
    let store = options.store(spec);
    let mut tables = Vec::new();
    for &id in &ids {
        let found = options.given_table(id).cloned();
        #[cfg(feature = "file")]
        let found = match (&store, found) {
            (Some(store), None) => {
                let found = store.directory.find(id).map_err(OpenError::Damaged)?;
                found.map(|table| {
                    store.clear_locks(id);
                    table.shared()
                })
            }
            (_, found) => found,
        };
        tables.push(found);
        // If the check was cancelled, the table may be damaged.
        if options.control.is_cancelled() {
            return Err(OpenError::Cancelled);
        }
    }
    let existing = |id: TableId| {
        let table = tables.iter().flatten().find(|table| table.id() == id)?;
        Some(table.header().encoding)
    };
    options.budget.check(spec.name(), &ids, &existing)?;
    let entries: u64 = ids.iter().map(TableId::entries).sum();
    let mut before = 0;
    let mut opened = Vec::new();
    for (number, (&id, table)) in ids.iter().zip(tables).enumerate() {
        let progress = OpenProgress {
            id,
            number,
            tables: ids.len(),
            found: before,
            entries,
        };
        before += id.entries();
        if let Some(table) = table {
            opened.push(table);
            continue;
        }
        let listener = options.control.clone();
        let report = move |event: &BuildEvent| {
            listener.report(&OpenEvent::Building(id, event.clone()));
            if let BuildEvent::Level(level) = event {
                let found = progress.found + level.found.min(level.entries);
                listener.report(&OpenEvent::Progress(OpenProgress { found, ..progress }));
            }
        };
        let control = Control::new(options.control.cancel.clone(), Some(Arc::new(report)));
        #[cfg(feature = "file")]
        if let Some(store) = store.as_ref().filter(|_| match &options.keep {
            Keep::All => true,
            Keep::If(is_kept) => is_kept(id),
        }) {
            opened.push(build_and_keep(id, store, &control, &options.control)?);
            continue;
        }
        let built = build(id, Encoding::default_for(id.kind()), &control)?;
        opened.push(built.into_table().shared());
    }
    // If another process has built a table meanwhile and the check of this table was cancelled, the
    // table may be damaged.
    match options.control.is_cancelled() {
        true => Err(OpenError::Cancelled),
        false => Ok(opened),
    }
}

#[cfg(feature = "file")]
fn build_and_keep(
    id: TableId,
    store: &TableStore,
    builds: &Control<BuildEvent>,
    control: &Control<OpenEvent>,
) -> Result<SharedTable, OpenError> {
    let new = store
        .build_or_wait(id, builds)
        .map_err(|error| match error {
            TableStoreError::Build(error) => error.into(),
            TableStoreError::File(error) => OpenError::Damaged(error),
            error => OpenError::Store(error),
        })?;
    let (built, kept) = match new {
        NewTable::Found(table) => return Ok(table.shared()),
        NewTable::Built { built, kept } => (built, kept),
    };
    control.report(&match kept {
        Ok(()) => OpenEvent::Kept(id),
        Err(error) => OpenEvent::NotKept(id, error),
    });
    Ok(built.into_table().shared())
}

#[cfg(test)]
#[cfg(feature = "file")]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use pdb_table::TableBytes;

    use super::super::open_options::OtherGoals;
    use super::*;

    /// A folder without tables, and two tables that build fast.
    fn empty_folder() -> (tempfile::TempDir, Goal, HeuristicSpec) {
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let spec = HeuristicSpec::parse("5-3", &goal).unwrap();
        (tempfile::tempdir().unwrap(), goal, spec)
    }

    #[test]
    fn a_built_solver_has_the_default_set() {
        let (_, goal, spec) = empty_folder();
        let mut expected = HeuristicSpec::tables_of(&spec.usual_goals());
        expected.retain(|id| !spec.tables().contains(id));
        let one_side = Solver::build_one_side(goal.clone(), spec.clone()).unwrap();
        assert!(one_side.other_tables().unwrap().is_empty());
        let solver = Solver::build(goal, spec).unwrap();
        let others = solver.other_tables().unwrap();
        let others: Vec<_> = others.iter().map(pdb_table::Table::id).collect();
        assert!(!others.is_empty() && others == expected, "{others:?}");
    }

    fn own_only(folder: &tempfile::TempDir) -> OpenOptions {
        OpenOptions::new(folder.path()).both_sides(OtherGoals::Never)
    }

    #[test]
    fn solvers_opened_at_once_build_each_table_once() {
        let (folder, goal, spec) = empty_folder();
        let kept = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&kept);
        let control = Control::listening(move |event: &OpenEvent| {
            if let OpenEvent::Kept(_) = event {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        let options = own_only(&folder).control(control);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| Solver::open(goal.clone(), spec.clone(), &options).unwrap());
            }
        });
        assert_eq!(kept.load(Ordering::SeqCst), spec.tables().len());
    }

    /// The lock belongs to a process that was killed after it had given the table file its final
    /// name.
    #[test]
    fn stale_locks_are_removed() {
        let (folder, goal, spec) = empty_folder();
        let options = own_only(&folder);
        let open = || Solver::open(goal.clone(), spec.clone(), &options).unwrap();
        let names = || {
            let entries = std::fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
            names.sort();
            names
        };
        open();
        let tables = names();
        for table in &tables {
            std::fs::write(format!("{}.lock", table.display()), "").unwrap();
        }
        open();
        assert_eq!(names(), tables);
    }

    #[test]
    fn a_cancelled_token_stops_opening_and_records_no_check() {
        let (folder, goal, spec) = empty_folder();
        let options = own_only(&folder);
        Solver::open(goal.clone(), spec.clone(), &options).unwrap();
        let control = Control::default();
        control.cancel.cancel();
        let ended = Solver::open(goal, spec, &options.control(control));
        assert!(matches!(ended, Err(OpenError::Cancelled)));
    }

    #[test]
    fn files_are_loaded_if_all_fit_half_of_the_memory() {
        let (folder, goal, spec) = empty_folder();
        let options = own_only(&folder);
        Solver::open(goal, spec.clone(), &options).unwrap();
        let files = std::fs::read_dir(folder.path()).unwrap();
        let files = files.map(|file| file.unwrap().metadata().unwrap().len());
        let lengths: Vec<u64> = files.collect();
        assert_eq!(lengths.len(), 2);
        let all: u64 = lengths.iter().sum();
        let loaded = |memory: Option<u64>, load_from: Option<u64>| {
            let options = own_only(&folder).max_memory(memory).load_from(load_from);
            let store = options.store(&spec).unwrap();
            let mut loaded = 0;
            for id in spec.tables() {
                let table = store.directory.find(id).unwrap().unwrap();
                let _ = table.map_data(|data| {
                    loaded += usize::from(matches!(data, TableBytes::Loaded(_)));
                    data
                });
            }
            loaded
        };
        assert_eq!(loaded(Some(2 * all + 2), Some(1)), 2);
        assert_eq!(loaded(Some(2 * all), Some(1)), 0);
        assert_eq!(loaded(Some(2 * all + 2), lengths.iter().max().copied()), 1);
        assert_eq!(loaded(Some(2 * all + 2), Some(all)), 0);
        assert_eq!(loaded(Some(2 * all + 2), None), 0);
        assert_eq!(loaded(None, Some(1)), 0);
    }
}
