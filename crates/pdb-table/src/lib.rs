//! Files of pattern databases: reading, checking, writing, packing and export.
//!
//! A table file is a header of one page and a payload. [`Header`] defines the header, and
//! `docs/format.md` documents it. [`Table`] provides checked access to the bytes of a whole file,
//! which can be mapped from disk or held in memory, also in a browser. Opening is O(1) and checks
//! the header's SHA-256 and the file's length; [`Table::check_payload`] checks the payload. Whether
//! the values are *correct* is verified by `pdb-gen`, the crate that builds tables.
//!
//! ```
//! use pdb_table::{Header, Table};
//! use puzzle::{Cell, CellSet, Pattern, TableKind, Tray};
//!
//! // Tile 1 of the 2x2 tray, blank on cell 0: 4 shapes of one cell, each with one region.
//! let tray = Tray::new(2, 2)?;
//! let pattern = Pattern::new(tray, CellSet::from_bits(0b0010), Cell::new(0))?;
//! let (id, _) = pattern.table(TableKind::ZeroAware);
//! let values = [1, 0, 2, 1]; // tile 1 on cell 0, 1, 2, 3
//! let header = Header::of_bytes(id, &values);
//! let table = Table::new([&header.encode()[..], &values].concat())?;
//! table.check_payload()?;
//! assert_eq!(table.value(2), Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Default features: `file` (mapping, atomic writing, the tables directory), `pack` (packed tables)
//! and `zstd` (compressed table files). Optional: `bundle` (packed tables with a manifest, headers
//! as JSON). Without any of these features, the crate needs neither a file system nor a C compiler.

mod code;
mod control;
mod descent;
mod encoding;
mod export;
mod header;
#[cfg(feature = "pack")]
mod pack;
#[cfg(feature = "pack")]
mod reader;
mod size;
mod stats;
mod table;

#[cfg(feature = "file")]
mod atomic_file;
#[cfg(feature = "bundle")]
pub mod bundle;
#[cfg(feature = "file")]
mod directory;
#[cfg(feature = "file")]
mod file;
#[cfg(any(feature = "pack", all(feature = "file", feature = "zstd")))]
mod zstd_frame;

pub use code::Code;
pub use control::{Cancel, Control, Executor, Progress, lock};
pub use descent::{Descent, EntryPosition, RowNumbers};
pub use encoding::Encoding;
pub use export::{Export, ExportError, ExportFormat};
pub use header::{
    FORMAT_VERSION, HEADER_LENGTH, Header, Histogram, LARGE_FORMAT_VERSION, TableError,
};
#[cfg(feature = "pack")]
pub use pack::{
    BYTE_FRAME_LENGTH, FrameEntry, PACK_VERSION, PackError, PackMethod, Packed, decode_one_bit,
    pack, pack_memory, unpack_memory,
};
#[cfg(feature = "pack")]
pub use reader::{ReadError, TableReader};
pub use size::{hex, size};
pub use stats::{LevelStats, Stats};
pub use table::{SharedBytes, SharedTable, Table};

#[cfg(feature = "file")]
pub use atomic_file::{AtomicFile, LockAttempt, is_temporary, try_lock};
#[cfg(feature = "file")]
pub use directory::TableDirectory;
#[cfg(feature = "file")]
pub use file::{
    Compression, FileError, FileErrorKind, TableBytes, TableFile, UncachedFile, open_regular,
    write_table,
};
