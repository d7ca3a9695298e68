//! A directory of tables, and the builds that add to it.

mod checkpoint;
mod free_memory;
mod lock;
pub(crate) mod room;
mod row_file;
mod save_clock;
pub(crate) mod table_store;

pub use free_memory::free_memory;
pub use lock::Lock;
pub use room::free_disk;
pub use save_clock::{CheckpointPolicy, SaveClock, UnfinishedFile};
pub use table_store::{Ensured, NewTable, Resume, StoredTable, TableStore, TableStoreError};
