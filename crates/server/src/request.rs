//! A checked request: its puzzle, limits and options, within the limits of the service.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use puzzle::{Board, Goal, Metric, Notation, Tray};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use solver::{GivenOptions, Mode, Question, SolveOptions, Within};
use utoipa::ToSchema;

use crate::config::{Config, time};
use crate::problem::Problem;

/// The most solutions that may be asked for.
const MOST_SOLUTIONS: u64 = 10_000;

/// The most bytes of a partition's text: room for a list of all tiles of the largest board.
pub(crate) const MAX_PARTITION: usize = 2000;

/// What stands in the path of an address.
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

/// A board or a goal as requests have it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(
    untagged,
    expecting = "expected a board: a text such as `1 2 3/4 5 6/7 8 0`, or an array of numbers"
)]
#[schema(example = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13")]
pub(crate) enum BoardText {
    /// A text in any usual form, such as `1 2 3/4 5 6/7 8 0`.
    Text(String),
    /// Numbers in reading order, 0 for the blank.
    Numbers(Vec<u32>),
    /// Rows of numbers.
    Rows(Vec<Vec<u32>>),
}

impl BoardText {
    /// The board as a text.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        let join = |numbers: &[u32]| {
            let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
            words.join(" ")
        };
        match self {
            BoardText::Text(text) => Cow::Borrowed(text),
            BoardText::Numbers(numbers) => Cow::Owned(join(numbers)),
            BoardText::Rows(rows) => {
                let rows: Vec<String> = rows.iter().map(|row| join(row)).collect();
                Cow::Owned(rows.join("/"))
            }
        }
    }

    /// The board.
    pub(crate) fn read(&self, size: Option<Tray>) -> Result<Board, Problem> {
        if let BoardText::Rows(rows) = self {
            // As a text, one row would be taken for a square board.
            let width = rows.first().map_or(0, Vec::len);
            let tray = Tray::new(width, rows.len()).ok();
            let tray = tray.filter(|tray| size.is_none_or(|size| size == *tray));
            let is_whole = rows.iter().all(|row| row.len() == width);
            if let Some(tray) = tray.filter(|_| is_whole) {
                return Board::new(tray, &rows.concat()).map_err(Problem::input);
            }
        }
        Board::parse(&self.text(), size).map_err(Problem::input)
    }
}

/// A goal, a metric and tables.
#[derive(Clone, Debug)]
pub(crate) struct Puzzle {
    pub(crate) size: Option<Tray>,
    goal: Option<String>,
    /// The goal of the first board: parsed once a request, not once for each board of a list.
    parsed: Arc<OnceLock<Arc<Goal>>>,
    pub(crate) metric: Metric,
    pub(crate) partition: Option<String>,
    max_cells: usize,
}

impl Puzzle {
    pub(crate) fn new(
        config: &Config,
        size: Option<&str>,
        goal: Option<&BoardText>,
        metric: Option<&str>,
        partition: Option<&str>,
    ) -> Result<Puzzle, Problem> {
        let size = size.map(str::parse).transpose().map_err(Problem::input)?;
        let metric = metric.map(str::parse).transpose().map_err(Problem::input)?;
        if partition.is_some_and(|partition| partition.len() > MAX_PARTITION) {
            return Err(Problem::input(format!(
                "partition is longer than {MAX_PARTITION} bytes, which are the most"
            )));
        }
        let puzzle = Puzzle {
            size,
            goal: goal.map(|goal| goal.text().into_owned()),
            parsed: Arc::default(),
            metric: metric.unwrap_or(Metric::Single),
            partition: partition.map(str::to_owned),
            max_cells: config.max_cells,
        };
        if let Some(size) = size {
            puzzle.check_cells(size)?;
        }
        Ok(puzzle)
    }

    /// Reads a board of the size, if one is asked for.
    pub(crate) fn board(&self, board: &BoardText) -> Result<Board, Problem> {
        board.read(self.size)
    }

    /// The goal for boards of a size; 4x4 where nothing says it.
    pub(crate) fn goal(&self, tray: Option<Tray>) -> Result<Arc<Goal>, Problem> {
        let parsed = self.parsed.get();
        if let Some(goal) = parsed.filter(|goal| tray == Some(goal.tray())) {
            return Ok(Arc::clone(goal));
        }
        let goal = self.goal.as_deref().unwrap_or("blank-last");
        let goal = Goal::parse(goal, tray.or(self.size));
        let goal = goal.map_err(|error| Problem::input(format!("goal: {error}")))?;
        self.check_cells(goal.tray())?;
        let goal = Arc::new(goal);
        // Boards of a list that have another size than the first have their goal parsed each.
        let _ = self.parsed.set(Arc::clone(&goal));
        Ok(goal)
    }

    fn check_cells(&self, tray: Tray) -> Result<(), Problem> {
        match tray.cells() > self.max_cells {
            true => Err(Problem::input(format!(
                "a {tray} board has {} cells, and {} are the most here",
                tray.cells(),
                self.max_cells
            ))),
            false => Ok(()),
        }
    }
}

/// What a search may take.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    pub(crate) max_time: Duration,
    pub(crate) max_nodes: Option<u64>,
    pub(crate) threads: usize,
}

