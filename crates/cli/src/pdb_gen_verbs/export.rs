//! `pdb-gen export`: writes one table in a format for other programs.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use command::{Failure, SharedArgs, StandardOutput, interrupted, is_standard_output, print_error};
use pdb_gen::{Resume, TableStore, free_disk, size};
use pdb_table::{AtomicFile, Encoding, Export, ExportError, ExportFormat, TableFile};
use puzzle::{Cell, Goal, HeuristicSpec, TableId, TableKind};
use serde_json::json;

use crate::build::ensure_table;
use crate::selection::Selection;

#[derive(clap::Args, Debug)]
pub(crate) struct ExportArguments {
    /// Format of the file: dense (blank-compressed tables only), ranked, npy or csv. docs/export.md
    /// defines the formats
    #[arg(long)]
    format: ExportFormat,
    /// File to write, or - for standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn export(selection: &Selection, arguments: &ExportArguments) -> Result<(), Failure> {
    let shared = &selection.shared;
    let goal = shared.goal(None)?;
    let (tiles, kind) = tiles_and_kind(selection, &goal)?;
    let export = Export::new(arguments.format, kind, goal.clone(), tiles);
    let export = export.map_err(|error| Failure::input(format!("{error}{}", way_out(&error))))?;
    if !matches!(selection.encoding, None | Some(Encoding::U8)) {
        let message = "export needs tables of u8 values: leave out --encoding one-bit";
        return Err(Failure::input(message));
    }
    // The output is created before the table is built, so that an unwritable output fails
    // immediately.
    let mut out = Out::create(&arguments.out, arguments.format)?;
    if let Out::File(_) = out {
        check_disk(&export, &arguments.out)?;
    }
    let table = open_table(shared, &selection.store()?, export.id())?;
    let path = arguments.out.display();
    let bytes = write(&export, &table, &mut out).map_err(|error| match (interrupted(), &out) {
        (false, _) => Failure::table(format!("{path}: {error}")),
        (true, Out::File(_)) => {
            Failure::interrupted(format!("interrupted: {path} was not written"))
        }
        (true, Out::Standard(_)) => Failure::interrupted("interrupted: the output is not complete"),
    })?;
    let is_file = matches!(out, Out::File(_));
    if let Out::File(file) = out {
        file.finish().map_err(Failure::table)?;
    }
    let cells: Vec<usize> = export.tiles().iter().map(|cell| cell.index()).collect();
    let mut object = json!({
        "file": path.to_string(),
        "format": export.format().name(),
        "bytes": bytes,
        "tray": goal.tray().to_string(),
        "goal": goal.blank().index(),
        "tiles": cells,
        "kind": kind.name(),
    });
    if matches!(export.format(), ExportFormat::Dense | ExportFormat::Npy) {
        object["shape"] = json!(export.axes());
    }
    let (format, size) = (export.format(), size(bytes));
    let line = format!("wrote {path}: {format}, {size}");
    match is_file {
        true => shared.report(object, line),
        // Standard output contains the export, so the report is printed on standard error.
        false if shared.json => print_error(object),
        false if !shared.quiet => print_error(format_args!("pdb-gen: {line}")),
        false => {}
    }
    Ok(())
}

/// The end of an error message. It names the option that makes the export possible.
fn way_out(error: &ExportError) -> &'static str {
    match error {
        ExportError::Blank(_) => ": add --kind blank-compressed, or use --format npy",
        ExportError::Bytes { .. } => ": use --format ranked, which has one byte per entry",
        ExportError::Lines { .. } => ": use --format npy or ranked",
        _ => "",
    }
}

/// The tiles of the requested pattern, in the order of `--tiles`, and the kind of the pattern's
/// table.
fn tiles_and_kind(selection: &Selection, goal: &Goal) -> Result<(Vec<Cell>, TableKind), Failure> {
    let shared = &selection.shared;
    if let Some((tiles, _)) = selection.pattern.get(goal)? {
        return Ok((tiles, shared.kind()));
    }
    // Only a requested partition is exported, never the default partition.
    let spec = shared.partition.as_ref().map(|_| shared.spec(goal));
    let spec = spec.transpose()?;
    let patterns: Vec<_> = spec.iter().flat_map(HeuristicSpec::patterns).collect();
    match patterns[..] {
        [(pattern, kind)] => Ok((pattern.tiles().iter().collect(), kind)),
        _ => Err(Failure::input(
            "export writes one table: name its tiles, such as --tiles 1,2,5,6",
        )),
    }
}

/// Rejects a file that exceeds the free disk space. If the free space is unknown, a full disk makes
/// the write fail.
fn check_disk(export: &Export, out: &Path) -> Result<(), Failure> {
    let directory = AtomicFile::directory(out);
    let free = free_disk(directory).unwrap_or(u64::MAX);
    match export.length() {
        Some(length) if length > free => Err(Failure::input(format!(
            "not enough disk space: {} needs {}, {} are free",
            out.display(),
            size(length),
            size(free)
        ))),
        _ => Ok(()),
    }
}

/// The uncompressed table, from an existing file that may be compressed. A missing table is built
/// and stored.
fn open_table(shared: &SharedArgs, store: &TableStore, id: TableId) -> Result<TableFile, Failure> {
    let store = TableStore {
        encoding: Some(Encoding::U8),
        // After Ctrl-C, repeating the command resumes the build.
        resume: Resume::IfSound,
        ..store.clone()
    };
    let open = |path: &Path| store.directory.open(id, Encoding::U8, path);
    for compressed in [false, true] {
        if let Ok(table) = open(&store.directory.file(id, Encoding::U8, compressed)) {
            store.clear_locks(id);
            return Ok(table);
        }
    }
    let (table, _) = ensure_table(shared, &store, id, false)?;
    open(&table.path).map_err(Failure::table)
}

/// Destination of an export.
enum Out {
    File(AtomicFile),
    Standard(StandardOutput),
}

impl Out {
    fn create(path: &Path, format: ExportFormat) -> Result<Self, Failure> {
        if !is_standard_output(path) {
            return Ok(Out::File(AtomicFile::create(path).map_err(Failure::table)?));
        }
        Ok(Out::Standard(match format {
            ExportFormat::Csv => StandardOutput::for_text(),
            _ => StandardOutput::for_bytes()?,
        }))
    }
}

/// Writes the export and returns its length in bytes.
fn write(export: &Export, table: &TableFile, out: &mut Out) -> Result<u64, ExportError> {
    let to: &mut dyn Write = match out {
        Out::File(file) => file.file_mut(),
        Out::Standard(output) => output,
    };
    let mut buffer = BufWriter::with_capacity(1 << 18, Interruptible { to, written: 0 });
    export.write(table, &mut buffer)?;
    buffer.flush()?;
    Ok(buffer.get_ref().written)
}

/// A writer that fails after Ctrl-C.
struct Interruptible<W> {
    to: W,
    /// Number of bytes written so far.
    written: u64,
}

impl<W: Write> Write for Interruptible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if interrupted() {
            // The error kind is not `Interrupted`, because writers try again after errors of that
            // kind.
            return Err(io::Error::other("interrupted"));
        }
        let count = self.to.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
