//! Heuristics of a type known only at run time.

use std::any::Any;
use std::fmt;

use puzzle::Goal;

use super::{Heuristic, Term};
use crate::position::{Position, Slide};
use crate::search::ida_star::{self, Deepened, Deepening};

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
    fn deepen(&self, task: Deepening<'_>) -> Deepened;
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

    fn deepen(&self, task: Deepening<'_>) -> Deepened {
        ida_star::deepen(self, task)
    }
}
