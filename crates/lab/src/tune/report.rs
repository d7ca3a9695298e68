//! Result, progress and errors of a tuning.

use pdb_gen::{BuildError, size};
use pdb_table::TableError;
use puzzle::{Cell, CellSet, Direction, PartitionPicture, PatternError, TableKind, Tray};

/// A set of partitions and its measurements.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The parts of each partition, largest first. The partitions are used with all their images.
    pub partitions: Vec<Vec<CellSet>>,
    /// For each partition alone, without its images: the mean value over all states.
    pub means: Vec<f64>,
    /// Whether the means are exact rather than taken over the sample.
    pub is_exact: bool,
    /// Mean value of the heuristic over the states of the sample. The value of a state is the
    /// maximum over the views. Sets are ranked by this mean before they are used in searches.
    pub mean: f64,
    /// Mean of b^-h over the sample, with h the maximum over the views and b the tray's branching
    /// factor. The nodes of a search are asymptotically proportional to this mean.
    pub effort: f64,
    /// Mean number of generated nodes over the start states of the searches, for each order of the
    /// blank's moves. The list is sorted by this mean, smallest first. Nodes are counted as in
    /// [`solver::SearchStats::generated`], and only reverse moves are pruned. Empty if no nodes
    /// were counted.
    pub nodes: Vec<([Direction; 4], f64)>,
    /// Whether this set is one of [`super::TuneOptions::known`].
    pub is_known: bool,
}

impl Candidate {
    /// Pictures of the partitions, with the best move order. [`puzzle::HeuristicSpecBuilder::file`]
    /// reads them.
    #[must_use]
    pub fn pictures(&self, tray: Tray, goal_blank: Cell) -> Vec<PartitionPicture> {
        let order = self.nodes.first().map(|&(order, _)| order);
        let picture = |parts: &Vec<CellSet>| PartitionPicture {
            tray,
            blank: goal_blank,
            parts: parts.clone(),
            order,
        };
        self.partitions.iter().map(picture).collect()
    }
}

/// Result of a tuning.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TuneReport {
    /// The best sets, sorted by their nodes if nodes were counted, otherwise by
    /// [`Candidate::mean`].
    pub candidates: Vec<Candidate>,
    /// Number of partitions compared; the images of a partition are counted as one.
    pub compared: usize,
    /// Whether all partitions were compared and the tables of all their patterns were built.
    pub is_exhaustive: bool,
    /// Number of tables built for measuring.
    pub tables: usize,
    /// Number of start states of the searches: all of [`super::TuneOptions::searched`], unless the
    /// time limit cut the work short.
    pub searched: usize,
    /// Whether [`super::TuneOptions::max_time`] cut the work short.
    pub is_cut: bool,
}

/// Progress of a tuning. It is reported at the end of each step, from any thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TuneEvent {
    /// The current stage.
    pub stage: Stage,
    /// Number of finished steps of the stage.
    pub done: u64,
    /// Number of all steps of the stage.
    pub total: u64,
}

/// Stage of a tuning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// Building tables and reading them.
    Measure,
    /// Ranking partitions by their values on the sampled states.
    Rank,
    /// Searching with the best sets.
    Search,
}

/// Error of an impossible or cancelled tuning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// The parts do not have the tray's number of tiles in total.
    #[error("the parts have {found} tiles together, but a {tray} board has {expected}")]
    Sum {
        /// Tiles of the parts.
        found: usize,
        /// Tiles of the tray.
        expected: usize,
        /// The size.
        tray: Tray,
    },
    /// No table is possible for a part or for the tray.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A kind of tables whose values do not add up.
    #[error("{0} tables cannot be added up, so there are no partitions to tune")]
    TableKind(TableKind),
    /// An option that must not be 0.
    #[error("{0} must be at least 1")]
    Nothing(&'static str),
    /// A table could not be built.
    #[error(transparent)]
    Build(BuildError),
    /// A table just built cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Too little memory.
    #[error(
        "{what} needs about {} of memory, {} are free: {way_out}",
        size(*needed),
        size(*free)
    )]
    Memory {
        /// The purpose of the memory.
        what: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// Advice on options that need less memory.
        way_out: String,
    },
    /// The control cancelled the tuning.
    #[error("interrupted")]
    Cancelled,
    /// A table just built lacks the value of a state.
    #[error("the table {0} lacks the value of a state")]
    Damaged(String),
}

impl From<BuildError> for TuneError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Cancelled { .. } => TuneError::Cancelled,
            error => TuneError::Build(error),
        }
    }
}
