//! Explanations of the values of heuristics on a board.

use std::time::Duration;

use lab::{Explanation, HeuristicChoice, HeuristicError, HeuristicFactory, Position};
use puzzle::{Goal, HeuristicSpec, State};
use solver::{Cancel, PatternTable, SharedTable};

use crate::problem::Problem;
use crate::solvers::Solvers;

/// Time limit of the search for the true distance.
pub(crate) const DISTANCE_TIME: Duration = Duration::from_secs(2);
/// The heuristic whose table build cannot be cancelled.
const WALKING: &str = "walking-distance";
/// Maximum number of cells of a tray for which [`WALKING`] is allowed. Building its tables takes up
/// to 0.1 s for these trays, and 2 s for 5x4.
const MAX_WALKING_CELLS: usize = 16;
const MAX_HEURISTICS: usize = 32;

/// Creates heuristics. Pattern databases come from [`Solvers`], which limits memory and build time.
/// Tables of walking distances are stored here.
#[derive(Default)]
pub(crate) struct Explanations {
    walks: HeuristicFactory,
}

impl Explanations {
    /// Explains the values of heuristics for a board. If `names` is empty, explains the heuristics
    /// that are quickly available for the board's size. Fails if a heuristic does not exist, if its
    /// tables take too much time or memory, or if the search was cancelled.
    pub(crate) fn explain(
        &self,
        solvers: &Solvers,
        goal: &Goal,
        state: &State,
        names: &[String],
        cancel: &Cancel,
    ) -> Result<Vec<Explanation>, Problem> {
        let position = Position::new(state).map_err(Problem::input)?;
        let mut at_hand = HeuristicChoice::names_at_hand(goal.tray());
        if goal.tray().cells() > MAX_WALKING_CELLS {
            at_hand.retain(|name| name != WALKING);
        }
        let is_default = names.is_empty();
        let names = match is_default {
            // All heuristics whose tables stay within the limits.
            true => {
                let specs = |name: &String| specs_of(name, goal).ok();
                let fits = |name: &&String| {
                    specs(name).is_some_and(|specs| solvers.check(name, &specs).is_ok())
                };
                at_hand.iter().filter(fits).cloned().collect()
            }
            false => {
                check_names(names, &at_hand)?;
                names.to_vec()
            }
        };
        let name = names.join(", ");
        let mut specs = Vec::new();
        for name in &names {
            specs.extend(specs_of(name, goal)?);
        }
        let opened = solvers.tables_of(goal, &name, specs, cancel)?;
        let tables = opened.iter().flat_map(|opened| &opened.tables).cloned();
        let tables: Vec<SharedTable> = tables.collect();
        let factory = self.walks.with_tables(move |id, geometry| {
            let table = tables.iter().find(|table| table.id() == id)?;
            PatternTable::new(table.clone(), geometry).ok()
        });
        let make = |name: &String| factory.heuristic(&name.parse()?, goal);
        let made = names.iter().map(make);
        // Walking distance cannot be created for some long trays; for those trays the default list
        // omits it.
        let made = made
            .filter(|made| !is_default || !matches!(made, Err(HeuristicError::WalkingDistance(_))));
        let made: Result<Vec<_>, HeuristicError> = made.collect();
        let made = made.map_err(Problem::input)?;
        if cancel.is_cancelled() {
            return Err(Problem::cancelled());
        }
        Ok(Explanation::of(&made, &position, goal))
    }
}

fn specs_of(name: &str, goal: &Goal) -> Result<Vec<HeuristicSpec>, Problem> {
    let choice: HeuristicChoice = name.parse().map_err(Problem::input)?;
    choice.specs(goal).map_err(Problem::input)
}

/// Rejects a list with too many heuristics, or with [`WALKING`] if `at_hand` does not contain it.
fn check_names(names: &[String], at_hand: &[String]) -> Result<(), Problem> {
    let all: Vec<&str> = names.iter().flat_map(|name| name.split('+')).collect();
    if all.len() > MAX_HEURISTICS {
        return Err(Problem::input(format!(
            "too many heuristics: {}, maximum {MAX_HEURISTICS}",
            all.len()
        )));
    }
    let slow = |name: &&&str| name.trim() == WALKING && !at_hand.iter().any(|at| at == **name);
    match all.iter().find(slow) {
        Some(name) => Err(Problem::input(format!(
            "{name} takes too long for this size: choose from {}",
            at_hand.join(", ")
        ))),
        None => Ok(()),
    }
}
