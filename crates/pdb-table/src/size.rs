//! Sizes in bytes and checksums as text.

/// A number of bytes as text, in the largest unit in which the number is at least 1.
#[must_use]
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let power = (bytes.max(1).ilog2() / 10).min(5) as usize;
    match power {
        0 => format!("{bytes} B"),
        _ => format!(
            "{:.2} {}",
            bytes as f64 / 1024_f64.powi(power as i32),
            UNITS[power]
        ),
    }
}

/// Bytes in hexadecimal, lower case.
///
/// ```
/// assert_eq!(pdb_table::hex(&[0x0f, 0xa0]), "0fa0");
/// ```
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_in_the_largest_unit() {
        for (bytes, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.00 KiB"),
            (1536, "1.50 KiB"),
            (5 << 20, "5.00 MiB"),
            (u64::MAX, "16384.00 PiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
