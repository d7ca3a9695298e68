//! Memory of a sweep. A buffer contains all rows of one colour class or, in the multi-tile metric,
//! all rows of the table.

use std::ops::Range;

use bytemuck::Pod;

use crate::sweep::kernel::{
    NewEntries, RecordResult, Recorder, Row, RowSizes, RowSlices, RowState,
};
use crate::sweep::scatter::Word;
use crate::sweep::zeroed_pages::ZeroedPages;

/// Arrays of rows; [`RowSlices`] are borrowed parts of these arrays.
pub(crate) struct Buffers<K> {
    pub(crate) sizes: RowSizes,
    pub(crate) ones: ZeroedPages<Word>,
    pub(crate) zeros: ZeroedPages<Word>,
    pub(crate) state: ZeroedPages<RowState>,
    /// Records of the rows, by row index.
    by_row: ZeroedPages<K>,
    /// Records of the groups, by group index.
    pub(crate) by_group: ZeroedPages<K>,
}

impl<K: Pod + Send> Buffers<K> {
    /// Rows and groups without entries.
    pub(crate) fn new(sizes: RowSizes, rows: usize, groups: usize) -> Self {
        Buffers {
            sizes,
            ones: ZeroedPages::zeros(rows * sizes.words),
            zeros: ZeroedPages::zeros(rows * sizes.words),
            state: ZeroedPages::zeros(rows),
            by_row: ZeroedPages::zeros(rows * sizes.by_row),
            by_group: ZeroedPages::zeros(groups * sizes.by_group),
        }
    }

    /// Writes level 0, which contains only the goal. The goal is entry 0 of its row. `number` is
    /// the row's number in the table.
    pub(crate) fn start(
        &mut self,
        recorder: &impl Recorder<Element = K>,
        (row, group, number): (usize, usize, usize),
    ) -> RecordResult {
        let rows = self.slices_of(group..group + 1, row..row + 1);
        (rows.ones[0], rows.zeros[0]) = (1, 1);
        rows.state[0] = RowState {
            frontier: 1,
            visited: 1,
        };
        let goal = NewEntries {
            level: 0,
            row: number,
            entries: rows.ones,
        };
        recorder.record(&goal, rows.by_row, rows.by_group)
    }

    #[inline]
    pub(crate) fn row(&mut self, index: usize) -> Row<'_, K> {
        let RowSizes { words, by_row, .. } = self.sizes;
        let bits = index * words..(index + 1) * words;
        Row {
            ones: &mut self.ones[bits.clone()],
            zeros: &mut self.zeros[bits],
            state: &mut self.state[index],
            recorded: &mut self.by_row[index * by_row..(index + 1) * by_row],
        }
    }

    pub(crate) fn slices_of(
        &mut self,
        groups: Range<usize>,
        rows: Range<usize>,
    ) -> RowSlices<'_, K> {
        let sizes = self.sizes;
        let of = |range: &Range<usize>, size: usize| range.start * size..range.end * size;
        RowSlices {
            sizes,
            ones: &mut self.ones[of(&rows, sizes.words)],
            zeros: &mut self.zeros[of(&rows, sizes.words)],
            state: &mut self.state[rows.clone()],
            by_row: &mut self.by_row[of(&rows, sizes.by_row)],
            by_group: &mut self.by_group[of(&groups, sizes.by_group)],
        }
    }

    pub(crate) fn slices(&mut self) -> RowSlices<'_, K> {
        let groups = self.by_group.len() / self.sizes.by_group.max(1);
        self.slices_of(0..groups, 0..self.state.len())
    }

    /// Returns the records of the rows. If only groups have records, returns those of the groups;
    /// if nothing is recorded, returns the plane of ones.
    pub(crate) fn into_recorded(self) -> ZeroedPages<u8> {
        match (self.sizes.by_row, self.sizes.by_group) {
            (0, 0) => self.ones.into_bytes(),
            (0, _) => self.by_group.into_bytes(),
            _ => self.by_row.into_bytes(),
        }
    }

    /// All rows, with `by_row` and `by_group` as bytes.
    pub(crate) fn byte_slices(&mut self) -> RowSlices<'_, u8> {
        let rows = self.slices();
        RowSlices {
            sizes: RowSizes {
                by_row: rows.sizes.by_row * size_of::<K>(),
                by_group: rows.sizes.by_group * size_of::<K>(),
                ..rows.sizes
            },
            ones: rows.ones,
            zeros: rows.zeros,
            state: rows.state,
            by_row: bytemuck::cast_slice_mut(rows.by_row),
            by_group: bytemuck::cast_slice_mut(rows.by_group),
        }
    }
}
