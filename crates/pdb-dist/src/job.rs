//! The task, the same in all processes.

use std::path::PathBuf;

use pdb_gen::CheckpointPolicy;
use pdb_table::TableDirectory;
use puzzle::TableId;

/// Building or proving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Tables that are missing are built.
    Build,
    /// Tables that are there are swept again and compared.
    Verify,
}

/// The common task, and the settings of this process.
#[derive(Clone, Debug)]
pub struct Job {
    /// The common task.
    pub task: Task,
    /// The tables, one after the other.
    pub tables: Vec<TableId>,
    /// The directory of the tables: the same for all processes, except with `parts`.
    pub directory: TableDirectory,
    /// Each process keeps its part of each table in its own directory.
    pub parts: bool,
    /// Tables that are there are built again.
    pub force: bool,
    /// The build goes on from the last level that all processes have saved.
    pub resume: bool,
    /// When it is saved. Process 0 decides for all.
    pub save: CheckpointPolicy,
    /// Directory of the checkpoints.
    pub checkpoints: PathBuf,
    /// Threads of this process.
    pub threads: usize,
    /// Nothing but results and errors is printed.
    pub quiet: bool,
    /// Results are JSON.
    pub json: bool,
}
