//! The session: sources of tables, limits of calls and their defaults, and open solvers.

#[cfg(any(feature = "solver", feature = "lab"))]
use std::fmt::Display;
use std::time::Duration;

#[cfg(feature = "lab")]
use lab::HeuristicFactory;
use pdb_table::Control;
use puzzle::Metric;
#[cfg(feature = "solver")]
use puzzle::MoveOrder;
#[cfg(feature = "solver")]
use solver::OpenOptions;
#[cfg(all(feature = "file", feature = "solver"))]
use {
    crate::field::{Fields, Reader},
    crate::request::Settings,
    pdb_gen::free_memory,
    serde_json::{Map, Value as Json},
};

#[cfg(feature = "solver")]
use crate::open_solvers::OpenSolvers;
use crate::request::Request;
use crate::response::{Event, Response};
use crate::{Failure, Spelling, rules};

/// Answers questions. Threads can share a session.
///
/// A session keeps the solvers that its calls open, within [`Limits::open_memory`] and
/// [`Limits::solvers`]; the solvers share tables.
#[derive(Default, Debug)]
pub struct Session {
    /// Limits of calls, and defaults of options.
    pub limits: Limits,
    /// Spelling of option names in failures.
    pub spelling: Spelling,
    /// Sources of tables; by default all tables are built in memory. Limits of time and memory, and
    /// the control, are those of the calls.
    #[cfg(feature = "solver")]
    pub sources: OpenOptions,
    /// Order in which the blank's moves are tried, instead of that of the partition.
    #[cfg(feature = "solver")]
    pub order: Option<MoveOrder>,
    /// Files that partitions can name: the name, and the text or why it cannot be read.
    #[cfg(feature = "solver")]
    pub files: Vec<(String, Result<String, String>)>,
    #[cfg(feature = "solver")]
    pub(crate) open: OpenSolvers,
    /// The source of the tables of heuristics; by default all are built in memory.
    #[cfg(feature = "lab")]
    pub factory: HeuristicFactory,
}

impl Session {
    /// A session with these limits and this spelling, whose tables are built in memory.
    #[must_use]
    pub fn new(limits: Limits, spelling: Spelling) -> Session {
        let mut session = Session::default();
        (session.limits, session.spelling) = (limits, spelling);
        session
    }

    /// A session with these settings.
    ///
    /// # Errors
    /// An unknown setting, or one with a wrong value.
    #[cfg(all(feature = "file", feature = "solver"))]
    pub fn with_settings(
        settings: Map<String, Json>,
        spelling: Spelling,
    ) -> Result<Session, Failure> {
        let mut reader = Reader::new(settings, spelling);
        let given = Settings::read(&mut reader);
        reader.finish()?;
        let mut session = Session::new(Limits::default(), spelling);
        let threads = session.threads(Some(given.threads.unwrap_or(0)))?;
        session.sources = match &given.directory {
            Some(directory) if directory.is_empty() => {
                return Err(Failure::input("directory is empty: expected a path"));
            }
            Some(directory) => {
                session.limits.named_build_time = OpenOptions::usual_seconds(Metric::Multi);
                OpenOptions::new(directory)
            }
            None => OpenOptions::in_memory(),
        };
        if let Some(time) = given.max_build_time.map(|time| time.as_secs_f64()) {
            session.limits.build_time = [time; 2];
            session.limits.named_build_time = time;
        }
        session.limits.threads = threads;
        session.limits.table_memory = given.max_memory;
        session.sources = session
            .sources
            .threads(threads)
            .max_memory(given.max_memory.or_else(free_memory))
            .load_from(given.load.then_some(OpenOptions::LOAD_FROM));
        Ok(session)
    }

    /// The failure of an option with a value outside its range.
    #[cfg(any(feature = "solver", feature = "lab"))]
    pub(crate) fn wrong(&self, name: &str, found: &dyn Display, expected: &dyn Display) -> Failure {
        let name = self.spelling.name(name);
        Failure::input(format_args!("{name} is {found}: expected {expected}"))
    }

    /// The number of threads of a call; 0 for all cores.
    #[cfg(any(feature = "solver", feature = "lab"))]
    pub(crate) fn threads(&self, threads: Option<u64>) -> Result<usize, Failure> {
        let threads = threads.map_or(self.limits.threads, |threads| threads as usize);
        match self.limits.max_threads {
            most if threads > most => {
                let expected = format_args!("at most {most}, or 0 for as many as allowed");
                Err(self.wrong("threads", &threads, &expected))
            }
            Limits::THREADS => Ok(threads),
            most if threads == 0 => Ok(most),
            _ => Ok(threads),
        }
    }

