//! Measurements of patterns: means of their values, and values on a sample.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pdb_gen::build;
use pdb_table::{Control, Encoding};
use puzzle::{CellSet, Pattern, Ranking, Symmetry, TableId, TableKind, Tray, factorial};
use rayon::current_num_threads;
use rayon::prelude::*;
use solver::{PatternGeometry, PatternLookup, PatternState, PatternTable};

use super::partitions::subsets;
use super::report::{Need, Stage, TuneError};
use super::sample::Sample;
use super::tuning::TuneControl;

/// The values of a pattern on the sample, and the mean of its values over all states.
pub(crate) struct PatternValues {
    pub(crate) mean: f64,
    /// Whether the mean is over the whole table rather than the sample.
    pub(crate) is_exact: bool,
    pub(crate) values: Box<[u8]>,
}

/// Patterns measured so far. Tables are built one after another and dropped; only the mean value
/// and the values on the sample are kept.
pub(crate) struct Measurements<'a> {
    pub(crate) sample: &'a Sample,
    kind: TableKind,
    max_memory: Option<u64>,
    control: &'a TuneControl<'a>,
    layouts: HashMap<usize, Arc<TableLayout>>,
    measured: HashMap<CellSet, PatternValues>,
    /// Lower bounds of the values of unmeasured patterns.
    bounds: HashMap<CellSet, Box<[u8]>>,
    /// Number of tables built.
    pub(crate) tables: usize,
}

/// Whether tables with this number of tiles are built one at a time, each on all threads.
pub(crate) fn is_large(tray: Tray, tiles: usize) -> bool {
    const LARGEST_AT_ONCE: u64 = 1 << 26;
    swept_entries(tray, tiles) > LARGEST_AT_ONCE
}

impl<'a> Measurements<'a> {
    pub(crate) fn new(
        sample: &'a Sample,
        kind: TableKind,
        max_memory: Option<u64>,
        control: &'a TuneControl<'a>,
    ) -> Self {
        Measurements {
            sample,
            kind,
            max_memory,
            control,
            layouts: HashMap::new(),
            measured: HashMap::new(),
            bounds: HashMap::new(),
            tables: 0,
        }
    }

    /// A lookup of a pattern in its table. The table is built unless `tables` contains it.
    pub(crate) fn lookup(
        &mut self,
        tiles: CellSet,
        tables: &mut HashMap<TableId, PatternTable>,
    ) -> Result<PatternLookup, TuneError> {
        let (id, symmetry) = self.table_of(tiles)?;
        let table = match tables.entry(id) {
            Entry::Occupied(table) => table.into_mut(),
            Entry::Vacant(free) => {
                let layout = self.layout(tiles.len())?;
                free.insert(build_table(id, &layout, self.control)?)
            }
        };
        Ok(PatternLookup::new(table, symmetry))
    }

    fn table_of(&self, tiles: CellSet) -> Result<(TableId, Symmetry), TuneError> {
        let pattern = Pattern::new(self.sample.tray, tiles, self.sample.goal_blank)?;
        Ok(pattern.table(self.kind))
    }

    fn layout(&mut self, tiles: usize) -> Result<Arc<TableLayout>, TuneError> {
        let layout = match self.layouts.entry(tiles) {
            Entry::Occupied(layout) => layout.into_mut(),
            Entry::Vacant(free) => {
                let layout = TableLayout::new(self.sample.tray, tiles, self.kind)?;
                free.insert(Arc::new(layout))
            }
        };
        Ok(Arc::clone(layout))
    }

    /// The tables needed to measure these patterns, each with the patterns that share it.
    fn tables_of(&self, patterns: &[CellSet]) -> Result<TableJobs, TuneError> {
        let mut jobs: TableJobs = BTreeMap::new();
        for &tiles in patterns {
            if !self.measured.contains_key(&tiles) {
                let (id, symmetry) = self.table_of(tiles)?;
                jobs.entry(id).or_default().insert(tiles, symmetry);
            }
        }
        Ok(jobs)
    }