impl Limits {
    pub(crate) fn new(
        config: &Config,
        max_time: Option<f64>,
        max_nodes: Option<u64>,
        threads: Option<u64>,
    ) -> Result<Limits, Problem> {
        let most = config.max_time;
        let max_time = match max_time {
            None => config.default_time.min(most),
            Some(seconds) if seconds > 0.0 && seconds <= most => seconds,
            Some(seconds) => {
                return Err(Problem::input(format!(
                    "max_time is {seconds}: expected seconds, more than 0 and at most {most}"
                )));
            }
        };
        if max_nodes == Some(0) {
            return Err(Problem::input("max_nodes is 0: expected at least 1"));
        }
        let most = config.max_threads.max(1) as u64;
        let threads = match threads {
            // As many as there may be.
            Some(0) => most,
            Some(threads) if threads > most => {
                return Err(Problem::input(format!(
                    "threads is {threads}: expected at most {most}, or 0 for as many as there may be"
                )));
            }
            threads => threads.unwrap_or(1),
        };
        Ok(Limits {
            max_time: time(max_time),
            max_nodes,
            threads: threads as usize,
        })
    }

    /// The options of a search with these limits.
    pub(crate) fn options(&self) -> SolveOptions {
        let mut options = SolveOptions::default()
            .threads(self.threads)
            .max_time(self.max_time);
        options.max_nodes = self.max_nodes;
        options
    }
}

/// How boards are to be solved.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) puzzle: Puzzle,
    pub(crate) limits: Limits,
    pub(crate) question: Question,
    /// The most memory that the search of a board may take, if it [is large](Self::is_large).
    pub(crate) max_memory: u64,
}

/// The options of solving that not every board needs.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Wishes<'a> {
    pub(crate) mode: Option<&'a str>,
    pub(crate) notation: Option<&'a str>,
    pub(crate) max_memory: Option<u64>,
    pub(crate) seed: Option<u64>,
    pub(crate) within: Option<f64>,
    pub(crate) all: Option<bool>,
    pub(crate) count: Option<bool>,
    pub(crate) most: Option<u64>,
    pub(crate) short: Option<bool>,
    pub(crate) explain: Option<bool>,
}

impl Asked {
    pub(crate) fn new(
        config: &Config,
        puzzle: Puzzle,
        limits: Limits,
        wishes: &Wishes<'_>,
    ) -> Result<Asked, Problem> {
        let mode = wishes.mode.map(str::parse).transpose();
        let mode: Mode = mode.map_err(Problem::input)?.unwrap_or_default();
        let notation = wishes.notation.map(str::parse).transpose();
        let most = config.memory_bytes();
        let max_memory = match wishes.max_memory {
            None => most,
            Some(bytes) if (1 << 20..=most).contains(&bytes) => bytes,
            Some(bytes) => {
                return Err(Problem::input(format!(
                    "max_memory is {bytes}: expected bytes from 1048576 to {most}"
                )));
            }
        };
        let is_most = |most: &u64| (1..=MOST_SOLUTIONS).contains(most);
        if let Some(most) = wishes.most.filter(|most| !is_most(most)) {
            return Err(Problem::input(format!(
                "most is {most}: expected 1 to {MOST_SOLUTIONS} solutions"
            )));
        }
        let within = wishes.within.map(|number| Within::of(mode, number));
        let given = GivenOptions {
            mode,
            short: wishes.short == Some(true),
            explain: wishes.explain == Some(true),
            all: wishes.all == Some(true),
            count: wishes.count == Some(true),
            within: within.transpose().map_err(Problem::input)?,
            most: wishes.most.map(|most| most as usize),
            max_memory: wishes.max_memory,
            seed: wishes.seed,
        };
        let question = given.question(puzzle.metric, limits.options());
        let question = question.map_err(Problem::input)?;
        let notation = notation.map_err(Problem::input)?;
        Ok(Asked {
            puzzle,
            limits,
            question: question.notation(notation.unwrap_or(Notation::Tile)),
            max_memory,
        })
    }

    /// What kind of answer is wanted.
    pub(crate) fn mode(&self) -> Mode {
        self.question.options.mode
    }

    /// Whether the search of a board may take `--max-memory` bytes.
    pub(crate) fn is_large(&self) -> bool {
        self.mode() == Mode::Anytime
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_parsed_once_for_each_request() {
        let config = Config::default();
        let puzzle = Puzzle::new(&config, None, None, None, None).unwrap();
        let tray = |text: &str| Some(text.parse::<Tray>().unwrap());
        let first = puzzle.goal(tray("3x3")).unwrap();
        assert!(Arc::ptr_eq(&first, &puzzle.goal(tray("3x3")).unwrap()));
        assert!(Arc::ptr_eq(
            &first,
            &puzzle.clone().goal(tray("3x3")).unwrap()
        ));
        // Another size, and none, have goals of their own.
        assert_eq!(
            puzzle.goal(tray("2x3")).unwrap().tray(),
            tray("2x3").unwrap()
        );
        assert_eq!(puzzle.goal(None).unwrap().tray(), tray("4x4").unwrap());
    }
}
