//! What heuristics see on a board.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lab::{AnyHeuristic, Explanation, HeuristicChoice, HeuristicError, HeuristicFactory, Position};
use pdb_table::Cancel;
use puzzle::{Goal, State};

use crate::problem::Problem;

/// How long the true distance is looked for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);
/// The most bytes that tables of heuristics may take: those that are kept for all requests, and
/// those of a request that names its heuristics.
const MAX_TABLES: u64 = 256 << 20;
/// The most heuristics of a request.
const MAX_HEURISTICS: usize = 32;

/// Makes heuristics, and keeps the tables of those that nobody has to name.
#[derive(Default)]
pub(crate) struct Explanations {
    factory: Mutex<Option<Arc<HeuristicFactory>>>,
}

impl Explanations {
    /// What some heuristics see on a board, by default those that are made within a moment for its
    /// size.
    ///
    /// # Errors
    /// There is no such heuristic, or it takes too much memory, or it was cancelled.
    pub(crate) fn explain(
        &self,
        goal: &Goal,
        state: &State,
        names: &[String],
        cancel: &Cancel,
    ) -> Result<Vec<Explanation>, Problem> {
        let position = Position::new(state).map_err(Problem::input)?;
        let at_hand = HeuristicChoice::names_at_hand(goal.tray());
        let made = match names.is_empty() {
            true => self.made_of_shared(&at_hand, goal),
            false => {
                check_names(names, &at_hand)?;
                // Of its own, so that it ends with the request.
                let factory = HeuristicFactory::new(|_, _| None, cancel, Some(MAX_TABLES));
                make(&factory, names, goal)
            }
        };
        let made = made.map_err(|error| match error {
            _ if cancel.is_cancelled() => Problem::cancelled(),
            HeuristicError::Memory { .. } => Problem::memory(error),
            error => Problem::input(error),
        })?;
        Ok(Explanation::of(&made, &position, goal))
    }

    /// Heuristics that share the tables of earlier requests. Where there are too many of those they
    /// begin anew.
    fn made_of_shared(
        &self,
        names: &[String],
        goal: &Goal,
    ) -> Result<Vec<Box<dyn AnyHeuristic>>, HeuristicError> {
        let new = || {
            let never = Cancel::default();
            let factory = HeuristicFactory::new(|_, _| None, &never, Some(MAX_TABLES));
            Arc::new(factory)
        };
        let lock = || self.factory.lock().unwrap_or_else(PoisonError::into_inner);
        let factory = Arc::clone(lock().get_or_insert_with(new));
        // Of long trays not all heuristics can be made whose tables are small.
        let make = |factory: &HeuristicFactory| {
            let made = names
                .iter()
                .map(|name| factory.heuristic(&name.parse()?, goal));
            let made = made.filter(|made| !matches!(made, Err(HeuristicError::WalkingDistance(_))));
            made.collect()
        };
        match make(&factory) {
            Err(HeuristicError::Memory { .. }) => {
                let factory = new();
                *lock() = Some(Arc::clone(&factory));
                make(&factory)
            }
            made => made,
        }
    }
}

fn make(
    factory: &HeuristicFactory,
    names: &[String],
    goal: &Goal,
) -> Result<Vec<Box<dyn AnyHeuristic>>, HeuristicError> {
    let make = |name: &String| factory.heuristic(&name.parse()?, goal);
    names.iter().map(make).collect()
}

/// Refuses what would take long and could not be stopped.
fn check_names(names: &[String], at_hand: &[String]) -> Result<(), Problem> {
    let all: Vec<&str> = names.iter().flat_map(|name| name.split('+')).collect();
    if all.len() > MAX_HEURISTICS {
        return Err(Problem::input(format!(
            "{} heuristics are too many: at most {MAX_HEURISTICS}",
            all.len()
        )));
    }
    let slow =
        |name: &&&str| name.trim() == "walking-distance" && !at_hand.iter().any(|at| at == **name);
    match all.iter().find(slow) {
        Some(name) => Err(Problem::input(format!(
            "{name} takes too long for this size: choose of {}",
            at_hand.join(", ")
        ))),
        None => Ok(()),
    }
}
