//! Descriptions of tables for hosts.

use puzzle::TableId;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use wasm_bindgen::prelude::*;

/// Level of a table's verification.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CheckLevel {
    /// The table was built here.
    Built,
    /// The table was read from bytes, and its checksums are correct.
    Sums,
    /// Every entry was proved by the puzzle's moves.
    Proved,
}

/// The progress of building or proving tables.
#[derive(Serialize)]
pub(crate) struct TableProgress {
    pub(crate) stage: &'static str,
    pub(crate) table: usize,
    pub(crate) tables: usize,
    pub(crate) done: f64,
}

/// Description of a table.
#[derive(Serialize)]
pub(crate) struct TableInfo {
    pub(crate) file: String,
    pub(crate) tiles: Vec<u16>,
    pub(crate) serves: Vec<Vec<u16>>,
    pub(crate) kind: &'static str,
    pub(crate) encoding: &'static str,
    pub(crate) entries: u64,
    pub(crate) bytes: usize,
    pub(crate) max: u8,
    pub(crate) verified: CheckLevel,
}

/// The name of a table's file.
pub(crate) fn file_name(id: TableId) -> String {
    id.name() + ".pdb"
}

/// The SHA-256 of bytes, in hexadecimal.
#[wasm_bindgen]
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    pdb_table::hex(&Sha256::digest(bytes))
}
