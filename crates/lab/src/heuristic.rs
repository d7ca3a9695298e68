//! Heuristics: lower bounds of the number of moves, each in a file, the simplest in one.
//!
//! All are admissible: never above the true distance. Tests check this on all states of the 3x3
//! puzzle and on all 4x4 states near the goal.

mod choice;
mod inversion_distance;
mod linear_conflict;
mod manhattan;
mod pattern_database;
mod walking_distance;

use std::any::Any;
use std::fmt;

use puzzle::Goal;
use serde::Serialize;

use crate::position::{Position, Slide};
use crate::search::Outcome;
use crate::search::ida_star::{self, Deepening};

pub use choice::{HeuristicChoice, HeuristicError, HeuristicFactory, TableOpener};
pub use inversion_distance::InversionDistance;
pub use linear_conflict::LinearConflict;
pub use manhattan::{Manhattan, Misplaced, Zero};
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Term {
    /// Description, such as `tile 5: 2 moves from home`.
    pub words: String,
    /// The numbers on the tiles of the term.
    pub tiles: Vec<u16>,
    /// Value of the term.
    pub value: u32,
}

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

/// Numbers separated by commas.
fn listed(numbers: &[u16]) -> String {
    let texts: Vec<String> = numbers.iter().map(u16::to_string).collect();
    texts.join(", ")
}

/// The plural ending for this count.
fn ending(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Any [`Heuristic`], without its type.
pub trait AnyHeuristic: fmt::Debug + Send + Sync {
    /// [`Heuristic::name`].
    fn name(&self) -> String;
    /// [`Heuristic::source`].
    fn source(&self) -> &'static str;
    /// [`Heuristic::is_consistent`].
    fn is_consistent(&self) -> bool;
    /// [`Heuristic::explain`].
    fn explain(&self, position: &Position, goal: &Goal) -> Vec<Term>;
    /// The value of a board.
    fn estimate(&self, position: &Position) -> u32;
    /// [`Heuristic::carry`].
    fn carry_any(&self, position: &Position) -> Carried;
    /// Replaces `carried` by the result of [`Heuristic::carry`].
    ///
    /// # Panics
    /// If `carried` belongs to another heuristic.
    fn carry_into(&self, carried: &mut Carried, position: &Position);
    /// [`Heuristic::follow`]. Returns the value after the move.
    ///
    /// # Panics
    /// If the carried data belong to another heuristic.
    fn follow_any(
        &self,
        before: &Carried,
        after: &mut Carried,
        position: &Position,
        slide: Slide,
    ) -> u32;
    /// [`Heuristic::value`].
    ///
    /// # Panics
    /// If `carried` belongs to another heuristic.
    fn value_any(&self, carried: &Carried) -> u32;
    /// IDA* with this heuristic, in code compiled for the heuristic's type.
    fn deepen(&self, task: Deepening<'_>) -> Outcome;
}

/// Carried data of a heuristic of unknown type.
#[derive(Debug)]
pub struct Carried(Box<dyn Any + Send>);

impl Carried {
    #[expect(clippy::expect_used, reason = "a documented panic")]
    fn of<C: 'static>(&self) -> &C {
        let own = self.0.downcast_ref();
        own.expect("carried by another heuristic")
    }

    #[expect(clippy::expect_used, reason = "a documented panic")]
    fn of_mut<C: 'static>(&mut self) -> &mut C {
        let own = self.0.downcast_mut();
        own.expect("carried by another heuristic")
    }
}

impl<H: Heuristic> AnyHeuristic for H {
    fn name(&self) -> String {
        Heuristic::name(self)
    }

    fn source(&self) -> &'static str {
        Heuristic::source(self)
    }

    fn is_consistent(&self) -> bool {
        Heuristic::is_consistent(self)
    }

    fn explain(&self, position: &Position, goal: &Goal) -> Vec<Term> {
        Heuristic::explain(self, position, goal)
    }

    fn estimate(&self, position: &Position) -> u32 {
        self.value(&self.carry(position))
    }

    fn carry_any(&self, position: &Position) -> Carried {
        Carried(Box::new(self.carry(position)))
    }

    fn carry_into(&self, carried: &mut Carried, position: &Position) {
        *carried.of_mut::<H::Carried>() = self.carry(position);
    }

    fn follow_any(
        &self,
        before: &Carried,
        after: &mut Carried,
        position: &Position,
        slide: Slide,
    ) -> u32 {
        let after = after.of_mut::<H::Carried>();
        self.follow(before.of(), after, position, slide);
        self.value(after)
    }

    fn value_any(&self, carried: &Carried) -> u32 {
        self.value(carried.of())
    }

    fn deepen(&self, task: Deepening<'_>) -> Outcome {
        ida_star::deepen(self, task)
    }
}

/// The maximum of several heuristics: a lower bound, because each of them is a lower bound.
#[derive(Debug)]
pub struct Maximum(Vec<Box<dyn AnyHeuristic>>);

impl Maximum {
    /// The maximum of `members`; 0 if there are none.
    #[must_use]
    pub fn new(members: Vec<Box<dyn AnyHeuristic>>) -> Self {
        Maximum(members)
    }
}

impl Heuristic for Maximum {
    type Carried = (Vec<Carried>, u32);

    fn name(&self) -> String {
        let names: Vec<String> = self.0.iter().map(|member| member.name()).collect();
        names.join("+")
    }

    fn source(&self) -> &'static str {
        "the largest of lower bounds is one; for pattern databases R. C. Holte et al., Maximizing \
         over multiple pattern databases speeds up heuristic search, 2006"
    }

    /// The maximum of consistent heuristics is consistent. If a member is not consistent, the
    /// maximum may be inconsistent.
    fn is_consistent(&self) -> bool {
        self.0.iter().all(|member| member.is_consistent())
    }

    fn carry(&self, position: &Position) -> Self::Carried {
        let carried = self.0.iter().map(|member| member.carry_any(position));
        let carried: Vec<Carried> = carried.collect();
        let members = self.0.iter().zip(&carried);
        let value = members.map(|(member, carried)| member.value_any(carried));
        let value = value.max().unwrap_or(0);
        (carried, value)
    }

    fn follow(
        &self,
        before: &Self::Carried,
        after: &mut Self::Carried,
        position: &Position,
        slide: Slide,
    ) {
        after.1 = 0;
        let pairs = before.0.iter().zip(&mut after.0);
        for (member, (before, own)) in self.0.iter().zip(pairs) {
            after.1 = after.1.max(member.follow_any(before, own, position, slide));
        }
    }

    fn value(&self, carried: &Self::Carried) -> u32 {
        carried.1
    }

    /// The values of the members, and the terms of the first member with the largest value.
    fn explain(&self, position: &Position, goal: &Goal) -> Vec<Term> {
        let values: Vec<u32> = self.0.iter().map(|own| own.estimate(position)).collect();
        let largest = values.iter().max().copied();
        let winner = values.iter().position(|&value| Some(value) == largest);
        let mut terms = Vec::new();
        for (number, (member, value)) in self.0.iter().zip(values).enumerate() {
            let is_winner = Some(number) == winner;
            terms.push(Term {
                words: match is_winner {
                    true => format!("{}: the largest", member.name()),
                    false => member.name(),
                },
                tiles: Vec::new(),
                value,
            });
            if is_winner {
                terms.extend(member.explain(position, goal));
            }
        }
        terms
    }
}
