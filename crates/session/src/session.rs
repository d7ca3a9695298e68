//! The session: sources of tables, limits and open solvers.

#[cfg(feature = "lab")]
use lab::HeuristicFactory;
use pdb_table::Control;

use crate::request::Request;
use crate::response::{Event, Response};
#[cfg(feature = "solver")]
use crate::tables::OpenSolvers;
use crate::{Failure, Limits, Spelling, rules};

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
    pub sources: solver::OpenOptions,
    #[cfg(feature = "solver")]
    pub(crate) open: OpenSolvers,
    #[cfg(feature = "lab")]
    pub(crate) factory: HeuristicFactory,
}

impl Session {
    /// A session with these limits and this spelling, whose tables are built in memory.
    #[must_use]
    pub fn new(limits: Limits, spelling: Spelling) -> Session {
        Session {
            limits,
            spelling,
            ..Session::default()
        }
    }

    /// Answers a question. Events are reported to the listener of `control`, most of them on the
    /// calling thread; its token stops the call.
    ///
    /// # Errors
    /// [`Failure`]; for a board that cannot be solved, and for a search that a limit stops, it
    /// contains the report.
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
            Request::Explain(request) => self.explain(request, control),
            #[cfg(feature = "lab")]
            Request::Compare(request) => self.compare(request, control),
            #[cfg(feature = "lab")]
            Request::Plots(request) => self.plots(request),
        }
    }
}
