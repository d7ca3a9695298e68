//! The job of a process.

use std::path::PathBuf;

use pdb_gen::CheckpointPolicy;
use pdb_table::TableDirectory;
use puzzle::TableId;

/// Task of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Build missing tables.
    Build,
    /// Sweep existing tables again and compare the results with them.
    Verify,
}

/// The task, common to all processes, and the settings of this process.
#[derive(Clone, Debug)]
pub struct Job {
    /// The task.
    pub task: Task,
    /// The tables, in order.
    pub tables: Vec<TableId>,
    /// Directory of the tables: the same for all processes unless `parts` is set.
    pub directory: TableDirectory,
    /// Whether each process writes its part of each table to its own directory.
    pub parts: bool,
    /// Whether existing tables are built again.
    pub force: bool,
    /// Whether the build resumes from the last level that all processes have saved.
    pub resume: bool,
    /// Times at which the build is saved. Process 0 decides for all processes.
    pub save: CheckpointPolicy,
    /// Directory of the checkpoints.
    pub checkpoints: PathBuf,
    /// Number of threads of this process.
    pub threads: usize,
    /// Whether to suppress progress, notes and text results. Errors and JSON results are printed.
    pub quiet: bool,
    /// Whether results are printed as JSON.
    pub json: bool,
}
