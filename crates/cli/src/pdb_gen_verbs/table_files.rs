//! Selection and description of table files, for the verbs that read them.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use command::words::with_fields;
use command::{BuildCommand, Failure, SharedArgs, interrupted};
use pdb_gen::{free_disk, size};
use pdb_table::bundle::MANIFEST_NAME;
use pdb_table::{
    Encoding, FileError, FileErrorKind, Header, Packed, TableDirectory, TableError, TableFile,
    open_regular,
};
use puzzle::TableId;
use serde_json::{Value, json};

use crate::selection::Selection;

/// The table files of a verb.
#[derive(clap::Args, Debug)]
pub(crate) struct FilesArguments {
    /// Table files, or names in the tables directory [default: the tables of --partition or
    /// --tiles, with --both-sides also those for searches from the goal; without these options, all
    /// tables in the tables directory that match --size, --kind, --metric and --encoding]
    pub(crate) files: Vec<PathBuf>,
}

/// Calls a function for each table file: the given files, else those of the named tables, else the
/// selected files in the tables directory. Continues after a bad file, and returns the highest exit
/// code.
pub(crate) fn each_file(
    selection: &Selection,
    files: &[PathBuf],
    mut act: impl FnMut(&SharedArgs, &Path) -> Result<(), Failure>,
) -> Result<u8, Failure> {
    let shared = &selection.shared;
    let mut worst = 0;
    let files = match (files.is_empty(), selection.is_given()) {
        (false, false) => {
            let path = |file: &PathBuf| in_directory(selection, file);
            files.iter().map(path).collect::<Result<_, _>>()?
        }
        (false, true) => {
            return Err(Failure::input(
                "name files, or choose tables by --partition, --tiles and the like, not both",
            ));
        }
        (true, _) if selection.names_tables() => {
            let (files, missing) = named_files(selection)?;
            if let Some(failure) = missing {
                failure.report("pdb-gen", shared.json);
                worst = failure.exit();
            }
            files
        }
        (true, _) => selected_files(selection)?,
    };
    for file in &files {
        if let Err(failure) = act(shared, file) {
            failure.report("pdb-gen", shared.json);
            worst = worst.max(failure.exit());
        }
        if interrupted() {
            break;
        }
    }
    Ok(worst)
}

/// A file, or the file with this name in the tables directory, whose ending may be left out.
fn in_directory(selection: &Selection, file: &Path) -> Result<PathBuf, Failure> {
    let is_name = file.components().count() == 1 && !file.exists();
    let name = file.to_string_lossy();
    let directory = selection.shared.directory()?;
    let paths = ["", ".pdb", ".pdb.zst"];
    let mut paths = paths.map(|end| directory.path().join(format!("{name}{end}")));
    let found = paths.iter_mut().find(|path| is_name && path.is_file());
    Ok(found.map_or_else(|| file.to_owned(), std::mem::take))
}

/// All files of the selected tables, of any selected encoding and form.
pub(crate) fn all_files(selection: &Selection) -> Result<Vec<PathBuf>, Failure> {
    if !selection.names_tables() {
        return selected_files(selection);
    }
    let directory = selection.shared.directory()?;
    let tables = selection.tables_to_build()?;
    let files = tables.into_iter().flat_map(|id| directory.candidates(id));
    let files = files.filter(|file| is_wanted(selection, file));
    Ok(files.map(|(_, path)| path).collect())
}

fn is_wanted(selection: &Selection, (encoding, path): &(Encoding, PathBuf)) -> bool {
    let has_encoding = selection.encoding.is_none_or(|own| own == *encoding);
    has_encoding && (selection.zstd.is_none() || is_compressed(path)) && path.exists()
}

/// The files of the named tables, and a failure that lists the missing files.
fn named_files(selection: &Selection) -> Result<(Vec<PathBuf>, Option<Failure>), Failure> {
    let directory = selection.shared.directory()?;
    let (mut files, mut missing) = (Vec::new(), Vec::new());
    for id in selection.tables()? {
        match directory
            .candidates(id)
            .find(|file| is_wanted(selection, file))
        {
            Some((_, path)) => files.push(path),
            None => missing.push(id.name()),
        }
    }
    if missing.is_empty() {
        return Ok((files, None));
    }
    let missing = Failure::table(format!(
        "not in {}: {}; build with {}",
        directory.path().display(),
        missing.join(", "),
        selection.build_command(&selection.shared.goal(None)?)
    ));
    Ok((files, Some(missing)))
}

