//! Heuristics of a type known only at run time, and their maximum.

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
