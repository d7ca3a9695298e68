//! Comparing heuristics and searches on the same boards.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use puzzle::{Cell, Goal, State, write_letters};
use solver::{ThreadPermits, ordered_map};

use crate::heuristic::{
    AnyHeuristic, HeuristicChoice, HeuristicError, HeuristicFactory, Manhattan,
};
use crate::position::{Position, TooLarge};
use crate::search::{Limit, Limits, Problem, Search, SearchRun};
use crate::suite::BoardSet;

mod group;
mod record;

pub use group::{Cost, Group};
pub use record::{IterationRecord, Record, RunKey, RunStatus};

/// A search with a heuristic.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Entrant {
    /// The heuristic; `None` for searches without.
    pub heuristic: Option<HeuristicChoice>,
    /// The search.
    pub search: Search,
}

/// What is compared: each entrant searches from each board of each set.
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
    /// Threads, each of which does one search at a time.
    pub threads: usize,
}

/// A comparison that is not possible.
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
    #[error("{0} must be at least 1")]
    Zero(&'static str),
    /// A tray that is too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// A heuristic that a set's tray does not have.
    #[error(transparent)]
    Heuristic(#[from] HeuristicError),
    /// A board that is of another size than its goal.
    #[error("the board {0} is not of the goal's size")]
    Size(String),
    /// A board without a solution.
    #[error("the board {board} is {reason}")]
    Unsolvable {
        /// The board.
        board: String,
        /// Why not.
        reason: String,
    },
}

impl Entrant {
    /// All pairs of these, with searches that ask no heuristic once each.
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

    /// The heuristic's name, `none` without one.
    #[must_use]
    pub fn heuristic_name(&self) -> String {
        let name = self.heuristic.as_ref().map(ToString::to_string);
        name.unwrap_or_else(|| "none".to_owned())
    }
}

/// Heuristics of one set, made when they are first asked for.
struct Heuristics<'a> {
    factory: &'a HeuristicFactory,
    goal: &'a Goal,
    made: Mutex<HashMap<(HeuristicChoice, Cell), Arc<dyn AnyHeuristic>>>,
}

impl Heuristics<'_> {
    /// The heuristic of a goal like the set's with the blank on this cell.
    fn get(
        &self,
        choice: Option<&HeuristicChoice>,
        blank: Cell,
    ) -> Result<Arc<dyn AnyHeuristic>, HeuristicError> {
        let Some(choice) = choice else {
            return Ok(Arc::new(Manhattan::new(self.goal.tray())));
        };
        let key = (choice.clone(), blank);
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(heuristic) = made.get(&key) {
            return Ok(Arc::clone(heuristic));
        }
        // Lists of tiles mean those of the goal; the way back has others on the same cells.
        let goal = match blank == self.goal.blank() {
            true => self.goal.clone(),
            false => Goal::with_blank(self.goal.tray(), blank),
        };
        let heuristic: Arc<dyn AnyHeuristic> = self.factory.heuristic(choice, &goal)?.into();
        made.insert(key, Arc::clone(&heuristic));
        Ok(heuristic)
    }
}

/// One search of a comparison.
struct Job<'a> {
    set: usize,
    /// The board's number in its set, from 1.
    number: usize,
    entrant: &'a Entrant,
}

impl Comparison {
    /// How many searches it has.
    #[must_use]
    pub fn runs(&self) -> usize {
        let boards: usize = self.sets.iter().map(|set| set.boards.len()).sum();
        boards * self.entrants.len()
    }

    /// Where a record stands among those of a whole comparison: set by set, entrant by entrant,
    /// board by board. Records of others come last.
    #[must_use]
    pub fn place(&self, record: &Record) -> (usize, usize, usize) {
        let is_set =
            |set: &BoardSet| set.name == record.set && set.goal.tray().to_string() == record.size;
        let is_entrant = |own: &Entrant| {
            own.search.to_string() == record.search && own.heuristic_name() == record.heuristic
        };
        let set = self.sets.iter().position(is_set);
        let entrant = self.entrants.iter().position(is_entrant);
        (
            set.unwrap_or(usize::MAX),
            entrant.unwrap_or(usize::MAX),
            record.number,
        )
    }

