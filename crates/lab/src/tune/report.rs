//! Options, result, progress and errors of a tuning, and the memory that it needs, computed before
//! anything is built.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use pdb_gen::{BuildError, estimate_memory, size};
use pdb_table::TableError;
use puzzle::{
    Cell, CellSet, Direction, PartitionPicture, Pattern, PatternError, Ranking, State, Symmetry,
    TableKind, Tray, binomial, factorial,
};

use super::measurements::encoding_of;

/// A set of partitions and its measurements.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The parts of each partition, largest first. The partitions are used with all their images.
    pub partitions: Vec<Vec<CellSet>>,
    /// For each partition alone, without its images: the mean value over all states.
    pub means: Vec<f64>,
    /// Whether the means are exact rather than taken over the sample.
    pub is_exact: bool,
    /// Mean value of the heuristic over the states of the sample. The value of a state is the
    /// maximum over the views. Sets are ranked by this mean before they are used in searches.
    pub mean: f64,
    /// Mean of b^-h over the sample, with h the maximum over the views and b the tray's branching
    /// factor. The nodes of a search are asymptotically proportional to this mean.
    pub effort: f64,
    /// Mean number of generated nodes over the start states of the searches, for each order of the
    /// blank's moves. The list is sorted by this mean, smallest first. Nodes are counted as in
    /// [`solver::SearchStats::generated`], and only reverse moves are pruned. Empty if no nodes
    /// were counted.
    pub nodes: Vec<([Direction; 4], f64)>,
    /// Whether this set is one of [`super::TuneOptions::known`].
    pub is_known: bool,
}

impl Candidate {
    /// Pictures of the partitions, with the best move order. [`puzzle::HeuristicSpecBuilder::file`]
    /// reads them.
    #[must_use]
    pub fn pictures(&self, tray: Tray, goal_blank: Cell) -> Vec<PartitionPicture> {
        let order = self.nodes.first().map(|&(order, _)| order);
        let picture = |parts: &Vec<CellSet>| PartitionPicture {
            tray,
            blank: goal_blank,
            parts: parts.clone(),
            order,
        };
        self.partitions.iter().map(picture).collect()
    }
}

/// Result of a tuning.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TuneReport {
    /// The best sets, sorted by their nodes if nodes were counted, otherwise by
    /// [`Candidate::mean`].
    pub candidates: Vec<Candidate>,
    /// Number of partitions compared; the images of a partition are counted as one.
    pub compared: usize,
    /// Whether all partitions were compared and the tables of all their patterns were built.
    pub is_exhaustive: bool,
    /// Number of tables built for measuring.
    pub tables: usize,
    /// Number of start states of the searches: all of [`super::TuneOptions::searched`], unless the
    /// time limit cut the work short.
    pub searched: usize,
    /// Whether [`super::TuneOptions::max_time`] cut the work short.
    pub is_cut: bool,
}

/// Progress of a tuning. It is reported at the end of each step, from any thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TuneEvent {
    /// The current stage.
    pub stage: Stage,
    /// Number of finished steps of the stage.
    pub done: u64,
    /// Number of all steps of the stage.
    pub total: u64,
}

/// Stage of a tuning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// Building tables and reading them.
    Measure,
    /// Ranking partitions by their values on the sampled states.
    Rank,
    /// Searching with the best sets.
    Search,
}

/// Error of an impossible or cancelled tuning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// The parts do not have the tray's number of tiles in total.
    #[error("the parts have {found} tiles together, but a {tray} board has {expected}")]
    Sum {
        /// Tiles of the parts.
        found: usize,
        /// Tiles of the tray.
        expected: usize,
        /// The size.
        tray: Tray,
    },
    /// No table is possible for a part or for the tray.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A kind of tables whose values do not add up.
    #[error("{0} tables cannot be added up, so there are no partitions to tune")]
    TableKind(TableKind),
    /// An option that must not be 0.
    #[error("{0} must be at least 1")]
    Nothing(&'static str),
    /// A table could not be built.
    #[error(transparent)]
    Build(BuildError),
    /// A table just built cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Too little memory.
    #[error(
        "{what} needs about {} of memory, {} are free: {way_out}",
        size(*needed),
        size(*free)
    )]
    Memory {
        /// The purpose of the memory.
        what: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// Advice on options that need less memory.
        way_out: String,
    },
    /// The control cancelled the tuning.
    #[error("interrupted")]
    Cancelled,
    /// A table just built lacks the value of a state.
    #[error("the table {0} lacks the value of a state")]
    Damaged(String),
}

impl From<BuildError> for TuneError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Cancelled { .. } => TuneError::Cancelled,
            error => TuneError::Build(error),
        }
    }
}

