//! Full-cost tables of the multi-tile metric as a heuristic: the maximum over patterns and their
//! mirror images.

use pdb_table::{Encoding, EntryPosition, TableError};
use puzzle::{CellSet, Direction, Ranking, Reindex, State, factorial};

use super::{AbstractState, Axis, MultiHeuristic};
use crate::tables::{CheckedTable, DamagedTable, Geometry, Part, TableSet};

/// The geometry of tables of the multi-tile metric.
pub(crate) struct RunGeometry {
    ranking: Ranking,
    /// Steps of the blank by row and direction: the new row in the high 24 bits, the index in
    /// `pairs` in the low 8.
    steps: Box<[[u32; 4]]>,
    /// Index of the moved tile among the pattern's tiles in reading order, before and after a step.
    /// `pairs[0]` stands for all steps that do not change the order of the tiles.
    pairs: Vec<(u8, u8)>,
    /// New rank for each pair and old rank; empty if ranks need more than 16 bits.
    ranks: Box<[u16]>,
    reindex: Reindex,
    row_entries: usize,
}

/// Number of bits of a step that store the index in `pairs`.
const PAIR_BITS: u32 = 8;

/// Largest number of tiles whose ranks fit 16 bits.
const MAX_RANKED_TILES: usize = 8;

impl Geometry for RunGeometry {
    fn new(ranking: Ranking) -> Result<Self, TableError> {
        if ranking.rows() >> (u32::BITS - PAIR_BITS) != 0 {
            return Err(TableError::TooLarge(ranking.entries()));
        }
        let (tray, tiles) = (ranking.tray(), ranking.tiles());
        let mut pairs: Vec<(u8, u8)> = vec![(0, 0)];
        let mut steps = Vec::with_capacity(ranking.rows());
        let all = CellSet::all(tray);
        for (index, &shape) in ranking.shapes().iter().enumerate() {
            for blank in all.difference(shape).iter() {
                steps.push(Direction::ALL.map(|direction| {
                    let Some(next) = tray.step(blank, direction) else {
                        return 0;
                    };
                    if !shape.contains(next) {
                        return (ranking.row(index, next) as u32) << PAIR_BITS;
                    }
                    let moved = shape.without(next).with(blank);
                    let pair = (
                        shape.count_before(next) as u8,
                        moved.count_before(blank) as u8,
                    );
                    let row = ranking.row(ranking.shape_index(moved), next) as u32;
                    if pair.0 == pair.1 {
                        return row << PAIR_BITS;
                    }
                    let known = pairs.iter().position(|&other| other == pair);
                    let pair = known.unwrap_or_else(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    });
                    row << PAIR_BITS | pair as u32
                }));
            }
        }
        let reindex = Reindex::for_tray(tray, tiles);
        let mut ranks = Vec::new();
        if tiles <= MAX_RANKED_TILES {
            for &(from, to) in &pairs {
                let apply = |rank| reindex.apply(from.into(), to.into(), rank) as u16;
                ranks.extend((0..factorial(tiles)).map(apply));
            }
        }
        Ok(RunGeometry {
            steps: steps.into(),
            pairs,
            ranks: ranks.into(),
            reindex,
            row_entries: ranking.row_entries(),
            ranking,
        })
    }

    fn ranking(&self) -> &Ranking {
        &self.ranking
    }
}

impl RunGeometry {
    #[inline(always)]
    fn step(&self, row: u32, rank: u32, direction: u8) -> (u32, u32) {
        let step = self.steps[row as usize][usize::from(direction & 3)];
        let (row, pair) = (step >> PAIR_BITS, step & ((1 << PAIR_BITS) - 1));
        let rank = if self.ranks.is_empty() {
            let (from, to) = self.pairs[pair as usize];
            self.reindex.apply(from.into(), to.into(), rank)
        } else {
            self.ranks[pair as usize * self.row_entries + rank as usize].into()
        };
        (row, rank)
    }

    #[inline(always)]
    fn entry(&self, row: u32, rank: u32) -> usize {
        row as usize * self.row_entries + rank as usize
    }

    /// Row and rank of each entry that one move reaches.
    fn runs(&self, row: u32, rank: u32) -> impl Iterator<Item = (u32, u32)> {
        let tray = self.ranking.tray();
        let (_, blank) = self.ranking.row_shape(row as usize);
        let blank = blank.lowest().unwrap_or(tray.last());
        Direction::ALL.into_iter().flat_map(move |direction| {
            let mut at = Some((blank, row, rank));
            std::iter::from_fn(move || {
                let (blank, row, rank) = at?;
                at = tray.step(blank, direction).map(|next| {
                    let (row, rank) = self.step(row, rank, direction as u8);
                    (next, row, rank)
                });
                at.map(|(_, row, rank)| (row, rank))
            })
        })
    }
}

