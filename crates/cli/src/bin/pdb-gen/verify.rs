//! `pdb-gen verify`: proves a table file.

use std::path::Path;
use std::time::Instant;

use cli::{BuildBar, Failure, SharedArgs, print_line};
use pdb_gen::VerifyError;
use pdb_table::TableFile;
use serde_json::json;

use crate::table_files::describe;

/// Proves a file, or reports what is wrong with it.
pub(crate) fn verify(shared: &SharedArgs, path: &Path) -> Result<(), Failure> {
    let start = Instant::now();
    let table = TableFile::open(path).map_err(Failure::table)?;
    let bar = BuildBar::new(&table.id().name(), shared.quiet || shared.json);
    let proof = pdb_gen::verify(&table, &bar.control());
    drop(bar);
    let name = path.display();
    proof.map_err(|error| match error {
        VerifyError::Cancelled => Failure::interrupted(format!("{name}: interrupted, not proved")),
        error => Failure::table(format!("{name}: {error}")),
    })?;
    let (entries, seconds) = (table.header().entries, start.elapsed().as_secs_f64());
    if shared.json {
        let mut object = describe(path, table.header());
        object["proved"] = json!(true);
        object["seconds"] = json!(seconds);
        print_line(object);
    } else if !shared.quiet {
        print_line(format_args!(
            "{name}: proved, {entries} entries, {seconds:.2} s"
        ));
    }
    Ok(())
}