/// Options and limits of a tuning. [`TuneOptions::new`] sets default values for all fields except
/// the goal and the sizes of the parts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TuneOptions {
    /// The size.
    pub tray: Tray,
    /// The blank's goal cell.
    pub goal_blank: Cell,
    /// The kind of the tables, which must be additive. Zero-aware by default.
    pub kind: TableKind,
    /// Number of tiles of each part.
    pub sizes: Vec<usize>,
    /// Number of partitions used together, each with its images under the symmetries that keep the
    /// goal's blank. 1 by default.
    pub together: usize,
    /// Seed of the sample. 1 by default.
    pub seed: u64,
    /// Number of states in the sample. 20,000 by default.
    pub states: usize,
    /// Maximum number of entries that table builds sweep. This number limits the time of every step
    /// that builds tables: 10^9 entries take a few seconds. 6 * 10^10 by default.
    pub max_entries: u64,
    /// Approximate time limit. After this time, the tuning returns the results so far. A minimum
    /// number of tables is built even if the time is over. By default there is no limit, and the
    /// clock is not read.
    pub max_time: Option<Duration>,
    /// Free memory in bytes, if known; a tuning that needs more is rejected.
    pub max_memory: Option<u64>,
    /// Number of the best sets to report, 10 by default. With 0, only the known sets are measured.
    pub finalists: usize,
    /// Start states of the searches that count nodes. The first round compares the sets with the
    /// largest [`super::Candidate::mean`]: six times as many as [`Self::finalists`]. It searches
    /// from a quarter of these states, or from all of them if the tables are large. Later rounds
    /// search from more states with the best sets of the previous round. If the list is empty, as
    /// by default, no nodes are counted.
    pub searched: Vec<State>,
    /// Sets of partitions that are always ranked, such as those of the presets.
    pub known: Vec<Vec<Vec<CellSet>>>,
}

impl TuneOptions {
    /// Options for partitions of a tray's tiles into parts of these sizes. All other fields have
    /// their default values.
    #[must_use]
    pub fn new(tray: Tray, goal_blank: Cell, sizes: Vec<usize>) -> Self {
        TuneOptions {
            tray,
            goal_blank,
            kind: TableKind::ZeroAware,
            sizes,
            together: 1,
            seed: 1,
            states: 20_000,
            max_entries: 60_000_000_000,
            max_time: None,
            max_memory: None,
            finalists: 10,
            searched: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Checks that the tuning is possible with the free memory. Builds nothing.
    ///
    /// # Errors
    /// [`TuneError`] with the reason.
    pub fn check(&self) -> Result<(), TuneError> {
        Pattern::check_tray(self.tray)?;
        if !self.kind.is_additive() {
            return Err(TuneError::TableKind(self.kind));
        }
        let (tray, expected) = (self.tray, self.tray.cells() - 1);
        let max = Pattern::max_tiles(tray);
        if let Some(&found) = self.sizes.iter().find(|k| !(1..=max).contains(*k)) {
            return Err(PatternError::Tiles { found, tray, max }.into());
        }
        let found = self.sizes.iter().sum();
        if found != expected {
            return Err(TuneError::Sum {
                found,
                expected,
                tray,
            });
        }
        for (number, name) in [
            (self.together, "the number of partitions"),
            (self.states, "the number of states"),
        ] {
            if number == 0 {
                return Err(TuneError::Nothing(name));
            }
        }
        self.check_memory()
    }

    /// The symmetries that keep the goal's blank, the identity first.
    pub(super) fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::keeping(self.tray, self.goal_blank).collect()
    }
}

/// Maximum bytes of the lookup tables of permutation ranks.
const PERMUTATIONS: u64 = 1 << 18;

/// Memory of a table.
#[derive(Clone, Copy)]
pub(crate) struct Need {
    /// Bytes while the table is built and copied.
    pub(crate) building: u64,
    /// Bytes after the build.
    pub(crate) kept: u64,
}

impl Need {
    /// Memory that the table of a pattern with `tiles` tiles needs. `tiles` must be a valid number
    /// of tiles. Takes O(shapes) time.
    pub(crate) fn of(tray: Tray, kind: TableKind, tiles: usize) -> Result<Need, TuneError> {
        let mut cells = tray.iter();
        let (blank, some) = (cells.next(), cells.take(tiles).collect());
        let blank = blank.unwrap_or(Cell::new(0));
        let id = Pattern::new(tray, some, blank)?.table(kind).0;
        let rows = Ranking::count_rows(tray, tiles, kind);
        let entries = rows * u64::from(factorial(tiles));
        let encoding = encoding_of(kind, entries);
        let kept = encoding.payload_length(entries);
        // Bytes of the lookup tables for shapes, rows and moves. All patterns of this size share
        // them.
        let shapes = binomial(tray.cells(), tiles) * (32 + tray.cells() as u64) + 17 * rows;
        let building = estimate_memory(id, encoding) + kept + shapes + PERMUTATIONS;
        Ok(Need { building, kept })
    }
}

impl TuneOptions {
    /// Checks that the tables can be built, and that the tables of each set fit in memory together
    /// while nodes are counted.
    pub(super) fn check_memory(&self) -> Result<(), TuneError> {
        let Some(free) = self.max_memory else {
            return Ok(());
        };
        let mut sets: Vec<Vec<CellSet>> = self.known.iter().map(|set| set.concat()).collect();
        if self.finalists > 0 {
            let mut tiles = CellSet::all(self.tray).without(self.goal_blank).iter();
            let parts = self.sizes.iter();
            let parts: Vec<CellSet> = parts.map(|&k| tiles.by_ref().take(k).collect()).collect();
            sets.push(parts.repeat(self.together));
        }
        let sizes: BTreeSet<usize> = sets.iter().flatten().map(|part| part.len()).collect();
        let mut needs = BTreeMap::new();
        for &tiles in &sizes {
            let need = Need::of(self.tray, self.kind, tiles)?;
            if need.building > free {
                return Err(self.too_large(tiles, need.building, free));
            }
            needs.insert(tiles, need);
        }
        if self.searched.is_empty() {
            return Ok(());
        }
        for set in &sets {
            let parts = || set.iter().filter_map(|part| needs.get(&part.len()));
            // The largest table is counted twice, because it may be built last.
            let largest = parts().map(|need| need.building).max().unwrap_or(0);
            let needed = parts().map(|need| need.kept).sum::<u64>() + largest;
            if needed > free {
                return Err(TuneError::Memory {
                    what: format!("searching with {} tables at once", set.len()),
                    needed,
                    free,
                    way_out: "choose smaller parts, or no boards to search".to_owned(),
                });
            }
        }
        Ok(())
    }