    /// Number of entries that table builds must sweep to measure these patterns.
    pub(crate) fn cost(&self, patterns: &[CellSet]) -> Result<u64, TuneError> {
        let mut by_size: HashMap<usize, u64> = HashMap::new();
        let mut cost = 0;
        for id in self.tables_of(patterns)?.keys() {
            let size = id.tiles().len();
            let entries = by_size.entry(size);
            cost += *entries.or_insert_with(|| swept_entries(id.tray(), size));
        }
        Ok(cost)
    }

    /// Measures those of `patterns` that are not measured yet.
    pub(crate) fn measure(&mut self, patterns: &[CellSet], stage: Stage) -> Result<(), TuneError> {
        let jobs = self.tables_of(patterns)?;
        if jobs.is_empty() {
            return Ok(());
        }
        let largest = |is_wanted: &dyn Fn(usize) -> bool| {
            let sizes = jobs.keys().map(|id| id.tiles().len());
            sizes.filter(|&size| is_wanted(size)).max()
        };
        let (tray, kind) = (self.sample.tray, self.kind);
        let is_asked = self.max_memory.is_some();
        let building = |tiles: Option<usize>| match tiles.filter(|_| is_asked) {
            Some(tiles) => Need::of(tray, kind, tiles).map(|need| need.building),
            None => Ok(0),
        };
        let values = jobs.values().map(BTreeMap::len).sum();
        let free = self.ask(values, building(largest(&|_| true))?)?;
        // A thread that waits until other threads finish parts of its table may begin another
        // table. Each thread may therefore build two tables at the same time.
        let at_once =
            2 * current_num_threads() as u64 * building(largest(&|size| !is_large(tray, size)))?;
        let is_tight = at_once > free;
        let mut work = Vec::new();
        for (id, patterns) in &jobs {
            work.push((*id, patterns, self.layout(id.tiles().len())?));
        }
        let done = AtomicU64::new(0);
        let total = work.len() as u64;
        let (sample, control) = (self.sample, self.control);
        let run = |(id, patterns, layout): &(TableId, &Images, Arc<TableLayout>)| {
            // Checks for cancellation first, because the build checks only after its row graph is
            // complete.
            control.check()?;
            let found = measure_table(*id, patterns, layout, sample, control);
            control.report(stage, done.fetch_add(1, Ordering::Relaxed) + 1, total);
            found
        };
        let (small, large): (Vec<_>, Vec<_>) = work
            .into_iter()
            .partition(|(id, ..)| !is_tight && !is_large(id.tray(), id.tiles().len()));
        for found in each(&small, run) {
            self.measured.extend(found?);
        }
        for item in &large {
            self.measured.extend(run(item)?);
        }
        self.tables += jobs.len();
        Ok(())
    }

    /// Checks the memory for a table of `table` bytes, and for the values of `more` patterns in
    /// addition to the measured ones. Returns the number of bytes left for tables.
    fn ask(&self, more: usize, table: u64) -> Result<u64, TuneError> {
        let Some(free) = self.max_memory else {
            return Ok(u64::MAX);
        };
        let patterns = self.measured.len() + self.bounds.len() + more;
        let values =
            (patterns * self.sample.len() + self.sample.len() * self.sample.tray.cells()) as u64;
        let needed = values + table;
        if needed <= free {
            return Ok(free - values);
        }
        Err(TuneError::Memory {
            what: format!("the sample's values of {patterns} patterns, together with a table,"),
            needed,
            free,
            way_out: "choose fewer states or smaller parts".to_owned(),
        })
    }

    /// The measurements of a pattern; `None` if the pattern is not measured yet.
    pub(crate) fn measured(&self, tiles: CellSet) -> Option<&PatternValues> {
        self.measured.get(&tiles)
    }

    /// A pattern's values on the sample or, if the pattern is not measured, lower bounds of these
    /// values.
    pub(crate) fn values(&self, tiles: CellSet) -> &[u8] {
        let measured = self.measured.get(&tiles).map(|measured| &measured.values);
        measured
            .or_else(|| self.bounds.get(&tiles))
            .map_or(&[], |values| values)
    }

