//! Proves a table file on several machines. The processes sweep the table again. Each process then
//! compares the rows that it has swept with the same rows in the file.

use std::time::Instant;

use command::Failure;
use pdb_gen::VerifyError;
use pdb_table::{Encoding, TableFile, hex};
use puzzle::TableId;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::job::{Peer, TableSweep};
use crate::levels::sweep_all;
use crate::report::TableResult;

/// Result of one process.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct ProofWord {
    /// The first wrong entry of the process's rows.
    wrong: Option<u64>,
    /// The correct bit of that entry.
    bit: bool,
}

/// Proves the table file, which each process reads from its tables directory.
pub(crate) fn verify(peer: &mut Peer<'_>, id: TableId) -> Result<TableResult, Failure> {
    let start = Instant::now();
    let cluster = peer.cluster;
    let path = peer.job.directory.file(id, Encoding::OneBit, false);
    let name = path.display();
    let table = TableFile::open(&path).map_err(Failure::table)?;
    let header = table.header().clone();
    let wrong = |error: VerifyError| Failure::table(format!("{name}: {error}"));
    let damaged = |error| wrong(VerifyError::Table(error));
    table.check_id(id).map_err(damaged)?;
    if header.encoding != Encoding::OneBit {
        let encoding = header.encoding;
        return Err(Failure::input(format!(
            "{name}: cannot prove {encoding} tables in parts, only one-bit tables: use pdb-gen \
             verify"
        )));
    }
    table.expect_entries(id.entries()).map_err(damaged)?;
    let sums = peer.net.gather(&hex(&header.payload_sha256))?;
    if let Some(other) = sums.iter().position(|sum| *sum != sums[cluster.me]) {
        return Err(Failure::input(format!(
            "{name} differs from the file of {}: use the same tables directory for all processes",
            cluster.name(other)
        )));
    }
    let sweep = sweep_all(peer, id, None)?;
    let all = peer.net.gather(&compare(&sweep, table.payload()))?;
    let all = all
        .into_iter()
        .filter_map(|word| Some((word.wrong?, word.bit)));
    if let Some((entry, bit)) = all.min() {
        let bit = u8::from(bit);
        return Err(Failure::table(format!(
            "{name}: entry {entry} is wrong: its bit should be {bit}"
        )));
    }
    if sweep.histogram != header.histogram {
        return Err(wrong(VerifyError::Histogram));
    }
    // Process 0 alone checks the checksum.
    if cluster.me == 0 {
        table.check_payload().map_err(damaged)?;
    }
    peer.net.gather(&())?;
    let (entries, seconds) = (header.entries, start.elapsed().as_secs_f64());
    let object = json!({
        "table": id.name(), "file": name.to_string(), "proved": true, "entries": entries,
        "seconds": seconds,
    });
    let line = format!("{name}: proved, {entries} entries, {seconds:.2} s");
    Ok(TableResult { object, line })
}

/// Compares the part's rows with a table's payload.
fn compare(sweep: &TableSweep, payload: &[u8]) -> ProofWord {
    let mut word = ProofWord::default();
    // The closure returns an error only to end the comparison at the first difference.
    let _ = sweep.part.each_row(|at, row| {
        let found = &payload[at as usize..][..row.len()];
        if found == row {
            return Ok(());
        }
        let mut pairs = row.iter().zip(found);
        let index = pairs.position(|(right, found)| right != found);
        let index = index.unwrap_or_default();
        let bit = (row[index] ^ found[index]).trailing_zeros();
        word.wrong = Some((at + index as u64) * 8 + u64::from(bit));
        word.bit = row[index] >> bit & 1 != 0;
        Err(())
    });
    word
}
