//! Boards as plain numbers, and the paths and sets of boards that searches store.

pub(crate) mod neighbour_pairs;

pub(crate) use neighbour_pairs::{LEARNED, NeighbourPairs, PAIR_UNIT, PairWeights, TileStep};
use puzzle::{Cell, Direction, Tray};

/// Hash of a number (splitmix64, Steele, Lea & Flood 2014).
#[inline(always)]
pub(crate) fn mix(x: u64) -> u64 {
    finish(x.wrapping_add(GAMMA))
}

/// Last step of [`mix`]: every result bit depends on all input bits.
#[inline(always)]
pub(crate) fn finish(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The fractional part of the golden ratio, times 2^64.
pub(crate) const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A set that keeps the last hash stored in each slot; the number of slots is a power of two.
#[derive(Default, Debug)]
pub(crate) struct HashSlots(Vec<u64>);

impl HashSlots {
    /// Empties the set and resizes it to at least this many slots.
    pub(crate) fn reset(&mut self, slots: usize) {
        self.0.clear();
        self.0.resize(slots.next_power_of_two(), 0);
    }

    /// The slot of a hash. Call [`Self::reset`] first.
    #[inline(always)]
    pub(crate) fn slot(&mut self, hash: u64) -> &mut u64 {
        let mask = self.0.len() - 1;
        &mut self.0[hash as usize & mask]
    }
}

/// Marks a missing cell.
pub(crate) const NO_CELL: u16 = u16::MAX;

/// A tray and the neighbours of its cells.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(crate) tray: Tray,
    neighbours: Vec<[u16; 4]>,
}

impl Grid {
    pub(crate) fn new(tray: Tray) -> Grid {
        let step = |cell, direction| {
            let next = tray.step(cell, direction);
            next.map_or(NO_CELL, |next| next.index() as u16)
        };
        let neighbours = |cell| Direction::ALL.map(|direction| step(cell, direction));
        let neighbours = tray.iter().map(neighbours).collect();
        Grid { tray, neighbours }
    }

    pub(crate) fn cells(&self) -> usize {
        self.neighbours.len()
    }

    /// The neighbours of a cell in the order of [`Direction::ALL`]; [`NO_CELL`] at the frame.
    #[inline(always)]
    pub(crate) fn neighbours(&self, cell: usize) -> &[u16; 4] {
        &self.neighbours[cell]
    }

    /// The neighbour in one direction.
    #[inline]
    pub(crate) fn step(&self, cell: usize, direction: Direction) -> Option<usize> {
        let next = self.neighbours(cell)[direction as usize];
        (next != NO_CELL).then_some(usize::from(next))
    }

    /// Manhattan distance between two cells.
    #[inline]
    pub(crate) fn distance(&self, a: usize, b: usize) -> usize {
        self.tray.distance(Cell::new(a), Cell::new(b))
    }
}

/// Linear conflicts of a board's tiles (Hansson, Mayer and Yung 1992). Two tiles conflict if both are
/// in the line of their goal cells, but in the reverse order. One of the two has to leave the line.
///
/// The sum counts all pairs in conflict. It is not a lower bound, because one tile that leaves the
/// line can resolve several conflicts. But the sum is fast to update: a horizontal move changes only
/// conflicts in the goal column of the moved tile, a vertical move only conflicts in its goal row.
/// Beam searches use the sum as a score.
#[derive(Clone, Debug)]
pub(crate) struct Conflicts {
    width: usize,
    height: usize,
    columns: Vec<u16>,
    rows: Vec<u16>,
}

impl Conflicts {
    pub(crate) fn new(tray: Tray) -> Self {
        Conflicts {
            width: tray.width(),
            height: tray.height(),
            columns: tray.iter().map(|cell| tray.column(cell) as u16).collect(),
            rows: tray.iter().map(|cell| tray.row(cell) as u16).collect(),
        }
    }

    /// Change of the weighted number of a tile's conflicts when the tile moves to a neighbouring
    /// cell. A negative change wraps around. `tile` is a goal cell. `cell_of` returns the cell of
    /// another tile, and `weight` the weight of a conflict with that tile: 0 for the tile itself
    /// and for the blank.
    #[inline(always)]
    pub(crate) fn change(
        &self,
        tile: usize,
        from: usize,
        to: usize,
        cell_of: impl Fn(usize) -> usize,
        weight: impl Fn(usize) -> u32,
    ) -> u32 {
        let (columns, rows) = (&self.columns[..], &self.rows[..]);
        let column = usize::from(columns[tile]);
        // A horizontal move keeps the order of the tiles in the row, so it changes only conflicts
        // in columns. A vertical move changes only conflicts in rows.
        let (line_of, first, stride, cells) = if rows[from] == rows[to] {
            (columns, column, self.width, self.height)
        } else {
            (rows, tile - column, 1, self.width)
        };
        let own = line_of[tile];
        let at = match (line_of[from] == own, line_of[to] == own) {
            (_, true) => to,
            (true, _) => from,
            _ => return 0,
        };
        let mut sum = 0_u32;
        for place in 0..cells {
            let other = first + place * stride;
            let cell = cell_of(other);
            let is_conflict = line_of[cell] == own && (other < tile) != (cell < at);
            sum += if is_conflict { weight(other) } else { 0 };
        }
        if at == to { sum } else { sum.wrapping_neg() }
    }
}

