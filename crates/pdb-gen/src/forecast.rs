//! What building a table will take, told before anything is built.

use pdb_table::{Encoding, HEADER_LENGTH};
use puzzle::{Kind, Ranking, TableId, binomial, factorial};

/// Entries of a table. O(shapes) time, no memory.
#[must_use]
pub fn count_entries(id: TableId) -> u64 {
    let rows = Ranking::count_rows(id.tray, id.tiles.len(), id.kind);
    rows * u64::from(factorial(id.tiles.len()))
}

/// Length of a table's file. O(shapes) time, no memory.
#[must_use]
pub fn file_length(id: TableId, encoding: Encoding) -> u64 {
    HEADER_LENGTH as u64 + encoding.payload_length(count_entries(id))
}

/// Rows that a sweep for this table goes through. O(shapes).
fn swept_rows(id: TableId) -> u64 {
    let kind = match id.kind {
        Kind::BlankCompressed => Kind::ZeroAware,
        kind => kind,
    };
    Ranking::count_rows(id.tray, id.tiles.len(), kind)
}

/// Bytes that building the table takes: two bits an entry of the rows swept, what is kept of them, and the row
/// graph. O(shapes) time, no memory.
#[must_use]
pub fn estimate_memory(id: TableId, encoding: Encoding) -> u64 {
    /// Ranking, edges and the sweep's state, measured on large trays.
    const GRAPH_BYTES_PER_ROW: u64 = 160;
    let rows = swept_rows(id);
    let row_bytes = u64::from(factorial(id.tiles.len())).div_ceil(64) * 8;
    let shapes = binomial(id.tray.cells(), id.tiles.len());
    let kept = match (id.kind, encoding) {
        (Kind::BlankCompressed, _) => shapes * u64::from(factorial(id.tiles.len())),
        (_, Encoding::OneBit) => rows * row_bytes,
        (_, Encoding::U8) => rows * row_bytes * 8,
    };
    rows * (2 * row_bytes + GRAPH_BYTES_PER_ROW) + kept
}

/// Seconds that building the table is likely to take on `threads` cores of a current machine, from above. O(shapes).
#[must_use]
pub fn estimate_seconds(id: TableId, threads: usize) -> f64 {
    /// Measured on the machine of docs/results.md with one thread, and almost doubled.
    const SECONDS_PER_ENTRY: f64 = 10e-9;
    let entries = swept_rows(id) as f64 * f64::from(factorial(id.tiles.len()));
    entries * SECONDS_PER_ENTRY / threads.max(1) as f64
}
