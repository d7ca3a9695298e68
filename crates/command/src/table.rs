//! Tables as text, Markdown and CSV, and their numbers.

use clap::ValueEnum;
use indicatif::HumanCount;

/// Format of a table.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the help of an option lists the names")]
pub enum TableFormat {
    Text,
    Markdown,
    Csv,
}

/// Columns and rows of a table as text. All rows have one cell per column.
#[derive(Clone, Debug)]
pub struct TextTable {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Number of leading columns that contain words; the others contain numbers.
    pub words: usize,
    /// The cells.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table whose column names are separated by commas.
    #[must_use]
    pub fn new(columns: &str, words: usize, rows: Vec<Vec<String>>) -> Self {
        let columns = columns.split(',').map(str::to_owned).collect();
        TextTable {
            columns,
            words,
            rows,
        }
    }

    /// The table in a format; every line ends with a line break.
    #[must_use]
    pub fn write(&self, format: TableFormat) -> String {
        let rows = [std::slice::from_ref(&self.columns), &self.rows].concat();
        let line = |line: String| line + "\n";
        match format {
            TableFormat::Text => {
                let lines = aligned(&rows, |column| column >= self.words);
                lines.into_iter().map(line).collect()
            }
            TableFormat::Markdown => {
                let mut rules = vec!["---".to_owned(); self.columns.len()];
                rules[self.words..].fill("---:".to_owned());
                let rows = [&rows[..1], &[rules], &rows[1..]].concat();
                // A column without a name has one space.
                let cells = |row: &Vec<String>| format!("| {} |", row.join(" | "));
                let lines = rows.iter().map(|row| cells(row).replace("|  |", "| |"));
                lines.map(line).collect()
            }
            TableFormat::Csv => {
                let fields = |row: &Vec<String>| {
                    let fields = row.iter().map(|field| csv_field(field));
                    fields.collect::<Vec<_>>().join(",")
                };
                rows.iter().map(fields).map(line).collect()
            }
        }
    }
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

/// Formats a number with at most this number of decimals: `12`, `0.5`.
#[must_use]
pub fn plain(number: f64, digits: usize) -> String {
    let digits = format!("{number:.digits$}");
    digits
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// Formats a number with commas between groups of three digits: `1,234,567.8`.
#[must_use]
pub fn grouped(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let whole = whole.parse().map(|whole| HumanCount(whole).to_string());
    whole.unwrap_or_default() + fraction
}

/// [`grouped`], without decimals from 1,000 on.
#[must_use]
pub fn brief(number: f64, digits: usize) -> String {
    grouped(number, if number >= 1000.0 { 0 } else { digits })
}
