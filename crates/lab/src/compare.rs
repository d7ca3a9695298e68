//! Comparison of heuristics and searches on the same boards.

mod record;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use pdb_table::{Code, codes};
use puzzle::{Cell, Goal, State};
use solver::{ThreadPermits, ordered_map};

use crate::clock::Instant;
use crate::heuristic::{AnyHeuristic, HeuristicChoice, HeuristicError, HeuristicFactory, Zero};
use crate::position::{Position, TooLarge};
use crate::search::{Limit, Limits, Problem, Search};
use crate::suite::BoardSet;

pub use record::{Group, Record, RunStatus};

/// A comparison: each entrant searches from each board of each set.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The boards.
    pub sets: Vec<BoardSet>,
    /// The searches and heuristics.
    pub entrants: Vec<Entrant>,
    /// The limits of each search.
    pub limits: Limits,
    /// The order in which the blank's moves are tried.
    pub order: [puzzle::Direction; 4],
    /// Number of threads; each runs one search at a time.
    pub threads: usize,
}

/// Error of an impossible comparison.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// There are no boards.
    #[error("there are no boards to compare on")]
    NoBoards,
    /// There are no searches or heuristics.
    #[error("there are no searches to compare")]
    NoEntrants,
    /// A limit of 0.
    #[error("the limit of {0} must be more than 0")]
    Zero(&'static str),
    /// The tray is too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The heuristic does not exist for a set's tray.
    #[error(transparent)]
    Heuristic(#[from] HeuristicError),
    /// A board and its goal differ in size.
    #[error("the board {0} does not have the goal's size")]
    Size(String),
    /// A board without a solution.
    #[error("the board {board} is {reason}")]
    Unsolvable {
        /// The board.
        board: String,
        /// The reason.
        reason: String,
    },
}

codes! {
    CompareError {
        CompareError::Heuristic(error) => error.code(),
        CompareError::Unsolvable { .. } => Code::Unsolvable,
        _ => Code::Input,
    }
}

/// A comparison with its heuristics: see [`Comparison::prepare`].
#[derive(Debug)]
pub struct PreparedComparison<'a> {
    comparison: &'a Comparison,
    /// Heuristics of each set.
    heuristics: Vec<Heuristics>,
}

/// Heuristics for the boards of one set. A key is a heuristic and the blank's goal cell.
type Heuristics = HashMap<(HeuristicChoice, Cell), Box<dyn AnyHeuristic>>;

impl Comparison {
    /// Number of searches.
    #[must_use]
    pub fn runs(&self) -> usize {
        let boards: usize = self.sets.iter().map(|set| set.boards.len()).sum();
        boards * self.entrants.len()
    }

    /// The set that contains a record's board.
    #[must_use]
    pub fn set_of(&self, set: &str, size: &str) -> Option<&BoardSet> {
        let is_same = |own: &&BoardSet| own.name == set && own.goal.tray().to_string() == size;
        self.sets.iter().find(is_same)
    }

    /// Checks that the comparison is possible. Builds nothing.
    ///
    /// # Errors
    /// [`CompareError`] with the reason.
    pub fn check(&self) -> Result<(), CompareError> {
        if self.entrants.is_empty() {
            return Err(CompareError::NoEntrants);
        }
        if self.sets.iter().all(|set| set.boards.is_empty()) {
            return Err(CompareError::NoBoards);
        }
        let limits = &self.limits;
        for (is_zero, name) in [
            (limits.max_nodes == Some(0), "nodes"),
            (limits.max_memory == Some(0), "memory"),
            (limits.max_time.is_some_and(|max| max.is_zero()), "time"),
        ] {
            if is_zero {
                return Err(CompareError::Zero(name));
            }
        }
        for set in &self.sets {
            for entrant in &self.entrants {
                let specs = entrant.heuristic.as_ref().map(|own| own.specs(&set.goal));
                specs.transpose()?;
            }
            for known in &set.boards {
                placed(set, &known.board).map(drop)?;
            }
        }
        Ok(())
    }

