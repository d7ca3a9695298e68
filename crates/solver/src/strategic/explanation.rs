//! The human method's answer, in steps that have names.

use std::fmt;
use std::ops::Range;

use puzzle::Direction;

/// A solution by the human method: its moves, and the steps that they belong to. Displayed as a
/// line for each step.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Explanation {
    /// What is done, in order. Their ranges follow one another and cover all moves.
    pub steps: Vec<Step>,
    /// The single moves of the tiles.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub moves: Vec<Direction>,
}

/// A step of an [`Explanation`]. Displayed in words: `tile 7 to row 2, column 3 (5 moves)`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Step {
    /// What the step achieves.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub action: Action,
    /// Which of the explanation's moves it takes. A tile that happens to be in place takes none.
    pub moves: Range<usize>,
}

/// What a step achieves. Tiles are given by their numbers on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "action", rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Action {
    /// A tile goes to a cell: its goal cell, where it stays, or one from which it goes into a
    /// corner.
    Place {
        /// The tile.
        tile: u16,
        /// Row of the cell, from 1.
        row: usize,
        /// Column of the cell, from 1.
        column: usize,
    },
    /// The last two tiles of a row or column turn into its end together, and stay.
    Corner {
        /// The tiles.
        tiles: [u16; 2],
    },
    /// The tiles of the last 2x2, 2x3 or 3x2 cells turn into their places by a shortest way.
    Finish {
        /// The tiles, in reading order of their places.
        tiles: Vec<u16>,
    },
    /// The tiles of a tray of one row or column slide along it.
    Slide,
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
        let count = self.moves.len();
        let plural = if count == 1 { "" } else { "s" };
        write!(f, "{} ({count} move{plural})", self.action)
    }
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
                f.write_str("the last tiles ")?;
                for (index, tile) in tiles.iter().enumerate() {
                    let sign = match index {
                        0 => "",
                        _ if index + 1 == tiles.len() => " and ",
                        _ => ", ",
                    };
                    write!(f, "{sign}{tile}")?;
                }
                f.write_str(" into place")
            }
            Action::Slide => f.write_str("slide the tiles along the line"),
        }
    }
}
