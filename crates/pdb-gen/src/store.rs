//! A directory of tables, and builds into it.

mod build_job;
mod checkpoint;
pub(crate) mod free_memory;
mod lock;
mod row_file;
mod save_clock;
mod table_store;

pub use build_job::Resume;
pub use free_memory::{free_disk, free_memory};
pub use lock::Lock;
pub use row_file::UnfinishedFile;
pub use save_clock::{CheckpointPolicy, SaveClock};
pub use table_store::{EnsureOutcome, NewTable, StoredTable, TableStore, TableStoreError};
