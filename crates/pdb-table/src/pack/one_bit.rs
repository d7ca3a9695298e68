//! Recovery of values from one-bit tables.

use std::collections::VecDeque;

use puzzle::Reindex;

use super::error::PackError;
use super::predict::parity_of_rank;
use crate::control::Cancel;
use crate::descent::{Descent, EntryPosition};
use crate::encoding::Encoding;
use crate::encoding::UNREACHABLE;
use crate::table::Table;

/// The value of every entry of a one-bit table, 255 for unreachable ones. For incorrect tables the
/// values are arbitrary. Takes O(entries) time and one byte of memory per entry.
///
/// The values of neighbouring entries differ by one, so an entry's value follows from its value mod
/// 4 and the value of a neighbour. [`Descent`] finds the values of the goal's row. The other
/// rows are visited outwards from the goal's row.
pub(crate) fn to_values<D: AsRef<[u8]>>(
    table: &Table<D>,
    cancel: &Cancel,
) -> Result<Vec<u8>, PackError> {
    debug_assert!(table.header().encoding == Encoding::OneBit);
    let (id, payload, ranking) = (table.id(), table.payload(), table.ranking()?);
    let tiles = id.tiles().len();
    let reindex = Reindex::for_tray(id.tray(), tiles);
    let entries = ranking.row_entries();
    // Zeroed memory takes no time to allocate; each row is filled when it is visited.
    let mut values = vec![0; ranking.rows() * entries];
    let goal_row = ranking.goal_row(id);
    values[goal_row * entries..][..entries].fill(UNREACHABLE);
    let has_unreachable = tiles + 2 >= id.tray().cells();
    for rank in 0..entries as u32 {
        PackError::unless_cancelled(cancel)?;
        if !(has_unreachable && parity_of_rank(rank as usize) == 1) {
            let start = EntryPosition::of(&ranking, goal_row, rank);
            let descent = Descent::new(table, &ranking, &reindex, start);
            values[goal_row * entries + rank as usize] = descent.finish().steps;
        }
    }
    let mut met = vec![false; ranking.rows()];
    met[goal_row] = true;
    let mut queue = VecDeque::from([goal_row]);
    while let Some(row) = queue.pop_front() {
        let (shape, blank) = ranking.row_shape(row);
        for out in ranking.row_moves(shape, blank) {
            if std::mem::replace(&mut met[out.row], true) {
                continue;
            }
            PackError::unless_cancelled(cancel)?;
            queue.push_back(out.row);
            values[out.row * entries..][..entries].fill(UNREACHABLE);
            let (shape, blank) = ranking.row_shape(out.row);
            let parity = id.parity(shape, blank);
            for rank in 0..entries as u32 {
                let known = values[row * entries + rank as usize];
                if known == UNREACHABLE {
                    continue;
                }
                let entry = out.row * entries + reindex.apply(out.from, out.to, rank) as usize;
                let mod_4 = (payload[entry / 8] >> (entry % 8) & 1) << 1 | parity;
                let is_above = (known.wrapping_add(1) ^ mod_4) & 2 == 0;
                values[entry] = if is_above {
                    known.wrapping_add(1)
                } else {
                    known.wrapping_sub(1)
                };
            }
        }
    }
    for (row, _) in met.iter().enumerate().filter(|(_, is_met)| !**is_met) {
        values[row * entries..][..entries].fill(UNREACHABLE);
    }
    Ok(values)
}
