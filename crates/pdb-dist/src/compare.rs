//! Proving a table on several machines: it is swept again, and each process compares its rows.

use std::sync::Arc;
use std::time::Instant;

use command::Failure;
use pdb_gen::VerifyError;
use pdb_table::{Encoding, TableFile, hex};
use puzzle::TableId;
use serde::{Deserialize, Serialize};

use crate::cluster::Cluster;
use crate::job::Job;
use crate::net::Net;
use crate::report::print_line;
use crate::work::{Done, sweep};

/// What a process has found.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct ProofWord {
    /// The first of its entries that is wrong.
    wrong: Option<u64>,
    /// What the bit of that entry should be.
    bit: bool,
}

/// Proves the table's file, which each process reads from the tables directory.
pub(crate) fn compare(
    net: &mut Net<'_>,
    cluster: &Arc<Cluster>,
    job: &Job,
    id: TableId,
    is_last: bool,
) -> Result<(), Failure> {
    let start = Instant::now();
    let path = job.directory.file(id, Encoding::OneBit, false);
    let name = path.display();
    let table = TableFile::open(&path).map_err(Failure::table)?;
    let header = table.header().clone();
    let wrong = |error: VerifyError| Failure::table(format!("{name}: {error}"));
    let damaged = |error| wrong(VerifyError::Table(error));
    table.check_id(id).map_err(damaged)?;
    if header.encoding != Encoding::OneBit {
        let encoding = header.encoding;
        return Err(Failure::input(format!(
            "{name}: {encoding} values: only tables of one bit an entry are proved in parts, use \
             pdb-gen verify"
        )));
    }
    let entries = id.entries();
    table.expect_entries(entries).map_err(damaged)?;
    let sums = net.gather(&hex(&header.payload_sha256))?;
    if let Some(other) = sums.iter().position(|sum| *sum != sums[cluster.me]) {
        return Err(Failure::input(format!(
            "{name} is not the file of {}: let all processes have the same tables directory",
            cluster.name(other)
        )));
    }
    let Done {
        sweep, histogram, ..
    } = sweep(net, cluster, job, id, None)?;
    let mut word = ProofWord::default();
    // An error only ends the comparison early.
    let _ = sweep.each_row(|at, row| {
        let found = table.payload().get(at as usize..at as usize + row.len());
        let found = found.unwrap_or_default();
        if found == row {
            return Ok(());
        }
        let differs = |(index, right): (usize, &u8)| {
            let bits = right ^ found.get(index).copied().unwrap_or(!right);
            (bits != 0).then(|| (index as u64, *right, bits.trailing_zeros()))
        };
        if let Some((index, right, bit)) = row.iter().enumerate().find_map(differs) {
            word.wrong = Some((at + index) * 8 + u64::from(bit));
            word.bit = right >> bit & 1 != 0;
        }
        Err(())
    });
    let said = net.gather(&word)?;
    let first = said.iter().filter(|word| word.wrong.is_some());
    if let Some(ProofWord {
        wrong: Some(entry),
        bit,
    }) = first.min_by_key(|word| word.wrong)
    {
        let bit = u8::from(*bit);
        return Err(Failure::table(format!(
            "{name}: entry {entry} is wrong: its bit should be {bit}"
        )));
    }
    if histogram != header.histogram {
        return Err(wrong(VerifyError::Histogram));
    }
    // The sum is one process's work.
    if cluster.me == 0 {
        table.check_payload().map_err(damaged)?;
    }
    net.gather(&())?;
    if is_last {
        cluster.finish();
    }
    if cluster.me == 0 {
        let (entries, seconds) = (header.entries, start.elapsed().as_secs_f64());
        if job.json {
            print_line(serde_json::json!({
                "table": id.name(), "file": name.to_string(), "proved": true, "entries": entries,
                "seconds": seconds,
            }));
        } else if !job.quiet {
            print_line(format_args!(
                "{name}: proved, {entries} entries, {seconds:.2} s"
            ));
        }
    }
    Ok(())
}
