//! Comparison of heuristics and searches on the same boards.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use pdb_table::{Code, codes};
use puzzle::{Cell, Goal, State, write_letters};
use serde::{Deserialize, Serialize};
use solver::{Spread, ThreadPermits, ordered_map};

use crate::clock::Instant;
use crate::heuristic::{AnyHeuristic, HeuristicChoice, HeuristicError, HeuristicFactory, Zero};
use crate::position::{Position, TooLarge};
use crate::search::{Iteration, Limit, Limits, Problem, Search, SearchRun};
use crate::suite::BoardSet;

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

/// Result of one search of a comparison. Each record is one line of the comparison's results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ComparisonRecord"))]
#[non_exhaustive]
pub struct Record {
    /// The set of boards: the name of a suite, `random`, `given`, or `walk-K` for K random moves
    /// from the goal.
    pub set: String,
    /// Columns x rows.
    pub size: String,
    /// The goal.
    pub goal: String,
    /// The board's number in its set, from 1.
    pub number: usize,
    /// The board.
    pub board: String,
    /// The search.
    pub search: String,
    /// The heuristic, or `none`.
    pub heuristic: String,
    /// The outcome.
    pub status: RunStatus,
    /// The limit that stopped the search: `nodes`, `memory` or `time`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["nodes", "memory", "time"])))]
    pub limit: Option<String>,
    /// Number of moves of the solution.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub length: Option<u32>,
    /// Length of a shortest solution, if stated by the set or guaranteed by the search.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub optimal_length: Option<u32>,
    /// The solution, such as `U2RD`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub moves: Option<String>,
    /// Value of the heuristic for the board.
    pub h0: u32,
    /// Children of expanded nodes over all iterations, except the child that reverses the last
    /// move.
    pub generated: u64,
    /// Expanded nodes; a node is counted at each expansion.
    pub expanded: u64,
    /// Expanded nodes that a shorter path reached later.
    pub reopened: u64,
    /// Most nodes in memory at once; for IDA* the length of the longest path.
    pub peak: u64,
    /// Bytes of these nodes and of their index.
    pub peak_bytes: u64,
    /// Effective branching factor: a uniform tree with this many children per node and the
    /// solution's depth has as many nodes as the search generated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub branching_factor: Option<f64>,
    /// Time in milliseconds.
    pub ms: f64,
    /// The depth-first searches of IDA*.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub iterations: Vec<Iteration>,
}

/// Outcome of a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// Solved.
    Solved,
    /// Stopped by a limit.
    Limit,
}

impl Record {
    fn new(set: &BoardSet, job: &PlannedRun<'_>, run: &SearchRun, time: Duration) -> Record {
        let known = &set.boards[job.number - 1];
        let outcome = run.outcome.as_ref();
        let length = outcome.ok().map(|moves| moves.len() as u32);
        let is_optimal = job.entrant.search.max_ratio() == Some(1.0);
        let branching_factor = length.and_then(|l| run.counts.branching_factor(l as usize));
        Record {
            status: match length {
                Some(_) => RunStatus::Solved,
                None => RunStatus::Limit,
            },
            limit: outcome.err().map(|limit| limit.name().to_owned()),
            moves: outcome.ok().map(|moves| write_letters(moves)),
            optimal_length: known.length.or(length.filter(|_| is_optimal)),
            length,
            h0: run.counts.h0,
            generated: run.counts.generated,
            expanded: run.counts.expanded,
            reopened: run.counts.reopened,
            peak: run.counts.peak,
            peak_bytes: run.counts.peak_bytes,
            branching_factor: branching_factor.map(|b| (b * 1e4).round() / 1e4),
            ms: (time.as_secs_f64() * 1e6).round() / 1e3,
            iterations: run.counts.iterations.clone(),
            set: set.name.clone(),
            size: set.goal.tray().to_string(),
            goal: set.goal.to_string(),
            number: job.number,
            board: known.board.to_string(),
            search: job.entrant.search.to_string(),
            heuristic: job.entrant.heuristic_name(),
        }
    }
}

