//! `pdb-gen list`, `info`, `verify` and `clean`: the verbs on existing table files.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use command::table::aligned;
use command::words::counted;
use command::{BuildBar, Failure, SharedArgs, print_error, print_line};
use indicatif::HumanCount;
use pdb_gen::{TableStore, VerifyError, size};
use pdb_table::{Header, TableFile, hex, is_temporary};
use puzzle::{HeuristicSpec, TableId};
use serde_json::json;

use crate::pictures::Pictures;
use crate::selection::Selection;
use crate::table_files::{all_files, describe, each_file, paths_in, refused, signs};

struct TableEntry {
    path: PathBuf,
    header: Header,
    /// Length of the file in bytes.
    length: u64,
}

/// Prints one line per table. Before these lines it prints pictures of the requested partitions,
/// and after them a line about the files of unfinished builds in the tables directory. Continues
/// after a bad file, and returns the highest exit code.
pub(crate) fn list(selection: &Selection, files: &[PathBuf]) -> Result<u8, Failure> {
    let shared = &selection.shared;
    let is_whole_directory = files.is_empty() && !selection.is_given();
    let mut tables = Vec::new();
    let exit = each_file(selection, files, |_, path| {
        tables.push(TableEntry {
            path: path.to_owned(),
            header: TableFile::read_header(path).map_err(refused)?,
            length: fs::metadata(path).map_or(0, |metadata| metadata.len()),
        });
        Ok(())
    });
    tables.sort_by(|a, b| (a.header.id, &a.path).cmp(&(b.header.id, &b.path)));
    if shared.json {
        for table in &tables {
            print_line(describe(&table.path, &table.header, json!({})));
        }
        return exit;
    }
    let is_named = files.is_empty() && selection.names_tables();
    let has_pictures = is_named && !shared.quiet && exit.is_ok();
    let pictures = has_pictures.then(|| Pictures::new(selection)).transpose()?;
    pictures.iter().for_each(Pictures::print);
    if files.is_empty() && !shared.quiet && !tables.is_empty() {
        print_line(format_args!("in {}:", shared.directory()?.path().display()));
    }
    let rows = tables.iter().map(|table| row(table, files.is_empty()));
    let lines = aligned(&rows.collect::<Vec<_>>(), |column| {
        NUMBERS.contains(&column)
    });
    for (line, table) in lines.iter().zip(&tables) {
        let served = pictures.as_ref().map(|own| own.served(table.header.id));
        match served {
            Some(served) => print_line(format_args!("{line}  {served}")),
            None => print_line(line),
        }
    }
    if has_pictures && selection.pattern.tiles.is_none() {
        other_goals(selection)?.iter().for_each(print_line);
    }
    if is_whole_directory && !shared.quiet {
        if let Some(line) = left_behind(shared.directory()?.path()) {
            print_line(line);
        }
    }
    exit
}

/// A line that states for how many of the goals of [`HeuristicSpec::other_goals`] all tables exist.
/// Searches from both sides need these tables. `None` if [`HeuristicSpec::other_goals`] is empty.
fn other_goals(selection: &Selection) -> Result<Option<String>, Failure> {
    let store = selection.store()?;
    let others = selection.spec()?.other_goals();
    let is_there = |other: &&HeuristicSpec| other.tables().into_iter().all(|id| store.has(id));
    let (there, all) = (others.iter().filter(is_there).count(), others.len());
    let line =
        format!("other goal cells of the blank, for searches from both sides: {there} of {all}");
    let more = match there < all {
        true => "; --both-sides builds the others",
        false => "",
    };
    Ok((all > 0).then(|| line + more))
}

/// The columns of a table's line: tray, kind, encoding, entries, length of the file, largest value,
/// pattern, file.
fn row(table: &TableEntry, is_in_directory: bool) -> Vec<String> {
    let (header, id) = (&table.header, table.header.id);
    let name = table.path.file_name().filter(|_| is_in_directory);
    let name = name.unwrap_or(table.path.as_os_str());
    vec![
        id.tray().to_string(),
        id.kind().to_string(),
        header.encoding.to_string(),
        format!("{} entries", HumanCount(header.entries)),
        size(table.length),
        format!("h up to {}", header.histogram.max()),
        pattern(id),
        name.to_string_lossy().into_owned(),
    ]
}

/// A drawing of a pattern on one line: the rows of the tray, separated by slashes.
fn pattern(id: TableId) -> String {
    let row = |row| signs(id, row).collect::<String>();
    let rows: Vec<String> = (0..id.tray().height()).map(row).collect();
    rows.join("/")
}

