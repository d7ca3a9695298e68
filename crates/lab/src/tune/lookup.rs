//! Tables in memory for lookups. Tables with the same number of tiles share one layout.

use pdb_gen::build;
use pdb_table::{Control, Encoding};
use puzzle::{CellSet, Ranking, TableId, TableKind, Tray, factorial};
use solver::{PatternGeometry, PatternTable};

use super::report::TuneError;
use super::tuning::TuneControl;

/// Shared layout of tables with the same number of tiles.
pub(crate) struct TableLayout {
    geometry: PatternGeometry,
    /// For each row, the number of cells of the blank's region. The number of states of an entry is
    /// proportional to this number of cells.
    weights: Box<[u8]>,
}

impl TableLayout {
    pub(crate) fn new(tray: Tray, tiles: usize, kind: TableKind) -> Result<Self, TuneError> {
        let geometry = PatternGeometry::new(tray, tiles, kind)?;
        let ranking = geometry.ranking();
        let mut weights = vec![0_u8; ranking.rows()];
        for (index, &shape) in ranking.shapes().iter().enumerate() {
            for cell in CellSet::all(tray).difference(shape).iter() {
                weights[ranking.row(index, cell)] += 1;
            }
        }
        Ok(TableLayout {
            weights: weights.into(),
            geometry,
        })
    }
}

/// Maximum number of entries of tables with one byte per entry; larger tables have one bit per
/// entry.
const LARGEST_IN_BYTES: u64 = 1 << 28;

/// Cost of building a table: the number of entries that the build sweeps. Takes O(shapes) time.
pub(crate) fn swept_entries(tray: Tray, tiles: usize) -> u64 {
    Ranking::count_rows(tray, tiles, TableKind::ZeroAware) * u64::from(factorial(tiles))
}

/// Encoding of a table with this number of entries.
pub(crate) fn encoding_of(kind: TableKind, entries: u64) -> Encoding {
    match entries <= LARGEST_IN_BYTES || !Encoding::OneBit.suits(kind) {
        true => Encoding::U8,
        false => Encoding::OneBit,
    }
}

/// Builds a table.
pub(crate) fn build_table(
    id: TableId,
    layout: &TableLayout,
    control: &TuneControl<'_>,
) -> Result<PatternTable, TuneError> {
    let encoding = encoding_of(id.kind(), layout.geometry.ranking().entries());
    let control = Control::stopped_by(&control.caller.cancel);
    let table = build(id, encoding, &control)?.into_table();
    Ok(PatternTable::new(table, &layout.geometry)?)
}

/// The mean of a table's values over all states. Each entry is weighted by the number of cells of
/// its region. `None` for tables of one bit per entry. Takes O(entries) time.
pub(crate) fn mean(table: &PatternTable, layout: &TableLayout) -> Option<f64> {
    let table = table.table();
    if table.header().encoding != Encoding::U8 {
        return None;
    }
    let rows = table
        .payload()
        .chunks(layout.geometry.ranking().row_entries());
    let (mut sum, mut states) = (0_u64, 0_u64);
    for (row, &weight) in rows.zip(&layout.weights) {
        let reached = row.iter().filter(|&&h| h < u8::MAX);
        let count = reached.clone().count() as u64;
        let total: u64 = reached.map(|&h| u64::from(h)).sum();
        sum += u64::from(weight) * total;
        states += u64::from(weight) * count;
    }
    Some(sum as f64 / states as f64)
}
