//! Memory needed by a tuning, computed before anything is built.

use std::collections::{BTreeMap, BTreeSet};

use pdb_gen::estimate_memory;
use puzzle::{CellSet, Pattern, Ranking, TableKind, Tray, binomial, factorial};

use super::lookup::encoding_of;
use super::report::{TuneError, TuneOptions};

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
        let blank = blank.unwrap_or(puzzle::Cell::new(0));
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
    use pdb_gen::build;
    use pdb_table::Control;

    use super::*;

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
            let id = Pattern::new(tray, cells, puzzle::Cell::new(0))
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
        let mut options = TuneOptions::new(tray, puzzle::Cell::new(8), vec![4, 4]);
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
        let goal = puzzle::State::goal(tray, options.goal_blank);
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
