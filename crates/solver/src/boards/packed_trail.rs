//! How the nodes of a layered search were reached.

use puzzle::Direction;

/// A tree of moves: an entry is the entry before it, and the blank's move in the two lowest bits.
/// Entry 0 is the root; entries stand before those that follow on them.
#[derive(Debug)]
pub(crate) struct PackedTrail(Vec<u32>);

impl Default for PackedTrail {
    fn default() -> Self {
        PackedTrail(vec![0])
    }
}

impl PackedTrail {
    pub(crate) fn clear(&mut self) {
        self.0.truncate(1);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds an entry after another one.
    #[inline(always)]
    pub(crate) fn push(&mut self, before: u32, direction: u8) -> u32 {
        self.0.push(before << 2 | u32::from(direction));
        self.0.len() as u32 - 1
    }

    /// The blank's moves to an entry.
    pub(crate) fn path(&self, mut entry: u32) -> Vec<u8> {
        let mut path = Vec::new();
        while entry != 0 {
            let step = self.0[entry as usize];
            path.push((step & 3) as u8);
            entry = step >> 2;
        }
        path.reverse();
        path
    }

    /// Removes the entries that lead to none of `ends`, and renumbers the ends.
    pub(crate) fn clear_dead_ends<'e>(&mut self, ends: impl Iterator<Item = &'e mut u32>) {
        let mut ends: Vec<&mut u32> = ends.collect();
        let mut is_alive = vec![false; self.0.len()];
        is_alive[0] = true;
        for end in &ends {
            let mut entry = **end as usize;
            while !std::mem::replace(&mut is_alive[entry], true) {
                entry = (self.0[entry] >> 2) as usize;
            }
        }
        let mut renamed = vec![0; self.0.len()];
        let mut count = 0;
        for entry in (0..self.0.len()).filter(|&entry| is_alive[entry]) {
            let step = self.0[entry];
            self.0[count] = renamed[(step >> 2) as usize] << 2 | step & 3;
            renamed[entry] = count as u32;
            count += 1;
        }
        self.0.truncate(count);
        for end in &mut ends {
            **end = renamed[**end as usize];
        }
    }
}

/// The blank's directions, as numbers, for moves of tiles.
pub(crate) fn blank_moves(tiles: &[Direction]) -> Vec<u8> {
    tiles.iter().map(|tile| tile.opposite() as u8).collect()
}

/// The tiles' moves, which are opposite to the blank's.
pub(crate) fn tile_moves(blank: &[u8]) -> Vec<Direction> {
    let moves = blank.iter();
    moves
        .map(|&direction| Direction::ALL[usize::from(direction)].opposite())
        .collect()
}
