//! Building pattern databases for sliding-tile puzzles, and proving them right.
//!
//! | task | module |
//! | --- | --- |
//! | breadth-first search over the rows of a table | `sweep` |
//! | from a table's identity to its bytes, and its proof | [`build()`], [`verify()`] |
//! | a directory of tables, locks, checkpoints | [`TableStore`] |
//! | a sweep divided among processes, without their network | [`Deal`], [`PartSweep`] |
//! | memory and time before anything is built | [`Forecast`], [`Calibration`] |
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
//! Builds and checks take a [`Control`](pdb_table::Control) of [`BuildEvent`]s, which stops them
//! and listens to them.
//!
//! Features, both on by default: `parallel` (all cores, by rayon's current pool) and `file` (the
//! tables directory). Without them the crate needs no threads, no file system and no C compiler.

// The rooms, each of which imports only from those before it:
//
// - `event`, `parallel`, `payload`: reports of a build, its threads, and how rows become bytes;
// - `sweep`: breadth-first search over the rows of a table;
// - `build`, `forecast`, `parts`: a build in memory, what it needs, and a sweep in several parts;
// - `too_large`, `verify`: a build without room, and the proof of a table;
// - `store`: a directory of tables, and builds that are kept there;
// - `calibration`: the speed of this machine.
#![forbid(unsafe_code)]

mod build;
#[cfg(feature = "file")]
mod calibration;
mod event;
mod forecast;
mod parallel;
mod parts;
mod payload;
#[cfg(feature = "file")]
mod store;
mod sweep;
mod too_large;
mod verify;

pub use build::{BuildError, Built, build};
pub use event::{BuildEvent, LevelReport};
pub use forecast::{Calibration, Forecast, estimate_memory, estimate_seconds, max_tiles};
pub use parallel::RayonExecutor;
pub use parts::{BlockError, Deal, PartError, PartSweep, Sent};
pub use pdb_table::size;
#[cfg(feature = "file")]
pub use store::{
    CheckpointPolicy, EnsureOutcome, Lock, NewTable, Resume, SaveClock, StoredTable, TableStore,
    TableStoreError, UnfinishedFile, free_disk, free_memory,
};
pub use sweep::sweep_state::CheckpointError;
pub use too_large::TooLarge;
pub use verify::{Truth, VerifyError, verify};
