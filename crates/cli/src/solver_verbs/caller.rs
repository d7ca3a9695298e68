//! The session of a run: its tables, its events on the status line, and its failures as answers.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Args;
use command::options::Asked;
use command::{Failure, SharedArgs};
use pdb_table::lock;
use puzzle::Board;
use serde_json::Value as Json;
use session::request::Search;
use session::{Control, Event, Fields, Limits, Request, Response, Session, Spelling};
use solver::OpenOptions;

use crate::answer::{Answer, print_moves, print_object};
use crate::boards::BoardArgs;
use crate::status_line::StatusLine;

/// Options for opening tables.
#[derive(Args, Clone, Debug)]
pub(crate) struct OpenArgs {
    /// Build and store missing tables, even if the build takes long [default: build only tables
    /// that take up to 2 s, and otherwise use smaller ones]
    #[arg(long)]
    pub(crate) build: bool,
}

/// Arguments of a verb with a question about one board.
#[derive(Args, Clone, Debug)]
pub(crate) struct BoardQuestion<Q: Fields + Clone + Send + Sync + 'static> {
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    asked: Asked<Q>,
    #[command(flatten)]
    pub(crate) open: OpenArgs,
}

impl<Q: Fields + Clone + Send + Sync + 'static> BoardQuestion<Q> {
    /// The board, the question with further fields, and a session for it.
    pub(crate) fn read(
        &self,
        shared: SharedArgs,
        further: Option<(&str, Json)>,
    ) -> Result<(Board, Q, Caller), Failure> {
        let given = self.board.read(&shared)?;
        let fields = further.into_iter().chain([given.field]);
        let request = self.asked.question(&shared, fields)?;
        Ok((
            given.read.board,
            request,
            Caller::new(shared, &self.open, false),
        ))
    }
}

/// The session, and what its events need.
pub(crate) struct Caller {
    pub(crate) shared: SharedArgs,
    pub(crate) session: Session,
    pub(crate) status_line: Arc<StatusLine>,
    notices: Arc<Notices>,
    /// The directory of tables, for notes.
    tables: Option<Arc<Path>>,
}

/// Notes about tables, each printed once.
#[derive(Default)]
struct Notices {
    /// Files of tables that were stored since the last note.
    stored: Mutex<Vec<String>>,
    printed: Mutex<HashSet<String>>,
}

impl Caller {
    /// A session with the tables of `--tables`. Tables are built in memory if the user has no home
    /// directory. For long work, large tables are loaded into memory.
    pub(crate) fn new(shared: SharedArgs, open: &OpenArgs, is_long: bool) -> Caller {
        let directory = shared.directory().ok();
        let tables = directory.map(|directory| Arc::from(directory.path()));
        let sources = match &tables {
            Some(path) => OpenOptions::new(Path::to_path_buf(path)),
            None => OpenOptions::in_memory(),
        };
        let mut session = Session::new(Limits::default(), Spelling::Option);
        session.sources = sources
            .threads(shared.thread_count())
            .load_from(is_long.then_some(OpenOptions::LOAD_FROM));
        session.files = shared.files();
        let seconds = match open.build {
            true => f64::INFINITY,
            false => OpenOptions::usual_seconds(shared.metric()),
        };
        let limits = &mut session.limits;
        (limits.build_time, limits.named_build_time) = ([seconds; 2], seconds);
        (limits.memory, limits.open_memory, limits.solvers) = (None, u64::MAX, 64);
        Caller {
            status_line: Arc::new(StatusLine::new(!shared.quiet && !shared.json)),
            shared,
            session,
            notices: Arc::default(),
            tables,
        }
    }

    /// The control of a call: Ctrl-C stops it, and its events are printed. `line` is the board's
    /// line in a list.
    pub(crate) fn control(&self, line: Option<usize>) -> Control<Event> {
        let watch = self
            .status_line
            .watch(line.map(|line| format!("line {line}")));
        let status_line = Arc::clone(&self.status_line);
        let (notices, quiet) = (Arc::clone(&self.notices), self.shared.quiet);
        let json = self.shared.json;
        let tables = self.tables.clone();
        let listener = move |event: &Event| match event {
            Event::Improved { report } if json => {
                let mut report = report.clone();
                report.line = line;
                status_line.print(|| print_object(&report));
            }
            Event::Improved { report } if line.is_none() && !quiet => {
                status_line.print(|| print_moves(report));
                watch.show(event);
            }
            Event::Stored { file } => lock(&notices.stored).push(file.clone()),
            Event::Warning { message } if !quiet => status_line.print_error(message),
            Event::Opened { reason, .. } if !quiet => {
                let stored = std::mem::take(&mut *lock(&notices.stored));
                let built = match stored.as_slice() {
                    [] => None,
                    [file] => Some((file.trim_end_matches(".pdb").to_owned(), "it")),
                    files => Some((format!("{} tables", files.len()), "them")),
                };
                if let (Some((built, those)), Some(tables)) = (built, &tables) {
                    let path = tables.display();
                    status_line
                        .print_error(format_args!("built {built} and stored {those} in {path}"));
                }
                let is_new = |reason: &&String| lock(&notices.printed).insert((*reason).clone());
                if let Some(reason) = reason.as_ref().filter(is_new) {
                    status_line.print_error(format_args!("{reason}; --build builds them"));
                }
            }
            event => watch.show(event),
        };
        Control::new(command::cancel(), Some(Arc::new(listener)))
    }

    /// Asks a question. If there is no answer, prints the reason and returns `None`.
    pub(crate) fn ask(&self, request: &Request) -> Result<Option<Response>, Failure> {
        match self.session.call(request, &self.control(None)) {
            Ok(response) => Ok(Some(response)),
            Err(failure) => {
                let answer = Answer::of_failure(failure);
                match answer.exit {
                    1 => answer.print(&self.shared, false),
                    exit => return Err(Failure::new(exit, answer.message())),
                }
                Ok(None)
            }
        }
    }
}

/// Default time limit of `check` and `hint`, on boards of more than [`MAX_PROVED_CELLS`] cells.
pub(crate) const MAX_TIME: Duration = Duration::from_secs(2);
/// Default time limit of `rate`, on boards of more than [`MAX_PROVED_CELLS`] cells.
pub(crate) const MAX_RATING_TIME: Duration = Duration::from_secs(10);
/// Boards of up to this number of cells are solved optimally within seconds.
pub(crate) const MAX_PROVED_CELLS: usize = 16;

/// The limits of a search, with the default time limit `time` for large boards.
pub(crate) fn within(search: &Search, board: &Board, time: Duration) -> Search {
    let has_limit = search.max_time.is_some() || search.max_nodes.is_some();
    let is_large = board.tray().cells() > MAX_PROVED_CELLS;
    Search {
        max_time: search.max_time.or((is_large && !has_limit).then_some(time)),
        ..search.clone()
    }
}
