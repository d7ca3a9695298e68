//! Numbers in words, and words in tables.

/// A number of things, such as `1 move` and `2 moves`.
#[must_use]
pub fn counted(count: u64, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{ending}")
}

/// By how much a length exceeds a bound, in percent of the bound, such as `3.1 %`; `None` where
/// that says nothing.
#[must_use]
pub fn percent_over(length: u32, bound: u32) -> Option<String> {
    let excess = f64::from(length.checked_sub(bound)?);
    (bound > 0).then(|| format!("{:.1} %", 100.0 * excess / f64::from(bound)))
}

/// A field of CSV, in quotes where it needs them.
#[must_use]
pub fn csv_field(field: &str) -> String {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}