    fn too_large(&self, tiles: usize, needed: u64, free: u64) -> TuneError {
        let fits = |&tiles: &usize| {
            let need = Need::of(self.tray, self.kind, tiles);
            need.is_ok_and(|need| need.building <= free)
        };
        let way_out = match (1..tiles).take_while(fits).last() {
            Some(max) => format!("choose parts of up to {max} tiles"),
            None => "there is too little for any table".to_owned(),
        };
        TuneError::Memory {
            what: format!("a table of {tiles} tiles on a {} board", self.tray),
            needed,
            free,
            way_out,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdb_gen::build;
    use pdb_table::Control;

    /// Besides its table, a build needs lookup tables for shapes, rows and moves.
    #[test]
    fn a_build_needs_its_table_its_memory_and_lookup_tables() {
        for (size, tiles, least, most) in [
            ("3x3", 4, 1 << 18, 300 << 10),
            ("4x4", 8, 1_300_000, 1_700_000),
            ("5x5", 6, 13_000_000, 17_000_000),
        ] {
            let (tray, kind): (Tray, _) = (size.parse().unwrap(), TableKind::ZeroAware);
            let need = Need::of(tray, kind, tiles).unwrap();
            let cells = tray.iter().skip(1).take(tiles).collect();
            let id = Pattern::new(tray, cells, Cell::new(0))
                .unwrap()
                .table(kind)
                .0;
            let entries = Ranking::count_entries(tray, tiles, kind);
            let encoding = encoding_of(kind, entries);
            let look_ups = need.building - need.kept - estimate_memory(id, encoding);
            assert!((least..most).contains(&look_ups), "{size}: {look_ups}");
            if tiles == 4 {
                let table = build(id, encoding, &Control::default())
                    .unwrap()
                    .into_table();
                assert_eq!(need.kept, table.payload().len() as u64);
            }
        }
    }

    #[test]
    fn one_byte_too_little_is_rejected() {
        let tray: Tray = "3x3".parse().unwrap();
        let mut options = TuneOptions::new(tray, Cell::new(8), vec![4, 4]);
        let Need { building, kept } = Need::of(tray, options.kind, 4).unwrap();
        let refused = |options: &TuneOptions| match options.check() {
            Ok(()) => None,
            Err(TuneError::Memory {
                what, needed, free, ..
            }) => Some((what, needed, free)),
            Err(error) => panic!("{error}"),
        };
        options.max_memory = Some(building);
        assert_eq!(refused(&options), None);
        options.max_memory = Some(building - 1);
        let what = "a table of 4 tiles on a 3x3 board".to_owned();
        assert_eq!(refused(&options), Some((what, building, building - 1)));
        // Searching needs all tables of a set at once, and memory to build the last table.
        let goal = State::goal(tray, options.goal_blank);
        (options.searched, options.together) = (vec![goal], 3);
        let needed = 6 * kept + building;
        options.max_memory = Some(needed);
        assert_eq!(refused(&options), None);
        options.max_memory = Some(needed - 1);
        let what = "searching with 6 tables at once".to_owned();
        assert_eq!(refused(&options), Some((what, needed, needed - 1)));
        options.max_memory = None;
        assert_eq!(refused(&options), None);
    }
}
