//! `pdb-gen info`: the header of a table file.

use std::path::Path;

use cli::{Failure, SharedArgs, print_line};
use pdb_table::{TableFile, hex};

use crate::table_files::describe;

/// Prints a file's header.
pub(crate) fn info(shared: &SharedArgs, path: &Path) -> Result<(), Failure> {
    let table = TableFile::open(path).map_err(Failure::table)?;
    let header = table.header();
    if shared.json {
        print_line(describe(path, header));
        return Ok(());
    }
    let id = header.id;
    print_line(format_args!("{}", path.display()));
    print_line(format_args!(
        "  {} {} table, {}",
        id.tray(),
        id.kind(),
        header.encoding
    ));
    for row in 0..id.tray().height() {
        let cells = (0..id.tray().width()).map(|column| id.tray().cell(column, row));
        let sign = |cell| match (id.tiles().contains(cell), id.blank().contains(cell)) {
            (true, _) => "a",
            (_, true) => ".",
            _ => "-",
        };
        let signs: Vec<&str> = cells.map(sign).collect();
        print_line(format_args!("    {}", signs.join(" ")));
    }
    let blank = match id.kind().has_blank() {
        true => "the blank's goal cell",
        false => "where the blank may end",
    };
    print_line(format_args!(
        "    (a: the pattern's tiles at home, .: {blank})"
    ));
    print_line(format_args!(
        "  {} entries, {} reached",
        header.entries,
        header.reached()
    ));
    print_line(format_args!(
        "  payload {}, sha256 {}",
        pdb_gen::size(header.payload_length()),
        hex(&header.payload_sha256)
    ));
    print_line(format_args!("  entries by value:"));
    for (value, count) in header.histogram.counts().iter().enumerate() {
        print_line(format_args!("    {value:>3} {count:>14}"));
    }
    Ok(())
}
