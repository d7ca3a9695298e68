//! State shared by all handlers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::extract::State;
use lab::HeuristicFactory;
use pdb_gen::free_memory;
use session::{Cancel, Cause, Code, Failure, Limits, Session, Spelling};
use solver::OpenOptions;

use crate::bundles::Bundle;
use crate::config::Config;
use crate::metrics::Metrics;
use crate::queue::Queue;
use crate::searches::Searches;

/// The state as handlers extract it.
pub(crate) type SharedApp = State<Arc<App>>;

/// Maximum number of open solvers. Each has its own move tables of a few hundred kilobytes.
const MAX_SOLVERS: usize = 64;
/// Maximum number of solutions that a request can ask for.
const MOST_SOLUTIONS: u64 = 10_000;
/// Maximum number of random moves of a request for random boards.
const MOST_RANDOM_MOVES: u64 = 1_000_000;
/// The least memory with which an anytime search starts, in bytes.
const LEAST_MEMORY: u64 = 8 << 20;
/// Bytes kept free for connections, requests and answers.
const KEPT_FREE: u64 = 32 << 20;

pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) session: Session,
    /// Keeps tables of walking distances.
    pub(crate) walks: HeuristicFactory,
    pub(crate) searches: Arc<Searches>,
    pub(crate) bundles: Vec<Bundle>,
    /// One copy per open connection, and this one.
    pub(crate) connections: Arc<()>,
    /// Cancels the opening of tables at the start.
    pub(crate) cancel: Cancel,
    /// Whether start-up has finished opening the default tables.
    pub(crate) is_warm: AtomicBool,
    pub(crate) is_stopping: AtomicBool,
}

impl App {
    /// Creates the state from a configuration.
    /// Errors: a configured directory cannot be read.
    pub(crate) fn new(config: Config) -> Result<App, String> {
        let metrics = Arc::new(Metrics::new());
        let searches = Searches::start(&config, &metrics);
        Ok(App {
            session: session(&config),
            walks: HeuristicFactory::default(),
            searches: Arc::new(searches.map_err(|error| format!("cannot start threads: {error}"))?),
            bundles: Bundle::all(config.bundles.as_deref())?,
            metrics,
            connections: Arc::default(),
            cancel: Cancel::default(),
            is_warm: AtomicBool::new(false),
            is_stopping: AtomicBool::new(false),
            config,
        })
    }

    /// The memory of one of the anytime searches that can run at the same time, in bytes.
    /// Errors: too little memory is free.
    pub(crate) fn memory_of_search(&self) -> Result<u64, Failure> {
        let free = free_memory().map_or(u64::MAX, |free| free.saturating_sub(KEPT_FREE));
        let share = free / Queue::max_large(self.config.worker_count()) as u64;
        match free < LEAST_MEMORY {
            false => Ok(share.max(LEAST_MEMORY)),
            true => {
                let mut failure = Failure::new(Code::Memory, "not enough memory for the search");
                failure.cause = Cause::Shortage;
                Err(failure)
            }
        }
    }
}

/// The session with the limits of the service.
fn session(config: &Config) -> Session {
    let (memory, tables, disk) = (
        config.max_memory << 20,
        config.max_tables << 20,
        config.max_disk << 20,
    );
    let build_time = config.max_build_time.as_secs_f64();
    let mut limits = Limits::default();
    limits.cells = config.max_cells;
    limits.max_time = Some(config.max_time);
    limits.time = Some(config.default_time.min(config.max_time));
    limits.max_threads = config.max_threads.max(1);
    (limits.memory, limits.max_memory) = (memory, Some(memory));
    (limits.build_time, limits.named_build_time) = ([build_time; 2], build_time);
    (limits.table_memory, limits.open_memory) = (Some(tables), tables);
    limits.disk = Some([disk, disk / 2]);
    limits.solvers = MAX_SOLVERS;
    limits.solutions = MOST_SOLUTIONS;
    limits.boards = config.max_boards as u64;
    limits.walks = MOST_RANDOM_MOVES;
    let mut session = Session::new(limits, Spelling::Snake);
    if let Some(directory) = &config.tables {
        session.sources = OpenOptions::new(directory);
    }
    session
}