    /// Whether it is possible. Builds nothing.
    ///
    /// # Errors
    /// [`CompareError`] says why not.
    pub fn check(&self) -> Result<(), CompareError> {
        if self.entrants.is_empty() {
            return Err(CompareError::NoEntrants);
        }
        if self.sets.iter().all(|set| set.boards.is_empty()) {
            return Err(CompareError::NoBoards);
        }
        for (limit, name) in [
            (self.limits.max_nodes, "the limit of nodes"),
            (self.limits.max_memory, "the limit of memory"),
        ] {
            if limit == Some(0) {
                return Err(CompareError::Zero(name));
            }
        }
        for set in &self.sets {
            let choices = self
                .entrants
                .iter()
                .filter_map(|own| own.heuristic.as_ref());
            for choice in choices {
                choice.specs(&set.goal)?;
            }
            for known in &set.boards {
                let (_, position) = placed(set, &known.board)?;
                drop(position);
            }
        }
        Ok(())
    }

    /// Does all searches but those that are `done`, and calls `on_record` with each in order: set
    /// by set, entrant by entrant, board by board. Searches that the limits' token cancels are left
    /// out, and end it. Heuristics and their tables are made before the first search of a set.
    ///
    /// # Errors
    /// [`CompareError`], before any search.
    pub fn run(
        &self,
        factory: &HeuristicFactory,
        done: &HashSet<RunKey>,
        mut on_record: impl FnMut(Record) + Send,
    ) -> Result<(), CompareError> {
        self.check()?;
        let heuristics: Vec<Heuristics<'_>> = self
            .sets
            .iter()
            .map(|set| Heuristics {
                factory,
                goal: &set.goal,
                made: Mutex::default(),
            })
            .collect();
        for (set, heuristics) in self.sets.iter().zip(&heuristics) {
            for entrant in &self.entrants {
                heuristics.get(entrant.heuristic.as_ref(), set.goal.blank())?;
            }
        }
        let jobs = (0..self.sets.len()).flat_map(|set| {
            let numbers = 1..=self.sets[set].boards.len();
            self.entrants.iter().flat_map(move |entrant| {
                let job = move |number| Job {
                    set,
                    number,
                    entrant,
                };
                numbers.clone().map(job)
            })
        });
        let is_open = |job: &Job<'_>| !done.contains(&RunKey::of(&self.sets[job.set], job));
        let jobs: Vec<Job<'_>> = jobs.filter(is_open).collect();
        let failure = Mutex::new(None);
        let failed = || failure.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = || self.limits.cancel.is_cancelled() || failed().is_some();
        ordered_map(
            jobs.into_iter().take_while(|_| !is_over()),
            self.threads,
            &ThreadPermits::default(),
            |job| {
                let run = self.search(&job, &heuristics[job.set]);
                (job, run)
            },
            |_, (job, run)| match run {
                Ok(run) if run.outcome == Err(Limit::Cancelled) => {}
                Ok(run) => on_record(Record::new(&self.sets[job.set], &job, run)),
                Err(error) => *failed() = Some(error),
            },
        );
        match failed().take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn search(
        &self,
        job: &Job<'_>,
        heuristics: &Heuristics<'_>,
    ) -> Result<SearchRun, CompareError> {
        let set = &self.sets[job.set];
        let (state, start) = placed(set, &set.boards[job.number - 1].board)?;
        let choice = job.entrant.heuristic.as_ref();
        let heuristic = heuristics.get(choice, set.goal.blank())?;
        let backward = match job.entrant.search.is_bidirectional() {
            true => heuristics.get(choice, state.blank())?,
            false => Arc::clone(&heuristic),
        };
        let problem = Problem {
            start: &start,
            heuristic: &*heuristic,
            backward: &*backward,
            order: self.order,
        };
        Ok(job.entrant.search.run(&problem, &self.limits))
    }
}

/// A board of a set as searches see it.
fn placed(set: &BoardSet, board: &puzzle::Board) -> Result<(State, Position), CompareError> {
    let state = set.goal.state(board);
    let state = state.ok_or_else(|| CompareError::Size(board.to_string()))?;
    state
        .check_solvable()
        .map_err(|reason| CompareError::Unsolvable {
            board: board.to_string(),
            reason: reason.describe(&set.goal),
        })?;
    let position = Position::new(&state)?;
    Ok((state, position))
}

/// The letters of a run's moves.
fn letters(run: &SearchRun) -> Option<String> {
    run.outcome.as_ref().ok().map(|moves| write_letters(moves))
}