/// The selected files in the tables directory.
fn selected_files(selection: &Selection) -> Result<Vec<PathBuf>, Failure> {
    let directory = selection.shared.directory()?;
    let mut files = table_files(&directory)?;
    if files.is_empty() {
        return Err(Failure::table(format!(
            "no table files in {}: build some with {}",
            directory.path().display(),
            selection.build_command(&selection.shared.goal(None)?)
        )));
    }
    if selection.is_given() || selection.zstd.is_some() {
        // Unreadable files are always kept, so that they are reported.
        files.retain(|path| {
            let has_form = selection.zstd.is_none() || is_compressed(path);
            let header = TableFile::read_header(path);
            has_form && header.map_or(true, |header| selection.selects(&header))
        });
    }
    match files.is_empty() {
        false => Ok(files),
        true => Err(Failure::table(format!(
            "no such tables in {}: {} shows the tables there",
            directory.path().display(),
            selection.in_directory(BuildCommand::from_words(["pdb-gen", "list"]))
        ))),
    }
}

fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "zst")
}

pub(crate) fn paths_in(directory: &Path) -> io::Result<impl Iterator<Item = PathBuf>> {
    let entries = std::fs::read_dir(directory)?;
    Ok(entries.filter_map(|entry| Some(entry.ok()?.path())))
}

fn table_files(directory: &TableDirectory) -> Result<Vec<PathBuf>, Failure> {
    let path = directory.path();
    let mut files: Vec<PathBuf> = match paths_in(path) {
        Ok(paths) => paths.collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(Failure::table(format!("{}: {error}", path.display()))),
    };
    files.retain(|file| {
        let name = file.to_string_lossy();
        name.ends_with(".pdb") || name.ends_with(".pdb.zst")
    });
    files.sort();
    Ok(files)
}

/// The failure of opening a table file. If the file contains packed tables, the message suggests
/// `pdb-gen unpack`.
pub(crate) fn refused(error: FileError) -> Failure {
    let is_unknown = matches!(error.kind, FileErrorKind::Table(TableError::NotATable));
    let form = packed_form(&error.path).filter(|_| is_unknown);
    let path = error.path.display();
    Failure::table(match form {
        Some(form) => format!("{path}: not a table but {form}; try: pdb-gen unpack {path}"),
        None if error.path.is_dir() => {
            format!("{path}: not a table but a directory; try: --tables {path}")
        }
        None => error.to_string(),
    })
}

/// Description of a file or directory that `unpack` reads; `None` if it is not packed.
fn packed_form(path: &Path) -> Option<&'static str> {
    if path.join(MANIFEST_NAME).is_file() {
        return Some("a directory of packed tables");
    }
    let mut start = Vec::new();
    let file = open_regular(path).ok()??;
    file.take(4096).read_to_end(&mut start).ok()?;
    if Packed::is_packed(&start) {
        Some("a packed table")
    } else if start.starts_with(b"{") && path.file_name()? == MANIFEST_NAME {
        Some("the manifest of packed tables")
    } else {
        None
    }
}

/// Rejects files that exceed the free disk space. If the free space is unknown, a full disk makes
/// the write fail.
pub(crate) fn check_disk(directory: &Path, needed: u64) -> Result<(), Failure> {
    match free_disk(directory).filter(|&free| needed > free) {
        None => Ok(()),
        Some(free) => Err(Failure::input(format!(
            "not enough disk space in {}: {} are needed, {} are free",
            directory.display(),
            size(needed),
            size(free)
        ))),
    }
}

/// The signs of a row of a table's tray: `a` for the goal cells of the pattern's tiles, `.` for the
/// possible final cells of the blank, `-` for all other cells.
pub(crate) fn signs(id: TableId, row: usize) -> impl Iterator<Item = &'static str> {
    let cells = (0..id.tray().width()).map(move |column| id.tray().cell(column, row));
    cells.map(
        move |cell| match (id.tiles().contains(cell), id.blank().contains(cell)) {
            (true, _) => "a",
            (_, true) => ".",
            _ => "-",
        },
    )
}

/// The header as a JSON object, with the fields of another object added.
pub(crate) fn describe(path: &Path, header: &Header, more: Value) -> Value {
    with_fields(json!(header.describe(Some(path))), more)
}
