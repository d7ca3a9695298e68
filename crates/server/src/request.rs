//! Validated requests: boards, puzzles, time and node limits, and options.

mod board_text;
mod limits;
mod names;
mod path;
mod puzzle;
mod solve;

pub(crate) use board_text::BoardText;
pub(crate) use limits::Limits;
pub(crate) use names::{MetricName, ModeName, NotationName, SideName};
pub(crate) use path::InPath;
pub(crate) use puzzle::{MAX_PARTITION, Puzzle, parse};
pub(crate) use solve::{SolveRequest, SolveSettings};
