//! Heuristics: lower bounds of how many moves a board needs, each in a file of its own.
//!
//! All of them are admissible: never more than the true distance. Tests prove that on every state
//! of the 3x3 puzzle and on all 4x4 states near the goal.

use std::any::Any;
use std::fmt;

use puzzle::Goal;

use crate::position::{Position, Slide};
use crate::search::{Deepened, Deepening, ida_star};

mod choice;
mod inversion_distance;
mod linear_conflict;
mod manhattan;
mod maximum;
mod misplaced;
mod pattern_database;
mod walking_distance;
mod zero;

pub use choice::{HeuristicChoice, HeuristicError, HeuristicFactory, TableOpener};
pub use inversion_distance::InversionDistance;
pub use linear_conflict::LinearConflict;
pub use manhattan::Manhattan;
pub use maximum::Maximum;
pub use misplaced::Misplaced;
pub use pattern_database::PatternDatabase;
pub use walking_distance::WalkingDistance;
pub use zero::Zero;

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

/// The end of a word for this many things.
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
    /// [`Heuristic::carry`] into what another board had.
    ///
    /// # Panics
    /// If that was another heuristic's.
    fn carry_into(&self, carried: &mut Carried, position: &Position);
    /// [`Heuristic::follow`], and the value.
    ///
    /// # Panics
    /// If what is given is another heuristic's.
    fn follow_any(
        &self,
        before: &Carried,
        after: &mut Carried,
        position: &Position,
        slide: Slide,
    ) -> u32;
    /// The value of what is carried.
    ///
    /// # Panics
    /// If that is another heuristic's.
    fn value_any(&self, carried: &Carried) -> u32;
    /// IDA* with this heuristic, in code of its own.
    fn deepen(&self, task: Deepening<'_>) -> Deepened;
}

/// What a heuristic of unknown type carries.
#[derive(Debug)]
pub struct Carried(Box<dyn AnyCarried>);

trait AnyCarried: Any + fmt::Debug + Send {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<C: Any + fmt::Debug + Send> AnyCarried for C {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Carried {
    #[expect(clippy::expect_used, reason = "a documented panic")]
    fn of<C: 'static>(&self) -> &C {
        let own = (*self.0).as_any().downcast_ref();
        own.expect("carried by another heuristic")
    }

    #[expect(clippy::expect_used, reason = "a documented panic")]
    fn of_mut<C: 'static>(&mut self) -> &mut C {
        let own = (*self.0).as_any_mut().downcast_mut();
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

    fn deepen(&self, task: Deepening<'_>) -> Deepened {
        ida_star::deepen(self, task)
    }
}
