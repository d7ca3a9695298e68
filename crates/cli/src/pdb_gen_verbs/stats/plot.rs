//! The plot of `pdb-gen stats`: what is drawn, and its words.

use ::plot::PALETTE;
use ::plot::distribution::{Curve, PatternCell, svg};
use command::Failure;
use command::words::counted;
use indicatif::HumanCount;
use pdb_table::{LevelStats, Stats};
use puzzle::{TableId, TableKind};

use super::table_stats::TableStats;

/// Maximum number of tables in one plot: each table has its own colour.
const MAX_TABLES: usize = PALETTE.len();

/// The plot of one or more tables, as SVG.
pub(super) fn of_tables(tables: &[TableStats]) -> Result<String, Failure> {
    if tables.len() > MAX_TABLES {
        return Err(Failure::input(format!(
            "{} tables are too many for one plot: name at most {MAX_TABLES} files",
            tables.len()
        )));
    }
    let name = |id: TableId| format!("{} {}", id.tray(), kind(id));
    let first = name(tables[0].header.id);
    // If all tables have the same tray and kind, the title contains both.
    let is_uniform = tables.iter().all(|table| name(table.header.id) == first);
    let title = match (is_uniform, tables.len()) {
        (true, 1) => format!("{first} table"),
        (true, _) => format!("{first} tables"),
        (false, _) => "Pattern databases".to_owned(),
    };
    let curve = |table: &TableStats| {
        let id = table.header.id;
        let name = (!is_uniform).then(|| format!("{}, ", name(id)));
        let tiles = counted(id.tiles().len() as u64, "tile");
        let label = format!("{}{tiles}, ", name.unwrap_or_default());
        let cells = id.tray().iter().map(|cell| PatternCell {
            place: (id.tray().column(cell), id.tray().row(cell)),
            is_tile: id.tiles().contains(cell),
            is_blank: id.blank().contains(cell),
        });
        curve(&table.stats, "entries", &label, cells.collect())
    };
    let curves: Vec<Curve> = tables.iter().map(curve).collect();
    Ok(svg(&title, "entries", &curves))
}

/// The plot of the values of random states, as SVG.
pub(super) fn of_sample(title: &str, stats: &Stats) -> String {
    let curve = curve(stats, "random states", "", Vec::new());
    svg(title, "states", &[curve])
}

fn curve(stats: &Stats, things: &str, before: &str, pattern: Vec<PatternCell>) -> Curve {
    let (entries, mean, largest) = (HumanCount(stats.entries()), stats.mean(), stats.max());
    let points = |number: fn(LevelStats) -> Option<f64>| {
        let levels = stats.levels();
        let points = levels.filter_map(|level| Some((level.value as f64, number(level)?)));
        points.collect()
    };
    Curve {
        label: format!("{before}{entries} {things}, mean {mean:.2}, largest {largest}"),
        pattern,
        mean,
        shares: points(|level| Some(100.0 * level.share)),
        growth: points(|level| level.growth),
        growth2: points(|level| level.growth2),
    }
}

/// Name of a table kind in plots. Options use [`TableKind::name`].
fn kind(id: TableId) -> &'static str {
    match id.kind() {
        TableKind::FullCost => "full-cost",
        TableKind::MultiTile => "multi-tile",
        kind => kind.name(),
    }
}
