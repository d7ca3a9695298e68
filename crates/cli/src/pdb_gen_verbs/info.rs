//! `pdb-gen info`: prints the header of a table file.

use std::path::Path;

use command::{Failure, SharedArgs, print_line};
use pdb_gen::size;
use pdb_table::{TableFile, hex};

use crate::table_files::{describe, refused, signs};

pub(crate) fn info(shared: &SharedArgs, path: &Path) -> Result<(), Failure> {
    let table = TableFile::open(path).map_err(refused)?;
    let header = table.header();
    if shared.json {
        print_line(describe(path, header));
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
