//! State shared by all handlers: the session with the limits of the service, its searches, and the
//! metrics in the text format of Prometheus.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry, Unit};
use puzzle::Goal;
use puzzle::board_text::ListedBoard;
use session::request::{Solve, Tables};
use session::{Cancel, Control, Event, Failure, Limits, Session, Spelling};
use solver::{Mode, OpenOptions, Report, Status};

use crate::config::Config;
use crate::queue::Client;
use crate::searches::Searches;

/// The state as handlers extract it.
pub(crate) type SharedApp = State<Arc<App>>;
/// The client of a request, which the server has inserted.
pub(crate) type Sender = Extension<Client>;

/// Maximum number of open solvers. Each has its own move tables of a few hundred kilobytes.
const MAX_SOLVERS: usize = 64;
/// Maximum number of solutions that a request can ask for.
const MOST_SOLUTIONS: u64 = 10_000;
/// Maximum number of random moves of a request for random boards.
const MOST_RANDOM_MOVES: u64 = 1_000_000;

pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) session: Session,
    pub(crate) searches: Arc<Searches>,
    /// One copy per open connection, and this one.
    pub(crate) connections: Arc<()>,
    /// Cancels the opening of tables at the start.
    pub(crate) cancel: Cancel,
    /// `starting` before the default tables are open, and `stopping` after the stop signal.
    pub(crate) unready: Mutex<Option<&'static str>>,
}

impl App {
    /// Starts the search threads.
    pub(crate) fn new(config: Config) -> std::io::Result<App> {
        Ok(App {
            session: session(&config),
            searches: Arc::new(Searches::start(&config)?),
            metrics: Arc::new(Metrics::new()),
            connections: Arc::default(),
            cancel: Cancel::default(),
            unready: Mutex::new(Some("starting")),
            config,
        })
    }

    /// Solves a board on a search thread. Boards without a solution, and searches that reach a limit,
    /// also have a report. If the answer `has_events`, the first anytime solution needs no tables
    /// and does not wait for them.
    /// Errors: the options do not suit the board, the tables cannot be opened, or the search was
    /// cancelled before it found a solution.
    pub(crate) fn report(
        &self,
        request: &Solve,
        read: &ListedBoard,
        goal: &Goal,
        control: &Control<Event>,
        has_events: bool,
    ) -> Result<Report, Failure> {
        let (session, tables) = (&self.session, &request.tables);
        let question = session.question(request, control)?;
        if has_events && question.mode() == Mode::Anytime && !session.is_open(goal, tables) {
            let silent = Control::stopped_by(&control.cancel);
            let mut first = session.question(request, &silent)?;
            first.options = first.options.mode(Mode::Strategic);
            let table_free = Tables {
                metric: Some(tables.metric()),
                ..Tables::default()
            };
            if let Ok(mut report) = session.answer(read, goal, &table_free, &first, &silent) {
                (report.status, report.mode) = (Status::Improved, Some(Mode::Anytime));
                let report = Box::new(report.with_time(Duration::ZERO));
                control.report(&Event::Improved { report });
            }
        }
        let report = session.answer(read, goal, tables, &question, control);
        let report = report.or_else(Failure::into_report)?;
        if let (Some(nodes), Some(ms)) = (report.nodes, report.ms) {
            self.metrics.board(nodes, ms / 1e3);
        }
        Ok(report)
    }
}

/// The session with the limits of the service.
fn session(config: &Config) -> Session {
    let [memory, tables, disk] =
        [config.max_memory, config.max_tables, config.max_disk].map(|size| size << 20);
    let build_time = config.max_build_time.as_secs_f64();
    let mut limits = Limits::default();
    limits.cells = config.max_cells;
    limits.max_time = Some(config.max_time);
    limits.time = Some(config.default_time.min(config.max_time));
    limits.max_threads = config.max_threads.max(1);
    (limits.memory, limits.max_memory) = (Some(memory), Some(memory));
    (limits.build_time, limits.named_build_time) = ([build_time; 2], build_time);
    (limits.table_memory, limits.open_memory) = (Some(tables), tables);
    limits.disk = Some([disk, disk / 2]);
    limits.solvers = MAX_SOLVERS;
    limits.solutions = MOST_SOLUTIONS;
    limits.boards = config.max_boards as u64;
    limits.walks = MOST_RANDOM_MOVES;
    limits.lab_shares_tables = true;
    let mut session = Session::new(limits, Spelling::Snake);
    if let Some(directory) = &config.tables {
        session.sources = OpenOptions::new(directory);
    }
    session
}

pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<[(&'static str, String); 1], Counter>,
    boards: Counter,
    nodes: Counter<u64, AtomicU64>,
    solve_time: Histogram,
    /// Open connections, waiting and running searches, and bytes of open tables.
    gauges: [Gauge; 4],
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::default();
        let own = registry.sub_registry_with_prefix("solver_server");
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        own.register("build", "The version of the service", version);
        // The buckets are from 0.1 ms to 100 s.
        let solve_time = Histogram::new(exponential_buckets(1e-4, 10f64.sqrt(), 13));
        let about = "Search time per board";
        own.register_with_unit("solve", about, Unit::Seconds, solve_time.clone());
        Metrics {
            requests: add(own, "requests", "Requests by status"),
            boards: add(own, "boards", "Answered boards"),
            nodes: add(own, "nodes", "Generated nodes"),
            gauges: [
                add(own, "connections", "Open connections"),
                add(own, "searches_waiting", "Boards waiting for a thread"),
                add(own, "searches_running", "Boards being searched"),
                add(own, "tables_bytes", "Memory of the open tables"),
            ],
            solve_time,
            registry,
        }
    }

    /// Counts a request that was answered with this status.
    pub(crate) fn count(&self, status: u16) {
        let label = [("status", status.to_string())];
        self.requests.get_or_create(&label).inc();
    }

    /// Counts a board, the nodes of its search, and its time in seconds.
    pub(crate) fn board(&self, nodes: u64, time: f64) {
        self.boards.inc();
        self.nodes.inc_by(nodes);
        self.solve_time.observe(time);
    }

    /// The metrics as text, with the current values of the gauges.
    pub(crate) fn text(&self, gauges: [usize; 4]) -> String {
        for (gauge, value) in self.gauges.iter().zip(gauges) {
            gauge.set(value as i64);
        }
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

fn add<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, about: &str) -> M {
    let metric = M::default();
    registry.register(name, about, metric.clone());
    metric
}