/// The value of an entry. In mod-3 tables, the value is the number of steps of a descent to the
/// goal. Values of entries one move apart differ by at most one, so an entry whose value is smaller
/// by one modulo 3 is nearer to the goal. `None` if the descent is longer than the header allows or
/// does not end at the goal, as in a damaged table.
fn value(checked: &CheckedTable<RunGeometry>, row: u32, rank: u32) -> Option<u8> {
    let CheckedTable { table, geometry } = checked;
    let entry = |row, rank| geometry.entry(row, rank) as u64;
    if table.header().encoding == Encoding::U8 {
        return table.value(entry(row, rank));
    }
    let goal = geometry.ranking.goal_row(table.id()) as u32;
    let (mut row, mut rank) = (row, rank);
    for steps in 0..=table.header().histogram.max() {
        if (row, rank) == (goal, 0) {
            return Some(steps);
        }
        let code = table.mod3_code(entry(row, rank)).filter(|&code| code > 0)?;
        let wanted = (code + 1) % 3 + 1;
        let mut runs = geometry.runs(row, rank);
        (row, rank) =
            runs.find(|&(row, rank)| table.mod3_code(entry(row, rank)) == Some(wanted))?;
    }
    None
}

/// The value of the entry with the code `code`, minus `near`, which is the value of a neighbouring
/// entry.
#[inline(always)]
fn change(code: u8, near: i32) -> i32 {
    // Codes are 1 + h mod 3, so the remainder is 0, 1 or 2 for a change by -1, 0 or 1.
    (i32::from(code) + 2 * near + 3) % 3 - 1
}

/// The parts of all views, prepared for a search.
pub(super) struct TableHeuristic<'a> {
    parts: Vec<RunLookup<'a>>,
}

struct RunLookup<'a> {
    part: &'a Part<RunGeometry>,
    geometry: &'a RunGeometry,
    payload: &'a [u8],
    /// For each direction on the board, its image under the symmetry of the part.
    directions: [u8; 4],
    is_bytes: bool,
}

impl<'a> TableHeuristic<'a> {
    /// A heuristic ready for a search; `None` without tables.
    pub(super) fn new(tables: &'a TableSet<RunGeometry>) -> Option<Self> {
        let lookup = |part: &'a Part<RunGeometry>| {
            let CheckedTable { table, geometry } = &*part.table;
            let map = |direction| part.symmetry.map_direction(direction) as u8;
            RunLookup {
                part,
                geometry,
                payload: table.payload(),
                directions: Direction::ALL.map(map),
                is_bytes: table.header().encoding == Encoding::U8,
            }
        };
        let parts: Vec<RunLookup> = tables.parts().map(lookup).collect();
        (!parts.is_empty()).then_some(TableHeuristic { parts })
    }
}

impl MultiHeuristic for TableHeuristic<'_> {
    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn roots(&self, state: &State) -> Result<Vec<AbstractState>, DamagedTable> {
        let parts = self.parts.iter().map(|lookup| lookup.part);
        let located = parts.clone().zip(Part::locate_all(parts, state));
        let roots = located.map(|(part, EntryPosition { row, rank, .. })| {
            let row = row as u32;
            let h = value(&part.table, row, rank).ok_or_else(|| part.damaged())?;
            let h = i32::from(h);
            Ok(AbstractState { row, rank, h })
        });
        roots.collect()
    }

    #[inline(always)]
    fn step(&self, part: usize, from: AbstractState, blank: Direction, _: u16) -> AbstractState {
        let RunLookup {
            geometry,
            directions,
            ..
        } = &self.parts[part];
        let (row, rank) = geometry.step(from.row, from.rank, directions[blank as usize]);
        AbstractState { row, rank, ..from }
    }

    #[inline(always)]
    fn read(&self, part: usize, state: AbstractState, near: i32) -> i32 {
        let RunLookup {
            geometry,
            payload,
            is_bytes,
            ..
        } = &self.parts[part];
        let entry = geometry.entry(state.row, state.rank);
        if *is_bytes {
            return i32::from(payload[entry]);
        }
        let code = payload[entry >> 2] >> (2 * (entry & 3)) & 3;
        near + change(code, near)
    }

    #[inline(always)]
    fn bound(&self, _: usize, h: i32, _: Option<Axis>) -> i32 {
        h
    }
}

#[cfg(test)]
mod tests {
    use super::change;

    #[test]
    fn codes_determine_the_change() {
        for near in 0..60 {
            for by in -1..=1 {
                let value: i32 = near + by;
                let code = (value.rem_euclid(3) + 1) as u8;
                assert_eq!(change(code, near), by, "{near} {by}");
            }
        }
    }
}
