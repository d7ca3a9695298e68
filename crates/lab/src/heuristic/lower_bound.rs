//! The trait of all heuristics.

use std::fmt;

use puzzle::Goal;

use crate::position::{Position, Slide};

/// A lower bound of the moves to the goal, made for one tray and one goal cell of the blank.
///
/// A search carries along what makes the value of a neighbouring board cheap to find:
/// [`Self::carry`] once, then [`Self::follow`] with every move.
pub trait Heuristic: fmt::Debug + Send + Sync {
    /// What is carried along a path.
    type Carried: fmt::Debug + Send + 'static;

    /// Its name, as users write it.
    fn name(&self) -> String;

    /// Who described it, and where.
    fn source(&self) -> &'static str;

    /// Whether values of neighbouring boards never differ by more than the move between them. Then
    /// A* expands no board twice.
    fn is_consistent(&self) -> bool;

    /// What a search carries at a board.
    fn carry(&self, position: &Position) -> Self::Carried;

    /// What it carries after a move, from what it carried `before`; `position` is the board after
    /// the move. `after` has what another board of the same puzzle had.
    fn follow(
        &self,
        before: &Self::Carried,
        after: &mut Self::Carried,
        position: &Position,
        slide: Slide,
    );

    /// The value.
    fn value(&self, carried: &Self::Carried) -> u32;

    /// Where the value comes from, in words. The values of the terms need not add up to the whole.
    fn explain(&self, position: &Position, goal: &Goal) -> Vec<Term>;
}

/// A part of a heuristic's value: what it sees on a board.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Term {
    /// What it is, such as `tile 5: 2 moves from home`.
    pub words: String,
    /// The numbers on the tiles that it is about.
    pub tiles: Vec<u16>,
    /// What it counts.
    pub value: u32,
}

/// Numbers as a list in words.
pub(super) fn listed(numbers: &[u16]) -> String {
    let texts: Vec<String> = numbers.iter().map(u16::to_string).collect();
    texts.join(", ")
}

/// The plural ending of a word for this number of things.
pub(super) fn ending(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}
