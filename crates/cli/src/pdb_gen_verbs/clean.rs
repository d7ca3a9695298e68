//! `pdb-gen clean`: removes table files.

use std::fs;

use command::words::counted;
use command::{Failure, print_error, print_line};
use pdb_gen::size;
use pdb_table::TableFile;
use serde_json::json;

use crate::selection::Selection;
use crate::table_files::{all_files, refused};

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
