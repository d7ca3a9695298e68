//! Heuristics: lower bounds of the number of moves, each in its own file.
//!
//! All are admissible: never above the true distance. Tests check this on all states of the 3x3
//! puzzle and on all 4x4 states near the goal.

mod any_heuristic;
mod choice;
mod inversion_distance;
mod linear_conflict;
mod manhattan;
mod maximum;
mod misplaced;
mod pattern_database;
mod walking_distance;

use std::fmt;

use puzzle::Goal;

use crate::position::{Position, Slide};

pub use any_heuristic::{AnyHeuristic, Carried};
pub use choice::{HeuristicChoice, HeuristicError, HeuristicFactory, TableOpener};
pub use inversion_distance::InversionDistance;
pub use linear_conflict::LinearConflict;
pub use manhattan::Manhattan;
pub use maximum::Maximum;
pub use misplaced::{Misplaced, Zero};
pub use pattern_database::PatternDatabase;
pub use walking_distance::WalkingDistance;

/// A lower bound of the number of moves to the goal, for one tray and one goal cell of the blank.
///
/// A search carries data along its path, so that the value of the next board is quick to compute.
/// The search calls [`Self::carry`] once, and [`Self::follow`] after every move.
pub trait Heuristic: fmt::Debug + Send + Sync {
    /// Data that a search carries along a path.
    type Carried: fmt::Debug + Send + 'static;

    /// The heuristic's name on the command line.
    fn name(&self) -> String;

    /// The heuristic's authors and publication.
    fn source(&self) -> &'static str;

    /// Whether the heuristic is consistent: values of neighbouring boards differ by at most 1. A*
    /// then expands no board twice.
    fn is_consistent(&self) -> bool {
        true
    }

    /// The carried data of a board.
    fn carry(&self, position: &Position) -> Self::Carried;

    /// Computes `after`, the carried data after a move, from `before`, the data before the move.
    /// `position` is the board after the move. Before the call, `after` must contain the data of a
    /// board of the same puzzle.
    fn follow(
        &self,
        before: &Self::Carried,
        after: &mut Self::Carried,
        position: &Position,
        slide: Slide,
    );

    /// The heuristic's value of the board with this carried data.
    fn value(&self, carried: &Self::Carried) -> u32;

    /// The terms of the value, in words. The values of the terms need not add up to
    /// [`Self::value`].
    fn explain(&self, position: &Position, goal: &Goal) -> Vec<Term>;
}

/// A term of a heuristic's value.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Term {
    /// Description, such as `tile 5: 2 moves from home`.
    pub words: String,
    /// The numbers on the tiles of the term.
    pub tiles: Vec<u16>,
    /// Value of the term.
    pub value: u32,
}

/// Numbers separated by commas.
fn listed(numbers: &[u16]) -> String {
    let texts: Vec<String> = numbers.iter().map(u16::to_string).collect();
    texts.join(", ")
}

/// The plural ending for this count.
fn ending(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}
