//! What is to be done, the same in all processes.

use std::path::PathBuf;

use pdb_gen::{CheckpointPolicy, Deal};
use pdb_table::{Encoding, TableDirectory};
use puzzle::TableId;

use crate::hello::{Hello, PROTOCOL};
use crate::saver::deal_sum;

/// Building or proving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Tables that are missing are built.
    Build,
    /// Tables that are there are swept again and compared.
    Verify,
}

/// What all processes do, and what is this one's own business.
#[derive(Clone, Debug)]
pub struct Job {
    /// What is to be done.
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
    /// Where checkpoints are.
    pub checkpoints: PathBuf,
    /// Threads of this process.
    pub threads: usize,
    /// Nothing but results and errors is printed.
    pub quiet: bool,
    /// Results are JSON.
    pub json: bool,
}

impl Job {
    /// What this process says of the job.
    pub(crate) fn hello(&self, process: usize, processes: usize) -> Hello {
        let names: Vec<String> = self.tables.iter().map(TableId::name).collect();
        let task = match self.task {
            Task::Build => "build",
            Task::Verify => "verify",
        };
        let options = [
            (self.parts, "--parts"),
            (self.force, "--force"),
            (self.resume, "--resume"),
        ];
        let options: Vec<&str> = options
            .iter()
            .filter(|one| one.0)
            .map(|one| one.1)
            .collect();
        let deal = |id: &TableId| Deal::new(id.tray(), id.tiles().len(), processes);
        let deals = self.tables.iter().map(|id| deal_sum(&deal(id)));
        let deals: Vec<String> = deals.map(|sum| format!("{sum:016x}")).collect();
        Hello {
            version: format!("{} protocol {PROTOCOL}", env!("CARGO_PKG_VERSION")),
            process,
            processes,
            task: task.to_owned(),
            tables: format!("{} {}", names.join(" "), Encoding::OneBit),
            options: options.join(" "),
            deals: deals.join(" "),
        }
    }
}
