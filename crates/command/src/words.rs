//! Formatting of counts, percentages, CSV fields, aligned tables and JSON objects.

use serde_json::Value;

/// A count with its noun, such as `1 move` and `2 moves`.
#[must_use]
pub fn counted(count: u64, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{ending}")
}

/// The excess of a length over a bound in percent of the bound, such as `3.1 %`; `None` if the
/// bound is 0 or larger than the length.
#[must_use]
pub fn percent_over(length: u32, bound: u32) -> Option<String> {
    let excess = f64::from(length.checked_sub(bound)?);
    (bound > 0).then(|| format!("{:.1} %", 100.0 * excess / f64::from(bound)))
}

/// A CSV field, quoted if necessary.
#[must_use]
pub fn csv_field(field: &str) -> String {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

/// Lines of a table with aligned columns. Columns for which `right` returns true are right-aligned,
/// the other columns are left-aligned. All rows have the same number of cells.
#[must_use]
pub fn aligned(rows: &[Vec<String>], right: impl Fn(usize) -> bool) -> Vec<String> {
    let cells = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        rows.iter()
            .map(move |row| row[column].chars().count())
            .max()
    };
    let widths: Vec<usize> = (0..cells).filter_map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match right(column) {
            true => format!("{cell:>width$}"),
            false => format!("{cell:<width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Adds `fields` to a JSON object.
#[must_use]
pub fn with_fields(mut object: Value, fields: Value) -> Value {
    if let (Some(object), Value::Object(fields)) = (object.as_object_mut(), fields) {
        object.extend(fields);
    }
    object
}