    /// Answers a question. Events are reported to the listener of `control`, with the feature `file`
    /// on the calling thread; its token stops the call. A listener can ask further questions, but
    /// none that opens other tables while this call opens tables.
    ///
    /// # Errors
    /// [`Failure`]; for a board that cannot be solved, and for a search that a limit stops, it
    /// contains the report.
    #[cfg_attr(
        not(any(feature = "solver", feature = "lab")),
        allow(unused_variables, reason = "rules take no time")
    )]
    pub fn call(&self, request: &Request, control: &Control<Event>) -> Result<Response, Failure> {
        match request {
            Request::Parse(request) => rules::parse(self, request),
            Request::List(request) => Ok(rules::list(request)),
            Request::ReadGoal(request) => Ok(Response::Board(request.place.goal()?.board().into())),
            Request::Solvability(request) => rules::solvability(self, &request.subject),
            Request::Apply(request) => rules::apply(self, request),
            Request::Convert(request) => rules::convert(self, request),
            Request::Invert(request) => rules::invert(request),
            Request::Draw(request) => rules::draw(self, request),
            Request::Scramble(request) => rules::scramble(self, request, &control.cancel),
            Request::Partitions(request) => Ok(rules::partitions(request)),
            #[cfg(feature = "solver")]
            Request::Choose(request) => self.choose(request),
            #[cfg(feature = "solver")]
            Request::Open(request) => self.open(request, control),
            #[cfg(feature = "solver")]
            Request::Verify(request) => self.verify(request, control),
            #[cfg(feature = "solver")]
            Request::Solve(request) => self.solve(request, control),
            #[cfg(feature = "solver")]
            Request::Hint(request) => self.hint(request, control),
            #[cfg(feature = "solver")]
            Request::Rate(request) => self.rate(request, control),
            #[cfg(feature = "solver")]
            Request::Probe(request) => self.probe(request, control),
            #[cfg(feature = "lab")]
            Request::Heuristics(request) => Ok(self.heuristics(request)),
            #[cfg(feature = "lab")]
            Request::Explain(request) => self.in_pool(control, |own| self.explain(request, own))?,
            #[cfg(feature = "lab")]
            Request::Compare(request) => self.in_pool(control, |own| self.compare(request, own))?,
            #[cfg(feature = "lab")]
            Request::Plots(request) => self.plots(request),
        }
    }
}

/// Limits of the calls of a session, and the values of options that a request leaves out.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Most cells of a board.
    pub cells: usize,
    /// Largest time limit that a request can set.
    pub max_time: Option<Duration>,
    /// Time limit of a search if the request sets none.
    pub time: Option<Duration>,
    /// Most threads that a request can set. With [`Self::THREADS`], 0 stands for all cores.
    pub max_threads: usize,
    /// Threads of a search if the request sets none; 0 for [`Self::max_threads`].
    pub threads: usize,
    /// Memory of an anytime search besides the tables, in bytes, if the request sets none; `None`
    /// for half of the memory that is free when the tables are open, or the solver's default if the
    /// request limits the nodes, so that the answer does not depend on the machine.
    pub memory: Option<u64>,
    /// Largest memory of an anytime search that a request can set, in bytes.
    pub max_memory: Option<u64>,
    /// Estimated time to build missing tables, if the request sets none and names no partition.
    pub build_time: [f64; 2],
    /// The same for a request that names its partition.
    pub named_build_time: f64,
    /// Memory of the tables of one solver, in bytes.
    pub table_memory: Option<u64>,
    /// Memory of the tables of all open solvers, in bytes. Solvers that were not used for the
    /// longest time are closed before others are opened; calls can use the tables of closed solvers
    /// up to the same memory again.
    pub open_memory: u64,
    /// Size of all files in the directory of tables, in bytes, beyond which a built table is not
    /// written: for default tables, and for tables that a request names.
    pub disk: Option<[u64; 2]>,
    /// Most open solvers.
    pub solvers: usize,
    /// Most listed solutions that a request can ask for.
    pub solutions: u64,
    /// Most random boards of a call, a few megabytes of text.
    pub boards: u64,
    /// Most random moves of a call, summed over its boards.
    pub walks: u64,
    /// Memory of a search of the laboratory if the request sets none, and memory of the tables of
    /// all its heuristics. In bytes.
    pub lab_memory: [u64; 2],
    /// Whether explanations use tables of the session, within its limits of tables, and only
    /// heuristics that take a fraction of a second to build.
    pub lab_shares_tables: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            cells: usize::MAX,
            max_time: None,
            time: None,
            max_threads: Limits::THREADS,
            threads: 1,
            memory: Some(1 << 30),
            max_memory: None,
            build_time: [2.0, 4.0],
            named_build_time: f64::INFINITY,
            table_memory: None,
            open_memory: 4 << 30,
            disk: None,
            solvers: 4,
            solutions: u64::MAX,
            boards: 100_000,
            walks: 10_000_000,
            lab_memory: [256 << 20, 1 << 30],
            lab_shares_tables: false,
        }
    }
}

impl Limits {
    /// More threads would exhaust the system.
    pub const THREADS: usize = 4096;

    /// The limit of the estimated time to build missing tables, in seconds.
    #[must_use]
    pub fn build_seconds(&self, metric: Metric, is_named: bool) -> f64 {
        match (is_named, metric) {
            (true, _) => self.named_build_time,
            (false, Metric::Single) => self.build_time[0],
            (false, Metric::Multi) => self.build_time[1],
        }
    }
}
