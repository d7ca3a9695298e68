//! Hexadecimal text of checksums.

/// Bytes in hexadecimal, lower case.
///
/// ```
/// assert_eq!(pdb_table::hex(&[0x0f, 0xa0]), "0fa0");
/// ```
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