    /// Creates the heuristics of all entrants, with their tables. For bidirectional searches, also
    /// creates the backward heuristics: for each set, one per cell that contains the blank in a
    /// board of the set.
    ///
    /// # Errors
    /// [`CompareError`]: the errors of [`Self::check`], or a table that cannot be built.
    pub fn prepare(
        &self,
        factory: &HeuristicFactory,
    ) -> Result<PreparedComparison<'_>, CompareError> {
        self.check()?;
        let mut heuristics = Vec::new();
        for set in &self.sets {
            let mut made = Heuristics::new();
            let tray = set.goal.tray();
            for entrant in &self.entrants {
                let Some(choice) = &entrant.heuristic else {
                    continue;
                };
                let mut blanks = vec![set.goal.blank()];
                if entrant.search.is_bidirectional() {
                    blanks.extend(set.boards.iter().filter_map(|own| own.board.find(0)));
                }
                for blank in blanks {
                    // Forward heuristics need the set's own goal, because lists of tiles in a
                    // heuristic's name use the tile numbers of that goal. The goals of backward
                    // heuristics have the tiles in ascending order.
                    let goal = match blank == set.goal.blank() {
                        true => set.goal.clone(),
                        false => Goal::with_blank(tray, blank),
                    };
                    if let Entry::Vacant(place) = made.entry((choice.clone(), blank)) {
                        place.insert(factory.heuristic(choice, &goal)?);
                    }
                }
            }
            heuristics.push(made);
        }
        Ok(PreparedComparison {
            comparison: self,
            heuristics,
        })
    }

    /// The searches: set by set, entrant by entrant, board by board.
    fn jobs(&self) -> impl Iterator<Item = PlannedRun<'_>> + Send {
        self.sets.iter().enumerate().flat_map(|(set, boards)| {
            self.entrants.iter().flat_map(move |entrant| {
                (1..=boards.boards.len()).map(move |number| PlannedRun {
                    set,
                    number,
                    entrant,
                })
            })
        })
    }
}

impl PreparedComparison<'_> {
    /// Runs all searches. Calls `on_finished` with the record of each search as soon as the search
    /// ends, from any thread. Calls `on_record` with the same records in order: set by set, entrant
    /// by entrant, board by board. The run ends early if `limits.cancel` of the comparison is
    /// cancelled.
    pub fn run(
        &self,
        on_finished: impl Fn(&Record) + Sync,
        mut on_record: impl FnMut(Record) + Send,
    ) {
        let comparison = self.comparison;
        let cancel = &comparison.limits.cancel;
        ordered_map(
            comparison.jobs().take_while(|_| !cancel.is_cancelled()),
            comparison.threads,
            &ThreadPermits::default(),
            |job| {
                let record = self.search(&job)?;
                on_finished(&record);
                Some(record)
            },
            |_, record| record.into_iter().for_each(&mut on_record),
        );
    }

    /// The record of a search; `None` if it was cancelled.
    fn search(&self, job: &PlannedRun<'_>) -> Option<Record> {
        let set = &self.comparison.sets[job.set];
        let (state, start) = placed(set, &set.boards[job.number - 1].board).ok()?;
        let made = |blank: Cell| {
            let choice = job.entrant.heuristic.clone()?;
            Some(&**self.heuristics[job.set].get(&(choice, blank))?)
        };
        let problem = Problem {
            start: &start,
            // Placeholder for searches without a heuristic.
            heuristic: made(set.goal.blank()).unwrap_or(&Zero),
            backward: made(state.blank()),
            order: self.comparison.order,
        };
        let begun = Instant::now();
        let run = job.entrant.search.run(&problem, &self.comparison.limits);
        let is_whole = run.outcome != Err(Limit::Cancelled);
        is_whole.then(|| Record::new(set, job, &run, begun.elapsed()))
    }
}

/// Converts a board of a set to a state and a position.
fn placed(set: &BoardSet, board: &puzzle::Board) -> Result<(State, Position), CompareError> {
    let state = set.goal.state(board);
    let state = state.ok_or_else(|| CompareError::Size(board.to_string()))?;
    state
        .check_solvable()
        .map_err(|reason| CompareError::Unsolvable {
            board: board.to_string(),
            reason: reason.describe(&set.goal, board),
        })?;
    let position = Position::new(&state)?;
    Ok((state, position))
}

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
struct PlannedRun<'a> {
    set: usize,
    /// The board's number in its set, from 1.
    number: usize,
    entrant: &'a Entrant,
}
