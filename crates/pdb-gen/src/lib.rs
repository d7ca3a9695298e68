//! Building pattern databases for sliding-tile puzzles, and proving them right.
//!
//! | step | module |
//! | --- | --- |
//! | which rows a table has, and how moves lead from row to row | `row_graph`, `scatter` |
//! | what one level does to some rows, in both metrics | `kernel`, `recorder` |
//! | the loop over levels: single moves, moves of several tiles | `sweep`, `multi_sweep` |
//! | memory and threads | `buffers`, `zeroed_pages`, `parallel` |
//! | from a table's identity to its bytes, and its proof | [`build()`], [`verify()`] |
//! | a directory of tables, locks, checkpoints | [`TableStore`], `row_file`, `disk_room`, `lock`, `checkpoint` |
//! | a sweep divided among processes, without their network | [`Deal`], [`PartSweep`], `part_graph`, `row_code` |
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

#![forbid(unsafe_code)]

mod buffers;
mod build;
#[cfg(feature = "file")]
mod calibration;
#[cfg(feature = "file")]
mod checkpoint;
mod deal;
#[cfg(feature = "file")]
mod disk_room;
mod event;
mod forecast;
#[cfg(feature = "file")]
mod free_memory;
mod kernel;
#[cfg(feature = "file")]
mod lock;
mod multi_sweep;
mod parallel;
mod part_graph;
mod part_sweep;
mod payload;
mod recorder;
mod row_code;
mod row_graph;
#[cfg(feature = "file")]
mod save_clock;
mod scatter;
mod state_saver;
mod sweep;
mod too_large;
mod verify;
mod zeroed_pages;

#[cfg(feature = "file")]
mod row_file;
#[cfg(feature = "file")]
mod table_store;

pub use build::{BuildError, Built, build};
pub use deal::Deal;
#[cfg(feature = "file")]
pub use disk_room::free_disk;
pub use event::{BuildEvent, LevelReport};
pub use forecast::{Calibration, Forecast, estimate_memory, estimate_seconds, max_tiles};
#[cfg(feature = "file")]
pub use free_memory::free_memory;
#[cfg(feature = "file")]
pub use lock::Lock;
pub use parallel::RayonExecutor;
pub use part_sweep::{BlockError, PartError, PartSweep, Sent};
pub use pdb_table::size;
#[cfg(feature = "file")]
pub use save_clock::{CheckpointPolicy, SaveClock, UnfinishedFile};
pub use state_saver::CheckpointError;
#[cfg(feature = "file")]
pub use table_store::{Ensured, NewTable, Resume, StoredTable, TableStore, TableStoreError};
pub use too_large::TooLarge;
pub use verify::{Truth, VerifyError, verify};
