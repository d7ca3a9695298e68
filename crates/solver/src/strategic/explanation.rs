//! Solutions of the human method, in named steps.

use std::fmt;
use std::ops::Range;

use puzzle::{Board, Direction, Metric, MoveError, Notation};

/// A solution by the human method, divided into steps. Displayed as one line per step.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The steps, in order. Their ranges follow one another and cover all moves.
    pub steps: Vec<Step>,
    /// The single moves of the tiles.
    pub moves: Vec<Direction>,
}

/// A step of an [`Explanation`]. Displayed in words: `tile 7 to row 2, column 3 (5 moves)`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Step {
    /// Result of the step.
    pub action: Action,
    /// Range of the step's moves in the explanation. The range is empty for a tile that is already
    /// in place.
    pub moves: Range<usize>,
}

/// A step with its moves written out, for reports. Displayed in words:
/// `tile 7 to row 2, column 3 (5 moves): LURUL`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Step"))]
#[non_exhaustive]
pub struct WrittenStep {
    /// Result of the step.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub action: Action,
    /// Number of the step's moves in the requested metric. In the multi-tile metric a run that
    /// begins in the previous step is counted only in the previous step, so the lengths of all
    /// steps add up to the solution's length.
    pub length: u32,
    /// The moves.
    pub moves: String,
}

/// Result of a step. Tiles are given by their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "action", rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Action {
    /// A tile moves to its goal cell and stays there, or moves to a cell from which the next
    /// `corner` step starts.
    Place {
        /// The tile.
        tile: u16,
        /// Row of the cell, from 1.
        row: usize,
        /// Column of the cell, from 1.
        column: usize,
    },
    /// The last two tiles of a row or column move together into the end of that line, and stay
    /// there.
    Corner {
        /// The tiles.
        tiles: [u16; 2],
    },
    /// The tiles of the last 2x2, 2x3 or 3x2 cells move to their goal cells optimally.
    Finish {
        /// The tiles, in reading order of their goal cells.
        tiles: Vec<u16>,
    },
    /// On a tray of one row or one column, the tiles slide along the tray.
    Slide,
}

impl Explanation {
    /// The steps with their moves in a notation. `board` is the explained board; lengths are in
    /// `metric`.
    ///
    /// # Errors
    /// [`MoveError`] for a different board.
    pub fn write(
        &self,
        board: &Board,
        metric: Metric,
        notation: Notation,
    ) -> Result<Vec<WrittenStep>, MoveError> {
        let mut board = board.clone();
        let length_up_to = |end: usize| metric.length(&self.moves[..end]);
        let mut write = |step: &Step| {
            let moves = &self.moves[step.moves.clone()];
            let text = board.write_moves(moves, notation)?;
            board = board.play(moves)?;
            Ok(WrittenStep {
                action: step.action.clone(),
                length: (length_up_to(step.moves.end) - length_up_to(step.moves.start)) as u32,
                moves: text,
            })
        };
        self.steps.iter().map(&mut write).collect()
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in (1..).zip(&self.steps) {
            if number > 1 {
                writeln!(f)?;
            }
            write!(f, "{number}. {step}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_step(f, &self.action, self.moves.len())
    }
}

impl fmt::Display for WrittenStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_step(f, &self.action, self.length as usize)?;
        write!(f, ": {}", self.moves)
    }
}

fn write_step(f: &mut fmt::Formatter<'_>, action: &Action, count: usize) -> fmt::Result {
    let plural = if count == 1 { "" } else { "s" };
    write!(f, "{action} ({count} move{plural})")
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Place { tile, row, column } => {
                write!(f, "tile {tile} to row {row}, column {column}")
            }
            Action::Corner {
                tiles: [first, second],
            } => write!(f, "tiles {first} and {second} into the corner"),
            Action::Finish { tiles } => {
                let tiles: Vec<String> = tiles.iter().map(u16::to_string).collect();
                match &tiles[..] {
                    [first @ .., before, last] => {
                        let first: String = first.iter().map(|tile| format!("{tile}, ")).collect();
                        write!(f, "the last tiles {first}{before} and {last} into place")
                    }
                    tiles => write!(f, "the last tiles {} into place", tiles.concat()),
                }
            }
            Action::Slide => f.write_str("slide the tiles along the line"),
        }
    }
}
