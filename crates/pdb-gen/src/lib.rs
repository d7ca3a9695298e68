//! Building pattern databases for sliding-tile puzzles, and proving them right.
//!
//! The data's way is the reading order: the row graph says which rows a table has and how moves lead from row to
//! row, the sweep finds the distance of every entry, row by row and level by level, [`build`] encodes them into a
//! [`Built`] table that can be written or used where it is, and [`verify`] proves a table that came from elsewhere.
//!
//! ```
//! use pdb_gen::build;
//! use pdb_table::{Control, Encoding};
//! use puzzle::{Goal, TableKind, HeuristicSpec};
//!
//! let goal = Goal::blank_last("3x3".parse()?);
//! let plan = HeuristicSpec::parse("5-3", &goal)?;
//! let mut most = 0;
//! for (pattern, kind) in plan.patterns() {
//!     let (id, _) = pattern.table(kind);
//!     let table = build(id, Encoding::OneBit, &Control::default())?.into_table();
//!     pdb_gen::verify(&table, &Control::default())?;
//!     most += table.header().histogram.max();
//! }
//! assert!(most <= 31);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Features: `parallel` (all cores, by rayon's current pool), `file` (the tables directory), `pack` (packed tables and
//! their manifest), `cli` (what commands share) and `plot` (the command itself), on by default. Without them the crate
//! needs no threads, no file system and no C compiler.

mod buffers;
mod build;
#[cfg(feature = "file")]
mod calibration;
#[cfg(feature = "file")]
mod checkpoint;
mod event;
mod forecast;
mod kernel;
#[cfg(feature = "file")]
mod lock;
mod multi_sweep;
mod parallel;
mod recorder;
mod row_graph;
mod scatter;
mod state_saver;
mod sweep;
mod verify;
mod zeroed_pages;

#[cfg(feature = "file")]
mod table_store;

pub use build::{BuildError, Built, build};
#[cfg(feature = "file")]
pub use checkpoint::CheckpointPolicy;
pub use event::{BuildEvent, LevelReport};
pub use forecast::{Calibration, Forecast, estimate_memory, estimate_seconds, max_tiles};
pub use parallel::RayonExecutor;
pub use state_saver::CheckpointError;
#[cfg(feature = "file")]
pub use table_store::{Ensured, Resume, StoredTable, TableStore, TableStoreError, free_disk, size};
pub use verify::{Truth, VerifyError, verify};
