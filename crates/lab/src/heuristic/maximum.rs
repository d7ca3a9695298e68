//! The maximum of several heuristics.

use puzzle::Goal;

use super::any_heuristic::{AnyHeuristic, Carried};
use super::{Heuristic, Term};
use crate::position::{Position, Slide};

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
