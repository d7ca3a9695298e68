//! Builds pattern databases for sliding-tile puzzles and proves their values.
//!
//! | task | module |
//! | --- | --- |
//! | breadth-first search over the rows of a table | `sweep` |
//! | building one table, and proving one | [`build()`], [`verify()`] |
//! | directory of tables, locks, checkpoints | [`TableStore`] |
//! | sweep divided among processes, without the network | [`ShapePartition`], [`PartSweep`] |
//! | forecast of memory and time | [`Forecast`], [`Calibration`] |
//!
//! ```
//! use pdb_gen::build;
//! use pdb_table::{Control, Encoding};
//! use puzzle::{Goal, HeuristicSpec};
//!
//! let goal = Goal::blank_last("3x3".parse()?);
//! let spec = HeuristicSpec::parse("5-3", &goal)?;
//! let mut max = 0;
//! for id in spec.tables() {
//!     let table = build(id, Encoding::OneBit, &Control::default())?.into_table();
//!     pdb_gen::verify(&table, &Control::default())?;
//!     max += table.header().histogram.max();
//! }
//! assert!(max <= 31);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Builds and checks take a [`Control`](pdb_table::Control): it receives [`BuildEvent`]s and can
//! cancel the work.
//!
//! Features, both enabled by default: `parallel` (all cores, in rayon's current pool) and `file`
//! (the tables directory). Without them the crate needs no threads, file system or C compiler.

// Module layers. Each imports only from those above it:
//
// - `event`, `parallel`: progress events, and threads;
// - `sweep`: breadth-first search over the rows of a table;
// - `build`, `forecast`, `parts`: a build in memory, its forecast, and a sweep in several parts;
// - `verify`: the proof of a table;
// - `store`: a directory of tables, and builds into it;
// - `calibration`: speed of this machine.
#![forbid(unsafe_code)]

mod build;
#[cfg(feature = "file")]
mod calibration;
mod event;
mod forecast;
mod parallel;
mod parts;
#[cfg(feature = "file")]
mod store;
mod sweep;
mod verify;

pub use build::{BuildError, Built, build};
pub use event::{BuildEvent, LevelReport};
pub use forecast::{Calibration, Forecast, TooLarge, estimate_memory, estimate_seconds, max_tiles};
pub use parallel::RayonExecutor;
pub use parts::{BlockError, PartError, PartSweep, Sent, ShapePartition};
pub use pdb_table::size;
#[cfg(feature = "file")]
pub use store::{
    CheckpointPolicy, ChecksumReader, ChecksumStream, ChecksumWriter, EnsureOutcome, Lock,
    NewTable, Resume, SaveClock, StoredTable, TableStore, TableStoreError, UnfinishedFile,
    free_disk, free_memory, is_damage,
};
pub use sweep::sweep_state::CheckpointError;
pub use verify::{Truth, VerifyError, verify};
