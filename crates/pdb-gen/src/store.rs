//! A directory of tables, and builds into it.

mod build_job;
mod checkpoint;
mod error;
mod free_memory;
mod lock;
pub(crate) mod room;
mod row_file;
mod save_clock;
mod table_store;
mod unfinished_file;

pub use build_job::Resume;
pub use error::TableStoreError;
pub use free_memory::free_memory;
pub use lock::Lock;
pub use room::free_disk;
pub use save_clock::{CheckpointPolicy, SaveClock};
pub use table_store::{EnsureOutcome, NewTable, StoredTable, TableStore};
pub use unfinished_file::UnfinishedFile;
