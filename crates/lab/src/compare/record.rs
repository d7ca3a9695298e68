//! The record of one search of a comparison.

use std::time::Duration;

use puzzle::write_letters;
use serde::{Deserialize, Serialize};

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
