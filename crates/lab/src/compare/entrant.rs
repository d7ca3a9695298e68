//! A search with a heuristic, and its run on one board.

use crate::heuristic::HeuristicChoice;
use crate::search::Search;

/// A search and its heuristic, if it uses one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Entrant {
    /// The heuristic; `None` for searches without a heuristic.
    pub heuristic: Option<HeuristicChoice>,
    /// The search.
    pub search: Search,
}

impl Entrant {
    /// All pairs of heuristics and searches; searches without heuristic occur once.
    #[must_use]
    pub fn all(heuristics: &[HeuristicChoice], searches: &[Search]) -> Vec<Entrant> {
        let mut entrants: Vec<Entrant> = Vec::new();
        for &search in searches {
            let choices: Vec<Option<HeuristicChoice>> = match search.has_heuristic() {
                true => heuristics.iter().cloned().map(Some).collect(),
                false => vec![None],
            };
            for heuristic in choices {
                let entrant = Entrant { heuristic, search };
                if !entrants.contains(&entrant) {
                    entrants.push(entrant);
                }
            }
        }
        entrants
    }

    /// The heuristic's name, or `none`.
    #[must_use]
    pub fn heuristic_name(&self) -> String {
        let name = self.heuristic.as_ref().map(ToString::to_string);
        name.unwrap_or_else(|| "none".to_owned())
    }
}

/// One search of a comparison.
pub(super) struct PlannedRun<'a> {
    pub(super) set: usize,
    /// The board's number in its set, from 1.
    pub(super) number: usize,
    pub(super) entrant: &'a Entrant,
}
