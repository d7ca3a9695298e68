//! Tables as text, Markdown and CSV, and their numbers.

use clap::ValueEnum;
use command::words::aligned;

/// Format of a table.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableFormat {
    Text,
    Markdown,
    Csv,
}

/// Columns and rows of a table as text.
pub(crate) struct TextTable {
    pub(crate) columns: Vec<String>,
    /// Number of leading columns that contain words.
    pub(crate) words: usize,
    pub(crate) rows: Vec<Vec<String>>,
}

impl TextTable {
    /// The table with aligned columns.
    pub(crate) fn text(&self) -> String {
        let rows = [std::slice::from_ref(&self.columns), &self.rows].concat();
        let lines = aligned(&rows, |column| column >= self.words);
        lines.into_iter().map(|line| line + "\n").collect()
    }

    /// The table in Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut rules = vec!["---".to_owned(); self.columns.len()];
        rules[self.words..].fill("---:".to_owned());
        let head = [self.columns.clone(), rules];
        let rows = head.iter().chain(&self.rows);
        let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
        rows.map(line).collect()
    }
}

/// Formats a number with at most this number of decimals: `12`, `0.5`.
pub(crate) fn plain(number: f64, digits: usize) -> String {
    let digits = format!("{number:.digits$}");
    digits
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// Formats a number with commas between groups of three digits: `1,234,567.8`.
pub(crate) fn grouped(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = String::new();
    for (index, digit) in whole.char_indices() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out + fraction
}

/// [`grouped`], without decimals from 1,000 on.
#[cfg(feature = "full")]
pub(crate) fn brief(number: f64, digits: usize) -> String {
    grouped(number, if number >= 1000.0 { 0 } else { digits })
}
