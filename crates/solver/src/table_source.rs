//! Solvers over a tables directory: tables are mapped where they are there, built and kept where that is quick.

use pdb_gen::{BuildEvent, TableStore, TableStoreError, build, estimate_seconds};
use pdb_table::{Control, Encoding, FileError, TableBytes, TableDirectory, TableFile};
use puzzle::{Goal, HeuristicSpec, TableId};

use crate::{MultiSolver, Solver, SolverError};

/// Where tables come from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The directory.
    pub directory: TableDirectory,
    /// The longest time, in seconds by estimate, that missing tables may take to build.
    pub patience: f64,
    /// Bytes of memory that a build may take, where it is known.
    pub memory: Option<u64>,
    /// Threads that a build uses.
    pub threads: usize,
}

/// Why a solver could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A table file is damaged.
    #[error("{error}; build it again with {command}")]
    Damaged {
        /// What is wrong with which file.
        error: FileError,
        /// The command that builds it.
        command: String,
    },
    /// Tables are missing and would take long to build.
    #[error("tables are missing and take about {seconds:.0} s to build: run {command}")]
    Missing {
        /// Time to build them, by estimate.
        seconds: f64,
        /// The command that builds them.
        command: String,
    },
    /// A table is larger than the machine.
    #[error(transparent)]
    TooLarge(TableStoreError),
    /// Something else.
    #[error(transparent)]
    SetUp(#[from] SolverError),
}

/// What [`Solver::open`] tells of.
#[derive(Debug)]
pub enum OpenEvent {
    /// A table was built and is kept.
    Kept(TableId),
    /// A table was built but could not be kept.
    NotKept(TableId, FileError),
}

impl Solver {
    /// Opens a plan's tables. Those that are missing are built and kept in the directory if all together are estimated
    /// to take no longer than the source's patience; where the directory cannot be written they are used from memory.
    /// `command` is what a user should run to build them; `notice` hears of each table built, and `control` of each
    /// level, and can stop a build.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(
        goal: Goal,
        spec: HeuristicSpec,
        source: &Source,
        command: &str,
        control: &Control<BuildEvent>,
        mut notice: impl FnMut(OpenEvent),
    ) -> Result<Solver, OpenError> {
        let taken = obtain(&spec, source, command, control, &mut notice)?;
        Solver::with_tables(goal, spec, taken)
    }
}

impl MultiSolver {
    /// [`Solver::open`] in the multi-tile metric.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(
        goal: Goal,
        spec: HeuristicSpec,
        source: &Source,
        command: &str,
        control: &Control<BuildEvent>,
        mut notice: impl FnMut(OpenEvent),
    ) -> Result<MultiSolver, OpenError> {
        let taken = obtain(&spec, source, command, control, &mut notice)?;
        MultiSolver::with_tables(goal, spec, taken)
    }
}

/// Finds the tables of a spec; what is returned gives each, building those that are missing.
fn obtain<'a>(
    spec: &HeuristicSpec,
    source: &Source,
    command: &str,
    control: &'a Control<BuildEvent>,
    notice: &'a mut dyn FnMut(OpenEvent),
) -> Result<impl FnMut(TableId) -> Result<TableFile, OpenError> + 'a, OpenError> {
    let stock = TableStore {
        memory: source.memory,
        ..TableStore::new(source.directory.clone())
    };
    let mut found = Vec::new();
    let mut seconds = 0.0;
    // More threads than cores make nothing faster.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = cores.min(source.threads);
    for id in spec.tables() {
        match stock.directory.find(id) {
            Ok(Some(table)) => found.push(table),
            Ok(None) => seconds += estimate_seconds(id, cores),
            Err(error) => {
                let command = command.to_owned();
                return Err(OpenError::Damaged { error, command });
            }
        }
    }
    if seconds > source.patience {
        let command = command.to_owned();
        return Err(OpenError::Missing { seconds, command });
    }
    Ok(move |id| {
        if let Some(index) = found.iter().position(|table| table.id() == id) {
            return Ok(found.swap_remove(index));
        }
        stock.check_memory(id).map_err(OpenError::TooLarge)?;
        let encoding = Encoding::default_for(id.kind());
        let built = build(id, encoding, control).map_err(SolverError::Build)?;
        notice(match stock.keep(&built) {
            Ok(_) => OpenEvent::Kept(id),
            Err(error) => OpenEvent::NotKept(id, error),
        });
        Ok(built.into_table().map_data(TableBytes::Owned))
    })
}