/// A board as stored by a search: the tile on each cell, numbered by goal cell. Small enough to be
/// copied.
pub(crate) trait PackedBoard: Copy + PartialEq + Send + Sync {
    fn new(pieces: impl Iterator<Item = u16>) -> Self;
    /// The piece on a cell.
    fn get(&self, cell: u16) -> u16;
    /// The board after a tile moved from cell `from` to the blank's cell `hole`. `blank` is the
    /// blank's goal cell.
    fn slid(self, tile: u16, from: u16, hole: u16, blank: u16) -> Self;
}

/// Up to 16 cells, four bits each.
impl PackedBoard for u64 {
    fn new(pieces: impl Iterator<Item = u16>) -> Self {
        pieces
            .enumerate()
            .fold(0, |all, (cell, piece)| all | u64::from(piece) << (4 * cell))
    }

    #[inline(always)]
    fn get(&self, cell: u16) -> u16 {
        (self >> (4 * cell)) as u16 % 16
    }

    #[inline(always)]
    fn slid(self, tile: u16, from: u16, hole: u16, blank: u16) -> Self {
        let change = u64::from(tile ^ blank);
        self ^ change << (4 * from) ^ change << (4 * hole)
    }
}

/// One integer per cell.
macro_rules! array_board {
    ($piece:ty, $cells:literal) => {
        impl PackedBoard for [$piece; $cells] {
            fn new(pieces: impl Iterator<Item = u16>) -> Self {
                let mut all = [0; $cells];
                pieces
                    .zip(&mut all)
                    .for_each(|(piece, cell)| *cell = piece as $piece);
                all
            }

            #[inline(always)]
            fn get(&self, cell: u16) -> u16 {
                u16::from(self[usize::from(cell)])
            }

            #[inline(always)]
            fn slid(mut self, tile: u16, from: u16, hole: u16, blank: u16) -> Self {
                self[usize::from(from)] = blank as $piece;
                self[usize::from(hole)] = tile as $piece;
                self
            }
        }
    };
}

array_board!(u8, 25);
array_board!(u8, 36);
array_board!(u8, 49);
array_board!(u8, 64);
// Any tray.
array_board!(u16, 400);

/// The paths to the nodes of a search, as one tree of moves.
///
/// A node stores the index of the last entry of its path. In depth-first search, no node has a later
/// entry than the node on top of the stack, so all entries after the top node's entry are removed
/// immediately. Unused entries before it stay until [`Self::tidy`] removes them; this is rarely
/// necessary.
///
/// An entry stores the index of its parent entry and, in the two lowest bits, the
/// number of the move. Entry 0 is the root. A parent has a smaller index than its children.
#[derive(Debug)]
pub(crate) struct PackedTrail {
    entries: Vec<u32>,
    /// The trail is full when it has more entries than this.
    room: usize,
    /// Minimum of `room`.
    min_room: usize,
}

/// A trail that is never full.
impl Default for PackedTrail {
    fn default() -> Self {
        PackedTrail::new(usize::MAX)
    }
}

impl PackedTrail {
    /// A trail that is full when it has more than `room` entries. [`Self::tidy`] can raise this
    /// limit.
    pub(crate) fn new(room: usize) -> Self {
        PackedTrail {
            entries: vec![0],
            room,
            min_room: room,
        }
    }

    /// Adds the move `by` to the path that ends at entry `before`. Returns the index of the new
    /// entry.
    #[inline(always)]
    pub(crate) fn push(&mut self, before: u32, by: u8) -> u32 {
        self.entries.push(before << 2 | u32::from(by));
        self.entries.len() as u32 - 1
    }

    /// Removes all entries after entry `last`.
    #[inline(always)]
    pub(crate) fn truncate(&mut self, last: u32) {
        self.entries.truncate(last as usize + 1);
    }