    /// Computes lower bounds of the values of patterns from the values of their subsets. All
    /// subsets of up to `size` tiles must have been measured. The value of a pattern is at least
    /// the sum of the values of two disjoint parts.
    pub(crate) fn bound(&mut self, patterns: &[CellSet], size: usize) -> Result<(), TuneError> {
        let mut missing: Vec<CellSet> = patterns.to_vec();
        missing.sort_unstable();
        missing.dedup();
        missing.retain(|tiles| self.values(*tiles).is_empty());
        self.ask(missing.len(), 0)?;
        let length = self.sample.len();
        let bound = |tiles: &CellSet| {
            let (mut best, mut sum) = (vec![0; length], vec![0; length]);
            for part in subsets(*tiles, size.min(tiles.len() - 1)) {
                sum.fill(0);
                self.add(part, size, &mut sum);
                self.add(tiles.difference(part), size, &mut sum);
                for (best, sum) in best.iter_mut().zip(&sum) {
                    *best = (*best).max(*sum);
                }
            }
            Box::from(best)
        };
        let found = each(&missing, bound);
        self.bounds.extend(missing.into_iter().zip(found));
        Ok(())
    }

    /// Drops all bounds.
    pub(crate) fn forget_bounds(&mut self) {
        self.bounds.clear();
    }

    /// Adds a pattern's values to `sums`. Splits a pattern of more than `size` tiles into subsets
    /// of up to `size` tiles, and adds the values of all subsets.
    fn add(&self, tiles: CellSet, size: usize, sums: &mut [u8]) {
        let stretch: CellSet = tiles.iter().take(size).collect();
        for (sum, h) in sums.iter_mut().zip(self.values(stretch)) {
            *sum += h;
        }
        if tiles.len() > size {
            self.add(tiles.difference(stretch), size, sums);
        }
    }

    /// The values of the parts of each view.
    pub(crate) fn view_values<'b>(&'b self, views: &[Vec<CellSet>]) -> Vec<Vec<&'b [u8]>> {
        let parts = |view: &Vec<CellSet>| view.iter().map(|&part| self.values(part)).collect();
        views.iter().map(parts).collect()
    }
}

/// Applies a function to each item, on all cores, and keeps the order.
pub(super) fn each<T: Sync, R: Send>(items: &[T], act: impl Fn(&T) -> R + Sync) -> Vec<R> {
    // An item takes a long time, so each item is a separate task: no item waits while a core is
    // idle.
    items.par_iter().with_max_len(1).map(&act).collect()
}

/// Patterns that share a table, each with the symmetry that maps it to the table's pattern.
type Images = BTreeMap<CellSet, Symmetry>;
type TableJobs = BTreeMap<TableId, Images>;

fn measure_table(
    id: TableId,
    patterns: &Images,
    layout: &TableLayout,
    sample: &Sample,
    control: &TuneControl<'_>,
) -> Result<Vec<(CellSet, PatternValues)>, TuneError> {
    let table = build_table(id, layout, control)?;
    let exact = mean(&table, layout);
    let mut found = Vec::new();
    for (&tiles, &symmetry) in patterns {
        let lookup = PatternLookup::new(&table, symmetry);
        let values = sample.places().map(|place| {
            let blank = place[sample.goal_blank.index()];
            let state = lookup.root_at(|tile| place[tile.index()], blank);
            state.map(PatternState::value)
        });
        let values: Option<Box<[u8]>> = values.collect();
        let values = values.ok_or_else(|| TuneError::Damaged(id.name()))?;
        let sum: u64 = values.iter().map(|&h| u64::from(h)).sum();
        let measured = PatternValues {
            mean: exact.unwrap_or(sum as f64 / values.len() as f64),
            is_exact: exact.is_some(),
            values,
        };
        found.push((tiles, measured));
    }
    Ok(found)
}

/// Shared layout of tables with the same number of tiles.
struct TableLayout {
    geometry: PatternGeometry,
    /// For each row, the number of cells of the blank's region. The number of states of an entry is
    /// proportional to this number of cells.
    weights: Box<[u8]>,
}

impl TableLayout {
    fn new(tray: Tray, tiles: usize, kind: TableKind) -> Result<Self, TuneError> {
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
fn build_table(
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
fn mean(table: &PatternTable, layout: &TableLayout) -> Option<f64> {
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
