//! What a tuning holds in memory, asked before anything is built.

use std::collections::{BTreeMap, BTreeSet};

use puzzle::{CellSet, Ranking, TableKind, Tray, binomial, factorial};

use super::lookup::{encoding_of, table_of};
use super::{TuneError, TuneOptions};
use pdb_gen::estimate_memory;

/// Bytes for how moves change the ranks of permutations, at most.
const PERMUTATIONS: u64 = 1 << 18;

/// Bytes of a table in memory.
#[derive(Clone, Copy)]
pub(crate) struct Need {
    /// While it is built and copied.
    pub(crate) building: u64,
    /// Afterwards.
    pub(crate) kept: u64,
}

impl Need {
    /// For a pattern with this number of tiles, which is possible. O(shapes) time.
    pub(crate) fn of(tray: Tray, kind: TableKind, tiles: usize) -> Result<Need, TuneError> {
        let mut cells = tray.iter();
        let (blank, some) = (cells.next(), cells.take(tiles).collect());
        let blank = blank.unwrap_or(puzzle::Cell::new(0));
        let id = table_of(tray, some, blank, kind)?.0;
        let rows = Ranking::count_rows(tray, tiles, kind);
        let entries = rows * u64::from(factorial(tiles));
        let encoding = encoding_of(kind, entries);
        let kept = encoding.payload_length(entries);
        // What tables of one size share for look-ups: shapes, rows, and how moves change ranks.
        let shapes = binomial(tray.cells(), tiles) * (32 + tray.cells() as u64) + 17 * rows;
        let building = estimate_memory(id, encoding) + kept + shapes + PERMUTATIONS;
        Ok(Need { building, kept })
    }
}

impl TuneOptions {
    /// Whether the tables can be built, and those of each set held at once while nodes are counted.
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
            // The largest is counted twice: it may be the last to be built.
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
