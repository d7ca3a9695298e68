//! Events of builds and checks.

use std::path::PathBuf;

/// Event of a build or a check: see [`Control`](pdb_table::Control).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildEvent {
    /// A level is finished.
    Level(LevelReport),
    /// A line about an unusual event, such as a resumed build.
    Note(String),
    /// A checkpoint of an earlier build is ignored and will be replaced.
    CheckpointIgnored(PathBuf),
}

/// Progress of a build or a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LevelReport {
    /// Distance of this level's entries from the goal; 0 in checks without levels.
    pub level: u8,
    /// Number of entries found at this level.
    pub new: u64,
    /// Entries found so far.
    pub found: u64,
    /// Entries of all rows, unreachable ones included.
    pub entries: u64,
}
