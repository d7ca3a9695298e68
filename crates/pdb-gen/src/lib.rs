//! Building pattern databases for sliding-tile puzzles, and proving them right.
//!
//! The data's way is the reading order: the row graph says which rows a table has and how moves lead from row to
//! row, the sweep finds the distance of every entry, row by row and level by level, [`build`] encodes them into a
//! [`Built`] table that can be written or used where it is, and [`verify`] proves a table that came from elsewhere.
//!
//! ```
//! use pdb_gen::build;
//! use pdb_table::Encoding;
//! use puzzle::{Goal, Kind, Plan};
//!
//! let goal = Goal::blank_last("3x3".parse()?);
//! let plan = Plan::parse("5-3", &goal, Kind::ZeroAware, |_| None)?;
//! let mut most = 0;
//! for (pattern, kind) in plan.patterns() {
//!     let (id, _) = pattern.table(kind);
//!     let table = build(id, Encoding::OneBit, &mut ())?.into_table();
//!     pdb_gen::verify(&table, &mut ())?;
//!     most += table.header().values.max();
//! }
//! assert!(most <= 31);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Features: `parallel` (all cores, by rayon's current pool), `file` (the tables directory), `pack` (packed tables and
//! their manifest), `cli` (what commands share) and `plot` (the command itself), on by default. Without them the crate
//! needs no threads, no file system and no C compiler.

mod build;
#[cfg(feature = "file")]
mod checkpoint;
mod export;
mod forecast;
mod join;
mod keeper;
#[cfg(feature = "file")]
mod lock;
mod recorder;
mod rows;
mod runs;
mod scatter;
#[cfg(feature = "file")]
mod speed;
mod stats;
mod store;
mod sweep;
pub mod tune;
mod verify;

#[cfg(feature = "cli")]
pub mod command;
#[cfg(feature = "pack")]
pub mod ship;
#[cfg(feature = "file")]
mod stock;

pub use build::{BuildError, Built, build};
#[cfg(feature = "file")]
pub use checkpoint::Saving;
pub use export::{Export, ExportError, ExportFormat};
pub use forecast::{Forecast, Speed, estimate_memory, estimate_seconds, most_tiles};
pub use stats::{LevelStats, Stats};
#[cfg(feature = "file")]
pub use stock::{Outcome, Resume, Stock, StockError, TableHead, free_disk, size};
pub use sweep::{Level, Progress};
pub use verify::{VerifyError, verify};
