//! `pdb-gen export`: writes tables in a format for other programs.

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use command::{Failure, SharedArgs, end_of_output, interrupted, is_standard_output, print_error};
use pdb_gen::{Resume, TableStore, size};
use pdb_table::{AtomicFile, Encoding, Export, ExportError, ExportFormat, TableFile};
use puzzle::{Cell, Goal, HeuristicSpec, TableId, TableKind};
use serde_json::json;

use crate::build::ensure_table;
use crate::selection::Selection;
use crate::table_files::check_disk;

#[derive(clap::Args, Debug)]
pub(crate) struct ExportArguments {
    /// Format of the file: dense (blank-compressed tables only), ranked, npy or csv. docs/export.md
    /// defines the formats
    #[arg(long)]
    format: ExportFormat,
    /// File to write, or - for standard output; for a partition of several tables, a directory
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
}

pub(crate) fn export(selection: &Selection, arguments: &ExportArguments) -> Result<(), Failure> {
    let goal = selection.shared.goal(None)?;
    let (out, format) = (&arguments.out, arguments.format);
    let exports = tiles_and_kinds(selection, &goal)?.into_iter();
    let exports = exports.map(|(tiles, kind)| Export::new(format, kind, goal.clone(), tiles));
    let exports: Result<Vec<Export>, ExportError> = exports.collect();
    let exports = exports.map_err(|error| Failure::input(format!("{error}{}", way_out(&error))))?;
    if !matches!(selection.encoding, None | Some(Encoding::U8)) {
        let message = "export needs tables of u8 values: leave out --encoding one-bit";
        return Err(Failure::input(message));
    }
    if let [export] = &exports[..] {
        return export_table(selection, &goal, export, out);
    }
    if is_standard_output(out) {
        let message = "the partition has several tables: give a directory with --out DIR";
        return Err(Failure::input(message));
    }
    let cannot = |error| Failure::table(format!("{}: {error}", out.display()));
    std::fs::create_dir_all(out).map_err(cannot)?;
    for export in exports {
        let numbers = export.tiles().iter();
        let numbers = numbers.map(|&cell| goal.number_at(cell).to_string());
        let name = format!("{}.{format}", numbers.collect::<Vec<_>>().join("-"));
        export_table(selection, &goal, &export, &out.join(name))?;
    }
    Ok(())
}

/// Exports one table to a file, or to standard output.
fn export_table(
    selection: &Selection,
    goal: &Goal,
    export: &Export,
    path: &Path,
) -> Result<(), Failure> {
    let shared = &selection.shared;
    // The output is created before the table is built, so that an unwritable output fails
    // immediately.
    let mut file = create(path, export.format())?;
    if file.is_some() {
        check_disk(AtomicFile::directory(path), export.length().unwrap_or(0))?;
    }
    let table = open_table(shared, &selection.store()?, export.id())?;
    let path = path.display();
    let written = write(export, &table, file.as_mut());
    let bytes = written.map_err(|error| match (error, &file) {
        (_, Some(_)) if interrupted() => {
            Failure::interrupted(format!("interrupted: {path} was not written"))
        }
        (_, None) if interrupted() => {
            Failure::interrupted("interrupted: the output is not complete")
        }
        (ExportError::Io(error), None) => end_of_output(&error),
        (error, _) => Failure::table(format!("{path}: {error}")),
    })?;
    let is_file = file.is_some();
    if let Some(file) = file {
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
        "kind": export.id().kind().name(),
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

/// The tiles of the requested pattern, in the order of `--tiles`, or of each pattern of the
/// partition, and the kinds of the tables.
fn tiles_and_kinds(
    selection: &Selection,
    goal: &Goal,
) -> Result<Vec<(Vec<Cell>, TableKind)>, Failure> {
    let shared = &selection.shared;
    if let Some((tiles, _)) = selection.pattern.get(goal)? {
        return Ok(vec![(tiles, shared.kind())]);
    }
    // Only a requested partition is exported, never the default partition.
    let spec = shared.partition.as_ref().map(|_| shared.spec(goal));
    let spec = spec.transpose()?;
    let patterns = spec.iter().flat_map(HeuristicSpec::patterns);
    let patterns = patterns.map(|(pattern, kind)| (pattern.tiles().iter().collect(), kind));
    let patterns: Vec<_> = patterns.collect();
    match patterns.is_empty() {
        false => Ok(patterns),
        true => Err(Failure::input(
            "name the tables to export: --partition 6-6-3, or --tiles 1,2,5,6",
        )),
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
    let (table, _) = ensure_table(shared, &store, (id, &id.name()), false)?;
    open(&table.path).map_err(Failure::table)
}

/// The file of an export; `None` for standard output.
fn create(path: &Path, format: ExportFormat) -> Result<Option<AtomicFile>, Failure> {
    if !is_standard_output(path) {
        return Ok(Some(AtomicFile::create(path).map_err(Failure::table)?));
    }
    match format != ExportFormat::Csv && io::stdout().is_terminal() {
        true => Err(Failure::input(
            "a terminal cannot show binary data: give --out FILE, or redirect it with | or >",
        )),
        false => Ok(None),
    }
}

/// Writes the export and returns its length in bytes.
fn write(
    export: &Export,
    table: &TableFile,
    file: Option<&mut AtomicFile>,
) -> Result<u64, ExportError> {
    let mut standard = io::stdout();
    let to: &mut dyn Write = match file {
        Some(file) => file.file_mut(),
        None => &mut standard,
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
