//! The values behind one bit each.

use std::collections::VecDeque;

use puzzle::{Ranking, Reindex, RowMove, unrank_permutation};

use crate::encoding::UNREACHED;
use crate::{Encoding, Header};

/// The value of every entry of a one-bit table, 255 for those that no position can have. What the values of a false table
/// are is anybody's guess. O(entries) time, a byte an entry.
///
/// Neighbours differ by exactly one, so h mod 4 of a row, and h of one beside it, give its h: the rows are gone
/// through outwards from the goal's. Those of the goal's row come first, by walks down to the goal.
pub(crate) fn unfold(header: &Header, payload: &[u8]) -> Vec<u8> {
    debug_assert!(header.encoding == Encoding::OneBit);
    let id = header.id;
    let ranking = Ranking::new(id.tray(), id.tiles().len(), id.kind());
    let table = OneBit {
        reindex: Reindex::for_tray(id.tray(), id.tiles().len()),
        goal_colour: id.tiles().colour(id.tray()),
        ranking,
        payload,
    };
    let entries = table.ranking.row_entries();
    let mut values = vec![UNREACHED; table.ranking.rows() * entries];
    let goal_row = table.ranking.goal_row(id);
    let may_be_unreached = id.tiles().len() + 2 >= id.tray().cells();
    for rank in 0..entries as u32 {
        if !(may_be_unreached && is_odd(id.tiles().len(), rank)) {
            let steps = table.steps_to(goal_row, rank, header.histogram.max());
            values[goal_row * entries + rank as usize] = steps;
        }
    }
    let mut met = vec![false; table.ranking.rows()];
    met[goal_row] = true;
    let mut queue = VecDeque::from([goal_row]);
    while let Some(row) = queue.pop_front() {
        let (shape, blank) = table.ranking.row_shape(row);
        for out in table.ranking.row_moves(shape, blank) {
            if std::mem::replace(&mut met[out.row], true) {
                continue;
            }
            queue.push_back(out.row);
            let parity = table.parity(out.row);
            for rank in 0..entries as u32 {
                let known = values[row * entries + rank as usize];
                if known == UNREACHED {
                    continue;
                }
                let entry =
                    out.row * entries + table.reindex.apply(out.from, out.to, rank) as usize;
                let is_above = (known.wrapping_add(1) ^ table.mod_4(entry, parity)) & 2 == 0;
                values[entry] = if is_above {
                    known.wrapping_add(1)
                } else {
                    known.wrapping_sub(1)
                };
            }
        }
    }
    values
}

struct OneBit<'a> {
    ranking: Ranking,
    reindex: Reindex,
    goal_colour: usize,
    payload: &'a [u8],
}

impl OneBit<'_> {
    /// The values of a row modulo 2.
    fn parity(&self, row: usize) -> u8 {
        let (shape, _) = self.ranking.row_shape(row);
        (shape.colour(self.ranking.tray()) ^ self.goal_colour) as u8
    }

    fn mod_4(&self, entry: usize, parity: u8) -> u8 {
        (self.payload[entry / 8] >> (entry % 8) & 1) << 1 | parity
    }

    /// How many steps down there are from an entry, at most `most`.
    fn steps_to(&self, row: usize, rank: u32, most: u8) -> u8 {
        let entries = self.ranking.row_entries();
        let (mut row, mut rank) = (row, rank);
        for steps in 0..most {
            let below = self
                .mod_4(row * entries + rank as usize, self.parity(row))
                .wrapping_sub(1)
                % 4;
            let (shape, blank) = self.ranking.row_shape(row);
            let next = |out: RowMove| {
                let next = self.reindex.apply(out.from, out.to, rank);
                let found = self.mod_4(out.row * entries + next as usize, self.parity(out.row));
                (found == below).then_some((out.row, next))
            };
            match self.ranking.row_moves(shape, blank).find_map(next) {
                Some(next) => (row, rank) = next,
                None => return steps,
            }
        }
        most
    }
}

/// Whether the permutation of this rank is odd.
fn is_odd(tiles: usize, rank: u32) -> bool {
    let mut order = vec![0; tiles];
    unrank_permutation(rank, &mut order);
    let pairs = (0..tiles).flat_map(|i| (i + 1..tiles).map(move |j| (i, j)));
    pairs.filter(|&(i, j)| order[i] > order[j]).count() % 2 == 1
}
