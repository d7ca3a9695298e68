//! The record of one search of a comparison, and the figures of one search and heuristic on one set of
//! boards.

use std::time::Duration;

use puzzle::write_letters;
use serde::{Deserialize, Serialize};
use solver::Spread;

use super::PlannedRun;
use crate::search::{Iteration, SearchRun};
use crate::suite::BoardSet;

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
    pub(super) fn new(
        set: &BoardSet,
        job: &PlannedRun<'_>,
        run: &SearchRun,
        time: Duration,
    ) -> Record {
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
