//! Operations on whole tables, without Python: build, open, write, pack, decode, verify.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use pdb_gen::{RayonExecutor, TooLarge, VerifyError, build, free_memory, verify};
use pdb_table::bundle::Bundle;
use pdb_table::{
    AtomicFile, Encoding, Header, PackMethod, TableError, TableFile, TableReader, decode_one_bit,
    pack_memory, size,
};
use puzzle::TableId;
use pyo3::prelude::*;
use session::{Cancel, Code, Control, Failure};
use solver::{BuildEvent, SharedTable, number_of_threads};

use crate::error::CallError;
use crate::job::{Job, PyCancel, Work, on_threads};

/// Compression level of files, as for `pdb-gen --compress`.
pub(crate) const ZSTD_LEVEL: i32 = 9;

/// Rejects work that would run out of memory.
fn check_memory(what: &str, verb: &str, needed: u64) -> Result<(), CallError> {
    match free_memory().filter(|&free| needed > free) {
        None => Ok(()),
        Some(free) => {
            let (needed, free) = (size(needed), size(free));
            let message = format!(
                "{what} needs about {needed} of memory to {verb}, {free} are free: choose smaller \
                 parts, or free some memory"
            );
            Err(CallError::new(Code::Memory, message))
        }
    }
}

/// Builds a table in memory, if it fits.
pub(crate) fn build_table(
    id: TableId,
    encoding: Encoding,
    control: &Control<BuildEvent>,
) -> Result<SharedTable, CallError> {
    TooLarge::check(id, encoding, free_memory())?;
    let built = build(id, encoding, control)?;
    Ok(built.into_table().shared())
}

/// Reads a table from the bytes of a table file or of a packed table. All checksums are checked.
pub(crate) fn table_of_bytes<'a>(
    bytes: impl Into<Cow<'a, [u8]>>,
    cancel: &Cancel,
) -> Result<SharedTable, CallError> {
    Ok(TableReader::new(bytes)?.read(free_memory(), &RayonExecutor, cancel)?)
}

/// Opens a table file, and optionally checks every checksum.
pub(crate) fn open_table(
    path: &Path,
    is_checked: bool,
    cancel: &Cancel,
) -> Result<SharedTable, CallError> {
    let table = TableFile::open(path)?;
    let refused = |error: TableError| CallError::table(format!("{}: {error}", path.display()));
    table.check_entries().map_err(refused)?;
    if is_checked {
        table.check_payload_unless(cancel).map_err(refused)?;
        // The table is rejected if its check was cancelled, because it may be damaged.
        if cancel.is_cancelled() {
            return Err(Failure::cancelled().into());
        }
    }
    Ok(table.shared())
}

/// Writes bytes, until the call is cancelled.
pub(crate) fn in_pieces(file: &mut dyn Write, bytes: &[u8], cancel: &Cancel) -> io::Result<()> {
    /// Number of bytes between two checks of the cancellation token.
    const PIECE: usize = 1 << 20;
    for piece in bytes.chunks(PIECE) {
        if cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        file.write_all(piece)?;
    }
    Ok(())
}

/// Writes a file atomically; writes nothing if the call is cancelled meanwhile.
pub(crate) fn write_file(path: &Path, bytes: &[u8], cancel: &Cancel) -> Result<(), CallError> {
    let mut whole = AtomicFile::create(path)?;
    let file = whole.file_mut();
    let written = in_pieces(file, bytes, cancel).and_then(|()| file.sync_all());
    if cancel.is_cancelled() {
        return Err(Failure::cancelled().into());
    }
    written.map_err(|error| CallError::system(path, error))?;
    Ok(whole.finish()?)
}

/// Rejects a table that is too large to pack.
pub(crate) fn check_pack_memory(
    table: &SharedTable,
    fixed: Option<usize>,
    threads: usize,
) -> Result<(), CallError> {
    let header = table.header();
    let fixed = fixed.map(|fixed| fixed.min(PackMethod::max_fixed(header.id.tiles().len())));
    let needed = pack_memory(header, fixed, number_of_threads(threads));
    check_memory(&header.id.name(), "pack", needed)
}

/// The same table with one byte per entry.
pub(crate) fn decode(table: &SharedTable, cancel: &Cancel) -> Result<SharedTable, CallError> {
    let (id, header) = (table.id(), table.header());
    check_memory(&id.name(), "decode", 2 * header.entries)?;
    if header.encoding == Encoding::OneBit {
        return Ok(decode_one_bit(table, cancel)?.shared());
    }
    // Entries modulo 3 do not determine the values. The table is therefore built again, and each
    // new value is compared with the old entry.
    let control = Control::stopped_by(cancel);
    let built = build(id, Encoding::U8, &control)?.into_table();
    for (entry, &value) in (0..).zip(built.payload()) {
        if !table.entry_matches(entry, (value != u8::MAX).then_some(value)) {
            return Err(CallError::table(format!(
                "{}: entry {entry} is wrong",
                id.name()
            )));
        }
    }
    Ok(built.shared())
}

/// Proves tables one after the other, each on all threads.
pub(crate) fn verify_tables(
    tables: Vec<SharedTable>,
    threads: usize,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Job> {
    let total = tables.iter().map(|table| table.header().entries).sum();
    let work = move |work: &Work| {
        on_threads(threads, || {
            let mut before = 0;
            for table in &tables {
                let proved = verify(table, &work.entries("verify", before, total));
                proved.map_err(|error| match error {
                    VerifyError::Cancelled => error.into(),
                    error => CallError::table(format_args!("{}: {error}", table.id().name())),
                })?;
                before += table.header().entries;
                work.reach("verify", before, total, None);
            }
            Ok(())
        })
    };
    Job::start(cancel, work, |py, ()| Ok(py.None()))
}

/// Unpacks all tables of a bundle into memory.
pub(crate) fn unpack_all(bundle: &Bundle, work: &Work) -> Result<Vec<SharedTable>, CallError> {
    let entries = bundle
        .manifest()
        .map(|own| own.tables.iter().map(|own| own.table.entries).sum());
    let (total, finished) = (entries.unwrap_or(0), AtomicU64::new(0));
    let done = |header: &Header| {
        let before = finished.fetch_add(header.entries, Ordering::Relaxed);
        work.reach("unpack", before + header.entries, total, None);
    };
    Ok(bundle.unpack_all(free_memory(), &RayonExecutor, &work.cancel, done)?)
}
