//! What packing knows of a table's rows: which lie beside each other, how an entry of one is found in the other, and in
//! which order they are read.

use std::ops::Range;

use puzzle::{CellSet, Ranking, Regions, Reindex, TableId, TableKind, factorial};

/// The rows of one table, cut into stretches: the entries of a row whose first tiles in reading order are the same. A
/// frame holds one stretch of every row.
#[derive(Debug)]
pub(crate) struct Rows {
    id: TableId,
    ranking: Ranking,
    /// How many tiles are the same throughout a stretch.
    fixed: usize,
    /// By the reading positions before and after a move; empty where no move leads or the permutation stays.
    carries: Vec<RowCopy>,
    /// The rows in the order in which they are read.
    steps: Vec<Step>,
    /// What the steps' ranges point to.
    beside: Vec<Neighbour>,
}

/// Bytes of memory that the order of reading takes for a table of so many entries, from above, and those that are given back
/// once it is found.
pub(crate) fn plan_memory(id: TableId, entries: u64) -> (u64, u64) {
    let (cells, tiles) = (id.tray().cells() as u64, id.tiles().len());
    let rows = entries / u64::from(factorial(tiles));
    let tiles = tiles as u64;
    // Of 2 * cells borders at most, those between a tile and a free cell, on average; where the blank's place matters, the
    // moves of a shape are those of several rows.
    let moves = match id.kind() {
        TableKind::FullCost | TableKind::MultiTile => 4,
        _ => (4 * tiles * (cells - tiles)).div_ceil(cells - 1),
    };
    let beside = size_of::<Neighbour>() as u64;
    // Lists that grow have up to twice the room; at most half of the moves lead back.
    let kept = 2 * size_of::<Step>() as u64 + beside * moves + 16;
    let given_back = 2 * beside * moves + 40;
    (rows.saturating_mul(kept), rows.saturating_mul(given_back))
}

/// One row, as it is read.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Number of the row in the table.
    pub(crate) row: usize,
    pub(crate) shape: CellSet,
    /// What the values of the row's entries are modulo 2.
    pub(crate) parity: u8,
    /// Moves out of the row that lead to stretches not read before, or to another frame.
    pub(crate) left: usize,
    /// The moves that lead to a stretch of the frame that was read before.
    read: Range<usize>,
    /// Of the rows of the same shape and parity that were read before, the last by number.
    pub(crate) sibling: Option<usize>,
}

/// A row that one move leads to, and the moved element's reading positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour {
    pub(crate) row: usize,
    from: usize,
    to: usize,
}

impl Rows {
    /// The rows of this table, which must be valid, with the first `fixed` tiles of a stretch the same. O(rows).
    pub(crate) fn new(id: TableId, fixed: usize) -> Self {
        let tiles = id.tiles().len();
        let reindex = Reindex::for_tray(id.tray(), tiles);
        let pairs = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        let carries = pairs.map(|(from, to)| {
            let is_within = from.min(to) >= fixed && from.abs_diff(to) < id.tray().width();
            match is_within && from != to {
                true => RowCopy::new(&reindex, tiles, from, to),
                false => RowCopy::default(),
            }
        });
        let mut rows = Rows {
            id,
            ranking: Ranking::new(id.tray(), tiles, id.kind()),
            fixed,
            carries: carries.collect(),
            steps: Vec::new(),
            beside: Vec::new(),
        };
        rows.plan();
        rows
    }

    /// What the table holds.
    pub(crate) fn id(&self) -> TableId {
        self.id
    }

    /// The numbering of the rows.
    pub(crate) fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// How many tiles are the same throughout a stretch.
    pub(crate) fn fixed(&self) -> usize {
        self.fixed
    }

    /// Entries of a stretch.
    pub(crate) fn stretch(&self) -> usize {
        factorial(self.ranking.tiles() - self.fixed) as usize
    }

    /// The rows in the order in which they are read.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The rows beside this one that were read before.
    pub(crate) fn read_before(&self, step: &Step) -> &[Neighbour] {
        &self.beside[step.read.clone()]
    }

    /// Whether values change by exactly one with every move, as they do unless the blank's regions are thrown together.
    pub(crate) fn is_consistent(&self) -> bool {
        self.id.kind() != TableKind::BlankCompressed
    }

