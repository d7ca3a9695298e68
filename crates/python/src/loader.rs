//! Which tables a solver has, and how those that are not given are opened or built.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pdb_gen::free_memory;
use pdb_table::bundle::MANIFEST_NAME;
use puzzle::{Goal, HeuristicSpec, HeuristicSpecBuilder, Metric, TableId, TableKind, Tray};
use solver::{
    Cancel, Control, OpenError, OpenEvent, OpenOptions, SharedTable, Solver, open_tables,
};

use crate::failure::Failure;
use crate::given::Given;
use crate::progress::Counter;
use crate::solver::Engine;

/// A table and its file, if it has one.
pub(crate) type Loaded = (SharedTable, Option<PathBuf>);

/// Where tables come from.
#[derive(Debug)]
pub(crate) enum Source {
    /// They are built in memory, or kept in a directory, where those that are missing are built.
    Built(Option<PathBuf>),
    /// They are given, and none is built.
    Given(Vec<Given>),
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The goal, where it is asked for.
    pub(crate) goal: Option<Goal>,
    pub(crate) size: Option<Tray>,
    pub(crate) metric: Metric,
    pub(crate) kind: Option<TableKind>,
    pub(crate) partition: Option<String>,
    /// Time limit for building missing tables, in seconds by estimate.
    pub(crate) max_build_time: Option<f64>,
}

/// Tables that are chosen, and not opened yet.
pub(crate) struct Chosen {
    pub(crate) goal: Goal,
    pub(crate) spec: HeuristicSpec,
    /// Why these tables and not the size's usual ones.
    pub(crate) reason: Option<String>,
    options: OpenOptions,
}

impl Source {
    /// What a path is.
    pub(crate) fn of_path(path: PathBuf) -> Result<Source, Failure> {
        if path.join(MANIFEST_NAME).is_file() || path.is_file() {
            return Ok(Source::Given(vec![Given::File(path)]));
        }
        // A directory that is to be made does not look like a file.
        const FILES: [&str; 5] = ["pdb", "pdbz", "pack", "json", "zst"];
        let ending = path.extension().and_then(|ending| ending.to_str());
        if !path.exists() && ending.is_some_and(|ending| FILES.contains(&ending)) {
            let missing = std::io::Error::from_raw_os_error(NO_SUCH_FILE);
            return Err(Failure::system(&path, missing));
        }
        Ok(Source::Built(Some(path)))
    }
}

/// The system's number for a file that does not exist, the same everywhere.
const NO_SUCH_FILE: i32 = 2;

impl Wanted {
    pub(crate) fn goal(&self) -> Result<Goal, Failure> {
        match &self.goal {
            Some(goal) => Ok(goal.clone()),
            None => Goal::parse("blank-last", self.size).map_err(Failure::input),
        }
    }

    /// The specification that a goal has by a name.
    pub(crate) fn builder<'a>(&self, goal: &'a Goal) -> HeuristicSpecBuilder<'a> {
        let builder = HeuristicSpec::builder(goal);
        let builder = match self.kind {
            Some(kind) => builder.kind(kind),
            None => builder,
        };
        builder.metric(self.metric)
    }

    /// The tables of the partition that is asked for. By default it is the size's own; where
    /// building its missing tables takes too long or too much memory, one of smaller parts, and
    /// where all do, no tables at all.
    pub(crate) fn choose(
        &self,
        directory: Option<&Path>,
        given: &[Loaded],
    ) -> Result<Chosen, Failure> {
        let goal = self.goal()?;
        let free = free_memory();
        // A solver stays, so that single moves may wait for tables as long as runs of tiles.
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
        let choice = choice.map_err(|error| Failure::input(format!("partition: {error}")))?;
        Solver::check_room(&choice.spec)?;
        Ok(Chosen {
            goal,
            reason: choice.reason(),
            spec: choice.spec,
            // Half of it is a limit of the choice, not of the files that are loaded.
            options: options.max_memory(free),
        })
    }
}

impl Chosen {
    /// Entries of all tables.
    pub(crate) fn entries(&self) -> u64 {
        self.spec.tables().iter().map(TableId::entries).sum()
    }

    /// A solver of these tables, opened or built.
    pub(crate) fn open(self, cancel: &Cancel, counter: &Arc<Counter>) -> Result<Engine, Failure> {
        let warnings = Arc::new(Mutex::new(Vec::new()));
        let (heard, warned) = (Arc::clone(counter), Arc::clone(&warnings));
        let listener = move |event: &OpenEvent| {
            if let OpenEvent::Progress(progress) = event {
                heard.reach(progress.found);
            }
            if let Some(line) = event.warning() {
                let mut lines = warned.lock().unwrap_or_else(PoisonError::into_inner);
                lines.push(line);
            }
        };
        let control = Control::new(cancel.clone(), Some(Arc::new(listener)));
        let options = self.options.clone().control(control);
        let limit = options.budget.max_seconds;
        let tables = open_tables(&self.spec, &options).map_err(|error| match error {
            OpenError::Missing(missing) => Failure::table(format!(
                "{missing}: expected at most max_build_time={limit}; give more, or a partition of \
                 smaller parts"
            )),
            error => error.into(),
        })?;
        let with_file = |table: SharedTable| {
            let directory = options.directory.as_ref();
            let file = directory.and_then(|directory| directory.file_of(table.id()));
            (table, file.map(|(_, file)| file))
        };
        let tables = tables.into_iter().map(with_file).collect();
        let warnings =
            std::mem::take(&mut *warnings.lock().unwrap_or_else(PoisonError::into_inner));
        Engine::new(self, tables, warnings)
    }
}
