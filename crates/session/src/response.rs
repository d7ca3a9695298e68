//! Answers and events, as the objects of `docs/json.md`.

use puzzle::board_text::{ListedBoard, Note};
use puzzle::{Board, Goal};
use serde::Serialize;

/// An answer. Its JSON is the object of its question, without a name of its own.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[non_exhaustive]
pub enum Response {
    /// `parse` and `goal`.
    Board(WrittenBoard),
    /// `list`.
    List(Vec<ListEntry>),
    /// `solvability`.
    Solvability(Solvability),
    /// `apply`.
    Moves(MovesResult),
    /// `convert`, `invert` and `draw`.
    Text(String),
    /// `scramble`.
    Boards(Vec<RandomBoard>),
    /// `partitions` and `heuristics`.
    Names(Vec<String>),
    /// `choose`, `open` and `verify`.
    #[cfg(feature = "solver")]
    Tables(Box<crate::TablesInfo>),
    /// `solve`.
    #[cfg(feature = "solver")]
    Report(Box<solver::Report>),
    /// `hint`.
    #[cfg(feature = "solver")]
    Hint(Box<solver::Advice<solver::Hint>>),
    /// `rate`.
    #[cfg(feature = "solver")]
    Rating(Box<solver::Advice<solver::Rating>>),
    /// `probe`.
    #[cfg(feature = "solver")]
    Probe(Box<solver::Advice<solver::Probe>>),
    /// `explain`.
    #[cfg(feature = "lab")]
    Explanations(Vec<lab::Explanation>),
    /// `compare`.
    #[cfg(feature = "lab")]
    Records(Vec<lab::Record>),
    /// `plots`.
    #[cfg(feature = "lab")]
    Plots(Vec<crate::WrittenPlot>),
}

/// An event of a running call.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Event {
    /// The progress of building or proving tables.
    #[cfg(feature = "solver")]
    Tables {
        /// The progress.
        progress: crate::TableProgress,
    },
    /// Tables are open, or no longer needed: the reason why they are not the default ones.
    #[cfg(feature = "solver")]
    Opened {
        /// Name of the partition.
        partition: String,
        /// Reason why the default tables of the size were not chosen.
        reason: Option<String>,
    },
    /// A table was built and stored in the directory of tables.
    #[cfg(feature = "solver")]
    Stored {
        /// Name of its file.
        file: String,
    },
    /// Something that did not stop the call.
    Warning {
        /// One line.
        message: String,
    },
    /// The progress of a search.
    #[cfg(feature = "solver")]
    Progress {
        /// No solution is shorter than this.
        bound: u32,
        /// Generated nodes.
        nodes: u64,
        /// Time in milliseconds.
        ms: f64,
        /// In a search for all solutions: their largest length.
        #[serde(skip_serializing_if = "Option::is_none")]
        longest: Option<u32>,
        /// Expected number of nodes until the bound rises.
        #[serde(skip_serializing_if = "Option::is_none")]
        left: Option<u64>,
    },
    /// A better solution.
    #[cfg(feature = "solver")]
    Improved {
        /// Its report.
        report: Box<solver::Report>,
    },
    /// A finished search of a comparison.
    #[cfg(feature = "lab")]
    Record {
        /// The search.
        record: Box<lab::Record>,
        /// Number of finished searches.
        finished: usize,
        /// Number of searches.
        runs: usize,
    },
    /// The progress of a search of a comparison.
    #[cfg(feature = "lab")]
    Run {
        /// Generated nodes.
        generated: u64,
        /// Time in milliseconds.
        ms: f64,
        /// The bound of the current iteration of IDA*; 0 for other searches.
        bound: u32,
        /// The iteration of IDA* that has just ended.
        #[serde(skip_serializing_if = "Option::is_none")]
        ended: Option<lab::search::Iteration>,
    },
}

impl Event {
    /// Whether the event only tells how far the call is, so that frontends may skip it.
    #[must_use]
    pub fn is_progress(&self) -> bool {
        match self {
            #[cfg(feature = "solver")]
            Event::Tables { .. } | Event::Progress { .. } => true,
            #[cfg(feature = "lab")]
            Event::Run { ended, .. } => ended.is_none(),
            _ => false,
        }
    }
}

/// A board that was read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Board"))]
#[non_exhaustive]
pub struct WrittenBoard {
    /// The board, row by row.
    pub board: String,
    /// Columns x rows.
    pub size: String,
    /// Number of columns.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
    /// The numbers in reading order, 0 for the blank.
    pub tiles: Vec<u16>,
    /// The goal that the text itself states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The length that the text states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<u32>,
    /// Guesses about the form of the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl From<ListedBoard> for WrittenBoard {
    fn from(read: ListedBoard) -> WrittenBoard {
        let tray = read.board.tray();
        WrittenBoard {
            board: read.board.to_string(),
            size: tray.to_string(),
            columns: tray.width(),
            rows: tray.height(),
            tiles: read.board.numbers().to_vec(),
            goal: read.goal.map(|goal| goal.board().to_string()),
            known: read.known_length,
            notes: read.notes.iter().map(Note::to_string).collect(),
        }
    }
}

impl From<&Board> for WrittenBoard {
    fn from(board: &Board) -> WrittenBoard {
        ListedBoard::from(board.clone()).into()
    }
}

/// An entry of a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ListEntry {
    /// The line where the entry begins, from 1.
    pub line: usize,
    /// The text of the entry.
    pub text: String,
    /// The board.
    #[serde(flatten)]
    pub board: Option<WrittenBoard>,
    /// Why there is no board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Whether a board can be solved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Solvability {
    /// Whether it can.
    pub solvable: bool,
    /// Why it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The numbers of two tiles whose swap makes the board solvable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swap: Option<[u16; 2]>,
    /// Whether the arrangement is an odd number of swaps from the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_odd: Option<bool>,
    /// The blank's distance from its goal cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blank_distance: Option<usize>,
    /// Names of other goals that the board can reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reachable_goals: Option<Vec<&'static str>>,
}

impl Solvability {
    /// Whether `board` can reach `goal`, which has the same size.
    #[must_use]
    pub fn of(goal: &Goal, board: &Board) -> Option<Solvability> {
        let reason = goal.state(board)?.check_solvable().err();
        let (is_odd, blank_distance) = reason.and_then(|reason| reason.parity).unzip();
        Some(Solvability {
            solvable: reason.is_none(),
            message: reason.map(|reason| reason.describe(goal, board)),
            swap: reason.and_then(|reason| reason.swap_numbers(goal)),
            is_odd,
            blank_distance,
            reachable_goals: reason.map(|_| goal.reachable_names(board)),
        })
    }
}

/// The board after moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Applied"))]
#[non_exhaustive]
pub struct MovesResult {
    /// The board before the moves.
    pub board: String,
    /// The moves, as they were given.
    pub moves: String,
    /// Number of moves of single tiles.
    pub length: usize,
    /// The board after the moves.
    pub result: String,
    /// Whether that board is the goal.
    pub solved: bool,
}

/// A random board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Scrambled"))]
#[non_exhaustive]
pub struct RandomBoard {
    /// The seed.
    pub seed: u64,
    /// The number of the board, from 1.
    pub number: u64,
    /// The board.
    pub board: String,
    /// The random moves from the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scramble: Option<String>,
}

impl RandomBoard {
    pub(crate) fn new(seed: u64, number: u64, board: &Board, scramble: Option<String>) -> Self {
        RandomBoard {
            seed,
            number,
            board: board.to_string(),
            scramble,
        }
    }
}
