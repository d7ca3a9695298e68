//! Events that builds and checks report to their listeners.

use std::path::PathBuf;

/// Event of a build or a check: see [`Control`](pdb_table::Control).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildEvent {
    /// A level is finished.
    Level(LevelReport),
    /// A line about something out of the ordinary, such as a build that was resumed.
    Note(String),
    /// A checkpoint of an earlier build is not used: it will be replaced.
    CheckpointIgnored(PathBuf),
}

/// Progress of a build or a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LevelReport {
    /// Distance from the goal of the entries found last; 0 in a check that has no levels.
    pub level: u8,
    /// Number of the entries found last.
    pub new: u64,
    /// Entries found so far.
    pub found: u64,
    /// Entries of all rows, unreachable ones included.
    pub entries: u64,
}
