//! Requests, as the contract of the crate `session` declares them, and what the service adds.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use puzzle::board_text::ListedBoard;
use puzzle::{Goal, Tray};
use serde::de::DeserializeOwned;
use session::request::{Solve, Subject, Tables};
use session::{BoardText, Control, Session, Spelling, read_goal};
use solver::{Mode, Question};

use crate::config::Config;
use crate::problem::Problem;

/// Maximum bytes of a partition's text: enough to list all tiles of the largest board.
pub(crate) const MAX_PARTITION: usize = 2000;
/// Maximum number of solutions that a request can ask for.
const MOST_SOLUTIONS: u64 = 10_000;

/// The session with the limits of the service. It reads requests and answers those that need no
/// tables; [`Solvers`](crate::solvers::Solvers) has the tables.
pub(crate) fn session(config: &Config) -> Session {
    let mut limits = session::Limits::default();
    limits.cells = config.max_cells;
    limits.max_time = Some(Duration::from_secs_f64(config.max_time));
    limits.time = Some(Duration::from_secs_f64(
        config.default_time.min(config.max_time),
    ));
    limits.max_threads = config.max_threads.max(1);
    limits.max_memory = Some(config.memory_bytes());
    limits.memory = Some(config.memory_bytes());
    limits.solutions = MOST_SOLUTIONS;
    limits.boards = config.max_boards as u64;
    limits.walks = 1_000_000;
    Session::new(limits, Spelling::Snake)
}

/// Goal and tables of a request about one or many boards.
#[derive(Clone, Debug)]
pub(crate) struct Puzzle {
    pub(crate) size: Option<Tray>,
    goal: Option<BoardText>,
    /// The parsed goal for the size of the request's first board.
    parsed: Arc<OnceLock<Arc<Goal>>>,
    pub(crate) tables: Tables,
}

/// A board and its goal.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) read: ListedBoard,
    pub(crate) goal: Arc<Goal>,
}

impl Puzzle {
    pub(crate) fn new(
        session: &Session,
        subject: &Subject,
        tables: &Tables,
    ) -> Result<Puzzle, Problem> {
        if tables
            .partition
            .as_ref()
            .is_some_and(|name| name.len() > MAX_PARTITION)
        {
            return Err(Problem::input(format!(
                "partition is longer than the maximum of {MAX_PARTITION} bytes"
            )));
        }
        let puzzle = Puzzle {
            size: subject.size,
            goal: subject.goal.clone(),
            parsed: Arc::default(),
            tables: tables.clone(),
        };
        if let Some(size) = subject.size {
            session.check_cells(size)?;
        }
        Ok(puzzle)
    }

    /// Parses a board; its goal is that of its own text if the request has none.
    pub(crate) fn board(&self, session: &Session, board: &BoardText) -> Result<Placed, Problem> {
        self.placed(session, session.board(board, self.size)?)
    }

    pub(crate) fn placed(&self, session: &Session, read: ListedBoard) -> Result<Placed, Problem> {
        session.check_cells(read.board.tray())?;
        let goal = match (&self.goal, &read.goal) {
            (None, Some(goal)) => Arc::new(goal.clone()),
            _ => self.goal(read.board.tray())?,
        };
        let read = read.for_goal(&goal).map_err(Problem::input)?;
        Ok(Placed { read, goal })
    }

    /// The goal for boards of the size `tray`.
    fn goal(&self, tray: Tray) -> Result<Arc<Goal>, Problem> {
        let parsed = self.parsed.get();
        if let Some(goal) = parsed.filter(|goal| tray == goal.tray()) {
            return Ok(Arc::clone(goal));
        }
        let goal = Arc::new(read_goal(self.goal.as_ref(), Some(tray))?);
        // If a board of a list differs in size from the first board, the goal is parsed again for
        // that board.
        let _ = self.parsed.set(Arc::clone(&goal));
        Ok(goal)
    }
}

/// The checked options of a request to solve boards.
#[derive(Clone, Debug)]
pub(crate) struct SolveSettings {
    pub(crate) puzzle: Puzzle,
    pub(crate) question: Question,
    /// Maximum memory of a board's search in bytes, if the search [is large](Self::is_large).
    pub(crate) max_memory: u64,
}

impl SolveSettings {
    pub(crate) fn new(session: &Session, request: &Solve) -> Result<SolveSettings, Problem> {
        Ok(SolveSettings {
            puzzle: Puzzle::new(session, &request.subject, &request.tables)?,
            question: session.question(request, &Control::default())?,
            max_memory: request
                .max_memory
                .or(session.limits.memory)
                .unwrap_or_default(),
        })
    }

    pub(crate) fn mode(&self) -> Mode {
        self.question.options.mode
    }

    /// The time limit of a board.
    pub(crate) fn max_time(&self) -> Duration {
        self.question.options.max_time.unwrap_or(Duration::MAX)
    }

    /// Whether the search of a board can use `--max-memory` bytes.
    pub(crate) fn is_large(&self) -> bool {
        self.mode() == Mode::Anytime
    }
}

/// Variable parts of a request's path.
#[derive(Clone, Debug)]
pub(crate) struct InPath<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for InPath<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(found)) => Ok(InPath(found)),
            Err(_) => Err(Problem::unreadable("the address is not UTF-8 text")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_parsed_once_per_request() {
        let session = session(&Config::default());
        let puzzle = Puzzle::new(&session, &Subject::default(), &Tables::default()).unwrap();
        let tray = |text: &str| text.parse::<Tray>().unwrap();
        let first = puzzle.goal(tray("3x3")).unwrap();
        assert!(Arc::ptr_eq(
            &first,
            &puzzle.clone().goal(tray("3x3")).unwrap()
        ));
        // Another size has its own goal.
        assert_eq!(puzzle.goal(tray("2x3")).unwrap().tray(), tray("2x3"));
    }
}
