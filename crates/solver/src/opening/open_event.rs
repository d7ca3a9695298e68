//! Events and errors of opening a solver.

#[cfg(feature = "file")]
use pdb_gen::TableStoreError;
use pdb_gen::{BuildError, BuildEvent, TooLarge};
#[cfg(feature = "file")]
use pdb_table::FileError;
use pdb_table::{Code, codes};
use puzzle::TableId;

use super::table_choice::{Missing, OverBudget};
use crate::facade::SolverError;

/// Event while a solver is opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenEvent {
    /// Progress of building one table.
    Building(TableId, BuildEvent),
    /// Progress of all builds of the call.
    Progress(OpenProgress),
    /// A table was built and written to the directory.
    #[cfg(feature = "file")]
    Kept(TableId),
    /// A table was built but could not be written.
    #[cfg(feature = "file")]
    NotKept(TableId, FileError),
}

/// Progress of the builds of all tables of a solver.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OpenProgress {
    /// The table that is being built.
    pub id: TableId,
    /// The index of that table among all tables, from 0.
    pub number: usize,
    /// Number of tables.
    pub tables: usize,
    /// Number of entries of the finished tables plus the number found so far in the current table.
    pub found: u64,
    /// Number of entries of all tables.
    pub entries: u64,
}

impl OpenProgress {
    /// The finished share, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        (self.found as f64 / self.entries.max(1) as f64).min(1.0)
    }
}

impl OpenEvent {
    /// A warning for the user about an error that did not stop the call: a table could not be kept,
    /// so every later call builds it again.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        match self {
            #[cfg(feature = "file")]
            OpenEvent::NotKept(id, error) => Some(format!(
                "built {} in memory; it could not be kept: {error}",
                id.name()
            )),
            _ => None,
        }
    }
}

/// Reason why a solver could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A table file is damaged.
    #[cfg(feature = "file")]
    #[error(transparent)]
    Damaged(FileError),
    /// Tables are missing and would take longer to build than the options allow.
    #[error("{0}")]
    Missing(Missing),
    /// Tables need more memory than is available.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The directory cannot be used.
    #[cfg(feature = "file")]
    #[error(transparent)]
    Store(TableStoreError),
    /// The call was cancelled.
    #[error("interrupted")]
    Cancelled,
    /// Another error.
    #[error(transparent)]
    Solver(SolverError),
}

codes! {
    OpenError {
        OpenError::TooLarge(_) => Code::Memory,
        OpenError::Cancelled => Code::Cancelled,
        OpenError::Solver(error) => error.code(),
        _ => Code::Table,
    }
}

impl From<SolverError> for OpenError {
    fn from(error: SolverError) -> OpenError {
        match error {
            SolverError::Build(BuildError::Cancelled { .. }) => OpenError::Cancelled,
            error => OpenError::Solver(error),
        }
    }
}

impl From<BuildError> for OpenError {
    fn from(error: BuildError) -> OpenError {
        SolverError::Build(error).into()
    }
}

impl From<OverBudget> for OpenError {
    fn from(error: OverBudget) -> OpenError {
        match error {
            OverBudget::Missing(missing) => OpenError::Missing(missing),
            OverBudget::TooLarge(error) => OpenError::TooLarge(error),
        }
    }
}
