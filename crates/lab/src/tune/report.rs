//! Result, progress and errors of a tuning.

use pdb_gen::{BuildError, size};
use pdb_table::TableError;
use puzzle::{Cell, CellSet, Direction, PartitionPicture, PatternError, TableKind, Tray};

/// A set of partitions and what was measured of it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The partitions, which are used with all their images: parts of each, the largest first.
    pub partitions: Vec<Vec<CellSet>>,
    /// Mean of one view of each partition over all states.
    pub means: Vec<f64>,
    /// Whether the means are exact, not taken over the sample.
    pub is_exact: bool,
    /// Mean of the maximum over the views, over the sample: by this sets are ranked before they are
    /// searched with.
    pub mean: f64,
    /// Mean of b^-h over the sample, h the maximum over the views and b the tray's branching
    /// factor: to this the nodes of a search are proportional in the long run.
    pub effort: f64,
    /// Mean generated nodes ([`solver::SearchStats::generated`], only undoing pruned) over the
    /// states searched from, for each order of the blank's moves, fewest first; empty when they
    /// were not counted.
    pub nodes: Vec<([Direction; 4], f64)>,
    /// Whether this is one of [`super::TuneOptions::known`].
    pub is_known: bool,
}

impl Candidate {
    /// The partitions as pictures, with the best order, as [`puzzle::HeuristicSpecBuilder::file`]
    /// takes them.
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
    /// The best sets: by nodes where they were counted, else by [`Candidate::mean`].
    pub candidates: Vec<Candidate>,
    /// Partitions that were compared, images counted once.
    pub compared: usize,
    /// Whether these were all there are, with tables of all their patterns.
    pub is_exhaustive: bool,
    /// Tables built for measuring.
    pub tables: usize,
    /// States that were searched from: all of [`super::TuneOptions::searched`], unless the work was
    /// cut short.
    pub searched: usize,
    /// Whether [`super::TuneOptions::max_time`] cut the work short.
    pub is_cut: bool,
}

/// Progress of a tuning: reported after each step, from any thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TuneEvent {
    /// The current stage.
    pub stage: Stage,
    /// Steps of the stage that are done.
    pub done: u64,
    /// Steps that there are.
    pub total: u64,
}

/// Stage of a tuning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// Building tables and reading them.
    Measure,
    /// Ranking partitions by the sample.
    Rank,
    /// Searching with the best.
    Search,
}

/// A tuning that is not possible, or was stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// The parts do not have the tray's tiles together.
    #[error("the parts have {found} tiles together, but a {tray} board has {expected}")]
    Sum {
        /// Tiles of the parts.
        found: usize,
        /// Tiles of the tray.
        expected: usize,
        /// The size.
        tray: Tray,
    },
    /// A part, or the tray, that no table can be made for.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A kind of tables whose values do not add up.
    #[error("{0} tables cannot be added up, so there are no partitions to tune")]
    TableKind(TableKind),
    /// A number of the options that must not be 0.
    #[error("{0} must be at least 1")]
    Nothing(&'static str),
    /// A table could not be built.
    #[error(transparent)]
    Build(BuildError),
    /// A table just built cannot be looked up in.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Too little memory.
    #[error(
        "{what} needs about {} of memory, and {} are free: {way_out}",
        size(*needed),
        size(*free)
    )]
    Memory {
        /// Its purpose.
        what: String,
        /// Bytes it needs.
        needed: u64,
        /// Bytes there are.
        free: u64,
        /// The way out.
        way_out: String,
    },
    /// The control cancelled it.
    #[error("interrupted")]
    Cancelled,
    /// A table just built lacks values that it must have.
    #[error("the table {0} has no value for a state it must have one for")]
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