    /// Whether there may be entries that no position can have.
    pub(crate) fn may_be_unreached(&self) -> bool {
        self.ranking.tiles() + 2 >= self.id.tray().cells()
    }

    /// Puts every entry of `target`, a stretch, together with its image in `source`, the stretch of the row `beside` it.
    #[inline]
    pub(crate) fn carry(&self, beside: Neighbour, source: &[u8], target: &mut [u8]) {
        self.carries[beside.from * self.ranking.tiles() + beside.to].copy(source, target);
    }

    /// Finds the order of reading: level by level outwards from the first row, so that every row but the first has one
    /// beside it that was read before; rows that cannot be reached follow in the same way from the first that is left.
    /// Rows of one level are in ascending order.
    fn plan(&mut self) {
        let count = self.ranking.rows();
        let places = self.places();
        let (moves, starts) = self.moves(&places);
        let mut met = vec![false; count];
        let mut read = vec![false; count];
        for first in 0..count {
            let mut level = Vec::new();
            if !std::mem::replace(&mut met[first], true) {
                level.push(first);
            }
            while !level.is_empty() {
                let mut next = Vec::new();
                for row in level {
                    let out = &moves[starts[row]..starts[row + 1]];
                    for beside in out.iter().filter(|beside| self.is_inside(beside)) {
                        if !std::mem::replace(&mut met[beside.row], true) {
                            next.push(beside.row);
                        }
                    }
                    self.read(row, &places, out, &read);
                    read[row] = true;
                }
                next.sort_unstable();
                level = next;
            }
        }
    }

    /// The shape of each row, and the cells on which the blank may be.
    fn places(&self) -> Vec<(CellSet, CellSet)> {
        let (all, regions) = (CellSet::all(self.id.tray()), Regions::new(self.id.tray()));
        let mut places = Vec::with_capacity(self.ranking.rows());
        for &shape in self.ranking.shapes() {
            let free = all.difference(shape);
            match self.id.kind() {
                TableKind::BlankCompressed => places.push((shape, free)),
                TableKind::FullCost | TableKind::MultiTile => {
                    places.extend(free.iter().map(|c| (shape, CellSet::EMPTY.with(c))));
                }
                TableKind::ZeroAware => {
                    places.extend(regions.all(free).map(|region| (shape, region)))
                }
            }
        }
        places
    }

    /// All moves out of all rows, and where those of each row begin.
    fn moves(&self, places: &[(CellSet, CellSet)]) -> (Vec<Neighbour>, Vec<usize>) {
        let mut moves = Vec::new();
        let mut starts = vec![0];
        for &(shape, blank) in places {
            let out = self.ranking.row_moves(shape, blank);
            moves.extend(out.map(|out| Neighbour {
                row: out.row,
                from: out.from,
                to: out.to,
            }));
            starts.push(moves.len());
        }
        (moves, starts)
    }

    /// Whether a move stays within a frame: the tiles that a stretch has in common come first before and after.
    fn is_inside(&self, beside: &Neighbour) -> bool {
        beside.from == beside.to || beside.from.min(beside.to) >= self.fixed
    }

    /// Adds the step that reads a row.
    fn read(
        &mut self,
        row: usize,
        places: &[(CellSet, CellSet)],
        out: &[Neighbour],
        read: &[bool],
    ) {
        let (shape, blank) = places[row];
        let start = self.beside.len();
        for beside in out {
            if self.is_inside(beside) && read[beside.row] {
                self.beside.push(*beside);
            }
        }
        let parity = self.parity(shape, blank);
        // Rows of one shape lie end to end.
        let same_shape = |other: &usize| places.get(*other).is_some_and(|place| place.0 == shape);
        let last = (row..).take_while(same_shape).last().unwrap_or(row);
        let siblings = (0..=last).rev().take_while(same_shape);
        let sibling = siblings
            .filter(|&sibling| read[sibling])
            .find(|&sibling| self.parity(shape, places[sibling].1) == parity);
        self.steps.push(Step {
            row,
            shape,
            parity,
            left: out.len() - (self.beside.len() - start),
            read: start..self.beside.len(),
            sibling,
        });
    }

