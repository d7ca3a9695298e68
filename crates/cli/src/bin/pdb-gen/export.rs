//! `pdb-gen export`: one table as other programs read it.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use cli::{Failure, SharedArgs, interrupted, print_line};
use pdb_gen::{Resume, TableStore};
use pdb_table::{AtomicFile, Encoding, Export, ExportError, ExportFormat, TableFile};
use puzzle::{Cell, Goal, HeuristicSpec, TableId, TableKind};
use serde_json::json;

use crate::build::ensure_table;
use crate::selection::{Selection, one_pattern};

#[derive(clap::Args)]
pub(crate) struct ExportArguments {
    /// dense (blank-compressed only), ranked, npy or csv: docs/export.md
    #[arg(long)]
    format: ExportFormat,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Exports the table of one pattern.
pub(crate) fn export(
    shared: &SharedArgs,
    choice: &Selection,
    arguments: &ExportArguments,
) -> Result<(), Failure> {
    let goal = shared.goal(None)?;
    let (tiles, kind) = tiles_and_kind(shared, choice, &goal)?;
    let export = Export::new(arguments.format, kind, goal.clone(), tiles);
    let export = export.map_err(|error| Failure::input(format!("{error}{}", way_out(&error))))?;
    if choice
        .encoding
        .is_some_and(|encoding| encoding != Encoding::U8)
    {
        return Err(Failure::input(
            "export takes tables of u8 values: leave out --encoding one-bit",
        ));
    }
    // Before the table is built, so that a place that cannot be written is known at once.
    let mut out = AtomicFile::create(&arguments.out).map_err(Failure::table)?;
    check_disk(&export, &arguments.out)?;
    let table = open_table(shared, &choice.stock(shared)?, export.id())?;
    let path = arguments.out.display();
    let bytes = write(&export, &table, &mut out).map_err(|error| match interrupted() {
        true => Failure::interrupted(format!("interrupted: {path} was not written")),
        false => Failure::table(format!("{path}: {error}")),
    })?;
    out.finish().map_err(Failure::table)?;
    if shared.json {
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
        print_line(object);
    } else if !shared.quiet {
        let size = pdb_gen::size(bytes);
        print_line(format_args!("wrote {path}: {}, {size}", export.format()));
    }
    Ok(())
}

/// What to do about an export that cannot be.
fn way_out(error: &ExportError) -> &'static str {
    match error {
        ExportError::Blank(_) => ": add --kind blank-compressed, or use --format npy",
        ExportError::Bytes { .. } => ": use --format ranked, which has a byte for each entry",
        ExportError::Lines { .. } => ": use --format npy or ranked",
        _ => "",
    }
}

/// The one pattern asked for, its tiles in the order of `--tiles`, and the kind of its table.
fn tiles_and_kind(
    shared: &SharedArgs,
    choice: &Selection,
    goal: &Goal,
) -> Result<(Vec<Cell>, TableKind), Failure> {
    if let Some(list) = &choice.tiles {
        return Ok((one_pattern(list, goal)?.0, shared.kind()));
    }
    // The default partition is nobody's wish here.
    let plan = match &shared.partition {
        Some(_) => Some(shared.spec(goal).map_err(Failure::input)?),
        None => None,
    };
    let patterns: Vec<_> = plan.iter().flat_map(HeuristicSpec::patterns).collect();
    match patterns[..] {
        [(pattern, kind)] => Ok((pattern.tiles().iter().collect(), kind)),
        _ => Err(Failure::input(
            "export writes one table: name its tiles, such as --tiles 1,2,5,6",
        )),
    }
}

/// Refuses a file that does not fit the disk. Where the system does not tell, writing will.
fn check_disk(export: &Export, out: &Path) -> Result<(), Failure> {
    let directory = AtomicFile::directory(out);
    let free = pdb_gen::free_disk(directory).unwrap_or(u64::MAX);
    match export.length() {
        Some(length) if length > free => Err(Failure::input(format!(
            "{} takes {} of disk, and {} are free",
            out.display(),
            pdb_gen::size(length),
            pdb_gen::size(free)
        ))),
        _ => Ok(()),
    }
}

/// The table in bytes: a file that is there in either outer layer, else it is built and kept.
fn open_table(shared: &SharedArgs, stock: &TableStore, id: TableId) -> Result<TableFile, Failure> {
    let stock = TableStore {
        encoding: Some(Encoding::U8),
        // Asked again after Ctrl-C, it goes on.
        resume: Resume::IfSound,
        ..stock.clone()
    };
    let open = |path: &Path| stock.directory.open(id, Encoding::U8, path);
    for compressed in [false, true] {
        if let Ok(table) = open(&stock.directory.file(id, Encoding::U8, compressed)) {
            return Ok(table);
        }
    }
    let (table, _) = ensure_table(shared, &stock, id, false)?;
    open(&table.path).map_err(Failure::table)
}

/// Writes the file's bytes and gives their number.
fn write(export: &Export, table: &TableFile, out: &mut AtomicFile) -> Result<u64, ExportError> {
    let counting = Counting {
        to: out.file_mut(),
        bytes: 0,
    };
    let mut buffer = BufWriter::with_capacity(1 << 18, counting);
    export.write(table, &mut buffer)?;
    let counting = buffer
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    Ok(counting.bytes)
}

/// Counts what is written, and fails after Ctrl-C.
struct Counting<W> {
    to: W,
    bytes: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if interrupted() {
            // Not of the kind `Interrupted`, which means to try again.
            return Err(io::Error::other("interrupted"));
        }
        let written = self.to.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