/// Indexes of the columns with numbers, which are aligned to the right.
const NUMBERS: [usize; 2] = [3, 4];

/// Names and sizes of files in a directory that belong to unfinished or running builds.
fn left_behind(directory: &Path) -> Option<String> {
    let is_of_build = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        is_temporary(name) || TableStore::is_companion(name)
    };
    let mut files: Vec<PathBuf> = paths_in(directory).ok()?.filter(is_of_build).collect();
    files.sort();
    let named = files.iter().filter_map(|file| {
        let name = file.file_name()?.to_string_lossy();
        let length = fs::metadata(file).map_or(0, |metadata| metadata.len());
        Some(format!("{name} ({})", size(length)))
    });
    let named: Vec<String> = named.collect();
    (!named.is_empty()).then(|| format!("of unfinished builds: {}", named.join(", ")))
}

/// Prints the header of a table file, and its histogram.
pub(crate) fn info(shared: &SharedArgs, path: &Path) -> Result<(), Failure> {
    let table = TableFile::open(path).map_err(refused)?;
    let header = table.header();
    if shared.json {
        print_line(describe(path, header, json!({})));
        return Ok(());
    }
    let id = header.id;
    let (tray, kind, encoding) = (id.tray(), id.kind(), header.encoding);
    print_line(path.display());
    print_line(format_args!("  {tray} {kind} table, {encoding}"));
    for row in 0..tray.height() {
        let signs: Vec<&str> = signs(id, row).collect();
        print_line(format_args!("    {}", signs.join(" ")));
    }
    let blank = match kind.has_blank() {
        true => "the blank's goal cell",
        false => "where the blank may end",
    };
    print_line(format_args!(
        "    (a: the pattern's tiles at home, .: {blank})"
    ));
    let (entries, reached) = (header.entries, header.reached());
    print_line(format_args!("  {entries} entries, {reached} reached"));
    let (length, sum) = (size(header.payload_length()), hex(&header.payload_sha256));
    print_line(format_args!("  payload {length}, sha256 {sum}"));
    print_line("  entries by value:");
    for (value, count) in header.histogram.counts().iter().enumerate() {
        print_line(format_args!("    {value:>3} {count:>14}"));
    }
    Ok(())
}

/// Proves the values of a table file.
pub(crate) fn verify(shared: &SharedArgs, path: &Path) -> Result<(), Failure> {
    let start = Instant::now();
    let table = TableFile::open(path).map_err(refused)?;
    let bar = BuildBar::new(&table.id().name(), shared.quiet || shared.json);
    let proof = pdb_gen::verify(&table, &bar.control());
    bar.clear();
    let name = path.display();
    proof.map_err(|error| match error {
        VerifyError::Cancelled => Failure::interrupted(format!("{name}: interrupted, not proved")),
        error => Failure::table(format!("{name}: {error}")),
    })?;
    let (entries, seconds) = (table.header().entries, start.elapsed().as_secs_f64());
    let done = json!({ "proved": true, "seconds": seconds });
    shared.report(
        describe(path, table.header(), done),
        format_args!("{name}: proved, {entries} entries, {seconds:.2} s"),
    );
    Ok(())
}

/// Removes the selected table files, or with `!is_confirmed` prints which files would be removed.
pub(crate) fn clean(selection: &Selection, is_confirmed: bool) -> Result<(), Failure> {
    let shared = &selection.shared;
    let mut bytes = 0;
    let files = all_files(selection)?;
    for path in &files {
        if selection.is_given() && !selection.names_tables() {
            // The header decides whether --size and --kind select the file.
            TableFile::read_header(path).map_err(refused)?;
        }
        let failed = |error| Failure::table(format!("{}: {error}", path.display()));
        let length = fs::metadata(path).map_err(failed)?.len();
        if is_confirmed {
            fs::remove_file(path).map_err(failed)?;
        }
        bytes += length;
        let (path, length) = (path.display(), size(length));
        match shared.json {
            true => print_line(json!({ "file": path.to_string(), "removed": is_confirmed })),
            false if is_confirmed => shared.report("", format_args!("removed {path}, {length}")),
            false => print_line(format_args!("would remove {path}, {length}")),
        }
    }
    if files.is_empty() {
        let directory = shared.directory()?;
        let directory = directory.path().display();
        return Err(Failure::table(format!("no such tables in {directory}")));
    }
    if !is_confirmed && !shared.quiet {
        let (files, bytes) = (counted(files.len() as u64, "file"), size(bytes));
        print_error(format_args!("pdb-gen: --yes removes {files}, {bytes}"));
    }
    Ok(())
}
