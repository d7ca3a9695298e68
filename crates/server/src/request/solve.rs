//! Requests to solve boards.

use puzzle::Notation;
use puzzle::board_text::Note;
use serde::Deserialize;
use solver::{GivenOptions, Mode, Question, Within};
use utoipa::ToSchema;

use super::board_text::BoardText;
use super::limits::Limits;
use super::names::{MetricName, ModeName, NotationName, SideName};
use super::puzzle::{Puzzle, parse};
use crate::config::Config;
use crate::problem::Problem;

/// Maximum number of solutions that a request can ask for.
const MOST_SOLUTIONS: u64 = 10_000;

/// A board to solve, with options.
#[derive(Clone, Default, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"board": "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", "max_time": 10}))]
pub(crate) struct SolveRequest {
    /// The board.
    pub(crate) board: Option<BoardText>,
    /// Boards to solve, instead of `board`. They are answered in this order.
    #[schema(max_items = 10000)]
    pub(crate) boards: Option<Vec<BoardText>>,
    /// Columns x rows, if the board does not determine them.
    #[schema(example = "4x4")]
    size: Option<String>,
    /// `blank-last` (the default), `blank-first`, `snail`, `columns`, or a board.
    goal: Option<BoardText>,
    /// Definition of a move.
    #[schema(value_type = Option<MetricName>)]
    metric: Option<String>,
    /// The partition: its name, or the sizes of its patterns. The default depends on the size.
    #[schema(example = "6-6-3")]
    partition: Option<String>,
    /// Kind of solution.
    #[schema(value_type = Option<ModeName>)]
    pub(crate) mode: Option<String>,
    /// Notation of moves.
    #[schema(value_type = Option<NotationName>)]
    notation: Option<String>,
    /// Time limit per board in seconds.
    #[schema(exclusive_minimum = 0.0, example = 10)]
    max_time: Option<f64>,
    /// Maximum number of generated nodes per board.
    #[schema(minimum = 1, format = "uint64")]
    max_nodes: Option<u64>,
    /// Number of search threads per board; 0 is the maximum allowed.
    threads: Option<u64>,
    /// For the modes optimal and anytime: starting point of the search.
    #[schema(value_type = Option<SideName>)]
    side: Option<String>,
    /// For the mode anytime: maximum memory of the search besides the tables, in bytes.
    #[schema(minimum = 1048576)]
    max_memory: Option<u64>,
    /// For the mode anytime: seed of the search's choices.
    #[schema(format = "uint64")]
    seed: Option<u64>,
    /// For the mode optimal: list all solutions that are at most this number of moves longer than a
    /// shortest one. For the mode anytime: end the search when its solution is longer than the
    /// proved bound by at most this fraction of the bound.
    #[schema(minimum = 0)]
    within: Option<f64>,
    /// For the mode optimal: list all shortest solutions.
    all: Option<bool>,
    /// For the mode optimal: return only the number of solutions.
    count: Option<bool>,
    /// For the mode optimal, with `all` or `within`: maximum number of listed solutions.
    #[schema(minimum = 1, maximum = 10000)]
    most: Option<u64>,
    /// For the mode strategic: find a short solution rather than one that is easy to follow.
    short: Option<bool>,
    /// For the mode strategic: report the steps of the solution.
    explain: Option<bool>,
    /// Only for lists; not a field of the JSON object.
    #[schema(ignore)]
    pub(crate) leading_id: Option<bool>,
}

#[derive(Clone, Debug)]
pub(crate) struct SolveSettings {
    pub(crate) puzzle: Puzzle,
    pub(crate) limits: Limits,
    pub(crate) question: Question,
    /// Maximum memory of a board's search in bytes, if the search [is large](Self::is_large).
    pub(crate) max_memory: u64,
    /// Guesses about the form of the request's single board.
    pub(crate) notes: Vec<Note>,
}

impl SolveRequest {
    /// Validates the settings for the boards.
    pub(crate) fn settings(self, config: &Config) -> Result<SolveSettings, Problem> {
        let puzzle = Puzzle::new(config, self.size, self.goal, self.metric, self.partition)?;
        let (max_time, max_nodes, side) = (self.max_time, self.max_nodes, self.side.as_deref());
        let limits = Limits::new(config, max_time, max_nodes, self.threads, side)?;
        let mode: Mode = parse(self.mode.as_deref())?.unwrap_or_default();
        let most = config.memory_bytes();
        let max_memory = self.max_memory.unwrap_or(most);
        if self.max_memory.is_some() && !(1 << 20..=most).contains(&max_memory) {
            return Err(Problem::input(format!(
                "max_memory is {max_memory}: expected bytes from 1048576 to {most}"
            )));
        }
        let is_most = |most: &u64| (1..=MOST_SOLUTIONS).contains(most);
        if let Some(most) = self.most.filter(|most| !is_most(most)) {
            return Err(Problem::input(format!(
                "most is {most}: expected 1 to {MOST_SOLUTIONS} solutions"
            )));
        }
        let within = self.within.map(|number| Within::of(mode, number));
        let given = GivenOptions {
            mode,
            short: self.short == Some(true),
            explain: self.explain == Some(true),
            all: self.all == Some(true),
            count: self.count == Some(true),
            within: within.transpose().map_err(Problem::input)?,
            most: self.most.map(|most| most as usize),
            max_memory: self.max_memory,
            seed: self.seed,
            side: limits.side,
        };
        let question = given.question(puzzle.metric, limits.options());
        let question = question.map_err(Problem::input)?;
        let notation = parse(self.notation.as_deref())?.unwrap_or(Notation::Tile);
        Ok(SolveSettings {
            puzzle,
            limits,
            question: question.notation(notation),
            max_memory,
            notes: Vec::new(),
        })
    }
}

impl SolveSettings {
    pub(crate) fn mode(&self) -> Mode {
        self.question.options.mode
    }

    /// Whether the search of a board can use `--max-memory` bytes.
    pub(crate) fn is_large(&self) -> bool {
        self.mode() == Mode::Anytime
    }
}
