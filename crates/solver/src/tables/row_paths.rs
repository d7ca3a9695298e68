//! Values of many entries of a one-bit table, without a descent for each entry.

use std::collections::VecDeque;
use std::sync::Arc;

use pdb_table::SharedTable;
use puzzle::{Ranking, Reindex};

/// A row of a table and a rank within it.
pub(crate) type Place = (u32, u32);

/// A path from every row of a one-bit table to the row of the goal, by moves of the pattern's
/// tiles. The path of a row is the same for all orders of the tiles.
///
/// The path from an entry ends at an entry of the goal's row, whose value is stored. Each move of
/// the path changes the value by one; the values modulo 4 show whether the value rises or falls.
/// The stored value and these changes determine the value of the first entry. The length of a path
/// is the distance of the tiles' shape from the shape of the goal. This distance is at most the
/// value.
pub(crate) struct RowPaths {
    steps: Box<[RowStep]>,
    goal_row: u32,
    /// Values of the goal's row, 255 for unreachable entries.
    goal_values: Box<[u8]>,
    reindex: Arc<Reindex>,
    max: u8,
}

/// The first step of a row's path.
#[derive(Clone, Copy)]
struct RowStep {
    /// The next row; [`NO_ROW`] if no path leads to the goal.
    row: u32,
    /// Index of the moved tile among the pattern's tiles in reading order, before the move.
    from: u8,
    /// Index of the moved tile among the pattern's tiles in reading order, after the move.
    to: u8,
    /// Parity of this row's values.
    parity: u8,
}

/// No row of a table has this number: such a table would exceed 64 GiB.
const NO_ROW: u32 = u32::MAX;

impl RowPaths {
    /// Finds the paths by a breadth-first search over the rows.
    pub(crate) fn new(table: &SharedTable, ranking: &Ranking, reindex: &Arc<Reindex>) -> Self {
        let id = table.id();
        let unmet = RowStep {
            row: NO_ROW,
            from: 0,
            to: 0,
            parity: 0,
        };
        let mut steps = vec![unmet; ranking.rows()];
        let goal_row = ranking.goal_row(id);
        steps[goal_row].row = goal_row as u32;
        let mut queue = VecDeque::from([goal_row]);
        while let Some(row) = queue.pop_front() {
            let (shape, blank) = ranking.row_shape(row);
            steps[row].parity = id.parity(shape, blank);
            for out in ranking.row_moves(shape, blank) {
                let step = &mut steps[out.row];
                if step.row == NO_ROW {
                    // Stores the inverse of the move.
                    (step.row, step.from, step.to) = (row as u32, out.to as u8, out.from as u8);
                    queue.push_back(out.row);
                }
            }
        }
        let ranks = 0..ranking.row_entries() as u32;
        let value = |rank| table.value_by_descent(ranking, reindex, goal_row, rank);
        RowPaths {
            goal_row: goal_row as u32,
            goal_values: ranks.map(|rank| value(rank).unwrap_or(u8::MAX)).collect(),
            max: table.header().histogram.max(),
            steps: steps.into(),
            reindex: Arc::clone(reindex),
        }
    }

    /// The value of an entry; `None` if the table is damaged.
    #[inline(always)]
    pub(crate) fn value(
        &self,
        payload: &[u8],
        row_entries: usize,
        (mut row, mut rank): Place,
    ) -> Option<u8> {
        let modulo_4 = |step: &RowStep, row: u32, rank: u32| {
            let entry = row as usize * row_entries + rank as usize;
            Some(
                i32::from(payload.get(entry >> 3)? >> (entry & 7) & 1) << 1
                    | i32::from(step.parity),
            )
        };
        let mut step = self.steps.get(row as usize)?;
        let mut here = modulo_4(step, row, rank)?;
        let mut above_end = 0;
        while row != self.goal_row {
            rank = self.reindex.apply(step.from.into(), step.to.into(), rank);
            row = step.row;
            step = self.steps.get(row as usize)?;
            let next = modulo_4(step, row, rank)?;
            // The difference modulo 4 is 1 if this value is greater than the next value by one, and
            // 3 if this value is less than the next value by one.
            above_end += ((here - next + 1) & 3) - 1;
            here = next;
        }
        let end = *self.goal_values.get(rank as usize)?;
        let value = i32::from(end) + above_end;
        let is_sound = end < u8::MAX && (0..=i32::from(self.max)).contains(&value);
        is_sound.then_some(value as u8)
    }
}

#[cfg(test)]
mod tests {
    use pdb_gen::build;
    use pdb_table::{Control, Encoding};
    use puzzle::{Goal, HeuristicSpec};

    use super::*;

    #[test]
    fn row_paths_lead_to_every_value() {
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let id = HeuristicSpec::parse("4-4", &goal).unwrap().tables()[0];
        let table = build(id, Encoding::OneBit, &Control::default()).unwrap();
        let table = table.into_table().shared();
        let ranking = table.ranking().unwrap();
        let reindex = Arc::new(Reindex::for_tray(id.tray(), ranking.tiles()));
        let paths = RowPaths::new(&table, &ranking, &reindex);
        for row in 0..ranking.rows() {
            for rank in 0..ranking.row_entries() as u32 {
                let place = (row as u32, rank);
                assert_eq!(
                    paths.value(table.payload(), ranking.row_entries(), place),
                    table.value_by_descent(&ranking, &reindex, row, rank),
                );
            }
        }
    }
}