/// The runs of one search and heuristic on one set of boards. A run that a limit stopped is
/// included with its nodes, bytes and time so far. In a group with such runs, the nodes, bytes and
/// times are lower bounds.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Group {
    /// The set of boards.
    pub set: String,
    /// Columns x rows.
    pub size: String,
    /// The search.
    pub search: String,
    /// The heuristic, or `none`.
    pub heuristic: String,
    /// Number of boards.
    pub boards: usize,
    /// Number of solved boards.
    pub solved: usize,
    /// Each limit that stopped a run, and the number of runs that it stopped.
    pub limits: Vec<(String, usize)>,
    /// Lengths of the solutions; `None` if no board was solved.
    pub length: Option<Spread>,
    /// Heuristic values of the start positions.
    pub h0: Spread,
    /// Generated nodes.
    pub generated: Spread,
    /// Expanded nodes.
    pub expanded: Spread,
    /// Re-opened nodes.
    pub reopened: Spread,
    /// Maximum number of nodes stored at once.
    pub peak: Spread,
    /// Bytes of the stored nodes: [`crate::Counts::peak_bytes`].
    pub peak_bytes: Spread,
    /// Time in milliseconds.
    pub ms: Spread,
    /// Mean effective branching factor of the solved boards.
    pub branching_factor: Option<f64>,
}

impl Group {
    /// The groups of records, in the order in which their first records occur.
    #[must_use]
    pub fn of(records: &[Record]) -> Vec<(Group, Vec<&Record>)> {
        let mut groups: Vec<Vec<&Record>> = Vec::new();
        for record in records {
            let key = |other: &Record| {
                (&other.set, &other.size, &other.search, &other.heuristic)
                    == (&record.set, &record.size, &record.search, &record.heuristic)
            };
            match groups.iter_mut().find(|group| key(group[0])) {
                Some(group) => group.push(record),
                None => groups.push(vec![record]),
            }
        }
        let groups = groups.into_iter();
        let summed = groups.filter_map(|records| Some((Group::sum(&records)?, records)));
        summed.collect()
    }

    /// The figures of records; `None` if there are no records.
    fn sum(records: &[&Record]) -> Option<Group> {
        let first = records.first()?;
        let of = |number: fn(&Record) -> f64| {
            let numbers: Vec<f64> = records.iter().map(|&own| number(own)).collect();
            Spread::of(&numbers)
        };
        let mut limits: Vec<(String, usize)> = Vec::new();
        for name in records.iter().filter_map(|record| record.limit.as_ref()) {
            match limits.iter_mut().find(|(own, _)| own == name) {
                Some((_, count)) => *count += 1,
                None => limits.push((name.clone(), 1)),
            }
        }
        let lengths = records.iter().filter_map(|record| record.length);
        let lengths: Vec<f64> = lengths.map(f64::from).collect();
        let factors = records.iter().filter_map(|record| record.branching_factor);
        let factors: Vec<f64> = factors.collect();
        let solved = records.iter().filter(|own| own.status == RunStatus::Solved);
        Some(Group {
            set: first.set.clone(),
            size: first.size.clone(),
            search: first.search.clone(),
            heuristic: first.heuristic.clone(),
            boards: records.len(),
            solved: solved.count(),
            limits,
            length: Spread::of(&lengths),
            h0: of(|record| record.h0.into())?,
            generated: of(|record| record.generated as f64)?,
            expanded: of(|record| record.expanded as f64)?,
            reopened: of(|record| record.reopened as f64)?,
            peak: of(|record| record.peak as f64)?,
            peak_bytes: of(|record| record.peak_bytes as f64)?,
            ms: of(|record| record.ms)?,
            branching_factor: Spread::of(&factors).map(|spread| spread.mean),
        })
    }
}
