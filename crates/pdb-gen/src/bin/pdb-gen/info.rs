//! `pdb-gen info`: the header of a table file.

use std::path::Path;

use pdb_gen::command::{Failure, SharedArgs, say};
use pdb_table::TableFile;

use crate::files::{describe, hex};

/// Prints a file's header.
pub(crate) fn info(shared: &SharedArgs, path: &Path) -> Result<(), Failure> {
    let table = TableFile::open(path).map_err(Failure::table)?;
    let header = table.header();
    if shared.json {
        say(format_args!("{}", describe(path, header)));
        return Ok(());
    }
    let id = header.id;
    say(format_args!("{}", path.display()));
    say(format_args!(
        "  {} {} table, {}",
        id.tray, id.kind, header.encoding
    ));
    for row in 0..id.tray.height() {
        let sign = |column| {
            let cell = id.tray.cell(column, row);
            match (id.tiles.contains(cell), id.blank.contains(cell)) {
                (true, _) => 'a',
                (_, true) => '.',
                _ => '-',
            }
        };
        let signs: Vec<String> = (0..id.tray.width()).map(|c| sign(c).to_string()).collect();
        say(format_args!("    {}", signs.join(" ")));
    }
    let blank = if id.kind.has_blank() {
        "the blank's goal cell"
    } else {
        "where the blank may end"
    };
    say(format_args!(
        "    (a: the pattern's tiles at home, .: {blank})"
    ));
    say(format_args!(
        "  {} entries, {} reached",
        header.entries,
        header.reached()
    ));
    say(format_args!(
        "  payload {}, sha256 {}",
        pdb_gen::size(header.payload_length()),
        hex(&header.payload_sha256)
    ));
    say(format_args!("  entries by value:"));
    for (value, count) in header.values.histogram().iter().enumerate() {
        say(format_args!("    {value:>3} {count:>14}"));
    }
    Ok(())
}
