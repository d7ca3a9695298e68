//! The histogram of values as text and CSV.

use pdb_table::{LevelStats, Stats};

/// The histogram: column names, then one line per value in ascending order.
pub(super) fn level_lines(stats: &Stats) -> String {
    let mut text = "    value          count    share   growth  over two\n".to_owned();
    for level in stats.levels().skip_while(|level| level.count == 0) {
        let three = |growth: Option<f64>| growth.map_or(String::new(), |g| format!("{g:.3}"));
        let (growth, growth2) = (three(level.growth), three(level.growth2));
        let line = format!(
            "    {:>5} {:>14} {:>7.3}% {growth:>8} {growth2:>9}",
            level.value,
            level.count,
            100.0 * level.share
        );
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// CSV lines without a header line. Each line consists of `prefix`, value, count, share, growth and
/// growth2.
pub(super) fn csv_lines(stats: &Stats, prefix: &str) -> String {
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let line = |level: LevelStats| {
        let (growth, growth2) = (number(level.growth), number(level.growth2));
        let (value, count, share) = (level.value, level.count, level.share);
        format!("{prefix}{value},{count},{share},{growth},{growth2}\n")
    };
    stats.levels().map(line).collect()
}
