//! `pdb-gen verify`: proves the values of a table file.

use std::path::Path;
use std::time::Instant;

use command::{BuildBar, Failure, SharedArgs};
use pdb_gen::VerifyError;
use pdb_table::TableFile;
use serde_json::json;

use crate::table_files::{describe_with, refused};

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
        describe_with(path, table.header(), done),
        format_args!("{name}: proved, {entries} entries, {seconds:.2} s"),
    );
    Ok(())
}