    /// What the values of a row are modulo 2.
    fn parity(&self, shape: CellSet, blank: CellSet) -> u8 {
        let tray = self.id.tray();
        let (now, goal) = match self.id.kind() {
            TableKind::FullCost | TableKind::MultiTile => (blank, self.id.blank()),
            _ => (shape, self.id.tiles()),
        };
        (now.colour(tray) ^ goal.colour(tray)) as u8
    }
}

/// Where the entries of a stretch are in one beside it: in each block of `places.len() * run` entries, run i is run
/// `places[i]` of the other's block. Empty if they stay where they are.
#[derive(Clone, Debug, Default)]
struct RowCopy {
    places: Box<[u32]>,
    run: usize,
}

/// Runs shorter than this are laid out entry by entry.
const SHORT_RUN: u32 = 24;

impl RowCopy {
    fn new(reindex: &Reindex, tiles: usize, from: usize, to: usize) -> Self {
        let block = factorial(tiles - from.min(to));
        let run = match factorial(tiles - 1 - from.max(to)) {
            run if run < SHORT_RUN => 1,
            run => run,
        };
        let places = (0..block / run).map(|i| reindex.apply(from, to, i * run) / run);
        RowCopy {
            places: places.collect(),
            run: run as usize,
        }
    }

    fn copy(&self, source: &[u8], target: &mut [u8]) {
        if self.places.is_empty() {
            target.copy_from_slice(source);
            return;
        }
        let block = self.places.len() * self.run;
        let targets = target.chunks_exact_mut(block);
        for (source, target) in source.chunks_exact(block).zip(targets) {
            if self.run == 1 {
                for (to, &place) in target.iter_mut().zip(&self.places) {
                    *to = source[place as usize];
                }
            } else {
                let runs = target.chunks_exact_mut(self.run).zip(&self.places);
                for (run, &place) in runs {
                    run.copy_from_slice(&source[place as usize * self.run..][..self.run]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::{Cell, Pattern, Tray};

    fn rows(tiles: u32, kind: TableKind, fixed: usize) -> Rows {
        let tray = Tray::new(3, 3).unwrap();
        let pattern = Pattern::new(tray, CellSet::from_bits(tiles), Cell::new(0)).unwrap();
        Rows::new(pattern.table(kind).0, fixed)
    }

    #[test]
    fn every_row_is_read_once_and_moves_are_counted() {
        for (tiles, fixed) in [
            (0b110, 0),
            (0b11_0110, 0),
            (0b1_0111_0110, 1),
            (0b1_0111_0110, 2),
        ] {
            for kind in TableKind::ALL {
                let rows = rows(tiles, kind, fixed);
                let mut read = vec![false; rows.ranking.rows()];
                for step in rows.steps() {
                    let (shape, blank) = rows.ranking.row_shape(step.row);
                    assert_eq!(shape, step.shape);
                    let before = rows.read_before(step);
                    assert!(before.iter().all(|beside| read[beside.row]));
                    assert!(fixed > 0 || step.row == 0 || !before.is_empty());
                    let all = rows.ranking.row_moves(shape, blank).count();
                    assert_eq!(before.len() + step.left, all);
                    assert!(step.sibling.is_none_or(|sibling| read[sibling]));
                    assert!(!std::mem::replace(&mut read[step.row], true));
                }
                assert!(read.iter().all(|&read| read));
            }
        }
    }

    #[test]
    fn entries_are_carried_as_ranks_are() {
        let (tiles, fixed) = (7, 2);
        let rows = rows(0b1_1011_1110, TableKind::ZeroAware, fixed);
        let reindex = Reindex::for_tray(rows.id.tray(), tiles);
        let source: Vec<u8> = (0..rows.stretch()).map(|entry| entry as u8).collect();
        for from in 0..tiles {
            for to in (0..tiles).filter(|to| from.abs_diff(*to) < 3) {
                let row = 0;
                let beside = Neighbour { row, from, to };
                if !rows.is_inside(&beside) {
                    continue;
                }
                let mut target = vec![0; source.len()];
                rows.carry(beside, &source, &mut target);
                for (rank, &found) in target.iter().enumerate() {
                    assert_eq!(found, reindex.apply(from, to, rank as u32) as u8);
                }
            }
        }
    }
}
