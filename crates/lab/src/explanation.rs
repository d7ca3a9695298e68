//! Explanations of the values of heuristics on a board.

use puzzle::Goal;
use serde::Serialize;

use crate::heuristic::{AnyHeuristic, Term};
use crate::position::Position;

/// Explanation of the value of one heuristic on a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Explanation {
    /// The heuristic's name.
    pub heuristic: String,
    /// The heuristic's value, a lower bound of the solution length.
    pub value: u32,
    /// Whether no other requested heuristic has a larger value.
    pub is_largest: bool,
    /// Whether the heuristic is consistent: values of neighbouring boards differ by at most 1.
    pub is_consistent: bool,
    /// The heuristic's authors and publication.
    pub source: &'static str,
    /// The terms of the value. Their values need not add up to it: with several views each view has
    /// its own sum, and the value is the largest sum.
    pub terms: Vec<Term>,
}

impl Explanation {
    /// Explains the values of several heuristics on a board. The heuristics must have been created
    /// for `goal`.
    ///
    /// ```
    /// use lab::{Explanation, HeuristicFactory, Position};
    /// use puzzle::{Board, Goal};
    ///
    /// let board = Board::parse("3 2 1/4 5 6/7 8 0", None)?;
    /// let goal = Goal::blank_last(board.tray());
    /// let position = Position::new(&goal.state(&board).ok_or("another size")?)?;
    /// let factory = HeuristicFactory::default();
    /// let heuristic = factory.heuristic(&"linear-conflict".parse()?, &goal)?;
    /// let seen = &Explanation::of(&[heuristic], &position, &goal)[0];
    /// assert_eq!(seen.value, 8); // Manhattan distance has 4
    /// assert_eq!(
    ///     seen.terms[1].words,
    ///     "row 1: tiles 3, 2 and 1 are in the wrong order, so 2 of them must leave the row"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(
        heuristics: &[Box<dyn AnyHeuristic>],
        position: &Position,
        goal: &Goal,
    ) -> Vec<Explanation> {
        let values: Vec<u32> = heuristics
            .iter()
            .map(|own| own.estimate(position))
            .collect();
        let all = heuristics
            .iter()
            .zip(&values)
            .map(|(heuristic, &value)| Explanation {
                heuristic: heuristic.name(),
                value,
                is_largest: values.iter().max() == Some(&value),
                is_consistent: heuristic.is_consistent(),
                source: heuristic.source(),
                terms: heuristic.explain(position, goal),
            });
        all.collect()
    }
}