    /// Whether [`Self::tidy`] should be called.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() > self.room
    }

    pub(crate) fn path(&self, mut entry: u32) -> Vec<u8> {
        let mut path = Vec::new();
        while entry != 0 {
            let step = self.entries[entry as usize];
            path.push((step & 3) as u8);
            entry = step >> 2;
        }
        path.reverse();
        path
    }

    /// Removes all entries except those on the paths to the entries in `ends`. The remaining
    /// entries keep their order. Updates the indices in `ends`.
    pub(crate) fn tidy<'e>(&mut self, ends: impl Iterator<Item = &'e mut u32>) {
        let ends: Vec<&mut u32> = ends.collect();
        let mut is_used = vec![false; self.entries.len()];
        is_used[0] = true;
        for end in &ends {
            let mut entry = **end as usize;
            while !std::mem::replace(&mut is_used[entry], true) {
                entry = (self.entries[entry] >> 2) as usize;
            }
        }
        let mut moved = vec![0; self.entries.len()];
        let mut used = 0;
        for entry in (0..self.entries.len()).filter(|&entry| is_used[entry]) {
            let step = self.entries[entry];
            // The entry of the previous board has a smaller index, so it has already been moved.
            self.entries[used] = moved[(step >> 2) as usize] << 2 | step & 3;
            moved[entry] = used as u32;
            used += 1;
        }
        self.entries.truncate(used);
        for end in ends {
            *end = moved[*end as usize];
        }
        self.room = (2 * used).max(self.min_room);
    }

    /// The number of allocated entries, or `room` if it is larger.
    #[cfg(test)]
    pub(crate) fn capacity(&self) -> usize {
        self.room.max(self.entries.capacity())
    }
}

/// Converts moves of tiles into the blank's moves, as numbers of directions.
pub(crate) fn blank_moves(tiles: &[Direction]) -> Vec<u8> {
    tiles.iter().map(|tile| tile.opposite() as u8).collect()
}

/// Converts the blank's moves into moves of tiles, which have the opposite directions.
pub(crate) fn tile_moves(blank: &[u8]) -> Vec<Direction> {
    let moves = blank.iter();
    moves
        .map(|&direction| Direction::ALL[usize::from(direction)].opposite())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::{Cell, Direction, State};

    /// Number of pairs of tiles in conflict, computed from all pairs.
    fn conflicts(tray: Tray, blank: usize, cell_of: &[usize]) -> u32 {
        let place = |cell: usize| (tray.column(Cell::new(cell)), tray.row(Cell::new(cell)));
        let mut count = 0;
        for a in (0..cell_of.len()).filter(|&a| a != blank) {
            for b in (0..a).filter(|&b| b != blank) {
                let [(ac, ar), (bc, br)] = [a, b].map(place);
                let [(ax, ay), (bx, by)] = [cell_of[a], cell_of[b]].map(place);
                count += u32::from(ar == br && ay == ar && by == ar && (ac < bc) != (ax < bx));
                count += u32::from(ac == bc && ax == ac && bx == ac && (ar < br) != (ay < by));
            }
        }
        count
    }

    #[test]
    fn changes_add_up_to_the_conflicts_of_every_board_of_a_walk() {
        for (size, blank) in [("2x2", 0), ("3x3", 8), ("5x4", 7), ("4x7", 27), ("1x6", 2)] {
            let tray: Tray = size.parse().unwrap();
            let conflicting = Conflicts::new(tray);
            let mut state = State::goal(tray, Cell::new(blank));
            let (mut sum, mut number, mut seen) = (0_u32, 1, 0);
            for _ in 0..5000 {
                number = mix(number);
                let pieces = state.pieces().iter().map(|piece| piece.index());
                let mut cell_of = vec![0; tray.cells()];
                pieces
                    .enumerate()
                    .for_each(|(cell, piece)| cell_of[piece] = cell);
                let expected = conflicts(tray, blank, &cell_of);
                assert_eq!(sum, expected, "{size}");
                seen = seen.max(expected);
                let hole = state.blank().index();
                if state.slide(Direction::ALL[(number % 4) as usize]) {
                    let from = state.blank().index();
                    let tile = state.pieces()[hole].index();
                    let weight = |other: usize| u32::from(other != tile && other != blank);
                    let change = conflicting.change(tile, from, hole, |tile| cell_of[tile], weight);
                    sum = sum.wrapping_add(change);
                }
            }
            assert!(seen > 1 || tray.cells() < 9, "{size}: {seen}");
        }
    }

    #[test]
    fn tidying_keeps_the_paths_and_their_order() {
        let mut trail = PackedTrail::new(0);
        let mut ends = vec![0];
        for (before, by) in [(0, 1), (0, 2), (1, 3), (2, 0), (4, 1), (3, 2)] {
            ends.push(trail.push(before, by));
        }
        assert!(trail.is_full());
        let mut kept = vec![ends[0], ends[5], ends[6]];
        let paths = |trail: &PackedTrail, ends: &[u32]| -> Vec<Vec<u8>> {
            ends.iter().map(|&end| trail.path(end)).collect()
        };
        let before = paths(&trail, &kept);
        assert_eq!(before, [vec![], vec![2, 0, 1], vec![1, 3, 2]]);
        trail.truncate(ends[6]);
        trail.tidy(kept.iter_mut());
        assert_eq!(paths(&trail, &kept), before);
        assert!(kept.is_sorted());
        // The two paths share only the root, so seven entries are used: the root, and three per
        // path.
        assert_eq!((trail.entries.len(), trail.room), (7, 14));
        kept.pop();
        trail.tidy(kept.iter_mut());
        assert_eq!(trail.entries.len(), 4);
        assert_eq!(trail.path(kept[1]), [2, 0, 1]);
    }
}
