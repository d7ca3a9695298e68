//! Paths to the nodes of a search, as one tree of moves.
//!
//! A node stores the index of the last entry of its path. In depth-first search, no node has a
//! later entry than the node on top of the stack, so all entries after the top node's entry are
//! removed immediately. Unused entries before it stay until [`PackedTrail::tidy`] removes them;
//! this is rarely necessary.

use puzzle::Direction;

/// A tree of moves. An entry stores the index of its parent entry and, in the two lowest bits, the
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
